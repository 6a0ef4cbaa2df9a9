"""A batch's options (:class:`Plan`)."""

import contextlib
import os
import time
from collections.abc import Callable
from concurrent.futures import Executor
from dataclasses import dataclass, field, replace
from typing import Any, Final, Literal, TypeAlias

from gamecore.errors import OptionError
from gamecore.limits import Limits
from gamecore.text import printable

Progress: TypeAlias = bool | Callable[[int, Any], object] | None
OnError: TypeAlias = Literal["raise", "return"]

MAX_WORKERS: Final = 1024


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
        whole: make chunks as large as possible where one thread solves them and nobody watches the progress.

    Raises:
        OptionError: an option out of its range.
    """

    workers: int | None = 1
    executor: Executor | None = None
    progress: Progress = None
    on_error: OnError = "raise"
    whole: bool = field(default=False, repr=False)

    def __post_init__(self) -> None:
        workers = self.workers
        if workers is not None and (type(workers) is not int or not 1 <= workers <= MAX_WORKERS):
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
        count = getattr(self.executor, "_max_workers", None)  # concurrent.futures, loky
        client = getattr(self.executor, "_client", None)  # Dask
        if client is not None:
            with contextlib.suppress(Exception):
                count = sum(client.nthreads().values())  # 0 while the cluster starts
        return count if isinstance(count, int) and count > 0 else cores()


def cores() -> int:
    """Return the number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0)) or 1
    return os.cpu_count() or 1


def limits_of_chunk(limits: Limits, turns: float) -> Limits:
    """Divide the time until the deadline equally among the positions that a worker may have to solve before it."""
    if limits.deadline is None:
        return limits
    share = max(0.0, limits.deadline - time.time()) / max(turns, 1)
    return replace(limits, seconds=share if limits.seconds is None else min(share, limits.seconds))
