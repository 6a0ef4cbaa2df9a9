"""The player `search`: inferred worlds, racing, the end of a round, moons, passing, limits."""

import math
import time
from collections import Counter

import numpy as np
import pytest
from hearts import linear_reading  # pytest's pythonpath has the folder of tests
from hearts.decisions import advance, after_each_play, evaluate
from hearts.linear_reading import MODEL
from hypothesis import given, settings
from hypothesis import strategies as st

from gamecore import hearts
from gamecore.hearts._cards import cards_of, kernel
from gamecore.hearts._players import danger, learned_weights
from gamecore.hearts._rules import FLAGS
from gamecore.reference import hearts as reference

SLIPS, OTHERS = 0.05, 0.1  # shares of slips, and of duck and greedy each


def chance(view, hands, behaviour):
    """Likelihood of the others' plays if they hold these hands: a mixture of types for each seat."""
    hands = [list(hand) for hand in hands]
    for trick in view.tricks:
        for place, card in enumerate(trick.cards):
            hands[(trick.leader + place) % 4].append(card)
    for seat, card in view.trick:
        hands[seat].append(card)
    state = hearts.Round([sorted(hand) for hand in hands])
    shares = {seat: [1 - 2 * OTHERS, OTHERS, OTHERS] for seat in range(4) if seat != view.seat}
    if view.received:
        step = ("hold", "left", "across", "right").index(view.passing)
        giver, order = (view.seat - step) % 4, danger(reference.DECK, 52)
        worse = set(order[: max(map(order.index, view.received))]) - set(view.received)
        kept = len(worse & set(hands[giver]) - set(view.passed if step == 2 else ()))
        rule = 0.05 + 0.95 * (1 if not kept else 0 if kept > 3 or step == 2 else (0, 0.4, 0.12, 0.03)[kept])
        shares[giver] = [share * one for share, one in zip(shares[giver], (0.5 + rule / 2, rule, rule), strict=True)]
    for card in view.played:
        legal, seat = state.legal_moves(), state.to_move
        if seat != view.seat and len(legal) > 1:
            played = linear_reading.of_view(state.view(seat)).chance(behaviour, legal, card)
            types = [played, state.ask("duck") == card, state.ask("greedy") == card]
            for kind, one in enumerate(types):
                shares[seat][kind] *= SLIPS / len(legal) + (1 - SLIPS) * one
        state = state.play(card)
    return math.prod(map(sum, shares.values()))


@pytest.mark.parametrize(
    ("seed", "strange", "passing"), [(4, False, "hold"), (6, True, "hold"), (3, False, "left"), (5, False, "across")]
)
def test_worlds_are_drawn_by_how_well_they_explain_the_play(seed, strange, passing):
    from hearts.test_view import consistent_deals

    both = learned_weights()
    if strange:
        both = np.random.default_rng(1).integers(-9, 10, 2 * MODEL, dtype=np.int64).astype(np.int8)
    round_ = advance(hearts.Round.deal(seed, passing=passing), 42, "linear")
    seat = round_.to_move
    view = round_.view(seat)
    deals = consistent_deals(round_, seat)
    shares = np.array([chance(view, deal, both[MODEL:]) for deal in deals])
    shares /= shares.sum()
    draws = 10_000
    worlds = round_._core.worlds(seat, draws, seed, 25, both)
    drawn = Counter(tuple(tuple(sorted(cards_of(mask))) for mask in world) for world in worlds)
    assert set(drawn) <= set(deals)
    assert shares.max() > 1.5 * shares.mean()  # it is not the uniform one that is tested
    for deal, share in zip(deals, shares, strict=True):
        # Successive worlds of the chain are alike: the spread is a few times that of independent draws.
        assert abs(drawn[deal] / draws - share) <= 20 * math.sqrt(share / draws) + 20 / draws


def test_cards_that_fall_behind_are_dropped_and_no_playout_is_lost():
    dropped = 0
    for seed in range(8):
        round_ = advance(hearts.Round.deal(seed), 21)
        while len(round_.legal_moves()) < 3:
            round_ = advance(round_, 1)
        estimates = evaluate(round_, "search:64").values()
        counts = [count for _, count in estimates]
        if len(counts) > 1:
            assert 16 <= max(counts) == min(estimates)[1]  # of the best card
            assert sum(counts) <= 65 * len(counts)
            assert len({count % 16 for count in counts}) <= 2  # dropped after blocks of sixteen worlds
            dropped += min(counts) < max(counts)
    assert dropped >= 2


def test_of_cards_as_good_as_each_other_one_is_looked_at():
    ranks = linear_reading.RANKS
    for round_ in after_each_play(hearts.Round.deal(3), "linear"):
        legal = round_.legal_moves()
        looked_at = set(evaluate(round_, "search:1")) if len(legal) > 1 else set(legal)
        out = {*round_.played} - {card for _, card in round_.trick}
        for card in set(legal) - looked_at:
            lower = [rank for rank in ranks[: ranks.index(card[1])] if card[0] + rank in looked_at]
            between = ranks[ranks.index(lower[-1]) + 1 : ranks.index(card[1])]
            assert all(card[0] + rank in out or card[0] + rank in legal for rank in between)
            assert "SQ" not in (card, card[0] + lower[-1])


def test_the_end_of_a_round_is_exact_where_worlds_are_solved():
    """With one possible world, every card's points are those of max^n."""
    compared = 0
    for seed in range(150):
        round_ = advance(hearts.Round.deal(seed), 40, "greedy")
        seat = round_.to_move
        if len(set(round_._core.worlds(seat, 30, 1))) > 1 or len(round_.legal_moves()) < 2:
            continue
        solved = {one.move: one.max_n_points[seat] for one in hearts.analyse(round_, method="max_n")}
        for card, (points, count) in evaluate(round_, "search:3:solve_at=12").items():
            assert (points, count) == (solved[card], 3)
            compared += 1
    assert compared > 5


# Rounds in which one seat has all points taken, and the seat to move has the one card that stops the moon.
MOONS = {
    "std:hold:C3CKD7DTDQDAS4S7S9SJSKH7H9.C2C5CTCAD2D8S2STSQH3HTHQHK.C4C6C8CQD3D6DJS8SAH4H6HJHA.C7C9CJD4D5D9DKS3S5S6H2H5"
    "H8:-:C2C4C7CK.DAD8DJDK.SKSQS8S6.DQD2D6D9.SJSTSAS5.D3D4DTHK.S9S2HAS3.H9H3H6H8.D7HQHJD5.S7HTH4H5.C3CACQ:1128": "CJ",
    "std:hold:C3C5D5DJDKDAS7S9SJSAH4H9HT.C2C9CAD2D8DQS4S5SKH6H8HKHA.C4CTCJCKD6S2S3STSQH2H3H5HQ.C6C7C8CQD3D4D7D9DTS6S8H7"
    "HJ:-:C2C4C6C5.D3DAD2D6.SASKSQS8.DKDQHQDT.DJD8H5D9.SJS5STS6.HTH8H3H7.S9S4S3HJ.H9H6H2CQ.S7HAS2C8.D5HKCT:1696": "D7",
    "std:hold:C6CKD3D9DKDAS5S9STH2HTHJHA.C4C5C9CTCADTDQS6S7SJH3H4H6.C2C3C8CJCQD5D6DJS3H5H8H9HK.C7D2D4D7D8S2S4S8SQSKSAH7"
    "HQ:-:C2C7CKCA.C4C3SQC6.DADQDJD8.HAH6HKHQ.DKDTD6D7.HJH4H9H7.STS7S3S8.HTH3H8SA.D9SJD5D4.S9S6H5S4.S5C9CJ:1865": "SK",
}


@pytest.mark.parametrize("name", ["search:200", "search:200:solve_at=16"])
def test_the_moon_of_another_is_stopped(name):
    """Only one card stops the moon, and it costs points; the seat must infer it."""
    stopped = 0
    for text, stops in MOONS.items():
        round_ = hearts.Round.from_text(text)
        points = {one.move: one.max_n_points[round_.to_move] for one in hearts.analyse(round_, method="max_n")}
        assert [card for card, count in points.items() if count < 26] == [stops]
        stopped += round_.ask(name) == stops
    assert stopped >= len(MOONS) - ("solve_at" not in name)


def test_its_own_moon_is_tried():
    """With all top cards and the lead the moon is certain, and any other plan costs points."""
    spades = ["S" + rank for rank in "AKQJT98"]
    hands = [[*spades, "HA", "HK", "HQ", "HJ", "HT", "C2"], [], [], []]
    rest = [card for card in reference.DECK if card not in hands[0]]
    hands[1:] = [rest[place::3] for place in range(3)]
    round_ = hearts.Round(hands)
    while not round_.is_over:
        round_ = round_.play(round_.ask("search:40" if round_.to_move == 0 else "linear"))
    assert round_.points == (0, 26, 26, 26) or round_.points[0] <= 1


def test_cards_are_passed_by_playouts():
    hand = ["SQ", "SA", "SK", "H2", "H3", "H4", "D2", "D3", "D4", "C2", "C3", "C4", "C5"]
    rest = [card for card in reference.DECK if card not in hand]
    round_ = hearts.Round([hand, *(rest[place::3] for place in range(3))], passing="left")
    assert set(round_.ask_pass(0, "search:20")) == {"SQ", "SA", "SK"}
    for seed in range(2):
        round_ = hearts.Round.deal(seed, passing="across", passer=None)
        chosen = round_.ask_pass(2, "search:20")
        assert (len(set(chosen) & set(round_.hands[2])), chosen) == (3, round_.ask_pass(2, "search:20"))
        others = [sorted(hand) for hand in round_.hands]
        others[0], others[1] = others[1], others[0]  # the hands it does not see
        assert chosen == hearts.Round(others, passing="across", seed=round_.seed).ask_pass(2, "search:20")


def test_playouts_for_passing_can_be_left_out():
    for seed in range(10):
        round_ = hearts.Round.deal(seed, passing="right", passer=None)
        assert set(round_.ask_pass(1, "search:20:passes=danger")) == set(round_.ask_pass(1, "greedy"))
    players = ["search:2", "search:2:passes=danger"]
    held = hearts.compare(players, "duck", 5, 7)  # the same player, where nothing is passed
    assert (held.points[:, 0] == held.points[:, 1]).all()
    passed = hearts.compare(players, "duck", 5, 7, passing="left")
    assert (passed.points[:, 0] != passed.points[:, 1]).any()


@settings(max_examples=15, deadline=None)
@given(
    seed=st.integers(0, 2**40),
    flags=st.fixed_dictionaries(dict.fromkeys(FLAGS[1:], st.booleans())),
    passing=st.sampled_from(["hold", "right"]),
)
def test_it_plays_under_every_rule(seed, flags, passing):
    rules = hearts.Rules(**flags)
    played = hearts.simulate(["search:2", "linear", "search:3:infer=0", "pimc:2:infer=1"], 1, seed, rules=rules,
                             passing=passing)  # fmt: skip
    assert played.rounds == 1


def test_a_time_for_decisions_is_kept_to_roughly_and_a_limit_ends_a_search():
    round_ = advance(hearts.Round.deal(5), 9)
    begun = time.perf_counter()
    assert round_.ask("search:20ms") in round_.legal_moves()
    assert time.perf_counter() - begun < 10  # far from it, on any machine
    assert all(count >= 1 for _, count in evaluate(round_, "search:0.00001ms").values())
    control = kernel.Control(nodes=1)
    round_._core.evaluate(round_.to_move, hearts.player("search:1000000").numbers, 5, control)
    assert control.stopped
