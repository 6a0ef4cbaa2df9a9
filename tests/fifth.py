"""Nim as a fifth built-in game, named ``fifth``: a package beside the duel's, made of ``examples/nim.py``."""

import atexit
import importlib
import shutil
import tempfile
from pathlib import Path

import pytest

import gamecore
from gamecore.game import _registry

PACKAGE = '''\
"""Nim, as any built-in game."""

from gamecore.contract import Analysis, MoveValue, Solution
from gamecore.fifth._game import GAME, Position

__all__ = ["GAME", "Analysis", "MoveValue", "Position", "Solution", "analyse", "parse", "random", "solve",
           "solve_iter", "solve_many"]

parse, random, solve, analyse = GAME.parse, GAME.random, GAME.solve, GAME.analyse
solve_many, solve_iter = GAME.batch.solve_many, GAME.batch.solve_iter


def __dir__():
    return sorted(__all__)
'''

_folder = Path(tempfile.mkdtemp(prefix="gamecore-fifth-"))
atexit.register(shutil.rmtree, _folder, ignore_errors=True)
_source = (Path(__file__).parents[1] / "examples" / "nim.py").read_text("utf-8")
(_folder / "fifth").mkdir()
(_folder / "fifth" / "__init__.py").write_text(PACKAGE)
(_folder / "fifth" / "_game.py").write_text(_source.replace('= "nim", "Nim"', '= "fifth", "Nim"'), "utf-8")
gamecore.__path__.append(str(_folder))
fifth = importlib.import_module("gamecore.fifth")


@pytest.fixture
def built_in(monkeypatch):
    """Let every tool know the game."""
    monkeypatch.setattr(_registry, "_registered", {})
    monkeypatch.setattr(_registry, "BUILT_IN", (*_registry.BUILT_IN, "fifth"))
