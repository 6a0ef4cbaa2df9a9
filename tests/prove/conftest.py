"""What the tests of proofs share."""

import functools
import random

import pytest

from gamecore import duel, hexapawn
from gamecore.apps.prove.hexapawn import MATE


@pytest.fixture
def small_position():
    """A small random position of either game by seed, never over."""

    def make(seed):
        rng = random.Random(seed)
        while True:
            if seed % 2:
                position = duel.random(rng.randint(2, 8), rng=rng.randrange(1 << 30))
            else:
                position = hexapawn.random(rng.randint(3, 5), rng.randint(2, 5), rng=rng.randrange(1 << 30))
            if not position.is_over:
                return position

    return make


@pytest.fixture(scope="session")
def solved():
    """What the game's own search says of a position."""

    @functools.cache
    def solve(position):
        game = duel if isinstance(position, duel.Position) else hexapawn
        return game.solve(position, line=False)

    return solve


@pytest.fixture(scope="session")
def score_of(solved):
    """The score of a position: its value as proofs order results."""

    def score(position):
        value = solved(position).value
        return value if isinstance(position, duel.Position) else MATE - value if value > 0 else -value - MATE

    return score
