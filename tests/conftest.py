"""What all tests share."""

import contextlib
import json
import os
import random
import signal
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from oracles import build  # pytest's pythonpath has this folder

# No test asserts a time; under sanitizers everything is slow, and that is no news.
SLOW = {"suppress_health_check": list(HealthCheck), "max_examples": 20}
settings.register_profile("here", deadline=None, **(SLOW if "GAMECORE_SANITIZED" in os.environ else {}))
settings.load_profile("here")

# A shell that runs something in the background has it ignore SIGINT, and children inherit that: interruption is tested.
signal.signal(signal.SIGINT, signal.default_int_handler)

DATA = Path(__file__).parent / "data"


@pytest.fixture(scope="session")
def data():
    """Load one of the oracle files of tests/data by name."""

    def load(name):
        return json.loads((DATA / f"{name}.json").read_text(encoding="utf-8"))

    return load


@pytest.fixture(scope="session")
def oracle():
    """Skip tests of the independent solvers of tests/oracles where there is no C compiler."""
    if build.compiler() is None:
        pytest.skip("the oracles need a C compiler, and none is installed")


@pytest.fixture(scope="session")
def dask():
    """Open a Dask cluster on this machine: a context that gives its client."""
    distributed = pytest.importorskip("distributed", reason="distributed is not installed")

    @contextlib.contextmanager
    def opened(workers, *, threads=1, processes=True):
        with (
            distributed.LocalCluster(
                n_workers=workers, threads_per_worker=threads, processes=processes, dashboard_address=":0",
                silence_logs=50,
            ) as cluster,
            distributed.Client(cluster) as client,
        ):  # fmt: skip
            client.wait_for_workers(workers, timeout=60)
            yield client

    return opened


@pytest.fixture(scope="session")
def deal():
    """Deal n cards each, (alice, bob), by family and seed: the families are hard in different ways."""
    suits, ranks = "CDHS", "A23456789TJQK"
    deck = [suit + rank for rank in ranks for suit in suits]

    def paired(rng, n):
        """Every card's number stands in both hands, as far as numbers go round."""
        hands = [], []
        for rank in rng.sample(ranks, 13) * 2:
            free = [suit + rank for suit in suits if suit + rank not in hands[0] + hands[1]]
            for hand, card in zip(hands, rng.sample(free, 2), strict=True):
                hand.append(card)
        return hands[0][:n], hands[1][:n]

    def deal(n, family, seed):
        rng = random.Random(f"{family}-{n}-{seed}")
        if family == "paired":
            return paired(rng, n)
        if family == "skew":  # mostly minor suits against mostly major ones
            order = sorted(deck, key=lambda card: rng.random() ** (1 / 4 if card[0] in "CD" else 1), reverse=True)
            return order[:n], order[-n:]
        if family in ("parity", "checker"):  # each from its half of the deck
            step = family == "checker"
            half = [card for card in deck if (ranks.index(card[1]) + step * suits.index(card[0])) % 2 == 0]
            return rng.sample(half, n), rng.sample(sorted(set(deck) - set(half)), n)
        three_suits = [card for card in deck if card[0] != "S"]
        decks = {"random": deck, "low": deck[: 2 * n], "high": deck[-2 * n :], "three": three_suits}
        cards = rng.sample(decks[family], 2 * n)
        return cards[:n], cards[n:]

    return deal
