"""Batches of a function of one item: :func:`run` and :func:`imap`."""

import contextlib
import functools
import itertools
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor
from typing import Any, TypeVar

from gamecore.batch.plan import OnError, Plan, Progress, Shares
from gamecore.batch.stream import Items, Part, Parts, Raised, flattened, gather, stream
from gamecore.batch.workers import is_cancelled
from gamecore.errors import BatchError
from gamecore.signals import raised_by_handler
from gamecore.text import describe

T = TypeVar("T")
R = TypeVar("R")


def each(function: Callable[..., Any], keep_errors: bool, shares: Shares | None, given: Any) -> list[Any]:
    """Return the answers of a chunk, up to the first bad item unless errors are kept: the task of :func:`imap`.

    An item that is an exception is its own answer. An exception of the function is a ``Raised``. With ``shares``, the
    payload is :class:`Numbered` and the function also gets ``limits``.
    """
    answers: list[Any] = []
    payload = given if shares is None else given.payload
    turns = None if shares is None else shares.in_turn(given.rest)
    for item in payload[0]:
        if is_cancelled():
            break
        try:
            if isinstance(item, Exception):
                answers.append(item)
            else:
                answers.append(function(item) if turns is None else function(item, limits=next(turns)))
        except Exception as error:
            if raised_by_handler(error):
                raise
            answers.append(Raised(error))
            if not keep_errors:
                break
    return answers


def _as_list(items: list[Any]) -> tuple[tuple[Any, ...], dict[int, Exception]]:
    return (items,), {place: item for place, item in enumerate(items) if isinstance(item, Exception)}


def each_part(
    function: Callable[..., Any],
    items: Iterable[Any],
    plan: Plan,
    name: str = "items",
    total: int | None = None,
    shares: Shares | None = None,
) -> Parts:
    """Yield parts whose results are lists of answers, including errors if they are kept.

    With ``shares``, the function also gets ``limits``. An item that is an exception is a bad item.

    Raises:
        BatchError, OptionError: as for :func:`imap`.
    """
    source = Items(items, _as_list, chained, plan.keeps_errors, name, total)
    task = functools.partial(each, function, plan.keeps_errors, shares)
    with contextlib.closing(stream(task, source, plan, name=name, numbered=shares is not None)) as parts:
        for part in parts:
            answers = [answer.error if isinstance(answer, Raised) else answer for answer in part.result]
            bad = next((place for place, answer in enumerate(part.result) if isinstance(answer, Raised)), None)
            for place, error in part.errors.items():
                answers[place] = error
            if bad is not None and not plan.keeps_errors:
                if bad:
                    yield Part(part.start, bad, answers[:bad], {})
                at = part.start + bad
                raise BatchError(f"{name}[{at}]: {describe(answers[bad])}", at) from answers[bad]
            yield Part(part.start, part.count, answers, part.errors)


def chained(parts: Iterable[Iterable[Any]]) -> list[Any]:
    """Return the items of all parts, in order."""
    return list(itertools.chain.from_iterable(parts))


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
    return gather(parts, lambda found: chained([part.result for part in found]))
