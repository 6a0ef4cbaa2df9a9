"""Every card as the page needs it."""

from typing import Any

from gamecore.cards import ACE_HIGH, RED, SUITS, SYMBOLS, name_of


def all_cards() -> dict[str, dict[str, Any]]:
    """Return every card by its text: suit, rank, symbol, colour and name."""
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
