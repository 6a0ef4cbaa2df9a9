"""Hexapawn as numbers."""

from gamecore.apps.adapters._table import Coding, Tensor
from gamecore.hexapawn import Position


class HexapawnCoding(Coding[Position]):
    """Actions are ``6 * source + direction``, with squares as in ``hexapawn.Position``. Directions of white: 0 captures
    to the left, 1 steps ahead, 2 captures to the right. Directions 3 to 5 are the same for black, with white's left.
    Numbers that are no step or capture of the board have an empty name. The winner gets 1.

    Observations, (4, rows, columns), bottom row first: white pawns, black pawns, all ones if white is to move, all ones
    if black is.
    """

    most = 1.0
    bounds = (0.0, 1.0)

    def __init__(self, start: Position) -> None:
        columns, squares = start.columns, start.rows * start.columns
        names = [
            f"{'a' * (at % columns > 25)}{chr(97 + at % columns % 26)}{at // columns + 1}" for at in range(squares)
        ]
        self.actions = [
            names[source] + ("x" if side else "-") + names[target]
            if 0 <= (target := source + ahead + side) < squares and 0 <= source % columns + side < columns
            else ""
            for source in range(squares)
            for ahead in (columns, -columns)
            for side in (-1, 0, 1)
        ]
        self.longest = squares
        self.shape = (4, start.rows, columns)

    def returns(self, position: Position) -> tuple[float, float]:
        return (1.0, -1.0) if position.winner == "white" else (-1.0, 1.0)

    def write(self, position: Position, side: int, tensor: Tensor) -> None:
        planes = tensor.reshape(4, -1)
        for at, pawns in enumerate((position.white, position.black)):
            planes[at] = [pawns >> square & 1 for square in range(planes.shape[1])]
        planes[2 if position.to_move == "white" else 3] = 1


PART = HexapawnCoding
