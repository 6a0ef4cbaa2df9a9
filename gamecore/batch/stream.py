"""Run a task on chunks of items, over threads or an executor, with results in order: :func:`stream`."""

import contextlib
import functools
import itertools
import time
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence, Sized
from concurrent.futures import CancelledError, Future, wait
from dataclasses import dataclass
from typing import Any, Final, TypeAlias, TypeVar

from gamecore.batch.plan import Plan
from gamecore.batch.progress import Bar
from gamecore.batch.workers import Workers
from gamecore.errors import BatchError, OptionError
from gamecore.text import describe, printable

R = TypeVar("R")

MOST_ITEMS: Final = 1 << 17  #: items in a chunk
_TARGET: Final = 0.4  # seconds of a task
_GROWTH: Final = 8  # largest growth from a finished chunk to the next one
_LOOK: Final = 2.0  # seconds between checks of an executor's size
_TURN: Final = 0.05  # seconds between checks for cancellation


@dataclass(frozen=True, slots=True)
class Part:
    """A chunk's answers: number of its first item, number of items, the task's result, errors by place in the chunk."""

    start: int
    count: int
    result: Any
    errors: dict[int, Exception]


Parts: TypeAlias = Generator[Part, None, None]


class Items:
    """Items in chunks of any size, read only when a chunk needs them.

    Args:
        items: any iterable. A ``range`` is handed to ``pack`` in slices: the places of items stored elsewhere.
        pack: converts items to a payload, with placeholders for bad items, and errors by place.
        keep_errors: pass bad items on; otherwise the first one ends the batch.
        total: the number of items, if known and ``items`` has no length.

    Attributes:
        total: the number of items, if known.
        failure: the error of the next item, if the items ended early.

    Raises:
        OptionError: not an iterable.
    """

    def __init__(
        self,
        items: Iterable[Any],
        pack: Callable[[Any], tuple[Any, dict[int, Exception]]],
        keep_errors: bool = False,
        name: str = "items",
        total: int | None = None,
    ) -> None:
        if not isinstance(items, Iterable) or isinstance(items, (str, bytes)):
            raise OptionError(f"{name} must be a list or another iterable, not {printable(items)}")
        self.total = len(items) if isinstance(items, Sized) else total
        self.failure: Exception | None = None
        self._stored = items if isinstance(items, range | list | tuple) else None
        self._taken, self._rest = 0, iter(items)
        self._pack, self._keep = pack, keep_errors

    def take(self, count: int) -> tuple[int, Any, dict[int, Exception]] | None:
        """Return the number, payload and errors of at most this many next items; None at the end.

        A bad item that ends the batch is not among them.
        """
        items = self._read(count) if self.failure is None else ()
        payload, errors = self._pack(items) if items else (None, {})
        if errors and not self._keep:
            first = min(errors)
            self.failure, items = errors[first], items[:first]
            payload, errors = self._pack(items) if items else (None, {})
        return (len(items), payload, errors) if items else None

    def _read(self, count: int) -> Sequence[Any]:
        if self._stored is not None:
            self._taken += count
            return self._stored[self._taken - count : self._taken]
        items: list[Any] = []
        try:
            for item in itertools.islice(self._rest, count):
                items.append(item)  # one by one, to keep what came before an exception
        except Exception as error:
            self.failure = error
        return items


def stream(
    task: Callable[..., Any],
    source: Items,
    plan: Plan,
    *,
    name: str = "items",
    first: int = 1,
    most: int = MOST_ITEMS,
    in_turn: bool = False,
) -> Parts:
    """Run ``task`` on the payload of every chunk; yield results in the order of the items.

    Args:
        task: called in a worker; picklable if the executor needs that. An exception that it raises ends the batch.
        source: the items.
        plan: the options.
        name: of the items, for messages.
        first, most: items in the first chunks, and in any.
        in_turn: also pass the number of positions that one worker may have to solve from this chunk's first one on.

    Raises:
        BatchError: see there; its ``done`` is empty. CancelledError: the batch runs in a task that was cancelled.
    """
    begun, left, size, cost = 0, source.total, first, 0.0
    width, asked = plan.parallel(), time.monotonic()
    pending: deque[tuple[int, dict[int, Exception], Future[Any]]] = deque()
    workers = Workers(plan.executor, width if left is None else min(width, left))
    try:
        with Bar(plan.progress, source.total, name) as bar:
            if workers.is_alone and plan.whole and not in_turn and not bar.is_watched:
                size = most
            while True:
                ahead = 1 if workers.is_alone else 2 * width
                while len(pending) < ahead and (chunk := source.take(_size_near_the_end(size, left, width))):
                    count, payload, errors = chunk
                    turns = (max(count, (left or 0) / width),) if in_turn else ()
                    left = None if left is None else max(0, left - count)
                    call = functools.partial(_timed, task, payload, *turns)
                    pending.append((count, errors, workers.submit(call)))
                if not pending:
                    break
                count, errors, future = pending.popleft()
                error = _failure(future, workers, plan.executor)
                if error is not None:
                    raise _batch_error(error, begun, source.total, plan, name) from error
                seconds, result = future.result()
                cost = (cost or seconds / count) / 2 + seconds / count / 2
                size = max(1, min(most, _GROWTH * count, int(_TARGET / max(cost, 1e-9))))
                if plan.executor is not None and time.monotonic() - asked > _LOOK:  # clusters grow and shrink
                    width, asked = plan.parallel(), time.monotonic()
                yield Part(begun, count, result, errors)
                begun += count
                bar.report(begun)
    finally:
        for *_, future in pending:
            future.cancel()
        workers.close()
    if source.failure is not None:
        raise BatchError(f"{name}[{begun}]: {describe(source.failure)}", begun) from source.failure


def _size_near_the_end(size: int, left: int | None, width: int) -> int:
    """Shrink the last chunks of a batch of known length, so that no worker waits long for another."""
    if left is None or width == 1:
        return size
    return max(1, size // 8, min(size, -(-left // (2 * width))))


def _timed(task: Callable[..., Any], *arguments: Any) -> tuple[float, Any]:
    """Return the wall-clock seconds of a task and its result."""
    start = time.perf_counter()
    result = task(*arguments)
    return time.perf_counter() - start, result


def _failure(future: Future[Any], workers: Workers, executor: Any) -> BaseException | None:
    """Wait for a task; return its exception.

    Raises:
        CancelledError: the run was cancelled. KeyboardInterrupt: a worker process was interrupted.
    """
    while not future.done():
        wait([future], _TURN)
        workers.check()
        # Futures of a closed Dask client may stay pending for ever.
        if getattr(getattr(executor, "_client", None), "status", None) == "closed" and not future.done():
            return RuntimeError("the Dask client is closed")
    workers.check()
    error = CancelledError() if future.cancelled() else future.exception()
    if isinstance(error, KeyboardInterrupt):
        raise error
    return error


def _batch_error(error: BaseException, begun: int, total: int | None, plan: Plan, name: str) -> BatchError:
    if plan.executor is None:
        return BatchError(f"{name}[{begun}] and on: {describe(error)}", begun)
    answered = begun if total is None else f"{begun} of {total}"
    return BatchError(f"the executor failed ({describe(error)}); {answered} {name} had been answered", begun)


def gather(parts: Parts, build: Callable[[list[Part]], R]) -> R:
    """Return all answers of a batch.

    Raises:
        BatchError: ``done`` has the answers before.
    """
    collected: list[Part] = []
    try:
        with contextlib.closing(parts):
            for part in parts:
                collected.append(part)  # one by one, to keep the parts before an error
    except BatchError as error:
        error.done = build(collected)
        raise
    return build(collected)


def flattened(parts: Parts, answers: Callable[[Part], Iterable[R]]) -> Iterator[R]:
    """Yield the answers of parts one by one; closing the iterator cancels the rest."""
    with contextlib.closing(parts):
        for part in parts:
            yield from answers(part)
