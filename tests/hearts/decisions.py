"""Positions and decisions that several tests of the searching players use."""

import math

from gamecore import hearts
from gamecore.hearts._cards import cards_of
from gamecore.hearts._kernel import kernel


def advance(round_, plies, who="duck"):
    """Let one player decide for every seat."""
    for _ in range(plies):
        round_ = round_.play(round_.ask(who))
    return round_


def evaluate(round_, name, seed=5):
    """By card: mean points, nan without a playout, and number of playouts."""
    rows = round_._core.evaluate(round_.to_move, hearts.player(name).numbers, seed, kernel.Control())
    return {cards_of(1 << card)[0]: (total / count if count else math.nan, count) for card, total, _, count in rows}
