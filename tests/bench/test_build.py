"""The build: what is compiled again, for which levels, by which compiler. In a copy with two small modules."""

import os
import platform
import shutil
import subprocess
import sys

import pytest
from command import ROOT, python

NAMES = ("_cpu.pyx", "simd/cpu.h", "common/bits.pxd", "simd/bits.h")
PART = "from common.bits cimport popcount\n\ndef answer():\n    return popcount(7)\n"
EVERY = {"baseline.duel", "baseline.two", "_shared", "_cpu"}
on_x86_64 = pytest.mark.skipif(
    sys.platform == "win32" or platform.machine() not in ("x86_64", "AMD64"), reason="other processors have one level"
)


@pytest.fixture
def tree(tmp_path):
    """A project of two kernels and the module that reads the processor."""
    for name in ("setup.py", "pyproject.toml", "README.md", "LICENSE"):
        shutil.copyfile(ROOT / name, tmp_path / name)
    for name in NAMES:
        (tmp_path / "pyx" / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / "pyx" / name, tmp_path / "pyx" / name)
    shutil.copytree(ROOT / "gamecore", tmp_path / "gamecore", ignore=shutil.ignore_patterns("*.so", "__pycache__"))
    for game in ("duel", "two"):
        (tmp_path / "pyx" / game).mkdir()
        (tmp_path / "pyx" / game / "part.pxi").write_text(PART)
        (tmp_path / "pyx" / f"{game}.pyx").write_text(f'include "{game}/part.pxi"\n')
        (tmp_path / "pyx" / "simd" / f"{game}_c.h").write_text("")
    return tmp_path


def build(tree, **environment):
    command = [sys.executable, "setup.py", "--quiet", "build_ext", "--inplace"]
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("GAMECORE_")}
    environment = {**inherited, "GAMECORE_LEVELS": "baseline", "CFLAGS": "-O0", "CCACHE_DISABLE": "1", **environment}
    return subprocess.run(command, cwd=tree, env=environment, capture_output=True, text=True, check=False, timeout=600)


def compiled(tree, **environment):
    """Build, and return the modules that were compiled."""

    def written():
        return {path: path.stat().st_mtime_ns for path in tree.glob("build/lib*/gamecore/kernels/**/*.so")}

    before = written()
    done = build(tree, **environment)
    assert done.returncode == 0, done.stdout + done.stderr
    new = {path for path, time in written().items() if before.get(path) != time}
    return {".".join([*path.relative_to(tree).parts[4:-1], path.name.partition(".")[0]]) for path in new}


@pytest.mark.nightly
def test_only_what_has_changed_is_compiled(tree):
    assert compiled(tree) == EVERY
    assert compiled(tree) == set()
    for name, expected in (
        ("pyx/duel/part.pxi", {"baseline.duel"}),
        ("pyx/simd/two_c.h", {"baseline.two"}),
        ("pyx/common/bits.pxd", {"baseline.duel", "baseline.two"}),
        ("pyx/simd/bits.h", EVERY),
    ):
        with (tree / name).open("a", encoding="utf-8") as file:
            file.write("\n")
        assert compiled(tree) == expected, name
        assert compiled(tree) == set(), name
    assert compiled(tree, GAMECORE_DEBUG="1") == EVERY
    assert compiled(tree) == EVERY  # other flags, though the modules are newer than the sources


@on_x86_64
@pytest.mark.nightly
def test_a_kernel_is_translated_once_and_compiled_for_its_levels(tree):
    assert compiled(tree, GAMECORE_LEVELS="") == {"v3.duel", "v3.two", *EVERY}  # v4 has hearts and rows alone
    assert sorted(path.name for path in tree.glob("build/cython/**/*.c")) == ["_cpu.c", "_shared.c", "duel.c", "two.c"]
    code = "from gamecore import kernels; print(*[kernels.kernel('duel', n).__name__[17:] for n in kernels.LEVELS])"
    assert python("-c", code, cwd=tree, GAMECORE_SIMD="").stdout == "baseline.duel v3.duel v3.duel\n"
    stale = tree / "gamecore" / "kernels" / "v4" / "duel.cpython-of-an-earlier-version.so"
    stale.touch()
    assert compiled(tree, GAMECORE_LEVELS="v3") == set()
    assert not stale.exists()
    assert compiled(tree, GAMECORE_NO_SIMD="1") == set()
    assert not list(tree.glob("gamecore/kernels/v3/*.so"))


def program(folder, name, script):
    """Write a program that logs its arguments, and return its log."""
    path, log = folder / name, folder / f"{name}.log"
    path.write_text(f'#!/bin/sh\necho "$@" >> {log}\n{script}\n', encoding="utf-8")
    path.chmod(0o755)
    log.touch()
    return log


@pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is not installed")
@pytest.mark.parametrize(("version", "has_params"), [("Free Software Foundation", True), ("clang", False)])
def test_the_compiler_in_use_decides_about_flags_and_ccache_is_used(tree, tmp_path_factory, version, has_params):
    folder = tmp_path_factory.mktemp("bin")
    # Any of its arguments may ask for the version: the compiler is asked with its flags.
    compiler = f'case "$*" in *--version*) echo "{version}"; exit 0;; esac\nexec gcc "$@"'
    calls, cached = program(folder, "compiler", compiler), program(folder, "ccache", 'exec "$@"')
    path = os.pathsep.join([str(folder), os.environ["PATH"]])
    done = build(tree, CC=str(folder / "compiler"), PATH=path, GAMECORE_ONLY="duel", GAMECORE_DEBUG="1")
    assert done.returncode == 0, done.stdout + done.stderr
    (call,) = [line for line in calls.read_text(encoding="utf-8").splitlines() if " -c " in line and "/duel.c" in line]
    assert ("--param=inline-unit-growth" in call) == has_params
    assert sum(f"{folder / 'compiler'} " in line for line in cached.read_text(encoding="utf-8").splitlines()) == 3


@pytest.mark.parametrize(("name", "value", "message"), [
    ("CC", "no-such-compiler", "no C compiler 'no-such-compiler' is installed: apt install gcc"),
    ("GAMECORE_LEVELS", "v9", "GAMECORE_LEVELS: v9 is none of baseline"),
])  # fmt: skip
def test_what_there_is_not_is_one_line(tree, name, value, message):
    done = build(tree, **{name: value})
    assert (done.returncode, done.stderr.count("\n")) == (1, 1)
    assert done.stderr.startswith(f"gamecore: {message}")
