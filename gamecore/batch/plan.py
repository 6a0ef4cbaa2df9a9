"""The options of a batch: :class:`Plan`."""

import contextlib
import os
from collections.abc import Callable
from concurrent.futures import Executor
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias

from gamecore.errors import OptionError
from gamecore.text import printable

Progress: TypeAlias = bool | Callable[[int, Any], object] | None
OnError: TypeAlias = Literal["raise", "return"]

MAX_WORKERS: Final = 1024


@dataclass(frozen=True)
class Plan:
    """The options that all batches share.

    Attributes:
        workers: threads of our own; None: one for each core this process may use. Not looked at with an executor.
            Where the system gives fewer threads, fewer work.
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
        """Whether an exception is the answer of a bad item."""
        return self.on_error == "return"

    def parallel(self) -> int:
        """How many tasks run at a time, as far as one can tell."""
        if self.executor is None:
            return self.workers or cores()
        known = getattr(self.executor, "_max_workers", None)  # concurrent.futures, loky
        client = getattr(self.executor, "_client", None)  # Dask
        if client is not None:
            with contextlib.suppress(Exception):
                known = sum(client.nthreads().values())  # 0 while the cluster starts
        return known if isinstance(known, int) and known > 0 else cores()


def cores() -> int:
    """The cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0)) or 1
    return os.cpu_count() or 1
