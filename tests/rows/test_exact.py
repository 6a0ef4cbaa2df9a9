"""Results are exact or an error: no integer becomes a float, no masked value is used, no float total loses digits."""

import array
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gamecore import GamecoreError, rows
from gamecore.reference import rows as reference

EXAMPLE = [3, 9, 4, 1, 2]
BIG = (1 << 53) + 1
OPPONENTS = ["optimal", "greedy", "cooperative"]


def test_types_of_tables():
    out = np.full((5, 5), 9, dtype=np.int32)
    assert rows.table(EXAMPLE, opponent="greedy", out=out) is out
    assert out.tolist() == reference.bottom_up(EXAMPLE)[0]
    assert rows.table([(1 << 31) - 1], dtype=np.int32) == (1 << 31) - 1
    assert rows.table(EXAMPLE, dtype=np.float64).dtype == rows.table([0.5, 0.25]).dtype == np.float64


@pytest.mark.parametrize("opponent", OPPONENTS)
@pytest.mark.parametrize(
    "row",
    [
        [np.uint64(BIG), np.int64(-1)], [BIG, np.int8(-1)], [np.array(BIG), -1], np.array([BIG, -1], dtype=object),
        array.array("q", [BIG, -1]), range(BIG, BIG - 2, -1), np.ma.array([BIG, -1], mask=False),
    ],
)  # fmt: skip
def test_integers_of_several_types_stay_integers(row, opponent):
    plain = [int(value) for value in row]
    solution = rows.solve(row, opponent=opponent)
    assert (solution.mine, solution.theirs) == (max(plain), min(plain))
    assert rows.value(row, opponent=opponent) == max(plain) - min(plain)
    assert rows.solve_many([row], opponent=opponent).mine.tolist() == [max(plain)]


def test_long_doubles_are_exact_or_refused():
    wide = np.longdouble(1) + np.finfo(np.longdouble).eps
    assert rows.value(np.array([1, 2], np.longdouble)) == 1.0
    if wide != np.float64(wide):
        for call in (rows.value, lambda row: rows.solve_many(row[None])):
            with pytest.raises(GamecoreError, match=r"values\[1\] is .*float64 does not hold"):
                call(np.array([1, wide], np.longdouble))


FLOATS = st.floats(-1e3, 1e3) | st.sampled_from([1e16, -1e16, 0.1, 1e-300, 5.0, 0.25]) | st.integers(-9, 9).map(float)


@settings(max_examples=300, deadline=None)
@given(
    st.lists(FLOATS, min_size=1, max_size=12) | st.just([1e16, 1.0]),
    st.sampled_from(OPPONENTS),
    st.sampled_from(["me", "opponent"]),
    st.sampled_from(["right", "left"]),
)
def test_float_totals_are_those_of_the_line(row, opponent, first, ties):
    game, taken = {"opponent": opponent, "first": first, "ties": ties}, {"me": [], "opponent": []}
    solution, position = rows.solve(row, **game), rows.Position(row, opponent, first, ties=ties)
    for move in solution.line:
        taken[position.to_move].append(position.values[0 if move == "L" else -1])
        position = position.play(move)
    mine, theirs = math.fsum(taken["me"]), math.fsum(taken["opponent"])
    assert (solution.mine, solution.theirs, solution.difference) == (mine, theirs, mine - theirs)
    assert (rows.value(row, **game), rows.value(row, **game, of="mine")) == (mine - theirs, mine)
    assert rows.value(np.array(row), **game, of="theirs") == theirs
    starts = rows.who_should_start(row, opponent=opponent, ties=ties)
    others = [rows.solve(row, **game, line=False), starts.me_first if first == "me" else starts.opponent_first]
    others += [rows.solve_many(many, **game)[0] for many in ([row], np.array([row]))]
    assert {(one.mine, one.theirs) for one in others} == {(mine, theirs)}
