"""``solve_many`` of rows: arrays and lists, integers of all types, totals under limits, many rows.

Positions and texts, bad rows: ``tests/test_contract.py`` and ``tests/batch/test_games.py``.
"""

import itertools

import numpy as np
import pytest

from gamecore import Limits, rows
from gamecore.rows.opponents import NAMES


@pytest.mark.parametrize("make", [np.asarray, np.ma.asarray, np.ndarray.tolist])
def test_a_batch_is_its_rows_solved_alone(make):
    items = make(np.random.default_rng(3).integers(-9, 9, (50, 6)))
    alone = [rows.solve(item) for item in items]
    many = rows.solve_many(items, line=True)
    assert list(many) == list(rows.solve_iter(items, line=True)) == alone
    totals = rows.solve_many(items)
    assert totals.mine.tolist() == [solution.mine for solution in alone]
    assert totals.to_dict()["mine"] == totals.mine.tolist()
    assert totals.difference.tolist() == [solution.difference for solution in alone]


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
