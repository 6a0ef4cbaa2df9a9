"""A resumable analysis of a duel."""

from typing import TYPE_CHECKING

from gamecore import contract, kernels, search
from gamecore.batch.deadline import portions
from gamecore.batch.workers import given_up, stoppable
from gamecore.duel._position import ALICE, Position, points_of
from gamecore.duel._solve import MOVES, Analysis, best_first, kernel_position, start
from gamecore.limits import Limits

if TYPE_CHECKING:
    from gamecore.kernels.baseline import duel as _kernel
else:
    _kernel = kernels.kernel("duel")


class Refinement(search.Refinement):
    """Every legal move with bounds that tighten with each :meth:`step`; one table serves all steps.

    Args:
        position: any position.
        table_mb: most memory for the table, in MiB.

    Raises:
        MemoryError: no memory for the table.
    """

    def __init__(self, position: Position, table_mb: float) -> None:
        super().__init__(position)
        self._limits = Limits(table_mb=table_mb)
        self._bounds: dict[str, tuple[int, int]] = {}
        self._solver: _kernel.Solver | None = None
        if not position.is_over:
            self._solver = start(position, self._limits)[0]
            most = points_of(position.alice + position.bob)
            self._bounds = dict.fromkeys(position.legal_moves(), (-most, most))

    @property
    def table_bytes(self) -> int:
        """See :attr:`gamecore.search.Refinement.table_bytes`."""
        return self._solver.table_bytes if self._solver is not None else 0

    def step(self, seconds: float) -> Analysis:
        """Search the open moves one after another. See :meth:`gamecore.search.Refinement.step`."""
        open_moves = [move for move, (lower, upper) in self._bounds.items() if lower != upper]
        for move, share in zip(open_moves, portions(seconds, len(open_moves)), strict=True):
            if given_up():
                break
            lower, upper = self._search(move, share)
            known = self._bounds[move]
            self._bounds[move] = max(known[0], lower), min(known[1], upper)
        entries = best_first(self.position, self._bounds)
        return contract.Analysis(entries, self.position.to_move, self.nodes, self.seconds)

    def line(self, move: str, seconds: float) -> tuple[str, ...]:
        """See :meth:`gamecore.search.Refinement.line`; empty while the move's value is not exact."""
        lower, upper = self._bounds[move]
        after = self.position.play(move)
        if lower != upper or given_up():
            return ()
        if after.is_over:
            return (move,)
        solver = self._begun_anew(seconds)
        with stoppable(solver.stop):
            cards = solver.line(*kernel_position(after), -lower)
        self.nodes += solver.nodes
        return () if cards is None else (move, *(MOVES[card] for card in cards))

    def _search(self, move: str, seconds: float) -> tuple[int, int]:
        """Bounds of a move's value, from so many seconds of search."""
        after = self.position.play(move)
        if after.is_over:
            won = points_of(after.bob if self.position.to_move == ALICE else after.alice)
            return won, won
        solver = self._begun_anew(seconds)
        with stoppable(solver.stop):
            lower, upper = solver.value(*kernel_position(after))
        self.nodes += solver.nodes
        return -upper, -lower

    def _begun_anew(self, seconds: float) -> "_kernel.Solver":
        """The solver with its table, and so many seconds ahead of it."""
        assert self._solver is not None
        self._solver.begin(seconds)
        return self._solver
