"""Many rounds at once, over threads or any ``concurrent.futures.Executor``."""

from collections.abc import Iterable
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from gamecore.batch.columns import SolutionList
from gamecore.batch.plan import Plan
from gamecore.batch.spec import Batch
from gamecore.batch.stream import Parts
from gamecore.hearts._solve import Solution, check_method, solve
from gamecore.limits import Limits


class Solutions(SolutionList[Solution]):
    """Result of :func:`solve_many`: a sequence of :class:`Solution` with columns.

    Values are minus the points of the seat to move, as in :class:`Solution`.
    """

    __slots__ = ()

    @property
    def to_move(self) -> NDArray[np.int64]:
        """(n,) int64: the seats to move, whose values these are."""
        return self._column("to_move")


class _Rounds(Batch[Solutions]):
    """Batches of rounds."""

    def parts(
        self, positions: Iterable[Any], limits: Limits | None, plan: Plan, total: int | None = None, **options: Any
    ) -> Parts:
        check_method(options.get("method", "both"))  # refuse a wrong method before reading any position
        return super().parts(positions, limits, plan, total, **options)


BATCH: Final = _Rounds(solve, Solutions.of)
solve_many = BATCH.solve_many  #: many positions at once, see [gamecore.batch.spec.Batch.solve_many][]
solve_iter = BATCH.solve_iter  #: the same, one by one, see [gamecore.batch.spec.Batch.solve_iter][]
