"""``solve_many`` and ``solve_iter`` of all games, and what a game defines for them: :class:`BatchSpec`."""

import functools
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from typing import Any, Final, Generic, TypeVar

import numpy as np

from gamecore.batch.columns import Payload, PositionColumns, SolutionList, Solved
from gamecore.batch.plan import OnError, Plan, Progress, Shares
from gamecore.batch.stream import Items, Numbered, Part, Parts, Slices, Source, flattened, gather, stream
from gamecore.batch.tasks import each_part
from gamecore.errors import GamecoreError
from gamecore.limits import Limits, limits_of

_BLOCK: Final = 256  # positions per trial block under a deadline
_TRIED: Final = 200  # nodes per position in a trial block

A = TypeVar("A", bound=Sequence[Any])


class Batch(ABC, Generic[A]):
    """How a game solves many positions: the base of :class:`BatchSpec` and :class:`EachSpec`."""

    make: Callable[[Sequence[Part]], A]  #: makes the answers from parts

    @abstractmethod
    def parts(
        self, positions: Any, limits: Limits | None, plan: Plan, total: int | None = None, *args: Any, **options: Any
    ) -> Parts:
        """Yield the parts of a batch; exceptions among the positions count as bad positions.

        Args:
            positions, limits, options: see :meth:`solve_many`.
            plan: the options of the batch.
            total: number of positions, where it is known and ``positions`` has no length.
        """

    def solve_many(
        self,
        positions: Iterable[Any],
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
            positions: any iterable of positions, or of texts of one. Duel and Hexapawn: also a ``PositionArray``. Rows:
                also a 2-D array, one row a game, or bare rows of any length, of integers or of floats; int8 and int16
                are fastest.
            limits: per position; a deadline holds for all of them together. A position that reaches a limit has bounds.
            workers, executor, progress, on_error: see :class:`gamecore.batch.Plan`. Results do not depend on them.
            options: as for the game's ``solve``. ``line=False`` leaves best moves and lines out (rows: the default).

        In Hexapawn, positions of one board size share a table, and so do the batch's threads: earlier positions save
        nodes in later ones. ``nodes``, ``table_bytes`` and ``replacements`` depend on that; nothing else does. Of
        equally good moves, lines take the first: captures to the left, captures to the right, steps, each from the
        lowest row as the mover sees it; :func:`solve` may take others. With limits on seconds, nodes or a deadline
        nothing is shared.

        Returns:
            A sequence of solutions that holds NumPy columns, such as ``value`` (masked where
            unknown), ``lower``, ``upper``, ``nodes``, ``seconds``.

        Raises:
            OptionError: bad limits or options.
            BatchError: a bad position (the message names its index), an executor that died, no memory for a table;
                ``done`` has the answers before.
        """
        plan = Plan(workers, executor, progress, on_error)
        return gather(self.parts(positions, limits, plan, **options), self.make)

    def solve_iter(
        self,
        positions: Iterable[Any],
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
        return flattened(self.parts(positions, limits, plan, **options), lambda part: self.make([part]))


@dataclass(frozen=True)
class BatchSpec(Batch[A]):
    """Batches of a game whose kernel takes positions as columns.

    Attributes:
        read: parses a position's text.
        pack: converts positions to the kernel's columns.
        solve: ``solve(kernel limits, line, total, payload)`` makes result columns and the moves of all lines;
            ``total`` is the number of positions in the batch, if known.
        make: see :class:`Batch`.
        placeholder: packed instead of bad positions.
        table_mb: default table memory of a search.
    """

    read: Callable[[str], Any]
    pack: Callable[[list[Any]], Payload]
    solve: Callable[..., Solved]
    make: Callable[[Sequence[Part]], A]
    placeholder: Any
    table_mb: float

    def parts(
        self, positions: Iterable[Any], limits: Limits | None, plan: Plan, total: int | None = None, line: bool = True
    ) -> Parts:
        """See :meth:`Batch.parts`."""
        source: Source
        if isinstance(positions, PositionColumns):
            source = Slices(len(positions), positions.packed, plan.keeps_errors)
        else:
            source = Items(positions, self._packed, np.concatenate, plan.keeps_errors, "positions", total)
        shares = Shares.of(limits, plan)
        if shares is None:
            task = functools.partial(self.solve, limits_of(limits).for_kernel(self.table_mb), line, source.total)
        else:
            task = functools.partial(_solve_in_time, shares, self.solve, self.table_mb, line, source.total)
        return stream(task, source, plan, name="positions", numbered=shares is not None)

    def _packed(self, items: list[Any]) -> tuple[Payload, dict[int, Exception]]:
        """Pack positions or their texts; a GamecoreError among the items is an unreadable position."""
        kind = type(self.placeholder)
        errors: dict[int, Exception] = {}
        if set(map(type, items)) == {kind}:
            return self.pack(items), errors
        found = []
        for place, item in enumerate(items):
            position = self.placeholder
            try:
                if isinstance(item, GamecoreError):
                    raise item
                position = item if isinstance(item, kind) else self.read(item)
            except GamecoreError as error:
                errors[place] = error
            found.append(position)
        return self.pack(found), errors


def _solve_in_time(
    shares: Shares, solve: Callable[..., Solved], table_mb: float, line: bool, total: int | None, given: Numbered
) -> Solved:
    """Solve a chunk of columns under limits.

    Without a deadline, each position gets the full limits. Under a deadline, blocks of positions are first tried with
    few nodes; positions that need more are then solved one by one, each in its share of the time left. After the
    deadline, positions keep the bounds of the trial.
    """

    def within(limits: Limits, payload: Payload) -> Solved:
        return solve(limits.for_kernel(table_mb), line, total, payload)

    limits = shares.limits
    if limits.deadline is None:
        return within(limits, given.payload)
    few = min(_TRIED, _TRIED if limits.nodes is None else int(limits.nodes))
    found: list[Solved] = []
    for begin in range(0, len(given.payload[0]), _BLOCK):
        block = tuple(column[begin : begin + _BLOCK] for column in given.payload)
        in_time = shares.left > 0
        columns, moves = within(
            replace(limits, deadline=None, nodes=few, seconds=limits.seconds if in_time else 0), block
        )
        ends = columns["line_end"]
        lines = np.split(moves, ends[:-1])
        for at in np.flatnonzero(columns["nodes"] >= few).tolist() if in_time else ():
            if shares.left == 0:
                break
            own = shares.next(None if given.rest is None else given.rest - begin - at)
            row, lines[at] = within(own, tuple(column[at : at + 1] for column in block))
            for name, column in row.items():
                columns[name][at] = column[0]
        columns["line_end"] = np.array([len(moves) for moves in lines])
        found.append((columns, np.concatenate(lines)))
    joined = {name: np.concatenate([columns[name] for columns, _ in found]) for name in found[0][0]}
    joined["line_end"] = np.cumsum(joined["line_end"])
    return joined, np.concatenate([moves for _, moves in found])


class EachSpec(Batch[A]):
    """Batches of a game without a batch kernel: each position is solved by the game's ``solve``.

    Args:
        solve: ``solve(position, limits=limits, **options)``.
        make: see :class:`Batch`.
    """

    def __init__(self, solve: Callable[..., Any], make: Callable[[Sequence[Part]], Any] = SolutionList.of) -> None:
        self._solve, self.make = solve, make

    def parts(
        self, positions: Iterable[Any], limits: Limits | None, plan: Plan, total: int | None = None, **options: Any
    ) -> Parts:
        """See :meth:`Batch.parts`."""
        shares = Shares.of(limits, plan)
        solve = functools.partial(self._solve, **options)
        if shares is None:
            solve = functools.partial(solve, limits=limits)
        return each_part(solve, positions, plan, "positions", total, shares)
