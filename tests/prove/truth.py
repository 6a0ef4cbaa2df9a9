"""Small positions, and what the games' own searches say of them."""

import functools
import random

from gamecore import duel, hexapawn
from gamecore.apps.prove import prover_of
from gamecore.apps.prove.hexapawn import MATE

GAMES = {"duel": duel, "hexapawn": hexapawn}


def random_position(game, rng):
    """A small position, perhaps over."""
    sizes = (rng.randint(2, 7),) if game == "duel" else (rng.randint(3, 5), rng.randint(2, 5))
    return GAMES[game].random(*sizes, rng=rng.randrange(1 << 30))


def random_key(game, rng):
    return prover_of(game).plain.canonical(random_position(game, rng).to_text())


def small_position(seed):
    """A small position by seed, never over: odd seeds are of the duel."""
    game, rng = ("hexapawn", "duel")[seed % 2], random.Random(seed)
    return next(position for position in iter(lambda: random_position(game, rng), None) if not position.is_over)


def images(text, rng):
    """The same position for the other side, mirrored, or with its suits renamed."""
    if "/" in text:
        position = position_of(text)
        return [image.to_text() for image in (position.mirror(), position.flip(), position.flip().mirror())]
    alice, bob, mover, last = text.translate(str.maketrans("CDHS", "".join(rng.sample("CDHS", 4)))).split(":")
    return [f"{alice}:{bob}:{mover}:{last}", f"{bob}:{alice}:{'BA'[mover == 'B']}:{last}"]


@functools.cache
def position_of(key):
    return (hexapawn if "/" in key else duel).Position.from_text(key)


def rules_of(position):
    return prover_of("duel" if isinstance(position, duel.Position) else "hexapawn")


@functools.cache
def solved(position):
    """The solution of a position or of its text."""
    if isinstance(position, str):
        return solved(position_of(position))
    return (duel if isinstance(position, duel.Position) else hexapawn).solve(position, line=False)


def score_of(position, mate=MATE):
    """The value of a position or of its text, as proofs order results; kernels of Hexapawn count from other numbers."""
    value = solved(position).value
    if "/" not in (position if isinstance(position, str) else position.to_text()):
        return value
    return mate - value if value > 0 else -value - mate


def after(position):
    """The canonical texts after each legal move, by the games' own rules."""
    rules = rules_of(position)
    return {move: rules.plain.canonical(position.play(move).to_text()) for move in position.legal_moves()}
