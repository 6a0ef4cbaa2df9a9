"""Cards as people type them: suits as symbols or letters, ``10c``, ``ct``, or a rank alone where one card has it."""

import re
from collections.abc import Iterable, Sequence
from typing import Final

from gamecore.cards import ACE_HIGH, SUITS, SYMBOLS, name_of
from gamecore.errors import CardError, IllegalMoveError
from gamecore.text import printable

_OUTLINES: Final = dict(zip("♧♢♡♤", SUITS, strict=True))
_LETTERS: Final = {symbol: suit for suit, symbol in SYMBOLS.items()} | _OUTLINES
_VARIANT: Final = "\N{VARIATION SELECTOR-16}"  # what phones put behind a symbol


def _plain(typed: str) -> str:
    """Capital letters, T for 10, suits as letters."""
    text = typed.upper().replace(_VARIANT, "").replace("10", "T")
    return "".join(_LETTERS.get(char, char) for char in text)


def read_card(typed: str, cards: Sequence[str]) -> str:
    """The card that was typed, suit first: any card that there is, or a rank that one of ``cards`` has.

    Args:
        typed: ``HQ``, ``qh``, ``♥Q``, ``10c``, ``tc``; a rank alone: ``q``, ``10``.
        cards: that may be meant by a rank alone.

    Raises:
        CardError: not a card. IllegalMoveError: a rank that none of them has, or several.
    """
    text = _plain(typed)
    if len(text) == 2 and text[0] in ACE_HIGH and text[1] in SUITS:
        text = text[1] + text[0]
    if len(text) == 2 and text[0] in SUITS and text[1] in ACE_HIGH:
        return text
    if len(text) == 1 and text in ACE_HIGH:
        found = [card for card in cards if card[1] == text]
        if len(found) == 1:
            return found[0]
        if found:
            raise IllegalMoveError(f"{printable(typed)} may be " + " or ".join(found))
        raise IllegalMoveError(f"You have no {text.replace('T', '10')} that you may play now")
    raise CardError(f"{printable(typed)} is not a card: type one such as H7, 7h or 10c")


def check_held(cards: Iterable[str], hand: Iterable[str]) -> None:
    """Raise IllegalMoveError unless the person who typed these cards holds them all."""
    for card in cards:
        if card not in tuple(hand):
            raise IllegalMoveError(f"You don't hold the {name_of(card)}")


def read_cards(typed: str, cards: Sequence[str]) -> list[str]:
    """Several cards in one line, separated by blanks, commas or hyphens, or by nothing (``c2d3ha``).

    Raises:
        CardError, IllegalMoveError: as for :func:`read_card`.
    """
    words = [word for word in re.split(r"[\s,;-]+", typed) if word] or [""]
    if len(words) == 1 and len(_plain(words[0])) > 2:
        text = _plain(words[0])
        words = [text[at : at + 2] for at in range(0, len(text), 2)]
    return [read_card(word, cards) for word in words]
