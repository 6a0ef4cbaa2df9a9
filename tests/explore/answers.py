"""The server's answers without a browser: in this process for quick questions, from a real server for streams."""

import contextlib
import http.client
import json
import queue
import re
import threading
import time
import xml.etree.ElementTree as ET

import pytest
from starlette.testclient import TestClient

from gamecore.apps.explore import _server
from gamecore.apps.explore._api import Api, hello
from gamecore.apps.explore._app import application
from gamecore.cards import name_of
from gamecore.draw import canvas

TOKEN = "t" * 43
PORT = 8642
LAST = ("end", "error", "answer")
JSON_TYPE = {"Content-Type": "application/json"}
CARDS = hello()["cards"]


def page_headers(client="page-0001", token=TOKEN):
    return {"X-Gamecore-Token": token, "X-Gamecore-Client": client}


@pytest.fixture
def api():
    """The answers without any network; every search has ended afterwards."""
    found = Api()
    yield found
    assert found.searches.close(10)


@pytest.fixture
def ask(api):
    """Ask by path and fields; a call's answer, or all the events of a stream."""

    def ask(path, client="page-0001", **body):
        if api.paths()[path] == "call":
            return api.call(path, body, client)
        events = queue.Queue()
        api.search(path, body, client, lambda name, data: events.put((name, data)))
        found = []
        while not found or found[-1][0] not in LAST:
            found.append(events.get(timeout=60))
        if api.paths()[path] == "stream":
            return found
        assert [name for name, _ in found] == ["answer"], found
        return found[0][1]

    return ask


@pytest.fixture
def site(api):
    """Starlette's test client, with the headers of a page."""
    with TestClient(application(TOKEN, api), base_url=f"http://127.0.0.1:{PORT}") as client:
        client.headers.update(page_headers())
        yield client


class Page:
    """A page that asks a real server by HTTP."""

    def __init__(self, port, client="page-0001"):
        self.port = port
        self.headers = page_headers(client) | JSON_TYPE

    def open(self, path, body=None, headers=None):
        """Send a request; the connection and the response, of which nothing was read."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        method, text = ("GET", None) if body is None else ("POST", json.dumps(body))
        connection.request(method, path, text, self.headers | (headers or {}))
        return connection, connection.getresponse()

    def ask(self, path, body=None):
        """Status and JSON of an answer."""
        connection, response = self.open(path, body)
        with contextlib.closing(connection):
            return response.status, json.loads(response.read())

    def events(self, path, body):
        """The events of a stream one by one."""
        connection, response = self.open(path, body)
        with contextlib.closing(connection):
            assert response.status == 200, response.read()
            yield from read_events(response)

    def running(self):
        return self.ask("/api/analyses")[1]["running"]

    def wait_until_idle(self):
        """Wait until no search is under way; it fails after a minute."""
        deadline = time.monotonic() + 60
        while self.running():
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
def live():
    """A real server on a free port, in a thread: makes pages that ask it."""
    api = Api()
    with contextlib.closing(_server._bound("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        server = _server.make_server(TOKEN, api)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
        thread.start()

        def page(client="page-0001"):
            return Page(port, client)

        page.api = api
        yield page
        server.should_exit = True
        thread.join(30)
        assert not thread.is_alive()
        assert not api.searches.listed("")["running"]


def hidden(state, seat):
    """What a seat cannot know the place of, as texts, words and the page's labels name it."""
    view = state.view(seat)
    cards = {*CARDS} - {*view.hand, *view.played, *view.passed}
    names = [(card, name_of(card), CARDS[card]) for card in cards]
    return {name for three in names for name in three}


def words_of(svg):
    """All that a picture says: texts, labels, and the cards of moves; a card that is drawn, by its rank and suit."""
    for element in ET.fromstring(svg).iter():
        yield element.text
        for moves in (element.get("data-move", ""), element.get("data-value", "")):
            yield from re.split("[ -]", moves)
    faces = re.findall(r'>(10|[2-9JQKA])</text>\s*<path d="([^"]*)"', svg)
    suits = {path: suit for suit, path in canvas._SUIT_PATHS.items()}
    yield from (suits[path] + rank.replace("10", "T") for rank, path in faces)


def leaks(found, secrets, path=()):
    """Where an answer names a hidden card; the chances of each seat to hold it are what a seat can know."""
    if isinstance(found, dict) and not {"card", "seats", "known"} <= found.keys():
        return [leak for key, one in found.items() for leak in leaks(one, secrets, (*path, key))]
    if isinstance(found, (list, tuple)):
        return [leak for at, one in enumerate(found) for leak in leaks(one, secrets, (*path, at))]
    if not isinstance(found, str):
        return []
    if path[-1] == "svg":
        return [(*path, name) for name in sorted(secrets & set(words_of(found)))]
    text = re.sub(r"hidden\.[\w-]+|barred=.*?\)\)", "", found)  # everybody has seen who is out of which suit
    return [(*path, name) for name in sorted(secrets) if name in text]
