"""Every way of solving a row against an independent solver in C (``tests/oracles/rows.c``), at every CPU level.

Rows of 1 to 200 values, and wide ones of 300 to 3,000, whose magnitudes add up to just below, exactly, and just above
what the narrow types of the kernels hold, with values that are exactly at these borders and one beside them.
"""

import ctypes
from collections import Counter
from functools import cache

import numpy as np
import pytest

from gamecore import GamecoreError, kernels, rows
from gamecore.reference import rows as reference
from gamecore.rows import _batch, _numbers, _play, _position, _search, _solve, _table

LEVELS = kernels.available_levels()
ROOMS = (_batch, _numbers, _play, _position, _search, _solve, _table)
GAMES = [("optimal", "right"), ("cooperative", "right"), ("greedy", "right"), ("greedy", "left")]
MODES = {"optimal": 0, "cooperative": 1, "greedy": 2}
BORDERS = [1 << 15, 1 << 31, 1 << 62, (1 << 63) - 1]  # the sums from which int16 and int32 are too narrow; the largest
WIDE = [300, 301, 512, 777, 1025, 1500, 2047, 2500, 3000]


class Oracle:
    """The independent solver."""

    def __init__(self, library):
        self.totals = library.rows_totals
        self.totals.argtypes = [ctypes.c_void_p, ctypes.c_int64, ctypes.c_int, ctypes.c_int, ctypes.c_void_p]

    def __call__(self, row, opponent, ties):
        """Return my total after each first move, mine or the opponent's."""
        values = np.ascontiguousarray(row, np.int64)
        out = np.zeros(4, np.int64)
        assert self.totals(values.ctypes.data, len(values), MODES[opponent], ties == "left", out.ctypes.data) == 0
        return out.tolist()


@pytest.fixture(scope="module")
def solver(oracle):
    return Oracle(oracle("rows"))


@pytest.fixture
def at_level(request, monkeypatch):
    """Let the whole package use the kernels of a level."""

    def use(level):
        for room in ROOMS:
            monkeypatch.setattr(room, "_kernel", kernels.kernel("rows", at=level))

    return use


def adding_up_to(rng, n, magnitude):
    """Make a row of n values of random signs whose absolute values have a given sum."""
    cuts = sorted(rng.integers(0, magnitude, n - 1, endpoint=True).tolist())
    values = [high - low for low, high in zip([0, *cuts], [*cuts, magnitude], strict=True)]
    signs = rng.choice([-1, 1], n) if rng.random() < 0.6 else [rng.choice([-1, 1])] * n
    return [value * int(sign) for value, sign in zip(values, signs, strict=True)]


def short_rows(n):
    """Make rows of one length, of every kind."""
    rng = np.random.default_rng((7, n))
    found = [rng.integers(-9, 10, n).tolist(), rng.integers(0, 2, n).tolist(), [int(rng.integers(-3, 4))] * n]
    found.append(np.sort(rng.integers(-1000, 1000, n)).tolist())
    for border in BORDERS:
        for beside in (-1, 0, 1):
            if border + beside < 1 << 63:
                found.append(adding_up_to(rng, n, border + beside))
    # Values at the borders themselves, and one beside them, among zeros and ones, as long as the totals fit int64.
    for bits in (15, 31, 62):
        row = rng.integers(0, 2, n)
        room = ((1 << 63) - 1 - n) // ((1 << bits) + 1)
        places = rng.permutation(n)[: max(1, min(n // 2, room))]
        row[places] = ((1 << bits) + rng.integers(-1, 2, len(places))) * rng.choice([-1, 1], len(places))
        found.append(row.tolist())
    top = rng.integers(0, 1, n)
    top[int(rng.integers(n))] = int(rng.choice([-1, 1])) * ((1 << 63) - 1)
    found.append(top.tolist())
    return found


@cache
def wide_rows():
    found = []
    for n in WIDE:
        rng = np.random.default_rng((11, n))
        for border in BORDERS:
            found.append(adding_up_to(rng, n, border - 1))
            if border < 1 << 62:
                found.append(adding_up_to(rng, n, border))
        found.append(rng.integers(0, 3, n).tolist())
    return found


def expected(totals, row, opponent, ties, first):
    """Return my total and the best moves, from the totals after each first move."""
    by_move = dict(zip("LR", totals[:2] if first == "me" else totals[2:], strict=True))
    if first == "opponent" and opponent == "greedy":
        left = len(row) == 1 or row[0] > row[-1] or (row[0] == row[-1] and ties == "left")
        move = "L" if left else "R"
        return by_move[move], {move}
    choose = min if first == "opponent" and opponent == "optimal" else max
    mine = choose(by_move.values())
    return mine, {move for move, total in by_move.items() if total == mine}


def differences(games, solver):
    """Return the differences of solve, value, analyse, lines and batches from the oracle, and the rows compared."""
    wrong, compared = [], Counter()
    for row in games:
        compared[len(row)] += 1
        total = sum(row)
        for opponent, ties in GAMES:
            totals = solver(row, opponent, ties)
            for first in ("me", "opponent"):
                mine, best = expected(totals, row, opponent, ties, first)
                game = {"opponent": opponent, "ties": ties, "first": first}
                solution = rows.solve(row, **game)
                many = rows.solve_many(np.array([row, row[::-1], row]), **game)
                without = rows.solve(row, **game, line=False)
                answers = {
                    "solve": (solution.mine, solution.theirs),
                    "solve without a line": (without.mine, without.theirs),
                    "line": reference.replay(row, solution.line)[:: 1 if first == "me" else -1],
                    "batch": (int(many.mine[2]), int(many.theirs[2])),
                    "value": (rows.value(row, **game, of="mine"), rows.value(np.array(row), **game, of="theirs")),
                }
                wrong += [
                    f"{name} of {len(row)} values, {game}: {answer}, not {(mine, total - mine)}"
                    for name, answer in answers.items()
                    if answer != (mine, total - mine)
                ]
                assert (without.line, set(without.best_moves)) == ("", set(solution.best_moves))
                assert solution.best_moves[0] == solution.line[0]
                assert solution.value == solution.difference * (1 if first == "me" else -1)
                assert (solution.first, solution.to_move, solution.opponent) == (first, first, opponent)
                if set(solution.best_moves) != best:
                    wrong.append(f"best moves of {len(row)} values, {game}: {solution.best_moves}, not {best}")
    return wrong, compared


@pytest.mark.parametrize("level", LEVELS)
def test_rows_of_1_to_200_values(level, at_level, solver):
    at_level(level)
    compared = Counter()
    lengths = range(1, 201) if level == LEVELS[-1] else [*range(1, 36), *range(36, 201, 13)]
    for n in lengths:
        wrong, counts = differences(short_rows(n), solver)
        assert wrong == []
        compared += counts
    assert compared == dict.fromkeys(lengths, 19)  # 19 rows of every length, each in 8 games


@pytest.mark.parametrize("level", LEVELS)
def test_wide_rows(level, at_level, solver):
    at_level(level)
    every = 1 if level == LEVELS[-1] else 5  # of 63 rows, 7 of each length
    wrong, compared = differences(wide_rows()[::every], solver)
    assert (wrong, compared.total(), set(compared)) == ([], -(-7 * len(WIDE) // every), set(WIDE))


@pytest.mark.parametrize("level", LEVELS)
def test_many_rows_side_by_side(level, at_level, solver):
    """Batches of every type that the kernels know, in more rows than a vector has lanes."""
    at_level(level)
    compared = Counter()
    for n in (1, 2, 3, 4, 7, 20, 52, 61, 120, 200):
        rng = np.random.default_rng((13, n))
        for border in [*BORDERS[:3], 1 << 52]:
            table = np.array([adding_up_to(rng, n, border - int(rng.integers(2))) for _ in range(70)])
            for dtype in (np.int64, np.float64) if border == 1 << 52 else (np.int64,):
                for opponent, ties in GAMES:
                    for first in ("me", "opponent"):
                        many = rows.solve_many(table.astype(dtype), opponent=opponent, ties=ties, first=first)
                        for k in (0, 1, 33, 68, 69):
                            totals = solver(table[k], opponent, ties)
                            mine = expected(totals, table[k].tolist(), opponent, ties, first)[0]
                            assert (many.mine[k], many.theirs[k]) == (mine, table[k].sum() - mine), (n, border, k)
                            compared[np.dtype(dtype).name] += 1
    assert compared == {"int64": 10 * 4 * 8 * 5, "float64": 10 * 8 * 5}


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize(
    "dtype", [np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint32, np.int64, np.uint64, np.float32, np.float64]
)
def test_every_type_of_array(level, dtype, at_level, solver):
    """Arrays that hold the largest and the smallest value of their type."""
    at_level(level)
    limits = np.iinfo(dtype) if np.dtype(dtype).kind != "f" else np.iinfo(np.int16)
    low, high = max(int(limits.min), -(1 << 62)), min(int(limits.max), (1 << 62) - 1)
    for n in (1, 2, 5, 16, 33, 150, 400):
        rng = np.random.default_rng((17, n))
        row = rng.integers(-1 if low else 0, 2, n).astype(dtype)
        row[rng.permutation(n)[: 1 if abs(high) > 1 << 61 else 3]] = rng.choice([low if low else high, high])
        for opponent, ties in GAMES:
            totals = solver(row.astype(np.int64), opponent, ties)
            for first in ("me", "opponent"):
                mine = expected(totals, row.astype(np.int64).tolist(), opponent, ties, first)[0]
                game = {"opponent": opponent, "ties": ties, "first": first}
                assert (rows.solve(row, **game).mine, rows.value(row, **game, of="mine")) == (mine, mine)
                assert rows.solve_many(row[None, :], **game).mine[0] == mine


@pytest.mark.parametrize("level", LEVELS)
def test_tables(level, at_level, solver):
    at_level(level)
    for n in (5, 70, 200):
        rng = np.random.default_rng((19, n))
        for border in BORDERS:
            row = adding_up_to(rng, n, border)
            for low, high in np.sort(rng.integers(0, n, (12, 2)), axis=1).tolist():
                part = row[low : high + 1]
                mine = max(solver(part, "optimal", "right")[:2])
                assert rows.table(row)[low, high] == mine
                best = max(solver(part, "greedy", "left")[:2])
                assert rows.table(row, opponent="greedy", ties="left")[low, high] == best


def test_just_beyond_64_bits_is_refused():
    rng = np.random.default_rng(1)
    for n in (2, 3, 50, 500):
        beyond = adding_up_to(rng, n, (1 << 63) - 1)
        beyond[0] += 1 if beyond[0] >= 0 else -1
        for call in (rows.solve, rows.value, rows.Position, lambda row: rows.solve_many([row])):
            with pytest.raises(GamecoreError, match="int64"):
                call(beyond)
    for value in (1 << 63, -(1 << 63)):
        with pytest.raises(GamecoreError, match="int64"):
            rows.solve([value])


class Planted:
    """Plant a fault in a kernel: one function is wrong by one for rows of one length."""

    def __init__(self, kernel, name, length):
        self.__dict__.update(vars(kernel))
        right = getattr(kernel, name)

        def wrong(*arguments, **options):
            answer = right(*arguments, **options)
            arrays = [one for one in arguments if isinstance(one, np.ndarray)]
            if arrays[0].shape[-1] == length:
                if answer is None:  # a batch: its totals are in the second array
                    arrays[1][...] += 1
                else:
                    return [cell + 1 for cell in answer]
            return answer

        setattr(self, name, wrong)


@pytest.mark.parametrize(
    ("name", "found"), [("cells", "value of 130 "), ("line", "solve of 130 "), ("batch", "batch of 130 ")]
)
def test_a_planted_wrong_value_is_found(monkeypatch, solver, name, found):
    for room in ROOMS:
        monkeypatch.setattr(room, "_kernel", Planted(room._kernel, name, 130))
    wrong, _ = differences(short_rows(130)[:6], solver)
    assert any(one.startswith(found) for one in wrong)
    assert all(" of 130 values" in one for one in wrong)
    assert differences(short_rows(129)[:6], solver)[0] == []


@pytest.mark.nightly
def test_a_wrong_oracle_is_found(tmp_path):
    from oracles import build

    for change in (
        ("left == right && ties_left", "left == right && !ties_left"),
        ("return a < b ? a : b", "return a < b ? b : a"),
        ("wide left = row[i]", "wide left = row[i] + (n == 90 && i == 45)"),
    ):
        assert differences(short_rows(90)[:4], Oracle(build.load("rows", tmp_path, change)))[0] != []
