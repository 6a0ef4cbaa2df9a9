"""The portable twins in ``pyx/simd/hexapawn.h`` give the same results as this processor's versions."""

import ctypes
import random
import subprocess
import sysconfig
from pathlib import Path

import pytest
from oracles import build

HEADER = Path(__file__).parents[2] / "pyx" / "simd" / "hexapawn.h"
CODE = """
#include "hexapawn.h"
void mirror(uint64_t *words, int shift) { gc_mirror_rows(words[0], words[1], shift, words, words + 1); }
void ternary(uint64_t *words, int base) { gc_ternary_rows(words[0], words[1], base, words, words + 1); }
"""


@pytest.fixture(scope="module")
def twins(tmp_path_factory):
    """Compile the header for this processor, and its portable twins."""
    compiler = build.compiler()
    if compiler is None:
        pytest.skip("the twins need a C compiler, and none is installed")
    if not HEADER.exists():
        pytest.skip("the header is not here: an installed package is tested")
    folder = tmp_path_factory.mktemp("twins")
    source = folder / "twins.c"
    source.write_text(CODE)
    found = []
    flags = ["-march=native"] if "x86_64" in sysconfig.get_platform() else []
    for name, more in (("native", flags), ("portable", [])):
        library = folder / f"{name}.so"
        command = [*compiler, "-O2", "-shared", "-fPIC", "-Wall", "-Werror", *more, f"-I{HEADER.parent}"]
        subprocess.run([*command, "-o", str(library), str(source)], check=True)
        found.append(ctypes.CDLL(str(library)))
    return found


def squares_of(board):
    return [board >> square & 1 for square in range(64)]


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
        pawns = [mine + 2 * theirs for mine, theirs in zip(squares_of(own), squares_of(other), strict=True)]
        lines = [sum(pawns[8 * row + column] * 3**column for column in range(columns)) for row in range(8)]
        pairs = [lines[row] + 3**columns * lines[row + 1] for row in range(0, 8, 2)]
        for twin in twins:
            words = (ctypes.c_uint64 * 2)(own, other)
            twin.mirror(words, 8 - columns)
            assert list(words) == mirrored
            words = (ctypes.c_uint64 * 2)(own, other)
            twin.ternary(words, 3**columns)
            assert list(words) == [pairs[0] | pairs[1] << 32, pairs[2] | pairs[3] << 32]
