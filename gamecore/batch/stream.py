"""Run a task on chunks of items, over threads or an executor, with results in order: :class:`Plan`, :func:`stream`."""

import contextlib
import functools
import itertools
import os
import time
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sized
from concurrent.futures import Executor
from dataclasses import dataclass, field, replace
from typing import Any, Final, Literal, NamedTuple, TypeAlias, TypeVar

from gamecore.batch.progress import Bar, Progress
from gamecore.batch.workers import Answer, Run
from gamecore.errors import BatchError, GamecoreError, OptionError
from gamecore.limits import Limits
from gamecore.text import describe, is_integer, is_word, printable

R = TypeVar("R")
OnError: TypeAlias = Literal["raise", "return"]
Errors: TypeAlias = dict[int, Exception]  #: exceptions of bad items, by index in their chunk
Packed: TypeAlias = tuple[object, Errors]

MAX_WORKERS: Final = 1024
MOST_ITEMS: Final = 1 << 17  #: items in a chunk
_TARGET: Final = 0.4  # seconds of a task
_GROWTH: Final = 8  # largest growth from a finished chunk to the next one
_LOOK: Final = 2.0  # seconds between checks of an executor's size


@dataclass(frozen=True)
class Plan:
    """The options of all batches.

    Attributes:
        workers: threads; None: one for each core that this process may use. Ignored with an executor. If the system
            refuses threads, fewer are used.
        executor: anything with the ``submit`` of a ``concurrent.futures.Executor``.
        progress: None or True: a bar with rate and time left where stderr is a terminal; False: none; or a function
            that is called with (items done, items or None) after each chunk.
        on_error: ``"raise"``: the first bad item ends the batch; ``"return"``: its exception is its answer.
        whole: make chunks as large as possible where one thread solves them and nobody watches the progress.

    Raises:
        OptionError: an option out of its range.
    """

    workers: int | None = 1
    executor: Executor | None = None
    progress: Progress = None
    on_error: OnError = "raise"
    whole: bool = field(default=False, repr=False)

    def __post_init__(self) -> None:
        workers, submit, progress = self.workers, getattr(self.executor, "submit", None), self.progress
        is_count = is_integer(workers) and 1 <= workers <= MAX_WORKERS  # type: ignore[operator]
        checks = {
            "workers": (workers is None or is_count, f"at least 1, at most {MAX_WORKERS}, or None"),
            "executor": (self.executor is None or callable(submit), "a concurrent.futures.Executor"),
            "on_error": (is_word(self.on_error, ("raise", "return")), "'raise' or 'return'"),
            "progress": (isinstance(progress, bool | None) or callable(progress), "None, a bool or a function"),
        }
        for name, (is_good, kind) in checks.items():
            if not is_good:
                raise OptionError(f"{name} must be {kind}, not {printable(getattr(self, name))}", name)

    def parallel(self) -> int:
        """Return how many tasks run in parallel, as far as that is known."""
        count = self.workers if self.executor is None else getattr(self.executor, "_max_workers", None)
        client = getattr(self.executor, "_client", None)  # Dask
        if client is not None:
            with contextlib.suppress(Exception):
                count = sum(client.nthreads().values())  # 0 while the cluster starts
        if is_integer(count) and (number := int(count)) > 0:
            return number
        return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Part(NamedTuple):
    """A chunk's answers: the number of items, the task's result, errors. A task of single items returns one itself."""

    size: int
    result: Any
    errors: Errors


Parts: TypeAlias = Generator[Part, None, None]


class Items:
    """Items in chunks of any size, read only when a chunk needs them; ``name`` is for messages.

    Args:
        items: any iterable. A ``range`` is handed to ``pack`` in slices: the places of items stored elsewhere.
        pack: converts items to a payload, with placeholders for bad items, and errors.
        plan: the options of the batch. Unless it keeps errors, the first bad item ends the items.

    Attributes:
        total: the number of items, if known.
        failure: the error of the next item, if the items ended early.

    Raises:
        OptionError: not an iterable.
    """

    def __init__(self, items: Iterable[object], pack: Callable[[Any], Packed], plan: Plan, name: str) -> None:
        if not isinstance(items, Iterable) or isinstance(items, (str, bytes)):
            raise OptionError(f"{name} must be a list or another iterable, not {printable(items)}", name)
        self.plan, self.name, self.total = plan, name, len(items) if isinstance(items, Sized) else None
        self.failure: Exception | None = None
        self._rest = items if isinstance(items, range) else iter(items)
        self._pack = pack

    def take(self, count: int) -> tuple[int, object, Errors] | None:
        """Return the number, payload and errors of at most this many next items; None at the end."""
        items: Any = []
        if self.failure is not None:
            return None
        if isinstance(self._rest, range):
            items, self._rest = self._rest[:count], self._rest[count:]
        else:
            try:
                items.extend(itertools.islice(self._rest, count))  # keeps what came before an exception
            except Exception as error:
                self.failure = error
        payload, errors = self._pack(items) if items else (None, {})
        if errors and self.plan.on_error == "raise":
            first = min(errors)
            self.failure, items = errors[first], items[:first]
            payload, errors = self._pack(items) if items else (None, {})
        return (len(items), payload, errors) if items else None


def stream(
    task: Callable[..., Any], source: Items, *, first: int = 1, most: int = MOST_ITEMS, limits: Limits | None = None
) -> Parts:
    """Run ``task`` on the payload of every chunk; yield results in the order of the items.

    Args:
        task: called in a worker; picklable if the executor needs that. An exception that it raises ends the batch.
        source: the items.
        first, most: items in the first chunks, and in any.
        limits: of each item; ``task`` gets those of the chunk's items as ``limits``.

    Raises:
        BatchError: see there; its ``done`` is empty. CancelledError: the batch runs in a task that was cancelled.
    """
    plan, name, total = source.plan, source.name, source.total
    begun, left, size, cost = 0, total, first, 0.0
    width, asked = plan.parallel(), time.monotonic()
    pending: deque[tuple[int, Errors, Answer]] = deque()
    threads = width if left is None else min(width, left)
    run = Run(plan.executor, threads if threads > 1 else 0)
    with contextlib.closing(run), Bar(plan.progress, total, name) as bar:
        is_alone = plan.executor is None and not run.threads
        if is_alone and plan.whole and not bar.is_watched and (limits is None or limits.deadline is None):
            size = most
        while True:
            ahead = 1 if is_alone else 2 * width
            while len(pending) < ahead and (chunk := source.take(_size_near_the_end(size, left, width))):
                count, payload, errors = chunk
                rest = max(count, (left or 0) / width)  # items that one worker may have to do from here on
                left = None if left is None else max(0, left - count)
                call = task if limits is None else functools.partial(_within, task, limits, rest)
                pending.append((count, errors, run.submit(call, payload)))
            if not pending:
                break
            count, errors, future = pending.popleft()
            run.wait(future)
            try:
                seconds, result = future.result()
            except Exception as error:
                if is_alone and not isinstance(error, (GamecoreError, MemoryError)):  # the handler of a signal did this
                    raise
                message = f"{name}[{begun}] and on: {describe(error)}"
                if plan.executor is not None:
                    answered = begun if total is None else f"{begun} of {total}"
                    message = f"the executor failed ({describe(error)}); {answered} {name} had been answered"
                raise BatchError(message, begun) from error
            cost = (cost or seconds / count) / 2 + seconds / count / 2
            size = max(1, min(most, _GROWTH * count, int(_TARGET / max(cost, 1e-9))))
            part = result if isinstance(result, Part) else Part(count, result, errors)
            if part.errors and plan.on_error == "raise":
                count, source.failure = next(iter(part.errors.items()))
                part = Part(count, part.result[:count], {})
                pending.clear()
            if plan.executor is not None and time.monotonic() - asked > _LOOK:  # clusters grow and shrink
                width, asked = plan.parallel(), time.monotonic()
            if part.size:
                yield part
                begun += part.size
                bar.report(begun)
    if source.failure is not None:
        raise BatchError(f"{name}[{begun}]: {describe(source.failure)}", begun) from source.failure


def _size_near_the_end(size: int, left: int | None, width: int) -> int:
    """Shrink the last chunks of a batch of known length, so that no worker waits long for another."""
    if left is None or width == 1:
        return size
    return max(1, size // 8, min(size, -(-left // (2 * width))))


def _within(task: Callable[..., Any], limits: Limits, items: float, payload: object) -> Any:
    """Run a task within limits; ``items`` that one worker may have to do share the time until a deadline."""
    if limits.deadline is not None:
        share = max(0.0, limits.deadline - time.time()) / items
        limits = replace(limits, seconds=share if limits.seconds is None else min(share, limits.seconds))
    return task(payload, limits=limits)


def gather(parts: Parts, build: Callable[[list[Part]], R]) -> R:
    """Return all answers of a batch.

    Raises:
        BatchError: ``done`` has the answers before.
    """
    collected: list[Part] = []
    try:
        with contextlib.closing(parts):
            collected.extend(parts)  # keeps the parts before an error
    except BatchError as error:
        error.done = build(collected)
        raise
    return build(collected)


def flattened(parts: Parts, answers: Callable[[Part], Iterable[R]]) -> Iterator[R]:
    """Yield the answers of parts one by one; closing the iterator cancels the rest."""
    with contextlib.closing(parts):
        for part in parts:
            yield from answers(part)
