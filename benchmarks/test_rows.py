"""Rows: every version of each algorithm side by side, agreeing on the answer.

Groups: the source's versions per n, each up to where it ends; the O(n^2) games per n (pure Python, NumPy by diagonals,
numba with a rolling array, native at each CPU level), decks in batches, folding, lines of play, tables.
Seeds are numpy.random.default_rng(1).
"""

import functools
import sys
from pathlib import Path

import numpy as np
import pytest
from workloads import checksum

from gamecore import kernels, rows, trace
from gamecore.reference import rows as reference

HERE = kernels.LEVELS[: kernels.LEVELS.index(kernels.level()) + 1]
KERNEL = kernels.kernel("rows")
MODES = {"greedy": 2, "cooperative": 1}
OTHERS = ("python", "numpy", "numba", "copy+sum", "naive", "memoised", "bottom-up")


def case(*values):
    """Return the parameters of a benchmark, of which the last is its version."""
    version = values[-1]
    is_absent = version in kernels.LEVELS and version not in HERE
    level = pytest.mark.skipif(is_absent, reason=f"needs CPU level {version}")
    return pytest.param(*values, marks=pytest.mark.one_level if version in OTHERS else level)


def row_of(n, dtype=np.int32, high=1000):
    return np.random.default_rng(1).integers(0, high, n).astype(dtype)


def by_diagonals(row, opponent):
    """The two-step recurrence, a diagonal at a time."""
    n = len(row)
    d = row.copy() if n % 2 else np.maximum(row[:-1], row[1:])
    for length in range(2 - n % 2, n, 2):
        if opponent == "greedy":
            m = np.where(row[: n - length] > row[length:], d[1:], d[:-1])
        else:
            m = np.maximum(d[1:], d[:-1])
        count = n - length - 1
        d = np.maximum(row[:count] + m[1:], row[length + 1 :] + m[:-1])
    return int(d[0])


def numba_versions():
    """Return the module of what a numba user would write."""
    pytest.importorskip("numba", reason="numba is in the group 'peers'")
    sys.path.append(str(Path(__file__).parent / "peers"))
    import numba_versions

    return numba_versions


def measure(benchmark, call, rounds):
    call()  # warm: numba compiles here
    result = benchmark.pedantic(call, rounds=rounds, iterations=1)
    benchmark.extra_info.update(checksum(result))
    return result


@pytest.mark.parametrize("opponent", ["greedy", "cooperative"])
@pytest.mark.parametrize(
    ("n", "version"),
    [
        case(100, "python"),
        *(case(n, name) for n in (100, 1000, 10_000) for name in ("numpy", "numba", *kernels.LEVELS)),
    ],
)
def test_value(benchmark, n, version, opponent):
    benchmark.group = f"{opponent} int32 n={n}"
    benchmark.extra_info["version"] = version
    row = row_of(n)
    if version == "python":
        values = row.tolist()
        best = {"greedy": lambda: reference.bottom_up(values)[0][0], "cooperative": lambda: reference.dumb(values)[0]}
        call = lambda: best[opponent]()[-1]  # noqa: E731
    elif version == "numpy":
        call = functools.partial(by_diagonals, row, opponent)
    elif version == "numba":
        call = functools.partial(getattr(numba_versions(), opponent), row)
    else:
        kernel = kernels.kernel("rows", at=version)
        call = lambda: kernel.cells(MODES[opponent], row, n)[0]  # noqa: E731
    total = measure(benchmark, call, 3 if n > 1000 else 10)
    assert total == rows.value(row, opponent=opponent, of="mine")


# Each version up to where it ends: naive by time, memoised by Python's recursion limit, bottom-up by n * n cells. Its
# nodes are calls (for an even n), rows that it remembers, and cells.
VERSIONS = {
    "naive": (36, lambda row: reference.full_exploration(row)[0], lambda row: 4 * 2 ** (len(row) // 2) - 3),
    "memoised": (400, reference.top_down, lambda row: trace(reference.top_down, row).distinct),
    "bottom-up": (
        1000,
        lambda row: reference.bottom_up(row)[0][0][-1],
        lambda row: len(row) * (len(row) + 1) // 2,
    ),
    "native": (10_000, lambda row: rows.value(row, of="mine", opponent="greedy"), lambda row: None),
}


@pytest.mark.parametrize(
    ("n", "version"),
    [case(n, name) for n in (10, 36, 400, 1000, 10_000) for name in VERSIONS if n <= VERSIONS[name][0]],
)
def test_versions(benchmark, n, version):
    benchmark.group = f"greedy from a list, n={n}"
    row = row_of(n).tolist()
    _, solve, nodes = VERSIONS[version]
    assert benchmark.pedantic(solve, (row,), rounds=5, warmup_rounds=1) == rows.value(row, of="mine", opponent="greedy")
    benchmark.extra_info.update(version=version, nodes=nodes(row))


@pytest.mark.parametrize("what", ["value", "line"])
@pytest.mark.parametrize("opponent", ["greedy", "cooperative"])
def test_line_of_play(benchmark, opponent, what):
    n = 30_000
    benchmark.group = f"{'value alone' if what == 'value' else 'with its line of play'}, {opponent} n={n}"
    row = row_of(n)
    call = {
        "value": lambda: rows.value(row, opponent=opponent, of="mine"),
        "line": lambda: rows.solve(row, opponent=opponent).mine,
    }[what]
    assert measure(benchmark, call, 5) == rows.value(row, opponent=opponent, of="mine")


@pytest.mark.parametrize("version", [case(name) for name in ("numba", "int8", "int16", "int64")])
def test_decks(benchmark, version):
    decks = rows.decks(20_000, 1)
    benchmark.group = "52-card decks, greedy, 20,000 of them"
    benchmark.extra_info.update(version=version, work=len(decks))
    if version == "numba":
        call = functools.partial(numba_versions().greedy_decks, decks)
    else:
        games = decks.astype(version)
        call = lambda: rows.solve_many(games, opponent="greedy").mine  # noqa: E731
    assert (measure(benchmark, call, 5) == rows.solve_many(decks, opponent="greedy").mine).all()


@pytest.mark.parametrize("version", [case(name) for name in ("native", "scalar", "numba", "copy+sum")])
@pytest.mark.parametrize("n", [100_000, 1_000_000, 10_000_000])
def test_fold(benchmark, n, version):
    benchmark.group = "copying and adding up" if version == "copy+sum" else "optimal by folding"
    benchmark.group += f", random int64, n={n}"
    benchmark.extra_info.update(version=version)
    row = row_of(n, np.int64)
    call = {
        "native": lambda: rows.value(row),
        "scalar": lambda: KERNEL.fold_plain(row),
        "copy+sum": lambda: row.copy().sum(),
    }.get(version)
    if version == "numba":
        call = functools.partial(numba_versions().optimal, row)
    total = measure(benchmark, call, 5)
    assert version == "copy+sum" or total == rows.value(row)


@pytest.mark.parametrize("opponent", ["optimal", "greedy", "cooperative"])
def test_six_values_from_a_list(benchmark, opponent):
    benchmark.group = f"value of 6 values from a list, {opponent}"
    row = [5, 7, 9, 1, 4, 2]
    assert benchmark(lambda: rows.value(row, opponent=opponent, of="mine")) in (18, 21)


@pytest.mark.parametrize("opponent", ["optimal", "greedy", "cooperative"])
def test_table(benchmark, opponent):
    n = 5000
    benchmark.group = f"table int32 n={n}, warm, {opponent}"
    row, out = row_of(n), np.zeros((n, n), dtype=np.int32)
    total = measure(benchmark, lambda: rows.table(row, opponent=opponent, out=out), 3)
    assert total[0, -1] == rows.value(row, opponent=opponent, of="mine")
