"""Many items over threads, or over any ``concurrent.futures.Executor``: the engine under every ``solve_many``.

:func:`run` and :func:`imap` do it for a function of your own::

    from gamecore import batch, hearts
    batch.run(hearts.solve, rounds, workers=2)                        # threads
    with ProcessPoolExecutor() as pool:
        batch.run(hearts.evaluate_moves, views, executor=pool)        # processes, loky, Dask: anything with submit()

Items go out in chunks whose size follows what they take, so that a task runs for about 0.4 s (0.1 to 1 s; shorter near
the end of a batch whose length is known, so that no worker waits long for the last one). A few chunks a worker are
under way at a time, and no more is read of the items than that. Answers come back in order. They do not depend on
workers, executor or chunks; ``nodes`` and ``seconds`` may where a function says so.

Retries, scheduling and transport are the executor's. One that dies ends the batch with a :class:`BatchError`.
"""

import contextlib
import functools
import itertools
import os
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sized
from concurrent.futures import Executor, Future
from dataclasses import dataclass
from typing import Any, Final, Literal, Protocol, TypeAlias, TypeVar

from gamecore.batch._pace import Bar, Progress, Sizer
from gamecore.batch._workers import ExecutorFailed, Threads, answer, cancelled, keeping, submitter, timed
from gamecore.text import printable
from gamecore.errors import BatchError, GamecoreError, OptionError

T = TypeVar("T")
R = TypeVar("R")

OnError: TypeAlias = Literal["raise", "return"]
MOST_ITEMS: Final = 1 << 17  #: in a chunk
MAX_WORKERS: Final = 1024
_BLOCK: Final = 1024  # items packed at a time: they are let go of at once

__all__ = ["BatchError", "OnError", "Plan", "Progress", "imap", "run"]


@dataclass(frozen=True)
class Plan:
    """The options that all batches share.

    Attributes:
        workers: threads of our own; None: one for each core this process may use. Not looked at with an executor.
        executor: anything with the ``submit`` of a ``concurrent.futures.Executor``.
        progress: None: a bar (tqdm's) if tqdm is installed and stderr is a terminal; True: tqdm has to be installed;
            False: none; or a function that is called with (items done, items or None) after each chunk.
        on_error: ``"raise"``: the first bad item ends the batch; ``"return"``: its exception is its answer.

    Raises:
        OptionError: an option out of its range.
    """

    workers: int | None = 1
    executor: Executor | None = None
    progress: Progress = None
    on_error: OnError = "raise"

    def __post_init__(self) -> None:
        """Check every option once, here."""
        workers = self.workers
        if workers is not None and (
            isinstance(workers, bool) or not isinstance(workers, int) or not 1 <= workers <= MAX_WORKERS
        ):
            raise OptionError(f"workers has to be at least 1, at most {MAX_WORKERS}, or None, not {printable(workers)}")
        if self.executor is not None and not callable(getattr(self.executor, "submit", None)):
            raise OptionError(f"executor has to be a concurrent.futures.Executor, not {printable(self.executor)}")
        if self.on_error not in ("raise", "return"):
            raise OptionError(f"on_error has to be 'raise' or 'return', not {printable(self.on_error)}")
        if not (self.progress is None or isinstance(self.progress, bool) or callable(self.progress)):
            raise OptionError(f"progress has to be None, a bool or a function, not {printable(self.progress)}")

    @property
    def keeps_errors(self) -> bool:
        """Whether an exception is the answer of a bad item."""
        return self.on_error == "return"

    def parallel(self) -> int:
        """How many tasks run at a time, as far as one can tell."""
        if self.executor is None:
            return self.workers or cores()
        known = getattr(self.executor, "_max_workers", None)  # concurrent.futures, loky
        client = getattr(self.executor, "_client", None)  # Dask
        if client is not None:
            with contextlib.suppress(Exception):
                known = sum(client.nthreads().values())  # 0 while the cluster starts
        return known if isinstance(known, int) and known > 0 else cores()


def cores() -> int:
    """The cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0)) or 1
    return os.cpu_count() or 1


# --- where chunks come from ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Chunk:
    """Items on their way to a task: how many, in what form, and what was wrong with some (by place in the chunk)."""

    count: int
    payload: Any
    errors: dict[int, Exception]


class Source(Protocol):
    """Items in chunks of any size.

    Attributes:
        total: how many there will be, if that is known.
        failure: set when the items ended early: what was wrong with the next one.
    """

    total: int | None
    failure: Exception | None

    def take(self, count: int) -> Chunk | None:
        """The next items, at most so many; None at the end."""


Pack: TypeAlias = Callable[[list[Any]], tuple[tuple[Any, ...], dict[int, Exception]]]


class Items(Source):
    """Items of any iterable.

    Args:
        items: read only as far as chunks are asked for.
        pack: makes columns of a block of items, with placeholders for bad ones, and says what was wrong with those.
        join: makes one column of those of several blocks.
        keep_errors: whether bad items are passed on, or end it.
        total: how many there are, where it is known and ``items`` has no length.

    Raises:
        OptionError: not an iterable.
    """

    def __init__(
        self,
        items: Iterable[Any],
        pack: Pack,
        join: Callable[[list[Any]], Any],
        keep_errors: bool,
        name: str = "items",
        total: int | None = None,
    ) -> None:
        """Read nothing yet."""
        if not isinstance(items, Iterable) or isinstance(items, (str, bytes)):
            raise OptionError(f"{name} has to be a list or another iterable, not {printable(items)}")
        self.total: int | None = len(items) if isinstance(items, Sized) else total
        self.failure: Exception | None = None
        self._items, self._pack, self._join, self._keep = iter(items), pack, join, keep_errors

    def take(self, count: int) -> Chunk | None:
        """The next items, packed."""
        blocks: list[tuple[Any, ...]] = []
        errors: dict[int, Exception] = {}
        taken = 0
        while taken < count and self.failure is None:
            block = self._read(min(_BLOCK, count - taken))
            if not block:
                break
            columns, wrong = self._pack(block)
            if wrong and not self._keep:
                first = min(wrong)
                self.failure = wrong[first]
                block = block[:first]
                if not block:
                    break
                columns, wrong = self._pack(block)
            errors.update((taken + place, error) for place, error in wrong.items())
            blocks.append(columns)
            taken += len(block)
        if not taken:
            return None
        columns = blocks[0]
        if len(blocks) > 1:
            columns = tuple(self._join(list(parts)) for parts in zip(*blocks, strict=True))
        return Chunk(taken, columns, errors)

    def _read(self, count: int) -> list[Any]:
        block: list[Any] = []
        try:
            for item in itertools.islice(self._items, count):
                block.append(item)  # one by one: what came before an exception is wanted
        except Exception as error:
            self.failure = error
        return block


# --- running ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Part:
    """Answers of a chunk, in order: the number of its first item, how many, the task's result, the items' errors."""

    start: int
    count: int
    result: Any
    errors: dict[int, Exception]


Parts: TypeAlias = Generator[Part, None, None]


def stream(
    task: Callable[[Any], Any],
    source: Source,
    plan: Plan,
    *,
    name: str = "items",
    first: int = 1,
    most: int = MOST_ITEMS,
) -> Parts:
    """Run ``task`` on the payload of every chunk; results in the order of the items.

    Args:
        task: picklable if the executor needs that; called in a worker. An exception that it raises ends the batch.
        name: of the items, for messages. first, most: items in the first chunks, and in any.

    Raises:
        BatchError: see there; its ``done`` is empty.
    """
    begun = 0
    alone = plan.executor is None and plan.parallel() == 1
    elastic = plan.executor is not None  # clusters grow and shrink
    sizer = Sizer(source.total, first, most, plan.parallel, alone=alone, elastic=elastic)
    with Bar(plan.progress, source.total, name) as bar, contextlib.ExitStack() as stack:
        outcomes = _inline(task, source, sizer) if alone else _ahead(task, source, sizer, plan)
        stack.enter_context(contextlib.closing(outcomes))
        try:
            for chunk, (seconds, result, error) in outcomes:
                if error is not None:
                    raise BatchError(f"{name}[{begun}] and on: {_said(error)}", begun) from error
                sizer.note(chunk.count, seconds)
                yield Part(begun, chunk.count, result, chunk.errors)
                begun += chunk.count
                bar.report(begun)
        except ExecutorFailed as failed:
            known = begun if source.total is None else f"{begun} of {source.total}"
            text = f"the executor failed ({_said(failed.cause)}); {known} {name} had been answered"
            raise BatchError(text, begun) from failed.cause
        if source.failure is not None:
            raise BatchError(f"{name}[{begun}]: {_said(source.failure)}", begun) from source.failure


def _said(error: BaseException) -> str:
    text = " ".join(str(error).split())
    if isinstance(error, GamecoreError):
        return text  # names the field and the value
    return type(error).__name__ + (f": {text[:200]}" if text else "")


Outcomes: TypeAlias = Generator[tuple[Chunk, tuple[float, Any, Exception | None]], None, None]


def _inline(task: Callable[[Any], Any], source: Source, sizer: Sizer) -> Outcomes:
    """In the calling thread, chunk by chunk."""
    mine: dict[Any, Any] = {}
    while (chunk := source.take(sizer.next())) is not None:
        with keeping(mine):
            outcome = timed(task, chunk.payload)
        yield chunk, outcome


def _ahead(task: Callable[[Any], Any], source: Source, sizer: Sizer, plan: Plan) -> Outcomes:
    """In threads or an executor, a few chunks ahead of what was asked for."""
    threads = Threads(plan.parallel()) if plan.executor is None else None
    submit = submitter(plan.executor) if plan.executor is not None else threads.submit  # type: ignore[union-attr]
    pending: deque[tuple[Future[Any], Chunk]] = deque()
    more = True
    refused: Exception | None = None
    try:
        while True:
            while more and len(pending) < 3 * sizer.parallel + 1:
                chunk = source.take(sizer.next())
                if chunk is None:
                    more = False
                    break
                try:
                    pending.append((submit(timed, task, chunk.payload), chunk))
                except Exception as error:  # what is under way may still be answered
                    more, refused = False, error
                    break
            if not pending:
                if refused is not None:
                    raise ExecutorFailed(refused)
                return
            future, chunk = pending[0]
            outcome = answer(future, plan.executor)
            pending.popleft()
            yield chunk, outcome
    finally:
        left = cancelled(future for future, _ in pending)
        if threads:
            threads.close(left)


def gather(parts: Parts, build: Callable[[list[Part]], R]) -> R:
    """All answers of a batch. What there is when it ends early is the error's ``done`` (of Ctrl-C: ``partial``)."""
    found: list[Part] = []
    try:
        for part in parts:
            found.append(part)  # one by one: what came before an exception is wanted
    except BatchError as error:
        error.done = build(found)
        raise
    except KeyboardInterrupt as error:
        error.partial = build(found)  # type: ignore[attr-defined]
        raise
    return build(found)


# --- a function of one item ------------------------------------------------------------------------------------------


@dataclass
class Bad:
    """In place of an answer: what the function raised."""

    error: Exception


def each(function: Callable[[Any], Any], keep_errors: bool, payload: tuple[list[Any]]) -> list[Any]:
    """The task of :func:`imap`: answers item by item, up to the first bad one unless errors are kept."""
    answers: list[Any] = []
    for item in payload[0]:
        try:
            answers.append(item if isinstance(item, Exception) else function(item))
        except Exception as error:
            answers.append(Bad(error))
            if not keep_errors:
                break
    return answers


def _as_list(items: list[Any]) -> tuple[tuple[Any, ...], dict[int, Exception]]:
    return (items,), {place: item for place, item in enumerate(items) if isinstance(item, Exception)}


def each_part(
    function: Callable[[Any], Any], items: Iterable[Any], plan: Plan, name: str = "items", total: int | None = None
) -> Parts:
    """Parts whose results are lists of answers, errors among them where they are kept.

    Raises:
        BatchError, OptionError: as for :func:`imap`.
    """
    source = Items(items, _as_list, _chained, plan.keeps_errors, name, total)
    task = functools.partial(each, function, plan.keeps_errors)
    with contextlib.closing(stream(task, source, plan, name=name)) as parts:
        for part in parts:
            answers = [answer.error if isinstance(answer, Bad) else answer for answer in part.result]
            bad = next((place for place, answer in enumerate(part.result) if isinstance(answer, Bad)), None)
            for place, error in part.errors.items():
                answers[place] = error
            if bad is not None and not plan.keeps_errors:
                if bad:
                    yield Part(part.start, bad, answers[:bad], {})
                at = part.start + bad
                raise BatchError(f"{name}[{at}]: {_said(answers[bad])}", at) from answers[bad]
            yield Part(part.start, part.count, answers, part.errors)


def _chained(parts: list[Any]) -> list[Any]:
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
    """``map(function, items)``, in order, over threads or an executor, reading only a few chunks of items ahead.

    Args:
        function: of one item. For processes and clusters it has to be picklable: a function of a module.
        items: any iterable. workers, executor, progress, on_error: see :class:`Plan`. With ``on_error="return"`` an
            answer may be the exception that ``function`` raised.

    Raises:
        OptionError: a bad option. BatchError: the function raised, or the executor died.
    """
    parts = each_part(function, items, Plan(workers, executor, progress, on_error))
    return flattened(parts, lambda part: part.result)


def flattened(parts: Parts, answers: Callable[[Part], Iterable[R]]) -> Iterator[R]:
    """The answers of parts one by one; closing it gives up the rest."""
    with contextlib.closing(parts):
        for part in parts:
            yield from answers(part)


def run(
    function: Callable[[T], R],
    items: Iterable[T],
    *,
    workers: int | None = 1,
    executor: Executor | None = None,
    progress: Progress = None,
    on_error: OnError = "raise",
) -> list[R]:
    """The list of what :func:`imap` gives; when it ends early, the error's ``done`` has the answers before.

    Raises:
        OptionError: a bad option. BatchError: the function raised, or the executor died.
    """
    parts = each_part(function, items, Plan(workers, executor, progress, on_error))
    return gather(parts, lambda found: _chained([part.result for part in found]))
