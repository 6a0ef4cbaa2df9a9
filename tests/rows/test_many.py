"""``solve_many`` of rows: sequences with columns, positions and texts among rows, lines, limits."""

import pickle

import numpy as np
import pytest

from gamecore import BatchError, GamecoreError, Limits, OptionError, rows

POSITIONS = [rows.random(7, ("optimal", "greedy", "cooperative")[seed % 3], rng=seed) for seed in range(60)]


def test_positions_texts_and_lines():
    items = [position.to_text() if k % 2 else position for k, position in enumerate(POSITIONS)]
    alone = [rows.solve(position) for position in POSITIONS]
    for how in ({}, {"workers": 2}):
        many = rows.solve_many(items, line=True, **how)
        assert (many, [one.line for one in many]) == (alone, [one.line for one in alone])
        totals = rows.solve_many(items, **how)
        assert [(one.value, one.mine, one.theirs, one.to_move, one.opponent) for one in totals] == [
            (one.value, one.mine, one.theirs, one.to_move, one.opponent) for one in alone
        ]
        assert {(one.line, one.best_moves) for one in totals} == {("", ())}
    assert list(rows.solve_iter(items, line=True)) == alone


@pytest.mark.parametrize("line", [False, True])
@pytest.mark.parametrize("games", ["array", "rows", "positions", "floats"])
def test_a_sequence(games, line):
    rng = np.random.default_rng(3)
    given = {
        "array": rng.integers(-9, 9, (50, 6)),
        "rows": [rng.integers(-9, 9, n).tolist() for n in rng.integers(1, 9, 50)],
        "positions": POSITIONS[:50],
        "floats": rng.random((50, 5)),
    }[games]
    many = rows.solve_many(given, line=line)
    assert list(many) == [many[k] for k in range(50)] == [rows.solve_many([one], line=line)[0] for one in given]
    assert many.difference.tolist() == [one.difference for one in many]
    assert many.nodes.tolist() == [one.nodes for one in many]
    assert many.exact.all()
    assert (many.seconds >= 0).all()
    assert repr(many) == "<rows.Solutions: 50 solutions>"
    assert rows.solve_many([], line=line).lower.tolist() == []


def test_a_data_frame_has_the_totals():
    pytest.importorskip("pandas")
    many = rows.solve_many([[5, 7, 9], [1, 4, 2, 8]])
    assert many.to_dataframe("pandas")["mine"].tolist() == many.mine.tolist()


def test_games_that_are_over():
    over = rows.Position([], mine=3, theirs=5)
    for line in (False, True):
        many = rows.solve_many([over, rows.Position([4, 2])], line=line)
        assert (many.mine.tolist(), many[0].value) == ([3, 4], -2)
    assert (rows.solve(over).line, rows.solve(over).best_moves, len(rows.analyse(over))) == ("", (), 0)


def test_options_are_for_bare_rows():
    many = rows.solve_many([[1, 5, 1], [7]], opponent="greedy", first="opponent", ties="left")
    for row, found in zip(([1, 5, 1], [7]), many, strict=True):
        assert rows.solve_many([row], opponent="greedy", first="opponent", ties="left") == [found]
    assert many.mine.tolist() == [5, 0]
    with pytest.raises(BatchError, match=r"rows\[1\]: opponent is 'greedy': a position says that itself"):
        rows.solve_many([[1], rows.Position([2])], opponent="greedy")
    with pytest.raises(GamecoreError, match="a sequence of rows"):
        rows.solve_many(rows.Position([2]))
    with pytest.raises(OptionError, match="opponent"):
        rows.solve_many([rows.Position([2])], opponent="nobody")


def test_bad_items_among_positions():
    items = [POSITIONS[0], "no position", 17, None, [1, "x"], POSITIONS[1]]
    for line in (False, True):
        many = rows.solve_many(items, on_error="return", line=line)
        assert list(many.errors) == [1, 2, 3, 4]
        assert all(isinstance(many[k], GamecoreError) for k in many.errors)
        assert (many[5].value, pickle.loads(pickle.dumps(many))) == (rows.solve(POSITIONS[1]).value, many)
        assert list(many[1:3].errors) == [0, 1]
        with pytest.raises(BatchError, match=r"rows\[1\]: line 1, column 3") as caught:
            rows.solve_many(items, line=line)
        assert caught.value.done[0].value == many[0].value
    with pytest.raises(BatchError, match=r"rows\[0\]") as caught:
        rows.solve_many(["no position"], line=True)
    assert len(caught.value.done) == 0


@pytest.mark.parametrize("opponent", ["optimal", "greedy", "cooperative"])
def test_limits_hold_for_each_row(opponent):
    rng = np.random.default_rng(4)
    games = rng.integers(0, 50, (20, 60))
    exact = rows.solve_many(games, opponent=opponent)
    for limits in (Limits(nodes=0), Limits(nodes=50), Limits(seconds=0), Limits(nodes=10**6), Limits(seconds=60)):
        many = rows.solve_many(games, limits, opponent=opponent)
        assert (many.lower <= exact.lower).all()
        assert (many.upper >= exact.upper).all()
        assert many.exact.all() == (limits.nodes == 10**6 or limits.seconds == 60)
        if not many.exact.all():
            assert (many.lower < many.upper).all()
            assert many.mine.tolist() == many.to_dict()["mine"] == many.difference.tolist() == [None] * len(games)
        assert limits.nodes is None or (many.nodes <= limits.nodes).all()


@pytest.mark.parametrize("opponent", ["optimal", "greedy", "cooperative"])
def test_bounds_that_meet_tell_the_totals(opponent):
    """An exact value has the totals of the search without limits: in ``solve``, ``analyse`` and batches."""
    rng, limits, known = np.random.default_rng(8), Limits(nodes=0), 0
    values = [rng.integers(0, 3, n).tolist() for n in rng.integers(1, 9, 200)]
    positions = [rows.Position(row, opponent, to_move=side) for row in values for side in ("me", "opponent")]
    many = rows.solve_many(positions, limits)
    for at, position in enumerate(positions):
        free = rows.solve(position)
        totals = (free.mine, free.theirs, free.difference) if many[at].exact else (None, None, None)
        bounded = rows.solve(position, limits)
        assert totals == (bounded.mine, bounded.theirs, bounded.difference)
        assert totals == (many[at].mine, many[at].theirs, many[at].difference)
        assert totals == (many.mine.tolist()[at], many.theirs.tolist()[at], many.difference.tolist()[at])
        known += many[at].exact and bounded.best_so_far is not None
        exact = {entry.move: entry for entry in rows.analyse(position)}
        for entry in rows.analyse(position, limits):
            assert (entry.mine, entry.theirs) == (
                (exact[entry.move].mine, exact[entry.move].theirs) if entry.exact else (None, None)
            )
    assert known > 5
    assert not np.ma.isMaskedArray(rows.solve_many(positions).mine)
    zeros = rows.solve_many([[0.0] * 3], Limits(seconds=0), opponent=opponent)
    assert (zeros[0].value, zeros.mine.tolist(), zeros.theirs.tolist()) == (0.0, [0.0], [0.0])


@pytest.mark.parametrize("opponent", ["greedy", "cooperative"])
@pytest.mark.parametrize("first", ["me", "opponent"])
def test_limits_on_long_rows(opponent, first):
    row = np.random.default_rng(5).integers(-1000, 1000, 3000)
    exact = rows.solve(row, opponent=opponent, first=first)
    assert exact.nodes < 3000**2
    for nodes in (1, 1000, exact.nodes // 2, exact.nodes):
        found = rows.solve(row, Limits(nodes=nodes), opponent=opponent, first=first)
        assert found.lower <= exact.value <= found.upper
        assert found.nodes <= nodes
        assert found.exact == (nodes == exact.nodes)
    found = rows.solve(row, Limits(seconds=0), opponent=opponent, first=first)
    assert found.lower < exact.value < found.upper
    assert (found.line, found.best_moves, found.mine) == ("", (), None)
    assert str(found).startswith(f"{found.lower:+}..{found.upper:+} for ")
    assert rows.solve(row, Limits(nodes=10), opponent=opponent, line=False).exact is False
    analysis = rows.analyse(row, Limits(nodes=10), opponent=opponent, first=first)
    assert not analysis.exact or len(analysis) == 1
    start = rows.who_should_start(row, Limits(nodes=10), opponent=opponent)
    assert start.starter in (None, rows.who_should_start(row, opponent=opponent).starter)


@pytest.mark.parametrize("workers", [1, 2])
def test_chunks_of_hundreds_of_thousands_of_rows(workers):
    array = np.random.default_rng(7).integers(0, 99, (1_200_000, 2)).astype(np.int16)
    assert (rows.solve_many(array, workers=workers).mine == array.max(axis=1)).all()
