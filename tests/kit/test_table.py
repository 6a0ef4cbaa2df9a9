"""The table that threads share: no reader takes words of two entries for one."""

import itertools
import re
import sys
import sysconfig
from pathlib import Path

from gamecore.apps.kit import _build

TABLE = Path(_build.__file__).with_name("table.pxi")
MODULE = """
include "before.pxi"
cdef enum:
    GC_WORDS = 2
include "table.pxi"

cdef gc_Entry entry
cdef gc_Table T
T.slots, T.count, T.most, T.window, T.full = &entry, 1, 1, 1, True


def written(number):
    cdef Key k = Key(number, number)
    gc_keep(&T, &k, number, number, 1)
    return entry.data, entry.key[0], entry.key[1]


def known(number, words):
    cdef Key k = Key(number, number)
    cdef int low = 0, high = 0
    entry.data, entry.key[0], entry.key[1] = words
    return (low, high) if gc_known(&T, &k, &low, &high) else None
"""


def test_no_reader_sees_half_an_entry(tmp_path):
    """Whatever words of two entries it has read, each of them once, while a writer puts one in the other's place."""
    assert len(re.findall(r"gc_load\(&[^)]*data\)", _body("gc_known"))) == 1
    assert len(re.findall(r"gc_load\(&e", _body("gc_has"))) == 2
    source, c_file, library = (tmp_path / f"table_gamecore_kit.{suffix}" for suffix in ("pyx", "c", "so"))
    source.write_text(MODULE)
    cython = [sys.executable, "-P", "-m", "cython", "-3", "--directive=cdivision=True", f"-I{TABLE.parent}"]
    _build._run([*cython, str(source), "-o", str(c_file)], source)
    compiler = [_build._toolchain()[0][0], "-O0", "-shared", "-fPIC", "-w", f"-I{sysconfig.get_path('include')}"]
    _build._run([*compiler, str(c_file), "-o", str(library)], source)
    module = _build.imported(library.rename(tmp_path / "table_0.so"))
    entries = {number: module.written(number) for number in (5, 7)}
    assert {number: module.known(number, words) for number, words in entries.items()} == {5: (5, 5), 7: (7, 7)}
    for number, *words in itertools.product((5, 7), *zip(*entries.values(), strict=True)):
        assert module.known(number, words) in (None, (number, number))


def _body(function):
    """Return the text of a function of the table."""
    return re.search(rf"^cdef inline [\w ]+ {function}\(.*?(?=^cdef )", TABLE.read_text(), re.MULTILINE | re.DOTALL)[0]


def test_words_that_threads_write_are_atomic():
    text = "".join(path.read_text() for path in TABLE.parent.glob("*.pxi"))
    uses = re.findall(r"[^\n]*[.>](?:asked|finished)\b[^\n]*", text)
    assert len(uses) >= 3
    assert [use for use in uses if not re.search(r"gc_(load|raise)_flag\(&[\w.]+\.(asked|finished)\)", use)] == []
    writes = re.findall(r"[^\n]*place\.(?:key|data)\b[^\n]*", text)
    assert len(writes) == 3
    assert [write for write in writes if "gc_store(&place." not in write] == []
