"""A user's ``concurrent.futures.Executor`` as the workers of a batch.

The locks of executors and futures are written in Python, so a signal handler that raises can leave them locked. The
main thread uses them only while signals are held, and waits for results in a queue written in C.
"""

import contextlib
import time
from collections.abc import Callable
from concurrent.futures import CancelledError, Executor, Future
from queue import Empty, SimpleQueue
from typing import Any, Final

from gamecore.batch.workers import RUNS, TURN, Run
from gamecore.signals import Held, raised_by_handler
from gamecore.text import printable

_LOOK: Final = 1.0  # seconds between checks of a silent executor


class ExecutorFailed(Exception):
    """The executor did not answer.

    Attributes:
        cause: the exception that it raised.
    """

    def __init__(self, cause: BaseException) -> None:
        super().__init__(cause)
        self.cause = cause


# Executors whose submit() returns at once. Others may run the task in submit(), so it must be interruptible.
_PROMPT: Final = ("concurrent.futures.", "joblib.externals.loky.", "loky.", "distributed.")


class Remote(Run):
    """Tasks on a user's executor.

    Args:
        executor: anything with the ``submit`` of a ``concurrent.futures.Executor``.
    """

    def __init__(self, executor: Executor) -> None:
        self._executor = executor
        self._hold: Callable[[], contextlib.AbstractContextManager[None]] = contextlib.nullcontext
        if type(executor).__module__.startswith(_PROMPT):
            self._hold = Held
        self._futures: dict[Future[Any], None] = {}
        super().__init__()  # from here on it may be cancelled

    def submit(self, function: Callable[..., Any], *arguments: Any) -> "SimpleQueue[Future[Any]]":
        """Call a function in a worker; :meth:`result` waits for its result.

        Raises:
            ExecutorFailed: the executor takes no more.
        """
        done: SimpleQueue[Future[Any]] = SimpleQueue()
        with self._hold():
            try:
                future = self._executor.submit(_on_executor, self.key, function, *arguments)
            except Exception as error:
                if raised_by_handler(error):
                    raise
                raise ExecutorFailed(error) from error
            if not hasattr(future, "add_done_callback"):
                raise ExecutorFailed(TypeError(f"submit() must return a future, not {printable(future)}"))
            self._futures[future] = None
        with Held():
            future.add_done_callback(done.put)
            failure = future.exception() if future.done() and not future.cancelled() else None
        _raise_interruption(failure)
        return done

    def result(self, done: "SimpleQueue[Future[Any]]") -> Any:
        """Return a function's result.

        Raises:
            ExecutorFailed: the executor cancelled it, broke, or will never complete it.
            SystemExit: the batch was cancelled. KeyboardInterrupt: the future holds one.
        """
        looked, closed = time.monotonic(), False
        while True:
            try:
                future = done.get(timeout=TURN)
                break
            except Empty:
                self.check()
            if time.monotonic() - looked < _LOOK:
                continue
            if closed:
                raise ExecutorFailed(RuntimeError("the Dask client is closed"))
            # Futures of a closed Dask client may stay pending for ever.
            closed = getattr(getattr(self._executor, "_client", None), "status", None) == "closed"
            looked = time.monotonic()
        with Held():
            self._futures.pop(future, None)
            failure: BaseException | None = CancelledError() if future.cancelled() else future.exception()
            result = future.result() if failure is None else None
        self.check()
        _raise_interruption(failure)
        if failure is not None:
            raise ExecutorFailed(failure) from failure
        return result

    def cancel(self) -> None:
        """Start no more tasks and stop running ones where possible; from any thread, any number of times."""
        super().cancel()
        with Held():
            for future in list(self._futures):
                future.cancel()

    def close(self) -> None:
        """Cancel waiting tasks. Running tasks of other processes finish there."""
        try:
            self.cancel()
        finally:
            self.forget()


def _raise_interruption(failure: BaseException | None) -> None:
    """Raise a future's exception if a signal handler raised it: some executors run tasks in the calling thread."""
    if isinstance(failure, KeyboardInterrupt) or (failure is not None and raised_by_handler(failure)):
        raise failure


def _on_executor(key: str, function: Callable[..., Any], *arguments: Any) -> Any:
    """Run a task in an executor's worker. In this process it can be stopped like the tasks of our own threads."""
    run = RUNS.get(key)
    if run is None:
        return function(*arguments)
    if run.cancelled:
        return None
    with run.at_work(None):
        return function(*arguments)
