"""Rules, positions and decisions that several tests use."""

import itertools
import math

from hypothesis import strategies as st

from gamecore import GamecoreError, hearts
from gamecore.hearts._cards import cards_of, kernel
from gamecore.hearts._rules import DIRECTIONS, FLAGS, MOONS
from gamecore.reference import hearts as reference

RULES = st.builds(hearts.Rules, **dict.fromkeys(FLAGS[1:], st.booleans()), moon=st.sampled_from(MOONS))


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


def plain_rules(rules):
    """The reference's rules."""
    return reference.Rules(**{name: getattr(rules, name) for name in (*FLAGS[1:], "moon")})


def state_of(round_, hands=None):
    """The reference's state of a round, or of one with other hands."""
    leader = round_.trick[0][0] if round_.trick else round_.to_move
    state = reference.State([list(hand) for hand in hands or round_.hands], plain_rules(round_.rules), leader)
    for trick in round_.tricks:
        state.taken[trick.winner] += trick.cards
    state.trick, state.played = [card for _, card in round_.trick], list(round_.played)
    breaking = "H", "SQ" if round_.rules.qs_breaks_hearts else "H"
    state.broken = state.broken or any(card.startswith(breaking) for card in state.played)
    return state


def past_of(view):
    """The cards that each seat has played."""
    plays = [((trick.leader + place) % 4, card) for trick in view.tricks for place, card in enumerate(trick.cards)]
    return [{card for who, card in (*plays, *view.trick) if who == seat} for seat in range(4)]


def consistent_deals(round_, seat):
    """All hands consistent with a view, by brute force: every split of the unseen cards, with the past replayed."""
    view, past = round_.view(seat), past_of(round_.view(seat))
    unseen = [card for card in reference.DECK if card not in view.played and card not in view.hand]
    a, b, c = (other for other in range(4) if other != seat)
    receiver = (seat + DIRECTIONS[view.passing]) % 4
    deals = []
    for first in itertools.combinations(unseen, len(round_.hands[a])):
        rest = [card for card in unseen if card not in first]
        for second in itertools.combinations(rest, len(round_.hands[b])):
            hands = {seat: view.hand, a: first, b: second, c: tuple(card for card in rest if card not in second)}
            kept = receiver == seat or set(view.passed) - past[receiver] <= set(hands[receiver])
            if kept and replays(view, [sorted(past[who].union(hands[who])) for who in range(4)]):
                deals.append(tuple(tuple(sorted(hands[who])) for who in range(4)))
    return deals


def replays(view, hands):
    """Whether all plays were possible from these hands, as far as other players conclude anything from them."""
    rules = {name: getattr(view.rules, name) for name in ("can_lead_any_club", "no_pts_on_first_trick")}
    replay = hearts.Round(hands, hearts.Rules(**rules))
    if view.played and view.played[0] not in replay.hands[replay.to_move]:
        return False
    try:
        for card in view.played:
            replay = replay.play(card)
    except GamecoreError:
        return False
    return True
