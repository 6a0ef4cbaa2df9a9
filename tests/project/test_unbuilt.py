"""A checkout that was never built says so, and what needs no kernel works in it."""

import shutil
from pathlib import Path

import pytest
from command import ROOT, python

MESSAGE = "gamecore is not built here (gamecore.kernels._cpu is missing): pip install -e . (or make demo)"


def run(folder, *arguments):
    """Python there; a CPU level that is chosen for these tests may not be in the copy."""
    return python(*arguments, cwd=folder, GAMECORE_SIMD="")


@pytest.fixture(scope="module")
def unbuilt(tmp_path_factory):
    """A copy of the package without compiled modules."""
    folder = tmp_path_factory.mktemp("unbuilt")
    ignored = shutil.ignore_patterns("*.so", "*.pyd", "__pycache__")
    shutil.copytree(ROOT / "gamecore", folder / "gamecore", ignore=ignored)
    return folder


def test_what_needs_no_kernel_works(unbuilt):
    code = (
        "import gamecore\nfrom gamecore import batch, errors\n"
        "from gamecore.reference import duel, hearts, hexapawn, rows\n"
        "print(gamecore.__file__)\nprint(batch.run(abs, [-1, 2], workers=2))\n"
    )
    result = run(unbuilt, "-c", code)
    assert (result.returncode, result.stderr) == (0, "")
    file, answers = result.stdout.splitlines()
    assert Path(file).parents[1] == unbuilt
    assert answers == "[1, 2]"


@pytest.mark.parametrize("game", ["duel", "hexapawn", "rows", "hearts"])
def test_a_game_says_how_to_build_it(unbuilt, game):
    code = (
        "from gamecore.errors import GamecoreError, NotBuiltError\n"
        f"try:\n    from gamecore import {game}\n    {game}.solve({game}.random(rng=1))\n"
        "except NotBuiltError as error:\n"
        "    print(error.module, isinstance(error, ImportError) and isinstance(error, GamecoreError), error)\n"
    )
    result = run(unbuilt, "-c", code)
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout == f"gamecore.kernels._cpu True {MESSAGE}\n"


def test_the_command_says_it_on_one_line_and_has_help(unbuilt):
    for arguments in (("duel", "SA:C2:A:-"), ("rows", "1", "2"), ("--build-info",)):
        result = run(unbuilt, "-m", "gamecore", *arguments)
        assert (result.returncode, result.stdout, result.stderr) == (2, "", f"gamecore: {MESSAGE}\n")
    assert run(unbuilt, "-m", "gamecore", "--help").returncode == 0


def test_a_kernel_that_is_missing_alone(unbuilt, tmp_path):
    shutil.copytree(unbuilt / "gamecore", tmp_path / "gamecore")
    for pattern in ("kernels/_*.so", "kernels/baseline/rows.*.so"):
        for path in (ROOT / "gamecore").glob(pattern):
            shutil.copy(path, tmp_path / path.relative_to(ROOT))
    result = run(tmp_path, "-m", "gamecore", "duel", "SA:C2:A:-")
    assert result.returncode == 2
    assert "(gamecore.kernels.baseline.duel is missing)" in result.stderr
