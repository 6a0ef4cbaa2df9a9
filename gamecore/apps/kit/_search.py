"""Searches over the rules of a game: compiled, in plain Python, and backwards from the ends of the game."""

import heapq
import math
import sys
import time
from array import array
from collections.abc import Callable, Hashable, Iterator
from contextlib import suppress
from itertools import chain, islice
from typing import Final

from gamecore.apps.kit._rules import LOSS, WIN, Rules, State
from gamecore.errors import GamecoreError

DEEPEST: Final = 400  #: plies that the search in Python follows
CAN_TELL: Final = "`gamecore kit test` may say why"  #: behind an error that may be a mistake in the rules
_ADVICE: Final = f"Then say CYCLES = True; {CAN_TELL}"
_UNKNOWN: Final = 1 << 30  # more points than a game of so many plies can have
_ENTRY_BYTES: Final = 200  # about: a dict's slot while it grows, a tuple, two numbers
_STATE_BYTES: Final = 240  # about: slots of two dicts while they grow, of lists, numbers, and an array
_MOVE_BYTES: Final = 12
_OPEN: Final = WIN + 1  # the value of a state that is not decided yet

Bounds = tuple[int, int, int]  #: lower, upper, nodes
Every = tuple[int, bytes, bytes]  #: value of a state; of all: two words a key, and values


class Searcher:
    """A table, and searches that share it. The ``gc_Solver`` of a compiled game has the same public members, and more.

    ``search(state, seconds, nodes, test=None, last=None)`` returns (lower, upper, nodes); bounds that nothing is known
    of may lie outside the range of points. ``seconds`` below 0 and ``nodes`` 0 are no limits. ``test``: end as soon as
    the value is known to be at least this, or below it; with ``last``: below ``test``, at least ``last``, or between.

    Attributes:
        table_bytes: memory of the table.
        nodes: positions that the last search has searched.
    """

    table_bytes = nodes = 0
    full = False
    search: Callable[..., Bounds]
    solve_all: Callable[[State, float], Every | None]
    share: Callable[..., None]
    helper: Callable[[], "Searcher"]
    _is_stopped = False

    def stop(self) -> None:
        """End the current search, and all later ones; from any thread."""
        self._is_stopped = True

    def _begin(self, seconds: float, nodes: int) -> None:
        self.nodes, self._limit = 0, nodes or math.inf
        self._deadline = time.perf_counter() + seconds if seconds >= 0 else math.inf

    def _is_over(self) -> bool:
        return self._is_stopped or time.perf_counter() >= self._deadline

    def _tick(self) -> bool:
        """Count a position; return True if it must not be searched."""
        if self.nodes >= self._limit or self._is_over():
            return True
        self.nodes += 1
        return False


def searcher_of(rules: Rules, table_bytes: int) -> Searcher:
    """Return a new :class:`Searcher` for a game."""
    if rules.solver is not None:
        return rules.solver(table_bytes)  # type: ignore[no-any-return]
    return ExactSearcher(rules, table_bytes) if rules.cycles else PythonSearcher(rules, table_bytes)


def _memory_of(key: object) -> int:
    """Return about how many bytes a key or a state takes."""
    return sys.getsizeof(key) + 16 + sum(map(sys.getsizeof, key if isinstance(key, tuple) else ()))


class _Stopped(Exception):
    """A limit was reached."""


class PythonSearcher(Searcher):
    """The search of ``search.pxi`` in plain Python, over a dict.

    Args:
        rules: the rules of any game without cycles.
        table_bytes: most memory for the table, about. The older half of a full table is dropped.
        keyed: False: every state is its own key.
    """

    def __init__(self, rules: Rules, table_bytes: int, keyed: bool = True) -> None:
        self._rules, self._key = rules, rules.key if keyed else tuple
        self._entry_bytes = _memory_of(self._key(rules.start())) + _ENTRY_BYTES
        self._most_entries = table_bytes // self._entry_bytes
        self._unknown = (-WIN, WIN) if rules.outcome else (-_UNKNOWN, _UNKNOWN)
        self._table: dict[Hashable, tuple[int, int]] = {}

    def search(
        self, state: State, seconds: float, nodes: int, test: int | None = None, last: int | None = None
    ) -> Bounds:
        end = self._rules.end(state)
        if end is not None:
            return end, end, 0
        self._begin(seconds, nodes)
        lower, upper = self._table.get(self._key(state), self._unknown)
        least, most = (-_UNKNOWN, _UNKNOWN) if test is None else (test, test if last is None else last)
        with suppress(_Stopped):
            while lower < upper and lower < most and upper >= least:
                asked = max(lower + 1, min(upper, 0)) if test is None else most if upper >= most else least
                lower, upper = self._keep(state, self._value(state, asked, 0), asked, (lower, upper))
        return lower, upper, self.nodes

    def _keep(self, state: State, value: int, test: int, bounds: tuple[int, int]) -> tuple[int, int]:
        """Store and return bounds, tightened by what :meth:`_value` returned for a test."""
        lower, upper = bounds
        bounds = (max(lower, value), upper) if value >= test else (lower, min(upper, value))
        if self._rules.outcome:
            self._rules.checked_bounds(state, *bounds)
        if len(self._table) >= self._most_entries:
            self._table = dict(islice(self._table.items(), len(self._table) // 2 + 1, None))
        if self._most_entries:
            self._table[self._key(state)] = bounds
        self.table_bytes = self._entry_bytes * len(self._table)
        return bounds

    def _value(self, state: State, test: int, depth: int) -> int:
        """Return a bound of a state's score (fail-soft): a lower one if it is at least ``test``, else an upper one."""
        rules, best = self._rules, self._unknown[0]
        open_moves: list[tuple[int, int, State, int]] = []
        if depth > DEEPEST:
            raise GamecoreError(f"{rules.name}: a game of more than {DEEPEST} plies: is there a cycle? {_ADVICE}")
        if self._tick():
            raise _Stopped
        for _, after, gain in rules.children(state):
            if self._is_over():  # the list may be long
                raise _Stopped
            end = rules.end(after)
            low, high = (end, end) if end is not None else self._table.get(self._key(after), self._unknown)
            best = max(best, rules.parent_score(high, gain))
            if best >= test:
                return best
            most = rules.parent_score(low, gain)
            if most >= test:
                open_moves.append((-most, len(open_moves), after, gain))
            else:
                best = max(best, most)
        for _, _, after, gain in sorted(open_moves):
            asked = rules.child_score(test, gain) + 1  # the move passes the test if the state after it fails this
            value = self._value(after, asked, depth + 1)
            self._keep(after, value, asked, self._table.get(self._key(after), self._unknown))
            best = max(best, rules.parent_score(value, gain))
            if best >= test:
                return best
        return best


class ExactSearcher(Searcher):
    """Find the values of a state and of all that play can reach from it, without keys: for checks, and with cycles.

    It lists the states first, then goes backwards from the ends of the game, the shortest games first. A state where
    neither side can force an end is a draw. A search that a limit stopped is continued by the next one.

    Args:
        rules: the rules.
        table_bytes: most memory, about.

    Attributes:
        values: of all states, by state.
    """

    def __init__(self, rules: Rules, table_bytes: int) -> None:
        self._rules, self._most_bytes = rules, table_bytes
        self._state_bytes = _memory_of(rules.start()) + _STATE_BYTES
        self.values: dict[State, int] = {}
        self.forget()

    def forget(self) -> None:
        """Forget a search that a limit stopped."""
        self._stopped: Iterator[None] = iter(())

    def search(
        self, state: State, seconds: float, nodes: int, test: int | None = None, last: int | None = None
    ) -> Bounds:
        """See :class:`Searcher`.

        Raises:
            GamecoreError: a state comes again, and the rules have no cycles; a value is out of range; the states do
                not fit into the memory.
        """
        self._begin(seconds, nodes)
        while state not in self.values:
            for _ in self._stopped:
                return LOSS, WIN, self.nodes
            if state not in self.values:
                self._stopped = self._solve(state)
        return self.values[state], self.values[state], self.nodes

    def _solve(self, start: State) -> Iterator[None]:
        """Find the values of all positions that play can reach; yield at a limit."""
        rules, states, numbers = self._rules, [start], {start: 0}
        value, best, undecided = array("h"), array("h"), array("i")  # the best of the moves decided, and other moves
        parents, moves = [array("i")], 0  # of each state: those before it, and what the moves to it gain
        decided: list[tuple[int, int]] = []  # a heap of states by plies to the end

        def decide(number: int, score: int) -> None:
            value[number], _ = rules.checked_bounds(states[number], score, score)
            heapq.heappush(decided, (WIN - abs(score) if rules.outcome and score else 0, number))

        for number, state in enumerate(states):  # the list grows
            value.append(_OPEN)
            best.append(-_OPEN - WIN)
            undecided.append(0)
            end = self.values[state] if state in self.values else rules.end(state)
            if end is not None:
                decide(number, end)
                continue
            while self._tick():
                yield
            self.table_bytes = self._state_bytes * (len(self.values) + len(states)) + _MOVE_BYTES * moves
            if self.table_bytes > self._most_bytes:
                needed = f"{len(states)} positions need {self.table_bytes / (1 << 20):.1f} MiB or more"
                words = f"the positions of {rules.name} do not fit into the table: give more table_mb (--table-mb)"
                raise GamecoreError(f"{words}: {needed}; {CAN_TELL}")
            for _, after, gain in rules.children(state):
                while self._is_over():
                    yield
                child = numbers.setdefault(after, len(states))
                if child == len(states):
                    states.append(after)
                    parents.append(array("i"))
                parents[child].extend((number, gain))
                undecided[number] += 1
            moves += undecided[number]
        while decided:
            while self._is_over():
                yield
            _, number = heapq.heappop(decided)
            pairs = iter(parents[number])
            for parent, gain in zip(pairs, pairs, strict=True):
                if value[parent] == _OPEN:
                    best[parent] = max(best[parent], rules.parent_score(value[number], gain))
                    undecided[parent] -= 1
                    if undecided[parent] == 0 or (rules.outcome and best[parent] > 0):
                        decide(parent, best[parent])
        if not rules.cycles and _OPEN in value:
            raise GamecoreError(f"{rules.name}: a state comes again; then say CYCLES = True")
        self.values.update(zip(states, (0 if score == _OPEN else score for score in value), strict=True))
        self.table_bytes = self._state_bytes * len(self.values)

    def solve_all(self, state: State, seconds: float) -> Every | None:
        """Return the value of a state, and all positions that are not over: two words a key, and values.

        Return None at the time limit.
        """
        value, upper, _ = self.search(state, seconds, 0)
        if value != upper:
            return None
        going_on = {state: own for state, own in self.values.items() if self._rules.result(state) is None}
        by_key = {self._rules.table_key(state): own for state, own in going_on.items()}
        return value, array("Q", chain.from_iterable(by_key)).tobytes(), array("h", by_key.values()).tobytes()
