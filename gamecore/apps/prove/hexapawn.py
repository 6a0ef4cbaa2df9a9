"""Hexapawn for ``gamecore prove``. :class:`gamecore.apps.prove._plain.PlainHexapawn` defines the canonical form."""

from typing import Final

from gamecore import kernels
from gamecore.apps.prove._plain import PlainHexapawn, square_name
from gamecore.apps.prove._prover import Child, Engine, Prover
from gamecore.hexapawn import Position
from gamecore.kernels import hexapawn as _kernel

MATE: Final = PlainHexapawn.MATE
_PLAIN: Final = PlainHexapawn()


class HexapawnProver(Prover):
    """See :class:`gamecore.apps.prove.Prover`."""

    plain = _PLAIN

    def test_after(self, test: int) -> int:
        return _normal(-test if test > 0 else 2 - test)

    def next_test(self, key: str, low: int, high: int, question: str) -> int | None:
        """Test who wins, then null windows from slow to quick wins, or from quick to slow losses."""
        if low < 0 < high:
            return 1
        if question == "wins" or low == high:
            return None
        test = _normal(low + 1) if low >= 0 else high - 1 | 1  # scores of losses are odd
        return test if low < test <= high else None

    def engine(self, key: str, table_bytes: int, shared: bool) -> "HexapawnEngine":
        position = Position.from_text(key)
        size = position.rows, position.columns
        wide = _kernel.needs_wide(*size, position.white, position.black)
        solver = (kernels.kernel("hexapawn_wide") if wide else _kernel).Solver(*size, table_bytes)
        if shared:
            solver.reserve()
        return HexapawnEngine(solver, size if shared else None)

    def fingerprint(self, root: str) -> str:
        return "hexapawn 1"  # the number changes with the rules


class HexapawnEngine(Engine):
    """See :class:`gamecore.apps.prove.Engine`.

    Args:
        size: rows and columns if threads share the table; None: one thread.
    """

    def __init__(self, solver: "_kernel.Solver", size: tuple[int, int] | None) -> None:
        self.solver, self._size = solver, size
        self._shift = MATE - solver.mate

    def _outwards(self, score: int) -> int:
        return score + self._shift if score > 0 else score - self._shift

    def test(self, key: str, test: int, nodes: int) -> tuple[int, int, int]:
        position = Position.from_text(key)
        nearest = 1 + self._shift  # the slowest win; a test of it asks who wins
        least = 1 if abs(test) <= nearest else test - self._shift if test > 0 else test + self._shift
        _, low, high, searched = self.solver.test(position.white, position.black, False, least, -1.0, nodes)
        return self._outwards(low), self._outwards(high), searched

    def children(self, key: str, test: int) -> list[Child]:
        position, after, children = Position.from_text(key), _PLAIN.after(key), []
        for source, target, low, high, order in self.solver.children(position.white, position.black, False):
            squares = (square_name(*divmod(square, position.columns)) for square in (source, target))
            move = ("x" if position.black >> target & 1 else "-").join(squares)
            children.append(Child(move, after[move], self._outwards(low), self._outwards(high), order))
        return children

    def stop(self) -> None:
        self.solver.stop()

    def helper(self) -> "HexapawnEngine | None":
        if self._size is None:
            return None
        return HexapawnEngine(type(self.solver)(*self._size, 0, self.solver), self._size)


def _normal(test: int) -> int:
    """Return the equivalent test that is a possible score: even for wins, odd for losses, 1 for "who wins"."""
    if -1 <= test <= 1:
        return 1
    return test + (test & 1) if test > 0 else test + (1 - (test & 1))


PART = HexapawnProver()
