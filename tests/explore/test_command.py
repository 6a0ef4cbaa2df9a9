"""``gamecore explore`` on the command line."""

import html
import re
import stat
import sys
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import url2pathname

import pytest
from explore.answers import OWN_GAMES

from gamecore import OptionError, cli
from gamecore.apps.explore import _server


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
