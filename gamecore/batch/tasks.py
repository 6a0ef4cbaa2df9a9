"""Batches of a function of one item: :func:`run` and :func:`imap`."""

import contextlib
import functools
import itertools
import pickle
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor
from typing import Any, TypeVar

from gamecore.batch.plan import OnError, Plan, Progress, limits_of_chunk
from gamecore.batch.stream import Items, Part, Parts, flattened, gather, stream
from gamecore.batch.workers import is_cancelled, is_remote
from gamecore.errors import BatchError, WorkerError
from gamecore.limits import Limits
from gamecore.text import describe, without_controls

T = TypeVar("T")
R = TypeVar("R")


def _with_errors(items: list[Any]) -> tuple[list[Any], dict[int, Exception]]:
    """Return items, and the exceptions among them by place."""
    return items, {place: item for place, item in enumerate(items) if isinstance(item, Exception)}


def _each(
    function: Callable[..., Any], keep_errors: bool, limits: Limits | None, items: list[Any], turns: float = 1
) -> tuple[list[Any], dict[int, Exception]]:
    """Return the answers of a chunk, and errors by place: up to the first one unless errors are kept."""
    if limits is not None:
        function = functools.partial(function, limits=limits_of_chunk(limits, turns))
    answers: list[Any] = []
    errors: dict[int, Exception] = {}
    for place, item in enumerate(items):
        if is_cancelled() or (errors and not keep_errors):
            break
        try:
            answers.append(item if isinstance(item, Exception) else function(item))
        except Exception as error:
            errors[place] = _portable(error) if is_remote() else error
            answers.append(errors[place])
    return answers, errors


def _portable(error: Exception) -> Exception:
    """Return an exception that can be unpickled: process pools break on others, and Dask hangs."""
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:
        text = ""
        with contextlib.suppress(Exception):
            text = str(error)
        kind = type(error)
        return WorkerError(without_controls(f"{kind.__module__}.{kind.__qualname__}"), text)
    return error


def each_part(
    function: Callable[..., Any],
    items: Iterable[Any],
    plan: Plan,
    name: str = "items",
    total: int | None = None,
    limits: Limits | None = None,
) -> Parts:
    """Yield parts whose results are lists of answers, including errors if they are kept.

    Args:
        function: of one item; with ``limits``, it also gets those of the item.
        items: an item that is an exception is a bad item.
        plan, name, total: see :func:`gamecore.batch.stream.stream`.
        limits: of each item; all share the time until a deadline.

    Raises:
        BatchError, OptionError: as for :func:`imap`.
    """
    source = Items(items, _with_errors, plan.keeps_errors, name, total)
    task = functools.partial(_each, function, plan.keeps_errors, limits)
    in_turn = limits is not None and limits.deadline is not None
    with contextlib.closing(stream(task, source, plan, name=name, in_turn=in_turn)) as parts:
        for part in parts:
            answers, errors = part.result
            if errors and not plan.keeps_errors:
                bad, error = next(iter(errors.items()))
                if bad:
                    yield Part(part.start, bad, answers[:bad], {})
                index = part.start + bad
                raise BatchError(f"{name}[{index}]: {describe(error)}", index) from error
            yield Part(part.start, part.count, answers, part.errors | errors)


def imap(
    function: Callable[[T], R],
    items: Iterable[T],
    *,
    workers: int | None = 1,
    executor: Executor | None = None,
    progress: Progress = None,
    on_error: OnError = "raise",
) -> Iterator[R]:
    """Yield ``map(function, items)`` in order, over threads or an executor, reading only a few chunks of items ahead.

    Args:
        function: of one item. For processes and clusters it must be picklable: a function of a module.
        items: any iterable. workers, executor, progress, on_error: see :class:`Plan`. With ``on_error="return"`` an
            answer may be the exception that ``function`` raised.

    Raises:
        OptionError: a bad option. BatchError: the function raised, or the executor died.
    """
    parts = each_part(function, items, Plan(workers, executor, progress, on_error))
    return flattened(parts, lambda part: part.result)


def run(
    function: Callable[[T], R],
    items: Iterable[T],
    *,
    workers: int | None = 1,
    executor: Executor | None = None,
    progress: Progress = None,
    on_error: OnError = "raise",
) -> list[R]:
    """Return the list of what :func:`imap` yields; on an error, its ``done`` has the answers before.

    Raises:
        OptionError: a bad option. BatchError: the function raised, or the executor died.
    """
    parts = each_part(function, items, Plan(workers, executor, progress, on_error))
    return gather(parts, lambda collected: list(itertools.chain.from_iterable(part.result for part in collected)))
