"""The perfect-information solver against brute force."""

import random

import pytest
from hearts.decisions import state_of  # pytest's pythonpath has the folder of tests

from gamecore import Limits, hearts, kernels
from gamecore.hearts._rules import FLAGS, MOONS
from gamecore.reference import hearts as reference


def flags_of(seed):
    if seed % 3 == 0:
        return {}
    bits = random.Random(seed).randrange(128)
    moon = MOONS[seed // 3 % 3]
    return {**{name: bool(bits >> place & 1) for place, name in enumerate(FLAGS[1:])}, "moon": moon}


def position(seed, left, cards=0, who=None):
    round_ = hearts.Round.deal(seed, hearts.Rules(**flags_of(seed)))
    who = who or ("greedy" if seed % 2 else "random")
    while len(round_.tricks) < 13 - left or len(round_.trick) < cards:
        round_ = round_.play(round_.ask(who))
    return round_


def check(seed, left, cards=0):
    round_ = position(seed, left, cards)
    seat, solution, analysis = round_.to_move, hearts.solve(round_), hearts.analyse(round_)
    assert solution.exact
    assert sorted(entry.move for entry in analysis) == sorted(round_.legal_moves())
    for entry in analysis:
        state = state_of(round_)
        state.play(entry.move)
        assert entry.max_n_points == reference.brute_max_n(state), (seed, entry)
        assert entry.paranoid_points.value == reference.brute_paranoid(state, seat), (seed, entry)
        assert entry.value == -entry.max_n_points[seat]
        assert entry.max_n_points[seat] <= entry.paranoid_points.value
    values = {entry.move: entry.value for entry in analysis}
    assert solution.value == max(values.values()) == -solution.max_n_points[seat]
    assert solution.best_moves == tuple(move for move in round_.legal_moves() if values[move] == solution.value)
    assert next(one for one in analysis if one.move == solution.best_move).max_n_points == solution.max_n_points
    assert solution.paranoid_points.value == min(entry.paranoid_points.value for entry in analysis)
    assert played_out(round_, solution.line).points == solution.max_n_points


def played_out(round_, line):
    """Play a line to the end of the round; check the value at each ply."""
    expected = hearts.solve(round_).max_n_points
    for move in line:
        assert hearts.solve(round_, method="max_n", line=False).max_n_points == expected
        round_ = round_.play(move)
    assert round_.is_over
    return round_


def test_against_brute_force():
    for seed in range(60):
        check(seed, 3, seed % 4)
    for seed in range(100, 103):
        check(seed, 4, 1 + seed % 3)


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


def test_levels_agree_in_nodes_and_values():
    rows = set()
    for level in kernels.available_levels():
        kernel = kernels.kernel("hearts", level)
        round_ = hearts.Round.deal(3)
        core = kernel.Core(round_.rules.flags, None, 3, 0)
        core.start((0, 0, 0, 0), 0)
        while core.count() < 28:
            core.play(core.choose(hearts.player("greedy").numbers, kernel.Control()))
        rows.add(str(kernel.solve(core, kernel.Control(), 1 << 14, True, True, True)))
    assert len(rows) == 1


@pytest.mark.parametrize("seed", range(8))
def test_a_limit_gives_proven_bounds(seed):
    round_ = position(seed, 6 + seed % 2, who="greedy")
    exact, moves = hearts.solve(round_), {entry.move: entry for entry in hearts.analyse(round_)}
    assert exact.exact
    open_ones = 0
    for method in ("both", "max_n", "paranoid"):
        value = hearts.solve(round_, method=method).value
        for nodes in (1, 50, 300, 500, 2000, 5000):
            some = hearts.solve(round_, Limits(nodes=nodes), method)
            assert some.nodes <= nodes
            assert some.lower <= value <= some.upper
            open_ones += not some.exact
            assert set(some.best_moves) <= {
                move for move, entry in moves.items()
                if (-entry.paranoid_points.value if method == "paranoid" else entry.value) == value
            }  # fmt: skip
            if method != "max_n":
                assert some.paranoid_points.lower <= exact.paranoid_points.value <= some.paranoid_points.upper
                assert some.paranoid_move is None or some.paranoid_points.exact
            for one in hearts.analyse(round_, Limits(nodes=nodes), method):
                two = moves[one.move]
                assert one.max_n_points in {None, two.max_n_points}
                assert one.lower <= (-two.paranoid_points.value if method == "paranoid" else two.value) <= one.upper
                if method != "max_n":
                    assert one.paranoid_points.lower <= two.paranoid_points.value <= one.paranoid_points.upper
    assert open_ones > 3
    small = hearts.analyse(round_, Limits(table_mb=0.001))
    assert {entry.move: entry for entry in small} == moves


def test_a_line_that_no_limit_leaves_time_for_is_empty():
    round_ = position(3, 7, who="greedy")
    whole = hearts.solve(round_)
    assert len(whole.line) == 28
    cut = hearts.solve(round_, Limits(nodes=whole.nodes + 1))
    assert (cut.value, cut.best_moves, cut.nodes) == (whole.value, whole.best_moves, whole.nodes)
    assert cut.line == hearts.solve(round_, line=False).line == ()
    assert cut.best_move is not None


def test_methods():
    for seed in range(12):
        round_ = position(seed, 4)
        seat, both = round_.to_move, hearts.solve(round_)
        only = hearts.solve(round_, method="max_n")
        assert (only.value, only.line, only.paranoid_points) == (both.value, both.line, None)
        assert (only.method, both.method, only.value) == ("max_n", "max_n", -only.max_n_points[seat])
        paranoid = hearts.solve(round_, method="paranoid")
        assert (paranoid.max_n_points, paranoid.line, paranoid.method) == (None, (), "paranoid")
        assert paranoid.value == -both.paranoid_points.value <= both.value
        assert paranoid.paranoid_move == both.paranoid_move == paranoid.best_move
        assert [entry.value for entry in hearts.analyse(round_, method="paranoid")] == sorted(
            (-entry.paranoid_points.value for entry in hearts.analyse(round_)), reverse=True
        )


def test_a_round_that_is_over_has_the_value_of_its_score():
    for passing in ("hold", "left"):
        for seed in range(10):
            round_ = hearts.random(passing, rng=seed, plies=60)
            assert round_.is_over
            solution = hearts.solve(round_)
            assert solution.to_move == round_.to_move == round_.tricks[-1].winner
            assert (solution.value, solution.max_n_points) == (-round_.points[solution.to_move], round_.points)
            assert str(solution).startswith(f"seat {solution.to_move} gets {round_.points[solution.to_move]} point")
    assert hearts.solve(round_, method="paranoid").max_n_points is None
