"""Drawings in text: plain ASCII in pipes, suit symbols and colour on terminals."""

import io
import os
import re
import subprocess
import sys
from types import SimpleNamespace

import pytest

from gamecore import batch, draw, duel, hearts, hexapawn, rows
from gamecore.cli.common import complain
from gamecore.draw import pen_for

SMALL = duel.parse("3\nDQ H2 HA\nH3 D6 S3\n")
EVIL = "\x1b[2J\x07\u202eevil"


def test_symbols_and_colour():
    analysis, plain = duel.analyse(SMALL), SMALL.draw(color=False, symbols=False)
    assert (str(SMALL.picture()), repr(SMALL.picture())) == (plain, "<gamecore.draw.Picture: 'Alice  DQ  HA H2' ...>")
    assert SMALL.draw(color=False, symbols=True).splitlines()[0] == "Alice  ♦Q  ♥A ♥2"
    colored = SMALL.draw(analysis, color=True, symbols=True)
    assert "\x1b[31;1m♦Q\x1b[0m" in colored
    assert "\x1b[32m+9\x1b[0m" in colored
    assert "\x1b[31m-3\x1b[0m" in colored
    assert re.sub(r"\x1b\[[0-9;]*m", "", colored) == SMALL.draw(analysis, color=False, symbols=True)
    assert "\x1b[m" not in colored
    board = hexapawn.Position.from_rows(["     ", "pp pp", "PPp  ", "   P ", "    P"])
    assert board.draw(color=True).count("\x1b[0m") == 9
    wide = hexapawn.Position.start(2, 32)
    assert wide.draw(color=False) == str(wide)
    assert wide.draw(color=True).splitlines()[2:] == str(wide).splitlines()[2:]  # names of columns are no pawns
    table = rows.table_picture([3, 9, 4, 1, 2], opponent="greedy").text(color=True).splitlines()
    assert (table[0], table[2]) == ("  | 3   9   4   1   2", "3 | 3   9   7  10  \x1b[1;36m12*\x1b[0m")
    assert not hearts.Round.deal(rng=7).draw(color=True, symbols=True).isascii()


def terminal(encoding, is_terminal=True):
    """A stream that says what it is."""
    return SimpleNamespace(encoding=encoding, isatty=lambda: is_terminal)


CLOSED = io.StringIO()
CLOSED.close()


@pytest.mark.parametrize(("stream", "environment", "color", "symbols"), [
    (terminal("utf-8"), {}, True, True), (terminal("utf-8", False), {}, False, False),
    (terminal("utf-8"), {"NO_COLOR": "1"}, False, True), (terminal("utf-8"), {"NO_COLOR": ""}, True, True),
    (terminal("utf-8"), {"TERM": "dumb"}, False, True), (terminal("latin-1"), {}, True, False),
    (terminal("ascii"), {}, True, False), (terminal(None), {}, True, False),
    (terminal("no such encoding"), {}, True, False), (CLOSED, {}, False, False),
])  # fmt: skip
def test_what_a_terminal_can(monkeypatch, stream, environment, color, symbols):
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr("sys.stdout", stream)
    pen = pen_for()
    assert (pen.color, pen.symbols) == (color, symbols)
    assert pen_for(color=not color, symbols=not symbols) == draw.Pen(not color, not symbols)


def test_no_control_character_of_a_users_names_reaches_a_terminal(capsys):
    class Evil(Exception):
        pass

    class Nasty(hearts.Player):
        def choose(self, view):
            return view.legal_moves()[0]

    def fails(_):
        raise Evil(EVIL)

    Evil.__name__ = Nasty.__name__ = EVIL
    result = hearts.simulate([Nasty(), "greedy", "greedy", "greedy"], rounds=2, rng=7)
    with pytest.raises(batch.BatchError) as caught:
        batch.run(fails, [1])
    complain(str(caught.value) + EVIL)
    for text in (repr(result), str(result), str(caught.value), capsys.readouterr().err):
        assert text.replace("\n", "").isprintable()


# -- the command


@pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals are POSIX")
@pytest.mark.parametrize(("environment", "expected"), [({}, "\x1b[31;1m♦Q"), ({"NO_COLOR": "1"}, "Alice  ♦Q  ♥A ♥2")])
def test_draw_on_a_terminal(tmp_path, environment, expected):
    import pty

    (tmp_path / "deal").write_text("3\nDQ H2 HA\nH3 D6 S3\n")
    read, write = pty.openpty()
    known = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
    known |= {"TERM": "xterm", "PYTHONIOENCODING": "utf-8"}
    subprocess.run(
        [sys.executable, "-m", "gamecore", "duel", "--draw", str(tmp_path / "deal")],
        stdout=write, timeout=60, env={**known, **environment}, check=True,
    )  # fmt: skip
    os.close(write)
    shown = b""
    while b"may play" not in shown:
        shown += os.read(read, 4096)
    os.close(read)
    assert expected in shown.decode()
