"""Positions of the duel: the rules, the one-line notation, judges' texts, deals and random positions."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from types import NoneType
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from gamecore import contract
from gamecore.cards import ACE_LOW, CARD_INDEX, card_index, card_text, hand_mask, not_a_card, shuffled_deck
from gamecore.duel.words import PASS, WORDS
from gamecore.errors import CardError, GamecoreError, IllegalMoveError, OptionError, ParseError
from gamecore.game import Position as Base
from gamecore.game import reader
from gamecore.rng import generator
from gamecore.text import (
    BLANKS,
    NONE,
    SEPARATOR,
    Field,
    checked_integer,
    checked_word,
    counted,
    fields,
    is_word,
    numbered,
    printable,
    whole_number,
)

if TYPE_CHECKING:
    from gamecore.rng import Rng

Side: TypeAlias = Literal["Alice", "Bob"]
MoveValue: TypeAlias = contract.MoveValue[int]  #: a move with its value for the side that makes it

ALICE: Final = "Alice"
BOB: Final = "Bob"
MAX_CARDS: Final = 26  #: the most cards in a hand of a deal
EMPTY: Final = "0"  #: an empty hand in the notation; the parser also takes "-"
_N: Final = "n, the number of cards in a hand,"  # in messages
_FOREIGN: Final = re.compile("[^ \t\r\n!-~]")  # characters that no judge's text has


@dataclass(frozen=True, init=False, repr=False)
class Position(Base):
    """A position of the duel: two hands, the side to move, and the card to match.

    Args:
        alice, bob: cards, suit first (``DT``, ``SA``); hands may differ in size. One empty hand is a finished game.
        to_move: ``"Alice"`` or ``"Bob"``.
        last: the card to match, in neither hand; None if any card may be played.

    A hand keeps the order of its cards; equality ignores it.

    Raises:
        CardError: an unknown card, or a card that occurs twice in ``alice``, ``bob`` and ``last``.
        OptionError: a hand is no list, ``to_move`` is neither player, or both hands are empty.
    """

    _GAME = "duel"
    _KINDS = {"alice": (list, tuple), "bob": (list, tuple), "to_move": str, "last": (str, NoneType)}  # noqa: RUF012
    alice: tuple[str, ...] = field(compare=False)
    bob: tuple[str, ...] = field(compare=False)
    to_move: Side
    last: str | None
    _alice_mask: int
    _bob_mask: int

    def __init__(
        self, alice: Iterable[str], bob: Iterable[str], to_move: Side = "Alice", last: str | None = None
    ) -> None:
        for name, hand in (("alice", alice), ("bob", bob)):
            if isinstance(hand, str) or not hasattr(hand, "__iter__"):
                raise OptionError(f"{name} must be a list of cards, not {printable(hand)}", name)
        alice, bob = tuple(alice), tuple(bob)
        owner = ALICE
        try:
            mine = hand_mask(alice)
            owner = BOB
            theirs = hand_mask(bob)
        except CardError as error:
            raise CardError(f"{owner}'s hand: {error}") from None
        if both := mine & theirs:
            raise CardError(f"{card_text((both & -both).bit_length() - 1)} is in both hands")
        checked_word(to_move, "to_move", (ALICE, BOB))
        if not mine and not theirs:
            raise OptionError("both hands are empty")
        if last is not None and (mine | theirs) >> card_index(last) & 1:
            raise CardError(f"last: {last} is still in a hand")
        vars(self).update(alice=alice, bob=bob, to_move=to_move, last=last, _alice_mask=mine, _bob_mask=theirs)

    @classmethod
    def _unchecked(
        cls, alice: tuple[str, ...], bob: tuple[str, ...], to_move: Side, last: str | None, mine: int, theirs: int
    ) -> "Position":
        position = object.__new__(cls)
        vars(position).update(alice=alice, bob=bob, to_move=to_move, last=last, _alice_mask=mine, _bob_mask=theirs)
        return position

    def __str__(self) -> str:
        """Return three lines: Alice's hand, Bob's hand, the turn."""
        hands = f"Alice: {' '.join(self.alice) or NONE}\nBob:   {' '.join(self.bob) or NONE}"
        return f"{hands}\n{WORDS.turn(self)}"

    # --- the rules ---------------------------------------------------------------------------------------------------

    @property
    def is_over(self) -> bool:
        """True if a hand is empty."""
        return not self._alice_mask or not self._bob_mask

    @property
    def winner(self) -> Side | None:
        """The player whose hand is empty; None while the game goes on."""
        return None if not self.is_over else ALICE if not self._alice_mask else BOB

    @property
    def points(self) -> int | None:
        """The points that the loser of a finished game pays; None while it goes on."""
        return points_of(self.alice + self.bob) if self.is_over else None

    def legal_moves(self) -> tuple[str, ...]:
        """Return the cards that fit, in the hand's order; ``("pass",)`` if none fits; ``()`` if the game is over."""
        if self.is_over:
            return ()
        hand = self.alice if self.to_move == ALICE else self.bob
        last = self.last
        return tuple(card for card in hand if last is None or _fits(card, last)) or (PASS,)

    def play(self, move: str) -> "Position":
        """Return the position after the side to move plays a card, or passes (``"pass"``).

        Raises:
            IllegalMoveError: the game is over, the card is not in hand or does not fit, or a pass while a card fits.
        """
        legal = self.legal_moves()
        if not is_word(move, legal):
            raise IllegalMoveError(self._why_illegal(move, legal))
        alice, bob = self.alice, self.bob
        mine, theirs = self._alice_mask, self._bob_mask
        if move != PASS:
            bit = 1 << CARD_INDEX[move]
            if self.to_move == ALICE:
                alice, mine = tuple(card for card in alice if card != move), mine ^ bit
            else:
                bob, theirs = tuple(card for card in bob if card != move), theirs ^ bit
        to_move: Side = BOB if self.to_move == ALICE else ALICE
        return self._unchecked(alice, bob, to_move, None if move == PASS else move, mine, theirs)

    def _why_illegal(self, move: object, legal: tuple[str, ...]) -> str:
        if not legal:
            return "the game is over"
        if is_word(move, (PASS,)):
            return f"{self.to_move} may not pass: {legal[0]} fits" + (f" {self.last}" if self.last else "")
        if not is_word(move, self.alice if self.to_move == ALICE else self.bob):
            return f"{self.to_move} does not hold {printable(move)}"
        return f"{move} shares neither suit nor number with {self.last}"

    # --- text and data -----------------------------------------------------------------------------------------------

    def to_text(self) -> str:
        """Return the position as one line, ``ALICE:BOB:MOVER:LAST``, such as ``DQH2HA:H3D6S3:A:-``.

        A hand is its cards without separators, ``0`` if empty. MOVER is ``A`` or ``B``. LAST is ``-`` if any card may
        be played.
        """
        hands = ["".join(hand) or EMPTY for hand in (self.alice, self.bob)]
        return SEPARATOR.join((*hands, self.to_move[0], self.last or NONE))

    @staticmethod
    def split_lines(lines: Iterator[tuple[int, str]]) -> Iterator[tuple[int, str]]:
        """Split a file's lines into notations and judge's texts: pairs (number of the first line, text).

        Raises:
            ParseError: a line that is neither a notation nor a number of cards.
        """
        filled = ((number, line.rstrip("\r\n")) for number, line in lines if line.strip(BLANKS))
        for number, text in filled:
            if SEPARATOR not in text:
                whole_number(text.strip(BLANKS), _N, 1, MAX_CARDS, number)
                for place, line in islice(filled, 2):
                    text += "\n" * (place - number - text.count("\n")) + line
            yield number, text.strip(BLANKS)

    @classmethod
    def from_text(cls, text: str) -> "Position":
        """Parse the notation of ``to_text``.

        Raises:
            ParseError: a malformed text; it names the column.
        """
        alice, bob, mover, last = fields(text, ("ALICE", "BOB", "MOVER", "LAST"))
        alices, mine = _parse_cards(alice, "ALICE")
        bobs, theirs = _parse_cards(bob, "BOB", mine)
        if not mine and not theirs:
            raise bob.fail("both hands are empty")
        to_move: Side = ALICE if mover.choice("MOVER", ("A", "B")) == "A" else BOB
        if last.text == NONE:
            return cls._unchecked(alices, bobs, to_move, None, mine, theirs)
        if last.text not in CARD_INDEX:
            raise last.fail(f"LAST: {not_a_card(last.text)}")
        if (mine | theirs) >> CARD_INDEX[last.text] & 1:
            raise last.fail(f"LAST: {last.text} is still in a hand")
        return cls._unchecked(alices, bobs, to_move, last.text, mine, theirs)

    def to_judge(self) -> str:
        """Return the judge's text: n, then a line with Alice's n cards and a line with Bob's.

        Raises:
            GamecoreError: the position is not a fresh deal of 1 to 26 cards each with Alice to move.
        """
        n = len(self.alice)
        if len(self.bob) != n or n > MAX_CARDS or self.to_move != ALICE or self.last is not None:
            held = f"deals of 1 to {MAX_CARDS} cards each before Alice's first card"
            raise GamecoreError(f"the judge's text holds {held}, not {self.to_text()}")
        return f"{n}\n{' '.join(self.alice)}\n{' '.join(self.bob)}\n"


def points_of(cards: Iterable[str]) -> int:
    """Return the points of cards: A=1, 2 to 9, T=10, J=11, Q=12, K=13."""
    return sum(ACE_LOW.index(card[1]) + 1 for card in cards)


def _fits(card: str, last: str) -> bool:
    return card[0] == last[0] or card[1] == last[1]


def _parse_cards(hand: Field, name: str, other: int = 0) -> tuple[tuple[str, ...], int]:
    """Parse a hand of the notation; return its cards and their mask. ``other``: the mask of the other hand."""
    text, mask = hand.text, 0
    if text in (EMPTY, NONE):
        return (), 0
    if not text:
        raise hand.fail(f"{name}: cards are missing; a hand without cards is written {EMPTY}")
    cards = tuple([text[at : at + 2] for at in range(0, len(text), 2)])
    for at, card in enumerate(cards):
        if card not in CARD_INDEX:
            raise hand.fail(f"{name}: {not_a_card(card)}", 2 * at)
        bit = 1 << CARD_INDEX[card]
        if (mask | other) & bit:
            raise hand.fail(f"{name}: {card} stands twice", 2 * at)
        mask |= bit
    return cards, mask


def parse(text: str) -> Position:
    """Parse the notation of ``to_text``, or a judge's text: n (1 to 26), a line with Alice's cards, a line with Bob's.

    In a judge's text Alice moves; blank lines and blanks at the ends of lines are ignored. ``Position.to_judge`` writes
    it.

    Raises:
        ParseError: a malformed text; it names the line, and the column or the card.
    """
    if not isinstance(text, str) or "\n" not in text.strip(BLANKS):
        return Position.from_text(text)
    lines = _filled_lines(text)
    at, line = next(lines)
    n = whole_number(line.strip(BLANKS), _N, 1, MAX_CARDS, at)
    hands: tuple[list[str], list[str]] = [], []
    for owner, hand in zip((ALICE, BOB), hands, strict=True):
        at, line = next(lines, (at + 1, ""))
        hand.extend(line.split())
        if not hand or line.strip().isdecimal():
            form = "a deal is n, Alice's line, Bob's line; no number of deals comes before the first"
            raise ParseError(f"{owner}'s cards are missing: {form}", at)
        if len(hand) != n:
            raise ParseError(f"{owner}'s hand has {counted(len(hand), 'card')}, but n is {n}", at)
        try:
            position = Position(*hands)  # also of Alice's hand alone, to name its line
        except CardError as error:
            raise ParseError(str(error), at) from None
    if next(lines, None) is not None:
        raise ParseError("more than one deal; parse_many reads several")
    return position


read = reader(Position, parse)


def _filled_lines(text: str) -> Iterator[tuple[int, str]]:
    """Yield the lines that are not blank, with their numbers."""
    for number, line in numbered(text):
        if foreign := _FOREIGN.search(line):
            message = f"{printable(foreign[0])} does not belong into a judge's text"
            raise ParseError(message, number, foreign.start() + 1)
        if line.strip():
            yield number, line


def greedy_move(position: Position) -> str:
    """Return the legal card with the most points, the first in the hand on ties; the game must not be over."""
    return max(position.legal_moves(), key=lambda move: 0 if move == PASS else points_of([move]))


def deal(n: int, *, rng: "Rng" = None) -> Position:
    """Deal ``n`` cards each from a shuffled deck, Alice to move.

    Args:
        n: 1 to 26.
        rng: None, an integer, a sequence of integers, or a NumPy SeedSequence, BitGenerator or Generator.

    Raises:
        OptionError: ``n`` or ``rng`` out of range.
    """
    n = checked_integer(n, _N, 1, MAX_CARDS)
    cards = [card_text(int(index)) for index in shuffled_deck(generator(rng))[: 2 * n]]
    return Position(cards[:n], cards[n:])


def random(n: int = 6, *, plies: int | None = None, rng: "Rng" = None) -> Position:
    """Deal ``n`` cards each and play ``plies`` random legal moves.

    Args:
        n: 1 to 26.
        plies: number of moves, fewer if the game ends; None: a random number from 0 to 2n.
        rng: as for :func:`deal`.

    Raises:
        OptionError: an argument out of range.
    """
    source = generator(rng)
    return contract.random_plies(deal(n, rng=source), plies, source, 2 * n)
