"""A batch's options (:class:`Plan`), each position's limits (:class:`Shares`), the size of chunks (:class:`Sizer`)."""

import contextlib
import itertools
import math
import os
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from typing import Any, Final, Literal, TypeAlias

from gamecore.errors import OptionError
from gamecore.limits import Limits, limits_of
from gamecore.text import printable

Progress: TypeAlias = bool | Callable[[int, Any], object] | None
OnError: TypeAlias = Literal["raise", "return"]

MAX_WORKERS: Final = 1024
TARGET_SECONDS: Final = 0.4  #: of a task
_GROWTH: Final = 8  # largest growth of a chunk, relative to the largest timed chunk
_SHORTEST: Final = 0.02, 0.1  # seconds of a chunk near the end: in threads, on executors
_SHORTEST_PORTION: Final = 0.001  # seconds


@dataclass(frozen=True)
class Plan:
    """The options of all batches.

    Attributes:
        workers: threads; None: one for each core that this process may use. Ignored with an executor. If the system
            refuses threads, fewer are used.
        executor: anything with the ``submit`` of a ``concurrent.futures.Executor``.
        progress: None or True: a bar with rate and time left where stderr is a terminal; False: none; or a function
            that is called with (items done, items or None) after each chunk.
        on_error: ``"raise"``: the first bad item ends the batch; ``"return"``: its exception is its answer.

    Raises:
        OptionError: an option out of its range.
    """

    workers: int | None = 1
    executor: Executor | None = None
    progress: Progress = None
    on_error: OnError = "raise"

    def __post_init__(self) -> None:
        workers = self.workers
        if workers is not None and (
            isinstance(workers, bool) or not isinstance(workers, int) or not 1 <= workers <= MAX_WORKERS
        ):
            raise OptionError(f"workers must be at least 1, at most {MAX_WORKERS}, or None, not {printable(workers)}")
        if self.executor is not None and not callable(getattr(self.executor, "submit", None)):
            raise OptionError(f"executor must be a concurrent.futures.Executor, not {printable(self.executor)}")
        if self.on_error not in ("raise", "return"):
            raise OptionError(f"on_error must be 'raise' or 'return', not {printable(self.on_error)}")
        if not (self.progress is None or isinstance(self.progress, bool) or callable(self.progress)):
            raise OptionError(f"progress must be None, a bool or a function, not {printable(self.progress)}")

    @property
    def keeps_errors(self) -> bool:
        """True if a bad item's answer is its exception."""
        return self.on_error == "return"

    def parallel(self) -> int:
        """Return how many tasks run in parallel, as far as that is known."""
        if self.executor is None:
            return self.workers or cores()
        known = getattr(self.executor, "_max_workers", None)  # concurrent.futures, loky
        client = getattr(self.executor, "_client", None)  # Dask
        if client is not None:
            with contextlib.suppress(Exception):
                known = sum(client.nthreads().values())  # 0 while the cluster starts
        return known if isinstance(known, int) and known > 0 else cores()


def cores() -> int:
    """Return the number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0)) or 1
    return os.cpu_count() or 1


@dataclass(frozen=True)
class Shares:
    """Split a batch's deadline among its positions; ``parallel`` of them are solved at once."""

    limits: Limits
    parallel: int

    @classmethod
    def of(cls, limits: Limits | None, plan: Plan) -> "Shares | None":
        """Return the shares of a batch; None without a deadline or time limit."""
        limits = limits_of(limits)
        if (limits.seconds, limits.nodes, limits.deadline) == (None, None, None):
            return None
        return cls(limits, 1 if limits.deadline is None else plan.parallel())

    @property
    def left(self) -> float:
        """Seconds until the deadline."""
        return math.inf if self.limits.deadline is None else max(0.0, self.limits.deadline - time.time())

    def next(self, rest: int | None) -> Limits:
        """Return the limits of the next of ``rest`` positions; None: unknown, so it may use all the time."""
        if self.limits.deadline is None:
            return self.limits
        share = self.left / (1 if rest is None else max(rest / self.parallel, 1))
        seconds = share if self.limits.seconds is None else min(share, self.limits.seconds)
        return replace(self.limits, seconds=seconds, deadline=None)

    def in_turn(self, rest: int | None) -> Iterator[Limits]:
        """Yield each position's limits when its search begins."""
        for at in itertools.count():
            yield self.next(None if rest is None else rest - at)


def portions(seconds: float, count: int) -> Iterator[float]:
    """Divide ``seconds``, starting now, among ``count`` sequential searches.

    Each gets an equal part of the time left when it begins, and at least a millisecond.
    """
    end = time.perf_counter() + seconds
    for rest in range(count, 0, -1):
        yield max(_SHORTEST_PORTION, (end - time.perf_counter()) / rest)


class Sizer:
    """Chooses chunk sizes: ``first`` items at first, never more than ``most``.

    ``parallel`` returns how many tasks run at once. It is called now, and every two seconds on ``elastic`` executors.
    """

    def __init__(
        self, total: int | None, first: int, most: int, parallel: Callable[[], int], *, elastic: bool = False
    ) -> None:
        self._left, self._most, self._largest, self._least = total, most, first, 1
        self._size, self._cost = first, 0.0
        self._ask, self._elastic, self._asked = parallel, elastic, time.monotonic()
        self.parallel = parallel()

    def next(self) -> int:
        """Return the size of the next chunk, which the caller takes."""
        size = self._size
        if self._left is not None:
            if self.parallel > 1:
                size = min(size, max(-(-self._left // (2 * self.parallel)), self._least))
            self._left = max(0, self._left - size)
        return max(1, size)

    def note(self, count: int, seconds: float) -> None:
        """Learn from a finished chunk."""
        cost = seconds / count
        self._cost = (self._cost + cost) / 2 if self._cost else cost
        self._largest = max(self._largest, count)
        per_item = max(self._cost, 1e-9)
        self._size = max(1, min(int(TARGET_SECONDS / per_item), self._most, _GROWTH * self._largest))
        self._least = max(1, min(self._size, int(_SHORTEST[self._elastic] / per_item)))
        if self._elastic and time.monotonic() - self._asked > 2:
            self.parallel = self._ask()
            self._asked = time.monotonic()
