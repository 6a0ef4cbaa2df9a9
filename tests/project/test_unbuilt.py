"""A checkout that was never built says so, and what needs no kernel works in it."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import gamecore

MESSAGE = "gamecore is not built here (gamecore.kernels._cpu is missing): pip install -e . (or make demo)"


@pytest.fixture(scope="module")
def unbuilt(tmp_path_factory):
    """A copy of the package without compiled modules."""
    folder = tmp_path_factory.mktemp("unbuilt")
    ignored = shutil.ignore_patterns("*.so", "*.pyd", "__pycache__")
    shutil.copytree(Path(gamecore.__file__).parent, folder / "gamecore", ignore=ignored)
    return folder


def run(folder, *arguments):
    # A level that is chosen for these tests may not be in the copy.
    environment = os.environ | {"PYTHONPATH": str(folder), "GAMECORE_SIMD": ""}
    return subprocess.run(
        [sys.executable, *arguments], capture_output=True, text=True, check=False, env=environment, cwd=folder
    )


def test_what_needs_no_kernel_works(unbuilt):
    code = """
import gamecore
from gamecore import batch, errors
from gamecore.reference import duel, hearts, hexapawn, rows
print(gamecore.__file__)
print(batch.run(abs, [-1, 2], workers=2))
"""
    result = run(unbuilt, "-c", code)
    assert (result.returncode, result.stderr) == (0, "")
    file, answers = result.stdout.splitlines()
    assert Path(file).parents[1] == unbuilt
    assert answers == "[1, 2]"


@pytest.mark.parametrize("game", ["duel", "hexapawn", "rows", "hearts"])
def test_a_game_says_how_to_build_it(unbuilt, game):
    code = f"""
from gamecore.errors import GamecoreError, NotBuiltError
try:
    from gamecore import {game}
    {game}.solve({game}.random(rng=1))
except NotBuiltError as error:
    assert isinstance(error, ImportError) and isinstance(error, GamecoreError)
    print(error.module)
    print(error)
"""
    result = run(unbuilt, "-c", code)
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout.splitlines() == ["gamecore.kernels._cpu", MESSAGE]


def test_the_command_says_it_on_one_line_and_has_help(unbuilt):
    for arguments in (("duel", "SA:C2:A:-"), ("rows", "1", "2"), ("--build-info",)):
        result = run(unbuilt, "-m", "gamecore", *arguments)
        assert (result.returncode, result.stdout, result.stderr) == (2, "", f"gamecore: {MESSAGE}\n")
    assert run(unbuilt, "-m", "gamecore", "--help").returncode == 0


def test_a_kernel_that_is_missing_alone(unbuilt, tmp_path):
    shutil.copytree(unbuilt / "gamecore", tmp_path / "gamecore")
    for path in Path(gamecore.__file__).parent.glob("kernels/_*.so"):
        shutil.copy(path, tmp_path / "gamecore" / "kernels")
    for path in Path(gamecore.__file__).parent.glob("kernels/baseline/rows.*.so"):
        shutil.copy(path, tmp_path / "gamecore" / "kernels" / "baseline")
    result = run(tmp_path, "-m", "gamecore", "duel", "SA:C2:A:-")
    assert result.returncode == 2
    assert "(gamecore.kernels.baseline.duel is missing)" in result.stderr
