"""Analyses that continue in steps: the page and ``play`` show them while they tighten."""

import time
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar, Final

from gamecore.batch.workers import is_cancelled
from gamecore.contract import Analysis, MoveValue, Playable, Solution, check_bounds
from gamecore.limits import Limits

if TYPE_CHECKING:
    from gamecore.game import Game

_FIRST_STEP: Final = 0.025  # seconds


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
