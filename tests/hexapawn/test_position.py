"""Hexapawn positions: rules, names of squares, images, texts, errors."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gamecore import GamecoreError, IllegalMoveError, OptionError, ParseError, hexapawn
from gamecore.hexapawn import Position, parse
from gamecore.reference import hexapawn as reference

SOURCE = ["     ", "pp pp", "PPp  ", "   P ", "    P"]


def as_reference(position):
    return position.to_move, position.to_rows()


@st.composite
def positions(draw):
    rows = draw(st.integers(2, 64))
    columns = draw(st.integers(1, max(1, min(32, 64 // rows))))
    squares = "".join(draw(st.lists(st.sampled_from("Pp   "), min_size=rows * columns, max_size=rows * columns)))
    lines = [squares[columns * i : columns * (i + 1)] for i in range(rows)]
    lines[0] = lines[0].replace("P", " ")
    lines[-1] = lines[-1].replace("p", " ")
    return Position.from_rows(lines, draw(st.sampled_from(["white", "black"])))


def perft(configuration, depth):
    """The number of sequences of ``depth`` moves."""
    if depth == 0:
        return 1
    if reference.opponent_arrived(configuration):
        return 0
    return sum(perft(after, depth - 1) for after in reference.successors(configuration))


@given(positions())
def test_moves_are_those_of_the_reference(position):
    after = set(reference.successors(as_reference(position)))
    if reference.opponent_arrived(as_reference(position)):
        after = set()
    moves = position.legal_moves()
    assert len(moves) == len(set(moves)) == len(after)
    assert all(not played.white & played.black for played in map(position.play, moves))
    assert ({as_reference(position.play(move)) for move in moves}, position.is_over) == (after, not after)
    assert hexapawn.perft(position.to_text(), 0) == 1
    assert hexapawn.perft(position, 2) == perft(as_reference(position), 2)


@given(positions())
def test_turning_and_mirroring(position):
    assert (position.flip().flip(), position.mirror().mirror()) == (position, position)
    assert position.flip().mirror() == position.mirror().flip()
    assert [line[::-1] for line in position.to_rows()] == list(position.mirror().to_rows())
    assert [line.swapcase() for line in reversed(position.to_rows())] == list(position.flip().to_rows())


def test_names_of_squares_and_moves():
    position = Position.from_rows(SOURCE)
    assert position.legal_moves() == ("e1-e2", "d2xc3", "d2-d3", "a3xb4", "b3xa4")
    assert position.play("b3xa4").to_rows()[1] == "Pp pp"
    assert Position.start(3, 20).legal_moves()[-1] == "t1-t2"
    assert Position.start(2, 32).legal_moves()[-1] == "af1xae2"


def test_a_move_is_said_and_played_as_it_is():
    wide = Position.start(2, 24)
    assert hexapawn.GAME.words.move(wide, "w1xx2") == "w1 takes x2"
    assert hexapawn.GAME.words.move(wide, "x1-x2") == "x1 to x2"
    for text, move, other in (("1p/2/PP:w", "a1-a2", "a1xa2"), ("2/1p/P1:w", "a1xb2", "a1-b2")):
        board = Position.from_text(text)
        assert not board.play(move).white & 1
        with pytest.raises(IllegalMoveError, match=f"'{other}' is not a legal move for white"):
            board.play(other)


@given(positions())
def test_the_greedy_move_captures_and_runs(position):
    legal = position.legal_moves()
    captures = [move for move in legal if "-" not in move] or legal  # "x" is a column, too
    steps = {move: int(re.search("[0-9]+$", move)[0]) * (1 if position.to_move == "white" else -1) for move in captures}
    if legal:
        greedy = hexapawn.GAME.players["greedy"].choose(position, None, None).move
        assert greedy == max(steps, key=steps.get)  # the first of them


@given(positions())
def test_texts_and_back(position):
    text, rows = position.to_text(), position.to_rows()
    assert (Position.from_text(text), Position.from_text(f" {text}\r\n")) == (position, position)
    assert Position.from_rows(rows, position.to_move) == position
    board = text.split(":")[0]  # a run that is written as two numbers is read as another one
    assert re.sub("[0-9]+", lambda run: " " * int(run[0]), board) == "/".join(rows)
    judge = "\n".join((str(position.rows), str(position.columns), *rows)) + "\n"
    assert parse(judge, to_move=position.to_move) == position
    assert position.to_move == "black" or position.to_judge() == judge


def test_texts_as_people_write_them():
    wanted = Position.from_rows(SOURCE)
    assert wanted.to_text() == "5/pp1pp/PPp2/3P1/4P:w"
    assert Position.from_rows([row.replace(" ", ".") for row in SOURCE]) == wanted
    assert Position.from_text(" ppp/03/PPP:w\n").to_text() == "ppp/3/PPP:w"
    assert parse("5\r\n5\r\n\r\npp pp\r\nPPp\r\n   P\r\n    P") == wanted
    judge = " 5 \n005\t\n          \npp pp  \nPPp\n   P\n    P\n\n   \nPp\n"
    assert parse(judge) == wanted
    lines = ["5\n", "5\n", "\n", "pp pp\n", "PPp\n", "   P\n", "    P\n", "\n", "ppp/3/PPP:b\n"]  # of an open file
    assert list(hexapawn.parse_many(lines)) == [wanted, Position.from_text("ppp/3/PPP:b")]


def test_boards_below_the_side_to_move():
    """Files of a course at Portland State: W or B, then the rows."""
    black = Position.from_text("pp1/2p/P1P/1P1:b")
    assert parse("B\npp.\n..p\nP.P\n.P.\n") == parse("B \r\npp.\r\n..p\r\nP.P\r\n.P.\r\n\r\n") == black
    text = "W\nppp\n...\nPPP\n\nB\npp.\n..p\nP.P\n.P.\n\n2\n1\np\nP\n"
    positions = [Position.start(3, 3), black, Position.start(2, 1)]
    assert list(hexapawn.parse_many(text.splitlines())) == positions
    for bad, what in (
        ("W\nppp\n..\nPPP", "line 3, .*: 2 squares where the board has 3"), ("W\nppp\nB\nPPP", "line 3, .*: 1 squares"),
        ("B\np.p\nPxP", "line 3, column 2"), ("W\n", "line 2: 0 squares|rows"), ("w\nppp\nPPP", "rows"),
    ):  # fmt: skip
        with pytest.raises(GamecoreError, match=what):
            parse(bad)
    with pytest.raises(OptionError, match="first line W or B, name the side"):
        parse("W\np\nP", to_move="black")
    with pytest.raises(ParseError, match="line 7"):
        list(hexapawn.parse_many("\n\nppp/3/PPP:w\n\nB\nppp\n..\nPPP".splitlines()))
