"""The perfect-information solver; the learned policy against a reading of its description; tree search and `search`."""

import functools
import math
import random
import time
from pathlib import Path

import pytest
from hearts.decisions import RULES, advance, after_each_play, consistent_deals, evaluate, state_of
from hearts.linear_reading import RANKS, WEIGHTS, Situation, linear
from hypothesis import example, given, settings
from hypothesis import strategies as st
from oracles import checks

from gamecore import Limits, hearts
from gamecore.hearts._cards import cards_of, kernel
from gamecore.hearts._rules import DIRECTIONS
from gamecore.reference import hearts as reference

# --- the solver: what an oracle does not say (``tests/oracles``): methods, ends, limits -------------------------------

ENDINGS = Path(__file__).with_name("endings.txt").read_text().splitlines()[3:]


@pytest.mark.usefixtures("oracle")
@pytest.mark.parametrize("text", ENDINGS)
def test_endings_in_which_a_fault_was_seen(text):
    round_ = hearts.Round.from_text(text)
    checks.check_ending(random.Random(text), round_, checks.hearts_moves(round_, True)[1])


@pytest.mark.parametrize("seed", range(30))
def test_each_method_says_its_part(seed):
    round_ = advance(hearts.Round.deal(seed), 36 + seed % 4, "greedy" if seed % 2 else "random")
    solution, analysis = hearts.solve(round_), hearts.analyse(round_)
    only, paranoid = (hearts.solve(round_, method=method) for method in ("max_n", "paranoid"))
    assert (only.method, only.value, only.line, only.paranoid_points) == ("max_n", solution.value, solution.line, None)
    assert (paranoid.method, paranoid.max_n_points, paranoid.line) == ("paranoid", None, ())
    assert paranoid.value == -solution.paranoid_points.value <= solution.value
    assert paranoid.paranoid_move == solution.paranoid_move == paranoid.best_move
    values = sorted((-entry.paranoid_points.value for entry in analysis), reverse=True)
    assert [entry.value for entry in hearts.analyse(round_, method="paranoid")] == values
    for move in solution.line:  # every seat keeps to max^n
        assert hearts.solve(round_, method="max_n", line=False).max_n_points == solution.max_n_points
        round_ = round_.play(move)
    over, points = hearts.solve(round_), round_.points[round_.to_move]
    assert (over.to_move, over.value, over.max_n_points) == (round_.tricks[-1].winner, -points, round_.points)
    assert str(over).startswith(f"seat {over.to_move} gets {points} point")


@pytest.mark.parametrize("seed", range(8))
def test_a_limit_gives_proven_bounds(seed):
    round_ = advance(hearts.Round.deal(seed), 28 - 4 * (seed % 2), "greedy")
    exact, moves = hearts.solve(round_), {entry.move: entry for entry in hearts.analyse(round_)}
    open_values = 0
    for method in ("both", "max_n", "paranoid"):
        values = {
            move: -one.paranoid_points.value if method == "paranoid" else one.value for move, one in moves.items()
        }
        for nodes in (1, 50, 300, 500, 2000, 5000):
            some = hearts.solve(round_, Limits(nodes=nodes), method=method)
            assert some.nodes <= nodes
            assert some.lower <= max(values.values()) <= some.upper
            assert {values[move] for move in some.best_moves} <= {max(values.values())}
            open_values += not some.exact
            assert some.paranoid_move is None or some.paranoid_points.exact
            bounds = [(some.paranoid_points, exact.paranoid_points)]
            for entry in hearts.analyse(round_, Limits(nodes=nodes), method=method):
                assert entry.lower <= values[entry.move] <= entry.upper
                assert entry.max_n_points in {None, moves[entry.move].max_n_points}
                bounds.append((entry.paranoid_points, moves[entry.move].paranoid_points))
            for proven, points in bounds:
                assert proven is None if method == "max_n" else proven.lower <= points.value <= proven.upper
    assert open_values > 3
    cut = hearts.solve(round_, Limits(nodes=exact.nodes + 1))
    assert (cut.value, cut.best_moves, cut.nodes) == (exact.value, exact.best_moves, exact.nodes)
    assert cut.line == hearts.solve(round_, line=False).line == ()  # no limit leaves time for it


# --- players ----------------------------------------------------------------------------------------------------------


POLICIES = ("random", "duck", "linear:infer=6")


@given(st.floats(1e-9, 3600), st.floats(0, 1))
def test_every_number_is_written_as_it_is(seconds, epsilon):
    for player in (hearts.player("search", seconds=seconds), hearts.player("pimc", epsilon=epsilon)):
        assert hearts.player(str(player)) == player


# --- the learned policy -----------------------------------------------------------------------------------------------


@settings(max_examples=40, deadline=None)
@given(
    seed=st.integers(0, 2**40),
    rules=RULES,
    passing=st.sampled_from(tuple(DIRECTIONS)),
    weights=st.sampled_from(range(len(WEIGHTS))),
)
@example(seed=16, rules=hearts.Rules(), passing="left", weights=3)  # the fourth trick decides
def test_it_plays_what_its_description_says(seed, rules, passing, weights):
    numbers = linear(WEIGHTS[weights]) if weights else hearts.player("linear").numbers
    for round_ in after_each_play(hearts.Round.deal(seed, rules, passing), "duck"):
        if seed % 4 == round_.to_move:
            situation = Situation(round_.view(round_.to_move))
            chosen = cards_of(1 << round_._core.choose(numbers, kernel.Control()))[0]
            assert chosen == situation.best(WEIGHTS[weights], round_.legal_moves())


# --- endings with few worlds ------------------------------------------------------------------------------------------


@functools.cache
def open_endings():
    """Positions of the last three tricks with one possible world, and max^n points by card, which differ."""
    endings = []
    for seed in range(2000):
        who = ("duck", "random")[seed % 2]
        for round_ in after_each_play(advance(hearts.Round.deal(seed), 40, who), who):
            seat, worlds = round_.to_move, round_._core.worlds
            if len(round_.legal_moves()) > 1 and all(len(set(worlds(seat, count, 1))) == 1 for count in (6, 30)):
                values = {entry.move: entry.max_n_points[seat] for entry in hearts.analyse(round_, method="max_n")}
                if len(set(values.values())) > 1:
                    endings.append((round_, values))
    return endings


def mistakes(name):
    return [round_ for round_, values in open_endings() if values[round_.ask(name)] > min(values.values())]


@pytest.mark.parametrize("policy", POLICIES)
def test_known_hands_are_played_as_max_n(policy):
    """One exception: where others have equally good cards, they need not choose as max^n's first ones."""
    assert len(open_endings()) >= 25
    assert len(mistakes(f"ismcts:3000:{policy}")) <= 1
    assert len(mistakes("ismcts:1:random")) > 3  # too few iterations are found out


def test_the_end_of_a_round_is_exact_where_worlds_are_solved():
    for round_, values in open_endings():
        for card, (points, count) in evaluate(round_, "search:3:solve_at=12").items():
            assert (points, count) == (values[card], 3)


@pytest.mark.parametrize("policy", POLICIES[:2])
def test_hidden_hands_converge_to_the_expected_points(policy):
    """The means of the last seat of the trick before the last, the only one with a choice, are the expectations."""
    compared = uncertain = 0
    for round_ in (advance(hearts.Round.deal(seed), 47) for seed in range(400)):
        deals, seat, values = consistent_deals(round_, round_.to_move), round_.to_move, {}
        for card in round_.legal_moves():
            states = [state_of(round_, deal) for deal in deals]
            for state in states:
                state.play(card)
            values[card] = sum(reference.brute_max_n(state)[seat] for state in states) / len(deals)
        if len(set(values.values())) > 1:
            assert values[round_.ask(f"ismcts:4000:{policy}")] == min(values.values())
            for card, (mean, visits) in evaluate(round_, f"ismcts:4000:{policy}").items():
                assert abs(mean - values[card]) <= 4 * 7 / math.sqrt(visits)
            compared += 1
            uncertain += len(deals) > 1
    assert compared >= 15
    assert uncertain >= 10


# --- how estimates are made -------------------------------------------------------------------------------------------


def with_choice(seed, plies, least=2):
    """The first position after these plies with this many legal cards."""
    round_ = advance(hearts.Round.deal(seed), plies)
    return round_ if len(round_.legal_moves()) >= least else with_choice(seed, plies + 1, least)


def test_all_iterations_are_counted_and_most_go_to_good_cards():
    estimates = evaluate(with_choice(0, 20), "ismcts:2000").values()
    assert sum(visits for _, visits in estimates) == 2000
    assert max(estimates, key=lambda estimate: estimate[1])[0] <= min(estimates)[0] + 0.3


def test_cards_that_fall_behind_are_dropped_and_no_playout_is_lost():
    dropped = 0
    for seed in range(8):
        estimates = evaluate(with_choice(seed, 21, 3), "search:64").values()
        counts = [count for _, count in estimates]
        if len(counts) > 1:
            assert 16 <= max(counts) == min(estimates)[1]  # of the best card
            assert sum(counts) <= 65 * len(counts)
            assert len({count % 16 for count in counts}) <= 2  # dropped after blocks of sixteen worlds
            dropped += min(counts) < max(counts)
    assert dropped >= 2


def test_of_cards_as_good_as_each_other_one_is_looked_at():
    for round_ in after_each_play(hearts.Round.deal(3), "linear"):
        legal = round_.legal_moves()
        looked_at = set(evaluate(round_, "search:1")) if len(legal) > 1 else set(legal)
        out = {*round_.played} - {card for _, card in round_.trick}
        for card in set(legal) - looked_at:
            lower = [rank for rank in RANKS[: RANKS.index(card[1])] if card[0] + rank in looked_at]
            between = RANKS[RANKS.index(lower[-1]) + 1 : RANKS.index(card[1])]
            assert all(card[0] + rank in out or card[0] + rank in legal for rank in between)
            assert "SQ" not in (card, card[0] + lower[-1])


def test_times_and_limits_are_kept_to():
    round_ = with_choice(5, 9)
    for name, least in (("ismcts:5ms", 0.005), ("search:20ms", 0)):
        begun = time.perf_counter()
        assert round_.ask(name) in round_.legal_moves()
        assert least <= time.perf_counter() - begun < 10  # far from it, on any machine
    assert all(count >= 1 for _, count in evaluate(round_, "search:0.00001ms").values())
    control = kernel.Control(nodes=1)
    round_._core.evaluate(round_.to_move, hearts.player("search:1000000").numbers, 5, control)
    assert control.stopped


# --- moons and passing ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "least"), [("search:200", 2), ("search:200:solve_at=16", 3)])
def test_the_moon_of_another_is_stopped(name, least):
    """Only one card stops the moon, and it costs points; the seat must infer it."""
    stopped = 0
    for line in (Path(__file__).parent / "moons.txt").read_text().splitlines()[2:]:
        text, stops = line.split()
        round_ = hearts.Round.from_text(text)
        points = {one.move: one.max_n_points[round_.to_move] for one in hearts.analyse(round_, method="max_n")}
        assert [card for card, count in points.items() if count < 26] == [stops]
        stopped += round_.ask(name) == stops
    assert stopped >= least


def with_hand(cards, passing="hold"):
    """A round in which seat 0 has these cards."""
    hand = cards.split()
    rest = [card for card in reference.DECK if card not in hand]
    return hearts.Round([hand, *(rest[place::3] for place in range(3))], passing=passing)


def test_its_own_moon_is_tried():
    """With all top cards and the lead the moon is certain, and any other plan costs points."""
    round_ = with_hand("SA SK SQ SJ ST S9 S8 HA HK HQ HJ HT C2")
    while not round_.is_over:
        round_ = round_.play(round_.ask("search:40" if round_.to_move == 0 else "linear"))
    assert round_.points == (0, 26, 26, 26) or round_.points[0] <= 1


def test_cards_are_passed_by_playouts_unless_by_danger():
    round_ = with_hand("SQ SA SK H2 H3 H4 D2 D3 D4 C2 C3 C4 C5", "left")
    assert set(round_.ask_pass(0, "search:20")) == {"SQ", "SA", "SK"}
    differ = 0
    for seed in range(10):
        round_ = hearts.Round.deal(seed, passing="across", passer=None)
        by_playouts, by_danger = (round_.ask_pass(2, name) for name in ("search:5", "search:5:passes=danger"))
        assert set(by_danger) == set(round_.ask_pass(2, "greedy"))
        differ += set(by_playouts) != set(by_danger)
        others = [sorted(hand) for hand in round_.hands]
        others[0], others[1] = others[1], others[0]  # the hands it does not see
        assert by_playouts == hearts.Round(others, passing="across", seed=round_.seed).ask_pass(2, "search:5")
    assert differ > 3
    held = hearts.compare(["search:2", "search:2:passes=danger"], "duck", 5, 7)  # the same, where nothing is passed
    assert (held.points[:, 0] == held.points[:, 1]).all()
