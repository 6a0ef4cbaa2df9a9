"""Rules and rounds: against OpenSpiel, against the reference, and their errors."""

import random

import numpy as np
import pytest
from hearts.openspiel_rounds import FLAGS, load_game, replay  # pytest's pythonpath has the folder of tests
from hypothesis import given, settings
from hypothesis import strategies as st

from gamecore import CardError, IllegalMoveError, OptionError, hearts
from gamecore.reference import hearts as reference

DEALT = [reference.DECK[seat::4] for seat in range(4)]
DIRECTIONS = ("hold", "left", "across", "right")


def rules_of(bits):
    names = ["jack_of_diamonds" if name == "jd_bonus" else name for name in FLAGS]
    return {name: bool(bits >> place & 1) for place, name in enumerate(names)}


@pytest.mark.parametrize("direction", range(4))
@pytest.mark.parametrize(("rounds", "seed"), [(20, 0), pytest.param(250, 1000, marks=pytest.mark.nightly)])
def test_replay_against_open_spiel(direction, rounds, seed):
    pyspiel = pytest.importorskip("pyspiel", reason="extra `peers`")
    steps = sum(replay(load_game(pyspiel, bits), bits, direction, rounds, seed + bits) for bits in range(128))
    assert steps == 128 * rounds * 52


@settings(max_examples=150, deadline=None)
@given(
    seed=st.integers(0, 2**64 - 1),
    bits=st.integers(0, 127),
    passing=st.sampled_from(DIRECTIONS),
    moon=st.sampled_from(hearts._rules.MOONS),
    who=st.sampled_from(["random", "greedy", "literal"]),
)
def test_round_agrees_with_reference_and_conserves_cards(seed, bits, passing, moon, who):
    rules = hearts.Rules(**rules_of(bits), moon=moon)
    round_ = hearts.Round.deal(seed, rules, passing, passer="random")
    plain = reference.State([list(hand) for hand in round_.hands], reference.Rules(**rules_of(bits), moon=moon))
    rng = random.Random(seed)
    oracle = {"greedy": reference.GreedyPlayer(), "literal": reference.LiteralPlayer(rng)}.get(who)
    assert sorted(card for hand in round_.hands for card in hand) == sorted(reference.DECK)
    while not round_.is_over:
        assert (round_.to_move, round_.legal_moves()) == (plain.to_move, tuple(plain.legal_moves()))
        card = round_.ask(who)
        assert card in round_.legal_moves()
        if oracle is not None:
            assert card == oracle.choose(plain)
        round_ = round_.play(card)
        plain.play(card)
        held = [card for hand in round_.hands for card in hand]
        assert sorted(held + plain.played) == sorted(reference.DECK)
        assert sum(round_.taken) + reference.points_of(held + plain.trick) == 26
        assert round_.taken == tuple(map(reference.points_of, plain.taken))
    assert plain.is_over
    assert round_.points == plain.score()


def test_moons_are_counted():
    others, shooter, none = (
        hearts.simulate(["random"] * 4, 3000, 11, rules=hearts.Rules(moon=moon))
        for moon in ("others", "shooter", "none")
    )
    shot = (np.sort(others.points) == [0, 26, 26, 26]).all(axis=1)
    expected = np.bincount(others.points[shot].argmin(axis=1), minlength=4)
    assert expected.sum() > 10
    assert (others.moons == expected).all()
    assert (shooter.moons == expected).all()
    assert not none.moons.any()
    assert (none.points[shot] == 26 - others.points[shot]).all()


def test_cards_change_hands_by_direction():
    for passing, step in zip(DIRECTIONS[1:], (1, 2, 3), strict=True):
        round_ = hearts.Round.deal(3, passing=passing, passer=None)
        before = round_.hands
        assert round_.passing_seats == (0, 1, 2, 3)
        for seat in (2, 0, 3, 1):
            assert round_.to_move == min(round_.passing_seats)
            round_ = round_.pass_cards(seat, before[seat][:3])
        for seat in range(4):
            giver = (seat - step) % 4
            assert set(round_.hands[seat]) == set(before[seat][3:]) | set(before[giver][:3])
            assert round_.view(seat).received == tuple(before[giver][:3])
        assert "C2" in round_.hands[round_.to_move]


def rule_broken(round_, card):
    with pytest.raises(IllegalMoveError) as caught:
        round_.play(card)
    return str(caught.value)


def test_illegal_cards_name_the_rule():
    round_ = hearts.Round.deal(7)
    hand = round_.view(round_.to_move).hand
    assert "two of clubs" in rule_broken(round_, hand[-1])
    assert "not in its hand" in rule_broken(round_, next(c for c in reference.DECK if c not in hand))
    with pytest.raises(CardError, match="not a card"):
        round_.play("X9")
    with pytest.raises(CardError, match="not a card"):
        round_.play(7)
    round_ = round_.play("C2")
    other = next(card for card in round_.view(round_.to_move).hand if card[0] != "C")
    assert "clubs were led" in rule_broken(round_, other)
    said = set()
    for seed in range(60):
        round_ = hearts.Round.deal(seed)
        while not round_.is_over:
            for card in set(round_.hands[round_.to_move]) - set(round_.legal_moves()):
                said.add(rule_broken(round_, card).partition(": ")[2])
            round_ = round_.play(round_.ask("random"))
    assert any("no_pts_on_first_trick" in text for text in said)
    assert any("must_break_hearts" in text for text in said)
    assert "the round is over" in rule_broken(round_, "C2")


def test_bad_passes():
    round_ = hearts.Round.deal(7, passing="left", passer=None)
    hand = round_.view(0).hand
    assert "have to pass cards first" in rule_broken(round_, "C2")
    foreign = next(card for card in reference.DECK if card not in hand)
    for cards, message in ((hand[:2], "3 cards"), ((*hand[:2], foreign), "not in its hand"), ("C2C3C4", "3 cards")):
        with pytest.raises(IllegalMoveError, match=message):
            round_.pass_cards(0, cards)
    with pytest.raises(CardError, match="twice"):
        round_.pass_cards(0, (hand[0], hand[0], hand[1]))
    round_ = round_.pass_cards(0, hand[:3])
    with pytest.raises(IllegalMoveError, match="already"):
        round_.pass_cards(0, hand[3:6])
    with pytest.raises(OptionError, match="seat"):
        round_.pass_cards(4, hand[:3])
