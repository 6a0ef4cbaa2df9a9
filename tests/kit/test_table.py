"""The table that threads share: every interleaving of one reader with one writer of another key, simulated."""

import itertools
from pathlib import Path

import pytest

from gamecore import kit
from gamecore.kit import _build

TABLE = Path(kit.include()) / "table.pxi"
MODULE = '''
include "before.pxi"
from libc.stdlib cimport calloc, free

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
    static void *kit_table(size_t bytes) { return calloc(1, bytes); }
    static uint64_t kit_part(uint64_t x, uint64_t n) { return 0; }
    """
    uint64_t entry[3]
    uint64_t states[8][3]
    int count, schedule[8], loads, recording
    void* kit_table(size_t bytes) noexcept nogil
    uint64_t kit_part(uint64_t x, uint64_t n) noexcept nogil
    int RELAXED "0", ACQUIRE "0", RELEASE "0"
    uint64_t load "hooked_load"(const uint64_t* p, int order) noexcept nogil
    void store "hooked_store"(uint64_t* p, uint64_t x, int order) noexcept nogil
    bint swap "hooked_swap"(uint64_t* p, uint64_t* old, uint64_t x, bint weak, int, int) noexcept nogil
    void fence "(void)"(int order) noexcept nogil

cdef enum:
    MATE = 10000
    WINDOW = 1

include "table.pxi"

cdef Table T
T.slots, T.count, T.most, T.window, T.full, T.shared = <Entry*>entry, 1, 1, 1, True, True


cdef Key key_of(int number):
    cdef Key k
    k.a, k.b = number, number
    return k


def write(int first, int second):
    """Store an entry, then another in its place; return the number of writes of the second."""
    global count, recording
    cdef Key a = key_of(first), b = key_of(second)
    keep(&T, &a, first, first, 1)
    states[0], count, recording = entry, 0, True
    keep(&T, &b, second, second, 1)
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
    return (low, high) if known(&T, &k, &low, &high) else None
'''
FAULTS = {
    "the reader does not look twice": ("(data ^ load(&e.data, RELAXED)) >> LOCK_SHIFT", "False"),
    "the reader ignores the lock": ("if data >> LOCK_SHIFT & 1 or", "if"),
    "the writer does not lock": ("swap(&place.data, &old, data | locked, False", "swap(&place.data, &old, old, False"),
    "the version stays": ("((old >> VERSION_SHIFT) + 1) << VERSION_SHIFT", "old >> VERSION_SHIFT << VERSION_SHIFT"),
}  # fmt: skip


def wrong_reads(folder, change=("", "")):
    """The interleavings after which a key has another key's bounds."""
    text = TABLE.read_text()
    assert change[0] in text
    (folder / "table.pxi").write_text(text.replace(*change))
    whole = MODULE.replace('include "table.pxi"', (folder / "table.pxi").read_text())
    compiler = [*_build._compiler(), "-O1", "-shared", "-fPIC", "-w"]
    made = _build._compile(folder / "x.pyx", folder / "table_of_test", whole, compiler)
    module = _build.imported(made.rename(made.with_suffix(".so")))
    writes = module.write(5, 7)
    moments = list(itertools.combinations_with_replacement(range(writes + 1), 4))
    assert {module.read(5, [0] * 4), module.read(7, [writes] * 4)} == {(5, 5), (7, 7)}
    assert len(moments) >= 15
    return [(key, at) for key in (5, 7) for at in moments if module.read(key, at) not in (None, (key, key))]


def test_no_reader_sees_half_an_entry(tmp_path):
    assert wrong_reads(tmp_path) == []


@pytest.mark.parametrize("fault", FAULTS)
def test_a_planted_fault_is_found(tmp_path, fault):
    assert wrong_reads(tmp_path, FAULTS[fault])
