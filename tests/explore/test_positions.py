"""Positions in and out of the page: views, links, texts, editors, and errors for those that do not exist."""

import json
import random

import pytest

from gamecore import duel, hearts, hexapawn, rows
from gamecore.apps.explore import _bounds
from gamecore.apps.explore._errors import ApiError
from gamecore.apps.explore._shown import Shown
from gamecore.game import games

GAMES = games()
LIBRARY = {"duel": duel, "hexapawn": hexapawn, "rows": rows, "hearts": hearts}
SOME = {game: [library.random(rng=seed) for seed in range(6)] for game, library in LIBRARY.items()}
CASES = [(game, position) for game, positions in SOME.items() for position in positions]


@pytest.fixture(params=CASES, ids=lambda case: f"{case[0]}-{SOME[case[0]].index(case[1])}")
def case(request):
    return request.param


def refused(ask, path, **body):
    with pytest.raises(ApiError) as caught:
        ask(path, **body)
    return caught.value


def test_hello_names_what_a_page_needs(ask):
    found = ask("/api/hello")
    assert [game["game"] for game in found["games"]] == list(LIBRARY)
    for game in found["games"]:
        assert Shown.read(GAMES[game["game"]], game["start"]).position.legal_moves()
        assert [player["player"] for player in game["players"]] == list(GAMES[game["game"]].players)
    assert (len(found["cards"]), found["cards"]["DQ"], found["cards"]["HT"]) == (52, "♦Q", "♥10")
    json.dumps(found, allow_nan=False)


def test_a_view_and_its_draft_say_what_the_position_says(ask, case):
    game, position = case
    (view,) = ask("/api/position", game=game, position=position.to_text())["views"]
    assert view["position"] == position.to_text()
    assert view["legal_moves"] == list(position.legal_moves()) == [entry["move"] for entry in view["moves"]]
    assert view["is_over"] == position.is_over == (view["result"] is not None)
    assert view["to_move"] == position.to_move
    assert view["label"].endswith(".")
    draft = json.loads(json.dumps(view, allow_nan=False))["draft"]
    assert ask("/api/build", game=game, draft=draft)["view"] == view


def test_a_history_is_played_from_its_root(ask, case):
    game, position = case
    source, moves, states = random.Random(5), [], [position]
    while not states[-1].is_over and len(moves) < 6:
        moves.append(source.choice(states[-1].legal_moves()))
        states.append(states[-1].play(moves[-1]))
    views = ask("/api/position", game=game, position=position.to_text(), moves=moves)["views"]
    assert [view["position"] for view in views] == [state.to_text() for state in states]


def test_an_illegal_move_of_a_history_is_named(ask):
    error = refused(ask, "/api/position", game="duel", position="DQH2HA:H3D6S3:A:-", moves=["HA", "D6"])
    assert (error.status, error.code, error.field) == (422, "illegal", "moves[1]")
    assert "neither suit nor number" in error.message
    assert (
        refused(ask, "/api/position", game="hearts", position=GAMES["hearts"].example, moves=["ZZ"]).code == "illegal"
    )


@pytest.mark.parametrize("game", GAMES)
def test_a_random_position_is_that_of_its_seed(ask, game):
    drawn = ask("/api/random", game=game)
    again = ask("/api/random", game=game, seed=drawn["seed"])
    assert drawn == again
    assert drawn["seed"] < 1 << 31
    others = {ask("/api/random", game=game, seed=seed)["view"]["position"] for seed in range(8)}
    assert len(others) > 1


def test_options_of_random_positions(ask):
    deal = ask("/api/random", game="duel", options={"n": 26, "plies": 0}, seed=1)["view"]["position"]
    assert len(duel.Position.from_text(deal).alice) == 26
    board = ask("/api/random", game="hexapawn", options={"rows": 8, "columns": 8, "plies": 3}, seed=1)["view"]
    assert board["position"].count("/") == 7
    assert refused(ask, "/api/random", game="hexapawn", options={"rows": 16, "columns": 16}).code == "option"
    assert "2" in refused(ask, "/api/random", game="duel", options={"n": 27}).message
    assert refused(ask, "/api/random", game="duel", options={"m": 2}).field == "options"
    row = ask("/api/random", game="rows", options={"opponent": "cooperative"}, seed=1)["view"]["position"]
    assert row.startswith("cooperative:")
    assert refused(ask, "/api/random", game="hearts", options={"passing": "up"}).code == "option"


@pytest.mark.parametrize(("text", "game", "positions"), [
    ("3\nDQ H2 HA\nH3 D6 S3\n", "duel", ["DQH2HA:H3D6S3:A:-"]),
    ("1\nDQ\nH3\n\n1\nD2\nC2\n", "duel", ["DQ:H3:A:-", "D2:C2:A:-"]),
    ("  DQ:H3:B:D2\n", "duel", ["DQ:H3:B:D2"]),
    ("3\n3\nppp\n\nPPP\n", "hexapawn", ["ppp/3/PPP:w"]),
    ("ppp/3/PPP:b", "hexapawn", ["ppp/3/PPP:b"]),
    ("5 7 9 1", "rows", ["optimal:me:0:0:5,7,9,1"]),
    ("2\n0.5\n2", "rows", ["optimal:me:0.0:0.0:0.5,2.0"]),
    ("greedy-left:opponent:5:0:7,9", "rows", ["greedy-left:opponent:5:0:7,9"]),
    (GAMES["hearts"].example, "hearts", [GAMES["hearts"].example]),
])  # fmt: skip
def test_any_accepted_text_is_read(ask, text, game, positions):
    for asked in (game, None):
        found = ask("/api/parse", game=asked, text=text)
        assert (found["game"], found["positions"], found["view"]["position"]) == (game, positions, positions[0])


def test_no_more_positions_are_read_than_are_shown(ask):
    text = "1\nDQ\nH3\n" * 100
    assert len(ask("/api/parse", game="duel", text=text)["positions"]) == _bounds.TEXT_POSITIONS


def test_what_cannot_be_read_is_said_with_its_place(ask):
    error = refused(ask, "/api/parse", game="duel", text="1\nDQ\nH33\n")
    assert (error.status, error.code, error.field, error.line) == (422, "parse", "text", 3)
    error = refused(ask, "/api/position", game="duel", position="DQH2HA:H3D6XX:A:-")
    assert (error.code, error.field, error.column) == ("parse", "position", 12)
    assert "no game reads this text" in refused(ask, "/api/parse", text="hello").message
    assert refused(ask, "/api/parse", game="hearts", text="  ").code == "parse"
    assert refused(ask, "/api/parse", game="rows", text="").code == "parse"


@pytest.mark.parametrize(("game", "draft", "said"), [
    ("duel", {"alice": ["DQ"], "bob": ["DQ"], "to_move": "Alice", "last": None}, "both hands"),
    ("duel", {"alice": "DQ", "bob": ["DQ"], "to_move": "Alice", "last": None}, "alice "),
    ("hexapawn", {"rows": ["ppp", "  ", "PPP"], "to_move": "white"}, "2 squares where"),
    ("hexapawn", {"rows": ["PPP", "   ", "ppp"], "to_move": "white"}, "far row"),
    ("hexapawn", {"rows": [["p"]], "to_move": "white"}, "be a string"),
    ("hexapawn", {"rows": "ppp", "to_move": "white"}, "must be a list"),
    ("hexapawn", {"rows": ["p", "P"], "to_move": ["white"]}, "to_move "),
    ("hexapawn", {"rows": ["p", "P"], "to_move": "white", "n": 1}, "no field 'n'"),
    ("rows", {"values": ["5", "x"]}, "value 2"),
    ("rows", {"values": [[5]]}, "value 1 must be a number"),
    ("rows", {"values": {"a": 5}}, "must be a list"),
    ("rows", {"values": [5], "opponent": "nobody"}, "be one of"),
    ("rows", {"values": [5], "mine": None}, "mine must be a number"),
    ("rows", {"row": [5]}, "no field 'row'"),
    ("rows", {"values": [2**62, 2**62, 2**62]}, "overflow"),
    ("hearts", {"hands": [["C2"]]}, "4 hands"),
    ("hearts", {"hands": 5}, "dealt "),
    ("hearts", {"hands": [], "rules": []}, "rules must be"),
    ("hearts", {"hands": [], "rules": {"moon": "eat"}}, "moon"),
    ("hearts", {"hands": [], "rules": {"sun": 1}}, "sun"),
    ("hearts", {"hands": [], "seed": "x" * 30}, "seed"),
])  # fmt: skip
def test_an_impossible_draft_is_refused_with_its_reason(ask, game, draft, said):
    error = refused(ask, "/api/build", game=game, draft=draft)
    assert (error.status, error.field) == (422, "draft")
    assert said in error.message


def test_a_row_longer_than_a_picture_shows_is_refused(ask):
    values = [1] * 513
    text = rows.Position(values).to_text()
    for path, body in (("position", {"position": text}), ("build", {"draft": {"values": values}})):
        error = refused(ask, f"/api/{path}", game="rows", **body)
        assert (error.status, error.code) == (422, "option")
    text = rows.Position(values[:-1]).to_text()
    assert ask("/api/position", game="rows", position=text)["views"][0]["position"] == text


# --- what is needed to draw -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("game", "position", "legal", "said"), [
    ("duel", "DQH2:H3D6S3:B:HA", ["H3"], "Bob must match the ace of hearts"),
    ("duel", "DQH2:D6C3:B:HA", ["pass"], "Bob must pass: no card fits the ace of hearts"),
    ("duel", "0:D6S3:B:DQ", [], "Alice wins 9 points"),
    ("hexapawn", "3p/p3/1P2/4:b", ["a3-a2", "a3xb2", "d4-d3"], "White pawns: b2. Black pawns: d4, a3."),
    ("rows", "greedy:opponent:0:0:5,9,7", ["R"], "A row with 5, 9, 7 left."),
])  # fmt: skip
def test_what_a_position_shows(ask, game, position, legal, said):
    (view,) = ask("/api/position", game=game, position=position)["views"]
    assert sorted(view["legal_moves"]) == sorted(entry["move"] for entry in view["moves"]) == legal
    assert said in f"{view['to_move_text']} {view['result']} {view['label']}"


def test_what_a_row_shows_keeps_large_numbers(ask):
    big = (1 << 62) + 1
    (view,) = ask("/api/position", game="rows", position=f"optimal:me:0:0:{big},7")["views"]
    assert view["moves"][0] == {"move": "L", "text": f"take {big} from the left"}
    assert view["draft"]["values"] == [str(big), "7"]
    assert ask("/api/build", game="rows", draft=view["draft"])["view"] == view


def test_the_phases_of_a_round(ask):
    state = hearts.Round.deal(rng=2, passing="left", passer=None)
    (view,) = ask("/api/position", game="hearts", position=state.to_text(), seat=0)["views"]
    assert len(view["moves"]) == 286
    events = dict(ask("/api/analyse", game="hearts", position=state.to_text()))
    assert "still to be passed" in events["note"]["message"]
    state = hearts.Round.deal(rng=2)
    while not state.is_over:
        state = state.play(state.legal_moves()[0])
    (view,) = ask("/api/position", game="hearts", position=state.to_text())["views"]
    assert (view["is_over"], view["legal_moves"]) == (True, [])


def test_presets_are_positions(ask):
    for game in ask("/api/hello")["games"]:
        assert game["rules"]
        for preset in game["presets"]:
            view = ask("/api/random", game=game["game"], options={"plies": 0, **preset["options"]}, seed=1)["view"]
            assert not view["is_over"], preset["name"]


def test_an_opponent_that_slips_plays_a_random_move(ask):
    fields = {"game": "duel", "position": "DQH2HA:H3D6S3:A:-", "player": "solver"}
    moves = {
        slips: {ask("/api/move", **fields, slips=slips, seed=seed)["move"] for seed in range(20)} for slips in (0, 1)
    }
    assert moves == {0: {"HA"}, 1: {"DQ", "H2", "HA"}}
