"""The build: what each kernel depends on, and that nothing is compiled twice. In a copy with one small module."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
NAMES = ("_cpu.pyx", "simd/cpu.h", "common/bits.pxd", "simd/bits.h")


@pytest.fixture
def tree(tmp_path):
    """A project of two kernels and the module that reads the processor."""
    for name in ("setup.py", "pyproject.toml", "README.md", "LICENSE"):
        shutil.copyfile(ROOT / name, tmp_path / name)
    for name in NAMES:
        (tmp_path / "pyx" / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / "pyx" / name, tmp_path / "pyx" / name)
    shutil.copytree(ROOT / "gamecore", tmp_path / "gamecore", ignore=shutil.ignore_patterns("*.so", "__pycache__"))
    for game in ("one", "two"):
        (tmp_path / "pyx" / game).mkdir()
        (tmp_path / "pyx" / game / "part.pxi").write_text("def answer():\n    return 1\n")
        (tmp_path / "pyx" / f"{game}.pyx").write_text(f'include "{game}/part.pxi"\n')
        (tmp_path / "pyx" / "simd" / f"{game}_c.h").write_text("")
    return tmp_path


def build(tree, **environment):
    command = [sys.executable, "setup.py", "--quiet", "build_ext", "--inplace"]
    given = {name: value for name, value in os.environ.items() if not name.startswith("GAMECORE_")}
    environment = {**given, "GAMECORE_LEVELS": "baseline", "CFLAGS": "-O0", **environment}
    return subprocess.run(command, cwd=tree, env=environment, capture_output=True, text=True, check=False, timeout=600)


def compiled(tree, **environment):
    """The names of what a build compiles."""
    done = build(tree, **environment)
    assert done.returncode == 0, done.stdout + done.stderr
    return {line.split()[2].rstrip(",") for line in done.stdout.splitlines() if " compiled " in line and "," in line}


@pytest.mark.nightly
def test_only_what_has_changed_is_compiled_and_that_is_said(tree):
    shared = {"_shared", "_cpu"}
    assert compiled(tree) == {"baseline.one", "baseline.two", *shared}
    assert "all 4 compiled modules are up to date" in build(tree).stdout
    for name, expected in (
        ("one/part.pxi", {"baseline.one"}),
        ("simd/two_c.h", {"baseline.two"}),
        ("common/bits.pxd", {"baseline.one", "baseline.two"}),
    ):
        path = tree / "pyx" / name
        text = path.read_text()
        path.write_text(text + "\n")
        assert compiled(tree) == expected, name
        path.write_text(text)
        assert compiled(tree) == set(), name  # from the cache
    # Another tree with the same contents, which uses the cache, compiles nothing.
    other = tree.parent / "other"
    shutil.copytree(tree, other, ignore=shutil.ignore_patterns("build", "*.so"))
    assert compiled(other, GAMECORE_CACHE=str(tree / "build" / "cache")) == set()
    assert list(other.glob("gamecore/kernels/baseline/one.*"))


def test_a_build_deletes_nothing_in_the_cache(tree):
    """Other builds may use it at the same time."""
    cache = tree / "shared-cache"
    cache.mkdir()
    for number in range(1000):
        (cache / f"module-of-another-build-{number}").touch()
    done = build(tree, GAMECORE_ONLY="none", GAMECORE_CACHE=str(cache))
    assert done.returncode == 0, done.stdout + done.stderr
    assert len(list(cache.glob("module-of-another-build-*"))) == 1000
    assert len(list(cache.iterdir())) > 1000


def test_a_missing_compiler_is_one_line(tree):
    done = build(tree, CC="no-such-compiler")
    assert done.returncode == 1
    assert done.stderr.startswith("gamecore: the C compiler 'no-such-compiler' is not installed: apt install gcc")
    assert done.stderr.count("\n") == 1


def test_an_unknown_level_names_those_that_there_are(tree):
    done = build(tree, GAMECORE_LEVELS="v9")
    assert done.returncode == 1
    assert done.stderr.startswith("gamecore: GAMECORE_LEVELS: v9 is none of baseline")
