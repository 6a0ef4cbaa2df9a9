"""Subcommands of a game of one's own: ``Game.commands``."""

import json
import pickle
import sys
from pathlib import Path

import pytest
from command import said

from gamecore import game
from gamecore.errors import GamecoreError
from gamecore.game import _registry

NIM = Path(__file__).parents[2] / "examples" / "nim.py"
SIZES = """

def _sizes(args):
    for position in args.positions:
        print(args.word, position.to_text(), args.limits.nodes)
    return 3


Nim.commands = (game.Command("sizes", "piles", lambda parser: parser.add_argument("--word"), _sizes, reads=True),)
"""
SAID = (3, "w A:1.2 7\n", "")


@pytest.mark.parametrize(
    ("arguments", "stdin", "expected"),
    [
        (["sizes", "--word", "w", "--node-limit", "7", "A:1.2"], "", SAID),
        (["sizes", "--word", "w", "--node-limit", "7"], "A:1.2\n\n", SAID),
        (["sizes"], "\n", (2, "", "gamecore: no position: the input is empty\n")),
        (["solve", "A:1.2"], "", (0, "+1\n", "")),
        ([], "", (2, "", "gamecore nim: one of sizes, solve is needed (see gamecore nim --help)\n")),
    ],
)
def test_a_command_reads_positions_and_limits(tmp_path, monkeypatch, arguments, stdin, expected):
    monkeypatch.setattr(_registry, "_registered", {})
    path = tmp_path / "nim.py"
    path.write_text(NIM.read_text(encoding="utf-8") + SIZES)
    assert said("--game", path, "nim", *arguments, stdin=stdin) == expected


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
