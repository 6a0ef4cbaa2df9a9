"""A resumable analysis of Hexapawn."""

from gamecore import search as searches
from gamecore.batch.deadline import portions
from gamecore.batch.workers import given_up
from gamecore.hexapawn._position import MoveValue, Position
from gamecore.hexapawn._solve import Analysis, best_first, move_value, new_solver, search
from gamecore.limits import Limits


class Refinement(searches.Refinement):
    """Every legal move with bounds that tighten with each :meth:`step`; one table serves all steps.

    Args:
        position: any position.
        table_mb: most memory for the table, in MiB.

    Raises:
        MemoryError: no memory for the table.
    """

    def __init__(self, position: Position, table_mb: float) -> None:
        super().__init__(position)
        self._solver = new_solver(position, Limits(table_mb=table_mb))
        self._known: dict[str, MoveValue | None] = dict.fromkeys(position.legal_moves())

    @property
    def table_bytes(self) -> int:
        """See :attr:`gamecore.search.Refinement.table_bytes`."""
        return self._solver.table_bytes

    def step(self, seconds: float) -> Analysis:
        """Search the open moves one after another. See :meth:`gamecore.search.Refinement.step`."""
        open_moves = [move for move, entry in self._known.items() if entry is None or not entry.exact]
        for move, share in zip(open_moves, portions(seconds, len(open_moves)), strict=True):
            if given_up() and self._known[move] is not None:
                continue
            found = search(self._solver, self.position.play(move), share, 0, False)
            self.nodes += found.nodes
            self._known[move] = _tighter(move_value(move, found), self._known[move])
        known = (entry for entry in self._known.values() if entry is not None)
        entries = best_first(self._solver, self.position, known)
        return Analysis(entries, self.position.to_move, self.nodes, self.seconds)

    def line(self, move: str, seconds: float) -> tuple[str, ...]:
        """See :meth:`gamecore.search.Refinement.line`; empty while the move's value is not exact."""
        known = self._known[move]
        if known is None or not known.exact or given_up():
            return ()
        found = search(self._solver, self.position.play(move), seconds, 0, True)
        self.nodes += found.nodes
        whole = found.exact and len(found.line) == found.distance_lower
        return (move, *found.line) if whole else ()


def _tighter(found: MoveValue, known: MoveValue | None) -> MoveValue:
    """What both say: values are distances, so that bounds of one sign say more than bounds of both."""
    if known is None or known.lower <= 0 < known.upper:
        return found
    if found.lower <= 0 < found.upper:
        return known
    return MoveValue(max(known.lower, found.lower), min(known.upper, found.upper), found.move)
