"""The table that threads share: every interleaving of one reader with one writer of another key, simulated."""

import itertools
import re
import sys
import sysconfig
from pathlib import Path

from gamecore.apps.kit import _build

TABLE = Path(_build.__file__).with_name("table.pxi")
MODULE = '''
include "before.pxi"

cdef extern from *:
    """
    #include <stdint.h>
    #include <string.h>
    static uint64_t entry[3], states[8][3]; /* the only entry; its contents after each write of the writer */
    static int count, schedule[8], loads, recording;
    static uint64_t hooked_load(const uint64_t *p)
    {
        if (!recording)
            memcpy(entry, states[schedule[loads++]], sizeof(entry));
        return *p;
    }
    static void hooked_store(uint64_t *p, uint64_t x)
    {
        *p = x;
        if (recording)
            memcpy(states[++count], entry, sizeof(entry));
    }
    """
    uint64_t entry[3]
    uint64_t states[8][3]
    int count, schedule[8], loads, recording

cdef enum:
    GC_WORDS = 2

include "hooked.pxi"

cdef gc_Table T
T.slots, T.count, T.most, T.window, T.full = <gc_Entry*>entry, 1, 1, 1, True


def write(uint64_t first, uint64_t second):
    """Store an entry, then another in its place; return the number of writes of the second."""
    global count, recording
    cdef Key a = Key(first, first), b = Key(second, second)
    gc_keep(&T, &a, first, first, 1)
    states[0], count, recording = entry, 0, True
    gc_keep(&T, &b, second, second, 1)
    recording = False
    return count


def read(uint64_t number, moments):
    """Look a key up; ``moments``: how many writes precede each load."""
    global loads
    cdef Key k = Key(number, number)
    cdef int low = 0, high = 0, i
    loads = 0
    for i in range(len(moments)):
        schedule[i] = moments[i]
    return (low, high) if gc_known(&T, &k, &low, &high) else None
'''


def test_no_reader_sees_half_an_entry(tmp_path):
    text = TABLE.read_text()
    for name, arguments in (("load", "p, "), ("store", "p, x, ")):
        text, hooked = re.subn(rf"__atomic_{name}_n\({arguments}\w+\)", f"hooked_{name}({arguments[:-2]})", text)
        assert hooked == 1
    (tmp_path / "hooked.pxi").write_text(text)
    source, c_file, library = (tmp_path / f"table_gamecore_kit.{suffix}" for suffix in ("pyx", "c", "so"))
    source.write_text(MODULE)
    cython = [sys.executable, "-P", "-m", "cython", "-3", "--directive=cdivision=True", f"-I{TABLE.parent}"]
    _build._run([*cython, str(source), "-o", str(c_file)], source)
    compiler = [_build._toolchain()[0][0], "-O1", "-shared", "-fPIC", "-w", f"-I{sysconfig.get_path('include')}"]
    _build._run([*compiler, str(c_file), "-o", str(library)], source)
    module = _build.imported(library.rename(tmp_path / "table_0.so"))
    writes = module.write(5, 7)
    moments = list(itertools.combinations_with_replacement(range(writes + 1), 3))
    assert {module.read(5, [0] * 3), module.read(7, [writes] * 3)} == {(5, 5), (7, 7)}
    assert len(moments) >= 15
    wrong = [(key, at) for key in (5, 7) for at in moments if module.read(key, at) not in (None, (key, key))]
    assert wrong == []


def test_words_that_threads_write_are_atomic():
    text = "".join(path.read_text() for path in TABLE.parent.glob("*.pxi"))
    uses = re.findall(r"[^\n]*[.>](?:asked|finished)\b[^\n]*", text)
    assert len(uses) >= 3
    assert [use for use in uses if not re.search(r"gc_(load|raise)_flag\(&[\w.]+\.(asked|finished)\)", use)] == []
    writes = re.findall(r"[^\n]*place\.(?:key|data)\b[^\n]*", text)
    assert len(writes) == 3
    assert [write for write in writes if "gc_store(&place." not in write] == []
