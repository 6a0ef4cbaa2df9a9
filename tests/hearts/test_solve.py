"""The perfect-information solver against brute force."""

import random

import pytest
from hearts.decisions import advance, state_of  # pytest's pythonpath has the folder of tests

from gamecore import Limits, hearts
from gamecore.hearts._rules import FLAGS, MOONS
from gamecore.reference import hearts as reference


def position(seed, left, cards=0, who=None):
    """A round with this number of tricks left, and these cards on the table; by seed under any rules."""
    flags = {}
    if seed % 3:
        bits = random.Random(seed).randrange(128)
        flags = {name: bool(bits >> place & 1) for place, name in enumerate(FLAGS[1:])} | {"moon": MOONS[seed // 3 % 3]}
    start = hearts.Round.deal(seed, hearts.Rules(**flags))
    return advance(start, 4 * (13 - left) + cards, who or ("greedy" if seed % 2 else "random"))


@pytest.mark.parametrize(
    ("seed", "left", "cards"), [*((n, 3, n % 4) for n in range(60)), *((n, 4, 1 + n % 3) for n in range(100, 103))]
)
def test_against_brute_force(seed, left, cards):
    round_ = position(seed, left, cards)
    seat, solution, analysis = round_.to_move, hearts.solve(round_), hearts.analyse(round_)
    assert sorted(entry.move for entry in analysis) == sorted(round_.legal_moves())
    for entry in analysis:
        state = state_of(round_)
        state.play(entry.move)
        assert entry.max_n_points == reference.brute_max_n(state)
        assert entry.paranoid_points.value == reference.brute_paranoid(state, seat) >= entry.max_n_points[seat]
        assert entry.value == -entry.max_n_points[seat]
    values = {entry.move: entry for entry in analysis}
    assert solution.value == max(entry.value for entry in analysis) == -solution.max_n_points[seat]
    best = [move for move in round_.legal_moves() if values[move].value == solution.value]
    assert solution.best_moves == tuple(best)
    assert values[solution.best_move].max_n_points == solution.max_n_points
    assert solution.paranoid_points.value == min(entry.paranoid_points.value for entry in analysis)
    for move in solution.line:  # every seat keeps to max^n
        assert hearts.solve(round_, method="max_n", line=False).max_n_points == solution.max_n_points
        round_ = round_.play(move)
    assert (round_.is_over, round_.points) == (True, solution.max_n_points)


def test_a_jack_left_is_not_taken_for_a_queen_left():
    # With one special card left, its place among the suits' limits does not say which one it is: the key has to.
    hands = (
        "D4 DT CQ D8 C9 CT S9 S6 D2 H6 H8 SJ H2",
        "H7 HK C5 DA CA C8 S5 SA C7 HT H9 H5 HQ",
        "D3 D5 C2 DQ CK C6 S7 S8 C3 H4 HJ D9 D7",
        "DJ SQ SK CJ D6 C4 DK ST S4 S3 H3 HA S2",
    )
    played = (
        "C2 CJ CQ C5 D8 DA DQ D6 CA CK C4 C9 C8 C6 DK CT S9 S5 S7 ST S4 S6 SA S8 C7 C3 S3 D2 HT H4 H3 H6 H9 HJ HA "
        "H8 S2 SJ H5 D9 H2 HQ D7"
    )
    rules = {"must_break_hearts": True, "qs_breaks_hearts": True, "can_lead_any_club": True, "jack_of_diamonds": True}
    round_ = hearts.Round([hand.split() for hand in hands], hearts.Rules(**rules), played=played.split())
    queen = next(entry for entry in hearts.analyse(round_) if entry.move == "SQ")
    assert queen.max_n_points == (1, 11, 0, 4)


@pytest.mark.parametrize("seed", range(8))
def test_a_limit_gives_proven_bounds(seed):
    round_ = position(seed, 6 + seed % 2, who="greedy")
    exact, moves = hearts.solve(round_), {entry.move: entry for entry in hearts.analyse(round_)}
    open_values = 0
    for method in ("both", "max_n", "paranoid"):
        values = {
            move: -one.paranoid_points.value if method == "paranoid" else one.value for move, one in moves.items()
        }
        value = max(values.values())
        for nodes in (1, 50, 300, 500, 2000, 5000):
            some = hearts.solve(round_, Limits(nodes=nodes), method)
            assert some.nodes <= nodes
            assert some.lower <= value <= some.upper
            assert {values[move] for move in some.best_moves} <= {value}
            open_values += not some.exact
            assert some.paranoid_move is None or some.paranoid_points.exact
            bounds = [(some.paranoid_points, exact.paranoid_points)]
            for entry in hearts.analyse(round_, Limits(nodes=nodes), method):
                assert entry.lower <= values[entry.move] <= entry.upper
                assert entry.max_n_points in {None, moves[entry.move].max_n_points}
                bounds.append((entry.paranoid_points, moves[entry.move].paranoid_points))
            for proven, points in bounds:
                assert proven is None if method == "max_n" else proven.lower <= points.value <= proven.upper
    assert open_values > 3
    assert {entry.move: entry for entry in hearts.analyse(round_, Limits(table_mb=0.001))} == moves


def test_a_line_that_no_limit_leaves_time_for_is_empty():
    round_ = position(3, 7, who="greedy")
    whole = hearts.solve(round_)
    assert len(whole.line) == 28
    cut = hearts.solve(round_, Limits(nodes=whole.nodes + 1))
    assert (cut.value, cut.best_moves, cut.nodes) == (whole.value, whole.best_moves, whole.nodes)
    assert cut.line == hearts.solve(round_, line=False).line == ()
    assert cut.best_move is not None


@pytest.mark.parametrize("seed", range(12))
def test_methods(seed):
    round_ = position(seed, 4)
    both, only, paranoid = (hearts.solve(round_, method=method) for method in ("both", "max_n", "paranoid"))
    assert (only.value, only.line, only.paranoid_points) == (both.value, both.line, None)
    assert (only.method, both.method, paranoid.method) == ("max_n", "max_n", "paranoid")
    assert (paranoid.max_n_points, paranoid.line) == (None, ())
    assert paranoid.value == -both.paranoid_points.value <= both.value
    assert paranoid.paranoid_move == both.paranoid_move == paranoid.best_move
    assert [entry.value for entry in hearts.analyse(round_, method="paranoid")] == sorted(
        (-entry.paranoid_points.value for entry in hearts.analyse(round_)), reverse=True
    )


@pytest.mark.parametrize("passing", ["hold", "left"])
def test_a_round_that_is_over_has_the_value_of_its_score(passing):
    for round_ in (hearts.random(passing, rng=seed, plies=60) for seed in range(10)):
        solution, points = hearts.solve(round_), round_.points[round_.to_move]
        assert solution.to_move == round_.to_move == round_.tricks[-1].winner
        assert (solution.value, solution.max_n_points) == (-points, round_.points)
        assert str(solution).startswith(f"seat {solution.to_move} gets {points} point")
    assert hearts.solve(round_, method="paranoid").max_n_points is None
