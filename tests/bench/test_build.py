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
MODULES = {"_shared", "_cpu"}
EVERY = {"baseline.duel", "baseline.rows", *MODULES}
#: A compiler that compiles nothing, quickly; the program that setup.py asks for the CPU level says that of LEVEL.
COMPILER = """case "$*" in *--version*) echo "$VERSION"; exit 0;; esac
for word in "$@"; do
    if [ "$last" = -o ]; then printf '#!/bin/sh\nexit $LEVEL\n' > "$word"; chmod +x "$word"; fi
    last=$word
done"""
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
    for game in ("duel", "rows"):
        (tmp_path / "pyx" / game).mkdir()
        (tmp_path / "pyx" / game / "part.pxi").write_text(PART)
        (tmp_path / "pyx" / f"{game}.pyx").write_text(f'include "{game}/part.pxi"\n')
        (tmp_path / "pyx" / "simd" / f"{game}_c.h").write_text("")
    return tmp_path


@pytest.fixture
def calls(tmp_path_factory, monkeypatch):
    """Put the compiler that compiles nothing into the place of the real one, and return the log of its calls."""
    if sys.platform == "win32":
        pytest.skip("the compiler is a shell script")
    folder = tmp_path_factory.mktemp("bin")
    for name, value in (("CC", str(folder / "compiler")), ("VERSION", "clang"), ("LEVEL", "4")):
        monkeypatch.setenv(name, value)
    return program(folder, "compiler", COMPILER)


def program(folder, name, script):
    """Write a program that logs its arguments, and return its log."""
    path, log = folder / name, folder / f"{name}.log"
    path.write_text(f'#!/bin/sh\necho "$@" >> {log}\n{script}\n', encoding="utf-8")
    path.chmod(0o755)
    log.touch()
    return log


def run(tree, *words, **environment):
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("GAMECORE_")}
    environment = {**inherited, "GAMECORE_LEVELS": "baseline", "CFLAGS": "-O0", "CCACHE_DISABLE": "1", **environment}
    command = [sys.executable, *words]
    return subprocess.run(command, cwd=tree, env=environment, capture_output=True, text=True, check=False, timeout=600)


def build(tree, **environment):
    return run(tree, "setup.py", "--quiet", "build_ext", "--inplace", **environment)


def compiled(tree, **environment):
    """Build, and return the modules that were compiled: those that the build names."""

    def written():
        return {path: path.stat().st_mtime_ns for path in tree.glob("build/inplace/gamecore/kernels/**/*.so")}

    before = written()
    done = build(tree, **environment)
    assert done.returncode == 0, done.stdout + done.stderr
    new = {path for path, time in written().items() if before.get(path) != time}
    names = {".".join([*path.relative_to(tree).parts[4:-1], path.name.partition(".")[0]]) for path in new}
    assert sorted(done.stdout.splitlines()) == sorted(f"gamecore: gamecore.kernels.{name} is built" for name in names)
    return names


def in_place(tree, name):
    """Return the levels of a kernel whose modules are in the package."""
    return sorted(path.parent.name for path in tree.glob(f"gamecore/kernels/*/{name}.*.so"))


@pytest.mark.nightly
@pytest.mark.usefixtures("calls")
def test_only_what_has_changed_is_compiled(tree):
    assert compiled(tree) == EVERY
    assert compiled(tree) == set()
    for name, expected in (
        ("pyx/duel/part.pxi", {"baseline.duel"}),
        ("pyx/simd/rows_c.h", {"baseline.rows"}),
        ("pyx/common/bits.pxd", {"baseline.duel", "baseline.rows"}),
        ("pyx/simd/bits.h", EVERY),
    ):
        with (tree / name).open("a", encoding="utf-8") as file:
            file.write("\n")
        assert compiled(tree) == expected, name
        assert compiled(tree) == set(), name
    assert compiled(tree, GAMECORE_DEBUG="1") == EVERY
    assert compiled(tree) == EVERY  # other flags, though the modules are newer than the sources
    assert compiled(tree, VERSION="clang 2") == EVERY


@pytest.mark.usefixtures("calls")
def test_an_editable_install_compiles_nothing_that_is_built(tree):
    """Pip calls this function; with a compiler that fails it succeeds."""
    code = "from setuptools import build_meta; build_meta.build_editable('.')"
    assert compiled(tree) == EVERY
    strict = code.replace("'.'", "'.', {'editable_mode': 'strict'}")
    done = run(tree, "-c", strict, CC=shutil.which("false"))
    assert (done.returncode, "is built" in done.stdout) == (0, False), done.stdout + done.stderr
    links = {path.name.partition(".")[0] for path in tree.glob("build/__editable__*/gamecore/kernels/**/*.so")}
    assert links == {"duel", "rows", *MODULES}
    (tree / "pyx" / "duel" / "part.pxi").write_text(PART + "\n")
    done = run(tree, "-c", code)
    assert [line for line in done.stdout.splitlines() if line.startswith("gamecore: ")] == [
        "gamecore: gamecore.kernels.baseline.duel is built"
    ]


@on_x86_64
@pytest.mark.usefixtures("calls")
def test_best_is_the_highest_level_of_each_kernel_that_runs_here(tree):
    assert compiled(tree, GAMECORE_LEVELS="best") == {"v3.duel", "v4.rows", *MODULES}
    assert compiled(tree, GAMECORE_LEVELS="best", LEVEL="3") == {"v3.rows"}
    (tree / "pyx" / "duel" / "part.pxi").write_text(PART + "\n")
    assert compiled(tree, GAMECORE_LEVELS="best", LEVEL="1") == {"baseline.duel", "baseline.rows"}
    # A module of the old sources would answer as they did.
    assert (in_place(tree, "duel"), in_place(tree, "rows")) == (["baseline"], ["baseline", "v3", "v4"])


def test_windows_compiles_with_mingw(tree):
    """MSVC does not know the kernels' vector types."""
    code = (
        "import sys; from distutils.core import run_setup; dist = run_setup('setup.py', ['build_ext'], 'commandline')\n"
        "sys.platform = 'win32'; command = dist.get_command_obj('build_ext'); command.ensure_finalized()\n"
        "print(command.compiler)"
    )
    done = run(tree, "-c", f"import setuptools; {code}")
    assert done.stdout == "mingw32\n", done.stderr


@on_x86_64
@pytest.mark.nightly
def test_a_kernel_is_translated_once_and_compiled_for_its_levels(tree):
    assert compiled(tree, GAMECORE_LEVELS="") == {"v3.duel", "v3.rows", "v4.rows", *EVERY}  # v4: hearts and rows alone
    assert sorted(path.name for path in tree.glob("build/cython/**/*.c")) == ["_cpu.c", "_shared.c", "duel.c", "rows.c"]
    code = "from gamecore import kernels; print(*[kernels.kernel('duel', n).__name__[17:] for n in kernels.LEVELS])"
    assert python("-c", code, cwd=tree, GAMECORE_SIMD="").stdout == "baseline.duel v3.duel v3.duel\n"
    stale = tree / "gamecore" / "kernels" / "v4" / "duel.cpython-of-an-earlier-version.so"
    stale.touch()
    assert compiled(tree, GAMECORE_LEVELS="v3") == set()
    assert not stale.exists()
    assert compiled(tree, GAMECORE_NO_SIMD="1") == set()
    assert not list(tree.glob("gamecore/kernels/v3/*.so"))


@pytest.mark.parametrize(("version", "has_params"), [
    ("Free Software Foundation", True), pytest.param("clang", False, marks=pytest.mark.nightly),
])  # fmt: skip
def test_the_compiler_in_use_decides_about_flags_and_ccache_is_used(tree, calls, version, has_params):
    cached = program(calls.parent, "ccache", 'exec "$@"')
    path = os.pathsep.join([str(calls.parent), os.environ["PATH"]])
    done = build(tree, VERSION=version, PATH=path, GAMECORE_ONLY="duel", GAMECORE_DEBUG="1")
    assert done.returncode == 0, done.stdout + done.stderr
    (call,) = [line for line in calls.read_text(encoding="utf-8").splitlines() if " -c " in line and "/duel.c" in line]
    assert ("--param=inline-unit-growth" in call) == has_params
    compiler = f"{calls.parent / 'compiler'} "
    assert sum(compiler in line for line in cached.read_text(encoding="utf-8").splitlines()) == 3


@pytest.mark.parametrize(("name", "value", "message"), [
    ("CC", "no-such-compiler", "no C compiler 'no-such-compiler' is installed: apt install gcc"),
    ("GAMECORE_LEVELS", "v9", "GAMECORE_LEVELS: v9 is none of baseline"),
])  # fmt: skip
def test_what_there_is_not_is_one_line(tree, name, value, message):
    done = build(tree, **{name: value})
    assert (done.returncode, done.stderr.count("\n")) == (1, 1)
    assert done.stderr.startswith(f"gamecore: {message}")
