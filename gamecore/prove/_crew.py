"""Who works on jobs: threads of this process, or somebody's executor. Results come back as they are ready."""

import contextlib
import time
from concurrent.futures import BrokenExecutor, Executor, Future, ThreadPoolExecutor
from queue import Empty, SimpleQueue
from typing import Any, Final, Protocol, TypeAlias

from gamecore.batch import Plan
from gamecore.batch.workers import Threads
from gamecore.errors import GamecoreError
from gamecore.prove._worker import Job, Machine, Result, work
from gamecore.signals import Held, raised_by_handler
from gamecore.text import printable

_LOOK: Final = 2.0  # seconds between questions how many tasks an executor does at a time
_UNDER_WAY: Final = 2  # jobs for each that can be done at a time, so that nobody waits for the wire
PATIENCE: Final = 50  #: jobs that may be lost one after another before the executor is given up

Ended: TypeAlias = "tuple[int, Result | BaseException]"  #: a job's number, and its result or what became of it


class Crew(Protocol):
    """The workers of one run.

    Attributes:
        shared: whether several threads use one table.
    """

    shared: bool

    def width(self) -> int:
        """How many jobs are done at a time."""

    def machines(self) -> int:
        """How many tables there are."""

    def room(self) -> int:
        """How many jobs should be under way."""

    def submit(self, job: Job) -> None:
        """Have a job done."""

    def next(self, seconds: float) -> "tuple[int, Result | None] | None":
        """A job that has ended, and its result, None where it was lost; None: no job ended in that time."""

    def close(self) -> None:
        """Stop what runs, and forget what waits."""

    def stopped(self) -> "list[Result]":
        """After :meth:`close`: what came of the jobs that it stopped, as far as one can know."""

    def lesson(self) -> bytes:
        """After :meth:`close`: what this process's machine has learnt since its last lesson; empty: nothing."""


class LocalCrew:
    """Threads of this process, which share one table.

    Args:
        threads: how many.
    """

    def __init__(self, threads: int) -> None:
        self.shared = threads > 1
        self._count = threads
        self._threads = Threads(threads)
        self._done: SimpleQueue[Ended] = SimpleQueue()
        self._machine: Machine | None = None

    def width(self) -> int:
        """See :class:`Crew`."""
        return self._count

    def machines(self) -> int:
        """See :class:`Crew`."""
        return 1

    def room(self) -> int:
        """See :class:`Crew`."""
        return self._count

    def submit(self, job: Job) -> None:
        """See :class:`Crew`."""
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
        try:
            number, found = self._done.get(timeout=seconds) if seconds > 0 else self._done.get_nowait()
        except Empty:
            return None
        if isinstance(found, BaseException):
            raise found
        return number, found

    def close(self) -> None:
        """See :class:`Crew`."""
        self._threads.close()

    def stopped(self) -> list[Result]:
        """See :class:`Crew`."""
        found = []
        with contextlib.suppress(Empty):
            while True:
                _, result = self._done.get_nowait()
                if not isinstance(result, BaseException):
                    found.append(result)
        return found

    def lesson(self) -> bytes:
        """See :class:`Crew`."""
        return b"" if self._machine is None else self._machine.learner.tell(0.0)


class ExecutorCrew:
    """Somebody's ``concurrent.futures.Executor``: each of its processes is a machine with a table of its own.

    Args:
        executor: anything with its ``submit``; a Dask client's ``get_executor(pure=False)``.
    """

    shared = True  # nobody says how many threads a process has

    def __init__(self, executor: Executor) -> None:
        self._executor = executor
        self._done: SimpleQueue[tuple[int, Future[Result]]] = SimpleQueue()
        self._futures: dict[int, Future[Result]] = {}
        self._width, self._machines, self._looked = 0, 1, 0.0
        self._lost = 0

    def width(self) -> int:
        """See :class:`Crew`; asked again every other second, since clusters grow and shrink."""
        if not self._width or time.monotonic() - self._looked > _LOOK:
            self._width, self._looked = Plan(executor=self._executor).parallel(), time.monotonic()
            self._machines = _processes_of(self._executor, self._width)
        return self._width

    def machines(self) -> int:
        """See :class:`Crew`; looked up with :meth:`width`."""
        self.width()
        return self._machines

    def room(self) -> int:
        """See :class:`Crew`."""
        return _UNDER_WAY * self.width()

    def submit(self, job: Job) -> None:
        """See :class:`Crew`.

        Raises:
            GamecoreError: the executor takes no more.
        """
        with Held():
            try:
                future = self._executor.submit(work, job)
                future.add_done_callback(lambda future: self._done.put((job.number, future)))
                self._futures[job.number] = future
            except Exception as error:
                if raised_by_handler(error):
                    raise
                raise GamecoreError(f"the executor failed: {_said(error)}") from error

    def next(self, seconds: float) -> tuple[int, Result | None] | None:
        """See :class:`Crew`.

        Raises:
            GamecoreError: the executor broke, workers have another gamecore, what came is no result, or job after job
                is lost.
        """
        try:
            number, future = self._done.get(timeout=seconds) if seconds > 0 else self._done.get_nowait()
        except Empty:
            if getattr(getattr(self._executor, "_client", None), "status", None) == "closed":
                raise GamecoreError("the executor failed: the Dask client is closed") from None
            return None
        with Held():
            self._futures.pop(number, None)
            error: Any = None if future.cancelled() else future.exception()
            if not future.cancelled() and error is None:
                self._lost = 0
                result: object = future.result()
                if not isinstance(result, Result):
                    raise GamecoreError(f"the executor returned no result of a job, but {printable(result)}")
                return number, result
        if isinstance(error, (GamecoreError, ImportError, AttributeError, MemoryError)):
            raise GamecoreError(f"a worker failed: {_said(error)}") from error
        if isinstance(error, KeyboardInterrupt):
            raise error
        self._lost += 1
        if isinstance(error, BrokenExecutor) or self._lost > PATIENCE:
            raise GamecoreError(f"the executor failed: {_said(error)}") from error
        return number, None

    def close(self) -> None:
        """See :class:`Crew`. What runs in other processes comes to its end there."""
        with Held():
            for future in list(self._futures.values()):
                future.cancel()

    def stopped(self) -> list[Result]:
        """See :class:`Crew`: nothing, since nobody waits for other processes."""
        return []

    def lesson(self) -> bytes:
        """See :class:`Crew`: nothing, likewise."""
        return b""


def _processes_of(executor: Executor, width: int) -> int:
    """The processes of an executor as far as one can tell; where not, as many as it does jobs at a time."""
    if isinstance(executor, ThreadPoolExecutor):
        return 1
    client: Any = getattr(executor, "_client", None)  # Dask
    with contextlib.suppress(Exception):
        return len(client.nthreads()) or width
    return width


def _said(error: BaseException | None) -> str:
    if error is None:
        return "jobs are cancelled"
    return f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
