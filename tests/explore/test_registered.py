"""A game of one's own on the page: registered, it is shown, played, analysed and copied as the built-in ones are.

What single requests answer stands in ``requests.txt``.
"""

import re
from pathlib import Path

import pytest
from explore.answers import printed_by
from kit.games import Points, Track  # pytest's pythonpath has the folder of tests

from gamecore import explore, game, kit
from gamecore.game import BUILT_IN

STATIC = Path(explore.__file__).parent / "static"


@pytest.fixture
def about(ask, own_games):
    """Register a game, a file's or a kit game of these rules; what the page is told of it at first."""

    def about(rules):
        own = own_games(rules) if isinstance(rules, str) else kit.make(rules)
        game.register(own)
        (entry,) = [entry for entry in ask("hello")["games"] if entry["game"] == own.name]
        return own, entry

    return about


def test_it_is_shown_analysed_and_copied(ask, about):
    nim, entry = about("nim")
    start = {"game": "nim", "position": "A:1.2.4"}
    assert (entry["title"], entry["start"], entry["sides"]) == ("Nim", nim.example, ["A", "B"])
    assert [player["player"] for player in entry["players"]] == ["solver", "random"]
    assert [option["name"] for option in entry["random"]] == ["piles", "plies"]
    assert "3: ||||" in ask("picture", **start, width=320)["svg"]
    (view,) = ask("position", **start)["views"]
    assert ask("build", game="nim", draft=view["draft"])["view"] == view
    events = ask("analyse", **start)
    (values,) = [data for name, data in events if name == "values"]
    assert (values["best_moves"], values["position_value"]["words"]) == (["3x1"], "A wins 1 point")
    lines = {data["move"] for name, data in events if name == "line"}
    assert (lines, events[-1][1]["reason"]) == (set(view["legal_moves"]), "exact")
    position = nim.parse("A:1.2.4")
    copied = printed_by(ask("copy", **start, moves=True)["python"])
    assert copied == f"{nim.solve(position)}\n{nim.analyse(position)}\n"


def test_a_game_with_seats_and_panels_has_them(ask, about):
    _, entry = about("guess")
    assert (entry["seats"], entry["side_names"]) == (2, ["seat 0", "seat 1"])
    (panel,) = entry["panels"]
    (factor,) = panel["options"]
    assert (panel["panel"], panel["title"], panel["open"]) == ("sums", "Sums", True)
    assert factor == {"name": "factor", "title": "Factor", "default": 2, "type": "integer", "least": 1, "most": 9}
    answer = ask("position", game="guess", position="0:0", moves=["3"], seat=1)
    assert answer["moves"][0].startswith("hidden.")
    before, after = answer["views"]
    assert (before["legal_moves"], after["legal_moves"], after["draft"]) == ([], ["1", "2", "3"], None)
    assert "3" not in after["label"]
    assert "number  ?" in ask("picture", game="guess", position=after["position"], seat=1, width=320)["svg"]


def test_the_page_counts_what_moves_gained(ask, about):
    coins, _ = about(Points)
    moves, position = [], coins.start()
    while not position.is_over:
        moves.append(position.legal_moves()[-1])
        position = position.play(moves[-1])
    first = sum(Points.coins[:2]) + Points.coins[4]
    view = ask("position", game="points", position="A:0", moves=moves)["views"][-1]
    assert view["result"] == f"B loses {sum(Points.coins) - first} to {first}"
    assert ask("position", game="points", position=view["position"])["views"][0]["result"] == view["result"]


def test_the_page_values_a_game_with_cycles_and_many_positions(ask, about):
    track, _ = about(Track)
    events = ask("analyse", game="track", position="A:10000", seconds=20)
    assert [data for name, data in events if name == "values"][-1]["exact"]
    assert events[-1][1]["nodes"] == track.solve("A:10000", line=False).nodes  # each position once


@pytest.mark.parametrize("rules", [Points, Track])
def test_a_kit_game_is_shown_without_more(ask, about, rules):
    own, entry = about(rules)
    asked = {"game": own.name, "position": entry["start"]}
    assert (entry["seats"], entry["panels"], entry["side_names"]) == (0, [], ["A", "B"])
    assert ask("random", game=own.name, options={})["view"]["legal_moves"]
    (view,) = ask("position", **asked)["views"]
    assert ask("build", game=own.name, draft=view["draft"])["view"] == view
    assert ask("picture", **asked, width=320)["svg"].startswith("<svg")
    assert ask("copy", **asked)["judge"] == f"{entry['start']}\n"


def test_the_page_knows_games_by_what_the_server_says():
    texts = {path.name: path.read_text(encoding="utf-8") for path in STATIC.glob("*.js")}
    assert [name for name, text in texts.items() for game in BUILT_IN if f'"{game}"' in text] == []


def test_a_screen_has_only_members_that_the_page_asks_for():
    asking = [path.read_text(encoding="utf-8") for path in STATIC.parent.glob("_*.py") if path.name != "_screen.py"]
    members = [name for name in dir(explore.Screen) if not name.startswith("_")]
    assert [name for name in members if not re.search(rf"\.{name}\b", "".join(asking))] == []
    assert len(members) == 14
