"""Every way of solving a row against an independent solver in C (``tests/oracles/rows.c``), at every CPU level.

Rows of 1 to 200 values, and wide ones of 300 to 3,000, whose magnitudes add up to just below, exactly, and just above
what the narrow types of the kernels hold, with values that are exactly at these borders and one beside them.
"""

import ctypes
import sys

import numpy as np
import pytest

from gamecore import GamecoreError, kernels, rows
from gamecore.reference import rows as reference

LEVELS = kernels.available_levels()
GAMES = [
    {"opponent": opponent, "ties": ties, "first": first}
    for opponent, ties in (("optimal", "right"), ("cooperative", "right"), ("greedy", "right"), ("greedy", "left"))
    for first in ("me", "opponent")
]
MODES = {"optimal": 0, "cooperative": 1, "greedy": 2}
BORDERS = [1 << 15, 1 << 31, 1 << 62, (1 << 63) - 1]  # the sums from which int16 and int32 are too narrow; the largest
WIDE = [300, 301, 512, 777, 1025, 1500, 2047, 2500, 3000]
TYPES = [np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint32, np.int64, np.uint64, np.float32, np.float64]


@pytest.fixture(params=LEVELS)
def level(request, monkeypatch):
    """Let the whole package use the kernels of a level."""
    assert rows.solve_many.__module__  # imports the room of batches, which is lazy
    for name, module in list(sys.modules.items()):
        if name.startswith("gamecore.rows._") and hasattr(module, "_kernel"):
            monkeypatch.setattr(module, "_kernel", kernels.kernel("rows", at=request.param))
    return request.param


@pytest.fixture(scope="module")
def solver(oracle):
    """Return a function of a row and a game: my total, and the best moves."""
    totals = oracle("rows").rows_totals
    totals.argtypes = [ctypes.c_void_p, ctypes.c_int64, ctypes.c_int, ctypes.c_int, ctypes.c_void_p]

    def solve(row, opponent, ties, first):
        values, out = np.ascontiguousarray(row, np.int64), np.zeros(4, np.int64)  # after my move, after the opponent's
        assert totals(values.ctypes.data, len(values), MODES[opponent], ties == "left", out.ctypes.data) == 0
        by_move = dict(zip("LR", out[:2].tolist() if first == "me" else out[2:].tolist(), strict=True))
        if first == "opponent" and opponent == "greedy":
            left = len(row) == 1 or row[0] > row[-1] or (row[0] == row[-1] and ties == "left")
            return by_move["L" if left else "R"], {"L" if left else "R"}
        mine = (min if first == "opponent" and opponent == "optimal" else max)(by_move.values())
        return mine, {move for move, total in by_move.items() if total == mine}

    return solve


def adding_up_to(rng, n, magnitude):
    """Make a row of n values of random signs whose absolute values have a given sum."""
    cuts = sorted(rng.integers(0, magnitude, n - 1, endpoint=True).tolist())
    values = [high - low for low, high in zip([0, *cuts], [*cuts, magnitude], strict=True)]
    signs = rng.choice([-1, 1], n) if rng.random() < 0.6 else [rng.choice([-1, 1])] * n
    return [value * int(sign) for value, sign in zip(values, signs, strict=True)]


def short_rows(n):
    """Make rows of one length, of every kind."""
    rng = np.random.default_rng((7, n))
    games = [rng.integers(-9, 10, n).tolist(), rng.integers(0, 2, n).tolist(), [int(rng.integers(-3, 4))] * n]
    games.append(np.sort(rng.integers(-1000, 1000, n)).tolist())
    sums = [border + beside for border in BORDERS for beside in (-1, 0, 1)]
    games += [adding_up_to(rng, n, magnitude) for magnitude in sums if magnitude < 1 << 63]
    # Values at the borders themselves, and one beside them, among zeros and ones, as long as the totals fit int64.
    for bits in (15, 31, 62):
        row = rng.integers(0, 2, n)
        room = ((1 << 63) - 1 - n) // ((1 << bits) + 1)
        places = rng.permutation(n)[: max(1, min(n // 2, room))]
        row[places] = ((1 << bits) + rng.integers(-1, 2, len(places))) * rng.choice([-1, 1], len(places))
        games.append(row.tolist())
    top = [0] * n
    top[int(rng.integers(n))] = int(rng.choice([-1, 1])) * ((1 << 63) - 1)
    return [*games, top]


def wide_rows(n):
    rng = np.random.default_rng((11, n))
    sums = [border - 1 for border in BORDERS] + BORDERS[:2]
    return [*(adding_up_to(rng, n, magnitude) for magnitude in sums), rng.integers(0, 3, n).tolist()]


def compare(row, solver):
    """Compare solve, value, lines and batches with the oracle, in every game."""
    for game in GAMES:
        mine, best = solver(row, **game)
        totals, solution, without = (
            (mine, sum(row) - mine),
            rows.solve(row, **game),
            rows.solve(row, **game, line=False),
        )
        many = rows.solve_many(np.array([row, row[::-1], row]), **game)
        assert (solution.mine, solution.theirs) == totals, (row, game)
        assert (without.mine, without.theirs) == totals, (row, game)
        assert reference.replay(row, solution.line)[:: 1 if game["first"] == "me" else -1] == totals, (row, game)
        assert (int(many.mine[2]), int(many.theirs[2])) == totals, (row, game)
        assert (rows.value(row, **game, of="mine"), rows.value(np.array(row), **game, of="theirs")) == totals
        assert (set(solution.best_moves), set(without.best_moves), without.line) == (best, best, ""), (row, game)
        assert solution.best_moves[0] == solution.line[0]
        assert solution.value == solution.difference * (1 if game["first"] == "me" else -1)


def test_rows_of_1_to_200_values(level, solver):
    for n in range(1, 201) if level == LEVELS[-1] else [*range(1, 36), *range(36, 201, 13)]:
        games = short_rows(n)
        assert len(games) == 19
        for row in games:
            compare(row, solver)


def test_wide_rows(level, solver):
    for n in WIDE if level == LEVELS[-1] else WIDE[::4]:
        for row in wide_rows(n):
            compare(row, solver)


def test_many_rows_side_by_side(level, solver):
    """Batches of every type that the kernels know, in more rows than a vector has lanes."""
    for n in (1, 2, 3, 4, 7, 20, 52, 61, 120, 200):
        rng = np.random.default_rng((13, n))
        for border in [*BORDERS[:3], 1 << 52]:
            table = np.array([adding_up_to(rng, n, border - int(rng.integers(2))) for _ in range(70)])
            for dtype in (np.int64, np.float64) if border == 1 << 52 else (np.int64,):
                for game in GAMES:
                    many = rows.solve_many(table.astype(dtype), **game)
                    for k in (0, 1, 33, 68, 69):
                        mine, _ = solver(table[k].tolist(), **game)
                        assert (many.mine[k], many.theirs[k]) == (mine, table[k].sum() - mine), (n, border, k)


@pytest.mark.parametrize("dtype", TYPES)
def test_every_type_of_array(level, dtype, solver):
    """Arrays and their views, read-only or unaligned, that hold the largest and the smallest value of their type."""
    limits = np.iinfo(dtype) if np.dtype(dtype).kind != "f" else np.iinfo(np.int16)
    low, high = max(int(limits.min), -(1 << 62)), min(int(limits.max), (1 << 62) - 1)
    for n in (1, 2, 5, 16, 33, 150, 400):
        rng = np.random.default_rng((17, n))
        row = rng.integers(-1 if low else 0, 2, n).astype(dtype)
        row[rng.permutation(n)[: 1 if abs(high) > 1 << 61 else 3]] = rng.choice([low if low else high, high])
        strided, swapped = np.repeat(row, 2)[::2], row.astype(np.dtype(dtype).newbyteorder(">"))
        unaligned = np.frombuffer(b"\0" + row.tobytes(), np.uint8)[1:].view(dtype)
        for game in GAMES:
            mine, _ = solver(row.astype(np.int64).tolist(), **game)
            for view in (row, strided, swapped, unaligned):
                assert (rows.solve(view, **game).mine, rows.value(view, **game, of="mine")) == (mine, mine)
                assert rows.solve_many(view[None, :], **game).mine[0] == mine


def test_tables(level, solver):
    for n in (5, 70, 200):
        rng = np.random.default_rng((19, n))
        for border in BORDERS:
            row = adding_up_to(rng, n, border)
            for low, high in np.sort(rng.integers(0, n, (12, 2)), axis=1).tolist():
                for opponent, ties in (("optimal", "right"), ("greedy", "left")):
                    cell = rows.table(row, opponent=opponent, ties=ties)[low, high]
                    assert cell == solver(row[low : high + 1], opponent, ties, "me")[0]


def test_just_beyond_64_bits_is_refused():
    rng = np.random.default_rng(1)
    for n in (2, 3, 50, 500):
        beyond = adding_up_to(rng, n, (1 << 63) - 1)
        beyond[0] += 1 if beyond[0] >= 0 else -1
        for call in (rows.solve, rows.value, rows.Position, rows.table, lambda row: rows.solve_many([row])):
            with pytest.raises(GamecoreError, match="int64"):
                call(beyond)
