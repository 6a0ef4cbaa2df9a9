"""``solve_many`` of rows: sequences with columns, positions and texts among rows, lines, limits."""

import pickle

import numpy as np
import pytest

from gamecore import BatchError, GamecoreError, Limits, rows

POSITIONS = [rows.random(7, ("optimal", "greedy", "cooperative")[seed % 3], rng=seed) for seed in range(60)]
OPPONENTS = pytest.mark.parametrize("opponent", ["optimal", "greedy", "cooperative"])
rng = np.random.default_rng(3)
GIVEN = {
    "array": rng.integers(-9, 9, (50, 6)),
    "lists": [rng.integers(-9, 9, n).tolist() for n in rng.integers(1, 9, 50)],
    "positions and texts": [position if k % 2 else position.to_text() for k, position in enumerate(POSITIONS)],
    "floats": rng.random((50, 5)),
    "lists of floats": rng.random((50, 5)).tolist(),
    "over": [rows.Position([], mine=3, theirs=5), rows.Position([4, 2])],
}


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("games", GIVEN)
def test_a_batch_is_its_rows_solved_alone(games, workers):
    items = GIVEN[games]
    alone = [rows.solve(item) for item in items]
    many = rows.solve_many(items, line=True, workers=workers)
    assert (list(many), [many[k] for k in range(len(many))], list(rows.solve_iter(items, line=True))) == (alone,) * 3
    totals = rows.solve_many(items, workers=workers)
    assert totals == [rows.solve_many([item])[0] for item in items]
    assert totals.to_dict()["mine"] == totals.mine.tolist() == [solution.mine for solution in alone]
    assert totals.difference.tolist() == [solution.difference for solution in alone]
    assert [(one.value, one.theirs, one.to_move, one.opponent, one.line, one.best_moves) for one in totals] == [
        (one.value, one.theirs, one.to_move, one.opponent, "", ()) for one in alone
    ]
    assert totals.exact.all()
    assert repr(totals) == f"<rows.Solutions: {len(items)} solutions>"


def test_an_empty_batch():
    assert [rows.solve_many([], line=line).lower.tolist() for line in (False, True)] == [[], []]


def test_options_are_for_bare_rows():
    game = {"opponent": "greedy", "first": "opponent", "ties": "left"}
    many = rows.solve_many([[1, 5, 1], [7]], **game)
    assert list(many) == [rows.solve_many([row], **game)[0] for row in ([1, 5, 1], [7])]
    assert many.mine.tolist() == [5, 0]


@pytest.mark.parametrize("line", [False, True])
def test_bad_items_among_positions(line):
    items = [POSITIONS[0], "no position", 17, None, [1, "x"], POSITIONS[1]]
    many = rows.solve_many(items, on_error="return", line=line)
    assert list(many.errors) == [1, 2, 3, 4]
    assert all(isinstance(many[k], GamecoreError) for k in many.errors)
    assert (many[5].value, pickle.loads(pickle.dumps(many))) == (rows.solve(POSITIONS[1]).value, many)
    assert [many.lower[k] for k in many.errors] == [0] * 4
    assert list(many[1:3].errors) == [0, 1]
    for first in (0, 1):
        with pytest.raises(BatchError, match=rf"rows\[{1 - first}\]: line 1, column 3") as caught:
            rows.solve_many(items[first:], line=line)
        assert list(caught.value.done) == list(many[: 1 - first])


@pytest.mark.parametrize("how", [{}, {"line": True}, {"workers": 2}])
def test_a_batch_has_one_kind(how):
    whole, real = [(1 << 53) + 1, 3, 4], [0.5, 0.25]
    for games, says in (
        ([whole, whole, real], "floats in a batch of integers"),
        ([real, real, whole], "integers in a batch of floats"),
    ):
        with pytest.raises(BatchError, match=rf"rows\[2\]: a row of {says}") as caught:
            rows.solve_many(games, **how)
        assert caught.value.done.mine.tolist() == [rows.value(games[0], of="mine")] * 2
        assert list(rows.solve_many(games, on_error="return").errors) == [2]
    many = [[k, k + 1] for k in range(64)] + [[0.5, 1.5]] * 64  # the second chunk has floats
    for call in (rows.solve_many, lambda games, **how: list(rows.solve_iter(games, **how))):
        with pytest.raises(BatchError, match=r"rows\[64\]: a row of floats in a batch of integers"):
            call(many, **how)


def test_masked_tables():
    table = np.ma.array(np.arange(12).reshape(4, 3), mask=False)
    assert rows.solve_many(table) == rows.solve_many(np.arange(12).reshape(4, 3))
    table[2, 1] = np.ma.masked
    for line in (False, True):
        with pytest.raises(BatchError, match=r"rows\[2\]: values\[1\] is masked") as caught:
            rows.solve_many(table, line=line)
        assert len(caught.value.done) == 2
    kept = rows.solve_many(table, on_error="return")
    assert (list(kept.errors), kept[3].mine) == ([2], rows.value(np.arange(9, 12), of="mine"))


@OPPONENTS
def test_bounds_that_meet_tell_the_totals(opponent):
    """An exact value has the totals of the search without limits: in ``solve``, ``analyse`` and batches."""
    generator, limits, met = np.random.default_rng(8), Limits(nodes=0), 0
    values = [generator.integers(0, 3, n).tolist() for n in generator.integers(1, 9, 200)]
    positions = [rows.Position(row, opponent, to_move=side) for row in values for side in ("me", "opponent")]
    many = rows.solve_many(positions, limits)
    for at, position in enumerate(positions):
        free, bounded = rows.solve(position), rows.solve(position, limits)
        totals = (free.mine, free.theirs, free.difference) if many[at].exact else (None, None, None)
        for one in (bounded, many[at]):
            assert totals == (one.mine, one.theirs, one.difference)
        assert totals == tuple(column.tolist()[at] for column in (many.mine, many.theirs, many.difference))
        met += many[at].exact and bounded.best_so_far is not None
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
