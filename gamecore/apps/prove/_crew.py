"""The workers of a run: threads of this process, or an executor. Results come back as they are ready."""

import contextlib
import time
from concurrent.futures import BrokenExecutor, Executor, Future, ThreadPoolExecutor
from queue import Empty, SimpleQueue
from typing import Final

from gamecore.apps.prove._worker import Job, Machine, Result, stop_machine, work
from gamecore.batch import Plan
from gamecore.errors import GamecoreError
from gamecore.text import describe, printable

_LOOK: Final = 2.0  # seconds between looks at how many tasks an executor does at once: clusters grow and shrink
_QUEUED: Final = 2  # jobs for each thread of an executor, so that none waits for the network
_PATIENCE: Final = 50  # jobs that may be lost one after another before the run ends with an error


class Crew:
    """The workers of one run.

    Args:
        executor: anything with ``submit`` as in ``concurrent.futures``, such as a Dask client's
            ``get_executor(pure=False)``: each of its processes is a machine with a table of its own. None: threads of
            this process, which share one table.
        threads: their number.

    Attributes:
        is_local: True if all jobs use one table of this process.
        shared: True if several threads may use one table. An executor does not say how many threads a process has.
        width: number of jobs that run at once.
        machines: number of tables.
    """

    def __init__(self, executor: Executor | None, threads: int = 1) -> None:
        self.is_local = executor is None
        self.shared = executor is not None or threads > 1
        self._executor: Executor = ThreadPoolExecutor(threads, "gamecore") if executor is None else executor
        self._machine: Machine | None = None  # of our threads
        self._run = b""
        self._futures: dict[int, Future[Result]] = {}
        self._done: SimpleQueue[tuple[int, Future[Result]]] = SimpleQueue()
        self._lost = 0
        self._measure()

    def _measure(self) -> None:
        self.width, self.machines = _size_of(self._executor)
        self._looked = time.monotonic()

    @property
    def room(self) -> int:
        """Number of jobs that should be submitted at a time."""
        if self.is_local:
            return self.width
        if time.monotonic() - self._looked > _LOOK:
            self._measure()
        return _QUEUED * self.width

    def submit(self, job: Job) -> None:
        """Submit a job.

        Raises:
            GamecoreError: the executor takes no more. MemoryError: no memory for the table.
        """
        if self.is_local and self._machine is None:
            self._machine = Machine(job)
        self._run = job.run
        try:
            future = self._executor.submit(work, job, *([self._machine] if self.is_local else []))
            future.add_done_callback(lambda future: self._done.put((job.number, future)))
            self._futures[job.number] = future
        except Exception as error:
            raise GamecoreError(f"the executor failed: {describe(error)}") from error

    def next(self, seconds: float) -> tuple[int, Result | None] | None:
        """Wait for a job to end.

        Returns:
            Its number and its result, or None if it was lost; None if no job ended in time.

        Raises:
            GamecoreError: the executor broke, workers have another gamecore, what came is no result, or job after job
                is lost. Whatever a job raised in a thread of ours.
        """
        try:
            number, future = self._done.get(timeout=seconds)
        except Empty:
            if getattr(getattr(self._executor, "_client", None), "status", None) == "closed":
                raise GamecoreError("the executor failed: the Dask client is closed") from None
            return None
        self._futures.pop(number, None)
        try:
            result: object = future.result()
        except Exception as error:
            if self.is_local:
                raise
            if isinstance(error, (GamecoreError, ImportError, AttributeError, MemoryError)):
                raise GamecoreError(f"a worker failed: {describe(error)}") from error
            self._lost += 1
            if isinstance(error, BrokenExecutor) or self._lost > _PATIENCE:
                raise GamecoreError(f"the executor failed: {describe(error)}") from error
            return number, None
        self._lost = 0
        if not isinstance(result, Result):
            raise GamecoreError(f"the executor returned no result of a job, but {printable(result)}")
        return number, result

    def close(self) -> None:
        """Cancel the jobs that wait, and stop those that run in this process. Other processes finish theirs."""
        for future in list(self._futures.values()):
            future.cancel()
        if not self.is_local:
            stop_machine(self._run)
            return
        if self._machine is not None:
            self._machine.stop()
        self._executor.shutdown()


def _size_of(executor: Executor) -> tuple[int, int]:
    """Return how many tasks an executor runs at once, as far as that is known, and in how many processes."""
    width, processes = Plan(executor=executor).parallel(), 0
    with contextlib.suppress(Exception):  # no Dask, or its client is closed
        processes = len(executor._client.nthreads())  # type: ignore[attr-defined]
    return width, processes or (1 if isinstance(executor, ThreadPoolExecutor) else width)
