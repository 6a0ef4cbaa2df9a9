"""Every answer and every event is what ``gamecore schema explore`` says."""

import json

import jsonschema
import pytest

from gamecore import hearts
from gamecore.cli.schema import schema_of
from gamecore.game import BUILT_IN

ROUND = hearts.Round.deal(rng=2)
DEALT = hearts.Round.deal(rng=2, passing="left", passer=None)
LATE = ROUND
while len(LATE.tricks) < 8 or len(LATE.legal_moves()) < 2:
    LATE = LATE.play(LATE.ask("greedy"))
POSITIONS = {
    "duel": "DQH2HA:H3D6S3:A:-",
    "hexapawn": "5/pp1pp/PPp2/3P1/4P:w",
    "rows": "greedy:me:0:0:5,7,9,1,4,2",
    "hearts": LATE.to_text(),
}


def check(name, found):
    validator = jsonschema.Draft202012Validator(schema_of(f"explore.{name}"))
    found = json.loads(json.dumps(found, allow_nan=False))
    validator.validate(found)
    for damaged in (dict(list(found.items())[1:]), [found]):
        assert not validator.is_valid(damaged)
    is_open = name in ("event-progress", "event-end")  # panels add fields of their own
    assert validator.is_valid({**found, "more": 1}) == is_open


@pytest.mark.parametrize("game", BUILT_IN)
def test_answers(ask, site, game):
    body = {"game": game, "position": POSITIONS[game]}
    found = ask("/api/position", **body)
    check("position", found)
    check("view", found["views"][0])
    check("parse", ask("/api/parse", game=game, text=POSITIONS[game]))
    check("build", ask("/api/build", game=game, draft=found["views"][0]["draft"]))
    check("random", ask("/api/random", game=game))
    check("move", ask("/api/move", **body, player="solver"))
    check("copy", ask("/api/copy", **body))
    if game != "hearts":
        check("puzzle", ask("/api/puzzle", game=game, seed=1))
    check("refute", ask("/api/refute", **body, move=found["views"][0]["legal_moves"][-1]))
    check("error", site.post("/api/position", json={**body, "position": "x"}).json())


STREAMS = [
    *(("/api/analyse", {"game": game, "position": text}) for game, text in POSITIONS.items()),
    ("/api/analyse", {"game": "hexapawn", "position": "pppppp/6/6/6/6/6/6/6/PPPPPP:w", "seconds": 0.6}),
    ("/api/analyse", {"game": "rows", "position": "optimal:me:1:2:-"}),
    ("/api/analyse", {"game": "hearts", "position": DEALT.to_text()}),
]


@pytest.mark.parametrize(("path", "body"), STREAMS)
def test_events(ask, path, body):
    events = ask(path, **body)
    assert events[0][0] == "start"
    for name, data in events:
        check(f"event-{name}", data)


def test_every_schema_is_used_by_a_test_above():
    named = {name.partition(".")[2] for name in schema_of("explore")["$defs"]}
    events = {"start", "note", "values", "estimates", "line", "progress", "end"}
    answers = {"view", "position", "parse", "build", "random", "move", "copy", "puzzle", "refute", "error"}
    assert named == answers | {f"event-{name}" for name in events}
