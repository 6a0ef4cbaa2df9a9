"""Compare every CPU level with the scalar twin, at sizes around every boundary of the kernels."""

import itertools

import numpy as np
import pytest

from gamecore import kernels
from gamecore.reference import rows as reference

LEVELS = kernels.available_levels()
KERNELS = {level: kernels.kernel("rows", at=level) for level in LEVELS}
PLAIN = KERNELS[LEVELS[0]]
TYPES = [np.int16, np.int32, np.int64, np.float64]
OPTIMAL, COOPERATIVE, GREEDY = 0, 1, 2
MODES = [OPTIMAL, COOPERATIVE, GREEDY]
EVERYWHERE = pytest.mark.parametrize(("level", "dtype", "mode"), list(itertools.product(LEVELS, TYPES, MODES)))
TABLES = [reference.smart, reference.dumb, lambda row: reference.bottom_up(row)[0]]
# Stages begin at 16 vectors of cells, at 64 with AVX-512: of 2 to 32 lanes, so at 2,048 cells of int16 there. They take
# multiples of 4 double steps. A line of play is computed in triangles of 32 double steps.
STAGES = {16 * lanes for lanes in (2, 4, 8, 16)} | {64 * lanes for lanes in (8, 16, 32)}
SIZES = sorted(
    {*range(1, 40)}
    | {cells + d for cells in STAGES for d in (-2, -1, 0, 1, 2, 7, 8, 9)}
    | {64 * k + d for k in (1, 2, 4, 5, 9) for d in (-1, 0, 1, 2)}
    | {700, 1500}
)


def row_of(n, dtype, seed=0):
    rng = np.random.default_rng((seed, n))
    high = 20 if dtype == np.int16 else 1000
    if dtype == np.float64:
        return rng.normal(size=n)
    return rng.integers(-high, high, n).astype(dtype)


@EVERYWHERE
def test_cells_agree_with_the_scalar_twin(level, dtype, mode):
    for n in SIZES:
        row = row_of(n, dtype)
        for length in {n, n - 1, n - 2} - {0, -1}:
            expected = PLAIN.cells(mode, row, length, plain=True)
            assert KERNELS[level].cells(mode, row, length) == expected, (n, length)
            assert KERNELS[level].cells(mode, row, length, plain=True) == expected


@pytest.mark.parametrize("mode", MODES)
def test_scalar_twin_is_the_table(mode):
    for n in (1, 2, 3, 10, 33, 50):
        row = row_of(n, np.int64).tolist()
        table = TABLES[mode](row)
        assert PLAIN.cells(mode, np.array(row), n, plain=True) == [table[0][-1]]


@EVERYWHERE
@pytest.mark.parametrize("late", [False, True])
def test_lines_are_replayed_to_their_totals(level, dtype, mode, late):
    for n in SIZES:
        row = row_of(n, dtype, 1)
        late = late and mode == GREEDY
        moves = np.full(n, 7, dtype=np.uint8)
        KERNELS[level].line(mode, late, row, moves)
        mine = taken(row, moves)[::2].sum()
        expected = PLAIN.cells(mode, row, n, plain=True)[0]
        assert mine == (pytest.approx(expected, abs=1e-9) if dtype == np.float64 else expected), n
        assert moves.max() <= 1


def taken(row, moves):
    """Return the values in the order of a line of play."""
    wide = row.astype(np.float64 if row.dtype == np.float64 else np.int64)
    out = np.empty_like(wide)
    PLAIN.taken(wide, moves, out)
    return out


@pytest.mark.parametrize("mode", MODES)
def test_lines_agree_between_levels(mode):
    for n in (500, 1501, 3000, 5001):
        row = row_of(n, np.int32, 2) // 200  # many ties
        lines = []
        for level in LEVELS:
            moves = np.empty(n, dtype=np.uint8)
            KERNELS[level].line(mode, False, row, moves)
            lines.append(moves.tobytes())
        assert len(set(lines)) == 1


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("dtype", [np.int32, np.int64, np.float64])
@pytest.mark.parametrize("mode", MODES)
def test_tables_agree(level, dtype, mode):
    for n in [*range(1, 36), 47, 48, 49, 63, 64, 65, 100]:
        row = row_of(n, dtype, 3)
        out = np.full((n, n), 99, dtype=dtype)
        KERNELS[level].table(mode, row, out)
        expected = TABLES[mode](row.tolist())
        if dtype == np.float64:
            assert np.allclose(out, expected)
            first = np.empty_like(out)
            PLAIN.table(mode, row, first)
            assert (first == out).all()
        else:
            assert (out == np.array(expected)).all(), n


@EVERYWHERE
@pytest.mark.parametrize("opponent_first", [False, True])
def test_batches_agree_with_single_rows(level, dtype, mode, opponent_first):
    for n in (1, 2, 3, 4, 5, 9, 10, 31, 52, 53):
        for count in (1, 2, 31, 33, 65):
            decks = np.stack([row_of(n, dtype, 10 + k) for k in range(count)])
            mine, total = np.empty(count, dtype), np.empty(count, dtype)
            KERNELS[level].batch(mode, decks, opponent_first, mine, total)
            assert np.allclose(total, decks.sum(axis=1))
            for k in {0, count // 2, count - 1}:
                assert mine[k] == one_row(mode, decks[k], opponent_first), (n, count, k)


def one_row(mode, row, opponent_first):
    n = len(row)
    if not opponent_first:
        return PLAIN.cells(mode, row, n, plain=True)[0]
    if n == 1:
        return 0
    if mode == GREEDY:
        rest = row[1:] if row[0] > row[-1] else row[:-1]
        return PLAIN.cells(mode, rest, n - 1, plain=True)[0]
    two = PLAIN.cells(mode, row, n - 1, plain=True)
    return min(two) if mode == OPTIMAL else max(two)


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("dtype", [np.int16, np.int32, np.int64, np.float64])
def test_long_rows_agree(level, dtype):
    for n in (4999, 10000):
        row = row_of(n, dtype, 4)
        if dtype == np.int16:
            row = row // 8
        for mode in (COOPERATIVE, GREEDY):
            expected = PLAIN.cells(mode, row, n, plain=True)
            assert KERNELS[level].cells(mode, row, n) == expected
            moves = np.empty(n, dtype=np.uint8)
            KERNELS[level].line(mode, False, row, moves)
            if dtype != np.float64:
                assert [taken(row, moves)[::2].sum()] == expected


# --- limits ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("mode", MODES)
def test_cells_are_counted_alike_and_limits_held(level, mode):
    """At every level, a row of n values counts ((n - 1) // 2) ** 2 cells in which I move, beyond the first ones."""
    kernel = KERNELS[level]
    for n in (1, 2, 3, 9, 40, 257, 700, 3001):
        row = row_of(n, np.int32)
        control = kernel.Control()
        answer = kernel.cells(mode, row, n, control=control)
        assert (control.nodes, control.stopped) == (((n - 1) // 2) ** 2, False)
        for limit in {1, 2, 1000, control.nodes - 1, control.nodes, control.nodes + 1} - {-1, 0}:
            bounded = kernel.Control(-1.0, limit)
            found = kernel.cells(mode, row, n, control=bounded)
            assert found == (answer if limit >= control.nodes else None)
            assert bounded.nodes <= limit
            assert bounded.stopped == (limit < control.nodes)
            moves = np.empty(n, np.uint8)
            beyond = kernel.line(mode, False, row, moves, control=kernel.Control(-1.0, limit)) is None
            assert beyond == (n > 2 and limit < control.nodes - 1)  # the line's cells end at n - 2 values


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("n", [500, 600_000])
def test_a_control_that_was_asked_to_stop_stays_stopped(level, dtype, n):
    kernel, row = KERNELS[level], row_of(n, dtype)
    control = kernel.Control()
    control.stop()
    for mode in (COOPERATIVE, GREEDY):
        assert kernel.cells(mode, row, n - 2, control=control) is None
        assert kernel.line(mode, False, row, np.empty(n, np.uint8), control=control) is None
    assert kernel.fold(row, control=control) is None
    assert (control.stopped, control.nodes) == (True, 0)
    assert kernel.cells(GREEDY, row[:500], 500) is not None


# --- folding: chunks are 2048 values, the probe is 256, rounds stop at 64 --------------------------------------------

FOLD_SIZES = [1, 2, 3, 63, 64, 65, 255, 256, 257, 319, 320, 321, 2047, 2048, 2049, 2303, 2304, 4096, 4097, 9000, 40_000]


def shapes(n):
    rng = np.random.default_rng(n)
    yield "random", rng.integers(-1000, 1000, n)
    yield "binary", rng.integers(0, 2, n)
    yield "wide", rng.integers(-(1 << 44), 1 << 44, n)
    yield "falling", np.arange(n)[::-1].copy()
    yield "valley", np.abs(np.arange(n) - n // 2)
    yield "constant", np.full(n, -3)
    yield "alternating", np.arange(n) % 2 * 7
    yield "saw", np.arange(n) % 5
    yield "plateaus", np.repeat(rng.integers(0, 9, n), 3)[:n].copy()
    yield "walk", np.cumsum(rng.integers(-3, 4, n))
    yield "edge", rng.integers(-(1 << 19), 1 << 19, n)
    mixed = rng.integers(0, 99, n)
    mixed[n // 3 : 2 * n // 3] = np.arange(2 * n // 3 - n // 3)
    yield "mixed", mixed


@pytest.mark.parametrize("level", LEVELS)
def test_rounds_agree_with_the_stack(level):
    kernel = KERNELS[level]
    for n in FOLD_SIZES:
        for name, row in shapes(n):
            expected = PLAIN.fold_plain(row)
            value, bound = kernel.fold(row)
            assert value == expected, (n, name)
            assert bound >= np.abs(row).sum()
            for dtype in (np.int16, np.int32):
                if (row == row.astype(dtype)).all():
                    assert kernel.fold(row.astype(dtype))[0] == expected, (n, name, dtype)
            assert kernel.fold(row.astype(np.float64))[0] == expected
    for n in (10, 300, 1000):
        row = row_of(n, np.int64)
        assert PLAIN.fold_plain(row) == reference.fold_value(row.tolist())


@pytest.mark.parametrize("level", LEVELS)
def test_every_short_pattern_in_a_long_row(level):
    """Fold all rows over three values of length up to 6, concatenated, at every offset in words of 64 values."""
    kernel = KERNELS[level]
    pieces = np.array([p for n in (4, 5, 6) for p in np.ndindex(*[3] * n)], dtype=object)
    string = np.concatenate([np.array(p) for p in pieces]).astype(np.int64)
    for offset in range(66):
        row = np.concatenate([np.arange(offset) % 3, string])
        assert kernel.fold(row)[0] == PLAIN.fold_plain(row)
