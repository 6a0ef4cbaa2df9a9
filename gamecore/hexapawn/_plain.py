"""Hexapawn's rules in plain Python, for checking proofs without the kernel or the prover.

:mod:`gamecore.reference.hexapawn` generates the moves, over strings.
"""

import re

from gamecore.errors import GamecoreError
from gamecore.game import PlainRules
from gamecore.reference import hexapawn as reference
from gamecore.text import printable


class PlainHexapawn(PlainRules):
    """Rules over boards as tuples of strings. A score is 8191 - plies for a win of the side to move, else plies - 8191.

    Canonical: white is to move, and of the two mirror images white's board as a number is smaller, then black's. The
    first square of the bottom row is bit 0.
    """

    MATE = 8191

    def _read(self, text: str) -> reference.Configuration:
        board, _, mover = text.partition(":")
        rows = []
        if re.fullmatch("(?:[Pp/]|[1-9][0-9]?(?![0-9]))+", board):
            rows = [re.sub("[0-9]+", lambda digits: " " * int(digits[0]), line) for line in board.split("/")]
        is_board = len(rows) > 1 and len({len(row) for row in rows}) == 1 and 0 < len("".join(rows)) <= 64
        if not is_board or mover not in ("w", "b") or ("P" in rows[0] if mover == "w" else "p" in rows[-1]):
            raise GamecoreError(f"{printable(text, 80)} is no position of hexapawn")
        return ("white" if mover == "w" else "black"), tuple(rows)

    def _text(self, configuration: reference.Configuration) -> str:
        to_move, rows = configuration
        if to_move == "black":
            rows = tuple(row.swapcase() for row in reversed(rows))
        rows = min(rows, tuple(row[::-1] for row in rows), key=self._boards)
        return "/".join(re.sub(" +", lambda run: str(len(run[0])), row) for row in rows) + ":w"

    def _boards(self, rows: reference.Rows) -> list[list[bool]]:
        """Return white's and black's boards, highest bit first."""
        squares = "".join(row[::-1] for row in rows)
        return [[square == pawn for square in squares] for pawn in "Pp"]

    def canonical(self, text: str) -> str:
        return self._text(self._read(text))

    def after(self, key: str) -> dict[str, str]:
        configuration = self._read(key)
        if reference.opponent_arrived(configuration):
            return {}
        return {self._move(configuration[1], new[1]): self._text(new) for new in reference.successors(configuration)}

    def _move(self, rows: reference.Rows, new: reference.Rows) -> str:
        """Name white's move between two boards, which differ in the target and, a row below, in the source."""
        before, after, columns = "".join(rows), "".join(new), len(rows[0])
        target, source = (at for at, square in enumerate(before) if square != after[at])
        names = []
        for at in (source, target):
            row, column = divmod(at, columns)
            names.append(f"{'a' if column > 25 else ''}{chr(ord('a') + column % 26)}{len(rows) - row}")
        return ("-" if before[target] == " " else "x").join(names)

    def before(self, score: int) -> int:
        value = self.MATE - score if score > 0 else -(self.MATE + score)
        value = reference.value_from([value])
        return self.MATE - value if value > 0 else -self.MATE - value

    def most(self, key: str) -> tuple[int, int]:
        return (2 - self.MATE, self.MATE - 1) if self.after(key) else (-self.MATE, -self.MATE)

    def value(self, key: str, low: int, high: int) -> tuple[int, int]:
        if low > 0:
            return self.MATE - high, self.MATE - low
        if high < 0:
            return -(self.MATE + high), -(self.MATE + low)
        plies = 1  # the longest game: each ply moves a pawn one row, and only the last may reach a far row
        rows = self._read(key)[1]
        for at, row in enumerate(rows):
            plies += row.count("P") * max(at - 1, 0) + row.count("p") * max(len(rows) - at - 2, 0)
        return -(plies & ~1), (plies - 1) | 1
