"""Results are exact or an error: no integer becomes a float, no masked value is used, no float total loses digits."""

import array
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gamecore import BatchError, GamecoreError, rows

BIG = (1 << 53) + 1
CALLS = [
    rows.value, rows.solve, rows.analyse, rows.table, rows.who_should_start, rows.play, rows.Position,
    lambda row: rows.solve_many([row]), lambda row: next(rows.solve_iter([row])),
]  # fmt: skip


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize(
    ("row", "integer", "real"),
    [
        ([BIG, 0.5], 0, 1),
        ([0.5, 1, BIG], 1, 0),
        ((7, 1e19), 0, 1),
        ([np.int64(BIG), np.float32(2)], 0, 1),
        (np.array([BIG, 2.0], dtype=object), 0, 1),
    ],
)
def test_integers_among_floats_are_refused(call, row, integer, real):
    with pytest.raises(GamecoreError, match=rf"\[{integer}\] is the integer .*\[{real}\] the float"):
        call(row)


@pytest.mark.parametrize("opponent", ["optimal", "greedy", "cooperative"])
@pytest.mark.parametrize(
    "row",
    [
        [np.uint64(BIG), np.int64(-1)], [BIG, np.int8(-1)], [np.array(BIG), -1], np.array([BIG, -1], dtype=object),
        array.array("q", [BIG, -1]), range(BIG, BIG - 2, -1),
    ],
)  # fmt: skip
def test_integers_of_several_types_stay_integers(row, opponent):
    plain = [int(value) for value in row]
    solution = rows.solve(row, opponent=opponent)
    assert (solution.mine, solution.theirs) == (max(plain), min(plain))
    assert rows.value(row, opponent=opponent) == max(plain) - min(plain)
    assert rows.solve_many([row], opponent=opponent).mine.tolist() == [max(plain)]


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize(
    "row",
    [
        np.ma.array([5, 99, 7], mask=[0, 1, 0]),
        np.ma.array([5.0, 99.0, 7.0], mask=[0, 1, 0]),
        [5, np.ma.masked, 7],
        np.ma.masked_equal([5, 99, 7], 99),
    ],
)
def test_masked_values_are_refused(call, row):
    with pytest.raises(GamecoreError, match=r"\[1\] is masked"):
        call(row)


def test_masked_tables():
    table = np.ma.array(np.arange(12).reshape(4, 3), mask=False)
    assert rows.solve_many(table) == rows.solve_many(np.arange(12).reshape(4, 3))
    table[2, 1] = np.ma.masked
    with pytest.raises(BatchError, match=r"rows\[2\]: values\[1\] is masked") as caught:
        rows.solve_many(table)
    assert len(caught.value.done) == 2
    kept = rows.solve_many(table, on_error="return")
    assert (list(kept.errors), kept[3].mine) == ([2], rows.value(np.arange(9, 12), of="mine"))
    with pytest.raises(BatchError, match=r"rows\[2\]: .* is masked"):
        rows.solve_many(table, line=True)
    assert rows.value(np.ma.array([5, 9, 7])) == rows.value([5, 9, 7])


def test_a_batch_has_one_kind():
    whole, real = [BIG, 3, 4], [0.5, 0.25]
    for games, first in (([whole, whole, real], "integers"), ([real, real, whole], "floats")):
        for how in ({}, {"line": True}, {"workers": 2}):
            with pytest.raises(BatchError, match=rf"rows\[2\]: a row of .* where rows\[0\] has {first}") as caught:
                rows.solve_many(games, **how)
            assert caught.value.done.mine.tolist() == [rows.value(games[0], of="mine")] * 2
        kept = rows.solve_many(games, on_error="return")
        assert list(kept.errors) == [2]
        with pytest.raises(BatchError, match=r"rows\[2\]"):
            list(rows.solve_iter(games))
    many = [[k, k + 1] for k in range(3000)] + [[0.5, 1.5]]
    with pytest.raises(BatchError, match=r"rows\[3000\]: a row of floats, where rows\[0\]"):
        rows.solve_many(many)
    assert rows.solve_many([rows.Position([0.5], mine=0.25), "optimal:me:0:0:1.5"]).mine.tolist() == [0.75, 1.5]


def test_long_doubles_are_exact_or_refused():
    wide = np.longdouble(1) + np.finfo(np.longdouble).eps
    assert rows.value(np.array([1, 2], np.longdouble)) == 1.0
    if wide != np.float64(wide):
        with pytest.raises(GamecoreError, match=r"values\[1\] is .*float64 does not hold"):
            rows.value(np.array([1, wide], np.longdouble))


@pytest.mark.parametrize("opponent", ["optimal", "greedy", "cooperative"])
@pytest.mark.parametrize("first", ["me", "opponent"])
def test_float_totals_do_not_cancel(opponent, first):
    row = [1e16, 1.0]
    expected = (1e16, 1.0) if first == "me" or opponent == "cooperative" else (1.0, 1e16)
    solution = rows.solve(row, opponent=opponent, first=first)
    assert (solution.mine, solution.theirs) == expected
    assert rows.value(row, opponent=opponent, first=first, of="theirs") == expected[1]
    many = rows.solve_many([row, row], opponent=opponent, first=first)
    assert (many.mine.tolist(), many.theirs.tolist()) == ([expected[0]] * 2, [expected[1]] * 2)
    assert rows.solve_many(np.array([row, row]), opponent=opponent, first=first) == many
    assert rows.analyse(row, opponent=opponent, first=first)[0].mine == expected[0]
    start = rows.who_should_start(row, opponent=opponent)
    games = [start.me_first, *(rows.play(row, me=me) for me in ("greedy", "dp"))]
    assert {(game.mine, game.theirs) for game in games} == {(1e16, 1.0)}


FLOATS = st.floats(-1e3, 1e3) | st.sampled_from([1e16, -1e16, 0.1, 1e-300, 5.0, 0.25]) | st.integers(-9, 9).map(float)


@settings(max_examples=300, deadline=None)
@given(
    st.lists(FLOATS, min_size=1, max_size=12),
    st.sampled_from(["optimal", "greedy", "cooperative"]),
    st.sampled_from(["me", "opponent"]),
    st.sampled_from(["right", "left"]),
)
def test_float_totals_are_those_of_the_line(row, opponent, first, ties):
    game = {"opponent": opponent, "first": first, "ties": ties}
    solution = rows.solve(row, **game)
    low, high, taken = 0, len(row) - 1, {"me": [], "opponent": []}
    side = first
    for move in solution.line:
        taken[side].append(row[low] if move == "L" else row[high])
        low, high = (low + 1, high) if move == "L" else (low, high - 1)
        side = "opponent" if side == "me" else "me"
    mine, theirs = math.fsum(taken["me"]), math.fsum(taken["opponent"])
    assert (solution.mine, solution.theirs, solution.difference) == (mine, theirs, mine - theirs)
    assert (rows.value(row, **game), rows.value(row, **game, of="mine")) == (mine - theirs, mine)
    for many in (rows.solve_many([row], **game), rows.solve_many(np.array([row]), **game)):
        assert (many.mine[0], many.theirs[0]) == (mine, theirs)
    without = rows.solve(row, **game, line=False)
    assert (without.mine, without.theirs) == (mine, theirs)
