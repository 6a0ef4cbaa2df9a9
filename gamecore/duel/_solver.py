"""A solver that keeps its table between duels."""

import time
from collections.abc import Iterable
from typing import TYPE_CHECKING, ClassVar

from gamecore import contract, kernels, search
from gamecore.duel._position import MoveValue, Position
from gamecore.duel._solve import (
    DEFAULT_TABLE_MB,
    Analysis,
    Solution,
    best_first,
    finished,
    is_done,
    search_once,
    table_bits,
    with_best_so_far,
)
from gamecore.duel._text import read

if TYPE_CHECKING:
    from gamecore.kernels.baseline import duel as _kernel
else:
    _kernel = kernels.kernel("duel")


class Solver(search.Solver[Solution]):
    """A solver that keeps its table: later positions of one game take fewer nodes.

    Answers equal those of :func:`solve` and :func:`analyse`. See :class:`gamecore.search.Solver`.

        >>> from gamecore import duel
        >>> with duel.Solver() as solver:
        ...     position = duel.deal(8, rng=1)
        ...     first = solver.solve(position)
        ...     second = solver.solve(position.play(first.best_move))
        >>> first.value == -second.value, second.nodes < duel.solve(position.play(first.best_move)).nodes
        (True, True)
    """

    default_table_mb: ClassVar[float] = DEFAULT_TABLE_MB
    _read = staticmethod(read)

    def _search(self, position: Position, seconds: float, nodes: int, line: bool) -> Solution:
        begun = time.perf_counter()
        if position.is_over:
            return finished(position, begun)
        if self._solver is None:
            self._solver = _kernel.Solver(table_bits(52, self._table_bytes), seconds, nodes)
        self._solver.begin(seconds, nodes)
        return search_once(self._solver, position, line, begun)

    def _named(self, solution: Solution, position: Position, line: bool, hurry: bool) -> Solution:
        if position.is_over or self._solver is None or is_done(solution, line):
            return solution
        return with_best_so_far(solution, self._solver, position, hurry)

    def _analysis(self, position: Position, moves: Iterable[MoveValue], nodes: int, seconds: float) -> Analysis:
        bounds = {entry.move: (entry.lower, entry.upper) for entry in moves}
        return contract.Analysis(best_first(position, bounds), position.to_move, nodes, seconds)
