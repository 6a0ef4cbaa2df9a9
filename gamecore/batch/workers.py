"""Cancellation of running searches (:class:`Run`), and the workers of a batch (:class:`Workers`)."""

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
from queue import SimpleQueue
from typing import Any, Final

from gamecore.errors import GamecoreError
from gamecore.text import printable

_GRACE: Final = 0.3  # seconds to wait for threads to end
_AGAIN: Final = 0.005  # seconds between calls of the cancel callbacks

_here = threading.local()  # run and storage of the task in this thread


def _current() -> "Run | None":
    return getattr(_here, "run", None)


def thread_storage() -> dict[Any, Any]:
    """Return the values shared by a batch's tasks in this thread; on executors, a new dict each time."""
    storage: dict[Any, Any] | None = getattr(_here, "storage", None)
    return {} if storage is None else storage


def shared_storage() -> "Run | None":
    """Return this task's run, whose threads share ``values``; None on executors and without threads."""
    run = _current()
    return run if run is not None and run.threads else None


def is_cancelled() -> bool:
    """Return True once this task's batch has been cancelled."""
    run = _current()
    return run is not None and run.cancelled


def is_remote() -> bool:
    """Return True in a process other than the batch's."""
    run = _current()
    return run is not None and run.is_remote


class stoppable:
    """While active, cancelling the batch calls ``stop`` (from any thread, maybe repeatedly)."""

    __slots__ = ("_run", "_stop")

    def __init__(self, stop: Callable[[], object]) -> None:
        self._stop, self._run = stop, getattr(_here, "run", None)  # no call: searches are short

    def __enter__(self) -> None:
        if self._run is not None:
            self._run.stops[self] = self._stop
            self._run.stoppable = True
            if self._run.cancelled:
                self._stop()

    def __exit__(self, *error: object) -> None:
        if self._run is not None:
            self._run.stops.pop(self, None)


class Run:
    """A batch or search that can be cancelled. Cancelling a run cancels the runs that its tasks began.

    Attributes:
        stops: cancel callbacks, keyed by an arbitrary object.
        stoppable: True once there was a callback.
        cancelled: True once it has been cancelled.
        is_remote: True if this is a copy in another process, which cannot be cancelled from here.
        threads: its threads.
        values: what its threads share, by key; hold ``lock`` while reading or writing them.
    """

    cancelled: bool

    def __init__(self, key: str = "", is_remote: bool = False) -> None:
        self.key = key or f"{os.getpid()}-{next(_numbers)}"
        self.is_remote = is_remote
        self.stops: dict[object, Callable[[], object]] = {}
        self.stoppable = False
        self.threads: list[threading.Thread] = []
        self.values: dict[Any, Any] = {}
        self.lock = threading.Lock()
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
        """Raise CancelledError if the run was cancelled, so that the result of a stopped search is never used."""
        if self.cancelled:
            if _ending.is_set():  # let the process end: a daemon thread would print a traceback
                time.sleep(1)
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

    def close(self, seconds: float = _GRACE) -> None:
        """Cancel the run and wait this long for its threads: a function that cannot be stopped may go on after that."""
        end = time.monotonic() + seconds
        try:
            self.cancel()
            for thread in self.threads:
                while thread.is_alive() and thread is not threading.current_thread() and time.monotonic() < end:
                    self.cancel()  # a search may have begun after the first call
                    thread.join(_AGAIN)
        finally:
            self.forget()

    def forget(self) -> None:
        """Detach the finished run from the run around it."""
        if self._outer is not None:
            self._outer.stops.pop(self, None)

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
_ending = threading.Event()  # set at the end of the process
_runs: "weakref.WeakValueDictionary[str, Run]" = weakref.WeakValueDictionary()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_runs.clear)  # the runs are the parent's
_interrupted: set[str] = set()  # keys of runs of other processes that Ctrl-C ended here


def _run_of_key(key: str) -> Run:
    """Return the run of a task that was sent here; in another process than the batch's, a new one."""
    run = _runs.get(key) or Run(key, is_remote=True)
    run.cancelled |= key in _interrupted
    return run


@atexit.register
def _cancel_all() -> None:
    """Cancel everything at the end of the process, so that no kernel runs while the interpreter is taken down."""
    _ending.set()
    runs = list(_runs.values())
    for run in runs:
        run.cancel()
    end = time.monotonic() + _GRACE
    for run in runs:
        run.close(end - time.monotonic())


@contextlib.contextmanager
def beside(calls: Sequence[Callable[[], object]]) -> Iterator[None]:
    """Make calls in other threads while the block runs; stop them and wait for them at its end.

    If the system refuses threads, fewer calls are made. A call is stopped through :func:`stoppable`.

    Raises:
        Whatever one of the calls raised, if the block itself raised nothing.
    """
    run = Run()
    futures: list[Future[Any]] = [Future() for _ in calls]
    try:
        run.start(functools.partial(_complete, *pair) for pair in zip(futures, calls, strict=True))
        yield
    finally:
        run.close(math.inf)
    for future in futures:
        if future.done():
            future.result()


class Workers(Run):
    """Makes a batch's calls: on an executor, in threads of its own, or else at once in the calling thread.

    The threads are daemon threads: a process can end while an iterator over hard positions is still open. (It waits for
    the threads of a ``ThreadPoolExecutor``.)

    Args:
        executor: None: threads.
        count: number of threads; if the system refuses threads, there are fewer, or none.

    Attributes:
        is_alone: True if calls are made at once.
    """

    def __init__(self, executor: Executor | None, count: int) -> None:
        self._executor = executor
        self._storage: dict[Any, Any] = {}
        self._calls: SimpleQueue[tuple[Future[Any], Callable[[], Any]] | None] = SimpleQueue()
        super().__init__()
        self.start([self._work] * (count if executor is None and count > 1 else 0))
        self.is_alone = executor is None and not self.threads

    def submit(self, call: Callable[[], Any]) -> "Future[Any]":
        """Make a call, and return its future."""
        future: Future[Any] = Future()
        if self._executor is not None:
            try:
                future = self._executor.submit(_call_in_run, self, call)
                if not isinstance(future, Future):
                    raise TypeError(f"submit() must return a future, not {printable(future)}")
            except Exception as error:
                future = Future()
                future.set_exception(error)
        elif self.threads:
            self._calls.put((future, call))
        else:
            with self.at_work(self._storage):  # what the handler of a signal raises here is not a result
                _complete(future, call, (GamecoreError, MemoryError))
        return future

    def _work(self) -> None:
        while (pair := self._calls.get()) is not None and not self.cancelled:
            if pair[0].set_running_or_notify_cancel():
                _complete(*pair)
            del pair  # free a result that was fetched while this thread waits
        self._calls.put(None)  # for the next thread

    def cancel(self) -> None:
        """Start no more tasks and stop running ones where possible; from any thread, any number of times."""
        super().cancel()
        self._calls.put(None)


def _complete(
    future: "Future[Any]", call: Callable[[], Any], errors: tuple[type[BaseException], ...] = (BaseException,)
) -> None:
    """Make a call; set its result, or an error of these classes."""
    try:
        future.set_result(call())
    except errors as error:
        future.set_exception(error)


def _call_in_run(run: Run, call: Callable[[], Any]) -> Any:
    run.check()
    try:
        with run.at_work(None):
            return call()
    except KeyboardInterrupt:
        _interrupted.add(run.key)  # a process pool may have queued further calls here, which cannot be cancelled
        raise
