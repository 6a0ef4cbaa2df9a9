"""Values of all positions that play can reach, in plain Python and without keys: for checks, and games with cycles."""

import heapq
from array import array
from itertools import chain
from typing import Any, Final

from gamecore.apps.kit._python import Watch, memory_of
from gamecore.apps.kit._rules import LOSS, WIN, Rules, Searcher
from gamecore.errors import GamecoreError

_STATE_BYTES: Final = 180  # about: slots of two dicts while they grow, of a list, and numbers
_MOVE_BYTES: Final = 16
_OPEN: Final = WIN + 1  # the value of a state that is not decided yet
_NONE: Final = -1


def searcher_of(rules: Rules, table_bytes: int) -> Searcher:
    """Return a new table for a game."""
    return ExactSearcher(rules, table_bytes) if rules.cycles else rules.searcher(table_bytes)


class ExactSearcher:
    """A :class:`Searcher` that finds the values of a state and of all that play can reach from it.

    It lists the states first, then goes backwards from the ends of the game, the shortest games first. A state where
    neither side can force an end is a draw. A search that a limit stopped is continued by the next one.

    Args:
        rules: the rules.
        table_bytes: most memory, about.
    """

    def __init__(self, rules: Rules, table_bytes: int) -> None:
        self._rules, self._most_bytes, self._watch = rules, table_bytes, Watch()
        self._state_bytes = memory_of(rules.start()) + _STATE_BYTES
        self._values: dict[Any, int] = {}
        self.forget()

    def forget(self) -> None:
        """Forget states without a final value."""
        self._numbers: dict[Any, int] = {}
        self._states: list[Any] = []
        self._unlisted: list[int] = []  # states whose moves are not listed
        self._value = array("h")
        self._best = array("h")  # of the moves that are decided
        self._undecided = array("i")  # number of moves
        # The moves to a state, as a linked list: the state before, the gain, the next move.
        self._first, self._before, self._gain, self._next = array("i"), array("i"), array("i"), array("i")
        self._decided: list[tuple[int, int]] = []  # a heap of states by plies to the end

    @property
    def table_bytes(self) -> int:
        return self._state_bytes * (len(self._values) + len(self._states)) + _MOVE_BYTES * len(self._next)

    def stop(self) -> None:
        self._watch.asked = True

    def helper(self) -> None:
        return None

    def search(
        self, state: Any, seconds: float, nodes: int, threads: int = 1, test: int | None = None
    ) -> tuple[int, int, int]:
        """See :meth:`Searcher.search`.

        Raises:
            GamecoreError: a state comes again, and the rules have no cycles; a value is out of range; the states do
                not fit into the memory.
        """
        self._watch.start(seconds, nodes)
        try:
            while state not in self._values:
                if self._unlisted or not self._states:  # else all that is listed must be decided first
                    self._number_of(state)
                if not (self._list_moves() and self._decide()):
                    return LOSS, WIN, self._watch.nodes
        except BaseException:
            self.forget()
            raise
        return self._values[state], self._values[state], self._watch.nodes

    def _number_of(self, state: Any) -> int:
        number = self._numbers.setdefault(state, len(self._states))
        if number == len(self._states):
            self._states.append(state)
            self._unlisted.append(number)
            self._value.append(_OPEN)
            self._best.append(-_OPEN - WIN)
            self._undecided.append(0)
            self._first.append(_NONE)
        return number

    def _list_moves(self) -> bool:
        """List the moves of all states; return False at a limit."""
        rules = self._rules
        while self._unlisted:
            number = self._unlisted[-1]
            state = self._states[number]
            value = self._values[state] if state in self._values else rules.end(state)
            if value is None and self._watch.tick():
                return False
            self._unlisted.pop()
            if value is not None:
                self._set(number, value)
                continue
            if self.table_bytes > self._most_bytes:
                raise GamecoreError(f"the positions of {rules.name} do not fit into the table: give more table_mb")
            for _, after, gain in rules.children(state):
                child = self._number_of(after)
                self._undecided[number] += 1
                self._before.append(number)
                self._gain.append(gain)
                self._next.append(self._first[child])
                self._first[child] = len(self._next) - 1
        return True

    def _set(self, number: int, value: int) -> None:
        self._value[number], _ = self._rules.checked_bounds(self._states[number], value, value)
        plies = WIN - abs(value) if self._rules.outcome and value else 0
        heapq.heappush(self._decided, (plies, number))

    def _decide(self) -> bool:
        """Carry values backwards, then keep all; what is not decided is a draw. Return False at a limit."""
        rules = self._rules
        while self._decided:
            if self._watch.is_over():
                return False
            _, number = heapq.heappop(self._decided)
            move = self._first[number]
            while move != _NONE:
                before, score = self._before[move], rules.parent_score(self._value[number], self._gain[move])
                move = self._next[move]
                if self._value[before] != _OPEN:
                    continue
                self._best[before] = max(self._best[before], score)
                self._undecided[before] -= 1
                if self._undecided[before] == 0 or (rules.outcome and self._best[before] > 0):
                    self._set(before, self._best[before])
        if not rules.cycles and _OPEN in self._value:
            raise GamecoreError(f"{rules.name}: a state comes again; then say CYCLES = True")
        decided = (0 if value == _OPEN else value for value in self._value)
        self._values.update(zip(self._states, decided, strict=True))
        self.forget()
        return True

    def solve_all(self, state: Any, seconds: float) -> tuple[int, bytes, bytes] | None:
        """Return the value, and the keys and values of all positions; None at the time limit.

        Raises:
            GamecoreError: two states of one key have different values.
        """
        value, upper, _ = self.search(state, seconds, 0)
        rules = self._rules
        by_key: dict[Any, int] = {}
        for position, own in self._values.items():
            other = own if rules.result(position) is not None else by_key.setdefault(rules.key(position), own)
            if other != own:
                raise GamecoreError(f"{rules.name}: two states have one key, and the values {other} and {own}")
        keys, values = array("Q", chain.from_iterable(by_key)), array("h", by_key.values())
        return (value, keys.tobytes(), values.tobytes()) if value == upper else None
