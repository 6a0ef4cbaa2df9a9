"""What searches: :class:`Search`, a table and what is asked of the positions searched in it."""

import contextlib
import copy
import functools
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any, ClassVar, Final, Generic, Protocol, Self, TypeVar

from gamecore.batch.workers import beside, is_cancelled
from gamecore.contract import Analysis, MoveValue, Playable, Solution
from gamecore.limits import Limits, limits_of
from gamecore.text import checked_flag, checked_integer, checked_word

P = TypeVar("P", bound=Playable)
S = TypeVar("S", bound=Solution[float, object])
A = TypeVar("A", bound=Analysis[MoveValue[float], object])
MAX_THREADS: Final = 64  #: of one search
ALONE_NODES: Final = 100_000  #: shorter searches end before threads have started


class Kernel(Protocol):
    """A kernel's search, which holds a table; ``full``: threads ended their searches because it must grow."""

    @property
    def table_bytes(self) -> int: ...
    @property
    def full(self) -> bool: ...


class Search(ABC, Generic[P, S, A]):
    """A table, and a question about the positions searched in it.

    A game's ``solve`` and ``analyse`` make one for each call; a :class:`Solver` keeps one. Limits are as kernels take
    them: ``seconds`` below 0 and ``nodes`` of 0 are none.

    Attributes:
        table_bytes: most memory for the table.
        question: one of ``questions``.
        is_kept: True if the table serves one position after another, each within limits of its own.
        kernel: the kernel's search; None before the first search.
    """

    default_table_mb: ClassVar[float]
    questions: ClassVar[tuple[str, ...]] = ("distance",)  #: that the game answers; also "outcome"
    counts: ClassVar[tuple[str, ...]] = ("nodes",)  #: fields of a solution that several threads add up
    kernel: Kernel | None = None

    def __init__(self, table_bytes: int, question: str = "distance", is_kept: bool = False) -> None:
        self.table_bytes, self.question, self.is_kept = table_bytes, question, is_kept

    # --- what a game defines

    read: Callable[[object], P]  #: returns a position, parsing a text

    @abstractmethod
    def open(self, position: P, seconds: float, nodes: int) -> Kernel:
        """Return the kernel's search; if there is none, make one with a table for a position and those after it."""

    @abstractmethod
    def search(self, position: P, seconds: float, nodes: int, line: bool) -> S:
        """Search a position in this thread."""

    @abstractmethod
    def analysis(self, position: P, values: Iterable[MoveValue[Any]], nodes: int, seconds: float) -> A:
        """Make an analysis of moves."""

    def best_so_far(self, solution: S, position: P, in_a_hurry: bool) -> str | None:
        """Return the best move by the bounds in the table; ``in_a_hurry``: the search's time is limited."""

    def share(self, threads: int, seconds: float, nodes: int) -> Sequence[Kernel]:
        """Share the table, grown where it is full, and return the kernel's searches of the other threads."""
        raise NotImplementedError

    def value_of(self, move: str, after: S) -> MoveValue[Any]:
        """Return the value of a move from the solution of the position after it."""
        return MoveValue(-after.upper, -after.lower, move)

    def is_done(self, solution: S, position: P, line: bool) -> bool:
        """True if the value is exact and the line, if requested, is known."""
        return solution.lower == solution.upper and (not line or bool(solution.line) or position.is_over)

    # --- searches

    def solve(self, position: P, seconds: float, nodes: int, line: bool, threads: int = 1) -> S:
        """Search in one thread or more; if a limit was reached, add the best move so far."""
        first = nodes if threads == 1 else nodes_alone(nodes, threads)
        solution = self.search(position, seconds, first, line)
        if first != nodes and not self.is_done(solution, position, line):
            solution = self._search_in_threads(solution, position, seconds, nodes, line, threads)
        if solution.best_moves or position.is_over or self.is_done(solution, position, line):
            return solution
        if self.question == "outcome":  # it names no moves
            return solution
        return replace(solution, best_so_far=self.best_so_far(solution, position, seconds >= 0))

    def analyse(self, position: P, seconds: float, nodes: int) -> A:
        """Search the position after each move."""
        begun = time.perf_counter()
        self.open(position, seconds, nodes)
        solutions = search_moves(position, seconds, nodes, self.search)
        values = [self.value_of(move, solution) for move, solution in solutions.items()]
        searched = sum(solution.nodes for solution in solutions.values())
        return self.analysis(position, values, searched, time.perf_counter() - begun)

    def by(self, kernel: Kernel) -> Self:
        """Return a search of one position in the same table, by another kernel's search, which has its limits."""
        other = copy.copy(self)
        other.kernel, other.is_kept = kernel, False
        return other

    def _search_in_threads(self, solution: S, position: P, seconds: float, nodes: int, line: bool, threads: int) -> S:
        """Continue a search that one thread began, in legs: a leg ends when the table must grow."""
        begun = time.perf_counter() - solution.seconds
        while not is_cancelled():
            left = -1.0 if seconds < 0 else max(0.0, seconds - (time.perf_counter() - begun))
            share = (nodes - solution.nodes) // threads if nodes else 0
            if left == 0 or (nodes and share <= 0):
                break
            solutions, what = [solution], (position, left, share, line)
            helpers = map(self.by, self.share(threads, left, share))
            with beside([functools.partial(helper._help, solutions, *what) for helper in helpers]):
                later = self.search(*what)
            everything = (later, *solutions)
            sums = {name: sum(getattr(part, name) for part in everything) for name in self.counts}
            tighter = min(later, solution, key=lambda part: part.upper - part.lower)
            solution = replace(tighter, table_bytes=later.table_bytes, **sums)
            if self.kernel is None or not self.kernel.full or self.is_done(solution, position, line):
                break
        return replace(solution, seconds=time.perf_counter() - begun)

    def _help(self, solutions: list[S], position: P, seconds: float, nodes: int, line: bool) -> None:
        """Search in another thread; without memory, the others go on alone."""
        with contextlib.suppress(MemoryError):
            solutions.append(self.search(position, seconds, nodes, line))


def nodes_alone(nodes: int, threads: int) -> int:
    """Return the node limit of a search's first, single-threaded part; it is the whole limit if no threads follow.

    ``nodes`` is the limit of the whole search, 0: none.
    """
    return nodes if threads == 1 or 0 < nodes <= ALONE_NODES else ALONE_NODES


def solve_once(
    kind: type[Search[P, S, A]],
    position: P | str,
    limits: Limits | None,
    line: bool,
    threads: int,
    question: str = "distance",
    *,
    shares: bool = True,
    run: Callable[..., S] | None = None,
) -> S:
    """Solve a position in a table of its own: the ``solve`` of a game whose searches are of this ``kind``.

    ``shares`` is False if the kernel's threads cannot share a table: then one thread searches. ``run`` is called with
    the search and the arguments of its ``solve``; None: that is called.
    """
    if type(threads) is not int or threads != 1:  # saves a call, as below
        checked_integer(threads, "threads", 1, MAX_THREADS)
    if type(question) is not str or question != "distance":
        checked_word(question, "question", kind.questions)
    if line is not True and line is not False:
        line = checked_flag(line, "line")
    seconds, nodes, table_bytes = limits_of(limits).for_kernel(kind.default_table_mb)
    search = kind(table_bytes, question)
    return (run or kind.solve)(search, search.read(position), seconds, nodes, line, threads if shares else 1)


def analyse_once(kind: type[Search[P, S, A]], position: P | str, limits: Limits | None) -> A:
    """Analyse a position in a table of its own: the ``analyse`` of a game whose searches are of this ``kind``."""
    seconds, nodes, table_bytes = limits_of(limits).for_kernel(kind.default_table_mb)
    search = kind(table_bytes)
    return search.analyse(search.read(position), seconds, nodes)


def search_moves(position: P, seconds: float, nodes: int, search: Callable[[P, float, int, bool], S]) -> dict[str, S]:
    """Search the position after each legal move, within limits for all of them together, as kernels take them.

    ``search`` is called with a position, its seconds and nodes, and False: no line is wanted.
    """
    begun, searched, solutions = time.perf_counter(), 0, dict[str, S]()
    for move in position.legal_moves():
        left = seconds if seconds < 0 else max(0.0, seconds - (time.perf_counter() - begun))
        share = (0.0, 0) if 0 < nodes <= searched else (left, nodes and nodes - searched)
        solutions[move] = search(position.play(move), *share, False)
        searched += solutions[move].nodes
    return solutions
