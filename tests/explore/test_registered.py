"""A game of one's own on the page: registered, it is shown, played, analysed and copied as the built-in ones are."""

import contextlib
import io
import re
import sys
from pathlib import Path

import pytest
from explore.answers import refused
from kit.games import Points, Track  # pytest's pythonpath has the folder of tests

from gamecore import explore, game, kit
from gamecore.game import BUILT_IN, _registry

STATIC = Path(explore.__file__).parent / "static"
FILE = Path(__file__).parents[2] / "examples" / "nim.py"
START = {"game": "nim", "position": "A:1.2.4"}


@pytest.fixture(autouse=True)
def registered(monkeypatch):
    """No games but those that the test registers."""
    monkeypatch.setattr(_registry, "_registered", {})
    for name in ("nim", "guess"):
        monkeypatch.delitem(sys.modules, name, raising=False)  # other tests keep theirs


def about(ask, name):
    """What the page is told of a game at first."""
    (entry,) = [entry for entry in ask("hello")["games"] if entry["game"] == name]
    return entry


def registered_kit(rules):
    made = kit.make(rules)
    game.register(made)
    return made


def test_it_is_shown_played_analysed_and_copied(ask):
    nim = game.load(str(FILE))
    entry = about(ask, "nim")
    assert (entry["title"], entry["start"], entry["sides"]) == ("Nim", nim.example, ["A", "B"])
    assert [player["player"] for player in entry["players"]] == ["solver", "random"]
    assert [option["name"] for option in entry["random"]] == ["piles", "plies"]
    before, after = ask("position", **START, moves=["3x1"])["views"]
    assert "3: ||||" in ask("picture", **START, width=320)["svg"]
    assert (before["to_move_text"], after["position"], after["legal_moves"][0]) == ("A to move", "B:1.2.3", "1x1")
    assert ask("build", game="nim", draft=before["draft"])["view"] == before
    assert ask("parse", text="A:1.2.4")["view"] == before
    assert len(ask("random", game="nim", options={"piles": 5}, seed=1)["view"]["draft"]["piles"]) == 5
    moved = ask("move", **START, player="solver")
    assert (moved["move"], moved["exact"], moved["view"]) == ("3x1", True, after)
    assert ask("position", game="nim", position="B:0.0")["views"][0]["result"] == "B loses 1 point"
    events = ask("analyse", **START)
    (values,) = [data for name, data in events if name == "values"]
    assert (values["best_moves"], values["position_value"]["words"]) == (["3x1"], "A wins 1 point")
    lines = {data["move"] for name, data in events if name == "line"}
    assert (lines, events[-1][1]["reason"]) == (set(before["legal_moves"]), "exact")
    wrong = ask("refute", **START, move="1x1")
    assert (wrong["verdict"], wrong["best"]["move"]) == ("wrong", "3x1")
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(ask("copy", **START, moves=True)["python"], {})
    position = nim.parse("A:1.2.4")
    assert printed.getvalue() == f"{nim.solve(position)}\n{nim.analyse(position)}\n"


def test_a_game_with_seats_and_panels_has_them(ask):
    game.load(str(Path(__file__).parent / "guess.py"))
    entry = about(ask, "guess")
    assert (entry["seats"], entry["side_names"]) == (2, ["seat 0", "seat 1"])
    (panel,) = entry["panels"]
    assert (panel["panel"], panel["title"], panel["open"]) == ("sums", "Sums", True)
    assert panel["options"] == [
        {"name": "factor", "title": "Factor", "default": 2, "type": "integer", "least": 1, "most": 9}
    ]
    answer = ask("position", game="guess", position="0:0", moves=["3"], seat=1)
    assert answer["moves"][0].startswith("hidden.")
    before, after = answer["views"]
    assert (before["legal_moves"], after["legal_moves"], after["draft"]) == ([], ["1", "2", "3"], None)
    asked = {"game": "guess", "position": after["position"], "seat": 1}
    assert "3" not in after["label"]
    assert "number  ?" in ask("picture", **asked, width=320)["svg"]
    assert ask("panel", **asked, panel="sums") == {"product": "unknown", "board": "number  ?\nguess   0"}
    assert ask("panel", **(asked | {"seat": 0}), panel="sums", options={"factor": 3})["product"] == 9
    asked["position"] = "0:0"
    assert "nothing to show" in refused(ask, "panel", **asked, panel="sums").message


def test_the_page_counts_what_moves_gained(ask):
    coins = registered_kit(Points)
    moves, position = [], coins.start()
    while not position.is_over:
        moves.append(position.legal_moves()[-1])
        position = position.play(moves[-1])
    first = sum(Points.coins[:2]) + Points.coins[4]
    view = ask("position", game="points", position="A:0", moves=moves)["views"][-1]
    assert view["result"] == f"B loses {sum(Points.coins) - first} to {first}"
    assert ask("position", game="points", position=view["position"])["views"][0]["result"] == view["result"]


def test_the_page_values_a_game_with_cycles_and_many_positions(ask):
    track = registered_kit(Track)
    events = ask("analyse", game="track", position="A:10000", seconds=20)
    assert [data for name, data in events if name == "values"][-1]["exact"]
    assert events[-1][1]["nodes"] == track.solve("A:10000", line=False).nodes  # each position once


@pytest.mark.parametrize("rules", [Points, Track])
def test_a_kit_game_is_shown_without_more(ask, rules):
    name = registered_kit(rules).name
    entry = about(ask, name)
    assert (entry["seats"], entry["panels"], entry["side_names"]) == (0, [], ["A", "B"])
    assert ask("random", game=name, options={})["view"]["legal_moves"]
    (view,) = ask("position", game=name, position=entry["start"])["views"]
    assert ask("build", game=name, draft=view["draft"])["view"] == view
    assert ask("picture", game=name, position=entry["start"], width=320)["svg"].startswith("<svg")
    assert ask("copy", game=name, position=entry["start"])["judge"] == f"{entry['start']}\n"


def test_the_page_knows_games_by_what_the_server_says():
    texts = {path.name: path.read_text(encoding="utf-8") for path in STATIC.glob("*.js")}
    assert [name for name, text in texts.items() for game in BUILT_IN if f'"{game}"' in text] == []


def test_a_screen_has_only_members_that_the_page_asks_for():
    asking = [path.read_text(encoding="utf-8") for path in STATIC.parent.glob("_*.py") if path.name != "_screen.py"]
    members = [name for name in dir(explore.Screen) if not name.startswith("_")]
    assert [name for name in members if not re.search(rf"\.{name}\b", "".join(asking))] == []
    assert len(members) == 14
