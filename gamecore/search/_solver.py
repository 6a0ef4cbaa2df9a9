"""One table over many positions: :class:`Solver`; analyses in steps, which the page and ``play`` show meanwhile."""

import contextlib
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar, Final, Generic, Self

from gamecore.batch.workers import is_cancelled
from gamecore.contract import Analysis, MoveValue, Playable, Solution, check_bounds
from gamecore.errors import GamecoreError, OptionError
from gamecore.limits import Limits, limits_of
from gamecore.search._search import A, P, S, Search
from gamecore.text import checked_flag, checked_word, printable

if TYPE_CHECKING:
    from gamecore.game import Game

_FIRST_STEP: Final = 0.025  # seconds
_SHORTEST: Final = 0.001  # seconds of a search in a step


class Refinement(ABC):
    """Every legal move of a position with bounds that tighten with each :meth:`step`.

    Attributes:
        position: the position.
        values: the tightest bounds so far, by move.
        nodes: positions searched so far.
        table_bytes: memory of the table in bytes, if one is kept.
        longest_step: seconds of the longest step of :meth:`steps`.
    """

    longest_step: ClassVar[float] = 1.0

    def __init__(self, position: Playable) -> None:
        self.position = position
        self.values: dict[str, MoveValue[float]] = {}
        self.nodes = self.table_bytes = 0
        self._begun = time.perf_counter()

    @property
    def seconds(self) -> float:
        """Wall-clock time since the analysis was made."""
        return time.perf_counter() - self._begun

    @abstractmethod
    def step(self, seconds: float) -> Analysis[MoveValue[float], object]:
        """Search for about this many seconds. Return what is proven so far."""

    @abstractmethod
    def solve(self, position: Playable, seconds: float) -> Solution[float, object]:
        """Solve a position after a move, with its line."""

    def tighten(self, entry: MoveValue[float]) -> None:
        """Add what a search proved of a move to what is known."""
        before = self.values.get(entry.move, entry)
        lower, upper = max(before.lower, entry.lower), min(before.upper, entry.upper)
        check_bounds(lower, upper, self.position)
        narrower = min(entry, before, key=lambda bounds: bounds.upper - bounds.lower)
        self.values[entry.move] = replace(narrower, lower=lower, upper=upper)

    def line(self, move: str, seconds: float) -> Sequence[str]:
        """Return the move and best play after it; empty if its value is not known, or the line not in time."""
        if move not in self.values or not self.values[move].exact or is_cancelled():
            return ()
        end = self.position.play(move)
        solution = self.solve(end, seconds)
        self.nodes += solution.nodes
        for later in solution.line:
            end = end.play(later)
        return (move, *solution.line) if end.is_over else ()

    def steps(self, seconds: float) -> Iterator[Analysis[MoveValue[float], object]]:
        """Yield what is proven after each of several growing steps, until all is exact or the time is over."""
        if not seconds >= 0:
            raise OptionError(f"seconds must be at least 0, not {printable(seconds)}", "seconds")
        deadline, step = time.perf_counter() + seconds, _FIRST_STEP
        while True:
            analysis = self.step(max(0.0, min(step, deadline - time.perf_counter())))
            yield analysis
            if analysis.exact or time.perf_counter() >= deadline or is_cancelled():
                return
            step = min(2 * step, self.longest_step)

    def run(self, seconds: float) -> Analysis[MoveValue[float], object]:
        """Return what is proven after this many seconds."""
        *_, analysis = self.steps(seconds)
        return analysis


class Repeated(Refinement):
    """The default analysis in steps: each step analyses again, with more time.

    Args:
        game, position: a game and a position of it.
        table_mb: most memory for the table in MiB; None: the game's default.
        options: of the game's ``analyse`` and ``solve``.
    """

    longest_step: ClassVar[float] = float("inf")  # a search that restarts needs growing steps

    def __init__(self, game: "Game", position: Playable, table_mb: float | None = None, **options: object) -> None:
        super().__init__(position)
        self._game, self._table_mb, self._options = game, table_mb, options

    def step(self, seconds: float) -> Analysis[MoveValue[float], object]:
        """See :meth:`Refinement.step`."""
        limits, order = Limits(seconds=seconds, table_mb=self._table_mb), self._game.words.order
        analysis = self._game.analyse(self.position, limits, **self._options)
        self.nodes += analysis.nodes
        for entry in analysis:
            self.tighten(entry)
        moves = sorted(self.values.values(), key=lambda entry: order(entry, self.position), reverse=True)
        return replace(analysis, moves=tuple(moves), nodes=self.nodes, seconds=self.seconds)

    def solve(self, position: Playable, seconds: float) -> Solution[float, object]:
        """See :meth:`Refinement.solve`."""
        return self._game.solve(position, Limits(seconds=seconds, table_mb=self._table_mb), **self._options)


class Solver(Generic[P, S, A]):
    """Searches that share one table: positions of one game, solved one after another, take fewer nodes.

    Exact answers are those of the package's ``solve`` and ``analyse``; ``nodes`` and bounds under limits depend on what
    the table holds. One caller at a time.

    Args:
        table_mb: most memory for the table, in MiB; None: the game's default.

    Raises:
        OptionError: a bad ``table_mb``.
    """

    kind: ClassVar[type[Search[Any, Any, Any]]]  #: of the game's searches

    def __init__(self, table_mb: float | None = None) -> None:
        table_bytes = Limits(table_mb=table_mb).for_kernel(self.kind.default_table_mb).table_bytes
        self._search: Search[P, S, A] = self.kind(table_bytes, is_kept=True)
        self._lock, self._closed = threading.Lock(), False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Free the table. Searches after this raise a GamecoreError."""
        self._closed, self._search.kernel = True, None

    @property
    def table_bytes(self) -> int:
        """Memory of the table in bytes."""
        return 0 if self._search.kernel is None else self._search.kernel.table_bytes

    def solve(
        self, position: P | str, limits: Limits | None = None, *, line: bool = True, question: str = "distance"
    ) -> S:
        """Solve a position exactly, or bound its value within limits, which have no ``table_mb``.

        Args:
            position, limits, line: as for the package's ``solve``.
            question: ``"distance"``, the value; in games whose ``solve`` has it, also ``"outcome"``.

        Raises:
            ParseError: a bad text. OptionError: bad limits, another question. MemoryError: no memory for the table.
            GamecoreError: the solver is closed, or searches in another thread.
        """
        checked_word(question, "question", self.kind.questions)
        (seconds, nodes), line = _limits(limits), checked_flag(line, "line")
        position = self._search.read(position)
        with self.searching(question) as search:
            return search.solve(position, seconds, nodes, line and question == "distance")

    def analyse(self, position: P | str, limits: Limits | None = None) -> A:
        """Return every legal move with its value, best first; limits hold for all moves together.

        Raises:
            ParseError, OptionError, MemoryError, GamecoreError: as for :meth:`solve`.
        """
        (seconds, nodes), position = _limits(limits), self._search.read(position)
        with self.searching() as search:
            return search.analyse(position, seconds, nodes)

    def refine(self, position: P | str) -> Refinement:
        """Return an analysis that continues in steps, in this solver's table.

        Raises:
            ParseError: a bad text. OptionError: neither a position nor a text.
        """
        return _InTable(self, self._search.read(position))

    @contextlib.contextmanager
    def searching(self, question: str = "distance") -> Iterator[Search[P, S, A]]:
        """Hold the table; yield the search, which is asked this question."""
        if not self._lock.acquire(blocking=False):
            raise GamecoreError("this Solver is searching: it takes one caller at a time")
        try:
            if self._closed:
                raise GamecoreError("this Solver is closed")
            self._search.question = question
            yield self._search
        finally:
            try:
                if is_cancelled():
                    self._search.kernel = None  # a stopped kernel may stay stopped
            finally:
                self._lock.release()


def _limits(limits: Limits | None) -> tuple[float, int]:
    limits = limits_of(limits)
    if limits.table_mb is not None:
        raise OptionError("limits: a Solver has its table already; table_mb is an option of the Solver")
    return limits.for_kernel(1)[:2]


class _InTable(Refinement):
    """An analysis in a solver's table: moves that are not known yet share the time of a step."""

    def __init__(self, solver: Solver[Any, Any, Any], position: Playable) -> None:
        super().__init__(position)
        self._solver = solver

    def step(self, seconds: float) -> Any:
        values, end = self.values, time.perf_counter() + seconds
        moves = [move for move in self.position.legal_moves() if move not in values or not values[move].exact]
        with self._solver.searching() as search:
            for index, move in enumerate(moves):
                if is_cancelled() and move in values:
                    continue
                share = (end - time.perf_counter()) / (len(moves) - index)  # what others leave, too
                after = search.search(self.position.play(move), max(_SHORTEST, share), 0, False)
                self.nodes += after.nodes
                self.tighten(search.value_of(move, after))
            self.table_bytes = self._solver.table_bytes
            return search.analysis(self.position, values.values(), self.nodes, self.seconds)

    def solve(self, position: Playable, seconds: float) -> Any:
        with self._solver.searching() as search:
            return search.search(position, seconds, 0, True)
