"""Solutions of rows compared with the oracle data, with full exploration, and with each other."""

import itertools
import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gamecore import rows
from gamecore.reference import rows as reference

ORACLE = json.loads((Path(__file__).parents[1] / "data" / "rows.json").read_text())
VARIANTS = {"optimal": "optimal", "greedy_opponent": "greedy", "cooperative": "cooperative"}
GAMES = [
    (opponent, first, ties)
    for opponent in ("optimal", "greedy", "cooperative")
    for first in ("me", "opponent")
    for ties in ("right", "left")
]


def starter_and_other(solution):
    return (solution.mine, solution.theirs) if solution.first == "me" else (solution.theirs, solution.mine)


@pytest.mark.parametrize("case", ORACLE, ids=lambda case: case["id"])
def test_oracle(case):
    opponent = VARIANTS[case["variant"]]
    solution = rows.solve(case["cards"], opponent=opponent, first=case["first_player"])
    assert (solution.mine, solution.theirs, solution.difference) == (case["me"], case["opponent"], case["difference"])
    assert rows.value(case["cards"], opponent=opponent, first=case["first_player"]) == case["difference"]
    assert reference.replay(case["cards"], solution.line) == starter_and_other(solution)
    if case["first_player"] == "me":
        assert sorted(solution.best_moves) == case["optimal_first_moves"]
        return
    if case["n"] > 1:
        assert solution.best_moves == (case["sister_first_move"],)
    position = rows.Position(case["cards"], opponent, "opponent").play(solution.line[0])
    assert sorted(rows.solve(position).best_moves) == case["optimal_replies"]


def check_small(row):
    for opponent, first, ties in GAMES:
        if ties == "left" and opponent != "greedy":
            continue
        mine, theirs = reference.full_exploration(row, opponent, first, ties)
        game = {"opponent": opponent, "first": first, "ties": ties}
        assert rows.value(list(row), **game, of="mine") == mine, (row, game)
        assert rows.value(list(row), **game) == mine - theirs


def test_every_small_row_up_to_6():
    for n in range(1, 7):
        for row in itertools.product(range(4), repeat=n):
            check_small(row)


def test_every_small_row_of_7_and_8_in_batches():
    for n in (7, 8):
        every = np.array(list(itertools.product(range(4), repeat=n)), dtype=np.int8)
        for opponent, first, ties in GAMES:
            batch = rows.solve_many(every, opponent=opponent, first=first, ties=ties)
            expected = full_exploration_of_all(every.astype(np.int64), opponent, first, ties)
            assert (batch.mine == expected).all(), (n, opponent, first, ties)


def full_exploration_of_all(every, opponent, first, ties):
    """Explore every play of many rows together: recursion over intervals without a memo, on whole columns."""

    def explore(i, j, mine):
        if i > j:
            return np.zeros(len(every), dtype=np.int64)
        after_left, after_right = explore(i + 1, j, not mine), explore(i, j - 1, not mine)
        if mine:
            return np.maximum(every[:, i] + after_left, every[:, j] + after_right)
        if opponent == "greedy":
            left = every[:, i] >= every[:, j] if ties == "left" else every[:, i] > every[:, j]
            return np.where(left, after_left, after_right)
        return (np.minimum if opponent == "optimal" else np.maximum)(after_left, after_right)

    return explore(0, every.shape[1] - 1, first == "me")


def test_examples():
    row = [5, 7, 9, 1, 4, 2]
    best, line = reference.bottom_up(row)
    assert rows.table(row, opponent="greedy").tolist() == best
    assert rows.solve(row, opponent="greedy").line == line
    assert [best[i][5] for i in range(6)] == [18, 12, 13, 3, 4, 2]
    start = rows.who_should_start(row)
    assert (start.starter, start.let_opponent_start) == ("me", False)
    assert (start.me_first.mine, start.me_first.theirs) == (18, 10)
    assert (start.opponent_first.mine, start.opponent_first.theirs) == (12, 16)
    assert rows.solve(row, opponent="dumb").mine == 21
    first, second = rows.analyse(row, opponent="greedy")
    assert (first.move, first.mine, first.value, second.move) == ("L", 18, 8, "R")
    assert second.mine < 18
    assert str(first) == "L +8"
    row = [0, 0, 0, 1, 0]
    assert rows.value(row, opponent="greedy", ties="right") != rows.value(row, opponent="greedy", ties="left")
    start = rows.who_should_start([1, 5, 1], opponent="optimal")
    assert (start.starter, start.opponent_first.mine) == ("opponent", 5)
    assert rows.value([5, 0] * 20) == 100


values = st.lists(st.integers(-1000, 1000), min_size=1, max_size=40)


@settings(max_examples=150, deadline=None)
@given(values)
def test_fold_is_the_table(row):
    smart = rows.table(row, opponent="optimal")
    assert smart.tolist() == reference.smart(row)
    difference = rows.value(np.array(row))
    assert difference == reference.fold_value(row) == 2 * smart[0, -1] - sum(row)
    assert rows.solve(row).difference == difference


@settings(max_examples=100, deadline=None)
@given(values)
def test_order_of_the_variants(row):
    for first in ("me", "opponent"):
        a, b, c = (rows.value(row, opponent=who, first=first) for who in ("optimal", "greedy", "cooperative"))
        assert a <= b <= c


@settings(max_examples=100, deadline=None)
@given(values, st.sampled_from(["right", "left"]))
def test_tables_are_the_references(row, ties):
    assert rows.table(row, opponent="cooperative").tolist() == reference.dumb(row)
    best, line = reference.bottom_up(row, ties)
    assert rows.table(row, opponent="greedy", ties=ties).tolist() == best
    assert best[0][-1] == reference.top_down(row, ties)
    assert rows.solve(row, opponent="greedy", ties=ties).line == line


@settings(max_examples=100, deadline=None)
@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=30))
def test_floats(row):
    for opponent, table in (("optimal", reference.smart), ("cooperative", reference.dumb)):
        expected = table(row)[0][-1]
        assert rows.solve(row, opponent=opponent).mine == pytest.approx(expected, rel=1e-9, abs=1e-3)
    assert rows.value(row, opponent="greedy", of="mine") == pytest.approx(reference.top_down(row), rel=1e-9, abs=1e-3)


def test_views_and_read_only_arrays():
    base = np.random.default_rng(8).integers(0, 50, 200)
    base.flags.writeable = False
    for view in (base, base[::2], base[::-1]):
        for opponent in ("optimal", "greedy", "cooperative"):
            assert rows.value(view, opponent=opponent) == rows.value(view.tolist(), opponent=opponent)
            assert rows.solve(view, opponent=opponent) == rows.solve(view.tolist(), opponent=opponent)
