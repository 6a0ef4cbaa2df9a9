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


LIBRARY = """
from gamecore import batch, errors
from gamecore.errors import GamecoreError, NotBuiltError
from gamecore.reference import duel, hearts, hexapawn, rows
print(batch.run(abs, [-1, 2], workers=2), batch.__file__)
for game in ("duel", "hexapawn", "rows", "hearts"):
    try:
        exec(f"from gamecore import {game}; {game}.solve({game}.random(rng=1))")
    except NotBuiltError as error:
        assert isinstance(error, ImportError) and isinstance(error, GamecoreError)
        print(error.module, error)
"""
NAMED = f"gamecore.kernels._cpu {MESSAGE}\n"


@pytest.mark.parametrize(("words", "expected"), [
    (["-c", LIBRARY], (0, "[1, 2] {}/batch/__init__.py\n" + 4 * NAMED, "")),
    (["-m", "gamecore", "duel", "SA:C2:A:-"], (2, "", f"gamecore: {MESSAGE}\n")),
    (["-m", "gamecore", "--build-info"], (2, "", f"gamecore: {MESSAGE}\n")),
    (["-m", "gamecore", "--help"], (0, None, "")),
])  # fmt: skip
def test_what_needs_a_kernel_says_how_to_build_it(unbuilt, words, expected):
    done = python(*words, cwd=unbuilt, GAMECORE_SIMD="")  # a level that is chosen for these tests may not be there
    status, out, err = expected
    assert (done.returncode, done.stderr) == (status, err)
    assert out is None or done.stdout == out.format(unbuilt / "gamecore")


def test_a_kernel_that_is_missing_alone(unbuilt, tmp_path):
    shutil.copytree(unbuilt / "gamecore", tmp_path / "gamecore")
    for pattern in ("kernels/_*.so", "kernels/baseline/rows.*.so"):
        for path in (ROOT / "gamecore").glob(pattern):
            shutil.copy(path, tmp_path / path.relative_to(ROOT))
    result = python("-m", "gamecore", "duel", "SA:C2:A:-", cwd=tmp_path, GAMECORE_SIMD="")
    assert result.returncode == 2
    assert "(gamecore.kernels.baseline.duel is missing)" in result.stderr
