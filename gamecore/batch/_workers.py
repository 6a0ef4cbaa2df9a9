"""The workers of a batch: threads of our own and what their tasks may keep, and answers of anybody's workers."""

import contextlib
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from typing import Any, Final

from gamecore.batch._signals import Held

_TURN: Final = 0.05  # seconds for which a Ctrl-C may wait
_LOOK: Final = 1.0  # seconds between looks at an executor from which nothing comes

_here = threading.local()


def kept() -> dict[Any, Any]:
    """What a task leaves for the next ones of the same batch in the same thread; on executors, a new dict each time."""
    found: dict[Any, Any] | None = getattr(_here, "kept", None)
    return {} if found is None else found


@contextlib.contextmanager
def keeping(mine: dict[Any, Any]) -> Iterator[None]:
    """Have tasks of this thread keep things in ``mine`` meanwhile."""
    before = getattr(_here, "kept", None)
    _here.kept = mine
    try:
        yield
    finally:
        _here.kept = before


def common() -> "Common | None":
    """What the threads of a batch have in common; None on executors and where there is one thread."""
    threads: Threads | None = getattr(_here, "threads", None)
    return None if threads is None else threads.common


@dataclass
class Common:
    """Things by key, and the lock to hold while looking at them."""

    lock: threading.Lock = field(default_factory=threading.Lock)
    things: dict[Any, Any] = field(default_factory=dict)


@contextlib.contextmanager
def stoppable(stop: Callable[[], object]) -> Iterator[None]:
    """Have ``stop`` called, from another thread and perhaps several times, when the batch is given up meanwhile."""
    threads: Threads | None = getattr(_here, "threads", None)
    if threads is None:
        yield
        return
    threads.register(stop)
    try:
        yield
    finally:
        threads.forget(stop)


def timed(task: Callable[[Any], Any], payload: Any) -> tuple[float, Any, Exception | None]:
    """In the worker: an exception comes back as a value, so that any other is known to be the executor's."""
    start = time.perf_counter()
    try:
        result = task(payload)
    except Exception as error:
        return time.perf_counter() - start, None, error
    return time.perf_counter() - start, result, None


class Threads:
    """Threads of our own: they keep what a task wants kept, and a search that runs in them can be stopped."""

    def __init__(self, workers: int) -> None:
        """Start none yet."""
        self.pool = ThreadPoolExecutor(workers, "gamecore", initializer=self._begin)
        self._lock = threading.Lock()
        self._stops: list[Callable[[], object]] = []
        self.common = Common()

    def _begin(self) -> None:
        _here.threads = self
        _here.kept = {}

    def register(self, stop: Callable[[], object]) -> None:
        """Call ``stop`` when the batch is given up."""
        with self._lock:
            self._stops.append(stop)

    def forget(self, stop: Callable[[], object]) -> None:
        """No longer."""
        with self._lock:
            self._stops.remove(stop)

    def submit(self, function: Callable[..., Any], *arguments: Any) -> Future[Any]:
        """As of a pool."""
        with Held():
            return self.pool.submit(function, *arguments)

    def close(self, running: list[Future[Any]]) -> None:
        """Stop what is running, and wait for it; a Ctrl-C meanwhile gives the waiting up."""
        ended = not running
        try:
            while not ended:
                with self._lock:
                    stops = list(self._stops)
                for stop in stops:  # again and again: a task may not have begun yet
                    stop()
                with Held():
                    ended = not wait(running, timeout=0.005).not_done
        finally:
            with Held():
                self.pool.shutdown(wait=ended)
                del self.pool  # threads die in weak references' functions, and those lose a Ctrl-C


# Executors whose submit() starts workers and returns: others may run the task in it, which has to be interruptible.
_PROMPT: Final = ("concurrent.futures.", "joblib.externals.loky.", "loky.", "distributed.")


def submitter(executor: Executor) -> Callable[..., Future[Any]]:
    """The executor's ``submit``, with Ctrl-C held where that is known to be short."""
    if not type(executor).__module__.startswith(_PROMPT):
        return executor.submit

    def submit(function: Callable[..., Any], *arguments: Any) -> Future[Any]:
        with Held():
            return executor.submit(function, *arguments)

    return submit


class ExecutorFailed(Exception):
    """The executor did not answer: why.

    Attributes:
        cause: what it raised.
    """

    def __init__(self, cause: BaseException) -> None:
        """Keep the cause."""
        super().__init__(cause)
        self.cause = cause


def answer(future: Future[Any], executor: object) -> Any:
    """What a future of the executor (None: our threads) gives; KeyboardInterrupt and the like pass.

    Raises:
        ExecutorFailed: the executor cancelled it, or will never complete it.
    """
    looked = time.monotonic()
    closed = False
    try:
        while True:
            with Held():
                try:
                    return future.result(_TURN)
                except TimeoutError:
                    if future.done():  # in this very moment, or it is the executor's error
                        return future.result()
            if time.monotonic() - looked < _LOOK:
                continue
            if closed:
                raise ExecutorFailed(RuntimeError("the Dask client is closed"))
            # Futures of a Dask client that is closed while they are under way may stay pending for ever.
            closed = getattr(getattr(executor, "_client", None), "status", None) == "closed"
            looked = time.monotonic()
    except (KeyboardInterrupt, SystemExit, GeneratorExit, ExecutorFailed):
        raise
    except BaseException as error:  # asyncio's CancelledError is no Exception
        raise ExecutorFailed(error) from error


def finished(futures: list[Future[Any]]) -> bool:
    """Whether all are done."""
    with Held():
        return all(future.done() for future in futures)


def cancelled(futures: Iterable[Future[Any]]) -> list[Future[Any]]:
    """Cancel futures; those that cannot be cancelled any more."""
    left = []
    for future in futures:
        with Held():
            if not future.cancel():
                left.append(future)
    return left
