"""Cards of hearts: aces are high; hands are sorted by suit, in the order C D S H, and by rank."""

import itertools
from collections.abc import Iterable
from typing import Any, Final

from gamecore.cards import ACE_HIGH, card_index, card_text, hand_mask

TEXTS: Final = tuple(card_text(index, ACE_HIGH) for index in range(52))  #: by index: 4 * rank + suit in C D H S
_BY_SUIT: Final = tuple((1 << index, TEXTS[index]) for suit in (0, 1, 3, 2) for index in range(suit, 52, 4))
EXCHANGED: Final = 3  #: cards that each seat passes
JOINT: Final = "-"  #: between the cards of a move that passes three


def index_of(card: Any) -> int:
    """Index of a card in text, either order of suit and rank.

    Raises:
        CardError: not a card.
    """
    return card_index(card, ACE_HIGH, either_order=True)


def mask_of(cards: Iterable[Any]) -> int:
    """The 52-bit hand of cards in text, either order of suit and rank.

    Raises:
        CardError: not a card, or a repeated one.
    """
    return hand_mask(cards, ACE_HIGH, either_order=True)


def cards_of(mask: int) -> tuple[str, ...]:
    """The cards of a 52-bit hand: clubs, diamonds, spades, hearts, each from its lowest."""
    return tuple([text for bit, text in _BY_SUIT if mask & bit]) if mask else ()


def exchanges(hand: Iterable[str]) -> tuple[str, ...]:
    """Every set of three cards of a hand as a passing move, such as ``C2-D3-HA``; 286 for 13 cards."""
    return tuple(map(JOINT.join, itertools.combinations(hand, EXCHANGED)))
