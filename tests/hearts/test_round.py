"""Rounds: their rules against OpenSpiel, the reference and the kernel, and every round as text and data."""

import copy
import json
import pickle
import random
import string

import numpy as np
import pytest
from hearts.decisions import RULES, advance, after_each_play, plain_rules  # pytest's pythonpath has the folder of tests
from hearts.strange_players import First, Lowest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from gamecore import hearts, kernels
from gamecore.hearts._rules import DIRECTIONS, FLAGS, MOONS
from gamecore.reference import hearts as reference

# --- rules ------------------------------------------------------------------------------------------------------------


def indices(mask):
    return [card for card in range(52) if mask >> card & 1]


@pytest.mark.parametrize("direction", range(4))
@pytest.mark.parametrize(("rounds", "seed"), [(20, 0), pytest.param(250, 1000, marks=pytest.mark.nightly)])
def test_replay_against_open_spiel(direction, rounds, seed):
    """Recorded random rounds: same players, legal cards and returns at every step."""
    pyspiel = pytest.importorskip("pyspiel", reason="extra 'openspiel'")
    for bits in range(128):
        rules = hearts.Rules(**{name: bool(bits >> place & 1) for place, name in enumerate(FLAGS[1:])})
        flags = ",".join(f"{name}={str(getattr(rules, name)).lower()}" for name in FLAGS[1:])
        game = pyspiel.load_game(f"hearts({flags.replace('jack_of_diamonds', 'jd_bonus')})")
        record = hearts.record(["random"] * 4, rounds, seed + bits, rules=rules, passing=tuple(DIRECTIONS)[direction])
        arrays = (record.deals, record.passes, record.cards, record.seats, record.points)
        for index, (hands, passed, cards, seats, points) in enumerate(
            zip(*map(np.ndarray.tolist, arrays), strict=True)
        ):
            core = kernels.kernel("hearts").Core(rules.flags, hands)
            core.start(passed, direction)
            state = game.new_initial_state()
            dealt = [card for column in zip(*map(indices, hands), strict=True) for card in column]
            given = [card for mask in passed for card in indices(mask)] if direction else []
            for move in (direction, *dealt, *given):
                state.apply_action(move)
            for seat, card in zip(seats, cards, strict=True):
                assert (state.current_player(), state.legal_actions()) == (seat, indices(core.legal())), (bits, index)
                state.apply_action(card)
                core.play(card)
            assert state.is_terminal()
            assert [26 - got for got in state.returns()] == points, (bits, index)


@settings(max_examples=150, deadline=None)
@given(
    seed=st.integers(0, 2**64 - 1),
    rules=RULES,
    passing=st.sampled_from(tuple(DIRECTIONS)),
    who=st.sampled_from(["random", "greedy", "literal"]),
)
# With the lone queen of spades beside hearts that nothing has broken, hearts may be led, too.
@example(seed=65, rules=hearts.Rules(can_lead_hearts_instead_of_qs=True), passing="left", who="random")
def test_round_agrees_with_reference_and_conserves_cards(seed, rules, passing, who):
    start = hearts.Round.deal(seed, rules, passing, passer="random")
    plain = reference.State([list(hand) for hand in start.hands], plain_rules(rules))
    oracle = {"greedy": reference.GreedyPlayer(), "literal": reference.LiteralPlayer(random.Random(seed))}.get(who)
    for round_ in after_each_play(start, who):
        assert (round_.to_move, round_.legal_moves()) == (plain.to_move, tuple(plain.legal_moves()))
        card = round_.ask(who)
        assert card in round_.legal_moves()
        assert oracle is None or card == oracle.choose(plain)
        held = [card for hand in round_.hands for card in hand]
        assert sorted(held + plain.played) == sorted(reference.DECK)
        assert round_.taken == tuple(map(reference.points_of, plain.taken))
        plain.play(card)
    assert plain.is_over
    assert round_.play(card).points == plain.score()


@pytest.mark.parametrize("passing", DIRECTIONS)
def test_a_round_that_random_plays_is_the_kernels(passing):
    """Built-in players draw from (seed, index, ply) as the kernel's whole rounds do."""
    simulated = hearts.simulate(["random"] * 4, 40, 5, passing=passing)
    for index, points in enumerate(simulated):
        round_ = hearts.Round.deal(5, passing=passing, passer=None, index=index)
        assert advance(round_, 52 + len(round_.passing_seats), "random").points == points


def test_moons_are_counted():
    others, shooter, none = (
        hearts.simulate(["random"] * 4, 3000, 11, rules=hearts.Rules(moon=moon))
        for moon in ("others", "shooter", "none")
    )
    shot = (np.sort(others.points) == [0, 26, 26, 26]).all(axis=1)
    expected = np.bincount(others.points[shot].argmin(axis=1), minlength=4)
    assert expected.sum() > 10
    assert ((others.moons == expected) & (shooter.moons == expected) & (none.moons == 0)).all()
    assert (none.points[shot] == 26 - others.points[shot]).all()


@pytest.mark.parametrize(("passing", "step"), [("left", 1), ("across", 2), ("right", 3)])
def test_a_pass_is_a_move_of_three_cards(passing, step):
    start = hearts.Round.deal(3, passing=passing, passer=None)
    greedy = tuple(start.ask_pass(seat, "greedy") for seat in range(4))
    assert hearts.Round.deal(3, passing=passing).passed == greedy
    assert [set(Lowest().pass_cards(start.view(seat))) for seat in range(4)] == list(map(set, greedy))
    round_ = start.pass_cards(2, start.hands[2][:3])
    for seat in (0, 1, 3):
        assert (round_.to_move, round_.is_over, round_.view(2).received) == (seat, False, ())
        legal = round_.legal_moves()
        assert len(legal) == len(set(legal)) == 286
        assert (legal, round_.view((seat + 1) % 4).legal_moves()) == (round_.view(seat).legal_moves(), ())
        assert legal[0] == "-".join(round_.hands[seat][:3]) == round_.ask(First())
        round_ = round_.play("-".join(reversed(legal[0].split("-"))))
    for seat in range(4):
        giver = (seat - step) % 4
        assert set(round_.hands[seat]) == {*start.hands[seat][3:], *start.hands[giver][:3]}
        assert (round_.view(seat).received, round_.passed[giver]) == (start.hands[giver][:3],) * 2
    assert (round_.passing_seats, round_.legal_moves(), round_.ask(First())) == ((), ("C2",), "C2")


def test_random_rounds_reach_every_phase():
    rounds = [hearts.random(rng=seed) for seed in range(300)]
    phases = {(bool(round_.passing_seats), bool(round_.tricks), round_.is_over) for round_ in rounds}
    assert phases == {(True, False, False), (False, False, False), (False, True, False), (False, True, True)}
    assert {round_.passing for round_ in rounds} == set(DIRECTIONS)
    assert hearts.random("left", plies=2, rng=1).passing_seats == (2, 3)
    assert hearts.random(rules=hearts.Rules(pass_cards=False), rng=1).passing == "hold"


# --- text and data ----------------------------------------------------------------------------------------------------


def any_round(rng):
    """A round in any phase: passes in any order of seats, then cards of any player's choice."""
    flags = {name: rng.random() < 0.5 for name in FLAGS}
    cycle, moon = rng.choices(tuple(DIRECTIONS), k=rng.randint(1, 5)), rng.choice(MOONS)
    rules = hearts.Rules(**flags, moon=moon, cycle=tuple(cycle), match_points=rng.randint(1, 100_000))
    passing = rng.choice(tuple(DIRECTIONS)) if rules.pass_cards else "hold"
    round_ = hearts.Round.deal(rng.getrandbits(64), rules, passing, None, rng.choice([0, 0, 1, (1 << 63) - 1]))
    for seat in rng.sample(round_.passing_seats, min(len(round_.passing_seats), rng.choice([0, 1, 2, 3, 4, 4, 4]))):
        round_ = round_.pass_cards(seat, rng.sample(round_.hands[seat], 3))
    for _ in range(0 if round_.passing_seats else rng.randint(0, 52)):
        round_ = round_.play(rng.choice(round_.legal_moves()))
    return round_


def content(round_):
    """Everything that a round has or answers; players that draw from its stream draw the same."""
    asked = [] if round_.is_over else [round_.ask(who) for who in ("random", "intelligent", "pimc:2")]
    state = round_.trick, round_.tricks, round_.points, round_.to_move, round_.hands, round_.legal_moves()
    return round_, hash(round_), round_.to_text(), *state, [round_.view(seat) for seat in range(4)], asked


@pytest.mark.parametrize("seed", range(200))
def test_text_and_data_round_trips(seed):
    round_ = any_round(random.Random(seed))
    text = round_.to_text()
    assert set(text) <= set(string.ascii_letters + string.digits + ":.,=_-")
    assert text[0].isalpha()
    fields = (round_.dealt, round_.rules, round_.passing, round_.passed, round_.played, round_.seed, round_.index)
    for again in (
        hearts.Round.from_text(text),
        hearts.Round.from_dict(json.loads(json.dumps(round_.to_dict()))),
        hearts.Round(*fields),
        pickle.loads(pickle.dumps(round_)),
        copy.deepcopy(round_),
        eval(repr(round_), {"hearts": hearts}),
    ):
        assert content(again) == content(round_)
