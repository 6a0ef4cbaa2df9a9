"""``solve_many`` and ``solve_iter`` of all games, and what a game defines for them."""

import functools
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor
from typing import Any, Generic, TypeVar

from gamecore.batch.columns import Payload, PositionColumns, SolutionList, Solved
from gamecore.batch.plan import OnError, Plan, Progress, limits_of_chunk
from gamecore.batch.stream import Items, Part, Parts, flattened, gather, stream
from gamecore.batch.tasks import each_part
from gamecore.errors import GamecoreError
from gamecore.limits import Limits, limits_of

A = TypeVar("A", bound=Sequence[Any])


class Batch(Generic[A]):
    """How a game solves many positions: one by one with the game's ``solve``.

    Args:
        solve: ``solve(position, limits=limits, **options)``.
        make: makes the answers from parts.
    """

    def __init__(self, solve: Callable[..., Any], make: Callable[[Sequence[Part]], Any] = SolutionList.of) -> None:
        self._solve = solve
        self.make: Callable[[Sequence[Part]], A] = make

    def parts(
        self, positions: Any, limits: Limits | None, plan: Plan, total: int | None = None, *args: Any, **options: Any
    ) -> Parts:
        """Yield the parts of a batch; exceptions among the positions count as bad positions.

        Args:
            positions, limits, options: see :meth:`solve_many`.
            plan: the options of the batch.
            total: number of positions, where it is known and ``positions`` has no length.
        """
        solve = functools.partial(self._solve, **options)
        return each_part(solve, positions, plan, "positions", total, limits_of(limits))

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
        plan = Plan(workers, executor, progress, on_error, whole=True)
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


class BatchSpec(Batch[A]):
    """Batches of a game whose kernel takes positions as columns.

    Args:
        read: parses a position's text.
        pack: converts positions to the kernel's columns.
        solve: ``solve(kernel limits, line, total, payload)`` makes result columns and the moves of all lines;
            ``total`` is the number of positions in the batch, if known.
        make: see :class:`Batch`.
        placeholder: packed instead of bad positions.
        table_mb: default table memory of a search.
    """

    def __init__(
        self,
        read: Callable[[str], Any],
        pack: Callable[[list[Any]], Payload],
        solve: Callable[..., Solved],
        make: Callable[[Sequence[Part]], A],
        placeholder: Any,
        table_mb: float,
    ) -> None:
        super().__init__(solve, make)
        self._read, self._pack, self._placeholder, self._table_mb = read, pack, placeholder, table_mb

    def parts(
        self, positions: Iterable[Any], limits: Limits | None, plan: Plan, total: int | None = None, line: bool = True
    ) -> Parts:
        """See :meth:`Batch.parts`."""
        if isinstance(positions, PositionColumns):
            source = Items(range(len(positions)), positions.packed, plan.keeps_errors)
        else:
            source = Items(positions, self._packed, plan.keeps_errors, "positions", total)
        limits = limits_of(limits)
        task = functools.partial(_solve_columns, self._solve, limits, self._table_mb, line, source.total)
        return stream(task, source, plan, name="positions", in_turn=limits.deadline is not None)

    def _packed(self, items: list[Any]) -> tuple[Payload, dict[int, Exception]]:
        """Pack positions or their texts; a GamecoreError among the items is an unreadable position."""
        kind = type(self._placeholder)
        errors: dict[int, Exception] = {}
        if set(map(type, items)) == {kind}:
            return self._pack(items), errors
        positions = []
        for place, item in enumerate(items):
            position = self._placeholder
            try:
                if isinstance(item, GamecoreError):
                    raise item
                position = item if isinstance(item, kind) else self._read(item)
            except GamecoreError as error:
                errors[place] = error
            positions.append(position)
        return self._pack(positions), errors


def _solve_columns(
    solve: Callable[..., Solved],
    limits: Limits,
    table_mb: float,
    line: bool,
    total: int | None,
    payload: Payload,
    turns: float = 1,
) -> Solved:
    return solve(limits_of_chunk(limits, turns).for_kernel(table_mb), line, total, payload)
