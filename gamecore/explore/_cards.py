"""Cards in words and symbols, so that no page has to know them."""

from typing import Any, Final

from gamecore.cards import ACE_HIGH, RED, SUITS, SYMBOLS

_SUITS: Final = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}
_RANKS: Final = dict(
    zip(
        ACE_HIGH,
        ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace"),
        strict=True,
    )
)


def name_of(card: str) -> str:
    """``queen of diamonds``."""
    return f"{_RANKS[card[1]]} of {_SUITS[card[0]]}"


def names_of(cards: "tuple[str, ...] | list[str]") -> str:
    """Cards as a list in a sentence."""
    return ", ".join(map(name_of, cards)) or "no cards"


def all_cards() -> dict[str, dict[str, Any]]:
    """Every card by its text: suit, rank, symbol, colour and name."""
    return {
        suit + rank: {
            "suit": suit,
            "rank": rank,
            "symbol": SYMBOLS[suit],
            "rank_text": "10" if rank == "T" else rank,
            "color": "red" if suit in RED else "black",
            "name": name_of(suit + rank),
        }
        for suit in SUITS
        for rank in ACE_HIGH
    }
