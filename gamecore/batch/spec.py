"""Batches of a function of one item, and ``solve_many`` and ``solve_iter`` of all games."""

import contextlib
import functools
import pickle
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from inspect import signature
from typing import Any, Generic, TypeVar

from gamecore.batch.columns import Payload, SolutionList
from gamecore.batch.progress import Progress
from gamecore.batch.stream import Errors, Items, OnError, Part, Parts, Plan, flattened, gather, stream
from gamecore.batch.workers import current_run, is_cancelled
from gamecore.errors import GamecoreError, OptionError, WorkerError
from gamecore.limits import Limits, limits_of
from gamecore.text import checked_flag, printable, without_controls

A = TypeVar("A", bound=Sequence[object])
T = TypeVar("T")
R = TypeVar("R")


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
    parts = _each_part(function, items, Plan(workers, executor, progress, on_error), "items")
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
    parts = _each_part(function, items, Plan(workers, executor, progress, on_error), "items")
    return gather(parts, lambda collected: [answer for part in collected for answer in part.result])


def _each_part(
    function: Callable[..., Any], items: Iterable[object], plan: Plan, name: str, limits: Limits | None = None
) -> Parts:
    """Yield parts whose results are lists of answers; with ``limits``, the function gets those of the item, too."""
    source = Items(items, lambda items: (items, {}), plan, name)
    return stream(functools.partial(_each, function, plan.on_error == "return"), source, limits=limits)


def _each(function: Callable[..., Any], keep_errors: bool, items: list[object], **limits: Limits) -> Part:
    """Answer the items of a chunk, up to the first error unless errors are kept. An exception is a bad item."""
    answers: list[object] = []
    errors: Errors = {}
    for index, item in enumerate(items):
        if is_cancelled() or (errors and not keep_errors):
            break
        try:
            if isinstance(item, Exception):
                raise item
            answers.append(function(item, **limits))
        except Exception as error:
            errors[index] = _portable(error)
            answers.append(errors[index])
    return Part(len(items), answers, errors)


def _portable(error: Exception) -> Exception:
    """In another process, return an exception that can be unpickled: process pools break on others, and Dask hangs."""
    run, kind, text = current_run(), type(error), ""
    try:
        if run is not None and run.is_remote:
            pickle.loads(pickle.dumps(error))
    except Exception:
        with contextlib.suppress(Exception):
            text = str(error)
        return WorkerError(without_controls(f"{kind.__module__}.{kind.__qualname__}"), text)
    return error


def _option_names(function: Callable[..., object]) -> list[str] | None:
    """Return the names of the parameters that have defaults; None if the function takes any name."""
    parameters = signature(function).parameters.values()
    if any(parameter.kind is parameter.VAR_KEYWORD for parameter in parameters):
        return None
    return [parameter.name for parameter in parameters if parameter.default is not parameter.empty]


@dataclass(frozen=True)
class Batch(Generic[A]):
    """How a game solves many positions: one by one with the game's ``solve``.

    Attributes:
        solve: ``solve(position, limits=limits, **options)``.
        make: makes the answers from parts.
    """

    solve: Callable[..., Any]
    make: Callable[[Sequence[Part]], A] = SolutionList._of  # type: ignore[assignment]

    def parts(self, positions: Any, limits: Limits | None, plan: Plan, *args: Any, **options: Any) -> Parts:
        """Yield the parts of a batch; exceptions among the positions count as bad positions."""
        return _each_part(functools.partial(self.solve, **options), positions, plan, "positions", limits_of(limits))

    def _checked(self, positions: Any, limits: Limits | None, plan: Plan, options: dict[str, Any]) -> Parts:
        """Return :meth:`parts`; OptionError for an option that is unknown to it, or to the ``solve`` that it calls."""
        names = (_option_names(self.parts) or _option_names(self.solve)) if options else None
        for name in options:
            if names is not None and name not in names:
                every = dict.fromkeys(["limits", "workers", "executor", "progress", "on_error", *names])
                raise OptionError(f"there is no option {printable(name)}; the options are {', '.join(every)}")
        return self.parts(positions, limits, plan, **options)

    def solve_many(
        self,
        positions: Iterable[object],
        limits: Limits | None = None,
        *,
        workers: int | None = 1,
        executor: Executor | None = None,
        progress: Progress = None,
        on_error: OnError = "raise",
        **options: Any,
    ) -> A:
        """Solve each position separately, in order, over threads or any ``concurrent.futures.Executor``.

        Args:
            positions: any iterable of positions, or of texts of one. The duel: also a ``PositionArray``. Rows:
                also a 2-D array, one row a game, or bare rows of any length; int8 and int16 are fastest.
            limits: per position; a deadline holds for all of them together. A position that reaches a limit has bounds.
            workers, executor, progress, on_error: see :class:`gamecore.batch.Plan`. Results do not depend on them.
            options: as for the game's ``solve``. ``line=False`` leaves best moves and lines out (rows: the default).

        In Hexapawn, positions of one board size share a table: ``docs/batches.md`` says what depends on that.

        Returns:
            A sequence of solutions that holds NumPy columns, such as ``value`` (masked where unknown), ``lower``,
            ``upper``, ``nodes``, ``seconds``.

        Raises:
            OptionError: bad limits or options.
            BatchError: a bad position (the message names its index), an executor that died, no memory for a table;
                ``done`` has the answers before.
        """
        plan = Plan(workers, executor, progress, on_error, whole=True)
        return gather(self._checked(positions, limits, plan, options), self.make)

    def solve_iter(
        self,
        positions: Iterable[object],
        limits: Limits | None = None,
        *,
        workers: int | None = 1,
        executor: Executor | None = None,
        progress: Progress = None,
        on_error: OnError = "raise",
        **options: Any,
    ) -> Iterator[Any]:
        """Yield what :meth:`solve_many` returns, one by one; it reads only a few chunks ahead.

        Raises:
            OptionError, BatchError: as for :meth:`solve_many`.
        """
        plan = Plan(workers, executor, progress, on_error)
        return flattened(self._checked(positions, limits, plan, options), lambda part: self.make([part]))


@dataclass(frozen=True, kw_only=True)
class BatchSpec(Batch[A]):
    """Batches of a game whose kernel takes positions as columns.

    Attributes:
        solve: ``solve(line, total, payload, limits=limits)`` makes result columns and the moves of all lines;
            ``total`` is the number of positions in the batch, if known.
        make: see :class:`Batch`.
        read: parses a position's text.
        pack: converts positions to the kernel's columns.
        placeholder: packed instead of bad positions.
    """

    read: Callable[[Any], object]
    pack: Callable[[list[Any]], Payload]
    placeholder: object

    def parts(self, positions: Any, limits: Limits | None, plan: Plan, line: bool = True) -> Parts:
        """See :meth:`Batch.parts`."""
        line, pack = checked_flag(line, "line"), getattr(positions, "packed", None)  # of positions held as columns
        items, pack = (range(len(positions)), pack) if pack else (positions, self._packed)
        source = Items(items, pack, plan, "positions")
        return stream(functools.partial(self.solve, line, source.total), source, limits=limits_of(limits))

    def _packed(self, items: list[object]) -> tuple[Payload, Errors]:
        """Pack positions or their texts; a GamecoreError among the items is an unreadable position."""
        kind = type(self.placeholder)
        if set(map(type, items)) == {kind}:
            return self.pack(items), {}
        positions, errors = [self.placeholder] * len(items), Errors()
        for index, item in enumerate(items):
            try:
                if isinstance(item, GamecoreError):
                    raise item
                positions[index] = item if isinstance(item, kind) else self.read(item)
            except GamecoreError as error:
                errors[index] = error
        return self.pack(positions), errors
