"""The server's answers without a browser: in this process for quick questions, from a real server for streams."""

import contextlib
import http.client
import json
import queue
import re
import sys
import threading
import time
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from fifth import fifth  # pytest's pythonpath has the folder of tests
from kit.games import Points, Track
from starlette.testclient import TestClient

from gamecore import game, kit
from gamecore.apps.explore import _server
from gamecore.apps.explore._api import Api, hello
from gamecore.apps.explore._app import application
from gamecore.apps.explore._errors import ApiError
from gamecore.cards import name_of
from gamecore.draw import canvas
from gamecore.game import _registry, games

TOKEN = "t" * 43
PORT = 8642
LAST = ("end", "error", "answer")
JSON_TYPE = {"Content-Type": "application/json"}
EXAMPLES = Path(__file__).parents[2] / "examples"
CARDS = hello()["cards"]
GAMES = games()
#: Games of one's own: files, rules of kit games, and one that is built in for the tests.
OWN_GAMES = {
    "fifth": fifth,
    "nim": EXAMPLES / "nim.py",
    "tictactoe": EXAMPLES / "kit" / "tictactoe.py",
    "guess": Path(__file__).with_name("guess.py"),
    "points": Points,
    "track": Track,
}
LINES = (Path(__file__).parent / "requests.txt").read_text(encoding="utf-8").split("\n")
REQUESTS = [line for line in LINES if "  =>  " in line and line[0] != "#"]


def page_headers(client="page-0001", token=TOKEN):
    return {"X-Gamecore-Token": token, "X-Gamecore-Client": client}


@pytest.fixture
def api():
    """The answers without any network; every search has ended afterwards."""
    answers = Api()
    yield answers
    assert answers.searches.close(10)


@pytest.fixture
def ask(api):
    """Ask by path and fields; a call's answer, or all the events of a stream."""

    def ask(path, client="page-0001", **body):
        path = f"/api/{path}"
        if api.paths()[path] == "call":
            return api.call(path, body, client)
        events, told = queue.Queue(), []
        api.search(path, body, client, lambda name, data: events.put((name, data)))
        while not told or told[-1][0] not in LAST:
            told.append(events.get(timeout=60))
        if api.paths()[path] == "stream":
            return told
        assert [name for name, _ in told] == ["answer"], told
        return told[0][1]

    return ask


@pytest.fixture
def known(monkeypatch):
    """Gives a function that returns a game by name; it registers those of ``OWN_GAMES``, the only ones then."""
    monkeypatch.setattr(_registry, "_registered", {})
    for name in OWN_GAMES:
        monkeypatch.delitem(sys.modules, name, raising=False)  # other tests keep theirs

    def known(name):
        if name in GAMES:
            return GAMES[name]
        own = OWN_GAMES[name]
        if own is fifth:
            monkeypatch.setattr(_registry, "BUILT_IN", (*_registry.BUILT_IN, name))
            return own.GAME
        if isinstance(own, Path):
            return game.load(str(own))
        game.register(kit.make(own))
        return games()[name]

    return known


def refused(ask, path, **body):
    """The error of a question."""
    with pytest.raises(ApiError) as caught:
        ask(path, **body)
    return caught.value


@pytest.fixture
def site(api):
    """Starlette's test client, with the headers of a page."""
    with TestClient(application(TOKEN, api), base_url=f"http://127.0.0.1:{PORT}") as client:
        client.headers.update(page_headers())
        yield client


class Page:
    """A page that asks a real server by HTTP."""

    def __init__(self, port, client="page-0001", token=TOKEN):
        self.port, self.connections = port, []
        self.headers = page_headers(client, token) | JSON_TYPE

    def send(self, path, body=None):
        """Send a request; the connection."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        self.connections.append(connection)
        method, text = ("GET", None) if body is None else ("POST", json.dumps(body))
        connection.request(method, path, text, self.headers)
        return connection

    def ask(self, path, body=None):
        """Status and JSON of an answer."""
        with contextlib.closing(self.send(path, body)) as connection:
            response = connection.getresponse()
            return response.status, json.loads(response.read())

    def analyse(self, body):
        """A stream that has told its start; the events to come."""
        response = self.send("/api/analyse", body).getresponse()
        assert response.status == 200, response.read()
        events = read_events(response)
        assert next(events)[0] == "start"
        return events

    def leave(self):
        """Close all connections, as a page does that goes away."""
        while self.connections:
            self.connections.pop().close()

    def running(self):
        return self.ask("/api/analyses")[1]["running"]

    def wait_until(self, count):
        """Wait until so many searches run; it fails after a minute."""
        deadline = time.monotonic() + 60
        while len(self.running()) != count:
            assert time.monotonic() < deadline, self.running()
            time.sleep(0.01)


def read_events(response):
    name = None
    for line in response:
        text = line.decode().rstrip("\n")
        if text.startswith("event: "):
            name = text[7:]
        elif text.startswith("data: "):
            yield name, json.loads(text[6:])


@pytest.fixture
def live(request):
    """A real server on a free port, in a thread: makes pages that ask it. Its parameter: the code of ``--lan``."""
    with contextlib.closing(_server._bound("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        server = _server.make_server(TOKEN, Api(getattr(request, "param", None)))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
        thread.start()
        pages = []
        yield lambda client="page-0001": pages.append(Page(port, client)) or pages[-1]
        for page in pages:
            page.leave()
        server.should_exit = True
        thread.join(30)
        assert not thread.is_alive()


def hidden(state, seat):
    """What a seat cannot know the place of, as texts, words and the page's labels name it."""
    view = state.view(seat)
    cards = {*CARDS} - {*view.hand, *view.played, *view.passed}
    return {name for card in cards for name in (card, name_of(card), CARDS[card])}


def words_of(svg):
    """All that a picture says: texts, labels, and the cards of moves; a card that is drawn, by its rank and suit."""
    for element in ET.fromstring(svg).iter():
        yield element.text
        for moves in (element.get("data-move", ""), element.get("data-value", "")):
            yield from re.split("[ -]", moves)
    faces = re.findall(r'>(10|[2-9JQKA])</text>\s*<path d="([^"]*)"', svg)
    suits = {path: suit for suit, path in canvas._SUIT_PATHS.items()}
    yield from (suits[path] + rank.replace("10", "T") for rank, path in faces)


def leaks(answer, secrets, path=()):
    """Where an answer names a hidden card; the chances of each seat to hold it are what a seat can know."""
    if isinstance(answer, dict) and not {"card", "seats", "known"} <= answer.keys():
        return [leak for key, value in answer.items() for leak in leaks(value, secrets, (*path, key))]
    if isinstance(answer, (list, tuple)):
        return [leak for at, value in enumerate(answer) for leak in leaks(value, secrets, (*path, at))]
    if not isinstance(answer, str):
        return []
    if path[-1] == "svg":
        return [(*path, name) for name in sorted(secrets & set(words_of(answer)))]
    text = re.sub(r"hidden\.[\w-]+|barred=.*?\)\)", "", answer)  # everybody has seen who is out of which suit
    return [(*path, name) for name in sorted(secrets) if name in text]
