"""Compiled games: what is told from the file, when it is compiled again, and what is loaded."""

import os
import shutil
import subprocess
import sys

import pytest
from kit.games import EXAMPLES, source_of  # pytest's pythonpath has the folder of tests

from gamecore import kit
from gamecore.apps.kit import _build
from gamecore.errors import GamecoreError

nightly = pytest.mark.nightly  # each is compiled
HEAPS = """
cdef enum:
    MOST_MOVES = 20
{state}
cdef inline void start(State* s) noexcept nogil:
    s.left = s.right = 5
cdef inline int moves(const State* s, Move* out) noexcept nogil:
    cdef int i, n = 0
    for i in range(s.left):
        out[n] = i + 1
        n += 1
    for i in range(s.right):
        out[n] = 100 + i + 1
        n += 1
    return n
cdef inline void play(State* s, Move move) noexcept nogil:
    if move > 100:
        s.right -= move - 100
    else:
        s.left -= move
    {blur}
cdef inline int result(const State* s) noexcept nogil:
    return ONGOING if s.left or s.right else LOSS
"""
FIELDS = "    uint32_t left\n    uint32_t right"
STRUCTS = {
    "ctypedef": f"ctypedef struct State:\n{FIELDS}", "packed": f"cdef packed struct State:\n{FIELDS}",
    "comment": "cdef struct State:\n    uint32_t left\n# the other heap\n    uint32_t right",
    "block": "cdef:\n    struct State:\n        uint32_t left\n        uint32_t right",
    "alias": f"cdef struct Pair:\n{FIELDS}\nctypedef Pair State", "blanks": f"cdef  struct  State :\n{FIELDS}",
    "included": 'include  "fields.pxi"', "padded": "cdef struct State:\n    uint8_t left\n    uint64_t right",
}  # fmt: skip


@nightly
@pytest.mark.parametrize("spelling", STRUCTS)
def test_every_spelling_of_the_state_has_all_its_fields(spelling, tmp_path):
    """Two equal heaps are lost in ten plies; with a field left out of the key, or what lies between two fields in it,
    the answer or the number of positions is another one."""
    (tmp_path / "fields.pxi").write_text(f"cdef struct State:\n{FIELDS}\n")
    blur = "(<uint8_t*>s)[3] = 7 * move" if spelling == "padded" else "pass"
    (tmp_path / "heaps.pyx").write_text(HEAPS.format(state=STRUCTS[spelling], blur=blur))
    game = kit.load(tmp_path / "heaps.pyx")
    assert str(game.solve(game.start())) == "loss in 10"
    assert game.rules_of.key((1, 2)) == (1, 2) if spelling == "padded" else (1 | 2 << 32, 0)
    assert kit.solve_all(game, tmp_path / "table")["positions"] == 35  # 6 * 6 less the end


@pytest.mark.parametrize(
    ("right", "wrong", "words"),
    [
        ("result(", "results(", "nim.pyx does not define result"),
        ("cdef struct State", "cdef union State", "nim.pyx: State must be a struct"),
        ("return count", "return heaps", "nim.pyx, line 23: .*heaps"),
        ("RULES =", "order = 5\nRULES =", "nim.pyx: order must be a cdef function"),
        ("RULES =", "cdef int gc_keep = 1\nRULES =", "names that begin with gc_ are those of the search: gc_keep"),
        ("# Nim", "# \udcff", "nim.pyx, line 1: Decoding error"),
        pytest.param("RULES =", "KIND = 5\nRULES =", "KIND must be 'outcome' or 'score', not 5", marks=nightly),
        pytest.param("piles[3]", "piles[3]\n    double weight", "weight must be a whole number", marks=nightly),
        pytest.param("piles[3]", "piles[3]\n    uint8_t pair[2]", "pair must be a whole number, or", marks=nightly),
        pytest.param("piles[3]", "piles[3]\n    uint8_t more[5000]", "at most 4096 bytes, not 5012", marks=nightly),
        pytest.param("Key key(", "Key keys(", "needs a key", marks=nightly),
        pytest.param("3 * MOST", "0", "MOST_MOVES must be from 1 to 1048576, not 0", marks=nightly),
        pytest.param("NAME =", "1 // [][0]\nNAME =", r"load nim.pyx: IndexError: .* \(nim.pyx, line 2", marks=nightly),
        pytest.param("NAME =", "cdef extern from 'no.h':\n    pass\nNAME =", "nim.pyx: no.h: No such", marks=nightly),
    ],
)
def test_what_cannot_be_told_is_refused(right, wrong, words, tmp_path):
    text = source_of("nim").replace("piles[3]", "piles[5]") if right == "Key key(" else source_of("nim")
    (tmp_path / "nim.pyx").write_text(text.replace(right, wrong), "utf-8", "surrogateescape")
    with pytest.raises(GamecoreError, match=words):
        kit.load(tmp_path / "nim.pyx")


def test_without_a_compiler(tmp_path, monkeypatch):
    (tmp_path / "nim.pyx").write_text(source_of("nim"))
    monkeypatch.setenv("PATH", "")
    monkeypatch.setattr("sysconfig.get_config_var", lambda name: "no-such-cc")
    with pytest.raises(GamecoreError, match="a C compiler is needed"):
        kit.load(tmp_path / "nim.pyx")


@nightly
@pytest.mark.parametrize("spelling", ['SCORE = "score"\nKIND = SCORE', "KIND: str  =  'sc' + 'ore'"])
def test_every_spelling_of_the_kind(spelling, tmp_path):
    (tmp_path / "coins.pyx").write_text(source_of("coinrow").replace('KIND = "score"', spelling))
    assert str(kit.load(tmp_path / "coins.pyx").solve("start")) == "+16"


def test_a_change_in_any_file_is_compiled(tmp_path):
    """In a nested include, a declaration file, a header. An unchanged game is loaded, also from a moved folder."""
    source = source_of("nim").replace("        MOST =", "        UNUSED =").replace("3, 5, 7", "A, B, C")
    head = 'include  "outer.pxi"\nfrom sizes cimport B\ncdef extern from "size.h":\n    enum: C\n'
    parts = {"nim.pyx": head + source, "outer.pxi": 'include  "inner.pxi"\n', "inner.pxi": "cdef enum:\n    A = 3\n",
             "sizes.pxd": "cdef enum:\n    B = 5\n", "size.h": "enum { C = 7 };\n"}  # fmt: skip
    folder = tmp_path / "first"
    folder.mkdir()
    for name, text in parts.items():
        (folder / name).write_text(text)
    modules, fingerprints = [kit.build(folder / "nim.pyx")], [kit.load(folder / "nim.pyx").rules_of.fingerprint]
    assert kit.build(folder / "nim.pyx") == modules[0]
    folder = folder.rename(tmp_path / "second")
    assert kit.build(folder / "nim.pyx").name == modules[0].name
    for name, old, new, start in (
        ("inner.pxi", "3", "2", (2, 5, 7)),
        ("sizes.pxd", "5", "4", (2, 4, 7)),
        ("size.h", "7", "6", (2, 4, 6)),
    ):
        (folder / name).write_text(parts[name].replace(old, new))
        rules = kit.load(folder / "nim.pyx").rules_of
        assert rules.start() == start
        fingerprints.append(rules.fingerprint)
    assert len(set(fingerprints)) == 4


def test_a_file_saved_while_it_is_compiled(tmp_path, monkeypatch):
    path, run = tmp_path / "nim.pyx", _build._run
    path.write_text(source_of("nim"))

    def run_and_save(command, source):
        run(command, source)
        path.write_text(source_of("nim").replace("3, 5, 7", "1, 5, 7"))

    with monkeypatch.context() as patch:
        patch.setattr(_build, "_run", run_and_save)
        with pytest.raises(GamecoreError, match=r"nim\.pyx has changed while it was being compiled"):
            kit.load(path)
    assert kit.load(path).rules_of.start() == (1, 5, 7)


def test_files_in_the_current_folder_are_not_for_the_compiler(tmp_path, monkeypatch):
    (tmp_path / "nim.pyx").write_text(source_of("nim"))
    for name in ("random", "re", "json", "Cython", "os"):
        (tmp_path / f"{name}.py").write_text("1 // 0")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [folder for folder in sys.path if folder not in ("", os.getcwd())])
    monkeypatch.delitem(sys.modules, "nim", raising=False)
    assert kit.load("nim.pyx").name == "nim"
    assert "nim" not in sys.modules  # another module of this name can be imported


@nightly
def test_processes_build_one_file(tmp_path):
    shutil.copy(EXAMPLES / "nim.pyx", tmp_path)
    code = f"from gamecore import kit; print(kit.load({str(tmp_path / 'nim.pyx')!r}).name)"
    started = [subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) for _ in range(3)]
    assert [process.communicate()[0] for process in started] == ["nim\n"] * 3
    assert [file.suffix for file in (tmp_path / "__kit__").iterdir()] == [".so"]
