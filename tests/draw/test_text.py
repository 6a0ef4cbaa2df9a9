"""Drawings in text: plain ASCII in pipes, suit symbols and colour on terminals."""

import io
import os
import re
import subprocess
import sys

import pytest

from gamecore import batch, draw, duel, hearts, hexapawn, rows
from gamecore.cli.common import complain
from gamecore.draw import pen_for

SMALL = duel.parse("3\nDQ H2 HA\nH3 D6 S3\n")
EVIL = "\x1b[2J\x07\u202eevil"
PLAIN = """\
Alice  DQ  HA H2
Bob    D6  S3  H3
Alice may play any card
moves  HA +9   H2 +9   DQ -3   (for Alice)
line   HA H3 H2 pass DQ"""


def test_plain_text_of_a_duel():
    picture = SMALL.picture(duel.analyse(SMALL), duel.solve(SMALL).line)
    assert (str(picture), repr(picture)) == (PLAIN, "<gamecore.draw.Picture: 'Alice  DQ  HA H2' ...>")
    assert SMALL.draw(duel.analyse(SMALL), duel.solve(SMALL).line, color=False, symbols=False) == PLAIN
    after = SMALL.play("HA")
    assert after.draw(duel.analyse(after), color=False, symbols=False).splitlines()[2:] == [
        "Bob has to match HA",
        "moves  H3 -9   (for Bob)",
    ]
    stuck = after.play("H3").play("H2")
    assert stuck.draw(color=False, symbols=False).splitlines()[2] == "Bob has to match H2 and passes"


def test_symbols_and_colour():
    assert SMALL.draw(color=False, symbols=True).splitlines()[0] == "Alice  ♦Q  ♥A ♥2"
    colored = SMALL.draw(duel.analyse(SMALL), color=True, symbols=True)
    assert "\x1b[31;1m♦Q\x1b[0m" in colored
    assert "\x1b[32m+9\x1b[0m" in colored
    assert "\x1b[31m-3\x1b[0m" in colored
    assert re.sub(r"\x1b\[[0-9;]*m", "", colored) == SMALL.draw(duel.analyse(SMALL), color=False, symbols=True)
    assert "\x1b[m" not in colored


def test_plain_text_of_boards_and_rows():
    board = hexapawn.Position.from_rows(["     ", "pp pp", "PPp  ", "   P ", "    P"])
    assert board.draw(color=True).count("\x1b[0m") == 9
    wide = hexapawn.Position.start(2, 32)
    assert wide.draw(color=False) == str(wide)
    assert wide.draw(color=True).splitlines()[2:] == str(wide).splitlines()[2:]  # names of columns are no pawns
    assert str(rows.Position([1.5, 2.0]).picture()).splitlines() == ["row    1.5   2", "I am to move"]
    wrapped = rows.Position(range(60)).picture(line=rows.solve(range(60)).line).text(color=False).splitlines()
    assert len(wrapped) == 7
    assert max(map(len, wrapped)) <= 110
    table = rows.table_picture([3, 9, 4, 1, 2], opponent="greedy").text(color=True).splitlines()
    assert (table[0], table[2]) == ("  | 3   9   4   1   2", "3 | 3   9   7  10  \x1b[1;36m12*\x1b[0m")


def test_plain_text_of_hearts():
    round_ = hearts.Round.deal(rng=7)
    while not round_.tricks:
        round_ = round_.play(round_.ask("greedy"))
    trick = round_.tricks[0]
    assert trick.draw(color=False, symbols=False).endswith(f"-> seat {trick.winner} takes 0 points")
    text = round_.draw(color=False, symbols=False).splitlines()
    assert text[0] == "seat 0   0  " + "  ".join(
        " ".join(card for card in round_.hands[0] if card[0] == suit) for suit in "CDSH"
    )
    assert text[4] == f"trick 2: seat {round_.to_move} to move"
    view = round_.view(round_.to_move)
    moves = hearts.evaluate_moves(view, playouts=20, rng=1)
    seen = view.draw(moves, color=False, symbols=False).splitlines()
    assert sum("12 cards" in line for line in seen) == 3
    assert seen[5] == f"{moves[0].move} {moves[0].mean:.2f} +- {moves[0].stderr:.2f}"
    assert round_.draw(color=True, symbols=True).isascii() is False


class Terminal(io.StringIO):
    """A stream that says what it is."""

    def __init__(self, encoding, terminal=True):
        super().__init__()
        self._encoding, self.terminal = encoding, terminal

    @property
    def encoding(self):
        return self._encoding

    def isatty(self):
        return self.terminal


@pytest.mark.parametrize(("stream", "environment", "color", "symbols"), [
    (Terminal("utf-8"), {}, True, True), (Terminal("utf-8", False), {}, False, False),
    (Terminal("utf-8"), {"NO_COLOR": "1"}, False, True), (Terminal("utf-8"), {"NO_COLOR": ""}, True, True),
    (Terminal("utf-8"), {"TERM": "dumb"}, False, True), (Terminal("latin-1"), {}, True, False),
    (Terminal("ascii"), {}, True, False), (Terminal(None), {}, True, False),
    (Terminal("no such encoding"), {}, True, False),
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


def test_a_closed_stream(monkeypatch):
    stream = io.StringIO()
    stream.close()
    monkeypatch.setattr("sys.stdout", stream)
    assert pen_for() == draw.Pen(False, False)


def test_no_control_character_of_an_exception_reaches_a_terminal(capsys):
    class Evil(Exception):
        pass

    def fails(_):
        raise Evil(EVIL)

    Evil.__name__ = EVIL
    with pytest.raises(batch.BatchError) as caught:
        batch.run(fails, [1])
    complain(str(caught.value) + EVIL)
    for text in (str(caught.value), capsys.readouterr().err):
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
