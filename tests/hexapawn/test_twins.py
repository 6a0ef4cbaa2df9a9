"""The portable twins of ``pyx/simd/hexapawn.h``, which other processors take, give what those of this one give."""

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
int whole(void) { return gc_pairs_are_whole(); }
void mirror(uint64_t *words, int shift) { gc_mirror_rows(words[0], words[1], shift, words, words + 1); }
void move_pair(const uint64_t *from, uint64_t *to)
{
    uint64_t a, b;
    gc_load_pair(from, &a, &b);
    gc_store_pair(to, a, b);
}
"""


@pytest.fixture(scope="module")
def twins(tmp_path_factory):
    """The header as this processor takes it, and as others do."""
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
    for name, more in (("native", flags), ("portable", ["-DGAMECORE_PORTABLE"])):
        library = folder / f"{name}.so"
        command = [*compiler, "-O2", "-shared", "-fPIC", "-Wall", "-Werror", *more, f"-I{HEADER.parent}"]
        subprocess.run([*command, "-o", str(library), str(source)], check=True)
        found.append(ctypes.CDLL(str(library)))
    return found


def test_mirrored_rows(twins):
    rng = random.Random(1)
    for columns in range(1, 9):
        for _ in range(500):
            line = (1 << columns) - 1
            boards = [sum((rng.getrandbits(8) & line) << 8 * row for row in range(8)) for _ in range(2)]
            wanted = [
                sum(1 << square // 8 * 8 + columns - 1 - square % 8 for square in range(64) if board >> square & 1)
                for board in boards
            ]
            for twin in twins:
                words = (ctypes.c_uint64 * 2)(*boards)
                twin.mirror(words, 8 - columns)
                assert list(words) == wanted


def test_pairs_of_words(twins):
    rng = random.Random(2)
    assert twins[1].whole() == 0  # other processors: searches do not share a table
    for twin in twins:
        room = (ctypes.c_uint64 * 6)()
        at = (-ctypes.addressof(room) // 8) % 2  # 16-byte aligned
        base = ctypes.addressof(room) + 8 * at
        room[at], room[at + 1] = pair = rng.getrandbits(64), rng.getrandbits(64)
        twin.move_pair(ctypes.c_void_p(base), ctypes.c_void_p(base + 16))
        assert (room[at + 2], room[at + 3]) == pair
