"""Run a task on chunks of items, over threads or an executor, with results in order: :func:`stream`."""

import contextlib
import itertools
import os
import pickle
import sys
import time
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence, Sized
from dataclasses import dataclass
from typing import Any, Final, NamedTuple, TypeAlias, TypeVar

from gamecore.batch.executors import ExecutorFailed, Remote
from gamecore.batch.plan import Plan, Sizer
from gamecore.batch.progress import Bar
from gamecore.batch.workers import Run, Threads
from gamecore.errors import BatchError, OptionError, WorkerError
from gamecore.signals import raised_by_handler
from gamecore.text import describe, printable, without_controls

R = TypeVar("R")

MOST_ITEMS: Final = 1 << 17  #: items in a chunk

# --- where chunks come from ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Chunk:
    """Items for a task: their number, their payload, and the errors of bad items by place in the chunk."""

    count: int
    payload: Any
    errors: dict[int, Exception]


class Numbered(NamedTuple):
    """A payload and the number of items left, including its own; None: unknown."""

    rest: int | None
    payload: Any


class Source(ABC):
    """Items in chunks of any size.

    Attributes:
        total: the number of items, if known.
        failure: the error of the next item, if the items ended early.
    """

    total: int | None
    failure: Exception | None = None

    @abstractmethod
    def take(self, count: int) -> Chunk | None:
        """Return at most this many next items; None at the end."""


class Items(Source):
    """Items of any iterable, read only when a chunk needs them, and packed in blocks.

    Args:
        pack: converts items to a payload (a tuple of columns), with placeholders for bad items, and errors by place.
        join: joins the columns of several blocks.
        keep_errors: pass bad items on; otherwise the first one ends the batch.
        total: the number of items, if known and ``items`` has no length.

    Raises:
        OptionError: not an iterable.
    """

    block = 1024  # items packed together, then released

    def __init__(
        self,
        items: Iterable[Any],
        pack: Callable[[Any], tuple[Any, dict[int, Exception]]],
        join: Callable[[list[Any]], Any],
        keep_errors: bool,
        name: str = "items",
        total: int | None = None,
    ) -> None:
        if not isinstance(items, Iterable) or isinstance(items, (str, bytes)):
            raise OptionError(f"{name} must be a list or another iterable, not {printable(items)}")
        self.total = len(items) if isinstance(items, Sized) else total
        self._items, self._pack, self._join, self._keep = iter(items), pack, join, keep_errors

    def take(self, count: int) -> Chunk | None:
        """Return the next items, packed, up to a bad one that ends the batch."""
        payloads: list[Any] = []
        errors: dict[int, Exception] = {}
        taken = 0
        while taken < count and self.failure is None:
            items = self._read(min(self.block, count - taken))
            payload, wrong = self._pack(items) if items else (None, {})
            if wrong and not self._keep:
                first = min(wrong)
                self.failure, items = wrong[first], items[:first]
                payload, wrong = self._pack(items) if items else (None, {})
            if not items:
                break
            for place, error in wrong.items():
                errors[taken + place] = error
            payloads.append(payload)
            taken += len(items)
        if len(payloads) > 1:
            payloads = [tuple(self._join(list(columns)) for columns in zip(*payloads, strict=True))]
        return Chunk(taken, payloads[0], errors) if payloads else None

    def _read(self, count: int) -> Sequence[Any]:
        items: list[Any] = []
        try:
            for item in itertools.islice(self._items, count):
                items.append(item)  # one by one, to keep what came before an exception
        except Exception as error:
            if raised_by_handler(error):
                raise
            self.failure = error
        return items


class Slices(Items):
    """Items stored as columns: ``pack`` takes a range of indices; see :class:`Items`."""

    block = 1 << 62  # a chunk is one slice

    def __init__(
        self, total: int, pack: Callable[[range], tuple[Any, dict[int, Exception]]], keep_errors: bool
    ) -> None:
        super().__init__(range(total), pack, list, keep_errors)
        self._rest = range(total)

    def _read(self, count: int) -> range:
        found, self._rest = self._rest[:count], self._rest[count:]
        return found


# --- outcomes of tasks -----------------------------------------------------------------------------------------------


class Raised:
    """The exception of a task, returned instead of a result. It can always be pickled.

    An exception class whose constructor takes other arguments than ``args`` cannot be unpickled: process pools break
    and Dask hangs. Such an exception arrives as a WorkerError with its name and text.
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
    """A task's wall-clock seconds, its result or a :class:`Raised`, and its number."""

    seconds: float
    result: Any
    number: str


Task: TypeAlias = Callable[[Any], Any]


def timed(task: Task, payload: Any, number: str = "") -> Outcome:
    """Run a task. Return its exception as a value, so that any exception raised is the executor's.

    The number identifies the task.
    """
    start = time.perf_counter()
    try:
        result = task(payload)
    except Exception as error:
        if raised_by_handler(error):
            raise
        result = Raised(error)
    return Outcome(time.perf_counter() - start, result, number)


# --- running ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Part:
    """A chunk's answers: number of its first item, number of items, the task's result, errors by place."""

    start: int
    count: int
    result: Any
    errors: dict[int, Exception]


Parts: TypeAlias = Generator[Part, None, None]


def stream(
    task: Task,
    source: Source,
    plan: Plan,
    *,
    name: str = "items",
    first: int = 1,
    most: int = MOST_ITEMS,
    numbered: bool = False,
) -> Parts:
    """Run ``task`` on the payload of every chunk; yield results in the order of the items.

    Args:
        task: called in a worker; picklable if the executor needs that. An exception that it raises ends the batch.
        source: the items.
        plan: the options.
        name: of the items, for messages.
        first, most: items in the first chunks, and in any.
        numbered: pass payloads as :class:`Numbered`.

    Raises:
        BatchError: see there; its ``done`` is empty.
    """
    begun, process = 0, os.getpid()
    sizer = Sizer(source.total, first, most, plan.parallel, elastic=plan.executor is not None)
    alone = plan.executor is None and sizer.parallel == 1
    chunks = _chunks(source, sizer, numbered)
    outcomes = _alone(task, chunks) if alone else _ahead(task, chunks, sizer, plan)
    with Bar(plan.progress, source.total, name) as bar, contextlib.closing(outcomes):
        try:
            for chunk, (seconds, result, _) in outcomes:
                if isinstance(result, Raised):
                    raise BatchError(f"{name}[{begun}] and on: {describe(result.error)}", begun) from result.error
                sizer.note(chunk.count, seconds)
                yield Part(begun, chunk.count, result, chunk.errors)
                begun += chunk.count
                if os.getpid() != process and not alone:  # the workers are in the parent
                    raise BatchError("a batch cannot go on in a forked process: begin a new one there", begun)
                bar.report(begun)
        except ExecutorFailed as failed:
            known = begun if source.total is None else f"{begun} of {source.total}"
            text = f"the executor failed ({describe(failed.cause)}); {known} {name} had been answered"
            raise BatchError(text, begun) from failed.cause
        if source.failure is not None:
            raise BatchError(f"{name}[{begun}]: {describe(source.failure)}", begun) from source.failure


Outcomes: TypeAlias = Generator[tuple[Chunk, Outcome], None, None]


def _chunks(source: Source, sizer: Sizer, numbered: bool) -> Iterator[Chunk]:
    """Yield chunks on demand."""
    taken = 0
    while (chunk := source.take(sizer.next())) is not None:
        if numbered:
            rest = None if source.total is None else max(source.total - taken, chunk.count)
            taken += chunk.count
            chunk = Chunk(chunk.count, Numbered(rest, chunk.payload), chunk.errors)
        yield chunk


def _alone(task: Task, chunks: Iterator[Chunk]) -> Outcomes:
    """Run the chunks in the calling thread."""
    run = Run()
    storage: dict[Any, Any] = {}
    try:
        for chunk in chunks:
            with run.at_work(storage):
                outcome = timed(task, chunk.payload)
            run.check()
            yield chunk, outcome
    finally:
        run.forget()


def _ahead(task: Task, chunks: Iterator[Chunk], sizer: Sizer, plan: Plan) -> Outcomes:
    """Run the chunks in threads or an executor, a few chunks ahead of the reader."""
    workers = Threads(sizer.parallel) if plan.executor is None else Remote(plan.executor)
    pending: deque[tuple[Any, str, Chunk]] = deque()
    numbers = itertools.count()
    more = True
    refused: ExecutorFailed | None = None
    try:
        while True:
            while more and len(pending) < 3 * sizer.parallel + 1:
                chunk = next(chunks, None)
                if chunk is None:
                    more = False
                    break
                try:
                    number = f"{workers.key}-{next(numbers)}"
                    pending.append((workers.submit(timed, task, chunk.payload, number), number, chunk))
                except ExecutorFailed as error:  # running chunks may still finish
                    more, refused = False, error
            if not pending:
                if refused is not None:
                    raise refused
                return
            reply, number, chunk = pending.popleft()
            outcome = workers.result(reply)
            wrong = _wrong_outcome(outcome, number, chunk.count)
            if wrong:
                raise ExecutorFailed(RuntimeError(f"it returned {wrong} for a task"))
            yield chunk, outcome
    finally:
        workers.close()


def _wrong_outcome(outcome: Any, number: str, count: int) -> str:
    """Return the fault of an executor's result; empty if there is none."""
    if not isinstance(outcome, Outcome):
        return printable(outcome)
    if outcome.number != number:
        return "another task's result"
    result = outcome.result
    if not isinstance(outcome.seconds, float) or result is None:
        return printable(outcome)
    columns = result[0] if isinstance(result, tuple) and result and isinstance(result[0], dict) else {}
    lengths = {len(column) for column in columns.values() if getattr(column, "ndim", 0)}
    if isinstance(result, list) and not (result and isinstance(result[-1], Raised)):  # that one ends a batch early
        lengths = {len(result)}
    return "" if lengths <= {count} else f"{min(lengths - {count})} results for {count} items"


def gather(parts: Parts, build: Callable[[list[Part]], R]) -> R:
    """Return all answers of a batch.

    Raises:
        BatchError: ``done`` has the answers before. Any other exception, such as KeyboardInterrupt and what handlers of
        signals raise, has them as ``partial``.
    """
    found: list[Part] = []
    try:
        with contextlib.closing(parts):
            for part in parts:
                found.append(part)  # append one by one, to keep parts before an error
    except BaseException as error:
        hand_over(error, lambda: build(found))
        raise
    return build(found)


def hand_over(error: BaseException, finished: Callable[[], object]) -> None:
    """Attach what ``finished`` returns to an exception: to a BatchError as ``done``, to any other as ``partial``."""
    if isinstance(error, BatchError):
        error.done = finished()
        return
    with contextlib.suppress(AttributeError, TypeError):  # of classes that take no attributes
        error.partial = finished()  # type: ignore[attr-defined]


def flattened(parts: Parts, answers: Callable[[Part], Iterable[R]]) -> Iterator[R]:
    """Yield the answers of parts one by one; closing the iterator cancels the rest."""
    with contextlib.closing(parts):
        for part in parts:
            yield from answers(part)
