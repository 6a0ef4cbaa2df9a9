"""Hexapawn: the source's three versions and the native solver on the same boards, one group a board.

The boards are the source's own and start positions (rows x columns), so nothing is random. `--slow` adds native
solves of 7x6, 6x7 and 7x7, with tables of 128 MB and 512 MB.
"""

import pytest
from workloads import nodes_of

from gamecore import Limits, hexapawn
from gamecore.reference import hexapawn as reference

SOURCE = ["     ", "pp pp", "PPp  ", "   P ", "    P"]
SOURCE_TEXT = "5\n5\n" + "\n".join(SOURCE) + "\n"

# How far each version of the source goes in a few seconds.
STARTS = {
    "naive": [(3, 3), (3, 4), (4, 3)],
    "memoised with a list": [(3, 3), (3, 4), (4, 3)],
    "memoised with a map": [(3, 3), (3, 4), (4, 3), (4, 4), (4, 5), (5, 4), (5, 5)],
}
NATIVE = {(3, 3): -6, (3, 4): 5, (4, 3): -8, (4, 4): 11, (4, 5): -14, (5, 4): -16, (5, 5): 19}
NATIVE_LARGE = {(5, 6): -22, (6, 5): 29, (5, 7): 29, (6, 6): -30}
NATIVE_SLOW = {(7, 6): (39, 128), (6, 7): (-34, 128), (7, 7): (43, 512)}


def group(size):
    return f"hexapawn {size[0]}x{size[1]} start"


def note(benchmark, solution):
    benchmark.extra_info.update(
        nodes=solution.nodes,
        ns_per_node=round(solution.seconds * 1e9 / max(1, solution.nodes)),
        table_mb=solution.table_bytes / (1 << 20),
        replacements=solution.replacements,
    )


@pytest.mark.parametrize("version", reference.VERSIONS)
def test_source_board_reference(benchmark, version):
    benchmark.group = "hexapawn the source's board, 5x5"
    benchmark.extra_info["version"] = version
    configuration = ("white", tuple(SOURCE))
    assert benchmark.pedantic(reference.VERSIONS[version], (configuration,), rounds=3) == 3
    benchmark.extra_info["nodes"] = nodes_of(
        lambda: reference.VERSIONS[version](configuration), "value_from", reference
    )


def test_source_board_native(benchmark):
    """From the judge's text to the solution with its line."""
    benchmark.group = "hexapawn the source's board, 5x5"
    benchmark.extra_info["version"] = "native"
    solution = benchmark(lambda: hexapawn.solve(hexapawn.parse(SOURCE_TEXT)))
    assert solution.value == 3
    note(benchmark, solution)


@pytest.mark.parametrize(("version", "size"), [(name, size) for name, sizes in STARTS.items() for size in sizes])
def test_start_reference(benchmark, version, size):
    benchmark.group = group(size)
    benchmark.extra_info["version"] = version
    known, board = {}, reference.start(*size)
    arguments = (board, known) if version == "memoised with a map" else (board,)

    def solve():
        known.clear()
        return reference.VERSIONS[version](*arguments)

    assert benchmark.pedantic(solve, rounds=3) == NATIVE[size]
    benchmark.extra_info["nodes"] = len(known) or nodes_of(solve, "value_from", reference)


@pytest.mark.parametrize("size", NATIVE)
def test_start_native(benchmark, size):
    benchmark.group = group(size)
    benchmark.extra_info["version"] = "native"
    solution = benchmark(hexapawn.solve, hexapawn.Position.start(*size))
    assert solution.value == NATIVE[size]
    note(benchmark, solution)


@pytest.mark.parametrize("size", NATIVE_LARGE)
def test_start_native_large(benchmark, size):
    benchmark.group = group(size)
    benchmark.extra_info["version"] = "native"
    solution = benchmark.pedantic(
        hexapawn.solve, (hexapawn.Position.start(*size), Limits(table_mb=16)), {"line": False}, rounds=3
    )
    assert solution.value == NATIVE_LARGE[size]
    note(benchmark, solution)


@pytest.mark.slow
@pytest.mark.parametrize("size", NATIVE_SLOW)
def test_start_native_slow(benchmark, size):
    benchmark.group = group(size)
    value, table_mb = NATIVE_SLOW[size]
    benchmark.extra_info["version"] = "native"
    solution = benchmark.pedantic(
        hexapawn.solve, (hexapawn.Position.start(*size), Limits(table_mb=table_mb)), {"line": False}, rounds=3
    )
    assert solution.value == value
    note(benchmark, solution)


@pytest.mark.slow
@pytest.mark.parametrize("threads", [1, 2])
def test_threads(benchmark, threads):
    benchmark.group = "hexapawn 6x7 start, threads that share a table of 128 MB"
    benchmark.extra_info["version"] = f"{threads} thread{'s'[: threads - 1]}"
    solution = benchmark.pedantic(
        hexapawn.solve,
        (hexapawn.Position.start(6, 7), Limits(table_mb=128)),
        {"line": False, "threads": threads},
        rounds=3,
    )
    assert solution.value == -34
    note(benchmark, solution)
    benchmark.extra_info["varies"] = threads > 1  # who comes first to the shared table is chance


@pytest.mark.parametrize("shape", [(4, 8), (3, 12), (12, 3)])
def test_layouts(benchmark, shape):
    """Boards of 8 columns or fewer, and those that need the other layout: time per node side by side."""
    benchmark.group = group(shape)
    benchmark.extra_info["version"] = "native"
    solution = benchmark.pedantic(hexapawn.solve, (hexapawn.Position.start(*shape),), {"line": False}, rounds=3)
    assert solution.exact
    note(benchmark, solution)


def test_analyse(benchmark):
    benchmark.group = "hexapawn analyse 5x5"
    moves = benchmark.pedantic(hexapawn.analyse, (hexapawn.Position.start(5, 5),), rounds=3)
    assert moves[0].value == 19
