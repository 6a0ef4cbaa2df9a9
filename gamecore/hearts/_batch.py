"""Many rounds at once, over threads or any ``concurrent.futures.Executor``: solved, or played."""

import functools
from collections.abc import Iterable, Iterator
from concurrent.futures import Executor
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gamecore import batch
from gamecore.batch import Chunk, OnError, Plan, Progress
from gamecore.text import printable
from gamecore.errors import OptionError
from gamecore.hearts._players import BuiltIn
from gamecore.hearts._position import Round
from gamecore.hearts._rules import kernel
from gamecore.hearts._evaluate import METHODS, OpenSolution, solve
from gamecore.limits import Limits


def solve_many(
    rounds: Iterable[Round],
    limits: Limits | None = None,
    method: str = "both",
    *,
    workers: int | None = 1,
    executor: Executor | None = None,
    progress: Progress = None,
    on_error: OnError = "raise",
) -> list[OpenSolution]:
    """Perfect information: :func:`solve` for each of many rounds, in order.

    Args:
        rounds: any iterable of rounds in play. limits, method: as for :func:`solve`; limits hold for each by itself.
        workers, executor, progress, on_error: see :class:`gamecore.batch.Plan`. Results do not depend on them.

    Raises:
        OptionError: bad limits, method or options.
        BatchError: a round that cannot be solved (the message names its index), an executor that died; ``done`` has
            the solutions before.
    """
    parts = _parts(rounds, limits, method, Plan(workers, executor, progress, on_error))
    return batch.gather(parts, lambda found: [answer for part in found for answer in part.result])


def solve_iter(
    rounds: Iterable[Round],
    limits: Limits | None = None,
    method: str = "both",
    *,
    workers: int | None = 1,
    executor: Executor | None = None,
    progress: Progress = None,
    on_error: OnError = "raise",
) -> Iterator[OpenSolution]:
    """The same as :func:`solve_many`, one by one as they come: of endless input, only a few chunks are held.

    Raises:
        OptionError, BatchError: as for :func:`solve_many`.
    """
    parts = _parts(rounds, limits, method, Plan(workers, executor, progress, on_error))
    return batch.flattened(parts, lambda part: part.result)


def _parts(rounds: Iterable[Round], limits: Limits | None, method: str, plan: Plan) -> batch.Parts:
    if method not in METHODS:
        raise OptionError(f"method has to be one of {', '.join(METHODS)}, not {printable(method)}")
    return batch.each_part(functools.partial(solve, limits=limits, method=method), rounds, plan, name="rounds")


# --- playing ---------------------------------------------------------------------------------------------------------

_MOST = 1 << 20  # rounds in a task: 4 MiB of points to send back


class Numbers:
    """The rounds of a simulation as a batch's source: a chunk is the number of its first round, and how many."""

    def __init__(self, rounds: int) -> None:
        """From round 0."""
        self.total: int | None = rounds
        self.failure: Exception | None = None
        self._rounds, self._at = rounds, 0

    def take(self, count: int) -> Chunk | None:
        """The next rounds."""
        count = min(count, self._rounds - self._at)
        if not count:
            return None
        self._at += count
        return Chunk(count, (self._at - count, count), {})


Played = tuple[NDArray[np.int8], NDArray[np.int64]]


def fill(
    points: NDArray[np.int8],
    first: int,
    specs: tuple[Any, ...],
    seed: int,
    flags: int,
    directions: bytes,
    stop: NDArray[np.int32],
    seconds: float,
    decisions: NDArray[np.int64],
) -> int:
    """Play rounds from the ``first`` into ``points``, until ``stop`` or so many seconds: how many were played."""
    if all(spec[0] == 0 for spec in specs):  # random: a kernel of its own
        return kernel.run_random(points, seed, first, flags, directions, stop, seconds)
    return kernel.run(points, seed, first, flags, specs, directions, stop, seconds, decisions)


def play(specs: tuple[Any, ...], seed: int, flags: int, directions: bytes, payload: tuple[int, int]) -> Played:
    """The task of a simulation: points and decisions of rounds among built-in players."""
    first, count = payload
    points, decisions, stop = np.empty((count, 4), np.int8), np.zeros(4, np.int64), np.zeros(1, np.int32)
    fill(points, first, specs, seed, flags, directions, stop, -1.0, decisions)
    return points, decisions


def played(
    table: tuple[BuiltIn, ...], rounds: int, seed: int, flags: int, directions: bytes, executor: Executor
) -> Iterator[tuple[int, Played]]:
    """The rounds of a simulation on an executor: the number of the first of each chunk, and what was played.

    Raises:
        BatchError: the executor died.
    """
    task = functools.partial(play, tuple(one.numbers for one in table), seed, flags, directions)
    searches = any(one.playouts or one.name == "intelligent" for one in table)
    random = all(one.name == "random" for one in table)
    first = 1 if searches else 1 << 16 if random else 1 << 10
    plan = Plan(executor=executor, progress=False)
    for part in batch.stream(task, Numbers(rounds), plan, name="rounds", first=first, most=_MOST):
        yield part.start, part.result
