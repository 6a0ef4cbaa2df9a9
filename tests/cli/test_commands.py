"""``gamecore --game FILE``: a game of one's own."""

import json
import pickle
import sys
from pathlib import Path

import pytest

from gamecore import game
from gamecore.errors import GamecoreError
from gamecore.game import _registry

NIM = Path(__file__).parents[2] / "examples" / "nim.py"


def test_a_file_is_loaded_once_and_takes_no_other_module_away(tmp_path, monkeypatch):
    monkeypatch.setattr(_registry, "_registered", {})
    path = tmp_path / "json.py"  # named as a module that is in use
    path.write_text(NIM.read_text(encoding="utf-8"))
    first = game.load(str(path))
    assert game.load(str(tmp_path / ".." / tmp_path.name / "json.py")) is first
    assert sys.modules["json"] is json
    position = first.start()
    assert pickle.loads(pickle.dumps(position)) == position
    path.with_name("bad.py").write_text("1 / 0\n")
    for _ in range(2):  # what failed is not kept
        with pytest.raises(GamecoreError, match="ZeroDivisionError"):
            game.load(str(path.with_name("bad.py")))
