"""A checkout that was never built says so, and what needs no kernel works in it."""

import shutil

import pytest
from command import ROOT, python

MESSAGE = "gamecore is not built here (gamecore.kernels._cpu is missing): pip install -e . (or make demo)"


@pytest.fixture(scope="module")
def unbuilt(tmp_path_factory):
    """A copy of the package without compiled modules."""
    folder = tmp_path_factory.mktemp("unbuilt")
    ignored = shutil.ignore_patterns("*.so", "*.pyd", "__pycache__")
    shutil.copytree(ROOT / "gamecore", folder / "gamecore", ignore=ignored)
    return folder


FREE = """
from gamecore import batch, errors
from gamecore.reference import duel, hearts, hexapawn, rows
print(batch.run(abs, [-1, 2], workers=2), batch.__file__)
"""
NAMED = """
from gamecore.errors import GamecoreError, NotBuiltError
try:
    from gamecore import {0}
    {0}.solve({0}.random(rng=1))
except NotBuiltError as error:
    print(error.module, isinstance(error, ImportError) and isinstance(error, GamecoreError), error)
"""
COMMANDS = ["duel", "SA:C2:A:-"], ["rows", "1", "2"], ["--build-info"]


@pytest.mark.parametrize(("words", "expected"), [
    (["-c", FREE], (0, "[1, 2] {}/batch/__init__.py", "")),
    *((["-c", NAMED.format(game)], (0, f"gamecore.kernels._cpu True {MESSAGE}", ""))
      for game in ("duel", "hexapawn", "rows", "hearts")),
    *((["-m", "gamecore", *words], (2, "", f"gamecore: {MESSAGE}")) for words in COMMANDS),
])  # fmt: skip
def test_what_needs_a_kernel_says_how_to_build_it(unbuilt, words, expected):
    done = python(*words, cwd=unbuilt, GAMECORE_SIMD="")  # a level that is chosen for these tests may not be there
    status, out, err = expected
    assert (done.returncode, done.stdout.strip(), done.stderr.strip()) == (
        status,
        out.format(unbuilt / "gamecore"),
        err,
    )
    assert python("-m", "gamecore", "--help", cwd=unbuilt).returncode == 0


def test_a_kernel_that_is_missing_alone(unbuilt, tmp_path):
    shutil.copytree(unbuilt / "gamecore", tmp_path / "gamecore")
    for pattern in ("kernels/_*.so", "kernels/baseline/rows.*.so"):
        for path in (ROOT / "gamecore").glob(pattern):
            shutil.copy(path, tmp_path / path.relative_to(ROOT))
    result = python("-m", "gamecore", "duel", "SA:C2:A:-", cwd=tmp_path, GAMECORE_SIMD="")
    assert result.returncode == 2
    assert "(gamecore.kernels.baseline.duel is missing)" in result.stderr
