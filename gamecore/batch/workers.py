"""Cancellation of running searches, and their workers: :class:`Run`."""

import atexit
import contextlib
import os
import threading
import time
import weakref
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import CancelledError, Executor, Future
from queue import SimpleQueue
from typing import Any, Final, TypeAlias

from gamecore.text import printable

Answer: TypeAlias = "Future[tuple[float, Any]]"  #: of a call: its seconds and its result
Call: TypeAlias = tuple[Any, ...]  # the run's key, a function and its arguments
_GRACE: Final = 0.3  # seconds to wait for threads to end: a function of the user's cannot be stopped
_TURN: Final = 0.05  # seconds between checks for cancellation

_here = threading.local()  # ``run``: what this thread works for


def current_run() -> "Run | None":
    """Return the run that this thread works for."""
    return getattr(_here, "run", None)


def is_cancelled() -> bool:
    """Return True once this task's batch has been cancelled."""
    run = current_run()
    return run is not None and run.cancelled


class stoppable:
    """While active, cancelling the batch calls ``stop``, from any thread, maybe repeatedly."""

    __slots__ = ("_run", "_stop")

    def __init__(self, stop: Callable[[], object]) -> None:
        self._stop, self._run = stop, getattr(_here, "run", None)  # no call: searches are short

    def __enter__(self) -> None:
        run = self._run
        if run is not None:
            run.stops[self], run.stoppable = self._stop, True
            if run.cancelled:
                self._stop()

    def __exit__(self, *error: object) -> None:
        if self._run is not None:
            self._run.stops.pop(self, None)


class Run:
    """A batch or search that can be cancelled, with its workers. Cancelling it cancels the runs that its tasks began.

    The threads are daemon threads: a process can end while an iterator over hard positions is still open. (It waits for
    the threads of a ``ThreadPoolExecutor``.)

    Args:
        executor: makes the calls; None: threads, or without threads the calling thread, at once.
        count: number of threads; if the system refuses threads, there are fewer, or none.
        is_remote: True if the batch runs in another process, which cannot cancel it here.

    Attributes:
        key: its name in all processes.
        cancelled: True once it has been cancelled.
        stops: cancel callbacks, keyed by an arbitrary object.
        stoppable: True once a search in it, but not in a run within it, could be stopped.
        local: storage of each of its threads.
        shared: what its threads share, by key; hold ``lock`` while reading or writing it.
    """

    def __init__(self, executor: Executor | None = None, count: int = 0, *, is_remote: bool = False) -> None:
        self.key, self.is_remote, self._outer = _process() + os.urandom(16).hex(), is_remote, current_run()
        self.stops: dict[object, Callable[[], object]] = {}
        self.stoppable = self.cancelled = False
        self.local, self.lock = threading.local(), threading.Lock()
        self.shared: dict[str, Any] = {}
        self.executor, self.threads = executor, list[threading.Thread]()
        self._calls: SimpleQueue[tuple[Answer, Call] | None] = SimpleQueue()
        self._running: dict[Answer, threading.Lock] = {}  # by call, a lock that is released when it is done
        _runs[self.key] = self
        if self._outer is not None:
            self._outer.stops[self] = self.cancel
            if self._outer.cancelled:
                self.cancel()
        try:
            with contextlib.suppress(RuntimeError, MemoryError):
                while executor is None and len(self.threads) < count:
                    thread = threading.Thread(target=self._work, name="gamecore", daemon=True)
                    thread.start()
                    self.threads.append(thread)
        except BaseException:  # Ctrl-C: nobody would end the threads that have been started
            self.cancel()
            raise

    def cancel(self) -> None:
        """Start no more tasks and stop running ones where possible; from any thread, any number of times."""
        self.cancelled = True
        for stop in list(self.stops.values()):
            stop()
        self._calls.put(None)

    def close(self) -> None:
        """Cancel the run and wait a moment for its threads."""
        self.cancel()
        if not _ending.is_set():  # since Python 3.14 nobody can join them then
            _join(self.threads)
        if self._outer is not None:
            self._outer.stops.pop(self, None)

    def check(self) -> None:
        """Raise CancelledError if the run was cancelled, so that the result of a stopped search is never used."""
        if self.cancelled:  # at the end of the process, end a daemon thread without a traceback
            raise SystemExit if _ending.is_set() else CancelledError("the batch was cancelled")

    @contextlib.contextmanager
    def at_work(self) -> Iterator[None]:
        """While active, this thread works for the run."""
        before = current_run()
        _here.run = self
        try:
            yield
        finally:
            _here.run = before

    def submit(self, function: Callable[..., Any], *arguments: object) -> Answer:
        """Call a function; return the future of the seconds that it takes and its result."""
        future: Answer = Future()
        call: Call = (self.key, function, *arguments)
        if self.executor is not None:
            try:
                submitted = self.executor.submit(_call, *call)
                if not isinstance(submitted, Future):
                    raise TypeError(f"submit() must return a future, not {printable(submitted)}")
                future = submitted
            except Exception as error:
                future.set_exception(error)
        elif self.threads:
            self._calls.put((future, call))
        else:
            _complete(future, call)
        self.stops[future] = future.cancel
        running = self._running[future] = threading.Lock()
        running.acquire()
        future.add_done_callback(lambda _: running.release())
        return future

    def wait(self, future: Answer) -> None:
        """Wait until a call is done.

        Raises:
            CancelledError: the run was cancelled.
        """
        # Ctrl-C in ``concurrent.futures.wait`` may leave a lock, for which a pool's thread waits for ever; and
        # ``SimpleQueue.get`` waits for ever if the thread is preempted until its timeout has passed.
        while not self._running[future].acquire(timeout=_TURN):
            self.check()
            # Futures of a closed Dask client may stay pending for ever.
            if getattr(getattr(self.executor, "_client", None), "status", None) == "closed" and not future.done():
                future.set_exception(RuntimeError("the Dask client is closed"))
        self.check()
        del self.stops[future], self._running[future]

    def _work(self) -> None:
        while (item := self._calls.get()) is not None:
            if item[0].set_running_or_notify_cancel():
                _complete(*item)
            del item  # free a result that was fetched while this thread waits
        self._calls.put(None)  # for the next thread


_ending = threading.Event()  # set at the end of the process
_runs: "weakref.WeakValueDictionary[str, Run]" = weakref.WeakValueDictionary()
_interrupted: set[str] = set()  # keys of runs that Ctrl-C ended in this process
_ORIGIN: Final = os.urandom(16).hex()  # of this process and its forks


def _process() -> str:
    """Return what the keys of this process's runs begin with; a forked process also holds runs of its parent."""
    return f"{_ORIGIN} {os.getpid()} "


@atexit.register
def _cancel_all() -> None:
    """Cancel everything at the end of the process, so that no kernel runs while the interpreter is taken down."""
    _ending.set()
    for key, run in list(_runs.items()):
        if key.startswith(_process()):
            run.cancel()
    _join([thread for thread in threading.enumerate() if thread.name == "gamecore"])


def _join(threads: Sequence[threading.Thread]) -> None:
    end = time.monotonic() + _GRACE
    for thread in threads:
        if thread is not threading.current_thread():
            with contextlib.suppress(RuntimeError):  # another thread is about to start it
                thread.join(max(0.0, end - time.monotonic()))


def _complete(future: Answer, call: Call) -> None:
    """Make a call; set its result, or what it raises."""
    try:
        result = _call(*call)
    except BaseException as error:
        future.set_exception(error)
    else:
        future.set_result(result)


def _call(key: str, function: Callable[..., Any], *arguments: object) -> tuple[float, Any]:
    """Return the wall-clock seconds and the result of a call that works for the run of this key."""
    run = _runs.get(key) if key.startswith(_process()) else Run(is_remote=True)
    if run is None:  # Ctrl-C in an executor's submit(): nobody can cancel this call
        raise CancelledError("the batch has ended")
    if key in _interrupted:  # a process pool may have queued further calls here, which cannot be cancelled
        run.cancel()
    run.check()
    begun = time.perf_counter()
    try:
        with run.at_work():
            result = function(*arguments)
    except KeyboardInterrupt:
        _interrupted.add(key)
        raise
    return time.perf_counter() - begun, result


@contextlib.contextmanager
def beside(calls: Sequence[Callable[[], object]]) -> Iterator[None]:
    """Make calls in other threads while the block runs; stop them and wait for them at its end.

    If the system refuses threads, fewer calls are made. A call is stopped through :class:`stoppable`.

    Raises:
        Whatever one of the calls raised, if the block itself raised nothing.
    """
    run = Run(count=len(calls))
    futures: list[Answer] = []
    try:
        futures.extend(map(run.submit, calls[: len(run.threads)]))
        yield
    finally:
        run.close()
        while not all(future.done() for future in futures):
            time.sleep(_TURN)
    for future in futures:
        with contextlib.suppress(CancelledError):
            future.result()
