"""The page in a notebook: its messages are answered as HTTP is, and its modules make one."""

import json
import queue
import re

import pytest

from gamecore import duel, explore, hexapawn
from gamecore.errors import GamecoreError
from gamecore.explore._static import File, files
from gamecore.explore._widget import Post, bundle

START = {"game": "duel", "position": "DQH2HA:H3D6S3:A:-"}


@pytest.fixture
def post(api):
    """A page's letter box: ``post(message)`` sends, ``post.answers`` has what came back."""
    answers = queue.Queue()
    box = Post(answers.put, api)

    def post(**message):
        json.dumps(message)
        box.receive(message)

    post.answers, post.box = answers, box
    return post


def until_done(answers):
    found = []
    while not found or found[-1]["kind"] != "done":
        found.append(json.loads(json.dumps(answers.get(timeout=60), allow_nan=False)))
    return found


def test_a_call_is_answered(post, ask):
    post(id=1, op="call", path="/api/position", body=START)
    assert post.answers.get(timeout=60) == {
        "id": 1, "kind": "answer", "status": 200, "body": ask("/api/position", **START),
    }  # fmt: skip
    post(id=2, op="call", path="/api/hello")
    assert post.answers.get(timeout=60)["body"]["protocol"] == 2
    post(id=3, op="call", path="/api/move", body=START | {"player": "solver"})
    assert post.answers.get(timeout=60)["body"]["move"] == "HA"


def test_a_stream_tells_its_events_and_its_end(post):
    post(id=7, op="stream", path="/api/analyse", body=START)
    found = until_done(post.answers)
    assert {one["id"] for one in found} == {7}
    names = [one["event"] for one in found if one["kind"] == "event"]
    assert (names[0], names[-1]) == ("start", "end")
    values = next(one["data"] for one in found if one.get("event") == "values")
    assert [one["text"] for one in values["moves"]] == ["+9", "+9", "-3"]
    assert post.box._streams == {}


def test_cancel_ends_the_search(post, api):
    board = hexapawn.Position.start(8, 8).to_text()
    post(id=7, op="stream", path="/api/analyse", body={"game": "hexapawn", "position": board, "seconds": 60})
    assert post.answers.get(timeout=60)["event"] == "start"
    post(id=7, op="cancel")
    assert until_done(post.answers)[-2]["data"]["reason"] == "stopped"
    assert api.searches.listed("")["running"] == []
    post(id=8, op="cancel")


@pytest.mark.parametrize(
    ("path", "body", "status"),
    [
        ("/api/nothing", {}, 404), (None, {}, 404), (["x"], {}, 404), ("/api/position", [], 400),
        ("/api/position", 5, 404),
        ("/api/position", {"game": "chess"}, 400), ("/api/position", START | {"position": "x"}, 422),
        ("/api/analyse", START | {"seconds": -1}, 400), ("/api/move", START | {"player": "x"}, 400),
    ],
)  # fmt: skip
def test_mistakes_are_told_as_over_http(post, path, body, status):
    post(id=3, op="call", path=path, body=body)
    answer = post.answers.get(timeout=60)
    assert (answer["id"], answer["kind"], answer["status"]) == (3, "answer", status)
    assert answer["body"]["error"]["message"]


@pytest.mark.parametrize("message", [None, 5, "x", [], {}, {"id": "1"}, {"id": None, "op": "call"}])
def test_what_is_no_message_is_left(post, message):
    post.box.receive(message)
    assert post.answers.empty()


def test_the_modules_stand_in_order_and_are_all_that_is_imported():
    text = bundle(files())
    modules = json.loads(re.search(r"of (\[\[.*\]\])\) \{", text)[1])
    seen = set()
    for name, source in modules:
        imported = re.findall(r'(?:\bfrom|\bimport)\s*"([^"]+)"', source)
        assert {one.removeprefix("./") for one in imported} <= seen, name
        assert "import(" not in source
        assert "import.meta" not in source
        seen.add(name)
    assert modules[-1][0] == "widget.js"


def test_a_circle_of_modules_is_refused():
    pages = {
        "widget.js": File("", b'import { a } from "./a.js";'),
        "a.js": File("", b'import { b } from "./b.js";'),
        "b.js": File("", b'import { a } from "./a.js";'),
    }
    with pytest.raises(GamecoreError, match=r"in a circle: widget\.js a\.js b\.js a\.js"):
        bundle(pages)


@pytest.mark.parametrize(
    ("position", "game", "start"),
    [
        (duel.parse("3\nDQ H2 HA\nH3 D6 S3\n"), None, START),
        ("ppp/3/PPP:w", None, {"game": "hexapawn", "position": "ppp/3/PPP:w"}),
        ("5 7 9", "rows", {"game": "rows", "position": "optimal:me:0:0:5,7,9"}),
        (None, "rows", {"game": "rows", "position": "greedy:me:0:0:5,7,9,1,4,2"}),
        (None, None, START),
    ],
)
def test_a_widget_shows_a_position(position, game, start):
    shown = explore.widget(position, game=game, height=500)
    assert shown.start == start | {"moves": []}
    assert shown.height == 500
    sent = []
    shown.send = lambda message, buffers=None: sent.append(message)
    shown.close()


def test_a_widget_of_no_position():
    with pytest.raises(GamecoreError, match="no game reads"):
        explore.widget("hello")
    with pytest.raises(GamecoreError, match="game must be"):
        explore.widget(game="chess")
