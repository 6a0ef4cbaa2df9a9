"""``gamecore play``: sessions as transcripts, whole games from typed lines, and sessions at a pseudo-terminal."""

import io
import os
import re
import shlex
import sys
from pathlib import Path

import pytest
from command import said

from gamecore import cli
from gamecore.game import _registry, games

HERE = Path(__file__).parent
SESSIONS = (HERE / "sessions.txt").read_text("ascii").rstrip("\n").split("\n$ ")[1:]  # in a pipe nothing else is said
FILES = {"notes.txt": "mine\n", "saved.txt": "DQH2HA:H3D6S3:A:-\n"}


def typed(lines, *words):
    """What the command prints of typed lines, as they come out of a pipe."""
    status, out, err = said(*words, stdin="".join(f"{line}\n" for line in lines))
    assert (status, err) == (0, "")
    return out


@pytest.mark.parametrize("session", SESSIONS)
def test_sessions(session, request, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(_registry, "_registered", {})
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    command, _, expected = session.partition("\n")
    words, _, lines = command.replace("EXAMPLES", str(HERE.parents[1] / "examples")).partition(" <<< ")
    printed = typed(lines.encode().decode("unicode_escape").split("\n"), *shlex.split(words)).rstrip("\n")
    if request.config.option.update:
        (path := HERE / "sessions.txt").write_text(path.read_text("ascii").replace(session, f"{command}\n{printed}", 1))
    else:
        assert printed == expected, "pytest tests/play --update writes it anew"
    assert (tmp_path / "notes.txt").read_text() == FILES["notes.txt"]


# --- whole games -----------------------------------------------------------------------------------------------------


def by_hints(*words):
    """Take each hint until the game is over; give what is printed then."""
    lines, out = [], ""
    while "The game is over" not in out:
        out = typed([*lines, "hint"], "play", *words)
        lines += re.findall(r"hint: (\S+)", out)[-1:]
        assert len(lines) < 99
    return out


GAMES = {"duel": ["--cards", "4"], "hexapawn": ["3x3"], "rows": ["--values", "6"]}


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("opponent", ["solver", "greedy", "random"])
@pytest.mark.parametrize("second", [[], ["--second"]])
def test_a_game_by_hints_is_won_if_it_can_be_and_has_no_mistakes(game, opponent, second):
    words = [game, *GAMES[game], "--opponent", opponent, "--seed", "3", *second]
    out, start = by_hints(*words), re.search(r"^your move: (.+:.+)$", typed(["save"], "play", *words), re.MULTILINE)[1]
    assert "You made no mistakes." in out
    value = games()[game].solve(start).value  # of the person, who is to move there
    assert value <= 0 or game == "rows" or opponent != "solver" or "you win" in out
    assert value <= 0 or game != "duel" or int(re.search(r"you win (\d+)", out)[1]) >= value


def test_moves_that_cannot_be_judged_in_time_are_counted():
    out = by_hints("duel", "--cards", "20", "--seed", "2", "--time-limit", "0", "--opponent", "random")
    assert re.search(r"^\d+ of your \d+ moves: not known in time whether they cost anything$", out, re.MULTILINE)
    assert "no mistakes" not in out


# --- input of every kind ---------------------------------------------------------------------------------------------


def test_input_that_is_closed(monkeypatch, capsys):
    monkeypatch.setattr("sys.stdin", None)
    assert (cli.main(["play", "duel"]), capsys.readouterr().err) == (0, "")


# --- at a terminal ----------------------------------------------------------------------------------------------------


@pytest.fixture
def terminal():
    """Start the command in a pseudo-terminal; its end gives the status and all that stood there."""
    pexpect = pytest.importorskip("pexpect", reason="pseudo-terminals: pexpect is in the group 'test-all'")
    children = []

    def start(*words, **more):
        usual = {key: value for key, value in os.environ.items() if key not in ("NO_COLOR", "COLUMNS", "LINES")}
        child = pexpect.spawn(
            sys.executable, ["-m", "gamecore", *words], encoding="utf-8", timeout=60, dimensions=(24, 100),
            env=usual | {"TERM": "xterm-256color", "PYTHONUTF8": "1"} | more,
        )  # fmt: skip
        child.logfile_read, child.delaybeforesend = io.StringIO(), 0
        children.append(child)
        return child

    yield start
    for child in children:
        child.close(force=True)


def ended(child):
    """Wait for the end; return the status and all that stood on the terminal."""
    child.read()
    child.close()
    return child.exitstatus, child.logfile_read.getvalue()


@pytest.mark.parametrize("more", [[], ["--second"]])
def test_control_c_ends_cleanly(terminal, more):
    """While the person is asked, and while the computer thinks."""
    child = terminal("play", "duel", "--cards", "26", "--seed", "5", "--time-limit", "600", *more)
    child.expect_exact("or quit." if more else "your move: ")
    child.sendintr()
    status, text = ended(child)
    assert status == 130
    assert "The position" in text
    assert "gamecore: interrupted" in text
    assert "Traceback" not in text


@pytest.mark.parametrize("words", [["duel"], ["rows"], ["hearts", "solve"], ["solve-file", "-", "-o", os.devnull]])
def test_a_terminal_is_told_which_input_is_awaited(terminal, words):
    child = terminal(*words)
    child.expect(f"gamecore {words[0]}: type .*; Ctrl-D ends the input")
    child.sendeof()
    assert ended(child)[0] == 2


@pytest.mark.parametrize(("environment", "expected"), [
    ({}, "\x1b[31;1m♦Q"), ({"NO_COLOR": "1"}, "Alice  ♦Q  ♥A ♥2"), ({"TERM": "dumb"}, "Alice  ♦Q  ♥A ♥2"),
    ({"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "PYTHONIOENCODING": ""}, "\x1b[31;1mDQ"),
])  # fmt: skip
def test_a_drawing_at_a_terminal(terminal, environment, expected):
    status, text = ended(terminal("duel", "--draw", "DQH2HA:H3D6S3:A:-", **environment))
    assert (status, expected in text) == (0, True)
