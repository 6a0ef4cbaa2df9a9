"""Who is answered and who is not; every refusal is shown to bite by a guard with that check taken out."""

import contextlib
import json
import re
import select
import socket
import sys
import time
from itertools import product
from urllib.parse import quote

import pytest
from explore.answers import JSON_TYPE, PORT, TOKEN, page_headers
from hypothesis import given, settings
from hypothesis import strategies as st
from starlette.testclient import TestClient

from gamecore.apps.explore import _app, _bounds, _fields, _guard, _server
from gamecore.apps.explore._api import Api
from gamecore.apps.explore._app import application
from gamecore.apps.explore._errors import ApiError, plain
from gamecore.errors import GamecoreError, OptionError

START = {"game": "duel", "position": "DQH2HA:H3D6S3:A:-"}
START_TEXT = json.dumps(START)


def problem(response):
    return response.status_code, response.json()["error"]["code"]


def endless():
    yield from [b" " * 10_000] * 10
    yield json.dumps(START).encode()


def headed(name, value):
    return {"headers": {name: value}}


LONG = "optimal:me:0:0:" + "1," * 9000 + "1"
HELLO, ASK = ("GET", "/api/hello"), ("POST", "/api/position")
#: What is refused: the answer, the careless edit that would let it through ("": none is planted), and the request.
REFUSALS = {
    "other host": ((403, "host"), "hosts", *HELLO, headed("Host", f"attacker.example:{PORT}")),
    "longer host": ((403, "host"), "hosts", *HELLO, headed("Host", "localhost.attacker.example:8642")),
    "host with a name": ((403, "host"), "hosts", *HELLO, headed("Host", "localhost:8642@attacker.example")),
    "other port": ((403, "origin"), "origins", *ASK, headed("Origin", "http://127.0.0.1:80")),
    "other name": ((403, "origin"), "origins", *ASK, headed("Origin", f"http://localhost:{PORT}")),
    "other origin": ((403, "origin"), "origins", *ASK, headed("Origin", "http://attacker.example")),
    "null origin": ((403, "origin"), "origins", *ASK, headed("Origin", "null")),
    "secure origin": ((403, "origin"), "origins", *ASK, headed("Origin", f"https://127.0.0.1:{PORT}")),
    "cross site": ((403, "origin"), "origins", *ASK, headed("Sec-Fetch-Site", "cross-site")),
    "same site": ((403, "origin"), "origins", *ASK, headed("Sec-Fetch-Site", "same-site")),
    "no token": ((401, "token"), "tokens", *HELLO, headed("X-Gamecore-Token", "")),
    "old token": ((401, "token"), "tokens", *HELLO, headed("X-Gamecore-Token", "u" * 43)),
    "query": ((401, "token"), "tokens", "GET", f"/api/hello?token={TOKEN}", headed("X-Gamecore-Token", "")),
    "no client": ((400, "field"), "", *HELLO, headed("X-Gamecore-Client", "../../etc")),
    "type": ((415, "type"), "types", *ASK, {"content": START_TEXT, "headers": {"Content-Type": "text/plain"}}),
    "large body": ((413, "size"), "sizes", *ASK, {"content": START_TEXT + " " * 70_000, "headers": JSON_TYPE}),
    "endless body": ((413, "size"), "sizes", *ASK, {"content": endless, "headers": JSON_TYPE}),
    "long position": ((413, "size"), "", *ASK, {"json": {"game": "rows", "position": LONG}}),
}


def attempted(site, name):
    *_, method, path, more = REFUSALS[name]
    more = {"json": START} | more if method == "POST" and "content" not in more else dict(more)
    if callable(more.get("content")):
        more["content"] = more["content"]()
    return site.request(method, path, **more)


@pytest.mark.parametrize("name", REFUSALS)
def test_what_is_refused(site, name):
    assert problem(attempted(site, name)) == REFUSALS[name][0]


def plant(fault, monkeypatch):
    if fault == "hosts":
        monkeypatch.setattr(_guard.Guard, "_check_host", lambda self, headers: None)
    elif fault == "origins":
        check = _guard.Guard._page
        careless = ("origin", "sec-fetch-site")
        monkeypatch.setattr(
            _guard.Guard, "_page", lambda self, h: check(self, {k: v for k, v in h.items() if k not in careless})
        )
    elif fault == "tokens":
        monkeypatch.setattr(_guard.secrets, "compare_digest", lambda a, b: True)
    elif fault == "sizes":
        monkeypatch.setattr(_bounds, "BODY_BYTES", 1 << 30)
    elif fault == "types":
        body = _app._body

        async def careless_body(request):
            request._headers = {"content-type": "application/json"}
            return await body(request)

        monkeypatch.setattr(_app, "_body", careless_body)


@pytest.mark.parametrize("name", [name for name, (_, fault, *_) in REFUSALS.items() if fault])
def test_a_planted_fault_lets_them_through(site, monkeypatch, name):
    answer, fault, *_ = REFUSALS[name]
    plant(fault, monkeypatch)
    response = attempted(site, name)
    assert response.status_code == 200 or problem(response) != answer


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "[::1]", "LocalHost"])
def test_this_machine_is_answered(site, host):
    more = {"Host": f"{host}:{PORT}", "Origin": f"http://{host}:{PORT}", "Sec-Fetch-Site": "same-origin"}
    assert site.post("/api/position", json=START, headers=more).status_code == 200


@pytest.mark.parametrize("host", ["127.0.0.1:9000", "localhost:9000", "[::1]:65535", "localhost"])
def test_a_forwarded_port_is_answered(site, host):
    more = {"Host": host, "Origin": f"http://{host}", "Sec-Fetch-Site": "same-origin"}
    assert site.post("/api/position", json=START, headers=more).status_code == 200


def test_a_length_that_is_no_number_is_refused(site):
    for length in ("\xb2", "-1", "1e3", "9" * 13, ""):
        more = {"Content-Type": "application/json", "Content-Length": length.encode("latin-1")}
        assert site.post("/api/position", content=START_TEXT, headers=more).status_code == 413


@pytest.mark.parametrize("path", ["/", "/static/nothing.js", "/api/hello", "/api/nothing", "/api/analyse"])
def test_every_answer_carries_the_headers_that_protect_the_page(site, path):
    for response in (site.get(path), site.get(path, headers={"Host": "x"})):
        policy = response.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "frame-ancestors 'none'" in policy
        assert "unsafe" not in policy
        assert "http" not in policy
        assert response.headers["x-content-type-options"] == "nosniff"
        assert response.headers["cache-control"] == "no-store"
        assert "access-control-allow-origin" not in response.headers
        assert "server" not in response.headers
    asking = {"Origin": "http://attacker.example", "Access-Control-Request-Method": "POST"}
    response = site.options(path, headers=asking)
    assert response.status_code >= 400
    assert "access-control-allow-origin" not in response.headers


def test_the_page_is_served_without_a_token_and_knows_none(site):
    del site.headers["X-Gamecore-Token"]
    page = site.get("/")
    assert page.status_code == 200
    assert TOKEN not in page.text
    for inline in (r"<script(?![^>]*\bsrc=)", r"<style", r"\sstyle=", r"\son\w+=", r"https?://(?!www\.w3\.org)"):
        assert not re.search(inline, page.text)


def test_the_pages_own_files_need_nothing_from_elsewhere():
    from gamecore.apps.explore._static import files

    for name, file in files().items():
        text = re.sub(r"http://www\.w3\.org/\S+", "", file.content.decode("utf-8", "replace"))
        if name.endswith((".js", ".css", ".html")):
            assert not re.search(r"https?://|\beval\(|new Function|innerHTML|outerHTML|document\.write", text), name


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


OTHER_FILES = (
    "/static/../_api.py", "/static/%2e%2e/_api.py", "/static/..%2f_api.py", "/static//etc/passwd", "/_api.py",
    "/static/", "/static", "/static/page.css/", "/static/PAGE.css", "/static/%00page.css", "//etc/passwd",
)  # fmt: skip


@pytest.mark.parametrize(("path", "method", "status", "code"), [
    ("/api/nothing", "POST", 404, "path"), ("/api", "POST", 404, "path"), ("/api/position", "GET", 405, "method"),
    ("/api/hello", "POST", 405, "method"), ("/", "POST", 405, "method"), ("/static/page.css", "DELETE", 405, "method"),
    ("/nothing", "GET", 404, "path"), *((path, "GET", 404, "path") for path in OTHER_FILES),
])  # fmt: skip
def test_paths_and_methods(site, path, method, status, code):
    assert problem(site.request(method, path)) == (status, code)


@pytest.mark.parametrize("content", [
    b"", b"{", b"[]", b"null", b'"x"', b"\xff\xfe", b'{"game": NaN', b"[" * 60_000, b'{"a":' * 13_000,
    b'{"game": ' + b"9" * 50_000 + b"}",
])  # fmt: skip
def test_bodies_that_are_no_object(site, content):
    response = site.post("/api/position", content=content, headers={"Content-Type": "application/json; charset=utf-8"})
    assert problem(response) == (400, "json")


ILL = [
    {"game": "chess"}, {"game": 5}, {"game": ["duel"]}, {"position": 5}, {"position": None}, {"moves": "HA"},
    {"moves": [5]}, {"moves": [["HA"]]}, {"seat": 4}, {"seat": "0"}, {"seat": True}, {"seat": 0.0},
    {"extra": 1}, {"moves": ["H" * 99]},
]  # fmt: skip


NO_LIMITS = [{"seconds": seconds} for seconds in (0, -1, "5", True, [1])]


@pytest.mark.parametrize(("path", "change"), [*product(["position"], ILL), *product(["analyse"], NO_LIMITS)], ids=str)
def test_fields_of_another_kind(site, path, change):
    assert problem(site.post(f"/api/{path}", json=START | change)) == (400, "field")


MARKUP = "<script>alert('1')</script>&amp;\"\x1b[31m\u202e\ud800"


def test_errors_never_echo_markup(site):
    attempts = [
        ("/api/position", START | {"position": MARKUP}), ("/api/position", START | {"game": MARKUP}),
        ("/api/position", START | {"moves": [MARKUP[:12]]}), ("/api/position", START | {MARKUP: 1}),
        ("/api/parse", {"text": MARKUP}), ("/api/parse", {"text": MARKUP, "game": "duel"}),
        ("/api/build", {"game": "rows", "draft": {MARKUP: 1}}),
        ("/api/build", {"game": "hearts", "draft": {"rules": {MARKUP: 1}}}),
        ("/api/build", {"game": "hexapawn", "draft": {"rows": [MARKUP, MARKUP], "to_move": MARKUP}}),
        ("/api/random", {"game": "duel", "options": {MARKUP: 1}}),
        ("/api/random", {"game": "rows", "options": {"opponent": MARKUP}}),
        ("/api/refute", START | {"move": MARKUP[:12]}), ("/api/move", START | {"player": MARKUP}),
        ("/api/panel", {"game": "rows", "position": "optimal:me:0:0:5", "panel": MARKUP}),
        (f"/api/{quote(MARKUP, errors='replace')}", {}),
    ]  # fmt: skip
    for path, body in attempts:
        response = site.post(path, content=json.dumps(body), headers={"Content-Type": "application/json"})
        assert response.status_code >= 400
        assert response.headers["content-type"] == "application/json"
        assert not set(response.json()["error"]["message"]) & set("<>&\x1b\u202e\ud800"), path
        assert "<script" not in response.text


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=700))
def test_a_message_is_one_plain_line(text):
    assert not re.search(r"[<>&\n\r\x00-\x1f\u2028\u2029\ud800-\udfff]", plain(text))


@settings(max_examples=60, deadline=None)
@given(st.recursive(st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=8), st.lists))
def test_any_value_of_a_field_is_read_or_refused(value):
    readers = (
        lambda fields: fields.text("x", 5),
        lambda fields: fields.whole("x", 0, 9),
        lambda fields: fields.positive("x", 5.0, 1.0),
        lambda fields: fields.choice("x", ("a", "b")),
        lambda fields: fields.texts("x", 3, 3),
        lambda fields: fields.record("x"),
        lambda fields: fields.flag("x"),
    )
    for read in readers:
        with contextlib.suppress(ApiError):
            read(_fields.Fields({"x": value}))


def test_a_bug_of_ours_is_not_told(site, api, monkeypatch, capsys):
    def broken(body, client):
        raise RuntimeError("<secret> /root/path")

    monkeypatch.setitem(api._calls, "/api/hello", broken)
    with TestClient(application(TOKEN, api), f"http://127.0.0.1:{PORT}", raise_server_exceptions=False) as client:
        response = client.get("/api/hello", headers=page_headers())
    assert problem(response) == (500, "internal")
    assert "secret" not in response.text
    assert "frame-ancestors" in response.headers["content-security-policy"]
    monkeypatch.setattr("gamecore.apps.explore._shown.Shown.copies", broken)
    response = site.post("/api/copy", json=START)
    assert problem(response) == (500, "internal")
    assert "secret" not in response.text


# --- the server's own door -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.5", "example.org", "", "127.0.0.1.example", "127.9.9.9"])
def test_another_host_is_refused_with_the_reason(host):
    with pytest.raises(OptionError, match=r"to this machine alone.*ssh -L"):
        _server.checked_host(host)


def test_it_listens_on_the_loopback_interface_alone(live):
    port = live().port
    names = {info[4][0] for info in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)}
    for name in names - {"127.0.0.1"}:
        if not name.startswith("127."):
            with pytest.raises(OSError, match="refused"):
                socket.create_connection((name, port), timeout=5)


@pytest.mark.parametrize("port", [-1, 65536, 10**30])
def test_a_port_that_there_is_not(port):
    with pytest.raises(OptionError, match="--port"):
        _server._bound("127.0.0.1", port)


def test_a_port_in_use_is_refused_and_the_default_one_avoided(monkeypatch):
    with _server._bound("127.0.0.1", 0) as taken:
        number = taken.getsockname()[1]
        with pytest.raises(OptionError, match=f"--port {number}"):
            _server._bound("127.0.0.1", number)
        monkeypatch.setattr(_server, "PORT", number)
        with _server._bound("127.0.0.1", None) as other:
            assert other.getsockname()[1] != number


def test_tokens_are_new_each_time_and_stand_in_the_fragment_alone():
    tokens = {_guard.new_token() for _ in range(20)}
    assert (len(tokens), {len(token) for token in tokens}) == (20, {43})
    address = _server.address_of("::1", 5, "TOKEN", {"game": "rows", "position": "optimal:me:0:0:5"})
    assert address == "http://[::1]:5/#token=TOKEN&game=rows&position=optimal:me:0:0:5"


@pytest.mark.parametrize("package", ["starlette", "uvicorn"])
def test_a_missing_package_is_named(monkeypatch, package):
    for name in [name for name in sys.modules if name.split(".")[0] == package]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(GamecoreError, match=r"pip install \"gamecore\["):
        _server.make_server(TOKEN, Api())


def closed_within(connections, seconds):
    """How many of these sockets the server has closed, in at most that time."""
    closed, deadline = set(), time.monotonic() + seconds
    while len(closed) < len(connections) and time.monotonic() < deadline:
        ready, _, _ = select.select([one for one in connections if one not in closed], [], [], 0.1)
        for one in ready:
            with contextlib.suppress(ConnectionResetError):  # closed, too
                if one.recv(4096):
                    continue
            closed.add(one)
    return len(closed)


@pytest.mark.parametrize(("seconds", "most", "closed"), [(0.3, 64, 20), (3600, 4, 16), (3600, 64, 0)])
def test_connections_whose_headers_do_not_come_are_closed(live, monkeypatch, seconds, most, closed):
    """Half-open connections do not keep others out; planted: with no bound of time or number, all of them stay."""
    monkeypatch.setattr(_bounds, "HEADER_SECONDS", seconds)
    monkeypatch.setattr(_bounds, "WITHOUT_REQUEST", most)
    halves = [socket.create_connection(("127.0.0.1", live().port)) for _ in range(20)]
    try:
        for number, one in enumerate(halves):
            one.sendall((b"", b"GET / HTTP/1.1\r\nHost: 127", b"GET /api/hello HTTP/1.1\r\n")[number % 3])
        page = live()
        connection, response = page.open("/api/analyse", {"game": "hexapawn", "position": "ppppp/5/5/5/PPPPP:w"})
        assert response.status == 200  # a stream that runs on longer than a head may take is left alone
        oldest = halves[: closed or len(halves)]
        assert closed_within(oldest, 20 if closed else 1) == closed
        assert response.read().decode().rstrip()
        connection.close()
        assert page.ask("/api/hello")[0] == 200
    finally:
        for one in halves:
            one.close()
