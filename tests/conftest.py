"""What all tests share."""

import json
import random
import signal
from pathlib import Path

import pytest

# A shell that runs something in the background has it ignore SIGINT, and children inherit that: interruption is tested.
signal.signal(signal.SIGINT, signal.default_int_handler)

DATA = Path(__file__).parent / "data"


@pytest.fixture(scope="session")
def data():
    """Load one of the oracle files of tests/data by name."""

    def load(name):
        return json.loads((DATA / f"{name}.json").read_text(encoding="utf-8"))

    return load


SUITS, RANKS = "CDHS", "A23456789TJQK"
DECK = [suit + rank for rank in RANKS for suit in SUITS]

# Families of duels, as sets of cards to deal from: dense and sparse decks are hard in different ways.
FAMILIES = {
    "random": lambda n: DECK,
    "low": lambda n: DECK[: 2 * n],
    "high": lambda n: DECK[-2 * n :],
    "three": lambda n: [card for card in DECK if card[0] != "C"],
    "parity": lambda n: [card for card in DECK if RANKS.index(card[1]) % 2 == 0 or card[0] in "CD"],
}


@pytest.fixture(scope="session")
def deal():
    """A deal of n cards each by family and seed: (alice, bob)."""

    def deal(n, family, seed):
        rng = random.Random(f"{family}-{n}-{seed}")
        cards = list(FAMILIES[family](n))
        rng.shuffle(cards)
        return cards[:n], cards[n : 2 * n]

    return deal
