"""An analysis of Hexapawn that can be gone on with: what the page of ``gamecore explore`` shows while it tightens."""

import time

from gamecore.batch._deadline import portions
from gamecore.batch._workers import given_up
from gamecore.hexapawn._position import MoveValue, Position
from gamecore.hexapawn._solve import Analysis, best_first, move_value, new_solver, search
from gamecore.limits import Limits


class Refinement:
    """Every legal move with bounds that tighten with each :meth:`step`; one table is kept for all of them.

    Args:
        position: any position.
        table_mb: most memory for the table, in MiB.

    Attributes:
        nodes: positions searched so far.

    Raises:
        MemoryError: no memory for the table.
    """

    def __init__(self, position: Position, table_mb: float) -> None:
        self.position = position
        self.nodes = 0
        self._begun = time.perf_counter()
        self._solver = new_solver(position, Limits(table_mb=table_mb))
        self._known: dict[str, MoveValue | None] = dict.fromkeys(position.legal_moves())

    @property
    def table_bytes(self) -> int:
        """Memory of the table in use."""
        return self._solver.table_bytes

    def step(self, seconds: float) -> Analysis:
        """Search for about so long, the open moves in turn, and say what is proven by now, as ``analyse`` does."""
        open_moves = [move for move, entry in self._known.items() if entry is None or not entry.exact]
        for move, share in zip(open_moves, portions(seconds, len(open_moves)), strict=True):
            if given_up() and self._known[move] is not None:
                continue
            found = search(self._solver, self.position.play(move), share, 0, False)
            self.nodes += found.nodes
            self._known[move] = _tighter(move_value(move, found), self._known[move])
        known = (entry for entry in self._known.values() if entry is not None)
        entries = best_first(self._solver, self.position, known)
        return Analysis(entries, self.position.to_move, self.nodes, time.perf_counter() - self._begun)

    def line(self, move: str, seconds: float) -> tuple[str, ...]:
        """The move and best play of both sides after it; empty where its value is not known or the time is over."""
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
