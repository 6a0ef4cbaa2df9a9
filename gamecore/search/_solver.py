"""One table over many positions: :class:`Solver`, its analysis in steps, and single searches in several threads."""

import contextlib
import functools
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, ClassVar, Final, Generic, Self, TypeVar

from gamecore.batch.workers import beside, is_cancelled
from gamecore.contract import Analysis, MoveValue, Playable, Solution, check_bounds
from gamecore.errors import GamecoreError, OptionError
from gamecore.limits import Limits, limits_of
from gamecore.search._refine import Refinement
from gamecore.search.threads import check_threads, nodes_alone
from gamecore.text import checked_flag, is_word, printable

Found = TypeVar("Found", bound=Solution[float, object])
QUESTIONS: Final = ("distance", "outcome")
_SHORTEST: Final = 0.001  # seconds of a search in a step


class Solver(ABC, Generic[Found]):
    """Searches that share one table: positions of one game, solved one after another, take fewer nodes.

    Exact answers are those of the package's ``solve`` and ``analyse``; ``nodes`` and bounds under limits depend on what
    the table holds. One caller at a time.

    Args:
        table_mb: most memory for the table, in MiB; None: the game's default.

    Raises:
        OptionError: a bad ``table_mb``.
    """

    default_table_mb: ClassVar[float]
    _counts: ClassVar[tuple[str, ...]] = ("nodes",)  #: fields of a solution that several threads add up
    _solver: Any = None  # the kernel's search, which holds the table
    _single = False  # True if it solves one position, for the package's functions
    _shares = False  # True if the kernel has its limits: searches set none
    _question = "distance"  # or "outcome": what the search that runs is asked

    def __init__(self, table_mb: float | None = None) -> None:
        self._table_bytes: int = Limits(table_mb=table_mb).for_kernel(self.default_table_mb).table_bytes
        self._lock = threading.Lock()
        self._closed = False

    @classmethod
    def _of_one(cls, table_bytes: int, solver: Any = None, question: str = "distance") -> Self:
        """Return a solver for one position; ``solver``: the kernel's search, with its limits."""
        single = cls.__new__(cls)
        single._table_bytes, single._solver, single._single, single._shares = table_bytes, solver, True, bool(solver)
        single._question = question
        return single

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Free the table. Searches after this raise a GamecoreError."""
        self._closed = True
        self._solver = None

    @property
    def table_bytes(self) -> int:
        """Memory of the table in bytes."""
        return 0 if self._solver is None else self._solver.table_bytes

    # --- what a game defines

    @staticmethod
    @abstractmethod
    def _read(item: Any) -> Any:
        """Return a position, parsing a text."""

    @abstractmethod
    def _search(self, position: Any, seconds: float, nodes: int, line: bool) -> Found:
        """Search a position within the kernel's limits."""

    @abstractmethod
    def _analysis(
        self, position: Any, known: Iterable[MoveValue[Any]], nodes: int, seconds: float
    ) -> Analysis[Any, Any]:
        """Make an analysis of moves."""

    def _best_so_far(self, solution: Found, position: Any, hurry: bool) -> str | None:
        """Return the best move by the bounds in the table; ``hurry``: the search's time is limited."""

    def _share(self, threads: int, seconds: float, nodes: int) -> Sequence[Any]:
        """Share the table, grown where it is full, and return the kernel's searches of the other threads."""
        raise NotImplementedError

    def _value_of(self, move: str, after: Found) -> MoveValue[Any]:
        """Return the value of a move from the solution of the position after it."""
        return MoveValue(-after.upper, -after.lower, move)

    def _is_done(self, solution: Found, position: Any, line: bool) -> bool:
        """True if the value is exact and the line, if requested, is known."""
        return solution.lower == solution.upper and (not line or bool(solution.line) or position.is_over)

    # --- searches

    def _solve(self, position: Any, seconds: float, nodes: int, line: bool, threads: int = 1) -> Found:
        """Search in one thread or more; if a limit was reached, add the best move so far."""
        first = nodes if threads == 1 else nodes_alone(nodes, threads)
        solution = self._search(position, seconds, first, line)
        if first != nodes and not self._is_done(solution, position, line):
            solution = self._search_in_threads(solution, position, seconds, nodes, line, threads)
        if solution.best_moves or position.is_over or self._is_done(solution, position, line):
            return solution
        if self._question == "outcome":  # it names no moves
            return solution
        return replace(solution, best_so_far=self._best_so_far(solution, position, seconds >= 0))

    def solve(self, position: Playable | str, limits: Limits | None = None, *, line: bool = True) -> Found:
        """Solve a position exactly, or bound its value within limits, which have no ``table_mb``.

        Raises:
            ParseError: a bad text. OptionError: bad limits. MemoryError: no memory for the table.
            GamecoreError: the solver is closed, or searches in another thread.
        """
        return self._ask(position, limits, line)

    def _ask(self, position: Playable | str, limits: Limits | None, line: bool, question: str = "distance") -> Found:
        """Solve a position, or answer another question of it: the ``solve`` of a game that has questions."""
        check_question(question)
        seconds, nodes = self._limits(limits)
        position, line = self._read(position), checked_flag(line, "line")
        with self._searching(question):
            return self._solve(position, seconds, nodes, line and question == QUESTIONS[0])

    def analyse(self, position: Playable | str, limits: Limits | None = None) -> Analysis[Any, Any]:
        """Return every legal move with its value, best first; limits hold for all moves together.

        Raises:
            ParseError, OptionError, MemoryError, GamecoreError: as for :meth:`solve`.
        """
        seconds, nodes = self._limits(limits)
        position = self._read(position)
        with self._searching():
            return self._analyse(position, seconds, nodes)

    def _analyse(self, position: Any, seconds: float, nodes: int) -> Analysis[Any, Any]:
        begun = time.perf_counter()
        solutions = search_moves(position, seconds, nodes, self._search)
        values = [self._value_of(move, solution) for move, solution in solutions.items()]
        searched = sum(solution.nodes for solution in solutions.values())
        return self._analysis(position, values, searched, time.perf_counter() - begun)

    def refine(self, position: Playable | str) -> Refinement:
        """Return an analysis that continues in steps, in this solver's table.

        Raises:
            ParseError: a bad text. OptionError: neither a position nor a text.
        """
        return _MoveByMove(self, self._read(position))

    def _limits(self, limits: Limits | None) -> tuple[float, int]:
        limits = limits_of(limits)
        if limits.table_mb is not None:
            raise OptionError("limits: a Solver has its table already; table_mb is an option of the Solver")
        return limits.for_kernel(self.default_table_mb)[:2]

    @contextlib.contextmanager
    def _searching(self, question: str = "distance") -> Iterator[None]:
        """Hold the table; what follows is asked this question."""
        if not self._lock.acquire(blocking=False):
            raise GamecoreError("this Solver is searching: it takes one caller at a time")
        try:
            if self._closed:
                raise GamecoreError("this Solver is closed")
            self._question = question
            yield
        finally:
            try:
                if is_cancelled():
                    self._solver = None  # a stopped kernel may stay stopped
            finally:
                self._lock.release()

    def _search_in_threads(
        self, solution: Found, position: Any, seconds: float, nodes: int, line: bool, threads: int
    ) -> Found:
        """Continue a search that one thread began, in legs: a leg ends when the table must grow."""
        begun = time.perf_counter() - solution.seconds
        while not is_cancelled():
            left = -1.0 if seconds < 0 else max(0.0, seconds - (time.perf_counter() - begun))
            share = (nodes - solution.nodes) // threads
            if left == 0 or (nodes and share <= 0):
                break
            what = position, left, share if nodes else 0, line
            solutions = [solution]
            helpers, self._shares = self._share(threads, left, what[2]), True
            with beside([functools.partial(self._help, kernel, what, solutions) for kernel in helpers]):
                later = self._search(*what)
            everything = (later, *solutions)
            sums = {name: sum(getattr(part, name) for part in everything) for name in self._counts}
            tighter = min(later, solution, key=lambda part: part.upper - part.lower)
            solution = replace(tighter, table_bytes=later.table_bytes, **sums)
            if not self._solver.full or self._is_done(solution, position, line):
                break
        return replace(solution, seconds=time.perf_counter() - begun)

    def _help(self, kernel: Any, what: tuple[Any, ...], solutions: list[Any]) -> None:
        """Search in another thread, by a kernel on the same table; without memory, the others go on alone."""
        with contextlib.suppress(MemoryError):
            solutions.append(self._of_one(0, kernel, self._question)._search(*what))


def check_question(question: object) -> None:
    """Raise OptionError unless ``question`` is ``"distance"`` or ``"outcome"``."""
    if not is_word(question, QUESTIONS):
        raise OptionError(f"question must be one of {', '.join(QUESTIONS)}, not {printable(question)}", "question")


def solve_once(
    kind: type[Solver[Found]],
    position: Playable | str,
    limits: Limits | None,
    line: bool,
    threads: int,
    shares: bool = True,
    question: str = "distance",
    run: Callable[..., Found] | None = None,
) -> Found:
    """Solve a position in a table of its own: the ``solve`` of a game whose solver is ``kind``.

    ``shares`` is False if the kernel's threads cannot share a table: then one thread searches. ``run`` is called with
    the solver and the arguments of its ``_solve``; None: that is called.
    """
    check_threads(threads)
    if question is not QUESTIONS[0]:  # saves a call
        check_question(question)
    if line is not True and line is not False:
        line = checked_flag(line, "line")
    seconds, nodes, table_bytes = limits_of(limits).for_kernel(kind.default_table_mb)
    position = kind._read(position)
    solver = kind._of_one(table_bytes, None, question)
    return (run or kind._solve)(solver, position, seconds, nodes, line, threads if shares else 1)


def analyse_once(kind: type[Solver[Any]], position: Playable | str, limits: Limits | None) -> Any:
    """Analyse a position in a table of its own: the ``analyse`` of a game with a :class:`Solver`."""
    position = kind._read(position)
    seconds, nodes, table_bytes = limits_of(limits).for_kernel(kind.default_table_mb)
    return kind._of_one(table_bytes)._analyse(position, seconds, nodes)


def search_moves(
    position: Playable, seconds: float, nodes: int, search: Callable[[Any, float, int, bool], Found]
) -> dict[str, Found]:
    """Search the position after each legal move, within limits for all of them together, as kernels take them.

    ``search`` is called with a position, its seconds and nodes, and False: no line is wanted.
    """
    begun, searched, solutions = time.perf_counter(), 0, {}
    for move in position.legal_moves():
        left = seconds if seconds < 0 else max(0.0, seconds - (time.perf_counter() - begun))
        share = (0.0, 0) if 0 < nodes <= searched else (left, nodes and nodes - searched)
        solutions[move] = search(position.play(move), *share, False)
        searched += solutions[move].nodes
    return solutions


class _MoveByMove(Refinement):
    """An analysis in a solver's table."""

    def __init__(self, solver: Solver[Any], position: Playable) -> None:
        super().__init__(position)
        self._solver = solver
        self._values: dict[str, MoveValue[float]] = {}

    def step(self, seconds: float) -> Analysis[Any, Any]:
        solver, values, end = self._solver, self._values, time.perf_counter() + seconds
        moves = [move for move in self.position.legal_moves() if move not in values or not values[move].exact]
        with solver._searching():
            for place, move in enumerate(moves):
                if is_cancelled() and move in values:
                    continue
                share = (end - time.perf_counter()) / (len(moves) - place)  # what others leave, too
                after = solver._search(self.position.play(move), max(_SHORTEST, share), 0, False)
                self.nodes += after.nodes
                value = solver._value_of(move, after)
                before = values.get(move, value)
                lower, upper = max(before.lower, value.lower), min(before.upper, value.upper)
                check_bounds(lower, upper, self.position)
                values[move] = MoveValue(lower, upper, move)
            self.table_bytes = solver.table_bytes
            return solver._analysis(self.position, values.values(), self.nodes, self.seconds)

    def line(self, move: str, seconds: float) -> Sequence[str]:
        if move not in self._values or not self._values[move].exact or is_cancelled():
            return ()
        end = self.position.play(move)
        with self._solver._searching():
            solution = self._solver._search(end, seconds, 0, True)
        self.nodes += solution.nodes
        for later in solution.line:
            end = end.play(later)
        return (move, *solution.line) if end.is_over else ()
