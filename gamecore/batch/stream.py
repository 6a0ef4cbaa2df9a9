"""Run a task on chunks of items, over threads or an executor, with results in order: :func:`stream`."""

import contextlib
import itertools
import time
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence, Sized
from concurrent.futures import CancelledError, wait
from dataclasses import dataclass
from typing import Any, Final, TypeAlias, TypeVar

from gamecore.batch.plan import Plan
from gamecore.batch.progress import Bar
from gamecore.batch.workers import TURN, Here, Remote, Run, Threads
from gamecore.errors import BatchError, OptionError
from gamecore.text import describe, printable

R = TypeVar("R")
Task: TypeAlias = Callable[..., Any]

MOST_ITEMS: Final = 1 << 17  #: items in a chunk
_TARGET: Final = 0.4  # seconds of a task
_GROWTH: Final = 8  # largest growth from a finished chunk to the next one
_LOOK: Final = 2.0  # seconds between checks of an executor's size and state


@dataclass(frozen=True, slots=True)
class Chunk:
    """Items for a task: their number, their payload, and the errors of bad items by place in the chunk."""

    count: int
    payload: Any
    errors: dict[int, Exception]


@dataclass(frozen=True, slots=True)
class Part:
    """A chunk's answers: number of its first item, number of items, the task's result, errors by place."""

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

    def take(self, count: int) -> Chunk | None:
        """Return at most this many next items, up to a bad one that ends the batch; None at the end."""
        items = self._read(count) if self.failure is None else ()
        if not items:
            return None
        payload, errors = self._pack(items)
        if errors and not self._keep:
            first = min(errors)
            self.failure, items = errors[first], items[:first]
            if not items:
                return None
            payload, errors = self._pack(items)
        return Chunk(len(items), payload, errors)

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


# --- running ----------------------------------------------------------------------------------------------------------


def stream(
    task: Task,
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
    begun = 0
    with Bar(plan.progress, source.total, name) as bar:
        whole = plan.whole and not in_turn and not bar.is_watched
        with contextlib.closing(_outcomes(task, source, plan, first, most, whole, in_turn)) as outcomes:
            for chunk, result, error in outcomes:
                if isinstance(error, KeyboardInterrupt):  # of a worker process
                    raise error
                if error is not None and plan.executor is None:
                    raise BatchError(f"{name}[{begun}] and on: {describe(error)}", begun) from error
                if error is not None:
                    answered = begun if source.total is None else f"{begun} of {source.total}"
                    text = f"the executor failed ({describe(error)}); {answered} {name} had been answered"
                    raise BatchError(text, begun) from error
                yield Part(begun, chunk.count, result, chunk.errors)
                begun += chunk.count
                bar.report(begun)
    if source.failure is not None:
        raise BatchError(f"{name}[{begun}]: {describe(source.failure)}", begun) from source.failure


def _run_for(plan: Plan, total: int | None) -> Here | Threads | Remote:
    """Return the workers of a batch: threads, the calling thread, or those of an executor."""
    if plan.executor is not None:
        return Remote(plan.executor)
    workers = plan.parallel() if total is None else min(plan.parallel(), total)
    if workers > 1:
        threads = Threads(workers)
        if threads.threads:
            return threads
    return Here()


def _outcomes(
    task: Task, source: Items, plan: Plan, first: int, most: int, whole: bool, in_turn: bool
) -> Generator[tuple[Chunk, Any, BaseException | None], None, None]:
    """Yield each chunk with its result or the error that ends the batch, at most two chunks a worker ahead."""
    run = _run_for(plan, source.total)
    width, asked = plan.parallel(), time.monotonic()
    ahead = 1 if isinstance(run, Here) else 2 * width
    size = most if isinstance(run, Here) and whole else first
    left, cost = source.total, 0.0
    pending: deque[tuple[Any, Chunk]] = deque()
    refused: tuple[Chunk, None, Exception] | None = None
    try:
        while True:
            while refused is None and len(pending) < ahead:
                chunk = source.take(_size_near_the_end(size, left, width))
                if chunk is None:
                    break
                turns = (max(chunk.count, (left or 0) / width),) if in_turn else ()
                left = None if left is None else max(0, left - chunk.count)
                try:
                    pending.append((run.submit(_timed, task, chunk.payload, *turns), chunk))
                except Exception as error:  # chunks that were submitted before may still finish
                    refused = chunk, None, error
            if not pending:
                break
            future, chunk = pending.popleft()
            failure = _failure(future, run, plan.executor)
            if failure is not None:
                yield chunk, None, failure
                return
            seconds, result = future.result()
            cost = (cost or seconds / chunk.count) / 2 + seconds / chunk.count / 2
            size = max(1, min(most, _GROWTH * chunk.count, int(_TARGET / max(cost, 1e-9))))
            if plan.executor is not None and time.monotonic() - asked > _LOOK:  # clusters grow and shrink
                width, asked = plan.parallel(), time.monotonic()
                ahead = 2 * width
            yield chunk, result, None
        if refused is not None:
            yield refused
    finally:
        for future, _ in pending:
            future.cancel()
        run.close()


def _size_near_the_end(size: int, left: int | None, width: int) -> int:
    """Shrink the last chunks of a batch of known length, so that no worker waits long for another."""
    if left is None or width == 1:
        return size
    return max(1, size // 8, min(size, -(-left // (2 * width))))


def _timed(task: Task, *arguments: Any) -> tuple[float, Any]:
    """Return the wall-clock seconds of a task and its result."""
    start = time.perf_counter()
    result = task(*arguments)
    return time.perf_counter() - start, result


def _failure(future: Any, run: Run, executor: Any) -> BaseException | None:
    """Wait for a task; return its exception.

    Raises:
        CancelledError: the run was cancelled.
    """
    while not future.done():
        wait([future], TURN)
        run.check()
        # Futures of a closed Dask client may stay pending for ever.
        if getattr(getattr(executor, "_client", None), "status", None) == "closed" and not future.done():
            return RuntimeError("the Dask client is closed")
    run.check()
    if future.cancelled():
        return CancelledError()
    error: BaseException | None = future.exception()
    return error


# --- collecting -------------------------------------------------------------------------------------------------------


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


def hand_over(error: BaseException, finished: Callable[[], object]) -> None:
    """Attach what ``finished`` returns to an exception: to a BatchError as ``done``, to any other as ``partial``."""
    with contextlib.suppress(AttributeError, TypeError):  # of classes that take no attributes
        setattr(error, "done" if isinstance(error, BatchError) else "partial", finished())
