"""Analyses that continue in steps: the page and ``play`` show them while they tighten."""

import time
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar, Final

from gamecore.contract import Analysis, MoveValue
from gamecore.limits import Limits

if TYPE_CHECKING:
    from gamecore.game import Game

_FIRST_STEP: Final = 0.025  # seconds


class Refinement(ABC):
    """Every legal move of a position with bounds that tighten with each :meth:`step`.

    Attributes:
        position: the position.
        nodes: positions searched so far.
        longest_step: seconds of the longest step of :meth:`steps`.
    """

    longest_step: ClassVar[float] = 1.0

    def __init__(self, position: Any) -> None:
        self.position = position
        self.nodes = 0
        self._begun = time.perf_counter()

    @property
    def table_bytes(self) -> int:
        """Memory of the table in bytes."""
        return 0

    @property
    def seconds(self) -> float:
        """Wall-clock time since the analysis was made."""
        return time.perf_counter() - self._begun

    @abstractmethod
    def step(self, seconds: float) -> Analysis[Any, Any]:
        """Search for about this many seconds. Return what is proven so far."""

    @abstractmethod
    def line(self, move: str, seconds: float) -> Sequence[str]:
        """Return the move and best play after it; empty if it is not known in time."""

    def steps(self, seconds: float) -> Iterator[Analysis[Any, Any]]:
        """Yield what is proven after each of several growing steps, until all is exact or the time is over."""
        from gamecore.batch import is_cancelled

        deadline, step = time.perf_counter() + seconds, _FIRST_STEP
        while True:
            analysis = self.step(max(0.0, min(step, deadline - time.perf_counter())))
            yield analysis
            if analysis.exact or time.perf_counter() >= deadline or is_cancelled():
                return
            step = min(2 * step, self.longest_step)

    def run(self, seconds: float) -> Analysis[Any, Any]:
        """Return what is proven after this many seconds."""
        *_, analysis = self.steps(seconds)
        return analysis


class Repeated(Refinement):
    """The default analysis in steps: each step runs ``game.analyse`` again, with more time, and keeps tighter bounds.

    Args:
        game: the game.
        position: a position of it.
        table_mb: most memory for the table in MiB; None: the game's default.
    """

    longest_step: ClassVar[float] = float("inf")  # a search that restarts needs growing steps

    def __init__(self, game: "Game", position: Any, table_mb: float | None = None) -> None:
        super().__init__(position)
        self._game, self._table_mb = game, table_mb
        self._known: dict[str, MoveValue[Any]] = {}

    def analyse(self, limits: Limits) -> Analysis[Any, Any]:
        """Return the moves' bounds from a new search."""
        return self._game.analyse(self.position, limits)

    def step(self, seconds: float) -> Analysis[Any, Any]:
        """Search again. See :meth:`Refinement.step`."""
        found = self.analyse(Limits(seconds=seconds, table_mb=self._table_mb))
        self.nodes += found.nodes
        for entry in found:
            known = self._known.get(entry.move, entry)
            self._known[entry.move] = entry if entry.upper - entry.lower <= known.upper - known.lower else known
        moves = sorted(self._known.values(), key=lambda one: self._game.words.order(one, self.position), reverse=True)
        return replace(found, moves=tuple(moves), nodes=self.nodes, seconds=self.seconds)

    def line(self, move: str, seconds: float) -> Sequence[str]:
        """See :meth:`Refinement.line`."""
        after = self.position.play(move)
        found = self._game.solve(after, Limits(seconds=seconds, table_mb=self._table_mb))
        self.nodes += found.nodes
        return (move, *found.line) if found.exact and (found.line or after.is_over) else ()
