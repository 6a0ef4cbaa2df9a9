"""The compiled kernel, and cards as it numbers them.

Aces are high; hands are sorted by suit, in the order C D S H, and by rank.
"""

import functools
import itertools
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any, Final

from gamecore.batch.workers import stoppable
from gamecore.cards import ACE_HIGH, card_index, card_text, hand_mask
from gamecore.kernels import hearts as kernel
from gamecore.limits import KernelLimits

TEXTS: Final = tuple(card_text(index, ACE_HIGH) for index in range(52))  #: by index: 4 * rank + suit in C D H S
_BY_SUIT: Final = tuple((1 << index, TEXTS[index]) for suit in (0, 1, 3, 2) for index in range(suit, 52, 4))
_NO_LIMITS: Final = KernelLimits(-1.0, 0, 1)
EXCHANGED: Final = 3  #: cards that each seat passes
JOINT: Final = "-"  #: between the cards of a move that passes three


def index_of(card: Any) -> int:
    """Index of a card in text, either order of suit and rank, or CardError."""
    return card_index(card, ACE_HIGH, either_order=True)


def mask_of(cards: Iterable[Any]) -> int:
    """The 52-bit hand of cards in text, either order of suit and rank; CardError: not a card, or a repeated one."""
    return hand_mask(cards, ACE_HIGH, either_order=True)


@functools.lru_cache(1 << 12)  # what a seat has passed, and lacks, is asked for at each card
def cards_of(mask: int) -> tuple[str, ...]:
    """The cards of a 52-bit hand: clubs, diamonds, spades, hearts, each from its lowest."""
    return tuple([text for bit, text in _BY_SUIT if mask & bit]) if mask else ()


def points_of(cards: Iterable[str]) -> int:
    """Points of cards, whoever takes them: a heart 1, the queen of spades 13."""
    return sum(13 if card == "SQ" else card[0] == "H" for card in cards)


def exchanges(hand: Iterable[str]) -> tuple[str, ...]:
    """Every set of three cards of a hand as a passing move, such as ``C2-D3-HA``; 286 for 13 cards."""
    return tuple(map(JOINT.join, itertools.combinations(hand, EXCHANGED)))


@contextmanager
def controlled(limits: KernelLimits = _NO_LIMITS) -> "Iterator[kernel.Control]":
    """A Control for kernel calls: holds the limits; cancelling the batch stops it."""
    control = kernel.Control(limits.seconds, limits.nodes)
    with stoppable(control.stop):
        yield control
