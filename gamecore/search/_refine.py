"""Analyses that continue in steps: the page and ``play`` show them while they tighten."""

import time
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar, Final

from gamecore.batch.workers import is_cancelled
from gamecore.contract import Analysis, MoveValue, Playable
from gamecore.limits import Limits

if TYPE_CHECKING:
    from gamecore.game import Game

_FIRST_STEP: Final = 0.025  # seconds


class Refinement(ABC):
    """Every legal move of a position with bounds that tighten with each :meth:`step`.

    Attributes:
        position: the position.
        nodes: positions searched so far.
        table_bytes: memory of the table in bytes, if one is kept.
        longest_step: seconds of the longest step of :meth:`steps`.
    """

    longest_step: ClassVar[float] = 1.0

    def __init__(self, position: Playable) -> None:
        self.position = position
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
    def line(self, move: str, seconds: float) -> Sequence[str]:
        """Return the move and best play after it; empty if it is not known in time."""

    def steps(self, seconds: float) -> Iterator[Analysis[MoveValue[float], object]]:
        """Yield what is proven after each of several growing steps, until all is exact or the time is over."""
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
    """The default analysis in steps: each step analyses again, with more time, and keeps the tighter bounds.

    Args:
        game, position: a game and a position of it.
        table_mb: most memory for the table in MiB; None: the game's default.
        options: of the game's ``analyse`` and ``solve``.
    """

    longest_step: ClassVar[float] = float("inf")  # a search that restarts needs growing steps

    def __init__(self, game: "Game", position: Playable, table_mb: float | None = None, **options: object) -> None:
        super().__init__(position)
        self._game, self._table_mb, self._options = game, table_mb, options
        self._tightest: dict[str, MoveValue[float]] = {}

    def step(self, seconds: float) -> Analysis[MoveValue[float], object]:
        """Search again. See :meth:`Refinement.step`."""
        limits, order = Limits(seconds=seconds, table_mb=self._table_mb), self._game.words.order
        analysis = self._game.analyse(self.position, limits, **self._options)
        self.nodes += analysis.nodes
        for entry in analysis:
            before = self._tightest.get(entry.move, entry)
            self._tightest[entry.move] = min(entry, before, key=lambda bounds: bounds.upper - bounds.lower)
        moves = sorted(self._tightest.values(), key=lambda entry: order(entry, self.position), reverse=True)
        return replace(analysis, moves=tuple(moves), nodes=self.nodes, seconds=self.seconds)

    def line(self, move: str, seconds: float) -> Sequence[str]:
        """See :meth:`Refinement.line`."""
        after = self.position.play(move)
        solution = self._game.solve(after, Limits(seconds=seconds, table_mb=self._table_mb), **self._options)
        self.nodes += solution.nodes
        return (move, *solution.line) if solution.exact and (solution.line or after.is_over) else ()
