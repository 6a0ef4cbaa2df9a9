"""Analyses that continue in steps: the page and ``play`` show them while they tighten."""

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any, ClassVar, Final

from gamecore.batch.workers import is_cancelled
from gamecore.contract import Analysis, MoveValue, Playable, Solution
from gamecore.limits import Limits

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
        position: a position.
        analyse, solve: the game's, called with a position and limits.
        order: called with a move's bounds and the position; moves of larger order are better.
        table_mb: most memory for the table in MiB; None: the game's default.
    """

    longest_step: ClassVar[float] = float("inf")  # a search that restarts needs growing steps

    def __init__(
        self,
        position: Playable,
        analyse: Callable[[Any, Limits], Analysis[MoveValue[float], object]],
        solve: Callable[[Any, Limits], Solution[float, object]],
        order: Callable[[MoveValue[float], Any], Any],
        table_mb: float | None = None,
    ) -> None:
        super().__init__(position)
        self._analyse, self._solve, self._order, self._table_mb = analyse, solve, order, table_mb
        self._tightest: dict[str, MoveValue[float]] = {}

    def step(self, seconds: float) -> Analysis[MoveValue[float], object]:
        """Search again. See :meth:`Refinement.step`."""
        analysis = self._analyse(self.position, Limits(seconds=seconds, table_mb=self._table_mb))
        self.nodes += analysis.nodes
        for entry in analysis:
            before = self._tightest.get(entry.move, entry)
            self._tightest[entry.move] = min(entry, before, key=lambda bounds: bounds.upper - bounds.lower)
        moves = sorted(self._tightest.values(), key=lambda entry: self._order(entry, self.position), reverse=True)
        return replace(analysis, moves=tuple(moves), nodes=self.nodes, seconds=self.seconds)

    def line(self, move: str, seconds: float) -> Sequence[str]:
        """See :meth:`Refinement.line`."""
        after = self.position.play(move)
        solution = self._solve(after, Limits(seconds=seconds, table_mb=self._table_mb))
        self.nodes += solution.nodes
        return (move, *solution.line) if solution.exact and (solution.line or after.is_over) else ()
