"""What all tests share."""

import contextlib
import json
import os
import random
import signal
import sys
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
EXAMPLES = Path(__file__).parents[1] / "examples"
sys.path[:0] = [str(EXAMPLES), str(EXAMPLES / "kit")]  # Nim and tic-tac-toe are games of the tests, too


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item):
    """Report all tests that one missing library skips in one line: they get the same place."""
    report = yield
    if report.skipped and isinstance(report.longrepr, tuple):
        *_, reason = report.longrepr
        if any(words in reason for words in ("not installed", "the extra", "(extra", "could not import")):
            report.longrepr = (str(item.config.rootpath / "tests"), None, reason)
    return report


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


SUITS, RANKS = "CDHS", "A23456789TJQK"
DECK = [suit + rank for rank in RANKS for suit in SUITS]


def number(card):
    return RANKS.index(card[1]) + 1


def split(rng, n, belongs_to_alice):
    """Alice's cards from one part of the deck, Bob's from the rest."""
    alice = [card for card in DECK if belongs_to_alice(card)]
    return rng.sample(alice, n), rng.sample(sorted(set(DECK) - set(alice)), n)


def one_deck(rng, n, cards):
    dealt = rng.sample(cards, 2 * n)
    return dealt[:n], dealt[n:]


def skewed(rng, n):
    """Mostly minor suits against mostly major ones."""
    weight = {"C": 4, "D": 4, "H": 1, "S": 1}
    order = sorted(DECK, key=lambda card: rng.random() ** (1 / weight[card[0]]), reverse=True)
    alice = order[:n]
    return alice, order[-n:]


def paired(rng, n):
    """Every card's number stands in both hands, as far as numbers go round."""
    hands = [], []
    for rank in rng.sample(RANKS, 13) * 2:
        free = [suit + rank for suit in SUITS if suit + rank not in hands[0] + hands[1]]
        for hand, card in zip(hands, rng.sample(free, 2), strict=True):
            hand.append(card)
    return hands[0][:n], hands[1][:n]


# Families of duels: dense, sparse and one-sided deals are hard in different ways.
FAMILIES = {
    "random": lambda rng, n: one_deck(rng, n, DECK),
    "low": lambda rng, n: one_deck(rng, n, DECK[: 2 * n]),
    "high": lambda rng, n: one_deck(rng, n, DECK[-2 * n :]),
    "three": lambda rng, n: one_deck(rng, n, [card for card in DECK if card[0] != "S"]),
    "parity": lambda rng, n: split(rng, n, lambda card: number(card) % 2 == 1),
    "checker": lambda rng, n: split(rng, n, lambda card: (number(card) + SUITS.index(card[0])) % 2 == 1),
    "skew": skewed,
    "paired": paired,
}


@pytest.fixture(scope="session")
def deal():
    """A deal of n cards each by family and seed: (alice, bob)."""

    def deal(n, family, seed):
        return FAMILIES[family](random.Random(f"{family}-{n}-{seed}"), n)

    return deal
