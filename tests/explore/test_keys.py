"""Views, values and events have the keys that ``docs/explore.md`` lists."""

import json
import re
from pathlib import Path

import pytest

from gamecore import hearts
from gamecore.game import BUILT_IN

PAGE = (Path(__file__).parents[2] / "docs" / "explore.md").read_text(encoding="utf-8")
TABLE = PAGE.partition("| object | keys |")[2].partition("\n\n")[0]
KEYS = {
    name.strip("`"): set(re.findall("`([a-z_]+)`", keys))
    for name, keys in re.findall(r"^\| (`?[a-z]+`?)[^|]* \| (.+) \|$", TABLE, re.MULTILINE)
}
POSITIONS = {
    "duel": "DQH2HA:H3D6S3:A:-",
    "hexapawn": "5/pp1pp/PPp2/3P1/4P:w",
    "rows": "greedy:me:0:0:5,7,9,1,4,2",
    "hearts": hearts.random(rng=2, plies=40).to_text(),
}


@pytest.mark.parametrize("game", BUILT_IN)
def test_views(ask, game):
    body = {"game": game, "position": POSITIONS[game]}
    (view,) = ask("/api/position", **body)["views"]
    found = [view, ask("/api/build", game=game, draft=view["draft"])["view"], ask("/api/random", game=game)["view"]]
    found += [
        ask("/api/parse", game=game, text=POSITIONS[game])["view"],
        ask("/api/move", **body, player="solver")["view"],
    ]
    assert all(set(one) == KEYS["view"] for one in found)
    assert set(ask("/api/refute", **body, move=view["legal_moves"][0])["value"]) == KEYS["value"]


STREAMS = [
    *(("/api/analyse", {"game": game, "position": text}) for game, text in POSITIONS.items()),
    ("/api/analyse", {"game": "hexapawn", "position": "pppppp/6/6/6/6/6/6/6/PPPPPP:w", "seconds": 0.6}),
    ("/api/analyse", {"game": "hearts", "position": hearts.Round.deal(rng=2, passing="left", passer=None).to_text()}),
]


@pytest.mark.parametrize(("path", "body"), STREAMS)
def test_events(ask, path, body):
    events = ask(path, **body)
    assert [events[0][0], events[-1][0]] == ["start", "end"]
    for name, data in events:
        json.dumps(data, allow_nan=False)
        assert set(data) == KEYS[name], name
        if name == "values":
            assert all(set(one) == KEYS["move"] for one in data["moves"])
