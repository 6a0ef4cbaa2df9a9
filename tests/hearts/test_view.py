"""Views, and determinizations: uniform over all hands that are consistent with a view."""

import gc
import itertools
import math
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gamecore import GamecoreError, Limits, hearts
from gamecore.hearts._cards import cards_of, kernel
from gamecore.hearts._view import core_of
from gamecore.reference.hearts import DECK

PLAYERS = (
    "greedy", "duck", "intelligent", "literal", "linear", "mc:5", "pimc:5", "pimc:5:infer=2", "pimc:4:linear",
    "solver:5:solve_at=16", "solver:3:linear:solve_at=12", "search:4", "search:4:infer=0",
)  # fmt: skip


def advance(round_, tricks, cards=0, who="random"):
    while len(round_.tricks) < tricks or len(round_.trick) < cards:
        round_ = round_.play(round_.ask(who))
    return round_


def reachable(value, seen=None):
    """Every object reachable from a value by references, without types and modules."""
    found, waiting = {}, [value]
    while waiting:
        one = waiting.pop()
        if id(one) in found or isinstance(one, type) or type(one).__name__ == "module":
            continue
        found[id(one)] = one
        waiting += gc.get_referents(one)
    return list(found.values())


def test_a_view_holds_no_other_hand():
    for seed in range(20):
        round_ = advance(hearts.Round.deal(seed, passing="left"), seed % 12, seed % 4)
        seat = round_.to_move
        view = round_.view(seat)
        # Cards it was passed or gave away are its own knowledge; all other unplayed cards must not be in it anywhere,
        # except in `barred`, which is derived from what everybody saw.
        known = {*view.hand, *view.played, *view.passed, *view.received}
        hidden = set(DECK) - known
        barred = {card for cards in view.barred for card in cards}
        things = reachable(tuple(getattr(view, name) for name in view.__slots__ if name != "barred"))
        assert not hidden & {one for one in things if isinstance(one, str)}
        assert not any(isinstance(one, (hearts.Round, type(round_._core))) for one in reachable(view))
        assert not any(isinstance(one, int) and one > 1 << 13 for one in things)
        assert not barred & set(view.played)
        assert view == round_.view(seat)


@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 2**32),
    tricks=st.integers(0, 12),
    cards=st.integers(0, 3),
    passing=st.sampled_from(["hold", "left", "across", "right"]),
    name=st.sampled_from(PLAYERS),
    flags=st.fixed_dictionaries({"can_lead_any_club": st.booleans(), "no_pts_on_first_trick": st.booleans()}),
)
def test_no_player_is_moved_by_what_it_cannot_see(seed, tricks, cards, passing, name, flags):
    """Equal views give equal cards, whatever the other hands."""
    rules = hearts.Rules(**flags)
    round_ = advance(hearts.Round.deal(seed, rules, passing), tricks, cards, "greedy")
    seat = round_.to_move
    spec, both = hearts.player(name).numbers, (core_of(round_.view(seat)), round_._core)
    if ":" in name:
        found = [core.evaluate(seat, spec, 5, kernel.Control()) for core in both]
        assert found[0] == found[1]
    elif name != "intelligent":
        assert both[0].choose(spec, kernel.Control()) == both[1].choose(spec, kernel.Control())
    assert both[0].worlds(seat, 20, seed) == both[1].worlds(seat, 20, seed)


def consistent_deals(round_, seat):
    """All hands consistent with a view, by brute force: every split of the unseen cards, with the past replayed."""
    view = round_.view(seat)
    unseen = [card for card in DECK if card not in view.played and card not in view.hand]
    held = [len(hand) for hand in round_.hands]
    others = [one for one in range(4) if one != seat]
    past = [set() for _ in range(4)]
    for trick in view.tricks:
        for place, card in enumerate(trick.cards):
            past[(trick.leader + place) % 4].add(card)
    for who, card in view.trick:
        past[who].add(card)
    step = {"hold": 0, "left": 1, "across": 2, "right": 3}[view.passing]
    deals = []
    for first in itertools.combinations(unseen, held[others[0]]):
        rest = [card for card in unseen if card not in first]
        for second in itertools.combinations(rest, held[others[1]]):
            hands = [()] * 4
            hands[seat] = view.hand
            third = tuple(card for card in rest if card not in second)
            for one, hand in zip(others, (first, second, third), strict=True):
                hands[one] = hand
            if step and not (set(view.passed) - past[(seat + step) % 4]) <= set(hands[(seat + step) % 4]):
                continue
            if replays(view, [tuple(sorted(past[one] | set(hands[one]))) for one in range(4)]):
                deals.append(tuple(tuple(sorted(hand)) for hand in hands))
    return deals


def replays(view, hands):
    replay = hearts.Round(hands, hearts.Rules(**rule_flags(view.rules)))
    if view.played and replay.to_move != (view.tricks[0].leader if view.tricks else view.trick[0][0]):
        return False
    try:
        for card in view.played:
            replay = replay.play(card)
    except GamecoreError:
        return False
    return True


def rule_flags(rules):
    return {"can_lead_any_club": rules.can_lead_any_club, "no_pts_on_first_trick": rules.no_pts_on_first_trick}


@pytest.mark.parametrize(("seed", "passing"), [(1, "hold"), (2, "left"), (3, "across"), (5, "right"), (8, "hold")])
def test_determinized_hands_are_uniform_over_all_consistent_ones(seed, passing):
    # Three to four cards a hand: at most 369,600 splits of the unseen cards, each checked by replaying the past.
    round_ = advance(hearts.Round.deal(seed, passing=passing), 10, seed % 4)
    seat = round_.to_move
    deals = consistent_deals(round_, seat)
    truth = tuple(tuple(sorted(hand)) for hand in round_.hands)
    assert truth in deals
    draws = max(20_000, 30 * len(deals))
    found = Counter(
        tuple(tuple(sorted(cards_of(mask))) for mask in world) for world in round_._core.worlds(seat, draws, seed)
    )
    assert set(found) == set(deals)
    expected = draws / len(deals)
    square = sum((found[deal] - expected) ** 2 / expected for deal in deals)
    freedom = len(deals) - 1
    assert abs(square - freedom) <= 5 * math.sqrt(2 * max(1, freedom))


def test_voids_and_rule_bound_hands_are_noticed():
    seen = set()
    for seed in range(60):
        round_ = hearts.Round.deal(seed)
        while not round_.is_over:
            round_ = round_.play(round_.ask("random"))
            for seat in range(4):
                barred = set(round_.view(0).barred[seat])
                assert not barred & set(round_.hands[seat])
                if barred:
                    seen.add("".join(sorted({card[0] for card in barred})))
    assert {"C", "D", "H", "S", "CDS"} <= seen


def test_the_led_twos_holder_is_known_with_any_club():
    rules = hearts.Rules(can_lead_any_club=True)
    for seed in range(50):
        round_ = hearts.Round.deal(seed, rules)
        leader = round_.to_move
        other = [card for card in round_.legal_moves() if card != "C2"]
        if not other:
            continue
        round_ = round_.play(other[0])
        for world in round_._core.worlds(round_.to_move, 20, 1):
            assert "C2" in cards_of(world[leader])


def test_evaluate_moves():
    round_ = hearts.Round.deal(rng=7, passing="left")
    round_ = round_.play("C2")
    view = round_.view(round_.to_move)
    found = hearts.evaluate_moves(view, playouts=200, policy="greedy", rng=7)
    assert {one.move for one in found} == set(view.legal_moves())
    assert list(found) == sorted(found, key=lambda one: one.mean)
    assert all(one.playouts == 200 and 0 < one.stderr < 2 for one in found)
    assert found == hearts.evaluate_moves(view, playouts=200, policy="greedy", rng=7)
    more = hearts.evaluate_moves(view, playouts=5000, policy="greedy", rng=8)
    assert {one.move: abs(one.mean) < 26 for one in more} == {one.move: True for one in found}
    for one in found:
        other = next(two for two in more if two.move == one.move)
        assert abs(one.mean - other.mean) < 5 * math.hypot(one.stderr, other.stderr)


def test_limits_make_fewer_playouts():
    round_ = advance(hearts.Round.deal(rng=7), 2)
    view = round_.view(round_.to_move)
    whole = hearts.evaluate_moves(view, playouts=50, rng=7)
    cards = len(whole)
    for nodes in (0, 1, cards, 3 * cards + 1, 40 * cards):
        some = hearts.evaluate_moves(view, Limits(nodes=nodes), playouts=50, rng=7)
        assert {one.playouts for one in some} == {nodes // cards}
        if nodes >= cards:
            again = hearts.evaluate_moves(view, playouts=nodes // cards, rng=7)
            assert repr(some) == repr(again)  # since Python 3.13 a nan makes dataclasses unequal
        else:
            assert all(math.isnan(one.mean) and one.to_dict()["mean"] is None for one in some)
    assert hearts.evaluate_moves(view, Limits(nodes=50 * cards), playouts=50, rng=7) == whole
    assert hearts.evaluate_moves(view, Limits(seconds=0.05), playouts=10_000_000, rng=7)[0].playouts < 10_000_000
