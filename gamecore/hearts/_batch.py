"""Many rounds at once, over threads or any ``concurrent.futures.Executor``."""

import functools
from collections.abc import Iterable, Iterator
from concurrent.futures import Executor

import numpy as np
from numpy.typing import NDArray

from gamecore.batch._deadline import Shares
from gamecore.batch._list import SolutionList
from gamecore.batch._plan import OnError, Plan, Progress
from gamecore.batch._stream import Parts, flattened, gather
from gamecore.batch._tasks import each_part
from gamecore.hearts._position import Round
from gamecore.hearts._solve import Method, Solution, _judged_by, solve
from gamecore.limits import Limits


class Solutions(SolutionList[Solution]):
    """What :func:`solve_many` found: a sequence of :class:`Solution` with columns.

    Values are minus the points of the seat to move, as in :class:`Solution`.
    """

    __slots__ = ()

    @property
    def to_move(self) -> NDArray[np.int64]:
        """(n,) int64: the seats whose values they are."""
        return self._column("to_move")


def solve_many(
    positions: Iterable[Round | str],
    limits: Limits | None = None,
    method: Method = "both",
    *,
    line: bool = True,
    workers: int | None = 1,
    executor: Executor | None = None,
    progress: Progress = None,
    on_error: OnError = "raise",
) -> Solutions:
    """Perfect information: :func:`solve` for each of many rounds, in order.

    Args:
        positions: any iterable of rounds in play, or of their notations.
        limits, method, line: as for :func:`solve`; limits hold for each round by itself, a deadline for all of
            them.
        workers, executor, progress, on_error: see :class:`gamecore.batch.Plan`. Results do not depend on them.

    Raises:
        OptionError: bad limits, method or options.
        BatchError: a round that cannot be solved (the message names its index), an executor that died; ``done`` has
            the solutions before.
    """
    return gather(_parts(positions, limits, method, line, Plan(workers, executor, progress, on_error)), Solutions.of)


def solve_iter(
    positions: Iterable[Round | str],
    limits: Limits | None = None,
    method: Method = "both",
    *,
    line: bool = True,
    workers: int | None = 1,
    executor: Executor | None = None,
    progress: Progress = None,
    on_error: OnError = "raise",
) -> Iterator[Solution]:
    """The same as :func:`solve_many`, one by one as they come: of endless input, only a few chunks are held.

    Raises:
        OptionError, BatchError: as for :func:`solve_many`.
    """
    parts = _parts(positions, limits, method, line, Plan(workers, executor, progress, on_error))
    return flattened(parts, lambda part: part.result)


def _parts(positions: Iterable[Round | str], limits: Limits | None, method: Method, line: bool, plan: Plan) -> Parts:
    _judged_by(method)  # a wrong one is refused before anything is read
    task, shares = functools.partial(solve, method=method, line=line), Shares.of(limits, plan)
    if shares is None:
        task = functools.partial(task, limits=limits)
    return each_part(task, positions, plan, name="positions", shares=shares)
