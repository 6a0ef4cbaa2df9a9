"""The gates bite: a kernel made slower fails `make compare`, another order of moves fails the signatures.

A copy of the project is built with a search that was made worse on purpose.
"""

import contextlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
COPIED = ["conftest.py", "pyproject.toml", "setup.py", "README.md", "LICENSE", "Makefile", "pyx", "gamecore"]
COPIED += ["benchmarks", "tools", "tests/data", "tests/conftest.py", "tests/bench/test_signatures.py"]
LEFT_OUT = ("results", "__pycache__", "duel.*.so")
LIMIT = 6
CASE = "duel and (5-20) and not full"

# What is put behind a line of the search: children are made 5000 times more, or are tried in the opposite order.
SEARCH = "pyx/duel/search.pxi"
CHILDREN = "    count = make_children(search, s, children, scores, win_test)\n"
SLOWER = CHILDREN + "    for i in range(5000):\n    " + CHILDREN
SCORE = "        score = scores[i] + (1000 if child.attacks == s.attacks else 0)\n"
OTHER_ORDER = SCORE + "        score = -score\n"


@pytest.fixture(scope="module")
def debug_copy(tmp_path_factory):
    """A copy of the project with a debug build of the duel; the other kernels as they are."""
    copy = tmp_path_factory.mktemp("debug") / "gamecore"
    for name in COPIED:
        source, target = ROOT / name, copy / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, target, ignore=shutil.ignore_patterns(*LEFT_OUT))
        else:
            shutil.copyfile(source, target)
    for kernel in [*copy.glob("gamecore/kernels/v3/*.so"), *copy.glob("gamecore/kernels/v4/*.so")]:
        kernel.unlink()
    build(copy)
    return copy


def build(copy):
    built = run(copy, sys.executable, "setup.py", "-q", "build_ext", "--inplace", GAMECORE_ONLY="duel")
    assert built.returncode == 0, built.stderr[-3000:]


@contextlib.contextmanager
def patched(copy, line, replacement):
    """The copy with another search."""
    path = copy / SEARCH
    text = path.read_text(encoding="utf-8")
    assert text.count(line) == 1
    path.write_text(text.replace(line, replacement), encoding="utf-8")
    try:
        build(copy)
        yield
    finally:
        path.write_text(text, encoding="utf-8")
    build(copy)


def run(copy, *command, **environment):
    environment = {
        **os.environ,
        "GAMECORE_DEBUG": "1",
        "GAMECORE_LEVELS": "baseline",
        "GAMECORE_SIMD": "baseline",
        "PYTHONPATH": os.pathsep.join([str(copy), *sys.path]),
        **environment,
    }
    return subprocess.run(
        command, cwd=copy, env=environment, capture_output=True, text=True, check=False, timeout=600
    )


def compare(copy, **environment):
    """`make compare` in the environment of the tests; its limit is wide, for machines that run tests are noisy."""
    binaries = f"BIN={Path(sys.executable).parent}"
    options = f"ARGS=--results {copy / 'saved'} --limit {LIMIT} -k '{CASE}'"
    return run(copy, "make", "-s", "-o", ".stamp-test", binaries, options, "compare", **environment)


@pytest.mark.slow
def test_a_slower_kernel_fails_compare(debug_copy):
    saved = run(
        debug_copy, sys.executable, "benchmarks/baseline.py", "save", "--allow-debug", "--results", "saved", "-k", CASE
    )
    assert saved.returncode == 0, saved.stdout + saved.stderr
    same = compare(debug_copy)
    assert same.returncode == 0, same.stdout + same.stderr
    with patched(debug_copy, CHILDREN, SLOWER):
        slower = compare(debug_copy)
    assert slower.returncode == 2, slower.stdout + slower.stderr  # make's own status for a command that failed
    assert "SLOWER" in slower.stdout
    assert "1 slower by more than 6.0, 0 missing" in slower.stdout
    benchmark = debug_copy / "benchmarks" / "test_duel.py"
    text = benchmark.read_text(encoding="utf-8")
    try:
        benchmark.write_text(text.replace("def test_native(", "def test_renamed("), encoding="utf-8")
        missing = compare(debug_copy)
    finally:
        benchmark.write_text(text, encoding="utf-8")
    assert missing.returncode == 2
    assert "MISSING  benchmarks/test_duel.py::test_native[5-20]" in missing.stdout


@pytest.mark.slow
def test_another_order_of_moves_fails_the_signatures(debug_copy):
    command = (sys.executable, "-m", "pytest", "-q", "tests/bench/test_signatures.py", "-k", "stored")
    same = run(debug_copy, *command)
    assert same.returncode == 0, same.stdout[-3000:]
    assert "1 passed" in same.stdout
    with patched(debug_copy, SCORE, OTHER_ORDER):
        other = run(debug_copy, *command)
    assert other.returncode == 1, other.stdout[-3000:]
    assert "duel: random n=8, 20 deals: {'nodes': " in other.stdout
    assert "if this was meant: make signatures" in other.stdout
    assert "rows: " not in other.stdout
