"""``gamecore play``: sessions as transcripts, whole games from typed lines, and sessions at a pseudo-terminal."""

import io
import os
import re
import shlex
import sys
from pathlib import Path

import pytest
from command import said

from gamecore import cli, duel, hearts
from gamecore.apps.play.hearts import HeartsSession
from gamecore.game import games

HERE = Path(__file__).parent
SESSIONS = (HERE / "sessions.txt").read_text(encoding="utf-8").split("\n$ ")[1:]
DEAL = "DQH2HA:H3D6S3:A:-"
IN_PLAY = hearts.random("left", plies=20, rng=1)


@pytest.fixture
def typed():
    """Run the command on typed lines, as they come out of a pipe; give what it prints."""

    def typed(lines, *words, before=()):
        status, out, err = said(*before, "play", *words, stdin="".join(f"{line}\n" for line in lines))
        assert (status, err) == (0, "")
        return out

    return typed


def saved(out):
    """The positions that were printed as notation."""
    return re.findall(r"^(?:your move: )*([!-~]+:[!-~]+)$", out, re.MULTILINE)


@pytest.mark.parametrize("session", SESSIONS)
def test_sessions(typed, session):
    command, _, printed = session.rstrip("\n").partition("\n")
    words, _, lines = command.partition(" <<< ")
    assert typed(lines.encode().decode("unicode_escape").split("\n"), *shlex.split(words)).rstrip("\n") == printed


# --- whole games -----------------------------------------------------------------------------------------------------


def by_hints(typed, *arguments):
    """Take each hint until the game is over; give what is printed then."""
    lines, out = [], ""
    while "The game is over" not in out:
        out = typed([*lines, "hint"], *arguments)
        lines += re.findall(r"hint: (\S+)", out)[-1:]
        assert len(lines) < 99
    return out


GAMES = {"duel": ["--cards", "4"], "hexapawn": ["3x3"], "rows": ["--values", "6"]}


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("opponent", ["solver", "greedy", "random"])
@pytest.mark.parametrize("second", [[], ["--second"]])
def test_a_game_by_hints_is_won_if_it_can_be_and_has_no_mistakes(typed, game, opponent, second):
    arguments = [game, *GAMES[game], "--opponent", opponent, "--seed", "3", *second]
    out = by_hints(typed, *arguments)
    assert "You made no mistakes." in out
    value = games()[game].solve(saved(typed(["save"], *arguments))[0]).value  # of the person, who is to move there
    assert value <= 0 or game == "rows" or opponent != "solver" or "you win" in out
    assert value <= 0 or game != "duel" or int(re.search(r"you win (\d+)", out)[1]) >= value


def test_moves_that_cannot_be_judged_in_time_are_counted(typed):
    out = by_hints(typed, "duel", "--cards", "20", "--seed", "2", "--time-limit", "0", "--opponent", "random")
    assert re.search(r"^\d+ of your \d+ moves: not known in time whether they cost anything$", out, re.MULTILINE)
    assert "no mistakes" not in out


@pytest.mark.parametrize(("file", "name", "lines"), [("nim.py", "nim", ["1x2"]), ("kit/tictactoe.py", "tictactoe", [])])
def test_a_user_s_game_is_played_without_more(typed, monkeypatch, file, name, lines):
    monkeypatch.setattr("gamecore.game._registry._registered", {})
    path = HERE.parents[1] / "examples" / file
    out = typed(["?", "hint", *lines, "flip", "undo", "save"], name, before=["--game", path])
    game = games()[name]
    assert re.search(r"hint: (\S+)", out)[1] in game.solve(game.start()).best_moves
    assert saved(out)


# --- hearts ----------------------------------------------------------------------------------------------------------


def nearly_over(points, **rules):
    """A round in which each seat has one card left, of rules by which a match ends at these points."""
    round_ = hearts.Round.deal(4, hearts.Rules(match_points=points, **rules), "hold")
    while len(round_.played) < 48:
        round_ = round_.play(round_.ask("greedy"))
    return round_


def test_rounds_of_hearts_are_played_until_a_seat_has_the_points(typed, monkeypatch):
    monkeypatch.setattr(type(hearts.GAME), "start", lambda self, **_: nearly_over(27))
    line = ["", ""]  # the last card, of which there is one; then the next round's pass is awaited
    out = typed([*line, "save"], "hearts", "--opponent", "greedy")
    points = [int(number) for number in re.search(r"points of all rounds: (.*)\.", out)[1].split()]
    assert "The round is over: " in out
    assert not re.search("wins? with", out)
    assert sum(points) == 26
    following = hearts.Round.from_text(saved(out)[-1])
    assert (following.passing, following.index, following.played) == ("left", 1, ())
    assert hearts.Round.deal(4, following.rules, "left", None, 1).dealt == following.dealt
    monkeypatch.setattr(type(hearts.GAME), "start", lambda self, **_: nearly_over(min(points) + 1))
    out = typed(line, "hearts", "--opponent", "greedy")
    assert "The game is over: " in out
    assert f" with {min(points)} point" in out


@pytest.mark.parametrize("rules", [{"pass_cards": False}, {"cycle": ("left", "right")}])
def test_a_match_goes_on_under_all_rules(typed, monkeypatch, rules):
    monkeypatch.setattr(type(hearts.GAME), "start", lambda self, **_: nearly_over(100, **rules))
    following = hearts.Round.from_text(saved(typed(["", "", "save"], "hearts", "--opponent", "greedy"))[-1])
    assert (following.index, following.passing) == (1, "left" if "cycle" in rules else "hold")


def test_the_points_of_rounds_are_added_and_the_fewest_win():
    first = nearly_over(100)
    while not first.is_over:
        first = first.play(first.ask("greedy"))
    session = HeartsSession(hearts.GAME, first, "0", None, None, None, None)
    session.rounds = (first, first)
    totals = [3 * points for points in first.points]
    assert session.result().endswith("points of all rounds: " + " ".join(map(str, totals)))
    for session.me in "0123":
        (said_of_it,) = session.summary()
        behind = totals[int(session.me)] - min(totals)
        assert ("you" in said_of_it.partition(" with ")[0]) == (behind == 0)
        assert f"with {min(totals)} point" in said_of_it
        assert (f", {behind} fewer than you" in said_of_it) == (behind > 0)
    passing = [session.next_round().passing]
    for _ in range(3):
        session.position = hearts.Round.deal(1, first.rules, passing[-1], None)
        passing.append(session.next_round().passing)
    assert passing == ["left", "right", "across", "hold"]


def test_passing_in_hearts(typed):
    hand = hearts.Round.from_text(saved(typed(["save"], "hearts", "--seed", "4"))[0]).view(0).hand
    lines = [f"{hand[0]} {hand[1]}", f"{hand[2]} {hand[1]} {hand[0]}".lower(), "undo", "hint", "?"]
    lines += [f"{hand[10]},{hand[11]}-{hand[12]}", "save"]
    out = typed(lines, "hearts", "--seed", "4", "--opponent", "greedy")
    assert "seat 0 has to pass 3 cards" in out
    assert "there are no estimates while cards are passed" in out
    hint = re.search(r"hint: (\S+) \(not proven\)", out)[1].split("-")
    assert (len(hint), set(hint) <= set(hand)) == (3, True)
    assert hearts.Round.from_text(saved(out)[-1]).passed[0] == tuple(hand[10:13])
    assert not re.search(r"seat [123]: pass", out)


def test_other_hands_of_hearts_stay_hidden(typed):
    out = typed(["?", "hint", "zz"], "hearts", IN_PLAY.to_text(), "--opponent", "greedy", "--seed", "4")
    assert "points in this round, by playouts" in out
    assert not saved(out)
    assert "The hands stay hidden" in out
    others = re.findall(r"^seat [123] +\d+  (.*)", out, re.MULTILINE)
    assert others
    assert all(re.fullmatch(r"\d+ cards(, out of [CDHS ]+)?", hand) for hand in others)
    out = typed(["flip", "flip", "save"], "hearts", IN_PLAY.to_text(), "--opponent", "greedy")
    assert "Your side: seat 2." in out
    assert hearts.Round.from_text(saved(out)[0]).to_move == 2


# --- files, and input of every kind ----------------------------------------------------------------------------------


def test_save_and_load(typed, tmp_path):
    path, other = tmp_path / "game.txt", tmp_path / "notes.txt"
    other.write_text("mine\n")
    lines = ["HA", f"save {path}", f"save {other}", f"save {path}/x", "undo", f"load {path}", "save"]
    out = typed(lines, "duel", DEAL)
    assert "is no saved game: not touched" in out
    assert "cannot " in out
    assert other.read_text() == "mine\n"
    position = duel.Position.from_text(path.read_text())
    assert len(position.alice) == 2
    assert position.to_text() in saved(out)
    assert saved(typed(["save"], "duel", str(path)))[0] == position.to_text()


@pytest.mark.parametrize("game", ["duel", "hexapawn", "rows", "hearts"])
def test_rules_and_leaving(typed, monkeypatch, game):
    rules = games()[game].rules
    assert rules.count("\n") < 5
    assert rules in typed(["rules"], game)
    monkeypatch.setattr("sys.stdin", None)
    assert cli.main(["play", game]) == 0


def test_input_that_is_no_text_and_a_long_line(monkeypatch, capsys, typed):
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"\xff\xfe\n"), encoding="ascii"))
    assert (cli.main(["play", "duel"]), capsys.readouterr().err) == (2, "gamecore: the input is not text\n")
    assert max(map(len, typed(["z" * 100_000], "duel", DEAL).splitlines())) < 200


# --- at a terminal ---------------------------------------------------------------------------------------------------


@pytest.fixture
def terminal():
    """Start the command in a pseudo-terminal; its end gives the status and all that stood there."""
    pexpect = pytest.importorskip("pexpect", reason="pseudo-terminals: pexpect is in the extra 'test-all'")
    children = []

    def start(*words, **environment):
        usual = {key: value for key, value in os.environ.items() if key not in ("NO_COLOR", "COLUMNS", "LINES")}
        child = pexpect.spawn(
            sys.executable, ["-m", "gamecore", *words], encoding="utf-8", timeout=60, dimensions=(24, 100),
            env=usual | {"TERM": "xterm-256color", "PYTHONUTF8": "1"} | environment,
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


def test_a_game_at_a_terminal(terminal):
    child, over = terminal("play", "duel", "H2:H3D6:A:-"), "new, undo or quit: "
    for awaited, line in (("your move: ", "h2"), ("you win 9 points", ""), (over, "new"), ("your move: ", "")):
        child.expect_exact(awaited)
        if line:
            child.sendline(line)
    child.sendeof()
    status, text = ended(child)
    assert status == 0
    assert "♥2" in re.sub(r"\x1b\[[0-9;]*m", "", text)
    assert "The position, for load" in text


@pytest.mark.parametrize(
    "environment", [{"NO_COLOR": "1"}, {"TERM": "dumb"}, {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}]
)
def test_terminals_that_can_do_less(terminal, environment):
    child = terminal("play", "hearts", "--seed", "3", "--opponent", "greedy", **environment)
    child.expect_exact("your move: ")
    child.sendeof()
    status, text = ended(child)
    assert status == 0
    assert text.isascii() if "LC_ALL" in environment else "\x1b[3" not in text and "♥" in text


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
