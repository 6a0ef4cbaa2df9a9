"""Drawings on a terminal have suit symbols and colour; ``gallery.txt`` has some. No name of a user's steers it."""

import io
import os
import subprocess
import sys
from types import SimpleNamespace

import pytest

from gamecore import batch, draw
from gamecore.cli.common import complain
from gamecore.draw import pen_for

EVIL = "\x1b[2J\x07\u202eevil"


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


def test_no_control_character_of_a_users_error_reaches_a_terminal(capsys):
    def fails(_):
        raise type(EVIL, (Exception,), {})(EVIL)

    with pytest.raises(batch.BatchError) as caught:
        batch.run(fails, [1])
    complain(str(caught.value) + EVIL)
    for text in (str(caught.value), capsys.readouterr().err):
        assert text.replace("\n", "").isprintable()


# -- the command


@pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals are POSIX")
@pytest.mark.parametrize(("environment", "expected"), [
    ({}, "\x1b[31;1m♦Q"), ({"NO_COLOR": "1"}, "Alice  ♦Q  ♥A ♥2"), ({"TERM": "dumb"}, "Alice  ♦Q  ♥A ♥2"),
    ({"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "PYTHONIOENCODING": ""}, "\x1b[31;1mDQ"),
])  # fmt: skip
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
