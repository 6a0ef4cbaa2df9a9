"""The perfect-information solver: what an oracle does not say (``tests/oracles``): methods, ends, limits."""

import random
from pathlib import Path

import pytest
from hearts.decisions import advance  # pytest's pythonpath has the folder of tests
from oracles import checks

from gamecore import Limits, hearts

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
