"""Worker threads, and running batches: how they are cancelled, also at the end of the process.

The caller is often the main thread, in which the handler of a signal may raise between any two instructions. So it
takes no lock here: work goes to threads and results come back through ``SimpleQueue``, which is C, and so are the dicts
that say what is running.
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

TURN: Final = 0.05  #: seconds between looks at whether the batch is cancelled (and at signals, where waits are deaf)
_EXIT: Final = 0.15  # seconds that the end of the process waits for kernels to stop
_GRACE: Final = 0.1  # seconds that an exception of a signal's handler waits for functions that cannot be stopped

_here = threading.local()  # run: the batch that this thread works for; storage: see thread_storage


# --- what tasks ask for ----------------------------------------------------------------------------------------------


def thread_storage() -> dict[Any, Any]:
    """Values that tasks of one batch in one thread share; on executors, a new dict each time."""
    found: dict[Any, Any] | None = getattr(_here, "storage", None)
    return {} if found is None else found


@dataclass
class SharedStorage:
    """Values that the threads of a batch share, by key; hold the lock while reading or writing them."""

    lock: threading.Lock = field(default_factory=threading.Lock)
    values: dict[Any, Any] = field(default_factory=dict)


def shared_storage() -> SharedStorage | None:
    """Return the storage of this task's batch; None on executors and where the caller works alone."""
    run: Run | None = getattr(_here, "run", None)
    return None if run is None else run.shared


class stoppable:
    """While active, cancelling the batch calls ``stop``, from any thread and perhaps several times."""

    __slots__ = ("_run", "_stop")

    def __init__(self, stop: Callable[[], object]) -> None:
        self._stop = stop
        self._run: Run | None = getattr(_here, "run", None)

    def __enter__(self) -> None:
        if self._run is None:
            return
        try:
            self._run.stops[self] = self._stop
            if self._run.cancelled:
                self._stop()
        except BaseException:  # of ``stop``, or of a signal's handler: then __exit__ is not called
            self.__exit__()
            raise

    def __exit__(self, *error: object) -> None:
        if self._run is not None:
            self._run.stops.pop(self, None)


def is_cancelled() -> bool:
    """True once this task's batch has been cancelled: asked by tasks of many small steps."""
    run: Run | None = getattr(_here, "run", None)
    return run is not None and run.cancelled


# --- batches under way -----------------------------------------------------------------------------------------------


class Run:
    """A running batch, by whatever workers.

    Attributes:
        key: its name, unique among processes.
        stops: cancel callbacks, keyed by an arbitrary object.
        cancelled: True once it has been cancelled.
        owner: the thread that began it.
        shared: what its threads share, if it has threads.
        exiting: whether the process ends.
    """

    exiting: ClassVar[bool] = False
    shared: SharedStorage | None = None

    def __init__(self) -> None:
        self.key = f"{os.getpid()}-{next(_numbers)}"
        self.stops: dict[object, Callable[[], object]] = {}
        self.cancelled = False
        self.owner = threading.current_thread()
        self._around: Run | None = getattr(_here, "run", None)
        _register_exit_hook()
        if (self.exiting and not _is_waited_for(self.owner)) or (self._around is not None and self._around.cancelled):
            raise SystemExit
        if self._around is not None:
            self._around.stops[self] = self.cancel
        RUNS[self.key] = self

    def cancel(self) -> None:
        """Begin nothing more, and stop what can be stopped; from any thread, any number of times."""
        self.cancelled = True
        for stop in list(self.stops.values()):
            stop()

    def wait(self, seconds: float | None) -> None:
        """Wait until nothing runs any more, at most so long."""

    def check(self) -> None:
        """End the thread that waits for results if the batch has been cancelled.

        Raises:
            SystemExit: the process ends, or the batch around this one was cancelled. A thread ends with it quietly.
        """
        if self.cancelled:
            raise SystemExit

    def forget(self) -> None:
        """Drop the batch: it has ended."""
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
    os.register_at_fork(after_in_child=RUNS.clear)  # its threads are not in the child

# Modules that register a hook of their own with threading, which waits for their workers.
_POOLS: Final = (
    "concurrent.futures.thread",
    "concurrent.futures.process",
    "loky.process_executor",
    "joblib.externals.loky.process_executor",
)


def _register_exit_hook() -> None:
    """Have batches cancelled at the end of the process before the hooks of pools run, which wait for their threads.

    Hooks of ``threading`` run last in, first out, before threads are joined; those of ``atexit`` run after that, too
    late for a batch in a pool's thread. So ours is registered again after each module of pools that was imported since.
    """
    seen = set(filter(sys.modules.__contains__, _POOLS))
    if not seen - _hooked:
        return
    register = getattr(threading, "_register_atexit", atexit.register)  # private, the same in Python 3.9 to 3.14
    try:
        register(_cancel_all)
    except RuntimeError:  # hooks are being run already
        Run.exiting = True
    _hooked.update(seen)


def _cancel_all() -> None:
    """The process ends: cancel all batches but those of threads that Python waits for."""
    Run.exiting = True
    deadline = time.monotonic() + _EXIT
    runs = [run for run in list(RUNS.values()) if not _is_waited_for(run.owner)]
    for run in runs:
        run.cancel()
    for run in runs:
        run.wait(max(0.0, deadline - time.monotonic()))


def _is_waited_for(thread: threading.Thread) -> bool:
    """Whether the process ends when this thread has ended, and not the other way round.

    Threads of a ThreadPoolExecutor would be waited for, too, but nobody sees any more what they do.
    """
    pooled = thread in getattr(_pool_threads, "_threads_queues", ())
    return thread.is_alive() and not thread.daemon and thread is not threading.main_thread() and not pooled


# --- threads of our own ----------------------------------------------------------------------------------------------

Reply: TypeAlias = "SimpleQueue[tuple[Any, BaseException | None]]"  #: of one item: a result, or what was raised


class Threads(Run):
    """Threads of our own that do calls in the order in which they come. They are started as calls come.

    Where the system gives no more threads, fewer do it; where it gives none, whoever waits for a result does.

    Args:
        workers: most threads.
    """

    def __init__(self, workers: int) -> None:
        self.shared = SharedStorage()
        self._most = workers
        self._begun = 0  # threads asked for
        self._process = os.getpid()
        self._calls: SimpleQueue[tuple[Callable[[], Any], Reply] | None] = SimpleQueue()
        self._ended: SimpleQueue[None] = SimpleQueue()  # an item for each thread that has ended
        self._storage: dict[Any, Any] = {}  # of the caller, if it works itself
        super().__init__()  # from here on it may be cancelled

    def submit(self, function: Callable[..., Any], *arguments: Any) -> Reply:
        """Have a function called by a thread; :meth:`result` waits for what it returns."""
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
        # In a thread of its own, since threading.Thread.start takes locks that are Python.
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
        """Make one call; False when there is none to be made."""
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
        """What a function returned.

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
            self.check()  # what a call that was stopped returns is not its result
            if error is not None:
                raise error
            return result

    def cancel(self) -> None:
        """Begin nothing more, and stop what can be stopped; from any thread, any number of times."""
        super().cancel()
        self._calls.put(None)

    def wait(self, seconds: float | None) -> None:
        """Wait until all threads have ended, at most so long. Batches that were not cancelled never end."""
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
        """Cancel what is not done, and wait until all threads have ended, but not in these two cases.

        An iterator that is dropped is not waited for: what a signal's handler raises while objects are collected is
        lost.
        When an exception is on its way that is not the batch's own, a signal's handler has raised it: then functions
        that cannot be stopped are not waited for.
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
    """Make calls in threads of their own while the block runs; when it ends, they are stopped and waited for.

    Where the system gives fewer threads, fewer calls are made. A call is stopped through :func:`stoppable`.

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
