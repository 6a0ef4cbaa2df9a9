"""``gamecore play``: whole games from typed lines, every command, and sessions through a pseudo-terminal."""

import io
import os
import re
import sys

import pytest
from command import said

from gamecore import cli, duel, hearts, hexapawn, rows
from gamecore.errors import CardError, IllegalMoveError
from gamecore.game import games
from gamecore.typed_cards import read_card, read_cards

DEAL = "DQH2HA:H3D6S3:A:-"
NOTATION = re.compile(r"^[!-~]+:[!-~]+$", re.MULTILINE)
GREEDY = ["--players", "greedy", "greedy", "greedy"]


@pytest.fixture
def typed():
    """Run the command on typed lines, as they come out of a pipe: status, output, errors."""
    return lambda lines, *arguments: said("play", *arguments, stdin="".join(f"{line}\n" for line in lines))


def saved(out):
    """The positions that were printed as notation."""
    return NOTATION.findall(re.sub(r"(your move|your card|pass three cards \w+|\(Enter\)): ?", "\n", out))


# --- cards -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["HT", "ht", "th", "10h", "h10", "TH", "♥10", "10♥", "♥t", "♡T", "♥️10", "10"])
def test_a_card_is_read_in_every_way_that_people_write_it(text):
    assert read_card(text, ["C2", "HT"]) == "HT"


def test_a_rank_alone_must_be_of_one_card():
    assert read_card("q", ["SQ", "D2"]) == "SQ"
    with pytest.raises(IllegalMoveError, match="may be SQ or HQ"):
        read_card("q", ["SQ", "HQ"])
    with pytest.raises(IllegalMoveError, match="have no 10"):
        read_card("10", ["SQ", "HQ"])


@pytest.mark.parametrize("text", ["", "x", "hh", "qq", "11h", "c2d3", "\x1b[2J", "h1", "1"])
def test_what_is_no_card(text):
    with pytest.raises((CardError, IllegalMoveError)) as error:
        read_card(text, ["C2"])
    assert "\x1b" not in str(error.value)


@pytest.mark.parametrize("text", ["c2 d3 ha", "C2,D3,HA", "c2-d3-ha", "2c3dah", "♣2 3♦ a", " c2  d3;ha "])
def test_several_cards_in_one_line(text):
    assert read_cards(text, ["C2", "D3", "HA", "D4"]) == ["C2", "D3", "HA"]


# --- whole games -----------------------------------------------------------------------------------------------------

GAMES = {
    "duel": (duel, ["--cards", "4"]),
    "hexapawn": (hexapawn, ["--board", "3x3"]),
    "rows": (rows, ["--values", "6"]),
}


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("opponent", ["solver", "greedy", "random"])
@pytest.mark.parametrize("second", [[], ["--second"]])
def test_a_game_by_hints_is_played_to_its_end(typed, game, opponent, second):
    module, options = GAMES[game]
    lines = []
    for _ in range(20):  # take each hint: the last one is that of the last decision
        status, out, err = typed([*lines, "hint"], game, *options, "--opponent", opponent, "--seed", "3", *second)
        assert (status, err) == (0, "")
        if "The game is over" in out:
            break
        lines.append(re.findall(r"hint: (\S+)", out)[-1].replace("passes", "pass"))
    else:
        raise AssertionError(out)
    start = saved(typed(["save"], game, *options, "--opponent", opponent, "--seed", "3", *second)[1])[0]
    value = module.solve(start).value  # of the person, who is to move there
    if opponent == "solver" and value > 0 and game != "rows":
        assert "you win" in out or "you have won" in out
    if value > 0 and game == "duel":
        assert int(re.search(r"you win (\d+)", out)[1]) >= value


def test_the_solver_wins_what_it_can(typed):
    start = duel.Position.from_text(DEAL)
    assert duel.solve(start).winner == "Alice"
    status, out, _ = typed(["h3", "", "s3", "d6", "", ""], "duel", DEAL, "--second")
    assert status == 0
    assert "Alice: HA" in out
    assert "Alice wins 9 points" in out


def test_a_match_of_hearts(typed):
    lines = ["?", "zz"]
    for _ in range(16):
        status, out, err = typed(lines, "hearts", "--seed", "4", *GREEDY, "--to", "1", "--no-pass-cards")
        assert (status, err) == (0, "")
        if "won by" in out:
            break
        lines.append(re.findall(r"^legal +(\S+)", out, re.MULTILINE)[-1].lower())
    expected = hearts.Round.deal(4)
    for card in lines[2:]:
        while expected.to_move:
            expected = expected.play(expected.ask("greedy"))
        expected = expected.play(card.upper())
    while not expected.is_over:
        expected = expected.play(expected.ask("greedy"))
    a, b, c, d = expected.points
    assert f"score: you {a}, left {b}, across {c}, right {d}" in out
    assert "Points to expect" in out
    assert "'zz' is not a card" in out


def test_passing_in_hearts(typed):
    hand = hearts.Round.deal(4, passing="left", passer=None).view(0).hand
    three = f"{hand[0]} {hand[1]} {hand[2]}".lower()
    lines = [f"{hand[0]} {hand[1]}", three, "undo", "hint", "?", f"{hand[10]}{hand[11]}{hand[12]}", "save"]
    status, out, _ = typed(lines, "hearts", "--seed", "4", *GREEDY)
    assert status == 0
    assert "type three cards, not 2" in out
    assert out.count("you got") == 2
    assert out.count("there are no estimates while cards are passed") == 1
    hint = re.findall(r"hint: (.*) \(not proven\)", out)[0].split()
    assert len(hint) == 3
    assert set(hint) <= set(hand)
    last = hearts.Round.from_text(saved(out)[-1])
    assert last.passed[0] == tuple(hand[10:13])


# --- commands --------------------------------------------------------------------------------------------------------


def test_undo_goes_back_to_decisions(typed):
    lines = ["save", "a1-a2", "save", "b1-b2", "save", "undo", "save", "u", "save", "u"]
    lines += ["a1-a2", "b1-b2", "undo 2", "save", "undo 0", "undo x"]
    status, out, _ = typed(lines, "hexapawn", "--opponent", "greedy", "--board", "5x4")
    assert status == 0
    found = saved(out)
    assert found[0] == hexapawn.Position.start(5, 4).to_text()
    assert len(set(found[:3])) == 3
    assert all(hexapawn.Position.from_text(text).to_move == "white" for text in found)
    assert found[3:6] == [found[1], found[0], found[0]]
    assert out.count("nothing to take back") == 3


def test_flip_changes_sides(typed):
    status, out, _ = typed(["flip", "show", "?"], "hexapawn", "--board", "3x3")
    assert status == 0
    assert "You play black now." in out
    board = out[out.index("You play black now.") :]
    assert board.index("\n1  ") < board.index("\n3  ")  # black sits below
    assert "c b a" in board
    assert re.search(r"white: [abc]1-[abc]2", board)
    _, out, _ = typed(["flip", "flip"], "hearts", DEAL_IN_PLAY, *GREEDY)
    assert "You play seat 2 now" in out
    assert "moves by rule" in typed(["flip"], "rows", "--opponent", "greedy")[1]
    assert typed(["flip", "l", "l"], "rows", "optimal:me:0:0:1,5,2,3")[1].count("the opponent takes") == 2


DEAL_IN_PLAY = hearts.random("left", plies=20, rng=1).to_text()


def test_save_and_load(typed, tmp_path, capsys):
    path, other = tmp_path / "game.txt", tmp_path / "notes.txt"
    other.write_text("mine\n")
    status, out, _ = typed(["HA", f"save {path}", f"save {other}", "undo", f"load {path}", "save"], "duel", DEAL)
    assert status == 0
    assert "is no saved game: not touched" in " ".join(out.split())
    assert other.read_text() == "mine\n"
    position = duel.Position.from_text(path.read_text())
    assert len(position.alice) == 2
    assert position.to_text() in saved(out)
    assert saved(typed(["save"], "duel", str(path))[1])[0] == position.to_text()
    status, out, _ = typed([f"load {DEAL}", "save", "load", "load /nonexistent", "load x:y", f"save {path}/x"], "duel")
    assert status == 0
    assert saved(out)[0] == DEAL
    assert out.count("cannot ") == 2
    assert typed(["hint"], "duel", "0:D6S3:B:DQ")[1].count("The game is over") == 1


def test_new_help_and_unknown_words(typed):
    status, out, _ = typed(["new", "help", "save", "l"], "duel", "--seed", "1")
    assert status == 0
    assert "each move is worth" in out
    assert "'l' is not a card" in out
    first, second = saved(typed(["save", "new", "save"], "duel", "--seed", "1")[1])[:2]
    assert first != second


def test_q_may_be_the_queen(typed):
    status, out, _ = typed(["q", "save", "Q", "quit", "save"], "duel", DEAL)
    assert status == 0
    assert "q may be the queen or quit" in out
    assert saved(out)[0] == DEAL
    assert "DQ" not in saved(out)[-1].split(":")[0]
    assert len(saved(typed(["q", "save"], "duel", "C2H2:H3D6:A:-")[1])) == 1
    moves = [hearts.random("hold", plies=4 * tricks + 3, rng=seed) for tricks in range(9) for seed in range(60)]
    mine = next(one for one in moves if one.to_move == 0 and any(card[1] == "Q" for card in one.legal_moves()))
    status, out, _ = typed(["q", "quit"], "hearts", mine.to_text(), *GREEDY)
    assert "q may be the queen or quit" in out
    assert "-> " not in out  # nothing was played


@pytest.mark.parametrize(
    ("lines", "arguments", "expected"),
    [
        (["c2"], ["duel", DEAL], "You don't hold the two of clubs"),
        (["HA", "dq"], ["duel", DEAL], "You have to match H3"),
        (["c3 c4 c5"], ["hearts", "--seed", "4"], "You don't hold the three of clubs"),
        (["s4"], ["hearts", "--seed", "4", "--no-pass-cards"], "You cannot play S4: clubs were led and must be"),
        (["n"], ["duel", DEAL], "'n' is not a card"),  # new game, once one is over
        ([], ["hearts"], "the strongest here, not perfect."),
        ([], ["duel"], "Against you: plays a proven best move, or the best found in time."),
        ([], ["hearts", *GREEDY], "Against you: greedy."),
    ],
)
def test_the_person_is_spoken_to(typed, lines, arguments, expected):
    out = " ".join(typed(lines, *arguments)[1].split())
    assert expected in out
    if "hearts" in arguments:
        assert not saved(out)  # the hands of the others
        assert "The hands stay hidden" in out


@pytest.mark.parametrize("game", ["duel", "hexapawn", "rows", "hearts"])
def test_the_rules_take_few_lines(typed, game):
    rules = games()[game].rules
    assert rules.count("\n") < 5
    assert " ".join(rules.split()) in " ".join(typed(["rules"], game)[1].split())


@pytest.mark.parametrize("game", ["duel", "hexapawn", "rows", "hearts"])
def test_nobody_types(typed, monkeypatch, capsys, game):
    assert typed([], game)[::2] == (0, "")
    monkeypatch.setattr("sys.stdin", None)
    assert cli.main(["play", game]) == 0


@pytest.mark.parametrize(
    ("arguments", "lines", "message"),
    [
        ([], [], "one of duel, hexapawn, rows, hearts"),
        (["chess"], [], "chess"),
        (["duel", "--cards", "0"], [], "--cards: '0' is not a whole number from 1 to 26"),
        (["duel", "x:y"], [], "2 fields"),
        (["duel", "nowhere"], [], "cannot read"),
        (["duel", "--opponent", "me"], [], "--opponent"),
        (["duel", "--time-limit", "-1"], [], "--time-limit must be at least 0"),
        (["duel", "--seed", "-1"], [], "--seed must be"),
        (["duel", DEAL], ["zz"] * 100, "100 answers in a row"),
        (["duel", DEAL], ["z" * 5000], "a line of more than"),
        (["hexapawn", "--board", "3"], [], "--board"),
        (["hexapawn", "--board", "9x9"], [], "64"),
        (["rows", "--values", "0"], [], "--values"),
        (["hearts", "--players", "greedy"], [], "3 other players, not 1"),
        (["hearts", "--players", "greedy", "greedy", "nobody"], [], "unknown player"),
        (["hearts", "--opponent", "greedy"], [], "--opponent"),  # --players
        (["hearts", "--to", "0"], [], "--to must be"),
    ],
)
def test_bad_input_is_one_line(typed, arguments, lines, message):
    status, _, err = typed(lines, *arguments)
    assert status == 2
    assert message in err
    assert err.count("\n") == 1


def test_input_that_is_no_text(monkeypatch, capsys):
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"\xff\xfe\n"), encoding="ascii"))
    assert cli.main(["play", "duel"]) == 2
    assert capsys.readouterr().err == "gamecore: the input is not text\n"


# --- at a terminal ---------------------------------------------------------------------------------------------------


class Terminal:
    """The command in a pseudo-terminal."""

    def __init__(self, pexpect, arguments, columns, **environment):
        env = {key: value for key, value in os.environ.items() if key not in ("NO_COLOR", "COLUMNS", "LINES")}
        env |= {"TERM": "xterm-256color", "PYTHONUTF8": "1", "INPUTRC": os.devnull, **environment}
        self.log = io.StringIO()
        self.child = pexpect.spawn(
            sys.executable, ["-m", "gamecore", *arguments], env=env, dimensions=(24, columns),
            encoding="utf-8", timeout=60,
        )  # fmt: skip
        self.child.logfile_read = self.log
        self.child.delaybeforesend = 0

    def type(self, line):
        self.child.sendline(line)

    def until(self, text):
        self.child.expect_exact(text)
        return self.child.before

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

    def open_(*arguments, columns=60, tool=("play",), **environment):
        opened.append(Terminal(pexpect, [*tool, *arguments], columns, **environment))
        return opened[-1]

    yield open_
    for one in opened:
        one.child.close(force=True)


def plain(text):
    return re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", text)


def test_a_session_with_line_editing_and_completion(terminal):
    table = terminal("hexapawn", "--board", "3x3", "--opponent", "greedy")
    table.until("your move: ")
    assert "\x1b[1;33mP" in table.seen
    table.type("b1-b3")
    table.until("not a legal move")
    table.until("your move: ")
    table.child.send("zz\x15a1-\t")  # Ctrl-U forgets the line, the tab key completes the move
    table.until("a1-a2")
    table.type("")
    table.until("black: ")
    table.until("your move: ")
    table.type("undo")
    table.until("your move: ")
    table.type("hint")
    table.until("hint: ")
    table.until("your move: ")
    table.child.send("\x1b[A\x1b[A")  # the line before the last one
    table.until("undo")
    table.type("")
    table.until("undo: nothing to take back yet")
    table.child.sendeof()
    assert table.end() == 0
    assert "ppp/3/PPP:w" in table.seen
    assert "Traceback" not in table.seen


def test_the_end_of_a_game_at_a_terminal(terminal):
    table = terminal("duel", "H2:H3D6:A:-", columns=100)
    table.until("your card: ")
    assert "♥2" in plain(table.seen)
    table.type("♥2")
    table.until("you win 9 points")
    table.until("new game (n), undo (u) or quit (q)? ")
    table.type("h2")
    table.until("The game is over")
    table.type("u")
    table.until("your card: ")
    table.type("♥2")
    table.until("or quit (q)? ")
    table.type("n")  # another game
    table.until("Bob")
    table.until("your card: ")
    table.type("quit")
    assert table.end() == 0


@pytest.mark.parametrize(
    "environment", [{"NO_COLOR": "1"}, {"TERM": "dumb"}, {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}]
)
def test_terminals_that_can_do_less(terminal, environment):
    table = terminal("hearts", "--seed", "3", *GREEDY, **environment)
    table.until("pass three cards left: ")
    table.type("?")
    table.until("no estimates")
    table.until("pass three cards left: ")
    table.child.sendeof()
    assert table.end() == 0
    if "LC_ALL" in environment:
        assert table.seen.isascii()
    else:
        assert "\x1b[3" not in table.seen
        assert "♥" in table.seen
    shown = plain(table.seen.partition("The position")[0]).replace("\r", "\n").splitlines()
    assert max(map(len, shown)) <= 60


def test_sixty_columns_hold_every_game(terminal):
    for game, prompt, moves in (
        ("duel", "your card: ", ["?", "hint", "h"]),
        ("rows", "your move: ", ["?", "h"]),
        ("hearts", "cards left: ", ["hint", "h"]),
    ):
        more = {"duel": ["--cards", "26", "--time-limit", "0.05"], "rows": ["--values", "60"], "hearts": GREEDY}[game]
        table = terminal(game, *more, "--seed", "5")
        for move in moves:
            table.until(prompt)
            table.type(move)
        table.until(prompt)
        table.child.sendeof()
        assert table.end() == 0
        shown = plain(table.seen.partition("The position")[0]).replace("\r", "\n").splitlines()
        assert max(map(len, shown)) <= 60, game


@pytest.mark.parametrize("thinking", [False, True])
def test_control_c_ends_cleanly(terminal, thinking):
    more = ["--second"] if thinking else []
    table = terminal("duel", "--cards", "26", "--seed", "5", "--time-limit", "600", *more)
    table.until("Alice (you)" if not thinking else "q leaves.")
    if not thinking:
        table.until("your card: ")
    table.child.sendintr()
    assert table.end() == 130
    assert "The position" in table.seen
    assert "gamecore: interrupted" in table.seen
    assert "Traceback" not in table.seen


@pytest.mark.parametrize("words", [["duel"], ["rows"], ["hearts", "solve"], ["solve-file", "-", "-o", os.devnull]])
def test_a_terminal_is_told_which_input_is_awaited(terminal, words):
    table = terminal(*words, tool=(), columns=200)
    table.until(f"gamecore {words[0]}: type ")
    table.until("; Ctrl-D ends the input")
    table.child.sendeof()
    assert table.end() == 2
