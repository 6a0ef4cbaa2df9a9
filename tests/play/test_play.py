"""``gamecore play``: whole games from typed lines, every command, and sessions through a pseudo-terminal."""

import io
import os
import re
import sys
from pathlib import Path

import pytest
from command import said

from gamecore import cli, duel, hearts, hexapawn
from gamecore.apps.play.hearts import HeartsSession
from gamecore.game import games

ROOT = Path(__file__).parents[2]
DEAL = "DQH2HA:H3D6S3:A:-"
IN_PLAY = hearts.random("left", plies=20, rng=1)


@pytest.fixture
def typed():
    """Run the command on typed lines, as they come out of a pipe: status, output, errors."""
    return lambda lines, *arguments: said("play", *arguments, stdin="".join(f"{line}\n" for line in lines))


def saved(out):
    """The positions that were printed as notation."""
    return re.findall(r"^(?:your move: )*([!-~]+:[!-~]+)$", out, re.MULTILINE)


# --- whole games -----------------------------------------------------------------------------------------------------

GAMES = {"duel": ["--cards", "4"], "hexapawn": ["3x3"], "rows": ["--values", "6"]}


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("opponent", ["solver", "greedy", "random"])
@pytest.mark.parametrize("second", [[], ["--second"]])
def test_a_game_by_hints_is_played_to_its_end(typed, game, opponent, second):
    arguments = [game, *GAMES[game], "--opponent", opponent, "--seed", "3", *second]
    lines, out = [], ""
    while "The game is over" not in out:  # take each hint: the last one is that of the last decision
        status, out, err = typed([*lines, "hint"], *arguments)
        assert (status, err) == (0, "")
        lines += re.findall(r"hint: (\S+)", out)[-1:]
        assert len(lines) < 20
    value = games()[game].solve(saved(typed(["save"], *arguments)[1])[0]).value  # of the person, who is to move there
    assert value <= 0 or game == "rows" or opponent != "solver" or "you win" in out
    assert value <= 0 or game != "duel" or int(re.search(r"you win (\d+)", out)[1]) >= value


def test_the_solver_wins_what_it_can(typed):
    assert duel.solve(DEAL).winner == "Alice"
    status, out, _ = typed(["h3", "", "s3", "d6", "", ""], "duel", DEAL, "--second")
    assert status == 0
    assert "Alice: ace of hearts" in out
    assert "The game is over: Alice wins 9 points" in out
    assert "The game is over: you win 9 points" in typed(["h2"], "duel", "H2:H3D6:A:-")[1]


@pytest.mark.parametrize(("file", "name", "lines"), [("nim.py", "nim", ["1x2"]), ("kit/tictactoe.py", "tictactoe", [])])
def test_a_user_s_game_is_played_without_more(monkeypatch, file, name, lines):
    monkeypatch.setattr("gamecore.game._registry._registered", {})
    stdin = "".join(f"{line}\n" for line in ["?", "hint", *lines, "flip", "undo", "save"])
    status, out, err = said("--game", str(ROOT / "examples" / file), "play", name, stdin=stdin)
    assert (status, err) == (0, "")
    game = games()[name]
    best = game.solve(game.start()).best_moves
    assert re.search(r"hint: (\S+)", out)[1] in best
    assert saved(out)


# --- hearts ----------------------------------------------------------------------------------------------------------


def nearly_over(points):
    """A round in which each seat has one card left, of rules by which a match ends at these points."""
    round_ = hearts.Round.deal(4, hearts.Rules(match_points=points), "hold")
    while len(round_.played) < 48:
        round_ = round_.play(round_.ask("greedy"))
    return round_


def test_rounds_of_hearts_are_played_until_a_seat_has_the_points(typed, monkeypatch):
    game = hearts.GAME
    monkeypatch.setattr(type(game), "start", lambda self, **_: nearly_over(27))
    line = ["" for _ in range(2)]  # the last card, of which there is one; then the next round's pass is awaited
    status, out, err = typed([*line, "save"], "hearts", "--opponent", "greedy")
    assert (status, err) == (0, "")
    points = [int(number) for number in re.search(r"points of all rounds: (.*)\.", out)[1].split()]
    assert "The round is over: " in out
    assert sum(points) == 26
    following = hearts.Round.from_text(saved(out)[-1])
    assert (following.passing, following.index, following.played) == ("left", 1, ())
    assert hearts.Round.deal(4, following.rules, "left", None, 1).dealt == following.dealt
    monkeypatch.setattr(type(game), "start", lambda self, **_: nearly_over(min(points) + 1))
    status, out, _ = typed(line, "hearts", "--opponent", "greedy")
    assert status == 0
    assert "The game is over: " in out


def test_the_points_of_rounds_are_added():
    first = nearly_over(100)
    while not first.is_over:
        first = first.play(first.ask("greedy"))
    session = HeartsSession(hearts.GAME, first, "0", None, None, None, None)
    session.rounds = (first, first)
    assert session.result().endswith("points of all rounds: " + " ".join(str(3 * points) for points in first.points))
    passing = [session.next_round().passing]
    for _ in range(3):
        session.position = hearts.Round.deal(1, first.rules, passing[-1], None)
        passing.append(session.next_round().passing)
    assert passing == ["left", "right", "across", "hold"]


def test_passing_in_hearts(typed):
    hand = hearts.Round.from_text(saved(typed(["save"], "hearts", "--seed", "4")[1])[0]).view(0).hand
    lines = [f"{hand[0]} {hand[1]}", f"{hand[2]} {hand[1]} {hand[0]}".lower(), "undo", "hint", "?"]
    status, out, _ = typed(
        [*lines, f"{hand[10]},{hand[11]}-{hand[12]}", "save"], "hearts", "--seed", "4", "--opponent", "greedy"
    )
    assert status == 0
    assert "seat 0 has to pass 3 cards" in out
    assert "there are no estimates while cards are passed" in out
    hint = re.search(r"hint: (\S+) \(not proven\)", out)[1].split("-")
    assert len(hint) == 3
    assert set(hint) <= set(hand)
    last = hearts.Round.from_text(saved(out)[-1])
    assert last.passed[0] == tuple(hand[10:13])
    assert not re.search(r"seat [123]: pass", out)


def test_other_hands_of_hearts_stay_hidden(typed):
    status, out, _ = typed(["?", "hint", "zz"], "hearts", IN_PLAY.to_text(), "--opponent", "greedy", "--seed", "4")
    assert status == 0
    assert "points in this round, by playouts" in out
    assert not saved(out)
    assert "The hands stay hidden" in out
    mine = re.findall(r"^seat 0 .*", out, re.MULTILINE)
    others = re.findall(r"^seat [123] +\d+  (.*)", out, re.MULTILINE)
    assert mine
    assert others
    assert all(re.fullmatch(r"\d+ cards(, out of [CDHS ]+)?", hand) for hand in others)


# --- commands --------------------------------------------------------------------------------------------------------


def test_a_move_is_typed_in_any_letters_or_by_its_beginning(typed):
    for word in ("HA", "ha", "Ha"):
        assert saved(typed([word, "save"], "duel", DEAL)[1])[0] == saved(typed(["hA", "save"], "duel", DEAL)[1])[0]
    out = typed(["h", "d", "save"], "duel", DEAL)[1]
    assert "'h' begins several moves: H2 HA" in out or "'h' begins several moves: HA H2" in out
    assert "DQ" not in saved(out)[0].split(":")[0]
    assert "'s7' is not a legal move; legal: " in typed(["s7"], "duel", DEAL)[1]
    out = typed(["", "x"], "hexapawn", "8x8")[1]
    assert "'' begins several moves: " in out
    assert max(map(len, out.splitlines())) < 200


def test_what_each_move_is_worth(typed):
    out = typed(["?"], "duel", DEAL)[1]
    for entry in duel.analyse(DEAL):
        assert f"{entry.move}: {'wins' if entry.value > 0 else 'loses'} {abs(entry.value)} point" in out


def test_undo_goes_back_to_decisions(typed):
    lines = ["save", "a1-a2", "save", "b1-b2", "save", "undo", "save", "undo", "save", "undo"]
    status, out, _ = typed(lines, "hexapawn", "--opponent", "greedy", "--rows", "5", "--columns", "4")
    assert status == 0
    texts = saved(out)
    assert (texts[0], len(set(texts[:3]))) == (hexapawn.Position.start(5, 4).to_text(), 3)
    assert all(hexapawn.Position.from_text(text).to_move == "white" for text in texts)
    assert (texts[3:5], out.count("nothing to take back")) == ([texts[1], texts[0]], 1)


def test_flip_changes_sides(typed):
    status, out, _ = typed(["flip", "?"], "hexapawn", "3x3")
    assert status == 0
    assert "Your side: black." in out
    assert re.search(r"white: [abc]1 to [abc]2", out)
    out = typed(["flip", "flip", "save"], "hearts", IN_PLAY.to_text(), "--opponent", "greedy")[1]
    assert "Your side: seat 2." in out
    assert hearts.Round.from_text(saved(out)[0]).to_move == 2
    assert typed(["flip", "l", "l"], "rows", "optimal:me:0:0:1,5,2,3")[1].count("the opponent: take") == 2


def test_save_and_load(typed, tmp_path):
    path, other = tmp_path / "game.txt", tmp_path / "notes.txt"
    other.write_text("mine\n")
    status, out, _ = typed(["HA", f"save {path}", f"save {other}", "undo", f"load {path}", "save"], "duel", DEAL)
    assert status == 0
    assert "is no saved game: not touched" in out
    assert other.read_text() == "mine\n"
    position = duel.Position.from_text(path.read_text())
    assert len(position.alice) == 2
    assert position.to_text() in saved(out)
    assert saved(typed(["save"], "duel", str(path))[1])[0] == position.to_text()
    status, out, _ = typed([f"load {DEAL}", "save", "load", "load /nonexistent", "load x:y", f"save {path}/x"], "duel")
    assert (status, saved(out)[0]) == (0, DEAL)
    assert "neither a file nor a position" in out
    assert "fields where a position has" in out
    assert "cannot " in out
    assert typed(["hint"], "duel", "0:D6S3:B:DQ")[1].count("The game is over") == 2


def test_new_help_and_unknown_words(typed):
    status, out, _ = typed(["new", "help", "save", "l"], "duel", "--seed", "1")
    assert status == 0
    assert "tells what each move is worth" in out
    assert "'l' is not a legal move" in out
    first, second = saved(typed(["save", "new", "save"], "duel", "--seed", "1")[1])[:2]
    assert first != second


@pytest.mark.parametrize("game", ["duel", "hexapawn", "rows", "hearts"])
def test_rules_and_leaving(typed, monkeypatch, game):
    rules = games()[game].rules
    assert rules.count("\n") < 5
    assert rules in typed(["rules"], game)[1]
    status, out, _ = typed([], game, "--seed", "1")
    assert (status, out) == (0, typed(["QUIT", "save"], game, "--seed", "1")[1])
    monkeypatch.setattr("sys.stdin", None)
    assert cli.main(["play", game]) == 0


def test_input_that_is_no_text(monkeypatch, capsys):
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"\xff\xfe\n"), encoding="ascii"))
    assert (cli.main(["play", "duel"]), capsys.readouterr().err) == (2, "gamecore: the input is not text\n")


def test_long_lines_are_refused_and_cannot_steer_the_terminal(typed):
    status, out, err = typed(["z" * 100_000, "\x1b[2J", "load \x1b[2J"], "duel", DEAL)
    assert (status, err) == (0, "")
    assert "\x1b" not in out
    assert max(map(len, out.splitlines())) < 200


# --- at a terminal ---------------------------------------------------------------------------------------------------


@pytest.fixture
def terminal():
    """Start the command in a pseudo-terminal."""
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
    for awaited, line in (("your move: ", "h2"), ("you win 9 points", ""), (over, "h2"), (over, "undo"),
                          ("your move: ", "h2"), (over, "new"), ("Bob", ""), ("your move: ", "")):  # fmt: skip
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
