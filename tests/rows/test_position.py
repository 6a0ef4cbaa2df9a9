"""Positions of rows: values along a game, bounds, and batches of many. Arrays and lists: ``test_solve.py``."""

import itertools

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


# --- batches: positions and texts, bad rows: ``tests/test_contract.py`` and ``tests/batch/test_games.py`` -------------


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_a_frame_is_its_rows(library):
    """A frame yields its columns' names, or its columns."""
    frame = pytest.importorskip(library).DataFrame({"1": [5, 1], "2": [7, 2], "3": [9, 4]})
    assert rows.solve_many(frame).mine.tolist() == rows.solve_many([[5, 7, 9], [1, 2, 4]]).mine.tolist()


def test_rows_of_all_kinds_in_one_batch():
    items = [[5, 7], rows.Position([], mine=3), "greedy:opponent:1:2:9,1,9", [2], "4 1 1", "optimal:opponent:0:0:3,8"]
    for line in (False, True):
        many = rows.solve_many(items, line=line)
        assert list(many) == [rows.solve(item, line=line) for item in items] or not line
        assert many.difference.tolist() == [rows.solve(item).difference for item in items]
    assert many.best_moves == [rows.solve(item).best_moves for item in items]
    assert many.field("opponent") == [rows.solve(item).opponent for item in items]


@pytest.mark.parametrize("opponent", NAMES)
def test_bounds_that_meet_tell_the_totals(opponent):
    """An exact value has the totals of the search without limits, in ``solve`` and ``analyse``."""
    rng, limits, met = np.random.default_rng(3), Limits(nodes=0), 0
    for n, side in itertools.product(rng.integers(1, 9, 200), ("me", "opponent")):
        position = rows.Position(rng.integers(0, 3, n).tolist(), opponent, to_move=side)
        free, bounded = rows.solve(position), rows.solve(position, limits)
        totals = (free.mine, free.theirs, free.difference) if bounded.exact else (None, None, None)
        assert totals == (bounded.mine, bounded.theirs, bounded.difference)
        met += bounded.exact and bounded.best_so_far is not None
        exact = {entry.move: (entry.mine, entry.theirs) for entry in rows.analyse(position)}
        for entry in rows.analyse(position, limits):
            assert (entry.mine, entry.theirs) == (exact[entry.move] if entry.exact else (None, None))
    assert met > 5
    zeros = rows.solve_many([[0] * 3], Limits(seconds=0), opponent=opponent)
    assert (zeros[0].value, zeros.mine.tolist(), zeros.theirs.tolist()) == (0, [0], [0])


@pytest.mark.parametrize("workers", [1, 2])
def test_chunks_of_hundreds_of_thousands_of_rows(workers):
    array = np.random.default_rng(7).integers(0, 99, (1_200_000, 2)).astype(np.int16)
    assert (rows.solve_many(array, workers=workers).mine == array.max(axis=1)).all()
