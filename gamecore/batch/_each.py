"""Batches of a function that solves one position: for games without a batch kernel."""

import functools
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

from gamecore.batch._deadline import Shares
from gamecore.batch._plan import Plan
from gamecore.batch._stream import Parts, flattened, gather
from gamecore.batch._tasks import each_part
from gamecore.limits import Limits, limits_of

if TYPE_CHECKING:
    from gamecore.batch._list import SolutionList


def solve_each(
    solve: Callable[..., Any], positions: Iterable[Any], limits: Limits | None = None, **plan: Any
) -> "SolutionList[Any]":
    """Return ``solve(position, limits)`` of every position, in order; ``plan``: see :class:`gamecore.batch.Plan`."""
    from gamecore.batch._list import SolutionList  # loads NumPy

    limits_of(limits)
    return gather(_parts(solve, positions, limits, plan), SolutionList.of)


def iter_each(
    solve: Callable[..., Any], positions: Iterable[Any], limits: Limits | None = None, **plan: Any
) -> Iterator[Any]:
    """Yield what :func:`solve_each` returns, one by one; it reads only a few positions ahead."""
    limits_of(limits)
    return flattened(_parts(solve, positions, limits, plan), lambda part: part.result)


def _parts(solve: Callable[..., Any], positions: Iterable[Any], limits: Limits | None, plan: dict[str, Any]) -> Parts:
    options = Plan(**plan)
    shares = Shares.of(limits, options)
    task = solve if shares is not None else functools.partial(solve, limits=limits)
    return each_part(task, positions, options, name="positions", shares=shares)
