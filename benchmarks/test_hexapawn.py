"""Hexapawn: the reference versions and the native solver on the same boards, one group a board.

The boards are the source's own and start positions (rows x columns), so nothing is random. ``--slow`` adds native
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
    "outcome first": [(3, 3), (3, 4), (4, 3), (4, 4), (4, 5), (5, 4), (5, 5)],
    "history": [(3, 3), (3, 4), (4, 3), (4, 4), (4, 5), (5, 4), (5, 5)],
}
SMALL = {(3, 3): -6, (3, 4): 5, (4, 3): -8, (4, 4): 11, (4, 5): -14, (5, 4): -16, (5, 5): 19}
LARGE = {(5, 6): (-22, 16), (6, 5): (29, 16), (5, 7): (29, 16), (6, 6): (-30, 16)}  # value, MiB of the table
LAYOUTS = {(4, 8): (-24, 16), (3, 12): (-18, 16), (12, 3): (-34, 16)}  # of 8 columns or fewer, and the other layout
SLOW = {(7, 6): (39, 128), (6, 7): (-34, 128), (7, 7): (43, 512)}


def start(size):
    return hexapawn.Position.start(*size)


def note(benchmark, size, version, **numbers):
    benchmark.group = size if isinstance(size, str) else f"hexapawn {size[0]}x{size[1]} start"
    benchmark.extra_info.update(version=version, **numbers)


@pytest.mark.one_level
@pytest.mark.parametrize("version", reference.VERSIONS)
def test_source_board_reference(benchmark, version):
    search, configuration = reference.VERSIONS[version], ("white", tuple(SOURCE))
    assert benchmark.pedantic(search, (configuration,), rounds=3) == 3
    nodes = nodes_of(lambda: search(configuration), reference, "successors")
    note(benchmark, "hexapawn the source's board, 5x5", version, nodes=nodes)


def test_source_board_native(benchmark):
    """From the judge's text to the solution with its line."""
    solution = benchmark(lambda: hexapawn.solve(hexapawn.parse(SOURCE_TEXT)))
    assert solution.value == 3
    note(benchmark, "hexapawn the source's board, 5x5", "native", nodes=solution.nodes)


@pytest.mark.one_level
@pytest.mark.parametrize(("version", "size"), [(name, size) for name, sizes in STARTS.items() for size in sizes])
def test_start_reference(benchmark, version, size):
    search, board = reference.VERSIONS[version], reference.start(*size)
    assert benchmark.pedantic(search, (board,), rounds=3) == SMALL[size]
    note(benchmark, size, version, nodes=nodes_of(lambda: search(board), reference, "successors"))


@pytest.mark.parametrize("size", SMALL)
def test_start_native(benchmark, size):
    solution = benchmark(hexapawn.solve, start(size))
    assert solution.value == SMALL[size]
    note(benchmark, size, "native", nodes=solution.nodes, replacements=solution.replacements)


@pytest.mark.parametrize("size", [*LARGE, *(pytest.param(size, marks=pytest.mark.slow) for size in SLOW), *LAYOUTS])
def test_start_native_large(benchmark, size):
    value, table_mb = (LARGE | SLOW | LAYOUTS)[size]
    arguments = start(size), Limits(table_mb=table_mb)
    solution = benchmark.pedantic(hexapawn.solve, arguments, {"line": False}, rounds=3)
    assert solution.value == value
    note(benchmark, size, "native", nodes=solution.nodes, replacements=solution.replacements)


def test_analyse(benchmark):
    benchmark.group = "hexapawn analyse 5x5"
    assert benchmark.pedantic(hexapawn.analyse, (start((5, 5)),), rounds=3)[0].value == 19
