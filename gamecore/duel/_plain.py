"""The duel's rules in plain Python, for checking proofs without the kernel or the prover.

:mod:`gamecore.reference.duel` generates the moves, over sets of cards.
"""

import itertools

from gamecore.errors import GamecoreError
from gamecore.game import PlainRules
from gamecore.reference import duel as reference
from gamecore.text import printable

SUITS = "CDHS"


class PlainDuel(PlainRules):
    """Rules over hands as sets of cards. A score is the points that the side to move wins, negative if it pays.

    Canonical: Alice is to move, and the suits are permuted so that Alice's hand as a number is least, then Bob's, then
    the last card. The ace of clubs is bit 0 of a hand, the ace of diamonds bit 1.
    """

    CARDS = tuple(suit + rank for rank in reference.POINTS for suit in SUITS)

    def _read(self, text: str) -> tuple[reference.Hand, reference.Hand, str | None]:
        parts = text.split(":")
        if len(parts) != 4 or parts[2] not in ("A", "B"):
            raise GamecoreError(f"{printable(text, 80)} is no position of the duel")
        hands = [self._hand(part) for part in parts[:2]]
        last = None if parts[3] == "-" else parts[3]
        held = hands[0] | hands[1]
        if hands[0] & hands[1] or not held or last in held or last not in (None, *self.CARDS):
            raise GamecoreError(f"{printable(text, 80)} is no position of the duel")
        return *(hands if parts[2] == "A" else reversed(hands)), last

    def _hand(self, text: str) -> reference.Hand:
        found = [] if text == "0" else [text[at : at + 2] for at in range(0, len(text), 2)]
        if text == "" or not set(found) <= set(self.CARDS) or len(set(found)) != len(found):
            raise GamecoreError(f"{printable(text, 80)} is no hand")
        return frozenset(found)

    def _text(self, mover: reference.Hand, other: reference.Hand, last: str | None) -> str:
        rows = [
            [sum(16 ** (reference.POINTS[card[1]] - 1) for card in hand if card[0] == suit) for suit in SUITS]
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
        cards = reference.legal(mover, last)
        if not cards:
            return {"pass": self._text(other, mover, None)}
        return {card: self._text(other, mover - {card}, card) for card in cards}

    def before(self, score: int) -> int:
        return -score

    def most(self, key: str) -> tuple[int, int]:
        mover, other, _ = self._read(key)
        paid, won = reference.points(mover), reference.points(other)
        return (-paid, won) if mover and other else (won - paid, won - paid)

    def value(self, key: str, low: int, high: int) -> tuple[int, int]:
        if low < 0 < high:
            return low, high
        mover, other, _ = self._read(key)
        sign, loser = (1, other) if low >= 0 else (-1, mover)  # a win is at least 1 point
        sums = {0}
        for card in loser:
            sums |= {paid + reference.POINTS[card[1]] for paid in sums}
        left = [sign * paid for paid in sums if paid and low <= sign * paid <= high]
        if not left:
            raise GamecoreError(f"{key}: no result is from {low} to {high}")
        return min(left), max(left)
