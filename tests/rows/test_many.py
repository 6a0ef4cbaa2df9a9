"""``solve_many`` of rows: sequences with columns, positions and texts among rows, lines, limits."""

import numpy as np
import pytest

from gamecore import BatchError, Limits, rows

POSITIONS = [rows.random(7, ("optimal", "greedy", "cooperative")[seed % 3], rng=seed) for seed in range(60)]
rng = np.random.default_rng(3)
GIVEN = {
    "array": rng.integers(-9, 9, (50, 6)),
    "lists": [rng.integers(-9, 9, n).tolist() for n in rng.integers(1, 9, 50)],
    "positions and texts": [position if k % 2 else position.to_text() for k, position in enumerate(POSITIONS)],
    "masked nowhere": np.ma.array(rng.integers(-9, 9, (50, 6)), mask=False),
    "floats": rng.random((50, 5)),
    "lists of floats": rng.random((50, 5)).tolist(),
    "none": [],
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


@pytest.mark.parametrize("line", [False, True])
@pytest.mark.parametrize(
    ("items", "places", "says"),
    [
        (
            [POSITIONS[0], "no position", 17, None, [1, "x"], POSITIONS[1]],
            [1, 2, 3, 4],
            "line 1, column 3: ' ' does not",
        ),
        (np.ma.masked_equal(np.arange(12).reshape(4, 3), 7), [2], r"values\[1\] is masked"),
    ],
)
def test_bad_rows_among_good_ones(items, places, says, line):
    many = rows.solve_many(items, on_error="return", line=line)
    assert (list(many.errors), many.lower[places].tolist()) == (places, [0] * len(places))
    alone = {k: rows.solve(item, line=line) for k, item in enumerate(items) if k not in places}
    assert {k: (many[k].value, many[k].line) for k in alone} == {k: (one.value, one.line) for k, one in alone.items()}
    for first in (0, places[0]):
        with pytest.raises(BatchError, match=rf"rows\[{places[0] - first}\]: {says}") as caught:
            rows.solve_many(items[first:], line=line)
        assert caught.value.done == many[: places[0] - first]


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
    """An exact value has the totals of the search without limits: in ``solve``, ``analyse`` and batches."""
    values = [rng.integers(0, 3, n).tolist() for n in rng.integers(1, 9, 200)]
    positions = [rows.Position(row, opponent, to_move=side) for row in values for side in ("me", "opponent")]
    limits, met = Limits(nodes=0), 0
    many = rows.solve_many(positions, limits)
    columns = zip(many.mine.tolist(), many.theirs.tolist(), many.difference.tolist(), strict=True)
    for position, found, column in zip(positions, many, columns, strict=True):
        free, bounded = rows.solve(position), rows.solve(position, limits)
        totals = (free.mine, free.theirs, free.difference) if found.exact else (None, None, None)
        for one in (bounded, found):
            assert totals == column == (one.mine, one.theirs, one.difference)
        met += found.exact and bounded.best_so_far is not None
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
