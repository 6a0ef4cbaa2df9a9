"""Values of all positions that play can reach, in plain Python and without keys: for checks, and games with cycles."""

from array import array
from collections import defaultdict
from itertools import chain
from typing import Any

from gamecore.errors import GamecoreError
from gamecore.kit._rules import LOSS, WIN, Rules, Searcher, Watch, some_moves


def exact_values(rules: Rules, start: Any, values: dict[Any, int], watch: Watch) -> bool:
    """Add the value of every state that play can reach; return False if a limit of ``watch`` stopped it.

    It goes backwards from the ends of the game, the shortest games first. A state where neither side can force an end
    is a draw.

    Args:
        rules: the rules.
        start: a state.
        values: what is known: for each state, also all that play can reach from it.
        watch: limits.

    Raises:
        GamecoreError: a state comes again, and the rules have no cycles.
    """
    undecided: dict[Any, int] = {}  # states without a value: how many of their moves have none
    before: dict[Any, list[tuple[Any, int]]] = defaultdict(list)  # by the state after a move: the one before it, gain
    found: dict[Any, int] = {}
    waves: dict[int, list[Any]] = defaultdict(list)  # states with a value by plies to the end

    def decide(state: Any, value: int) -> None:
        found[state] = value
        waves[WIN - abs(value) if rules.outcome and value else 0].append(state)

    todo = [start]
    while todo:
        state = todo.pop()
        if state in undecided or state in found:
            continue
        if state in values:
            decide(state, values[state])
            continue
        end = rules.result(state)
        if end is not None:
            rules.check_score(end, 0)
            decide(state, end)
            continue
        if watch.tick():
            return False
        children = [rules.play(state, move) for move in some_moves(rules, state)]
        undecided[state] = len(children)
        for after, gain in children:
            before[after].append((state, gain))
            todo.append(after)
    best = dict.fromkeys(undecided, LOSS)
    while waves:
        for state in waves.pop(min(waves)):
            for earlier, gain in before[state]:
                if earlier in found:
                    continue
                if not rules.outcome:
                    rules.check_score(found[state], gain)
                best[earlier] = max(best[earlier], rules.lifted(found[state], gain))
                undecided[earlier] -= 1
                if undecided[earlier] == 0 or (rules.outcome and best[earlier] > 0):
                    decide(earlier, best[earlier])
    if not best.keys() <= found.keys() and not rules.cycles:
        raise GamecoreError(f"{rules.name}: a state comes again; then say CYCLES = True")
    values.update(dict.fromkeys(best, 0))
    values.update(found)
    return True


def searcher_of(rules: Rules, table_bytes: int) -> Searcher:
    """Return a new table for a game."""
    return CycleSearcher(rules) if rules.cycles else rules.searcher(table_bytes)


class CycleSearcher:
    """A :class:`gamecore.kit._rules.Searcher` for games with cycles: it solves all positions at once."""

    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        self._values: dict[Any, int] = {}
        self._watch = Watch()

    @property
    def table_bytes(self) -> int:
        return 200 * len(self._values)  # about: a dict's slot, a key, a number

    def stop(self) -> None:
        self._watch.asked = True

    def helper(self) -> None:
        return None

    def search(
        self, state: Any, seconds: float, nodes: int, threads: int = 1, test: int | None = None
    ) -> tuple[int, int, int]:
        self._watch.start(seconds, nodes)
        if state not in self._values and not exact_values(self._rules, state, self._values, self._watch):
            return LOSS, WIN, self._watch.nodes
        return self._values[state], self._values[state], self._watch.nodes

    def solve_all(self, state: Any, seconds: float) -> tuple[int, bytes, bytes] | None:
        value, upper, _ = self.search(state, seconds, 0)
        rules = self._rules
        known = {rules.key(one): value for one, value in self._values.items() if rules.result(one) is None}
        keys, values = array("Q", chain.from_iterable(known)), array("h", known.values())
        return (value, keys.tobytes(), values.tobytes()) if value == upper else None
