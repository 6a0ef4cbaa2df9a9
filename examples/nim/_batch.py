"""Many positions of Nim at once, over threads or any executor."""

import functools
from collections.abc import Iterable, Iterator
from typing import Any

from gamecore import batch
from gamecore.batch._list import SolutionList
from gamecore.batch._stream import flattened, gather
from gamecore.batch._tasks import each_part
from gamecore.limits import Limits, limits_of
from nim._position import Position
from nim._solve import Solution, solve


class Solutions(SolutionList[Solution]):
    """The answers of ``solve_many``."""

    __slots__ = ()


def solve_many(positions: Iterable[Position | str], limits: Limits | None = None, **plan: Any) -> Solutions:
    """Solve each position by itself, in order; ``plan``: see :class:`gamecore.batch.Plan`."""
    return gather(_parts(positions, limits, plan), Solutions.of)


def solve_iter(positions: Iterable[Position | str], limits: Limits | None = None, **plan: Any) -> Iterator[Solution]:
    """The same one by one, as they come."""
    return flattened(_parts(positions, limits, plan), lambda part: part.result)


def _parts(positions: Iterable[Position | str], limits: Limits | None, plan: dict[str, Any]) -> Any:
    task = functools.partial(solve, limits=limits_of(limits))
    return each_part(task, positions, batch.Plan(**plan), name="positions")
