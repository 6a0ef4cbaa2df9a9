"""Card text and 52-bit hands, for duel and hearts.

A card is written suit first, then rank: ``DT``, ``SA``. Its index is ``4 * rank + suit``: in the 52-bit integer of a
hand every rank is a nibble (a *column*) and every bit of a nibble a suit, in the order C D H S. Games differ in the
lowest rank, so every function takes the rank order.
"""

import functools
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from gamecore.errors import CardError
from gamecore.text import checked_integer, printable

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

SUITS: Final = "CDHS"
SYMBOLS: Final = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}  #: of the suits, where a text or a terminal has them
RED: Final = "DH"  #: suits
ACE_LOW: Final = "A23456789TJQK"
ACE_HIGH: Final = "23456789TJQKA"
DECK_SIZE: Final = len(SUITS) * len(ACE_LOW)
FULL_DECK: Final = (1 << DECK_SIZE) - 1  #: the hand of all cards


@functools.cache
def _indices(ranks: str) -> dict[str, int]:
    """Return the index of each card, suit first."""
    return {SUITS[index & 3] + ranks[index >> 2]: index for index in range(DECK_SIZE)}


CARD_INDEX: Final = _indices(ACE_LOW)  #: the index of each card, suit first, aces low
_SUITS: Final = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}
_NAMES: Final = ("ace", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king")
_RANKS: Final = dict(zip(ACE_LOW, _NAMES, strict=True))


def card_index(text: str, ranks: str = ACE_LOW, *, either_order: bool = False) -> int:
    """Return the index (0 to 51) of a card written suit first; with ``either_order`` also rank first (``TD``).

    Raises:
        CardError: not a card.
    """
    if isinstance(text, str):
        indices = _indices(ranks)
        index = indices.get(text, indices.get(text[::-1]) if either_order else None)
        if index is not None:
            return index
    raise not_a_card(text, ranks)


def not_a_card(text: object, ranks: str = ACE_LOW) -> CardError:
    """Return the error for a text that is no card. It suggests one for ``QD``, ``dq``, ``H10`` and ``H1``."""
    letters = text.upper().replace("10", "T").replace("1", "T") if isinstance(text, str) else ""
    meant = next((card for card in (letters, letters[::-1]) if card in CARD_INDEX), None)
    form = f"did you mean {meant}?" if meant else f"a suit ({SUITS}) and a rank ({ranks}), such as D{ranks[-4]}"
    return CardError(f"{printable(text)} is not a card: {form}")


def card_text(index: int, ranks: str = ACE_LOW) -> str:
    """Return the card of an index, suit first; CardError if it is not from 0 to 51."""
    if not 0 <= index < DECK_SIZE:
        raise CardError(f"a card's index is from 0 to {DECK_SIZE - 1}, not {printable(index)}")
    return SUITS[index & 3] + ranks[index >> 2]


def hand_mask(cards: Iterable[str], ranks: str = ACE_LOW, *, either_order: bool = False) -> int:
    """Return the 52-bit integer of a hand.

    Raises:
        CardError: not a card, or a card that stands twice.
    """
    indices = _indices(ranks)
    mask = 0
    for text in cards:
        index = indices.get(text) if isinstance(text, str) else None
        bit = 1 << (card_index(text, ranks, either_order=either_order) if index is None else index)
        if mask & bit:
            raise CardError(f"{text} stands twice in one hand")
        mask |= bit
    return mask


def hand_cards(mask: int, ranks: str = ACE_LOW) -> tuple[str, ...]:
    """Return the cards of a 52-bit hand, lowest rank first, suits in the order C D H S within a rank.

    Raises:
        OptionError: not an integer of 52 bits.
    """
    cards, mask = [], checked_integer(mask, "mask", 0, FULL_DECK)
    while mask:
        bit = mask & -mask
        cards.append(card_text(bit.bit_length() - 1, ranks))
        mask ^= bit
    return tuple(cards)


def shuffled_deck(rng: "np.random.Generator", count: int | None = None) -> "NDArray[np.int64]":
    """Return the indices of all cards in random order, by a NumPy generator.

    They are an int64 array of shape (52,), or (count, 52) for ``count`` decks.
    """
    import numpy as np

    shape = (DECK_SIZE,) if count is None else (count, DECK_SIZE)
    return rng.permuted(np.broadcast_to(np.arange(DECK_SIZE), shape), axis=-1)


def name_of(card: str) -> str:
    """``queen of diamonds``."""
    return f"{_RANKS[card[1]]} of {_SUITS[card[0]]}"


def names_of(cards: "tuple[str, ...] | list[str]") -> str:
    """Cards as a list in a sentence."""
    return ", ".join(map(name_of, cards)) or "no cards"
