"""The rules once more in plain Python: proofs are checked by them, without kernels and provers.

:mod:`gamecore.reference` generates the moves, over sets of cards and over strings.
"""

import itertools
import re

from gamecore.errors import GamecoreError
from gamecore.reference import duel, hexapawn
from gamecore.text import printable

SUITS = "CDHS"


class PlainDuel:
    """Rules over hands as sets of cards; see :class:`gamecore.apps.prove.PlainRules`.

    A score is the points that the side to move wins, negative if it pays.

    Canonical: Alice is to move, and the suits are permuted so that Alice's hand as a number is least, then Bob's, then
    the last card. The ace of clubs is bit 0 of a hand, the ace of diamonds bit 1.
    """

    CARDS = tuple(suit + rank for rank in duel.POINTS for suit in SUITS)

    def _read(self, text: str) -> tuple[duel.Hand, duel.Hand, str | None]:
        if parts := re.fullmatch("(0|(?:..)+):(0|(?:..)+):([AB]):(-|..)", text):
            alice, bob, last = (re.findall("..", part) for part in parts.group(1, 2, 4))  # none in 0, and in -
            cards = [*alice, *bob, *last]
            if alice + bob and len({*cards}) == len(cards) and {*cards} <= {*self.CARDS}:
                hands = frozenset(alice), frozenset(bob)
                return *(hands if parts[3] == "A" else reversed(hands)), last[0] if last else None
        raise GamecoreError(f"{printable(text, 80)} is no position of the duel")

    def _text(self, mover: duel.Hand, other: duel.Hand, last: str | None) -> str:
        rows = [
            [sum(16 ** (duel.POINTS[card[1]] - 1) for card in hand if card[0] == suit) for suit in SUITS]
            for hand in (mover, other)
        ]
        ways = []
        for names in itertools.permutations(range(4)):
            numbers = [sum(row << name for row, name in zip(hand, names, strict=True)) for hand in rows]
            named = -1 if last is None else self.CARDS.index("C" + last[1]) + names[SUITS.index(last[0])]
            ways.append((*numbers, named))
        *hands, named = min(ways)
        texts = ["".join(card for at, card in enumerate(self.CARDS) if hand >> at & 1) or "0" for hand in hands]
        return f"{texts[0]}:{texts[1]}:A:{'-' if named < 0 else self.CARDS[named]}"

    def canonical(self, text: str) -> str:
        return self._text(*self._read(text))

    def after(self, key: str) -> dict[str, str]:
        mover, other, last = self._read(key)
        if not mover or not other:
            return {}
        cards = duel.legal(mover, last)
        if not cards:
            return {"pass": self._text(other, mover, None)}
        return {card: self._text(other, mover - {card}, card) for card in cards}

    def plies_left(self, key: str) -> int:
        # Each ply shortens this sum: a card leaves a hand (two letters each), or a pass clears the last card.
        mover, other, _, last = key.split(":")
        return 2 * len(mover + other) + (last != "-")

    def before(self, score: int) -> int:
        return -score

    def most(self, key: str) -> tuple[int, int]:
        mover, other, _ = self._read(key)
        paid, won = duel.points(mover), duel.points(other)
        return (-paid, won) if mover and other else (won - paid, won - paid)

    def value(self, key: str, low: int, high: int) -> tuple[int, int]:
        if low < 0 < high:
            return low, high
        sign = 1 if low >= 0 else -1  # a win is at least 1 point
        left = [sign * paid for paid in self.amounts(key, low >= 0) if low <= sign * paid <= high]
        if not left:
            raise GamecoreError(f"{key}: no result is from {low} to {high}")
        return min(left), max(left)

    def amounts(self, key: str, wins: bool) -> tuple[int, ...]:
        """Return the points that the loser may hold at the end, ascending; ``wins``: the mover wins."""
        mover, other, _ = self._read(key)
        sums = {0}
        for card in other if wins else mover:
            sums |= {paid + duel.POINTS[card[1]] for paid in sums}
        return tuple(sorted(sums - {0}))


class PlainHexapawn:
    """Rules over boards as tuples of strings; see :class:`gamecore.apps.prove.PlainRules`.

    A score is 8191 - plies for a win of the side to move, else plies - 8191.

    Canonical: white is to move, and of the two mirror images white's board as a number is smaller, then black's. The
    first square of the bottom row is bit 0.
    """

    MATE = 8191

    def _read(self, text: str) -> hexapawn.Configuration:
        board, _, mover = text.partition(":")
        rows = []
        if re.fullmatch("(?:[Pp/]|[1-9][0-9]?(?![0-9]))+", board):
            rows = [re.sub("[0-9]+", lambda digits: " " * int(digits[0]), line) for line in board.split("/")]
        is_board = len(rows) > 1 and len({len(row) for row in rows}) == 1 and 0 < len("".join(rows)) <= 64
        if not is_board or mover not in ("w", "b") or ("P" in rows[0] if mover == "w" else "p" in rows[-1]):
            raise GamecoreError(f"{printable(text, 80)} is no position of hexapawn")
        return ("white" if mover == "w" else "black"), tuple(rows)

    def _text(self, configuration: hexapawn.Configuration) -> str:
        to_move, rows = configuration
        if to_move == "black":
            rows = tuple(row.swapcase() for row in reversed(rows))
        rows = min(rows, tuple(row[::-1] for row in rows), key=self._boards)
        return "/".join(re.sub(" +", lambda run: str(len(run[0])), row) for row in rows) + ":w"

    def _boards(self, rows: hexapawn.Rows) -> list[list[bool]]:
        """Return white's and black's boards, highest bit first."""
        squares = "".join(row[::-1] for row in rows)
        return [[square == pawn for square in squares] for pawn in "Pp"]

    def canonical(self, text: str) -> str:
        return self._text(self._read(text))

    def after(self, key: str) -> dict[str, str]:
        configuration = self._read(key)
        if hexapawn.opponent_arrived(configuration):
            return {}
        return {self._move(configuration[1], new[1]): self._text(new) for new in hexapawn.successors(configuration)}

    def _move(self, rows: hexapawn.Rows, new: hexapawn.Rows) -> str:
        """Name white's move between two boards, which differ in the target and, a row below, in the source."""
        before, after, columns = "".join(rows), "".join(new), len(rows[0])
        target, source = (at for at, square in enumerate(before) if square != after[at])
        names = (square_name(len(rows) - 1 - at // columns, at % columns) for at in (source, target))
        return ("-" if before[target] == " " else "x").join(names)

    def plies_left(self, key: str) -> int:
        board = key.partition(":")[0].split("/")  # the sum counts each pawn's rows to its far row
        return sum(row * line.count("P") + (len(board) - 1 - row) * line.count("p") for row, line in enumerate(board))

    def before(self, score: int) -> int:
        return hexapawn.parent_score(score)

    def most(self, key: str) -> tuple[int, int]:
        return (2 - self.MATE, self.MATE - 1) if self.after(key) else (-self.MATE, -self.MATE)

    def value(self, key: str, low: int, high: int) -> tuple[int, int]:
        if low <= 0 <= high:
            pawns = key.lower().count("p")  # the longest game: only the last ply reaches a far row
            plies = 1 + self.plies_left(key) - pawns
            return -(plies & ~1), (plies - 1) | 1
        if low > 0:  # a win takes an odd number of plies, a loss an even one
            least, most = (self.MATE - high) | 1, (self.MATE - low - 1) | 1
        else:
            least, most = -((self.MATE + high) & ~1), -((self.MATE + low + 1) & ~1)
        if least > most:
            raise GamecoreError(f"{key}: no result is from {low} to {high}")
        return least, most


def square_name(row: int, column: int) -> str:
    """Return ``a1`` for row and column 0."""
    return f"{'a' if column > 25 else ''}{chr(ord('a') + column % 26)}{row + 1}"
