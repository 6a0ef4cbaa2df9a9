"""The portable twins in ``pyx/simd/hexapawn.h`` give the same results as this processor's versions."""

import ctypes
import random
import sysconfig
from pathlib import Path

import pytest
from oracles import build

HEADER = Path(__file__).parents[2] / "pyx" / "simd" / "hexapawn.h"


@pytest.fixture(scope="module")
def twins(tmp_path_factory):
    """Compile the header for this processor, and its portable twins."""
    if build.compiler() is None or not HEADER.exists():
        pytest.skip("the twins need a checkout and a C compiler, which are not installed")
    native = ["-march=native"] if "x86_64" in sysconfig.get_platform() else []
    folder = tmp_path_factory.mktemp("twins")
    return [build.load("twins", folder, f"-I{HEADER.parent}", *flags) for flags in (native, [])]


@pytest.mark.parametrize("columns", range(1, 9))
def test_rows_mirrored_and_as_numbers_in_base_3(twins, columns):
    rng = random.Random(columns)
    inside = sum(((1 << columns) - 1) << 8 * row for row in range(8))
    for number in range(500):
        own = rng.getrandbits(64) & inside if number > 1 else 0
        other = (rng.getrandbits(64) if number > 1 else -number) & inside & ~own  # at first no pawn, then all
        mirrored = [
            sum(1 << 8 * (square // 8) + columns - 1 - square % 8 for square in range(64) if board >> square & 1)
            for board in (own, other)
        ]
        pawns = [(own >> square & 1) + 2 * (other >> square & 1) for square in range(64)]
        lines = [sum(pawns[8 * row + column] * 3**column for column in range(columns)) for row in range(8)]
        pairs = [lines[row] + 3**columns * lines[row + 1] for row in range(0, 8, 2)]
        wanted = [pairs[0] | pairs[1] << 32, pairs[2] | pairs[3] << 32]
        for twin in twins:
            for call, argument, result in ((twin.mirror, 8 - columns, mirrored), (twin.ternary, 3**columns, wanted)):
                words = (ctypes.c_uint64 * 2)(own, other)
                call(words, argument)
                assert list(words) == result
