"""Kit games on the page: the end of a game of points, and games with cycles of many positions."""

import pytest
from kit.games import Points, Track  # pytest's pythonpath has the folder of tests

from gamecore import game, kit
from gamecore.game import _registry


@pytest.fixture
def register(monkeypatch):
    """Register a game for one test."""
    monkeypatch.setattr(_registry, "_registered", {})

    def register(rules):
        made = kit.make(rules)
        game.register(made)
        return made

    return register


def test_the_page_counts_what_moves_gained(ask, register):
    coins = register(Points)
    moves, position = [], coins.start()
    while not position.is_over:
        moves.append(position.legal_moves()[-1])
        position = position.play(moves[-1])
    first = sum(Points.coins[:2]) + Points.coins[4]
    view = ask("/api/position", game="points", position="A:0", moves=moves)["views"][-1]
    difference = first - (sum(Points.coins) - first)
    assert view["result"] == f"B loses {difference} points"
    assert ask("/api/position", game="points", position=view["position"])["views"][0]["result"] == view["result"]


def test_the_page_values_a_game_with_cycles_and_many_positions(ask, register):
    track = register(Track)
    events = ask("/api/analyse", game="track", position="A:10000", seconds=20)
    values = [data for name, data in events if name == "values"]
    assert values[-1]["exact"]
    assert events[-1][1]["nodes"] == track.solve("A:10000", line=False).nodes  # each position once


@pytest.mark.parametrize("rules", [Points, Track])
def test_a_kit_game_is_shown_without_more(ask, register, rules):
    made = register(rules)
    (about,) = [one for one in ask("/api/hello")["games"] if one["game"] == made.name]
    assert (about["seats"], about["panels"], about["side_names"]) == (0, [], ["A", "B"])
    assert ask("/api/random", game=made.name, options=about["presets"][0]["options"])["view"]["legal_moves"]
    (view,) = ask("/api/position", game=made.name, position=about["start"])["views"]
    assert ask("/api/build", game=made.name, draft=view["draft"])["view"] == view
    assert ask("/api/picture", game=made.name, position=about["start"], width=320)["svg"].startswith("<svg")
    assert ask("/api/copy", game=made.name, position=about["start"])["judge"] == f"{about['start']}\n"
