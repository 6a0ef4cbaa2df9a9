"""A game of one's own on the page: registered, it is shown, played, analysed and copied as the built-in ones are."""

import contextlib
import io
import json
import re
import sys
from pathlib import Path

import pytest
from kit.games import Points, Track  # pytest's pythonpath has the folder of tests

from gamecore import cli, explore, game, kit
from gamecore.apps.explore import _server
from gamecore.apps.explore._errors import ApiError
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


@pytest.fixture
def nim():
    return game.load(str(FILE))


def made_of(rules):
    """A kit game, registered."""
    found = kit.make(rules)
    game.register(found)
    return found


def test_it_is_listed(ask, nim):
    (found,) = [one for one in ask("/api/hello")["games"] if one["game"] == "nim"]
    assert (found["title"], found["start"], found["sides"]) == ("Nim", nim.example, ["A", "B"])
    assert [one["player"] for one in found["players"]] == ["solver", "random"]
    assert [one["name"] for one in found["random"]] == ["piles", "plies"]


def test_it_is_shown_and_played(ask, nim):
    before, after = ask("/api/position", **START, moves=["3x1"])["views"]
    assert "3: ||||" in ask("/api/picture", **START, width=320)["svg"]
    assert (before["to_move_text"], after["position"], after["legal_moves"][0]) == ("A to move", "B:1.2.3", "1x1")
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
    assert (values["best_moves"], values["position_value"]["words"]) == (["3x1"], "A wins 1 point")
    lines = {data["move"]: data["line"] for name, data in events if name == "line"}
    assert (set(lines), events[-1][1]["reason"]) == (set(nim.parse("A:1.2.4").legal_moves()), "exact")
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


def test_the_command_serves_a_file_of_ones_own(monkeypatch, capsys):
    monkeypatch.setattr(_server, "make_server", lambda *_: type("Server", (), {"run": lambda self, sockets: None})())
    words = ["--game", str(FILE), "explore", "nim", "A:1.2", "--no-browser", "--port", "0"]
    assert cli.main(words) == 0
    assert capsys.readouterr().out.endswith("&game=nim&position=A:1.2\n")


def test_a_game_with_seats_and_panels_has_them(ask):
    game.load(str(Path(__file__).parent / "guess.py"))
    (found,) = [one for one in ask("/api/hello")["games"] if one["game"] == "guess"]
    assert (found["seats"], found["side_names"]) == (2, ["seat 0", "seat 1"])
    assert found["panels"] == [{"panel": "sums", "title": "Sums", "element": "", "open": True}]
    told = ask("/api/position", game="guess", position="0:0", moves=["3"], seat=1)
    assert told["moves"][0].startswith("hidden.")
    before, after = told["views"]
    assert (before["legal_moves"], after["legal_moves"], after["draft"]) == ([], ["1", "2", "3"], None)
    asked = {"game": "guess", "position": after["position"], "seat": 1}
    assert "3" not in after["label"]
    assert "number  ?" in ask("/api/picture", **asked, width=320)["svg"]
    assert ask("/api/panel", **asked, panel="sums") == {"doubled": "unknown", "board": "number  ?\nguess   0"}
    assert ask("/api/panel", **(asked | {"seat": 0}), panel="sums")["doubled"] == 6
    with pytest.raises(ApiError, match="seen by one seat"):
        ask("/api/panel", game="guess", position=after["position"], panel="sums")
    with pytest.raises(ApiError, match="nothing to show"):
        ask("/api/panel", game="guess", position="0:0", panel="sums")


def test_the_page_counts_what_moves_gained(ask):
    coins = made_of(Points)
    moves, position = [], coins.start()
    while not position.is_over:
        moves.append(position.legal_moves()[-1])
        position = position.play(moves[-1])
    first = sum(Points.coins[:2]) + Points.coins[4]
    view = ask("/api/position", game="points", position="A:0", moves=moves)["views"][-1]
    assert view["result"] == f"B loses {sum(Points.coins) - first} to {first}"
    assert ask("/api/position", game="points", position=view["position"])["views"][0]["result"] == view["result"]


def test_the_page_values_a_game_with_cycles_and_many_positions(ask):
    track = made_of(Track)
    events = ask("/api/analyse", game="track", position="A:10000", seconds=20)
    values = [data for name, data in events if name == "values"]
    assert values[-1]["exact"]
    assert events[-1][1]["nodes"] == track.solve("A:10000", line=False).nodes  # each position once


@pytest.mark.parametrize("rules", [Points, Track])
def test_a_kit_game_is_shown_without_more(ask, rules):
    made = made_of(rules)
    (about,) = [one for one in ask("/api/hello")["games"] if one["game"] == made.name]
    assert (about["seats"], about["panels"], about["side_names"]) == (0, [], ["A", "B"])
    assert ask("/api/random", game=made.name, options=about["presets"][0]["options"])["view"]["legal_moves"]
    (view,) = ask("/api/position", game=made.name, position=about["start"])["views"]
    assert ask("/api/build", game=made.name, draft=view["draft"])["view"] == view
    assert ask("/api/picture", game=made.name, position=about["start"], width=320)["svg"].startswith("<svg")
    assert ask("/api/copy", game=made.name, position=about["start"])["judge"] == f"{about['start']}\n"


@pytest.mark.parametrize("planted", [None, "board.js"])
def test_the_page_knows_games_by_what_the_server_says(planted):
    """Only the script of a game's own panels names the game."""
    texts = {path.name: path.read_text(encoding="utf-8") for path in STATIC.glob("*.js")}
    if planted:
        texts[planted] += 'if (session.game === "hearts") return;\n'
    naming = [name for name, text in texts.items() for game in BUILT_IN if f'"{game}"' in text and name != f"{game}.js"]
    assert naming == ([planted] if planted else [])


@pytest.mark.parametrize("planted", [None, "colour"])
def test_a_screen_has_only_members_that_the_page_asks_for(monkeypatch, planted):
    if planted:
        monkeypatch.setattr(explore.Screen, planted, "green", raising=False)
    asking = [path.read_text(encoding="utf-8") for path in STATIC.parent.glob("_*.py") if path.name != "_screen.py"]
    members = [name for name in dir(explore.Screen) if not name.startswith("_")]
    unused = [name for name in members if not re.search(rf"\.{name}\b", "".join(asking))]
    assert (unused, len(members) - len(unused)) == ([planted] if planted else [], 15)
