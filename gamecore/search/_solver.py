"""One table over many positions: :class:`Solver`, and its analysis in steps."""

import contextlib
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, ClassVar, Generic, Self, TypeVar

from gamecore.batch.workers import is_cancelled
from gamecore.contract import Analysis, MoveValue, Solution
from gamecore.errors import GamecoreError, InternalError, OptionError
from gamecore.limits import Limits, limits_of
from gamecore.search._refine import Refinement
from gamecore.search.threads import portions

Found = TypeVar("Found", bound=Solution[Any, Any])


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
    _solver: Any = None  # the kernel's search, which holds the table

    def __init__(self, table_mb: float | None = None) -> None:
        self._table_bytes: int = Limits(table_mb=table_mb).for_kernel(self.default_table_mb).table_bytes
        self._lock = threading.Lock()
        self._closed = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Free the table. Searches after this raise a GamecoreError."""
        self._closed = True
        self._forget()

    @property
    def table_bytes(self) -> int:
        """Memory of the table in bytes."""
        return 0 if self._solver is None else self._solver.table_bytes

    def _forget(self) -> None:
        """Drop the table."""
        self._solver = None

    @staticmethod
    @abstractmethod
    def _read(item: Any) -> Any:
        """Return a position, parsing a text."""

    @abstractmethod
    def _search(self, position: Any, seconds: float, nodes: int, line: bool) -> Found:
        """Search a position within the kernel's limits."""

    @abstractmethod
    def _named(self, found: Found, position: Any, line: bool, hurry: bool) -> Found:
        """Add the best move so far if a limit was reached; ``hurry``: its time is limited."""

    def _value_of(self, move: str, after: Found) -> MoveValue[Any]:
        """Return the value of a move from the solution of the position after it."""
        return MoveValue(-after.upper, -after.lower, move)

    def _tighter(self, one: MoveValue[Any], two: MoveValue[Any]) -> MoveValue[Any]:
        """Return the bounds of a move that two searches prove together."""
        return MoveValue(max(one.lower, two.lower), min(one.upper, two.upper), one.move)

    @abstractmethod
    def _analysis(
        self, position: Any, known: Iterable[MoveValue[Any]], nodes: int, seconds: float
    ) -> Analysis[Any, Any]:
        """Make an analysis of moves."""

    def solve(self, position: Any, limits: Limits | None = None, *, line: bool = True) -> Found:
        """Solve a position exactly, or bound its value within limits, which have no ``table_mb``.

        Raises:
            ParseError: a bad text. OptionError: bad limits. MemoryError: no memory for the table.
            GamecoreError: the solver is closed, or searches in another thread.
        """
        seconds, nodes = self._limits(limits)
        position = self._read(position)
        with self._searching():
            solution = self._search(position, seconds, nodes, line)
            return self._named(solution, position, line, seconds >= 0)

    def analyse(self, position: Any, limits: Limits | None = None) -> Analysis[Any, Any]:
        """Return every legal move with its value, best first; limits hold for all moves together.

        Raises:
            ParseError, OptionError, MemoryError, GamecoreError: as for :meth:`solve`.
        """
        begun = time.perf_counter()
        seconds, nodes = self._limits(limits)
        position = self._read(position)
        with self._searching():
            solutions = search_moves(position, seconds, nodes, self._search)
            values = [self._value_of(move, solution) for move, solution in solutions.items()]
            searched = sum(solution.nodes for solution in solutions.values())
            return self._analysis(position, values, searched, time.perf_counter() - begun)

    def refine(self, position: Any) -> Refinement:
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
    def _searching(self) -> Iterator[None]:
        """Hold the table."""
        if not self._lock.acquire(blocking=False):
            raise GamecoreError("this Solver is searching: it takes one caller at a time")
        try:
            if self._closed:
                raise GamecoreError("this Solver is closed")
            yield
        finally:
            self._lock.release()
            if is_cancelled():  # a stopped kernel may stay stopped
                self._forget()


def search_moves(
    position: Any, seconds: float, nodes: int, search: Callable[[Any, float, int, bool], Found]
) -> dict[str, Found]:
    """Search the position after each legal move, within limits for all of them together.

    Args:
        position: a position.
        seconds, nodes: as kernels take them.
        search: called with a position, its seconds and nodes, and False: no line is wanted.
    """
    begun, searched, solutions = time.perf_counter(), 0, {}
    for move in position.legal_moves():
        left = seconds if seconds < 0 else max(0.0, seconds - (time.perf_counter() - begun))
        share = (0.0, 0) if 0 < nodes <= searched else (left, nodes and nodes - searched)
        solutions[move] = search(position.play(move), *share, False)
        searched += solutions[move].nodes
    return solutions


class _MoveByMove(Refinement):
    """Every legal move with bounds that tighten with each :meth:`step`."""

    def __init__(self, solver: Solver[Any], position: Any) -> None:
        super().__init__(position)
        self._solver = solver
        self._values: dict[str, MoveValue[Any]] = {}

    @property
    def table_bytes(self) -> int:
        """See :attr:`Refinement.table_bytes`."""
        return self._solver.table_bytes

    def step(self, seconds: float) -> Analysis[Any, Any]:
        """Search the open moves one after another. See :meth:`Refinement.step`."""
        solver, values = self._solver, self._values
        moves = [move for move in self.position.legal_moves() if move not in values or not values[move].exact]
        with solver._searching():
            for move, share in zip(moves, portions(seconds, len(moves)), strict=True):
                if is_cancelled() and move in values:
                    continue
                after = solver._search(self.position.play(move), share, 0, False)
                self.nodes += after.nodes
                value = solver._value_of(move, after)
                try:
                    values[move] = solver._tighter(values[move], value) if move in values else value
                except InternalError as error:
                    raise InternalError(f"{self.position.to_text()}, move {move}: {error}") from None
            return solver._analysis(self.position, values.values(), self.nodes, self.seconds)

    def line(self, move: str, seconds: float) -> Sequence[str]:
        """See :meth:`Refinement.line`; empty while the move's value is not exact."""
        if move not in self._values or not self._values[move].exact or is_cancelled():
            return ()
        end = self.position.play(move)
        with self._solver._searching():
            solution = self._solver._search(end, seconds, 0, True)
        self.nodes += solution.nodes
        for later in solution.line:
            end = end.play(later)
        return (move, *solution.line) if end.is_over else ()
