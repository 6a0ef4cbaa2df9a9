"""The workers of a run: threads of this process, or an executor. Results come back as they are ready."""

import contextlib
import time
from abc import ABC, abstractmethod
from concurrent.futures import BrokenExecutor, Executor, Future, ThreadPoolExecutor
from queue import Empty, SimpleQueue
from typing import Any, Final

from gamecore.batch import Plan
from gamecore.batch.workers import Threads
from gamecore.errors import GamecoreError
from gamecore.prove._worker import Job, Machine, Result, work
from gamecore.text import printable

_LOOK: Final = 2.0  # seconds between looks at how many tasks an executor does at once: clusters grow and shrink
_UNDER_WAY: Final = 2  # jobs for each thread, so that none waits for the network
PATIENCE: Final = 50  #: jobs that may be lost one after another before the run ends with an error


class Crew(ABC):
    """The workers of one run.

    Attributes:
        shared: whether several threads may use one table.
        is_local: whether all jobs use one table of this process.
        width: how many jobs are done at once.
        machines: how many tables there are.
    """

    shared: bool
    is_local: bool
    width: int
    machines: int

    @property
    def room(self) -> int:
        """How many jobs should be under way."""
        return self.width

    def __init__(self) -> None:
        self._done: SimpleQueue[tuple[int, Any]] = SimpleQueue()

    @abstractmethod
    def submit(self, job: Job) -> None:
        """Have a job done."""

    @abstractmethod
    def next(self, seconds: float) -> tuple[int, Result | None] | None:
        """Wait for a job to end; return its number and its result, None if it was lost; None after that time."""

    @abstractmethod
    def close(self) -> tuple[list[Result], bytes]:
        """Stop what runs and forget what waits.

        Returns:
            Results of the jobs that were stopped and the last lesson, as far as they are in this process.
        """

    def _next_done(self, seconds: float) -> tuple[int, Any] | None:
        try:
            return self._done.get(timeout=seconds) if seconds > 0 else self._done.get_nowait()
        except Empty:
            return None


class LocalCrew(Crew):
    """Threads of this process, which share one table.

    Args:
        threads: how many.
    """

    is_local = True
    machines = 1

    def __init__(self, threads: int) -> None:
        super().__init__()
        self.width = threads
        self.shared = threads > 1
        self._threads = Threads(threads)
        self._machine: Machine | None = None

    def submit(self, job: Job) -> None:
        if self._machine is None:
            self._machine = Machine(job)
        self._threads.submit(self._work, job, self._machine)

    def _work(self, job: Job, machine: Machine) -> None:
        try:
            self._done.put((job.number, work(job, machine)))
        except BaseException as error:
            self._done.put((job.number, error))

    def next(self, seconds: float) -> tuple[int, Result | None] | None:
        """See :class:`Crew`.

        Raises:
            Whatever a job raised.
        """
        self._threads.check()
        ended = self._next_done(seconds)
        if ended is not None and isinstance(ended[1], BaseException):
            raise ended[1]
        return ended

    def close(self) -> tuple[list[Result], bytes]:
        self._threads.close(None)
        stopped = []
        while (ended := self._next_done(0.0)) is not None:
            if isinstance(ended[1], Result):
                stopped.append(ended[1])
        return stopped, b"" if self._machine is None else self._machine.learner.tell(0.0)


class ExecutorCrew(Crew):
    """A ``concurrent.futures.Executor``: each of its processes is a machine with a table of its own.

    Args:
        executor: anything with its ``submit``; a Dask client's ``get_executor(pure=False)``.
    """

    shared = True  # an executor does not say how many threads a process has
    is_local = False

    def __init__(self, executor: Executor) -> None:
        super().__init__()
        self._executor = executor
        self._futures: dict[int, Future[Result]] = {}
        self._lost = 0
        self._measure()

    def _measure(self) -> None:
        self.width, self._looked = Plan(executor=self._executor).parallel(), time.monotonic()
        self.machines = _processes_of(self._executor, self.width)

    @property
    def room(self) -> int:
        if time.monotonic() - self._looked > _LOOK:
            self._measure()
        return _UNDER_WAY * self.width

    def submit(self, job: Job) -> None:
        """See :class:`Crew`.

        Raises:
            GamecoreError: the executor takes no more.
        """
        try:
            future = self._executor.submit(work, job)
            future.add_done_callback(lambda future: self._done.put((job.number, future)))
            self._futures[job.number] = future
        except Exception as error:
            raise GamecoreError(f"the executor failed: {_text_of(error)}") from error

    def next(self, seconds: float) -> tuple[int, Result | None] | None:
        """See :class:`Crew`.

        Raises:
            GamecoreError: the executor broke, workers have another gamecore, what came is no result, or job after job
                is lost.
        """
        ended = self._next_done(seconds)
        if ended is None:
            if getattr(getattr(self._executor, "_client", None), "status", None) == "closed":
                raise GamecoreError("the executor failed: the Dask client is closed")
            return None
        number, future = ended
        self._futures.pop(number, None)
        error: Any = None if future.cancelled() else future.exception()
        if not future.cancelled() and error is None:
            self._lost = 0
            result: object = future.result()
            if not isinstance(result, Result):
                raise GamecoreError(f"the executor returned no result of a job, but {printable(result)}")
            return number, result
        if isinstance(error, (GamecoreError, ImportError, AttributeError, MemoryError)):
            raise GamecoreError(f"a worker failed: {_text_of(error)}") from error
        if isinstance(error, KeyboardInterrupt):
            raise error
        self._lost += 1
        if isinstance(error, BrokenExecutor) or self._lost > PATIENCE:
            raise GamecoreError(f"the executor failed: {_text_of(error)}") from error
        return number, None

    def close(self) -> tuple[list[Result], bytes]:
        """See :class:`Crew`. Jobs that run in other processes end there; their results are not awaited."""
        for future in list(self._futures.values()):
            future.cancel()
        return [], b""


def _processes_of(executor: Executor, width: int) -> int:
    """Return the number of an executor's processes; if unknown, the number of jobs that it does at once."""
    if isinstance(executor, ThreadPoolExecutor):
        return 1
    client: Any = getattr(executor, "_client", None)  # Dask
    with contextlib.suppress(Exception):
        return len(client.nthreads()) or width
    return width


def _text_of(error: BaseException | None) -> str:
    if error is None:
        return "jobs are cancelled"
    return f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
