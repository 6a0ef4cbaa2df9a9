"""Positions in and out of the page: views, links, texts, editors, and errors for impossible positions."""

import json
import random
import re
from pathlib import Path

import pytest
from explore.answers import GAMES, OWN_GAMES, REQUESTS, hidden, leaks, refused

from gamecore import explore, hearts
from gamecore.apps.explore._shown import Shown
from gamecore.game._registry import BUILT_IN
from gamecore.hearts import Rules

STATIC = Path(explore.__file__).parent / "static"


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("name", [*BUILT_IN, "nim", "points", "track"])
def test_a_view_its_draft_and_its_history_say_what_the_position_says(ask, known, name, seed):
    source, moves, states = random.Random(5), [], [known(name).random(rng=seed)]
    while not states[-1].is_over and len(moves) < 6:
        moves.append(source.choice(states[-1].legal_moves()))
        states.append(states[-1].play(moves[-1]))
    views = ask("position", game=name, position=states[0].to_text(), moves=moves)["views"]
    for view, state in zip(views, states, strict=True):
        assert view["position"] == state.to_text()
        assert view["legal_moves"] == list(state.legal_moves()) == [entry["move"] for entry in view["moves"]]
        assert view["is_over"] == state.is_over == (view["result"] is not None)
        assert view["to_move"] == state.to_move
        assert view["label"].endswith(".")
    draft = json.loads(json.dumps(views[0]["draft"], allow_nan=False))
    assert ask("build", game=name, draft=draft)["view"] == views[0]


def part_of(expected, answer):
    """Whether an answer has all that is expected of it: games by their names; a text may have * for any characters."""
    if isinstance(expected, dict):
        answer = {entry["game"]: entry for entry in answer} if isinstance(answer, list) else answer
        return all(name in answer and part_of(value, answer[name]) for name, value in expected.items())
    if isinstance(expected, list):
        return len(expected) == len(answer) and all(map(part_of, expected, answer))
    if isinstance(expected, str):
        return re.fullmatch(".*".join(map(re.escape, expected.split("*"))), answer, re.DOTALL) is not None
    return expected == answer


@pytest.mark.parametrize("line", [line for line in REQUESTS if line[0].islower()])
def test_requests(ask, known, line):
    for name in [name for name in OWN_GAMES if f'"{name}"' in line]:
        known(name)
    start = GAMES["hearts"].example
    line = line.replace("HEARTS", start).replace("HIDDEN", Shown(GAMES["hearts"], GAMES["hearts"].parse(start), 2).text)
    question, _, expected = line.partition("  =>  ")
    path, _, fields = question.partition(" ")
    if expected.startswith("{"):
        answer = ask(path, **json.loads(fields))
        answer = dict(answer) if isinstance(answer, list) else answer  # of events, the last of each name
        assert part_of(json.loads(expected), json.loads(json.dumps(answer, allow_nan=False))), answer
        return
    status, code, field, said = expected.split(" ", 3)
    error = refused(ask, path, **json.loads(fields))
    assert (error.status, error.code, error.field or "-") == (int(status), code, field)
    assert said in f"line {error.line} column {error.column} {error.message}"


def test_a_match_goes_on_until_its_limit(ask):
    round_ = hearts.Round.deal(rng=3, rules=Rules(match_points=120, cycle=("left", "hold")), passing="left")
    while not round_.is_over:
        round_ = round_.play(round_.ask("greedy"))
    asked, totals = {"game": "hearts", "position": round_.to_text()}, {"0": 80, "1": 3, "2": 5, "3": 8}
    sums = [before + points for before, points in zip(totals.values(), round_.points, strict=True)]
    answer, following = ask("next", **asked, totals=totals), round_.next_round()
    assert (answer["totals"], answer["view"]["position"]) == (sums, following.to_text())
    answer = ask("next", **asked, totals=totals | {"2": 200})
    assert answer["view"] is None
    assert re.search(r"the match is over; it goes to seat 1$", answer["text"])
    seen = ask("position", **asked, seat=2)["views"][0]["position"]
    assert not leaks(ask("next", game="hearts", position=seen, seat=2), hidden(following, 2))


@pytest.mark.parametrize("game", ["duel", "hexapawn", "rows"])
def test_puzzles_ask_for_a_real_choice(ask, game):
    for seed in range(4):
        position = GAMES[game].parse(ask("puzzle", game=game, seed=seed)["view"]["position"])
        assert len(position.legal_moves()) >= (2 if game == "rows" else 4)
        assert len(GAMES[game].analyse(position).best_moves) == 1


# --- the page and its games ------------------------------------------------------------------------------------------


def test_the_page_and_the_server_know_games_by_what_they_say(api):
    texts = {path.name: path.read_text(encoding="utf-8") for path in STATIC.glob("*.js")}
    assert [name for name, text in texts.items() for game in BUILT_IN if f'"{game}"' in text] == []
    asked = {line.partition(" ")[0] for line in REQUESTS if '"fifth"' in line}
    assert {f"/api/{path}" for path in (*asked, "analyses", "stop")} == set(api.paths())
