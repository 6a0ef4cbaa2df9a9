"""The rules once more, in plain Python, for those who check proofs: nothing here comes from the kernels or the prover.

The moves are those of :mod:`gamecore.reference`, over strings and sets of cards.
"""

import itertools
import re
from typing import Protocol

from gamecore.errors import GamecoreError, OptionError
from gamecore.reference import duel as plain_duel
from gamecore.reference import hexapawn as plain_hexapawn
from gamecore.text import printable

SUITS = "CDHS"


class PlainRules(Protocol):
    """A game, as those who check see it. Keys are canonical notations."""

    def canonical(self, text: str) -> str:
        """The canonical notation of a position: the same for mirror images, for other names of suits, for both sides.

        Raises:
            GamecoreError: the text is no position.
        """

    def after(self, key: str) -> dict[str, str]:
        """The key after each legal move, by the move's name; empty when the game is over."""

    def before(self, score: int) -> int:
        """The score of a move from the score after it, which is within :meth:`most`."""

    def most(self, key: str) -> tuple[int, int]:
        """The least and the greatest score that a position can have by the rules alone; equal when the game is over."""

    def value(self, key: str, low: int, high: int) -> tuple[int, int]:
        """Bounds of a score as bounds of a value, for the side to move.

        Raises:
            GamecoreError: no result has a score between them.
        """


def plain_rules_of(game: str) -> PlainRules:
    """The plain rules of a game.

    Raises:
        OptionError: none is known.
    """
    if game == "duel":
        return PlainDuel()
    if game == "hexapawn":
        return PlainHexapawn()
    raise OptionError(f"no game {printable(game)}")


class PlainHexapawn:
    """Boards as the source has them. A score is 8191 - plies for a win of the side to move, plies - 8191 for a loss.

    Canonical: white to move, and of the two mirror images the one with the smaller boards. Boards compare as numbers:
    white's, then black's, the bottom row's first square being the lowest bit.
    """

    MATE = 8191

    def _read(self, text: str) -> plain_hexapawn.Configuration:
        board, _, mover = text.partition(":")
        rows = []
        if re.fullmatch("(?:[Pp/]|[1-9][0-9]?(?![0-9]))+", board):
            rows = [re.sub("[0-9]+", lambda digits: " " * int(digits[0]), line) for line in board.split("/")]
        is_board = len(rows) > 1 and len({len(row) for row in rows}) == 1 and 0 < len("".join(rows)) <= 64
        if not is_board or mover not in ("w", "b") or ("P" in rows[0] if mover == "w" else "p" in rows[-1]):
            raise GamecoreError(f"{printable(text, 80)} is no position of hexapawn")
        return ("white" if mover == "w" else "black"), tuple(rows)

    def _text(self, configuration: plain_hexapawn.Configuration) -> str:
        to_move, rows = configuration
        if to_move == "black":
            rows = tuple(row.swapcase() for row in reversed(rows))
        rows = min(rows, tuple(row[::-1] for row in rows), key=self._boards)
        return "/".join(re.sub(" +", lambda run: str(len(run[0])), row) for row in rows) + ":w"

    def _boards(self, rows: plain_hexapawn.Rows) -> list[list[bool]]:
        """White's and black's board, the highest bit first."""
        squares = "".join(row[::-1] for row in rows)
        return [[square == pawn for square in squares] for pawn in "Pp"]

    def canonical(self, text: str) -> str:
        """See :class:`PlainRules`."""
        return self._text(self._read(text))

    def after(self, key: str) -> dict[str, str]:
        """See :class:`PlainRules`."""
        configuration = self._read(key)
        if plain_hexapawn.opponent_arrived(configuration):
            return {}
        return {
            self._move(configuration[1], new[1]): self._text(new) for new in plain_hexapawn.successors(configuration)
        }

    def _move(self, rows: plain_hexapawn.Rows, new: plain_hexapawn.Rows) -> str:
        """White's move between two boards: the squares that differ are its target, then, a row below, its source."""
        before, after, columns = "".join(rows), "".join(new), len(rows[0])
        target, source = (at for at, square in enumerate(before) if square != after[at])
        names = []
        for at in (source, target):
            row, column = divmod(at, columns)
            names.append(f"{'a' if column > 25 else ''}{chr(ord('a') + column % 26)}{len(rows) - row}")
        return ("-" if before[target] == " " else "x").join(names)

    def before(self, score: int) -> int:
        """See :class:`PlainRules`."""
        value = self.MATE - score if score > 0 else -(self.MATE + score)
        value = plain_hexapawn.value_from([value])
        return self.MATE - value if value > 0 else -self.MATE - value

    def most(self, key: str) -> tuple[int, int]:
        """See :class:`PlainRules`."""
        return (2 - self.MATE, self.MATE - 1) if self.after(key) else (-self.MATE, -self.MATE)

    def value(self, key: str, low: int, high: int) -> tuple[int, int]:
        """See :class:`PlainRules`."""
        if low > 0:
            return self.MATE - high, self.MATE - low
        if high < 0:
            return -(self.MATE + high), -(self.MATE + low)
        plies = 1  # at most: each moves a pawn by a row, and the last one may reach a far row
        rows = self._read(key)[1]
        for at, row in enumerate(rows):
            plies += row.count("P") * max(at - 1, 0) + row.count("p") * max(len(rows) - at - 2, 0)
        return -(plies & ~1), (plies - 1) | 1


class PlainDuel:
    """Hands as sets of cards. A score is the points that the side to move gets, below 0 those that it pays.

    Canonical: Alice to move, and of the 24 ways to name the suits the one with the least hands. Hands compare as
    numbers: Alice's, then Bob's, then the last card. The ace of clubs is the lowest bit, the ace of diamonds the next.
    """

    CARDS = tuple(suit + rank for rank in plain_duel.POINTS for suit in SUITS)

    def _read(self, text: str) -> tuple[plain_duel.Hand, plain_duel.Hand, str | None]:
        parts = text.split(":")
        if len(parts) != 4 or parts[2] not in ("A", "B"):
            raise GamecoreError(f"{printable(text, 80)} is no position of the duel")
        hands = [self._hand(part) for part in parts[:2]]
        last = None if parts[3] == "-" else parts[3]
        held = hands[0] | hands[1]
        if hands[0] & hands[1] or not held or last in held or last not in (None, *self.CARDS):
            raise GamecoreError(f"{printable(text, 80)} is no position of the duel")
        return *(hands if parts[2] == "A" else reversed(hands)), last

    def _hand(self, text: str) -> plain_duel.Hand:
        found = [] if text == "0" else [text[at : at + 2] for at in range(0, len(text), 2)]
        if text == "" or not set(found) <= set(self.CARDS) or len(set(found)) != len(found):
            raise GamecoreError(f"{printable(text, 80)} is no hand")
        return frozenset(found)

    def _text(self, mover: plain_duel.Hand, other: plain_duel.Hand, last: str | None) -> str:
        rows = [
            [sum(16 ** (plain_duel.POINTS[card[1]] - 1) for card in hand if card[0] == suit) for suit in SUITS]
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
        """See :class:`PlainRules`."""
        return self._text(*self._read(text))

    def after(self, key: str) -> dict[str, str]:
        """See :class:`PlainRules`."""
        mover, other, last = self._read(key)
        if not mover or not other:
            return {}
        cards = plain_duel.legal(mover, last)
        if not cards:
            return {"pass": self._text(other, mover, None)}
        return {card: self._text(other, mover - {card}, card) for card in cards}

    def before(self, score: int) -> int:
        """See :class:`PlainRules`."""
        return -score

    def most(self, key: str) -> tuple[int, int]:
        """See :class:`PlainRules`."""
        mover, other, _ = self._read(key)
        paid, won = plain_duel.points(mover), plain_duel.points(other)
        return (-paid, won) if mover and other else (won - paid, won - paid)

    def value(self, key: str, low: int, high: int) -> tuple[int, int]:
        """See :class:`PlainRules`."""
        if low < 0 < high:
            return low, high
        mover, other, _ = self._read(key)
        sign, loser = (1, other) if low >= 0 else (-1, mover)  # nobody wins by nothing
        sums = {0}
        for card in loser:
            sums |= {paid + plain_duel.POINTS[card[1]] for paid in sums}
        left = [sign * paid for paid in sums if paid and low <= sign * paid <= high]
        if not left:
            raise GamecoreError(f"{key}: no result is from {low} to {high}")
        return min(left), max(left)
