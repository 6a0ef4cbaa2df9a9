"""A game of one's own on the page: registered, it is shown, played, analysed and copied as the built-in ones are."""

import contextlib
import io
import json
import sys
from pathlib import Path

import pytest

from gamecore import cli, game
from gamecore.apps.explore import _server
from gamecore.game import _registry

FILE = Path(__file__).parents[2] / "examples" / "nim.py"
START = {"game": "nim", "position": "A:1.2.4"}


@pytest.fixture
def nim(monkeypatch):
    """Nim, which only this test knows."""
    monkeypatch.setattr(_registry, "_registered", {})
    monkeypatch.delitem(sys.modules, "nim", raising=False)  # other tests keep theirs
    return game.load(str(FILE))


def test_it_is_listed(ask, nim):
    (found,) = [one for one in ask("/api/hello")["games"] if one["game"] == "nim"]
    assert (found["title"], found["start"], found["sides"]) == ("Nim", nim.example, ["A", "B"])
    assert [one["player"] for one in found["players"]] == ["solver", "random"]
    assert [one["name"] for one in found["random"]] == ["piles", "plies"]


def test_it_is_shown_and_played(ask, nim):
    before, after = ask("/api/position", **START, moves=["3x1"])["views"]
    assert "3: ||||" in before["text"]
    assert before["to_move_text"] == "A to move"
    assert (after["position"], after["legal_moves"][0]) == ("B:1.2.3", "1x1")
    assert ask("/api/build", game="nim", draft=before["draft"])["view"] == before
    assert ask("/api/parse", text="A:1.2.4")["view"] == before
    assert len(ask("/api/random", game="nim", options={"piles": 5}, seed=1)["view"]["draft"]["piles"]) == 5
    moved = ask("/api/move", **START, player="solver")
    assert (moved["move"], moved["exact"], moved["view"]) == ("3x1", True, after)
    over = ask("/api/position", game="nim", position="B:0.0")["views"][0]
    assert over["result"] == "B loses 1 point"


def test_it_is_analysed(ask, nim):
    events = ask("/api/analyse", **START)
    (values,) = [data for name, data in events if name == "values"]
    assert values["best_moves"] == ["3x1"]
    assert values["position_value"]["words"] == "A wins 1 point"
    lines = {data["move"]: data["line"] for name, data in events if name == "line"}
    assert set(lines) == set(nim.parse("A:1.2.4").legal_moves())
    assert events[-1][1]["reason"] == "exact"
    wrong = ask("/api/refute", **START, move="1x1")
    assert (wrong["verdict"], wrong["best"]["move"]) == ("wrong", "3x1")


def test_it_is_copied(ask, nim):
    found = json.loads(json.dumps(ask("/api/copy", **START, moves=True)))
    assert found["svg"].startswith("<svg")
    assert found["notation"] == "A:1.2.4"
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(found["python"], {})
    position = nim.parse("A:1.2.4")
    assert printed.getvalue() == f"{nim.solve(position)}\n{nim.analyse(position)}\n"


def test_the_command_serves_a_file_of_ones_own(nim, monkeypatch, capsys):
    monkeypatch.setattr(_registry, "_registered", {})
    monkeypatch.delitem(sys.modules, "nim", raising=False)  # other tests keep theirs
    monkeypatch.setattr(_server, "make_server", lambda *_: type("Server", (), {"run": lambda self, sockets: None})())
    words = ["--game", str(FILE), "explore", "nim", "A:1.2", "--no-browser", "--port", "0"]
    assert cli.main(words) == 0
    assert capsys.readouterr().out.endswith("&game=nim&position=A:1.2\n")
