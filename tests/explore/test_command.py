"""``gamecore explore`` on the command line."""

import html
import re
import stat
import sys
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import url2pathname

import pytest

from gamecore import cli
from gamecore.apps.explore import _server


@pytest.fixture
def served(monkeypatch):
    """What the command would serve: the address that it says, and whether a browser was opened."""
    told = {}

    class Server:
        def run(self, sockets):
            told["port"] = sockets[0].getsockname()[1]

    def open_browser(address):
        file = Path(url2pathname(urlsplit(address).path))
        told.update(url=address, file=file, mode=stat.S_IMODE(file.stat().st_mode), page=file.read_text())
        told["opened"] = html.unescape(re.search('url=([^"]+)"', told["page"])[1])

    monkeypatch.setattr(_server, "make_server", lambda token, api: Server())
    monkeypatch.setattr(_server.webbrowser, "open", open_browser)
    return told


@pytest.mark.parametrize(("arguments", "start"), [
    ([], ""),
    (["rows"], "&game=rows&position=greedy:me:0:0:5,7,9,1,4,2"),
    (["duel", "DQ:H3:B:-"], "&game=duel&position=DQ:H3:B:-"),
    (["ppp/3/PPP:b"], "&game=hexapawn&position=ppp/3/PPP:b"),
    (["rows", "5 7"], "&game=rows&position=optimal:me:0:0:5,7"),
])  # fmt: skip
def test_it_says_and_opens_its_address(served, capsys, arguments, start):
    assert cli.main(["explore", *arguments, "--port", "0"]) == 0
    line = capsys.readouterr().out
    assert line == f"gamecore explore: {served['opened']}\n"
    assert served["opened"].startswith(f"http://127.0.0.1:{served['port']}/#token=")
    assert served["opened"].partition("#token=")[2][43:] == start


def test_the_browsers_command_line_does_not_hold_the_token(served, capsys):
    """``/proc`` shows command lines to every user: the browser gets a private file, which ends with the server."""
    assert cli.main(["explore", "duel", "--port", "0"]) == 0
    token = capsys.readouterr().out.partition("#token=")[2][:43]
    assert len(token) == 43
    assert token not in served["url"]
    assert token in served["page"]
    assert served["url"].startswith("file:///")
    if sys.platform != "win32":
        assert served["mode"] == 0o600
    assert not served["file"].exists()


def test_without_a_browser(served):
    assert cli.main(["explore", "--port", "0", "--no-browser", "--host", "localhost"]) == 0
    assert "opened" not in served
