"""A solver that keeps its table between positions of Hexapawn."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, ClassVar

from gamecore import kernels, search
from gamecore.hexapawn._position import MoveValue, Position
from gamecore.hexapawn._solve import (
    DEFAULT_TABLE_MB,
    FIRST_LINE,
    Analysis,
    Solution,
    best_first,
    empty_solver,
    move_value,
    search_once,
    with_best_so_far,
)
from gamecore.hexapawn._text import read

if TYPE_CHECKING:
    from gamecore.kernels.baseline import hexapawn as _kernel
else:
    _kernel = kernels.kernel("hexapawn")


class Solver(search.Solver[Solution]):
    """A solver that keeps its table: later positions of one game take fewer nodes.

    A position of another board size, or one that needs the wide layout, starts a new table. Values equal those of
    :func:`solve` and :func:`analyse`; lines take the first of equal moves, as in batches. See
    :class:`gamecore.search.Solver`.

        >>> from gamecore import hexapawn
        >>> with hexapawn.Solver() as solver:
        ...     start = hexapawn.Position.start(5, 5)
        ...     first = solver.solve(start)
        ...     second = solver.solve(start.play(first.best_move))
        >>> first.distance_lower - second.distance_lower
        1
    """

    default_table_mb: ClassVar[float] = DEFAULT_TABLE_MB
    _read = staticmethod(read)
    _board: tuple[bool, int, int] | None = None

    def _on(self, position: Position) -> "_kernel.Solver":
        """Return the kernel's solver for a position's board."""
        rows, columns = position.rows, position.columns
        board = _kernel.needs_wide(rows, columns, position.white, position.black), rows, columns
        if self._solver is None or board != self._board:
            self._forget()  # free the old table before the new one is allocated
            self._solver, self._board = empty_solver(*board, self._table_bytes), board
        solver: _kernel.Solver = self._solver
        return solver

    def _search(self, position: Position, seconds: float, nodes: int, line: bool) -> Solution:
        return search_once(self._on(position), position, seconds, nodes, FIRST_LINE if line else 0)

    def _named(self, solution: Solution, position: Position, line: bool, hurry: bool) -> Solution:
        return with_best_so_far(solution, self._on(position), position, line)

    def _value_of(self, move: str, after: Solution) -> MoveValue:
        return move_value(move, after)

    def _tighter(self, first: MoveValue, second: MoveValue) -> MoveValue:
        # Values are distances: bounds that decide the winner are tighter than any others.
        for loose, other in ((first, second), (second, first)):
            if loose.lower <= 0 < loose.upper:
                return other
        return super()._tighter(first, second)

    def _analysis(self, position: Position, moves: Iterable[MoveValue], nodes: int, seconds: float) -> Analysis:
        return Analysis(best_first(self._on(position), position, moves), position.to_move, nodes, seconds)
