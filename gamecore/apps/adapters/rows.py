"""Rows as numbers."""

from gamecore.apps.adapters._table import Coding, Tensor
from gamecore.errors import OptionError
from gamecore.rows import Position


class RowsCoding(Coding[Position]):
    """Action 0 takes the leftmost value, 1 the rightmost. Returns are the difference of both totals.

    Observations, (2 n + 4,): the remaining values padded with zeros (n), a mask of them (n), my total, the opponent's
    total, a flag for each side to move.
    """

    actions = ("L", "R")

    def __init__(self, start: Position) -> None:
        if start.rule.helps:
            raise OptionError(f"opponent {start.opponent!r} makes no zero-sum game")
        self._count = len(start.values)
        self.longest = self._count
        total = sum(map(abs, start.values)) + abs(start.mine) + abs(start.theirs)
        self.most = float(max(total, 99 * self._count))  # of random rows, too
        self.shape = (2 * self._count + 4,)

    def returns(self, position: Position) -> tuple[float, float]:
        difference = float(position.mine - position.theirs)
        return difference, -difference

    def write(self, position: Position, side: int, tensor: Tensor) -> None:
        left, rest = len(position.values), tensor[2 * self._count :]
        tensor[:left] = position.values
        tensor[self._count : self._count + left] = 1
        rest[:2] = position.mine, position.theirs
        rest[2 if position.to_move == "me" else 3] = 1


PART = RowsCoding
