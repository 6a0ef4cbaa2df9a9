"""What comes of a task: a result, or an exception that can be sent from one process to another."""

import contextlib
import pickle
import sys
import time
from collections.abc import Callable
from typing import Any, NamedTuple, TypeAlias

from gamecore.errors import WorkerError
from gamecore.signals import raised_by_handler
from gamecore.text import without_controls


class Raised:
    """In place of a task's result: what it raised. Pickles whatever the exception is.

    Classes of exceptions that take other arguments than they hand on cannot be unpickled; process pools break and Dask
    hangs where they are given one. Such an exception arrives as a WorkerError with its name and text.
    """

    __slots__ = ("error",)

    def __init__(self, error: BaseException) -> None:
        self.error = error

    def __reduce__(self) -> tuple[Any, ...]:
        kind = type(self.error)
        name = kind.__qualname__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__qualname__}"
        try:
            text = str(self.error)
        except Exception:
            text = ""
        data = None
        pickler: Any = sys.modules.get("cloudpickle") or sys.modules.get("joblib.externals.cloudpickle") or pickle
        with contextlib.suppress(Exception):
            data = pickler.dumps(self.error)
        return _raised, (data, name, text)


def _raised(data: bytes | None, name: str, text: str) -> Raised:
    if data is not None:
        try:
            error = pickle.loads(data)
        except Exception as failure:
            if raised_by_handler(failure):
                raise
        else:
            if isinstance(error, BaseException):
                return Raised(error)
    return Raised(WorkerError(without_controls(name), text))


class Outcome(NamedTuple):
    """What came of a task: wall-clock seconds, its result or a :class:`Raised`, and the number of the task."""

    seconds: float
    result: Any
    number: str


Task: TypeAlias = Callable[[Any], Any]


def timed(task: Task, payload: Any, number: str = "") -> Outcome:
    """Do a task. Return its exception as a value, so that any other exception is known to be the executor's.

    Args:
        task, payload: what is called, and with what.
        number: tells this outcome from those of all other tasks.
    """
    start = time.perf_counter()
    try:
        result = task(payload)
    except Exception as error:
        if raised_by_handler(error):
            raise
        result = Raised(error)
    return Outcome(time.perf_counter() - start, result, number)
