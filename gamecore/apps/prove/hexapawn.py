"""Hexapawn for ``gamecore prove``. :class:`gamecore.apps.prove._plain.PlainHexapawn` defines the canonical form."""

from typing import Final

from gamecore import kernels
from gamecore.apps.prove._plain import PlainHexapawn
from gamecore.apps.prove._prover import Answer, Child, Engine, Prover
from gamecore.errors import GamecoreError
from gamecore.hexapawn import Position
from gamecore.kernels import hexapawn as _kernel

MATE: Final = 8191  #: a score is MATE - plies for a win of the side to move, and plies - MATE for a loss

_RULES: Final = "hexapawn 1"  # the number changes with the rules


class HexapawnProver(Prover):
    """See :class:`gamecore.apps.prove.Prover`."""

    plain = PlainHexapawn()

    def canonical(self, position: Position) -> str:
        return _canonical(position)

    def plies_left(self, key: str) -> int:
        board = key.partition(":")[0].split("/")  # the sum counts each pawn's rows to its far row
        return sum(row * line.count("P") + (len(board) - 1 - row) * line.count("p") for row, line in enumerate(board))

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

    def question_of(self, test: int) -> str:
        if test == 1:
            return "the mover wins"
        if test > 0:
            return f"the mover wins in {MATE - test} plies or fewer"
        return f"the mover wins, or loses in {MATE + test} plies or more"

    def engine(self, key: str, table_bytes: int, shared: bool) -> "HexapawnEngine":
        position = _read(key)
        size = position.rows, position.columns
        wide = _kernel.needs_wide(*size, position.white, position.black)
        solver = (kernels.kernel("hexapawn_wide") if wide else _kernel).Solver(*size, table_bytes)
        if shared:
            solver.reserve()
        return HexapawnEngine(solver, size if shared else None)

    def fingerprint(self, root: str) -> str:
        return _RULES


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

    def test(self, key: str, test: int, nodes: int) -> Answer:
        position = _read(key)
        nearest = 1 + self._shift  # the slowest win; a test of it asks who wins
        least = 1 if abs(test) <= nearest else test - self._shift if test > 0 else test + self._shift
        done, low, high, searched = self.solver.test(position.white, position.black, False, least, -1.0, nodes)
        return Answer(done, self._outwards(low), self._outwards(high), searched)

    def children(self, key: str, test: int) -> list[Child]:
        position, children = _read(key), []
        rows, columns, white, black = position.rows, position.columns, position.white, position.black
        for source, target, low, high, order in self.solver.children(white, black, False):
            move = _square(source, columns) + ("x" if black >> target & 1 else "-") + _square(target, columns)
            after = Position(rows, columns, white ^ 1 << source ^ 1 << target, black & ~(1 << target), "black")
            children.append(Child(move, _canonical(after), self._outwards(low), self._outwards(high), order))
        return children

    def stop(self) -> None:
        self.solver.stop()

    def helper(self) -> "HexapawnEngine | None":
        if self._size is None:
            return None
        return HexapawnEngine(type(self.solver)(*self._size, 0, self.solver), self._size)


def _square(square: int, columns: int) -> str:
    row, column = divmod(square, columns)
    return f"{'a' if column > 25 else ''}{chr(ord('a') + column % 26)}{row + 1}"


def _read(key: str) -> Position:
    position = Position.from_text(key)
    if position.to_move != "white":
        raise GamecoreError(f"{key} is not canonical: black is to move")
    return position


def _canonical(position: Position) -> str:
    if position.to_move != "white":
        position = position.flip()
    image = position.mirror()
    if (image.white, image.black) < (position.white, position.black):
        position = image
    return position.to_text()


def _normal(test: int) -> int:
    """Return the equivalent test that is a possible score: even for wins, odd for losses, 1 for "who wins"."""
    if -1 <= test <= 1:
        return 1
    return test + (test & 1) if test > 0 else test + (1 - (test & 1))


PART = HexapawnProver()
