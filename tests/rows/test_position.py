"""Positions of rows: rules, texts, dicts, and values along a game."""

import math
import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gamecore import GamecoreError, IllegalMoveError, Limits, OptionError, ParseError, rows
from gamecore.rows._position import greedy_move
from gamecore.rows._text import read_row

OPPONENTS = st.sampled_from(["optimal", "greedy", "cooperative"])
SIDES = st.sampled_from(["me", "opponent"])
TIES = st.sampled_from(["right", "left"])
TOP = (1 << 63) - 1


def positions(values, totals):
    return st.builds(rows.Position, st.lists(values, max_size=9), OPPONENTS, SIDES, totals, totals, TIES)


WHOLE = positions(st.integers(-9, 9) | st.integers(-(1 << 58), 1 << 58), st.integers(-(1 << 58), 1 << 58))
REAL = positions(st.floats(-1e300, 1e300), st.floats(-1e300, 1e300))


@settings(max_examples=300)
@given(WHOLE | REAL)
def test_text_and_dict(position):
    text = position.to_text()
    assert (rows.Position.from_text(text), rows.Position.from_text(text).to_text()) == (position, text)
    assert rows.Position.from_dict(position.to_dict()) == position
    again = pickle.loads(pickle.dumps(position))
    assert again == position
    assert [type(value) for value in again.values] == [type(value) for value in position.values]
    assert type(again.mine) is type(position.mine)
    assert text.replace(":", "").replace(",", "").isascii()


def test_the_notation():
    position = rows.Position([5, 7, 9], "greedy")
    assert position.to_text() == "greedy:me:0:0:5,7,9"
    assert position.play("R").to_text() == "greedy:opponent:9:0:5,7"
    assert rows.Position([5], "dumb", "sister", 3, 4).to_text() == "cooperative:opponent:3:4:5"
    assert rows.Position([1.5, 1e16], "greedy", ties="left").to_text() == "greedy-left:me:0.0:0.0:1.5,1e+16"
    assert rows.Position([], "smart", mine=-2).to_text() == "optimal:me:-2:0:-"
    assert rows.Position([TOP]).to_text() == f"optimal:me:0:0:{TOP}"
    assert rows.Position.from_text("optimal:me:0:0:0.5") == rows.Position([0.5])
    assert rows.Position.from_text(" optimal:me:007:-0:1e3\n".replace("007", "0")).values == (1000.0,)
    assert rows.Position([-0.0]).to_text() == "optimal:me:0.0:0.0:0.0"
    assert repr(position) == "rows.Position.from_text('greedy:me:0:0:5,7,9')"


@pytest.mark.parametrize(
    ("text", "column", "says"),
    [
        ("clever:me:0:0:5", 1, "the opponent must be one of"), ("optimal:brother:0:0:5", 9, "the side to move"),
        ("optimal:me:x:0:5", 12, "my total must be a number"),
        ("optimal:me:0:1.:5", 14, "the opponent's total must be a number"),
        ("optimal:me:0:0:5,,7", 18, "a value must be a number"), ("optimal:me:0:0:5,7.5", 18, "integers and floats"),
        ("optimal:me:0:0:", 16, "a value"), ("optimal:me:0:0:5,-", 18, "a value"),
        ("optimal:me:0:0:nan", 16, "a value"), ("optimal:me:0:0:1e999", 16, "a value"),
        ("optimal:me:0:0:1_0", 16, "a value"), (f"optimal:me:0:0:{TOP + 1}", 16, "a whole number from"),
        (f"optimal:me:1:0:{TOP}", 12, "overflows int64"),
        ("optimal:me:3:0:0.5", 12, "is the integer 3 and values[0] the float 0.5"),
        ("optimal:me:0.5:0:3", 12, "values[0] is the integer 3 and mine the float 0.5"),
        ("optimal:me:0:0:" + "9" * 5000, 16, "a whole number from"),
        ("optimal:me:1e308:1e308:1e308", 12, "overflow float64"), ("optimal:me:0:0", 1, "4 fields"),
    ],
)  # fmt: skip
def test_bad_text(text, column, says):
    for reader in (rows.Position.from_text, rows.solve, rows.analyse, rows.GAME.parse):
        with pytest.raises(ParseError) as caught:
            reader(text)
        assert says in str(caught.value)
        assert (caught.value.line, caught.value.column) == (1, column)
        assert len(str(caught.value)) < 200


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"values": "5,7"}, "values must be"), ({"values": [5, True]}, "not a number"),
        ({"values": [5, 0.5]}, "the integer 5"), ({"values": [[5]]}, "one row"), ({"mine": "3"}, "mine must be"),
        ({"mine": 1 << 70}, "int64"), ({"theirs": float("inf")}, "finite"), ({"opponent": "who"}, "opponent must be"),
        ({"to_move": 3}, "to_move must be"), ({"ties": "both"}, "ties must be"),
    ],
)  # fmt: skip
def test_bad_dicts(change, says):
    with pytest.raises(ParseError, match=says):
        rows.Position.from_dict({**rows.Position([5, 7]).to_dict(), **change})


def test_rules():
    position = rows.Position([3, 9, 1, 3], "greedy")
    assert position.legal_moves() == ("L", "R")
    after = position.play("L")
    assert (after.values, after.to_move, after.mine, after.theirs) == ((9, 1, 3), "opponent", 3, 0)
    assert after.legal_moves() == ("L",)
    with pytest.raises(IllegalMoveError, match="larger end, which is L here"):
        after.play("R")
    assert rows.Position([2, 5, 2], "greedy", "opponent").legal_moves() == ("R",)
    assert rows.Position([2, 5, 2], "greedy", "opponent", ties="left").legal_moves() == ("L",)
    assert rows.Position([2, 5, 2], "cooperative", "opponent").legal_moves() == ("L", "R")
    assert rows.Position([2], "greedy", "opponent").legal_moves() == ("L",)
    assert rows.Position([2]).legal_moves() == ("L", "R")
    assert rows.Position([2]).play("L") == rows.Position([2]).play("R")
    over = rows.Position([2]).play("L")
    assert (over.is_over, over.legal_moves(), over.mine) == (True, (), 2)
    with pytest.raises(IllegalMoveError, match="over"):
        over.play("L")
    for bad in ("left", "", 3, None, ["L"]):
        with pytest.raises(IllegalMoveError, match="not a move"):
            position.play(bad)


def test_equality_is_of_content_and_kind():
    assert rows.Position([1, 2]) == rows.Position(np.array([1, 2], np.int8))
    assert rows.Position([1, 2]) != rows.Position([1.0, 2.0])
    assert rows.Position([]) != rows.Position([], mine=0.0)
    assert rows.Position([1, 2], ties="left") == rows.Position([1, 2])  # only the greedy opponent has ties
    assert rows.Position([1, 2], "greedy", ties="left") != rows.Position([1, 2], "greedy")
    assert rows.Position([1], "dumb") == rows.Position([1], "cooperative")
    assert len({rows.Position([k % 3]) for k in range(9)}) == 3


@pytest.mark.parametrize("dtype", [np.int8, np.int64, np.float64])
def test_a_position_keeps_its_values(dtype):
    """Writing to the array that a position was made of, or dropping it, does not change the position."""
    row = np.arange(6).astype(dtype)
    position, expected = rows.Position(row, "greedy"), rows.Position(row.tolist(), "greedy")
    after = position.play("R")
    row[:] = 0
    assert (position, after) == (expected, expected.play("R"))
    assert after.values == (0, 1, 2, 3, 4)
    assert rows.solve(after) == rows.solve(after.to_text()) == rows.solve(pickle.loads(pickle.dumps(after)))


def test_bad_positions():
    for bad, says in (
        ({"values": [1], "mine": 0.5}, "mine the float 0.5"),
        ({"values": [0.5], "theirs": 3}, "theirs is the integer 3"),
        ({"values": [], "mine": 3, "theirs": 0.5}, "the integer 3"),
        ({"values": [TOP], "mine": 1}, "overflows int64"),
        ({"values": [1], "mine": "3"}, "mine"),
        ({"values": [1], "mine": True}, "mine"),
        ({"values": 5}, "one row"),
        ({"values": None}, "not a number"),
        ({"values": [[1], [2]]}, "one row"),
        ({"values": np.zeros((0, 3))}, "dimensions|one row"),
    ):
        with pytest.raises(GamecoreError, match=says):
            rows.Position(**bad)
    for name in ("opponent", "to_move", "ties"):
        with pytest.raises(OptionError, match=name):
            rows.Position([1], **{name: "nobody"})
    for name in ("opponent", "first", "ties"):
        for item in (rows.Position([1]), "optimal:me:0:0:1"):
            with pytest.raises(OptionError, match=f"{name} .* a position says that itself"):
                rows.solve(item, **{name: "me"})


@settings(max_examples=200, deadline=None)
@given(positions(st.integers(-50, 50), st.integers(-9, 9)))
def test_value_along_the_line(position):
    """Along best play the value only changes sign; a move's value is minus the value after it."""
    solution = rows.solve(position)
    assert (solution.mine - solution.theirs) * (1 if position.to_move == "me" else -1) == solution.value
    for move in solution.line:
        analysis = rows.analyse(position)
        assert sorted(entry.move for entry in analysis) == sorted(position.legal_moves())
        assert move in analysis.best_moves
        assert set(analysis.best_moves) == set(rows.solve(position, line=False).best_moves)
        for entry in analysis:
            after = rows.solve(position.play(entry.move), line=False)
            assert (entry.value, entry.mine, entry.theirs) == (-after.value, after.mine, after.theirs)
        position = position.play(move)
    assert (position.mine, position.theirs) == (solution.mine, solution.theirs)


def test_a_cooperative_opponent_wants_what_i_want():
    position = rows.Position([5, 1, 1], "cooperative", "opponent")
    analysis = rows.analyse(position)
    assert [(entry.move, entry.value, entry.mine) for entry in analysis] == [("R", -3, 5), ("L", 5, 1)]
    assert analysis.best_moves == rows.solve(position).best_moves == ("R",)
    assert rows.analyse(rows.Position([5, 1, 5], "cooperative", "opponent")).best_moves == ("L", "R")


@settings(max_examples=200, deadline=None)
@given(WHOLE | REAL, st.sampled_from([0, 1, 3, 10]))
def test_bounds_are_sound(position, nodes):
    exact = rows.solve(position)
    bounded = rows.solve(position, Limits(nodes=nodes))
    assert bounded.lower <= exact.value <= bounded.upper
    if not bounded.exact:
        assert (bounded.value, bounded.mine, bounded.difference, bounded.best_moves) == (None, None, None, ())
        assert bounded.nodes <= nodes
    for entry in rows.analyse(position, Limits(nodes=nodes)):
        child = -rows.solve(position.play(entry.move)).value
        slack = 0 if isinstance(child, int) else 1e-9 * (abs(child) + 1e-300) + 1e290 * (abs(child) > 1e290)
        assert entry.lower - slack <= child <= entry.upper + slack


def test_random():
    assert len(rows.random(20, plies=0, rng=1).values) == 20
    assert len(rows.random(20, plies=5, rng=1).values) == 15
    assert rows.random(3, plies=50, rng=1).is_over
    assert rows.random(9, "greedy", rng=2).opponent == "greedy"
    assert len({len(rows.random(6, rng=seed).values) for seed in range(200)}) == 7


def test_numbers_of_people():
    assert (read_row(["1 2", "", "3"]), read_row(["1 2.5"])) == ([1, 2, 3], [1.0, 2.5])
    assert all(isinstance(value, float) for value in read_row(["1 2.5 -3"]))
    with pytest.raises(ParseError, match="line 2: value 1: '1_0'"):
        read_row(["1", "1_0"])
    with pytest.raises(ParseError, match=r"^value 2: the integer 9007199254740993"):
        read_row(["0.5 9007199254740993"], numbered=False)


def test_totals_of_a_long_float_game_are_those_of_the_line():
    row = [0.1 * k for k in range(1, 60)]
    solution = rows.solve(rows.Position(row, "greedy", mine=0.3))
    position, taken = rows.Position(row, "greedy", mine=0.3), [0.3]
    for move in solution.line:
        before, position = position, position.play(move)
        taken += [value for value in before.values if before.to_move == "me" and value not in position.values]
    assert solution.mine == math.fsum(taken)


@given(WHOLE | REAL)
def test_the_greedy_move_takes_the_larger_end(position):
    if position.is_over:
        return
    first, last = position.values[0], position.values[-1]
    assert position.values[0 if greedy_move(position) == "L" else -1] == max(first, last)
    if first == last and len(position.values) > 1:
        assert greedy_move(position) == {"left": "L", "right": "R"}[position.ties]


def test_the_judges_text_holds_rows_before_my_first_move():
    assert rows.Position([5, 7, 9]).to_judge() == "3\n5 7 9\n"
    for position in (rows.Position([5, 7], mine=1), rows.Position([5, 7], to_move="opponent")):
        with pytest.raises(GamecoreError, match="before my first move"):
            position.to_judge()
