"""The table that threads share: every interleaving of one reader with one writer of another key, simulated."""

import itertools
import re
import sys
import sysconfig
from pathlib import Path

from gamecore import kit
from gamecore.apps.kit import _build

TABLE = Path(kit.include()) / "table.pxi"
HOOKS = '''
cdef extern from *:
    """
    #include <stdint.h>
    #include <stdlib.h>
    #include <string.h>
    static uint64_t entry[3], states[8][3]; /* the only entry; its contents after each write of the writer */
    static int count, schedule[8], loads, recording;
    static void recorded(void) { if (recording) memcpy(states[++count], entry, sizeof(entry)); }
    static uint64_t hooked_load(const uint64_t *p, int order)
    {
        if (!recording)
            memcpy(entry, states[schedule[loads++]], sizeof(entry));
        return *p;
    }
    static void hooked_store(uint64_t *p, uint64_t x, int order) { *p = x; recorded(); }
    static int hooked_swap(uint64_t *p, uint64_t *old, uint64_t x, int weak, int yes, int no)
    {
        if (*p != *old)
            return 0;
        *p = x;
        recorded();
        return 1;
    }
    static void *gc_zeroed(size_t bytes) { return calloc(1, bytes); }
    static void gc_release(void *memory, size_t bytes) { }
    static uint64_t gc_part(uint64_t x, uint64_t n) { return 0; }
    """
    uint64_t entry[3]
    uint64_t states[8][3]
    int count, schedule[8], loads, recording
    void* gc_zeroed(size_t bytes) noexcept nogil
    void gc_release(void* memory, size_t bytes) noexcept nogil
    uint64_t gc_part(uint64_t x, uint64_t n) noexcept nogil
    int gc_RELAXED "0", gc_ACQUIRE "0", gc_RELEASE "0"
    uint64_t gc_load "hooked_load"(const uint64_t* p, int order) noexcept nogil
    void gc_store "hooked_store"(uint64_t* p, uint64_t x, int order) noexcept nogil
    bint gc_swap "hooked_swap"(uint64_t* p, uint64_t* old, uint64_t x, bint weak, int, int) noexcept nogil
    void gc_fence "(void)"(int order) noexcept nogil
'''
MODULE = '''
include "before.pxi"
include "table.pxi"

cdef gc_Table T
T.slots, T.count, T.most, T.window, T.full, T.shared = <gc_Entry*>entry, 1, 1, 1, True, True


cdef Key key_of(int number):
    cdef Key k
    k.a, k.b = number, number
    return k


def write(int first, int second):
    """Store an entry, then another in its place; return the number of writes of the second."""
    global count, recording
    cdef Key a = key_of(first), b = key_of(second)
    gc_keep(&T, &a, first, first, 1)
    states[0], count, recording = entry, 0, True
    gc_keep(&T, &b, second, second, 1)
    recording = False
    return count


def read(int number, moments):
    """Look a key up; ``moments``: how many writes precede each load."""
    global loads
    cdef Key k = key_of(number)
    cdef int low = 0, high = 0, i
    loads = 0
    for i in range(len(moments)):
        schedule[i] = moments[i]
    return (low, high) if gc_known(&T, &k, &low, &high) else None
'''


def test_no_reader_sees_half_an_entry(tmp_path):
    text, hooked = re.subn(
        r"cdef extern from \*:.*?\n\n", lambda _: HOOKS + "\n", TABLE.read_text(), count=1, flags=re.DOTALL
    )
    assert hooked == 1
    source, c_file, library = (tmp_path / f"table_gamecore_kit.{suffix}" for suffix in ("pyx", "c", "so"))
    source.write_text(MODULE.replace('include "table.pxi"', text))
    cython = [sys.executable, "-P", "-m", "cython", "-3", "--directive=cdivision=True", f"-I{kit.include()}"]
    _build._run([*cython, str(source), "-o", str(c_file)], source)
    compiler = [_build._toolchain()[0][0], "-O1", "-shared", "-fPIC", "-w", f"-I{sysconfig.get_path('include')}"]
    _build._run([*compiler, str(c_file), "-o", str(library)], source)
    module = _build.imported(library.rename(tmp_path / "table_0.so"))
    writes = module.write(5, 7)
    moments = list(itertools.combinations_with_replacement(range(writes + 1), 4))
    assert {module.read(5, [0] * 4), module.read(7, [writes] * 4)} == {(5, 5), (7, 7)}
    assert len(moments) >= 15
    wrong = [(key, at) for key in (5, 7) for at in moments if module.read(key, at) not in (None, (key, key))]
    assert wrong == []


def test_flags_that_threads_write_are_atomic():
    lines = [line for path in TABLE.parent.glob("*.pxi") for line in path.read_text().splitlines()]
    uses = [line for line in lines if re.search(r"[.>](asked|finished)\b", line)]
    assert len(uses) >= 4
    assert [line for line in uses if not re.search(r"gc_(load|store)_flag\(&[\w.]+\.(asked|finished), ", line)] == []
