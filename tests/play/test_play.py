"""``gamecore play``: whole games from typed lines, every command, and sessions through a pseudo-terminal."""

import io
import os
import re
import sys
from pathlib import Path

import pytest
from command import said

from gamecore import cli, duel, hearts, hexapawn, rows
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

GAMES = {"duel": (duel, ["--cards", "4"]), "hexapawn": (hexapawn, ["3x3"]), "rows": (rows, ["--values", "6"])}


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("opponent", ["solver", "greedy", "random"])
@pytest.mark.parametrize("second", [[], ["--second"]])
def test_a_game_by_hints_is_played_to_its_end(typed, game, opponent, second):
    module, options = GAMES[game]
    arguments = [game, *options, "--opponent", opponent, "--seed", "3", *second]
    lines = []
    for _ in range(20):  # take each hint: the last one is that of the last decision
        status, out, err = typed([*lines, "hint"], *arguments)
        assert (status, err) == (0, "")
        if "The game is over" in out:
            break
        lines.append(re.findall(r"hint: (\S+)", out)[-1])
    else:
        raise AssertionError(out)
    value = module.solve(saved(typed(["save"], *arguments)[1])[0]).value  # of the person, who is to move there
    if opponent == "solver" and value > 0 and game != "rows":
        assert "you win" in out
    if value > 0 and game == "duel":
        assert int(re.search(r"you win (\d+)", out)[1]) >= value


def test_the_solver_wins_what_it_can(typed):
    assert duel.solve(DEAL).winner == "Alice"
    status, out, _ = typed(["h3", "", "s3", "d6", "", ""], "duel", DEAL, "--second")
    assert status == 0
    assert "Alice: ace of hearts" in out
    assert "The game is over: Alice wins 9 points" in out


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


def test_the_points_of_rounds_are_added(typed, monkeypatch):
    from gamecore.apps.play.hearts import HeartsSession

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


def test_quit_and_the_end_of_the_input_leave_alike(typed):
    assert typed(["QUIT", "save"], "duel", DEAL)[1] == typed([], "duel", DEAL)[1]


@pytest.mark.parametrize("game", ["duel", "hexapawn", "rows", "hearts"])
def test_the_rules_take_few_lines(typed, game):
    rules = games()[game].rules
    assert rules.count("\n") < 5
    assert rules in typed(["rules"], game)[1]


@pytest.mark.parametrize("game", ["duel", "hexapawn", "rows", "hearts"])
def test_nobody_types(typed, monkeypatch, game):
    assert typed([], game)[::2] == (0, "")
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


class Terminal:
    """The command in a pseudo-terminal."""

    def __init__(self, pexpect, arguments, **environment):
        env = {key: value for key, value in os.environ.items() if key not in ("NO_COLOR", "COLUMNS", "LINES")}
        env |= {"TERM": "xterm-256color", "PYTHONUTF8": "1", **environment}
        self.log = io.StringIO()
        self.child = pexpect.spawn(
            sys.executable, ["-m", "gamecore", *arguments], env=env, dimensions=(24, 100),
            encoding="utf-8", timeout=60,
        )  # fmt: skip
        self.child.logfile_read = self.log
        self.child.delaybeforesend = 0

    def talk(self, *texts):
        """Await a text and type a line, by turns; nothing is typed for an empty one."""
        for awaited, typed in zip(texts[::2], texts[1::2], strict=True):
            self.until(awaited)
            if typed:
                self.child.sendline(typed)

    def until(self, text):
        self.child.expect_exact(text)

    def end(self):
        import pexpect

        self.child.expect(pexpect.EOF)
        self.child.close()
        return self.child.exitstatus

    @property
    def seen(self):
        return self.log.getvalue()


@pytest.fixture
def terminal():
    pexpect = pytest.importorskip("pexpect", reason="pseudo-terminals: pexpect is in the extra 'test-all'")
    if not hasattr(pexpect, "spawn"):
        pytest.skip("there are no pseudo-terminals on this system")
    opened = []

    def open_(*arguments, tool=("play",), **environment):
        opened.append(Terminal(pexpect, [*tool, *arguments], **environment))
        return opened[-1]

    yield open_
    for one in opened:
        one.child.close(force=True)


def test_a_game_at_a_terminal(terminal):
    table = terminal("duel", "H2:H3D6:A:-")
    over = "new, undo or quit: "
    table.talk("your move: ", "h2", "you win 9 points", "", over, "h2", over, "undo", "your move: ", "h2", over, "new")
    assert "♥2" in re.sub(r"\x1b\[[0-9;]*m", "", table.seen)
    table.until("Bob")
    table.until("your move: ")
    table.child.sendeof()
    assert table.end() == 0
    assert "The position, for load" in table.seen
    assert "Traceback" not in table.seen


@pytest.mark.parametrize(
    "environment", [{"NO_COLOR": "1"}, {"TERM": "dumb"}, {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}]
)
def test_terminals_that_can_do_less(terminal, environment):
    table = terminal("hearts", "--seed", "3", "--opponent", "greedy", **environment)
    table.talk("your move: ", "?", "no estimates", "")
    table.child.sendeof()
    assert table.end() == 0
    if "LC_ALL" in environment:
        assert table.seen.isascii()
    else:
        assert "\x1b[3" not in table.seen
        assert "♥" in table.seen


@pytest.mark.parametrize("thinking", [False, True])
def test_control_c_ends_cleanly(terminal, thinking):
    more = ["--second"] if thinking else []
    table = terminal("duel", "--cards", "26", "--seed", "5", "--time-limit", "600", *more)
    table.until("or quit.")
    if not thinking:
        table.until("your move: ")
    table.child.sendintr()
    assert table.end() == 130
    assert "The position" in table.seen
    assert "gamecore: interrupted" in table.seen
    assert "Traceback" not in table.seen


@pytest.mark.parametrize("words", [["duel"], ["rows"], ["hearts", "solve"], ["solve-file", "-", "-o", os.devnull]])
def test_a_terminal_is_told_which_input_is_awaited(terminal, words):
    table = terminal(*words, tool=())
    table.until(f"gamecore {words[0]}: type ")
    table.until("; Ctrl-D ends the input")
    table.child.sendeof()
    assert table.end() == 2
