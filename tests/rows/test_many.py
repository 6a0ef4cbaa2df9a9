"""``solve_many`` of rows: arrays and lists, integers or floats, totals under limits, many rows.

Positions and texts, bad rows: ``tests/test_contract.py`` and ``tests/batch/test_games.py``.
"""

import itertools

import numpy as np
import pytest

from gamecore import BatchError, Limits, rows


@pytest.mark.parametrize("kind", [int, float])
@pytest.mark.parametrize("make", [np.asarray, np.ma.asarray, np.ndarray.tolist])
def test_a_batch_is_its_rows_solved_alone(make, kind):
    items = make(np.random.default_rng(3).normal(0, 9, (50, 6)).astype(kind))
    alone = [rows.solve(item) for item in items]
    many = rows.solve_many(items, line=True)
    assert list(many) == list(rows.solve_iter(items, line=True)) == alone
    totals = rows.solve_many(items)
    assert totals.mine.tolist() == [solution.mine for solution in alone]
    assert totals.to_dict()["mine"] == totals.mine.tolist()
    assert totals.difference.tolist() == [solution.difference for solution in alone]


@pytest.mark.parametrize("kind", ["i8", "u8", "i4", "f8"])
def test_the_byte_order_of_another_machine(kind):
    items = np.array([[1 << 30, 1, 5], [1 << 30, 1 << 30, 1 << 30]], f">{kind}")
    assert rows.solve_many(items).mine.tolist() == [rows.value(item, of="mine") for item in items.tolist()]


def test_sides_and_equal_totals():
    items = [rows.Position([1.0, 1.0], to_move=side) for side in ("me", "opponent")]
    many = rows.solve_many(items, line=True)
    assert (many.to_move.tolist(), many.best_moves) == ([0, 1], [rows.solve(item).best_moves for item in items])
    assert [str(solution.lower) for solution in rows.solve_many(items)] == ["0.0", "0.0"]  # no -0.0


@pytest.mark.parametrize("how", [{}, {"line": True}, {"workers": 2}])
def test_a_batch_has_one_kind(how):
    whole, real = [(1 << 53) + 1, 3, 4], [0.5, 0.25]
    for one, other, says in ((whole, real, "floats in a batch of integers"), (real, whole, "integers in a batch of")):
        with pytest.raises(BatchError, match=rf"rows\[2\]: a row of {says}") as caught:
            rows.solve_many([one, one, other], **how)
        assert caught.value.done.mine.tolist() == [rows.value(one, of="mine")] * 2
        assert list(rows.solve_many([one, one, other], on_error="return").errors) == [2]
    many = [[k, k + 1] for k in range(64)] + [[0.5, 1.5]] * 64  # the second chunk has floats
    for call in (rows.solve_many, lambda games, **how: list(rows.solve_iter(games, **how))):
        with pytest.raises(BatchError, match=r"rows\[64\]: a row of floats in a batch of integers"):
            call(many, **how)


@pytest.mark.parametrize("opponent", ["optimal", "greedy", "cooperative"])
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
    zeros = rows.solve_many([[0.0] * 3], Limits(seconds=0), opponent=opponent)
    assert (zeros[0].value, zeros.mine.tolist(), zeros.theirs.tolist()) == (0.0, [0.0], [0.0])


@pytest.mark.parametrize("workers", [1, 2])
def test_chunks_of_hundreds_of_thousands_of_rows(workers):
    array = np.random.default_rng(7).integers(0, 99, (1_200_000, 2)).astype(np.int16)
    assert (rows.solve_many(array, workers=workers).mine == array.max(axis=1)).all()
