"""Compiled games: when a game is compiled again, and which copy is loaded."""

import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest
from command import ROOT, python, said
from kit.games import EXAMPLES, HEAP, source_of  # pytest's pythonpath has the folder of tests

from gamecore import kit
from gamecore.apps.kit import _build
from gamecore.errors import GamecoreError

CAFE = "café" if sys.version_info >= (3, 13) else os.fsdecode(b"caf\xe9")


@pytest.fixture
def nim(tmp_path):
    return Path(shutil.copy(EXAMPLES / "nim.pyx", tmp_path))


def test_without_a_compiler(nim, monkeypatch):
    monkeypatch.setenv("CC", "no-such-cc")  # another is not taken
    with pytest.raises(GamecoreError, match="a C compiler is needed to build a game: CC=no-such-cc is not found"):
        kit.load(nim)


def pretend(command, library, read):
    """Write what the compilers write."""
    work = Path(command[2])
    shutil.copy(library, work / "nim_gamecore_kit.part")
    for suffix in ("c.dep", "d"):
        (work / f"nim_gamecore_kit.{suffix}").write_text(" ".join(["x:", *(n.replace(" ", "\\ ") for n in read)]))


def assert_names_are_prefixed(c_text, game):
    """No name that a file may use for itself: of the C file, and what the search cimports, assigns and defines."""
    names, folder = re.findall(r"__pyx_[fvte]_\d+nim_gamecore_kit_([A-Za-z]\w*)", c_text), Path(_build.__file__).parent
    for part in ("table", "search", "solver", "cycles"):
        text = (folder / f"{part}.pxi").read_text()
        names += re.findall(r"(?: as |^class |^cdef class |^)(\w+)(?=,|\n|:| =)", text, re.MULTILINE)
    own = re.findall(r"\w+", game + (folder / "before.pxi").read_text())
    assert {"gc_alphabeta", "gc_Table", "GC_MATE", "gc_free", "gc_Error", "gc_WHY", "gc_Rules"} <= set(names)
    assert [name for name in set(names).difference(own, _build._DEFAULTS) if not name.lower().startswith("gc_")] == []


def test_a_change_in_any_file_is_compiled(tmp_path, monkeypatch):
    """Of all that is included or imported. An unchanged game is loaded, also from a moved folder.

    First in a folder whose name is no text: CPython 3.13 and later refuse to import from there.
    """
    start, key, rest = (
        source_of("nim.pyx").replace("        MOST =", "        UNUSED =").partition("cdef inline Key key")
    )
    key, write, rest = (key + rest).partition("def write")
    head = """include  "a b/outer.pxi"
from sizes cimport B
cdef extern from "size.h":
    enum: C
cdef extern from "in/c/size.c":
    int size() noexcept nogil
import words
"""
    parts = {"nim.pyx": head + start.replace("3, 5, 7", "A, B, C + size()") + 'include "key.pxi"\n\n' + write + rest,
             "key.pxi": key, "a b/outer.pxi": 'include  "in/inner.pxi"\n', "words.py": "WORDS = 1\n",
             "in/inner.pxi": "cdef enum:\n    A = 3\n", "sizes.pxd": "cdef enum:\n    B = 5\n",
             "size.h": "enum { C = 7 };\n",
             "in/c/size.c": '#include "more.inc"\n',
             "in/c/more.inc": "static int size(void) { return 0; }\n"}  # fmt: skip
    folder = tmp_path / CAFE
    for name, text in parts.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)

    def kept(command, source):
        run(command, source)
        shutil.copytree(command[2], tmp_path / "work")

    run, work = _build._run, tmp_path / "work"
    with monkeypatch.context() as patch:
        patch.setattr(_build, "_run", kept)
        module = kit.build(folder / "nim.pyx")
    assert kit.build(folder / "nim.pyx") == module
    assert_names_are_prefixed((work / "nim_gamecore_kit.c").read_text(), " ".join(parts.values()))
    folder = folder.rename(tmp_path / "second")
    monkeypatch.syspath_prepend(folder)
    game = kit.load(folder / "nim.pyx")
    rules = {kit.rules_of(game)}
    assert (game.start().state, game.rules_of.key((3, 5, 7))) == ((3, 5, 7), (3 << 32 | 7, 15))
    assert kit.build(folder / "nim.pyx").name == module.name
    changes = {"in/inner.pxi": ("3", "2"), "sizes.pxd": ("5", "4"), "size.h": ("7", "6"), "in/c/more.inc": ("0", "1")}
    with monkeypatch.context() as patch:
        patch.setattr(_build, "_run", lambda *_: 1 // 0)
        for name, change in changes.items():
            (folder / name).write_text(parts[name].replace(*change))
            with pytest.raises(ZeroDivisionError):
                kit.build(folder / "nim.pyx")
            (folder / name).write_text(parts[name])
            assert kit.build(folder / "nim.pyx").name == module.name
        (folder / "words.py").write_text("WORDS = 2\n")
        rules.add(kit.rules_of(kit.load(folder / "nim.pyx")))
        (folder / "size.h").write_text("enum { C = 7 }; // as before\n")
        read = [name for name in parts if name != "words.py"]
        patch.setattr(_build, "_run", lambda command, _: pretend(command, work / "nim_gamecore_kit.part", read))
        rules.add(kit.rules_of(kit.load(folder / "nim.pyx")))
    assert len(rules) == 3


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_a_build_that_fails_or_is_ended_leaves_nothing(nim, tmp_path, monkeypatch):
    """Not even by SIGKILL; ``$CC`` is the compiler. No half a module is loaded.

    Files in the current folder are not for the compiler.
    """
    for name in ("random", "re", "json", "Cython", "os"):
        (tmp_path / f"{name}.py").write_text("1 // 0")

    def saved_meanwhile(command, source):
        source.write_text(source.read_text().replace("3, 5, 7", "1, 5, 7"))
        pretend(command, source, ["nim.pyx"])

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [folder for folder in sys.path if folder not in ("", os.getcwd())])
    monkeypatch.delitem(sys.modules, "nim", raising=False)
    (tmp_path / "cc").write_text("#!/bin/sh\necho $$ > started\nsleep 100 & echo $! >> started\nwait\n")
    (tmp_path / "cc").chmod(0o755)
    code = "import sys; from gamecore import kit; kit.build(sys.argv[1])"
    environment = os.environ | {"CC": str(tmp_path / "cc")}
    with subprocess.Popen([sys.executable, "-P", "-c", code, nim], env=environment) as process:
        while not (started := tmp_path / "started").exists() or len(started.read_text().split()) < 2:
            assert process.poll() is None
            time.sleep(0.02)
        process.kill()
    compilers = [Path("/proc", word) for word in started.read_text().split()]
    deadline = time.monotonic() + 60
    while any(_state(path) != "Z" for path in compilers) or list((tmp_path / "__kit__").iterdir()):
        assert time.monotonic() < deadline
        time.sleep(0.02)
    (tmp_path / "__kit__" / "left.part").mkdir()  # by a computer that was switched off
    (tmp_path / "__kit__" / "also.part").write_text("")
    for suffix in (_build._SUFFIX, f"{_build._SUFFIX}.json"):  # a list without sense
        (tmp_path / "__kit__" / f"nim_0123456789abcdef{suffix}").write_text("{")
    with monkeypatch.context() as patch:  # it is saved while it is compiled
        patch.setattr(_build, "_run", saved_meanwhile)
        with pytest.raises(GamecoreError, match=r"nim\.pyx has changed while it was being compiled"):
            kit.load("nim.pyx")
    assert kit.load("nim.pyx").rules_of.start() == (1, 5, 7)
    module = kit.build("nim.pyx")
    assert ".so (" in said("kit", "build", "nim.pyx")[1]
    assert "nim" not in sys.modules  # another module of this name can be imported
    assert sorted(file.suffix for file in (tmp_path / "__kit__").iterdir()) == [".json", ".so"]
    os.truncate(shutil.copy(module, tmp_path / "short"), 5000)
    os.replace(tmp_path / "short", module)  # the loaded one stays
    monkeypatch.setattr(_build, "_run", lambda *_: 1 // 0)
    with pytest.raises(ZeroDivisionError):
        kit.load(nim)


def _state(path):
    try:
        return (path / "stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return "Z"


def test_a_game_that_cannot_be_loaded_is_told_by_its_build(copied, monkeypatch):
    path = copied("take")
    monkeypatch.setenv("KIND", "points")
    assert said("kit", "build", path) == (2, "", "gamecore: KIND must be 'outcome' or 'score', not 'points'\n")


def test_an_example_of_the_name_of_a_game_of_gamecore(copied):
    path = copied("hexapawn")
    assert said("--game", path, "pawns", "start") == (0, "A wins in 11 plies\n", "")
    path.write_text(path.read_text().replace('name = "pawns"', ""))
    for name, words in (
        ("hexapawn", "a game named 'hexapawn' cannot be registered: another game has this name; say name = ..."),
        ("two-piles", "a game named 'two-piles' cannot be registered: a name is a letter, then"),
    ):
        path = path.rename(path.with_stem(name))
        assert words in said("--game", path, name, "start")[2]
    assert [file.name[:9] for file in (path.parent / "__kit__").iterdir()] == ["hexapawn_"] * 2


def test_a_file_named_like_a_module_leaves_it_alone(tmp_path):
    source = HEAP + "import statistics, csv, numpy\nassert statistics.mean and csv.writer and numpy.array\n"
    for name in ("statistics", "csv", "numpy", "heap"):
        (tmp_path / f"{name}.py").write_text(source)
    code = """
import pickle, sys
from gamecore import game
for name in sys.argv[1:]:
    made = game.load(f"{name}.py")
    game._registry._registered.clear()
    assert pickle.loads(pickle.dumps(made.start())) == made.start()
import statistics, csv, numpy
statistics.mean, csv.writer, numpy.array
print(*(type(game.load(f"{name}.py").rules_of.user).__module__ for name in ("csv",)))
"""
    done = python("-P", "-c", code, "statistics", "csv", "numpy", "heap", cwd=tmp_path, PYTHONPATH=str(ROOT))
    assert (done.stdout, done.stderr) == ("gamecore_file_csv\n", "")


@pytest.mark.nightly
def test_processes_build_one_file(nim, tmp_path):
    code = f"from gamecore import kit; print(kit.load({str(nim)!r}).name)"
    started = [subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) for _ in range(3)]
    assert [process.communicate()[0] for process in started] == ["nim\n"] * 3
    assert sorted(file.suffix for file in (tmp_path / "__kit__").iterdir()) == [".json", ".so"]
