"""The rules once more, in plain Python, for those who check proofs: nothing here comes from the kernels or the prover.

The moves are those of :mod:`gamecore.reference`, over strings and sets of cards.
"""

import itertools
import re
from collections.abc import Iterable
from typing import Protocol

from gamecore.errors import GamecoreError, OptionError
from gamecore.reference import duel as plain_duel
from gamecore.reference import hexapawn as plain_hexapawn
from gamecore.text import printable

SUITS = "CDHS"


class PlainRules(Protocol):
    """A game, as those who check see it. Positions are notations; the side to move is always named the same."""

    def same(self, key: str) -> str:
        """A text that two notations share if and only if their positions are the same but for names and mirrors."""

    def after(self, key: str) -> set[str]:
        """:meth:`same` of every position that a legal move leads to; empty when the game is over."""

    def ended(self, key: str) -> int | None:
        """The score of a game that is over, for the side to move; None while it goes on."""

    def before(self, score: int) -> int:
        """The score of a move from the score after it."""

    def most(self, key: str) -> tuple[int, int]:
        """Bounds of the score that hold for every position of this game: they need no proof."""


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
    """Boards as the source has them. A score is 8191 - plies for a win of the side to move, plies - 8191 for a loss."""

    MATE = 8191

    def _read(self, key: str) -> plain_hexapawn.Configuration:
        board, _, mover = key.partition(":")
        rows = []
        if re.fullmatch("[0-9Pp/]+", board) and not re.search("[0-9]{3}", board):
            rows = [re.sub("[0-9]+", lambda digits: " " * int(digits[0]), line) for line in board.split("/")]
        is_board = len({len(row) for row in rows}) == 1 and 0 < len("".join(rows)) <= 64
        if mover != "w" or not is_board:
            raise GamecoreError(f"{printable(key, 80)} is no position of hexapawn with white to move")
        return "white", tuple(rows)

    def _named(self, configuration: plain_hexapawn.Configuration) -> str:
        to_move, rows = configuration
        if to_move == "black":
            rows = tuple(row.swapcase() for row in reversed(rows))
        return min("/".join(rows), "/".join(row[::-1] for row in rows))

    def same(self, key: str) -> str:
        """See :class:`PlainRules`."""
        return self._named(self._read(key))

    def after(self, key: str) -> set[str]:
        """See :class:`PlainRules`."""
        configuration = self._read(key)
        if plain_hexapawn.opponent_arrived(configuration):
            return set()
        return {self._named(after) for after in plain_hexapawn.successors(configuration)}

    def ended(self, key: str) -> int | None:
        """See :class:`PlainRules`."""
        return None if self.after(key) else -self.MATE

    def before(self, score: int) -> int:
        """See :class:`PlainRules`."""
        value = self.MATE - score if score > 0 else -(self.MATE + score)
        value = plain_hexapawn.value_from([value])
        return self.MATE - value if value > 0 else -self.MATE - value

    def most(self, key: str) -> tuple[int, int]:
        """See :class:`PlainRules`."""
        ended = self.ended(key)
        return (2 - self.MATE, self.MATE - 1) if ended is None else (ended, ended)


class PlainDuel:
    """Hands as sets of cards. A score is the points that the side to move gets, below 0 those that it pays."""

    def _read(self, key: str) -> tuple[plain_duel.Hand, plain_duel.Hand, str | None]:
        parts = key.split(":")
        hands = [self._hand(part) for part in parts[:2]]
        is_last = len(parts) == 4 and (parts[3] == "-" or len(self._hand(parts[3])) == 1)
        if not is_last or parts[2] != "A" or hands[0] & hands[1] or parts[3] in hands[0] | hands[1]:
            raise GamecoreError(f"{printable(key, 80)} is no position of the duel with Alice to move")
        return hands[0], hands[1], None if parts[3] == "-" else parts[3]

    def _hand(self, cards: str) -> plain_duel.Hand:
        found = [] if cards == "0" else [cards[at : at + 2] for at in range(0, len(cards), 2)]
        known = all(len(card) == 2 and card[0] in SUITS and card[1] in plain_duel.POINTS for card in found)
        if not known or len(set(found)) != len(found):
            raise GamecoreError(f"{printable(cards, 80)} is no hand")
        return frozenset(found)

    def _named(self, mover: Iterable[str], other: Iterable[str], last: str | None) -> str:
        """The least of the 24 ways to name the suits."""
        ways = []
        for names in itertools.permutations(SUITS):
            new = dict(zip(SUITS, names, strict=True))
            hands = [" ".join(sorted(new[card[0]] + card[1] for card in hand)) for hand in (mover, other)]
            ways.append(f"{hands[0]}:{hands[1]}:{'-' if last is None else new[last[0]] + last[1]}")
        return min(ways)

    def same(self, key: str) -> str:
        """See :class:`PlainRules`."""
        return self._named(*self._read(key))

    def after(self, key: str) -> set[str]:
        """See :class:`PlainRules`."""
        mover, other, last = self._read(key)
        if not mover or not other:
            return set()
        cards = plain_duel.legal(mover, last)
        if not cards:
            return {self._named(other, mover, None)}
        return {self._named(other, mover - {card}, card) for card in cards}

    def ended(self, key: str) -> int | None:
        """See :class:`PlainRules`."""
        mover, other, _ = self._read(key)
        return plain_duel.points(other) - plain_duel.points(mover) if not mover or not other else None

    def before(self, score: int) -> int:
        """See :class:`PlainRules`."""
        return -score

    def most(self, key: str) -> tuple[int, int]:
        """See :class:`PlainRules`."""
        ended = self.ended(key)
        if ended is not None:
            return ended, ended
        mover, other, _ = self._read(key)
        return -plain_duel.points(mover), plain_duel.points(other)
