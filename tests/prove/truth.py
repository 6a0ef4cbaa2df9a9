"""Small positions, and what the games' own searches say of them."""

import functools
import random

from gamecore import duel, hexapawn
from gamecore.apps.prove import prover_of
from gamecore.apps.prove.hexapawn import MATE

GAMES = {"duel": duel, "hexapawn": hexapawn}
SEEDS = range(60)  #: of small positions


def small_position(seed):
    """A small random position by seed, never over: odd seeds are of the duel."""
    rng = random.Random(seed)
    while True:
        if seed % 2:
            position = duel.random(rng.randint(2, 8), rng=rng.randrange(1 << 30))
        else:
            position = hexapawn.random(rng.randint(3, 5), rng.randint(2, 5), rng=rng.randrange(1 << 30))
        if not position.is_over:
            return position


def rules_of(position):
    return prover_of("duel" if isinstance(position, duel.Position) else "hexapawn")


@functools.cache
def position_of(key):
    return (duel if key.count(":") == 3 else hexapawn).Position.from_text(key)


@functools.cache
def solved(position):
    """The solution of a position or of its text."""
    if isinstance(position, str):
        return solved(position_of(position))
    game = duel if isinstance(position, duel.Position) else hexapawn
    return game.solve(position, line=False)


def score_of(position):
    """The value of a position or of its text, as proofs order results."""
    value = solved(position).value
    is_duel = isinstance(position, duel.Position) or str(position).count(":") == 3
    return value if is_duel else MATE - value if value > 0 else -value - MATE


def after(position):
    """The canonical texts after each legal move, by the games' own rules."""
    rules = rules_of(position)
    return {move: rules.canonical(position.play(move)) for move in position.legal_moves()}
