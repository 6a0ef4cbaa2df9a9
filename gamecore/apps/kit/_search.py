"""Searches over the rules of a game: compiled, in plain Python, and backwards from the ends of the game."""

import heapq
import sys
import time
from array import array
from functools import partial
from itertools import islice
from typing import Any, Final, Protocol

from gamecore.apps.kit._rules import LOSS, WIN, CompiledRules, Rules
from gamecore.batch.workers import beside, is_cancelled, stoppable
from gamecore.errors import GamecoreError
from gamecore.search.threads import nodes_alone

DEEPEST: Final = 400  #: plies that the search in Python follows
_UNKNOWN: Final = 1 << 30  # more points than a game of so many plies can have
_ENTRY_BYTES: Final = 200  # about: a dict's slot while it grows, a tuple, two numbers
_STATE_BYTES: Final = 180  # about: slots of two dicts while they grow, of a list, and numbers
_MOVE_BYTES: Final = 16
_OPEN: Final = WIN + 1  # the value of a state that is not decided yet
_NONE: Final = -1

Bounds = tuple[int, int, int]  #: lower, upper, nodes


class Searcher(Protocol):
    """A table, and searches that share it."""

    @property
    def table_bytes(self) -> int:
        """Memory of the table."""

    def search(self, state: Any, seconds: float, nodes: int, threads: int = 1, test: int | None = None) -> Bounds:
        """Return (lower, upper, nodes). Bounds that nothing is known of may lie outside the range of points.

        Args:
            state: a state.
            seconds: limit; below 0: none.
            nodes: limit; 0: none.
            threads: that search together.
            test: end as soon as the value is known to be at least this, or below it; None: search for the value.
        """

    def helper(self) -> "Searcher | None":
        """Return another one on the same table, for another thread; None if threads cannot share it."""

    def stop(self) -> None:
        """End the current search, and all later ones; from any thread."""


def searcher_of(rules: Rules, table_bytes: int, shared: bool = False) -> Searcher:
    """Return a new table for a game. ``shared``: others will join by :meth:`Searcher.helper`."""
    if rules.cycles:
        return ExactSearcher(rules, table_bytes)
    if not isinstance(rules, CompiledRules):
        return PythonSearcher(rules, table_bytes)
    solver = rules.module.gc_Solver(table_bytes)
    if shared:
        solver.share(True, False)
    return CompiledSearcher(rules, solver)


class CompiledSearcher:
    """A compiled game's table."""

    def __init__(self, rules: CompiledRules, solver: Any) -> None:
        self._rules, self._solver, self.stop = rules, solver, solver.stop

    def helper(self) -> "CompiledSearcher | None":
        return CompiledSearcher(self._rules, type(self._solver)(0, self._solver)) if self._solver.is_shared else None

    @property
    def table_bytes(self) -> int:
        return int(self._solver.table_bytes)

    def search(self, state: Any, seconds: float, nodes: int, threads: int = 1, test: int | None = None) -> Bounds:
        begun, fields, solver = time.perf_counter(), self._rules.dict_of(state), self._solver
        lower, upper, searched = solver.search(fields, seconds, nodes_alone(nodes, threads), test)
        left = seconds if seconds < 0 else max(0.0, seconds - (time.perf_counter() - begun))
        if threads == 1 or lower == upper or left == 0 or (nodes and nodes - searched < threads):
            return lower, upper, searched
        results, share = [(lower, upper, 0)], (nodes - searched) // threads if nodes else 0

        def search(helper: Any) -> None:
            with stoppable(helper.stop):
                results.append(helper.search(fields, left, share))

        solver.share(True)
        try:
            with beside([partial(search, type(solver)(0, solver)) for _ in range(threads - 1)]):
                results.append(solver.search(fields, left, share))
        finally:
            solver.share(False)
        lowers, uppers, counts = zip(*results, strict=True)
        return max(lowers), min(uppers), searched + sum(counts)

    def solve_all(self, state: Any, seconds: float) -> tuple[int, bytes, bytes] | None:
        """Return the value, and the keys and values of all positions; None at the time limit."""
        value: int | None = self._solver.solve_all(self._rules.dict_of(state), seconds)
        keys, values = self._solver.entries()
        return None if value is None else (value, bytes(keys), bytes(values))


class _Limited:
    """A search in Python, which looks at its limits."""

    nodes = 0
    _asked = False

    def stop(self) -> None:
        self._asked = True

    def helper(self) -> None:
        return None

    def _begin(self, seconds: float, nodes: int) -> None:
        self.nodes, self._limit = 0, nodes
        self._deadline = time.perf_counter() + seconds if seconds >= 0 else -1.0

    def _is_over(self) -> bool:
        return self._asked or is_cancelled() or 0 <= self._deadline <= time.perf_counter()

    def _tick(self) -> bool:
        """Count a position; return True if it must not be searched."""
        if (self._limit and self.nodes >= self._limit) or self._is_over():
            return True
        self.nodes += 1
        return False


def _memory_of(key: Any) -> int:
    """Return about how many bytes a key or a state takes."""
    parts = key if isinstance(key, tuple) else ()
    return sys.getsizeof(key) + 16 + sum(map(sys.getsizeof, parts))


class _Stopped(Exception):
    """A limit was reached."""


class PythonSearcher(_Limited):
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
        self._table: dict[Any, tuple[int, int]] = {}

    @property
    def table_bytes(self) -> int:
        return self._entry_bytes * len(self._table)

    def search(self, state: Any, seconds: float, nodes: int, threads: int = 1, test: int | None = None) -> Bounds:
        end = self._rules.end(state)
        if end is not None:
            return end, end, 0
        self._begin(seconds, nodes)
        lower, upper = self._table.get(self._key(state), self._unknown)
        try:
            while lower < upper and (test is None or lower < test <= upper):
                guess = max(lower, min(upper, 0))
                beta = test if test is not None else guess + 1 if guess == lower else guess
                value = self._value(state, beta - 1, beta, 0)
                lower, upper = (lower, min(upper, value)) if value < beta else (max(lower, value), upper)
        except _Stopped:
            pass
        self._keep(self._key(state), lower, upper)
        return lower, upper, self.nodes

    def _keep(self, key: Any, lower: int, upper: int) -> None:
        if len(self._table) >= self._most_entries:
            self._table = dict(islice(self._table.items(), len(self._table) // 2 + 1, None))
        if self._most_entries:
            self._table[key] = lower, upper

    def _value(self, state: Any, alpha: int, beta: int, depth: int) -> int:
        """Return a bound of a state's score: exact between alpha and beta (fail-soft)."""
        rules, best = self._rules, self._unknown[0]
        open_moves: list[tuple[int, int, Any, int]] = []
        if depth > DEEPEST:
            raise GamecoreError(f"a game of more than {DEEPEST} plies: is there a cycle? Then say CYCLES = True")
        if self._tick():
            raise _Stopped
        for _, after, gain in rules.children(state):
            end = rules.end(after)
            low, high = (end, end) if end is not None else self._table.get(self._key(after), self._unknown)
            best = max(best, rules.parent_score(high, gain))
            if best >= beta:
                return best
            if rules.parent_score(low, gain) > best:
                open_moves.append((-rules.parent_score(low, gain), len(open_moves), after, gain))
        for _, _, after, gain in sorted(open_moves, key=lambda move: move[:2]):
            low, high = rules.child_score(beta, gain), rules.child_score(max(alpha, best), gain)
            value = self._value(after, low, high, depth + 1)
            key = self._key(after)
            lower, upper = self._table.get(key, self._unknown)
            self._keep(key, max(lower, value) if value > low else lower, min(upper, value) if value < high else upper)
            best = max(best, rules.parent_score(value, gain))
            if best >= beta:
                return best
        return best


class ExactSearcher(_Limited):
    """Find the values of a state and of all that play can reach from it, without keys: for checks, and with cycles.

    It lists the states first, then goes backwards from the ends of the game, the shortest games first. A state where
    neither side can force an end is a draw. A search that a limit stopped is continued by the next one.

    Args:
        rules: the rules.
        table_bytes: most memory, about.
    """

    def __init__(self, rules: Rules, table_bytes: int) -> None:
        self._rules, self._most_bytes = rules, table_bytes
        self._state_bytes = _memory_of(rules.start()) + _STATE_BYTES
        self.values: dict[Any, int] = {}
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
        self._first, self._before, self._gain, self._next = (array("i") for _ in range(4))
        self._decided: list[tuple[int, int]] = []  # a heap of states by plies to the end

    @property
    def table_bytes(self) -> int:
        return self._state_bytes * (len(self.values) + len(self._states)) + _MOVE_BYTES * len(self._next)

    def search(self, state: Any, seconds: float, nodes: int, threads: int = 1, test: int | None = None) -> Bounds:
        """See :meth:`Searcher.search`.

        Raises:
            GamecoreError: a state comes again, and the rules have no cycles; a value is out of range; the states do
                not fit into the memory.
        """
        self._begin(seconds, nodes)
        try:
            while state not in self.values:
                if self._unlisted or not self._states:  # else all that is listed must be decided first
                    self._number_of(state)
                if not (self._list_moves() and self._decide()):
                    return LOSS, WIN, self.nodes
        except BaseException:
            self.forget()
            raise
        return self.values[state], self.values[state], self.nodes

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
            value = self.values[state] if state in self.values else rules.end(state)
            if value is None and self._tick():
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
            if self._is_over():
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
        self.values.update(zip(self._states, decided, strict=True))
        self.forget()
        return True
