"""One table over many positions: :class:`Solver`, and its analysis in steps."""

import contextlib
import threading
import time
from collections.abc import Iterator
from typing import Any, ClassVar, Final, Generic, Self

from gamecore.batch.workers import is_cancelled
from gamecore.contract import Playable
from gamecore.errors import GamecoreError, OptionError
from gamecore.limits import Limits, limits_of
from gamecore.search._refine import Refinement
from gamecore.search._search import A, P, S, Search, check_question
from gamecore.text import checked_flag

_SHORTEST: Final = 0.001  # seconds of a search in a step


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
        check_question(self.kind, question)
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
