"""Worker threads and running batches, and how they are cancelled, also at the end of the process.

The caller is often the main thread, where a signal handler may raise between any two instructions. So it takes no lock
here: work and results go through ``SimpleQueue``, and running batches stand in dicts; both are written in C.
"""

import atexit
import contextlib
import functools
import itertools
import os
import sys
import threading
import time
from _thread import start_new_thread
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import thread as _pool_threads
from dataclasses import dataclass, field
from queue import Empty, SimpleQueue
from typing import Any, ClassVar, Final, TypeAlias

from gamecore.errors import BatchError

TURN: Final = 0.05  #: seconds between checks for cancellation, and for signals where a wait ignores them
_EXIT: Final = 0.15  # seconds to wait for kernels to stop at the end of the process
_GRACE: Final = 0.1  # seconds to wait for functions that cannot be stopped, after a signal handler raised

_here = threading.local()  # run: this thread's batch; storage: see thread_storage


# --- functions for tasks ----------------------------------------------------------------------------------------------


def thread_storage() -> dict[Any, Any]:
    """Return the values shared by a batch's tasks in this thread; on executors, a new dict each time."""
    found: dict[Any, Any] | None = getattr(_here, "storage", None)
    return {} if found is None else found


@dataclass
class SharedStorage:
    """Values that the threads of a batch share, by key; hold the lock while reading or writing them."""

    lock: threading.Lock = field(default_factory=threading.Lock)
    values: dict[Any, Any] = field(default_factory=dict)


def shared_storage() -> SharedStorage | None:
    """Return the storage of this task's batch; None on executors and without threads."""
    run: Run | None = getattr(_here, "run", None)
    return None if run is None else run.shared


class stoppable:
    """While active, cancelling the batch calls ``stop`` (from any thread, maybe repeatedly)."""

    __slots__ = ("_run", "_stop")

    def __init__(self, stop: Callable[[], object]) -> None:
        self._stop = stop
        self._run: Run | None = getattr(_here, "run", None)

    def __enter__(self) -> None:
        if self._run is None:
            return
        try:
            self._run.stops[self] = self._stop
            self._run.stoppable = True
            if self._run.cancelled:
                self._stop()
        except BaseException:  # of ``stop``, or of a signal's handler: then __exit__ is not called
            self.__exit__()
            raise

    def __exit__(self, *error: object) -> None:
        if self._run is not None:
            self._run.stops.pop(self, None)


def is_cancelled() -> bool:
    """Return True once this task's batch has been cancelled."""
    run: Run | None = getattr(_here, "run", None)
    return run is not None and run.cancelled


# --- running batches -----------------------------------------------------------------------------------------------


class Run:
    """A running batch.

    Attributes:
        key: unique among processes.
        stops: cancel callbacks, keyed by an arbitrary object.
        stoppable: True once there was one: the task looks whether it is cancelled.
        cancelled: True once it has been cancelled.
        owner: the thread that began it.
        shared: storage of its threads, if it has threads.
        exiting: True once the process is ending.
    """

    exiting: ClassVar[bool] = False
    shared: SharedStorage | None = None

    def __init__(self) -> None:
        self.key = f"{os.getpid()}-{next(_numbers)}"
        self.stops: dict[object, Callable[[], object]] = {}
        self.cancelled = self.stoppable = False
        self.owner = threading.current_thread()
        self._around: Run | None = getattr(_here, "run", None)
        _register_exit_hook()
        if (self.exiting and not _is_waited_for(self.owner)) or (self._around is not None and self._around.cancelled):
            raise SystemExit
        if self._around is not None:
            self._around.stops[self] = self.cancel
            self._around.stoppable = True
        RUNS[self.key] = self

    def cancel(self) -> None:
        """Start no more tasks and stop running ones where possible; from any thread, any number of times."""
        self.cancelled = True
        for stop in list(self.stops.values()):
            stop()

    def wait(self, seconds: float | None) -> None:
        """Wait until nothing runs, for at most this many seconds."""

    def check(self) -> None:
        """End the waiting thread if the batch has been cancelled.

        Raises:
            SystemExit: the process is ending, or an outer batch was cancelled.
        """
        if self.cancelled:
            raise SystemExit

    def forget(self) -> None:
        """Forget the finished batch."""
        RUNS.pop(self.key, None)
        if self._around is not None:
            self._around.stops.pop(self, None)

    @contextlib.contextmanager
    def at_work(self, storage: dict[Any, Any] | None) -> Iterator[None]:
        """While active, this thread works for the batch."""
        before = getattr(_here, "run", None), getattr(_here, "storage", None)
        _here.run, _here.storage = self, storage
        try:
            yield
        finally:
            _here.run, _here.storage = before


_numbers = itertools.count()
RUNS: dict[str, Run] = {}  #: all running batches, by their keys
_hooked: set[str] = set()  # modules of pools after which our hook was registered

if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=RUNS.clear)  # a forked child has no threads

# Modules whose own exit hook, registered with threading, waits for their workers.
_POOLS: Final = (
    "concurrent.futures.thread",
    "concurrent.futures.process",
    "loky.process_executor",
    "joblib.externals.loky.process_executor",
)


def _register_exit_hook() -> None:
    """Register a hook that cancels batches at the end of the process, before the hooks of pools wait for their threads.

    Hooks of ``threading`` run in reverse order, before threads are joined; those of ``atexit`` run later, too late for
    a batch in a pool's thread. So the hook is registered again after each newly imported module of pools.
    """
    seen = set(filter(sys.modules.__contains__, _POOLS))
    if not seen - _hooked:
        return
    register = getattr(threading, "_register_atexit", atexit.register)  # private, the same in Python 3.9 to 3.14
    try:
        register(_cancel_all)
    except RuntimeError:  # hooks are already running
        Run.exiting = True
    _hooked.update(seen)


def _cancel_all() -> None:
    """Cancel all batches except those of threads that Python waits for: the process is ending."""
    Run.exiting = True
    deadline = time.monotonic() + _EXIT
    runs = [run for run in list(RUNS.values()) if not _is_waited_for(run.owner)]
    for run in runs:
        run.cancel()
    for run in runs:
        run.wait(max(0.0, deadline - time.monotonic()))


def _is_waited_for(thread: threading.Thread) -> bool:
    """Return True if the process waits for this thread.

    It also waits for the threads of a ThreadPoolExecutor, but nobody will read their results.
    """
    pooled = thread in getattr(_pool_threads, "_threads_queues", ())
    return thread.is_alive() and not thread.daemon and thread is not threading.main_thread() and not pooled


# --- our own threads ----------------------------------------------------------------------------------------------

Reply: TypeAlias = "SimpleQueue[tuple[Any, BaseException | None]]"  #: holds one item: a result, or an exception


class Threads(Run):
    """Our own threads, which make calls in order. Threads are started as calls come.

    If the system refuses more threads, fewer are used; without any, the thread that waits for a result makes the calls.

    Args:
        workers: most threads.
    """

    def __init__(self, workers: int) -> None:
        self.shared = SharedStorage()
        self._most = workers
        self._begun = 0  # threads requested
        self._process = os.getpid()
        self._calls: SimpleQueue[tuple[Callable[[], Any], Reply] | None] = SimpleQueue()
        self._ended: SimpleQueue[None] = SimpleQueue()  # an item for each thread that has ended
        self._storage: dict[Any, Any] = {}  # of the caller, if it makes calls itself
        super().__init__()  # from here on it may be cancelled

    def submit(self, function: Callable[..., Any], *arguments: Any) -> Reply:
        """Call a function in a thread; :meth:`result` waits for its result."""
        reply: Reply = SimpleQueue()
        self._calls.put((functools.partial(function, *arguments), reply))
        if self._begun < self._most:
            try:
                start_new_thread(self._begin, (not self._begun,))
                self._begun += 1
            except RuntimeError:  # no room for one more thread
                self._most = self._begun
        return reply

    def _begin(self, first: bool) -> None:
        # Started from another thread, because threading.Thread.start takes locks written in Python.
        try:
            threading.Thread(target=self._work, name="gamecore", daemon=True).start()
        except (RuntimeError, MemoryError):
            if first:
                self._work()
            else:
                self._ended.put(None)

    def _work(self) -> None:
        try:
            with self.at_work({}):
                while self._do_next():
                    pass
        finally:
            self._ended.put(None)

    def _do_next(self) -> bool:
        """Make one call; return False if none is waiting."""
        todo = self._calls.get()
        if todo is None or self.cancelled:
            self._calls.put(None)  # for the next thread
            return False
        call, reply = todo
        try:
            reply.put((call(), None))
        except BaseException as error:
            reply.put((None, error))
        return True

    def result(self, reply: Reply) -> Any:
        """Return a function's result.

        Raises:
            SystemExit: the batch was cancelled. Whatever the function raised.
        """
        while not self._begun and reply.empty():  # no thread at all
            with self.at_work(self._storage):
                self._do_next()
        while True:
            try:
                result, error = reply.get(timeout=TURN)
            except Empty:
                self.check()
                continue
            self.check()  # a stopped call's return value is not its result
            if error is not None:
                raise error
            return result

    def cancel(self) -> None:
        """Start no more tasks and stop running ones where possible; from any thread, any number of times."""
        super().cancel()
        self._calls.put(None)

    def wait(self, seconds: float | None) -> None:
        """Wait until all threads have ended, for at most this many seconds. Cancel the batch before."""
        deadline = None if seconds is None else time.monotonic() + seconds
        while self._begun and self._process == os.getpid():
            left = 0.005 if deadline is None else min(0.005, deadline - time.monotonic())
            if left <= 0:
                return
            try:
                self._ended.get(timeout=left)
                self._begun -= 1
            except Empty:
                for stop in list(self.stops.values()):
                    stop()

    def close(self) -> None:
        """Cancel unfinished calls and wait until all threads have ended, with two exceptions.

        A dropped iterator does not wait: Python discards what a signal handler raises during garbage collection.
        After an exception that is not the batch's own, raised by a signal handler, functions that cannot be stopped are
        not waited for.
        """
        error = sys.exception()
        dropped = isinstance(error, GeneratorExit) and error.__context__ is None
        while isinstance(error, GeneratorExit):
            error = error.__context__
        interrupted = error is not None and not isinstance(error, BatchError)
        try:
            self.cancel()
            if not dropped and not self.exiting:
                self.wait(_GRACE if interrupted else None)
                while interrupted and self._begun and self.stops:
                    self.wait(_GRACE)
        finally:
            self.forget()


@contextlib.contextmanager
def beside(calls: Sequence[Callable[[], object]]) -> Iterator[None]:
    """Make calls in other threads while the block runs; stop them and wait for them at its end.

    If the system refuses threads, fewer calls are made. A call is stopped through :func:`stoppable`.

    Raises:
        Whatever one of the calls raised, if the block itself raised nothing.
    """
    threads = Threads(len(calls))
    replies: list[Reply] = []
    try:
        for call in calls:
            replies.append(threads.submit(call))
        yield
    finally:
        threads.close()
    for reply in replies:
        if not reply.empty():
            _, error = reply.get()
            if error is not None:
                raise error
