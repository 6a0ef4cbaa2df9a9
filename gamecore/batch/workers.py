"""Cancellation of running searches (:class:`Run`), and the threads of a batch (:class:`Threads`)."""

import atexit
import contextlib
import functools
import itertools
import math
import os
import threading
import time
import weakref
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import CancelledError, Executor, Future
from dataclasses import dataclass, field
from queue import SimpleQueue
from typing import Any, Final

from gamecore.errors import GamecoreError
from gamecore.text import printable

TURN: Final = 0.05  #: seconds between checks for cancellation
_GRACE: Final = 0.3  # seconds to wait for threads to end
_AGAIN: Final = 0.005  # seconds between calls of the cancel callbacks

_here = threading.local()  # run: of this thread; storage: see thread_storage


# --- functions for tasks ----------------------------------------------------------------------------------------------


def thread_storage() -> dict[Any, Any]:
    """Return the values shared by a batch's tasks in this thread; on executors, a new dict each time."""
    storage: dict[Any, Any] | None = getattr(_here, "storage", None)
    return {} if storage is None else storage


@dataclass
class SharedStorage:
    """Values that the threads of a batch share, by key; hold the lock while reading or writing them."""

    lock: threading.Lock = field(default_factory=threading.Lock)
    values: dict[Any, Any] = field(default_factory=dict)


def shared_storage() -> SharedStorage | None:
    """Return the storage of this task's batch; None on executors and without threads."""
    run = _current()
    return None if run is None else run.shared


class stoppable:
    """While active, cancelling the batch calls ``stop`` (from any thread, maybe repeatedly)."""

    __slots__ = ("_run", "_stop")

    def __init__(self, stop: Callable[[], object]) -> None:
        self._stop, self._run = stop, getattr(_here, "run", None)

    def __enter__(self) -> None:
        if self._run is not None:
            self._run.stops[self] = self._stop
            self._run.stoppable = True
            if self._run.cancelled:
                self._stop()

    def __exit__(self, *error: object) -> None:
        if self._run is not None:
            self._run.stops.pop(self, None)


def is_cancelled() -> bool:
    """Return True once this task's batch has been cancelled."""
    run = _current()
    return run is not None and run.cancelled


def is_remote() -> bool:
    """Return True in a process other than the batch's."""
    run = _current()
    return run is not None and run.is_remote


# --- running batches --------------------------------------------------------------------------------------------------


class Run:
    """A batch or search that can be cancelled. Cancelling a run cancels the runs that its tasks began.

    Attributes:
        stops: cancel callbacks, keyed by an arbitrary object.
        stoppable: True once there was one: the task looks whether it is cancelled.
        cancelled: True once it has been cancelled.
        is_remote: True if this is a copy in another process, which cannot be cancelled from here.
        shared: storage of its threads, if it has threads.
        threads: its threads.
    """

    shared: SharedStorage | None = None

    cancelled: bool

    def __init__(self, key: str = "", is_remote: bool = False) -> None:
        self.key = key or f"{os.getpid()}-{next(_numbers)}"
        self.is_remote = is_remote
        self.stops: dict[object, Callable[[], object]] = {}
        self.threads: list[threading.Thread] = []
        self.stoppable = False
        self._outer = _current()
        self.cancelled = self._outer is not None and self._outer.cancelled
        if self._outer is not None:
            self._outer.stops[self] = self.cancel
            self._outer.stoppable = True
        _runs[self.key] = self

    def __reduce__(self) -> tuple[Any, ...]:
        return _run_of_key, (self.key,)

    def cancel(self) -> None:
        """Start no more tasks and stop running ones where possible; from any thread, any number of times."""
        self.cancelled = True
        for stop in list(self.stops.values()):
            stop()

    def check(self) -> None:
        """Raise if the run has been cancelled, so that the result of a stopped search is never used.

        Raises:
            CancelledError: it has.
        """
        if self.cancelled:
            raise CancelledError("the batch was cancelled")

    def start(self, targets: Iterable[Callable[[], object]]) -> None:
        """Start a daemon thread for each target; if the system refuses some threads, only the first ones."""
        with contextlib.suppress(RuntimeError, MemoryError):
            for target in targets:
                thread = threading.Thread(target=self._begin, args=(target,), name="gamecore", daemon=True)
                thread.start()
                self.threads.append(thread)

    def _begin(self, target: Callable[[], object]) -> None:
        with self.at_work({}):
            target()

    def wait(self, seconds: float | None) -> None:
        """Wait until its threads have ended, for at most this many seconds. Cancel the run before."""
        end = math.inf if seconds is None else time.monotonic() + seconds
        for thread in self.threads:
            while thread.is_alive() and thread is not threading.current_thread() and time.monotonic() < end:
                for stop in list(self.stops.values()):  # a search may have begun after the first call
                    stop()
                thread.join(_AGAIN)

    def forget(self) -> None:
        """Detach the finished run from the run around it."""
        if self._outer is not None:
            self._outer.stops.pop(self, None)

    def close(self, seconds: float | None = _GRACE) -> None:
        """Cancel the run and wait this long for its threads: a function that cannot be stopped may go on after that."""
        try:
            self.cancel()
            self.wait(seconds)
        finally:
            self.forget()

    @contextlib.contextmanager
    def at_work(self, storage: dict[Any, Any] | None) -> Iterator[None]:
        """While active, this thread works for the run."""
        before = _current(), getattr(_here, "storage", None)
        _here.run, _here.storage = self, storage
        try:
            yield
        finally:
            _here.run, _here.storage = before


_numbers = itertools.count()
_runs: "weakref.WeakValueDictionary[str, Run]" = weakref.WeakValueDictionary()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_runs.clear)  # the runs are the parent's
_interrupted: set[str] = set()  # keys of runs of other processes that Ctrl-C ended here


def _current() -> Run | None:
    return getattr(_here, "run", None)


def _run_of_key(key: str) -> Run:
    """Return the run of a task that was sent here; in another process than the batch's, a new one."""
    run = _runs.get(key) or Run(key, is_remote=True)
    run.cancelled |= key in _interrupted
    return run


@atexit.register
def _cancel_all() -> None:
    """Cancel everything at the end of the process, so that no kernel runs while the interpreter is taken down."""
    runs = list(_runs.values())
    for run in runs:
        run.cancel()
    end = time.monotonic() + _GRACE
    for run in runs:
        run.wait(end - time.monotonic())


class Here(Run):
    """Makes calls at once, in the calling thread. What the handler of a signal raises in them is not a result."""

    def __init__(self) -> None:
        super().__init__()
        self._storage: dict[Any, Any] = {}

    def submit(self, function: Callable[..., Any], *arguments: Any) -> "Future[Any]":
        """Make a call."""
        future: Future[Any] = Future()
        with self.at_work(self._storage):
            try:
                future.set_result(function(*arguments))
            except (GamecoreError, MemoryError) as error:
                future.set_exception(error)
        return future


class Threads(Run):
    """Threads that make calls in order.

    They are daemon threads: a process can end while an iterator over hard positions is still open. (It waits for the
    threads of a ``ThreadPoolExecutor``.) If the system refuses threads, there are fewer, or none.

    Args:
        workers: number of threads.
    """

    def __init__(self, workers: int) -> None:
        super().__init__()
        self.shared = SharedStorage()
        self._calls: SimpleQueue[tuple[Future[Any], Callable[..., Any], tuple[Any, ...]] | None] = SimpleQueue()
        self.start([self._work] * workers)

    def submit(self, function: Callable[..., Any], *arguments: Any) -> "Future[Any]":
        """Call a function in a thread."""
        future: Future[Any] = Future()
        self._calls.put((future, function, arguments))
        return future

    def _work(self) -> None:
        while (call := self._calls.get()) is not None and not self.cancelled:
            future, function, arguments = call
            if future.set_running_or_notify_cancel():
                try:
                    future.set_result(function(*arguments))
                except BaseException as error:
                    future.set_exception(error)
            del call, future, function, arguments  # free a result that was fetched while this thread waits
        self._calls.put(None)  # for the next thread

    def cancel(self) -> None:
        """Start no more tasks and stop running ones where possible; from any thread, any number of times."""
        super().cancel()
        self._calls.put(None)


class Remote(Run):
    """Makes calls on an executor."""

    def __init__(self, executor: Executor) -> None:
        super().__init__()
        self._executor = executor

    def submit(self, function: Callable[..., Any], *arguments: Any) -> "Future[Any]":
        """Call a function in a worker; in this process, it can be stopped like the calls of our own threads."""
        future = self._executor.submit(_call_in_run, self, functools.partial(function, *arguments))
        if not isinstance(future, Future):
            raise TypeError(f"submit() must return a future, not {printable(future)}")
        return future


def _call_in_run(run: Run, call: Callable[[], Any]) -> Any:
    run.check()
    try:
        with run.at_work(None):
            return call()
    except KeyboardInterrupt:
        _interrupted.add(run.key)  # a process pool may have queued further calls here, which cannot be cancelled
        raise


@contextlib.contextmanager
def beside(calls: Sequence[Callable[[], object]]) -> Iterator[None]:
    """Make calls in other threads while the block runs; stop them and wait for them at its end.

    If the system refuses threads, fewer calls are made. A call is stopped through :func:`stoppable`.

    Raises:
        Whatever one of the calls raised, if the block itself raised nothing.
    """
    run = Run()
    errors: list[BaseException] = []

    def target(call: Callable[[], object]) -> None:
        try:
            call()
        except BaseException as error:
            errors.append(error)

    try:
        run.start([functools.partial(target, call) for call in calls])
        yield
    finally:
        run.close(None)
    if errors:
        raise errors[0]
