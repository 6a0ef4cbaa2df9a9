"""Positions and decisions that several tests use."""

import math

from gamecore import hearts
from gamecore.hearts._cards import cards_of, kernel
from gamecore.hearts._rules import FLAGS
from gamecore.reference import hearts as reference


def advance(round_, plies, who="duck"):
    """Let one player decide for every seat."""
    for _ in range(plies):
        round_ = round_.play(round_.ask(who))
    return round_


def after_each_play(round_, who="random"):
    """Yield a round and those after each play, but for the one that is over."""
    while not round_.is_over:
        yield round_
        round_ = round_.play(round_.ask(who))


def evaluate(round_, name, seed=5):
    """By card: mean points, nan without a playout, and number of playouts."""
    rows = round_._core.evaluate(round_.to_move, hearts.player(name).numbers, seed, kernel.Control())
    return {cards_of(1 << card)[0]: (total / count if count else math.nan, count) for card, total, _, count in rows}


def state_of(round_, hands=None):
    """The reference's state of a round, or of one with other hands."""
    flags = {name: getattr(round_.rules, name) for name in (*FLAGS[1:], "moon")}
    leader = round_.trick[0][0] if round_.trick else round_.to_move
    state = reference.State([list(hand) for hand in hands or round_.hands], reference.Rules(**flags), leader)
    for trick in round_.tricks:
        state.taken[trick.winner] += trick.cards
        state.played += trick.cards
    state.trick = [card for _, card in round_.trick]
    state.played += state.trick
    state.broken = state.broken or any(
        card[0] == "H" or (card == "SQ" and state.rules.qs_breaks_hearts) for card in state.played
    )
    return state
