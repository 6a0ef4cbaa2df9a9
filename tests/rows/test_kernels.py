"""Compare every CPU level with the scalar twin, at sizes around every boundary of the kernels."""

import functools
import itertools

import numpy as np
import pytest

from gamecore import kernels
from gamecore.reference import rows as reference

LEVELS = kernels.levels_of("rows")
KERNELS = {level: kernels.kernel("rows", at=level) for level in LEVELS}
PLAIN = KERNELS[LEVELS[0]]
LANES = {"baseline": 2, "v3": 4, "v4": 8}  # of 64 bits
TYPES = [np.int16, np.int32, np.int64]
OPTIMAL, COOPERATIVE, GREEDY = MODES = [0, 1, 2]
EVERYWHERE = pytest.mark.parametrize(("level", "dtype", "mode"), list(itertools.product(LEVELS, TYPES, MODES)))
AT_EACH_LEVEL = pytest.mark.parametrize("level", LEVELS)
TABLES = [reference.smart, reference.dumb, lambda row: reference.bottom_up(row)[0]]
# Stages begin at 16 vectors of cells, at 64 with AVX-512: of 2 to 32 lanes, so at 2,048 cells of int16 there. They take
# multiples of 4 double steps. A line of play is computed in triangles of 32 double steps.
STAGES = {16 * lanes for lanes in (2, 4, 8, 16)} | {64 * lanes for lanes in (8, 16, 32)}
LONG = {500, 700, 1500, 1501, 4999}
SIZES = sorted(
    {*range(1, 40), *LONG, 6_001}
    | {cells + d for cells in STAGES for d in (-2, -1, 0, 1, 2, 7, 8, 9)}
    | {64 * k + d for k in (1, 2, 4, 5, 9) for d in (-1, 0, 1, 2)}
)


def row_of(n, dtype, seed=0):
    rng = np.random.default_rng((seed, n))
    high = 1000 if dtype != np.int16 else 20 if n < 1600 else 3
    return rng.integers(-high, high, n).astype(dtype)


@functools.cache
def twin(mode, n, dtype, seed, length):
    """The scalar twin's cells, which those of all levels are compared with."""
    return PLAIN.cells(mode, row_of(n, dtype, seed), length, plain=True)


@EVERYWHERE
def test_cells_agree_with_the_scalar_twin(level, dtype, mode):
    for n in SIZES:
        row = row_of(n, dtype)
        for length in {n, n - 1, n - 2} - {0, -1}:
            expected = twin(mode, n, dtype, 0, length)
            assert KERNELS[level].cells(mode, row, length) == expected, (n, length)
            assert n > 700 or KERNELS[level].cells(mode, row, length, plain=True) == expected


@EVERYWHERE
@pytest.mark.parametrize("late", [False, True])
def test_lines_are_replayed_to_their_totals(level, dtype, mode, late):
    for n in SIZES:
        row, moves, same = row_of(n, dtype, 1), np.full(n, 7, np.uint8), np.full(n, 7, np.uint8)
        KERNELS[level].line(mode, late and mode == GREEDY, row, moves)
        assert moves.max() <= 1
        line = "".join(map("LR".__getitem__, moves.tolist()))
        assert reference.replay(row.tolist(), line)[0] == twin(mode, n, dtype, 1, n)[0], n
        if n in LONG and dtype == np.int16:  # with many ties
            PLAIN.line(mode, late and mode == GREEDY, row, same)
            assert (moves == same).all()


@AT_EACH_LEVEL
@pytest.mark.parametrize("dtype", TYPES[1:])
@pytest.mark.parametrize("mode", MODES)
def test_tables_agree_with_the_references(level, dtype, mode):
    for n in [*range(1, 36), 47, 48, 49, 63, 64, 65, 100]:
        row = row_of(n, dtype, 3)
        out, first, expected = np.full((n, n), 99, dtype), np.empty((n, n), dtype), TABLES[mode](row.tolist())
        KERNELS[level].table(mode, row, out)
        PLAIN.table(mode, row, first)
        assert (out == first).all()
        assert (out == np.array(expected)).all(), n
        if dtype == np.int64:
            assert PLAIN.cells(mode, row, n, plain=True) == [expected[0][-1]]


@EVERYWHERE
@pytest.mark.parametrize("opponent_first", [False, True])
def test_batches_agree_with_single_rows(level, dtype, mode, opponent_first):
    for n, count in itertools.product((1, 2, 3, 4, 5, 9, 10, 31, 52, 53), (1, 2, 31, 33, 65)):
        decks = np.stack([row_of(n, dtype, 10 + k) for k in range(count)])
        mine, total = np.empty(count, dtype), np.empty(count, dtype)
        KERNELS[level].batch(mode, decks, opponent_first, mine, total)
        assert (total == decks.sum(axis=1)).all()
        for k in {0, count // 2, count - 1}:
            assert mine[k] == my_total(mode, decks[k], opponent_first), (n, count, k)


def my_total(mode, row, opponent_first):
    n = len(row)
    if not opponent_first:
        return PLAIN.cells(mode, row, n, plain=True)[0]
    after_right, after_left = PLAIN.cells(mode, row, n - 1, plain=True) if n > 1 else (0, 0)
    if mode == GREEDY:
        return after_left if row[0] > row[-1] else after_right
    return (min if mode == OPTIMAL else max)(after_left, after_right)


# --- limits ---------------------------------------------------------------------------------------------------------


@AT_EACH_LEVEL
@pytest.mark.parametrize("mode", MODES)
def test_cells_are_counted_alike_and_limits_held(level, mode):
    """At every level, a row of n values counts ((n - 1) // 2) ** 2 cells in which I move, beyond the first ones."""
    kernel = KERNELS[level]
    for n in (1, 2, 3, 9, 40, 257, 700, 3001):
        row, control = row_of(n, np.int32), kernel.Control()
        answer = kernel.cells(mode, row, n, control=control)
        assert (control.nodes, control.stopped) == (((n - 1) // 2) ** 2, False)
        for limit in {1, 2, 1000, control.nodes - 1, control.nodes, control.nodes + 1} - {-1, 0}:
            bounded = kernel.Control(-1.0, limit)
            cells = kernel.cells(mode, row, n, control=bounded)
            assert (cells, bounded.stopped) == ((None, True) if limit < control.nodes else (answer, False))
            assert bounded.nodes <= limit
            beyond = kernel.line(mode, False, row, np.empty(n, np.uint8), control=kernel.Control(-1.0, limit)) is None
            assert beyond == (n > 2 and limit < control.nodes - 1)  # the line's cells end at n - 2 values


@AT_EACH_LEVEL
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


RARE = [pytest.param(level, mode, marks=pytest.mark.nightly) for level in LEVELS for mode in (OPTIMAL, GREEDY)]


@pytest.mark.parametrize(("level", "mode"), [(LEVELS[-1], GREEDY), *RARE[:-1]])
def test_a_pass_in_parts(level, mode):
    """The kernel looks at the watch within a pass over so many vectors; a row of the first values has no such pass."""
    values = LANES[level] * (65536 + 100)  # the lower part of a pass is 100 vectors
    length = 1 + 2 * (values // 24 // 4 * 4)  # one stage
    row = np.random.default_rng(3).integers(-999, 1000, values)
    assert KERNELS[level].cells(mode, row, length) == KERNELS[level].cells(mode, row[: length + 2], length)


# --- folding: chunks are 2048 values, the probe is 256, rounds stop at 64 --------------------------------------------

FOLD_SIZES = [1, 2, 3, 63, 64, 65, 255, 256, 257, 319, 320, 321, 2047, 2048, 2049, 2303, 2304, 4096, 4097, 9000, 40_000]


def shapes(n):
    rng = np.random.default_rng(n)
    mixed = rng.integers(0, 99, n)
    mixed[n // 3 : 2 * n // 3] = np.arange(2 * n // 3 - n // 3)
    return {
        "random": rng.integers(-1000, 1000, n), "binary": rng.integers(0, 2, n), "mixed": mixed,
        "wide": rng.integers(-(1 << 44), 1 << 44, n), "small": rng.integers(-(1 << 19), 1 << 19, n),
        "edge": rng.integers(-(1 << 25), (1 << 25) + 1, n), "near": rng.integers(1 << 40, (1 << 40) + (1 << 30), n),
        "billions": rng.integers(-(1 << 30), 1 << 30, n), "apart": rng.choice([0, 5, (1 << 31) - 1, (1 << 32) + 6], n),
        "falling": np.arange(n)[::-1].copy(), "valley": np.abs(np.arange(n) - n // 2), "constant": np.full(n, -3),
        "alternating": np.arange(n) % 2 * 7, "saw": np.arange(n) % 5, "walk": np.cumsum(rng.integers(-3, 4, n)),
        "plateaus": np.repeat(rng.integers(0, 9, n), 3)[:n].copy(),
    }  # fmt: skip


@AT_EACH_LEVEL
def test_rounds_agree_with_the_stack(level):
    for n in FOLD_SIZES:
        for name, row in shapes(n).items():
            expected = PLAIN.fold_plain(row)
            assert n > 1000 or expected == reference.fold_value(row.tolist())
            assert KERNELS[level].fold(row)[1] >= np.abs(row).sum()
            for dtype in TYPES:
                if (row == row.astype(dtype)).all():
                    assert KERNELS[level].fold(row.astype(dtype))[0] == expected, (n, name, dtype)


@AT_EACH_LEVEL
def test_every_short_pattern_in_a_long_row(level):
    """Fold all rows over three values of length up to 6, concatenated, at every offset in words of 64 values."""
    string = np.concatenate([np.ravel(list(np.ndindex(*[3] * n))) for n in (4, 5, 6)])
    for offset in range(66):
        row = np.concatenate([np.arange(offset) % 3, string])
        assert KERNELS[level].fold(row)[0] == PLAIN.fold_plain(row)


def test_sums_of_long_rows():
    row = np.random.default_rng(5).integers(-(1 << 40), 1 << 40, 700_000)
    assert PLAIN.sums(row) == (np.abs(row).sum(), row.sum())
