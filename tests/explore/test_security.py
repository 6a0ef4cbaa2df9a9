"""Who is answered and who is not; the server's own door, and the command that opens it."""

import contextlib
import html
import json
import re
import select
import socket
import stat
import sys
import time
from pathlib import Path
from urllib.parse import quote, urlsplit
from urllib.request import url2pathname

import pytest
from command import repeated  # pytest's pythonpath has the folder of tests
from explore.answers import JSON_TYPE, LINES, OWN_GAMES, PORT, REQUESTS, TOKEN, page_headers
from hypothesis import given, settings
from hypothesis import strategies as st
from starlette.testclient import TestClient

from gamecore import cli
from gamecore.apps.explore import _api, _app, _bounds, _server
from gamecore.apps.explore._app import application
from gamecore.apps.explore._errors import plain
from gamecore.errors import OptionError

START = {"game": "duel", "position": "DQH2HA:H3D6S3:A:-"}
TEXT = json.dumps(START)


def problem(response):
    return response.status_code, response.json()["error"]["code"]


@pytest.mark.parametrize("line", [line for line in REQUESTS if line[0].isupper()])
def test_what_is_refused(site, line):
    question, _, expected = line.partition("  =>  ")
    question, _, body = question.partition(" <<< ")
    method, path, headers = question.split(" ", 2)
    response = site.request(method, path, headers=json.loads(headers), content=repeated(body).encode("latin-1"))
    code = response.json().get("error", {}).get("code", "")
    assert f"{response.status_code} {code}".strip() == expected


def test_a_header_that_is_sent_twice_is_refused(site):
    for name, value in (("X-Gamecore-Token", TOKEN), ("Host", f"127.0.0.1:{PORT}")):
        headers = [*site.headers.items(), (name, value), (name, value)]
        assert site.get("/api/hello", headers=headers).status_code in (401, 403)


@pytest.mark.parametrize("path", ["/", "/static/nothing.js", "/api/hello", "/api/nothing", "/api/analyse"])
def test_every_answer_carries_the_headers_that_protect_the_page(site, path):
    for response in (site.get(path), site.get(path, headers={"Host": "x"})):
        policy = response.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "frame-ancestors 'none'" in policy
        assert not re.search("unsafe|http", policy)
        assert response.headers["x-content-type-options"] == "nosniff"
        assert response.headers["cache-control"] == "no-store"
        assert not {"access-control-allow-origin", "server", "set-cookie"} & set(response.headers)
    asking = {"Origin": "http://attacker.example", "Access-Control-Request-Method": "POST"}
    response = site.options(path, headers=asking)
    assert response.status_code >= 400
    assert "access-control-allow-origin" not in response.headers


def test_the_page_is_served_without_a_token_and_needs_nothing_from_elsewhere(site):
    del site.headers["X-Gamecore-Token"]
    page = site.get("/")
    assert page.status_code == 200
    assert TOKEN not in page.text
    for inline in (r"<script(?![^>]*\bsrc=)", r"<style", r"\sstyle=", r"\son\w+=", r"https?://(?!www\.w3\.org)"):
        assert not re.search(inline, page.text)
    for name, (_, content) in _app.page_files().items():
        text = content.decode("utf-8").replace("http://www.w3.org/", "")
        assert not re.search(r"https?://|\beval\(|new Function|innerHTML|outerHTML|document\.write", text), name


MARKUP = "<script>alert('1')</script>&amp;\"\x1b[31m\u202e\ud800"


@pytest.mark.parametrize("line", [line for line in LINES if re.search("MARKUP|WORD", line) and line[0] != "#"])
def test_errors_never_echo_markup(site, line):
    path, _, body = line.replace('"MARKUP"', json.dumps(MARKUP)).replace("WORD", json.dumps(MARKUP[:12])).partition(" ")
    path = quote(MARKUP, errors="replace") if path == "PATH" else path
    response = site.post(f"/api/{path}", content=body, headers=JSON_TYPE)
    assert response.status_code >= 400
    assert response.headers["content-type"] == "application/json"
    assert not set(response.json()["error"]["message"]) & set("<>&\x1b\u202e\ud800")
    assert "<script" not in response.text


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=700))
def test_a_message_is_one_plain_line(text):
    assert not re.search(r"[<>&\n\r\x00-\x1f\u2028\u2029\ud800-\udfff]", plain(text))


def test_a_bug_of_ours_is_not_told(site, monkeypatch):
    def broken(fields):
        raise RuntimeError("<secret> /root/path")

    monkeypatch.setitem(_api._CALLS, "/api/hello", broken)
    client = TestClient(site.app, base_url=str(site.base_url), headers=site.headers, raise_server_exceptions=False)
    response = client.get("/api/hello")
    assert problem(response) == (500, "internal")
    assert "secret" not in response.text


def test_in_a_network_the_server_answers_by_its_one_name_alone(api):
    own = "192.168.1.7:8642"
    with TestClient(application(TOKEN, api, ("192.168.1.7",)), base_url=f"http://{own}") as client:
        client.headers.update(page_headers())
        asked = (own, own), (f"127.0.0.1:{PORT}",) * 2, ("192.168.1.77:8642",) * 2, (own, "192.168.1.8")
        headers = [{"Host": host, "Origin": f"http://{origin}"} for host, origin in asked]
        answers = [client.get("/api/hello", headers=one).status_code for one in headers]
        assert answers == [200, 403, 403, 403]
        assert client.get("/api/hello", headers={"X-Gamecore-Token": "x"}).status_code == 401


def test_a_head_that_is_too_large_is_refused_also_in_one_packet(live):
    page = live()
    page.headers["X-Large"] = "x" * 100_000
    status, body = page.ask("/api/hello")
    assert (status, body["error"]["code"]) == (431, "size")


# --- the server's own door -------------------------------------------------------------------------------------------


def test_it_listens_on_the_loopback_interface_alone(live):
    names = {info[4][0] for info in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)}
    for name in names:
        if not name.startswith("127."):
            with pytest.raises(OSError, match="refused"):
                socket.create_connection((name, live().port), timeout=5)


def test_a_port_in_use_is_refused_and_the_default_one_avoided(monkeypatch):
    with _server._bound("127.0.0.1", 0) as taken:
        number = taken.getsockname()[1]
        with pytest.raises(OptionError, match=f"--port {number}"):
            _server._bound("127.0.0.1", number)
        monkeypatch.setattr(_server, "PORT", number)
        with _server._bound("127.0.0.1", None) as other:
            assert other.getsockname()[1] != number


def test_the_token_stands_in_the_fragment_alone():
    address = _server.address_of("::1", 5, "TOKEN", {"game": "rows", "position": "optimal:me:0:0:5"})
    assert address == "http://[::1]:5/#token=TOKEN&game=rows&position=optimal:me:0:0:5"


def test_connections_whose_headers_do_not_come_are_closed(live, monkeypatch):
    monkeypatch.setattr(_bounds, "HEADER_SECONDS", 0.3)
    halves = [socket.create_connection(("127.0.0.1", live().port)) for _ in range(6)]
    for number, connection in enumerate(halves):
        connection.sendall((b"", b"GET / HTTP/1.1\r\nHost: 127", b"GET /api/hello HTTP/1.1\r\n")[number % 3])
    events = live().analyse({"game": "hexapawn", "position": "pppppp/6/6/6/6/6/6/PPPPPP:w", "seconds": 1})
    deadline = time.monotonic() + 20
    for connection in halves:
        assert select.select([connection], [], [], deadline - time.monotonic())[0]
        with contextlib.suppress(ConnectionResetError):
            connection.recv(4096)
        connection.close()
    assert list(events)[-1][0] == "end"  # a stream that runs on longer than a head may take is left alone


def test_no_request_opens_a_file(site, monkeypatch):
    def opened(*arguments, **options):
        raise AssertionError(f"a request opened {arguments}")

    site.get("/api/hello")
    site.post("/api/copy", json=START)
    monkeypatch.setattr("builtins.open", opened)
    monkeypatch.setattr("io.open", opened)
    for path in ("/", "/static/page.css"):
        assert site.get(path).status_code == 200
    assert site.post("/api/copy", json=START | {"moves": True}).status_code == 200
    assert site.post("/api/analyse", json=START).status_code == 200


def test_head_is_get_without_a_body(site):
    for path in ("/", "/static/page.css", "/api/hello"):
        head, get = site.head(path), site.get(path)
        assert (head.status_code, head.content, head.headers) == (200, b"", get.headers)


# --- the command ------------------------------------------------------------------------------------------------------


@pytest.fixture
def served(monkeypatch, known):
    """What the command would serve: the address that it says, and the file that a browser was sent to."""
    told = {}

    class Server:
        def run(self, sockets):
            told["port"] = sockets[0].getsockname()[1]

    def open_browser(address):
        file = Path(url2pathname(urlsplit(address).path))
        told.update(url=address, file=file, mode=stat.S_IMODE(file.stat().st_mode), page=file.read_text())
        told["opened"] = html.unescape(re.search('url=([^"]+)"', told["page"])[1])

    monkeypatch.setattr(_server, "make_server", lambda token, api, host: Server())
    monkeypatch.setattr(_server.webbrowser, "open", open_browser)
    return told


@pytest.mark.parametrize(("arguments", "start"), [
    (["explore"], ""),
    (["explore", "rows"], "&game=rows"),
    (["explore", "duel", "DQ:H3:B:-"], "&game=duel&position=DQ:H3:B:-"),
    (["explore", "ppp/3/PPP:b"], "&game=hexapawn&position=ppp/3/PPP:b"),
    (["--game", str(OWN_GAMES["nim"]), "explore", "nim", "A:1.2"], "&game=nim&position=A:1.2"),
])  # fmt: skip
def test_it_says_its_address_and_opens_it_by_a_private_file(served, capsys, arguments, start):
    """``/proc`` shows command lines to every user: the token stands in a file, which ends with the server."""
    assert cli.main([*arguments, "--port", "0"]) == 0
    assert capsys.readouterr().out == f"gamecore explore: {served['opened']}\n"
    address, _, fragment = served["opened"].partition("/#token=")
    assert (address, fragment[43:]) == (f"http://127.0.0.1:{served['port']}", start)
    assert served["url"].startswith("file:///")
    assert fragment[:43] not in served["url"]
    assert served["mode"] == 0o600 or sys.platform == "win32"
    assert not served["file"].exists()


def test_without_a_browser(served, capsys):
    tokens = set()
    for _ in range(5):
        assert cli.main(["explore", "--port", "0", "--no-browser", "--host", "localhost"]) == 0
        tokens.add(capsys.readouterr().out.partition("#token=")[2].strip())
    for bad in ({"lan": "no"}, {"browser": ""}):
        with pytest.raises(OptionError, match=f"{next(iter(bad))} must be True or False"):
            _server.serve(port=0, **bad)
    assert "opened" not in served
    assert (len(tokens), {len(token) for token in tokens}) == (5, {43})
