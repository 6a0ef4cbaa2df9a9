"""Positions of rows: rules, texts, dicts, and values along a game."""

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from gamecore import Limits, rows
from gamecore.rows.opponents import NAMES

OPPONENTS = st.sampled_from(NAMES)
SIDES = st.sampled_from(["me", "opponent"])
TIES = st.sampled_from(["right", "left"])


def positions(values, totals):
    return st.builds(rows.Position, st.lists(values, max_size=9), OPPONENTS, SIDES, totals, totals, TIES)


ANY = positions(st.integers(-9, 9) | st.integers(-(1 << 58), 1 << 58), st.integers(-(1 << 58), 1 << 58))


@pytest.mark.parametrize(
    ("position", "text", "moves"),
    [
        (rows.Position([3, 9, 1, 3], "greedy"), "greedy:me:0:0:3,9,1,3", "LR"),
        (rows.Position([3, 9, 1], "greedy").play("L"), "greedy:opponent:3:0:9,1", "L"),
        (rows.Position([2, 5, 2], "sister", "opponent"), "greedy:opponent:0:0:2,5,2", "R"),
        (rows.Position([2, 5, 2], "greedy", "sister", ties="left"), "greedy-left:opponent:0:0:2,5,2", "L"),
        (rows.Position([2, 5, 2], "dumb", "opponent", 3, 4), "cooperative:opponent:3:4:2,5,2", "LR"),
        (rows.Position([2], "greedy", "opponent"), "greedy:opponent:0:0:2", "L"),
        (rows.Position([2]), "optimal:me:0:0:2", "LR"),
        (rows.Position([-2], "smart").play("R"), "optimal:opponent:-2:0:-", ""),
        (rows.Position([(1 << 63) - 1]), "optimal:me:0:0:9223372036854775807", "LR"),
    ],
)
def test_the_notation_and_the_moves(position, text, moves):
    assert (position.to_text(), rows.Position.from_text(f" {text}\n")) == (text, position)
    assert repr(position) == f"rows.Position.from_text({text!r})"
    assert position.legal_moves() == tuple(moves)


def test_equality_is_of_content():
    assert rows.Position([5, 7, 9]).to_judge() == "3\n5 7 9\n"
    assert rows.Position([1, 2]) == rows.Position(np.array([1, 2], np.int8))
    assert rows.Position([]) != rows.Position([], mine=1)
    assert rows.Position([1, 2], ties="left") == rows.Position([1, 2])  # only the greedy opponent has ties
    assert rows.Position([1, 2], "greedy", ties="left") != rows.Position([1, 2], "greedy")


@pytest.mark.parametrize("dtype", [np.int8, np.int64])
def test_a_position_keeps_its_values(dtype):
    """Writing to the array that a position was made of does not change the position."""
    row = np.arange(6).astype(dtype)
    position, expected = rows.Position(row, "greedy"), rows.Position(row.tolist(), "greedy")
    after = position.play("R")
    row[:] = 0
    assert (position, after) == (expected, expected.play("R"))
    assert rows.solve(after) == rows.solve(after.to_text())


@settings(max_examples=200, deadline=None)
@given(positions(st.integers(-50, 50), st.integers(-9, 9)))
def test_value_along_the_line(position):
    """Along best play the value only changes sign; a move's value is minus the value after it."""
    solution = rows.solve(position)
    assert (solution.mine - solution.theirs) * (1 if position.to_move == "me" else -1) == solution.value
    for move in solution.line:
        analysis = rows.analyse(position)
        assert sorted(entry.move for entry in analysis) == sorted(position.legal_moves())
        assert {move, analysis[0].move} <= set(analysis.best_moves)
        assert set(analysis.best_moves) == set(rows.solve(position, line=False).best_moves)
        for entry in analysis:
            after = rows.solve(position.play(entry.move), line=False)
            assert (entry.value, entry.mine, entry.theirs) == (-after.value, after.mine, after.theirs)
        position = position.play(move)
    assert (position.mine, position.theirs) == (solution.mine, solution.theirs)


@settings(max_examples=200, deadline=None)
@given(ANY, st.sampled_from([0, 1, 3, 10]))
@example(rows.Position(range(12), "optimal"), 11)  # one part of the search ends within the limit, both do not
def test_bounds_are_sound(position, nodes):
    exact, bounded = rows.solve(position), rows.solve(position, Limits(nodes=nodes))
    assert bounded.lower <= exact.value <= bounded.upper
    assert bounded.nodes <= nodes
    if not bounded.exact:
        assert (bounded.value, bounded.mine, bounded.difference, bounded.best_moves) == (None, None, None, ())
    for entry in rows.analyse(position, Limits(nodes=nodes)):
        assert entry.lower <= -rows.solve(position.play(entry.move)).value <= entry.upper


@given(positions(st.integers(0, 2), st.just(0)))
def test_the_greedy_player_takes_the_larger_end(position):
    if not position.is_over:
        first, last = position.values[0], position.values[-1]
        move = rows.GAME.players["greedy"].choose(position, None, None).move
        assert position.values[0 if move == "L" else -1] == max(first, last)
        assert first != last or len(position.values) == 1 or move == position.ties[0].upper()
