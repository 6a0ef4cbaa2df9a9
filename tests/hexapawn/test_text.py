"""Hexapawn as text and data: the notation, the judge's boards, rows, dicts."""

import itertools
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gamecore import hexapawn
from gamecore.errors import GamecoreError, OptionError, ParseError
from gamecore.hexapawn import Position, parse
from gamecore.hexapawn._text import read

SOURCE = ["     ", "pp pp", "PPp  ", "   P ", "    P"]
SIZES = [(2, 1), (64, 1), (9, 1), (2, 32), (8, 8), (4, 16), (16, 4), (3, 3), (4, 4), (5, 7), (3, 12), (12, 5), (2, 26)]


@st.composite
def reached(draw):
    """Make a position by random play, on boards of many shapes."""
    rows, columns = draw(st.sampled_from(SIZES))
    plies = draw(st.none() | st.integers(0, rows * columns))
    return hexapawn.random(rows, columns, plies=plies, rng=draw(st.integers(0, 1 << 32)))


@given(reached())
def test_notation_and_back(position):
    text = position.to_text()
    assert (Position.from_text(text), Position.from_text(f" {text}\r\n")) == (position, position)
    assert read(text) == read(position) == Position(**position.to_dict()) == position
    assert eval(repr(position), {"hexapawn": hexapawn}) == Position.from_rows(position.to_rows(), position.to_move)
    board, mover = text.split(":")
    assert mover == position.to_move[0]
    # With runs expanded, the board equals the rows; runs are as long as possible.
    rows = board.split("/")
    assert len(rows) == position.rows
    for row, squares in zip(rows, position.to_rows(), strict=True):
        words = re.findall("[0-9]+|.", row)
        assert "".join(" " * int(word) if word.isdigit() else word for word in words) == squares
        assert not any(one.isdigit() and two.isdigit() for one, two in itertools.pairwise(words))


@given(reached())
def test_judge_and_back(position):
    white = position if position.to_move == "white" else position.flip()
    text = white.to_judge()
    assert text.splitlines()[:2] == [str(white.rows), str(white.columns)]
    assert parse(text) == read(text) == white
    if position.to_move == "black":
        with pytest.raises(GamecoreError, match="the judge's text holds positions with white to move, not"):
            position.to_judge()
        assert parse("\n".join((str(position.rows), str(position.columns), *position.to_rows())), "black") == position


def test_examples_of_the_notation():
    assert Position.start(3, 3).to_text() == "ppp/3/PPP:w"
    assert Position.from_rows(SOURCE, "black").to_text() == "5/pp1pp/PPp2/3P1/4P:b"
    assert Position.start(2, 32).play("a1xb2").to_text() == f"pP{'p' * 30}/1{'P' * 31}:b"
    assert Position.start(3, 12).to_text() == "pppppppppppp/12/PPPPPPPPPPPP:w"
    assert Position.start(64, 1).to_text() == "/".join(["p", *["1"] * 62, "P"]) + ":w"
    # Accepted variants: surrounding blanks, leading zeros, a run split in parts.
    assert Position.from_text(" ppp/03/PPP:w\n").to_text() == "ppp/3/PPP:w"
    with pytest.raises(ParseError, match="line 1, column 5: BOARD: 12 squares where the first row has 3"):
        Position.from_text("ppp/12/PPP:w")


@pytest.mark.parametrize(
    ("text", "column", "message"),
    [
        ("", None, "the text is empty; a position is written BOARD:MOVER"),
        ("ppp/3/PPP", 1, "1 fields where a position has 2: BOARD:MOVER"),
        ("ppp/3/PPP:w:", 1, "3 fields where a position has 2"),
        ("ppp/3/PPP:white", 11, "MOVER must be one of w, b, not 'white'"),
        ("ppp/3/PPP:", 11, "MOVER must be one of w, b, not ''"),
        ("  ppp/3/PPP:W", 13, "MOVER must be one of w, b, not 'W'"),
        ("ppp:w", 1, "BOARD: a board has 2 to 64 rows, joined by /, not 1"),
        ("/".join(["1"] * 65) + ":w", 1, "BOARD: a board has 2 to 64 rows, joined by /, not 65"),
        ("ppp//PPP:w", 5, "BOARD: a row without squares"),
        ("/3/PPP:w", 1, "BOARD: a row without squares"),
        ("ppp/2/PPP:w", 5, "BOARD: 2 squares where the first row has 3"),
        ("ppp/1p2/PPP:w", 5, "BOARD: 4 squares where the first row has 3"),
        ("ppp/1x1/PPP:w", 6, "BOARD: 'x' is not a square: P, p or a number of empty ones"),
        ("ppp/-3/PPP:w", 5, "BOARD: '-' is not a square"),
        ("ppp/1.1/PPP:w", 6, "BOARD: '.' is not a square"),
        ("ppp/ 3/PPP:w", 5, "' ' does not belong into a position's text"),
        ("ppp/\u0663/PPP:w", 5, r"'\\u0663' does not belong into a position's text"),
        ("ppp/0ppp/PPP:w", 5, "BOARD: a run of empty squares must be a whole number from 1 to 32, not '0'"),
        ("ppp/33/PPP:w", 5, "BOARD: a run of empty squares must be a whole number from 1 to 32, not '33'"),
        ("ppp/" + "9" * 5000 + "/PPP:w", 5, "BOARD: a run of empty squares must be a whole number"),
        ("31pp/32:w", 4, "BOARD: a row of more than 32 squares"),
        ("p" * 5000 + "/3:w", 33, "BOARD: a row of more than 32 squares"),
        ("9/9/9/9/9/9/9/9:w", 1, "BOARD: 8 rows x 9 columns is more than 64 squares"),
        ("P2/3/3:w", 1, r"BOARD: white is to move, but stands on its far row already \(a3\)"),
        ("3/3/2p:b", 6, r"BOARD: black is to move, but stands on its far row already \(c1\)"),
        ("1P1/3/p2:b", 2, r"BOARD: both sides stand on their far rows \(b3\)"),
        (None, None, "a position's text must be a str, not NoneType"),
        (b"ppp/3/PPP:w", None, "a position's text must be a str, not bytes"),
    ],
)
def test_bad_notations(text, column, message):
    with pytest.raises(ParseError, match=message) as caught:
        Position.from_text(text)
    assert (caught.value.column, caught.value.line) == (column, None if column is None else 1)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"rows": 1}, "a hexapawn position: rows must be an integer of at least 2, not 1"),
        ({"columns": True}, "a hexapawn position: columns must be int, not True"),
        ({"white": "7"}, "a hexapawn position: white must be int, not '7'"),
        ({"white": 1 << 9}, "a hexapawn position: white must be an integer of 9 bits, not 512"),
        ({"black": 7}, "a hexapawn position: pawns of both sides on a1"),
        ({"to_move": "red"}, "a hexapawn position: to_move must be 'white' or 'black', not 'red'"),
        ({"cols": 3}, "a hexapawn position has no field 'cols'"),
    ],
)
def test_bad_dicts(change, message):
    with pytest.raises(ParseError, match=message):
        Position.from_dict({**Position.start(3, 3).to_dict(), **change})


def test_untidy_judge_texts():
    wanted = Position.from_rows(SOURCE)
    assert parse("5\n5\n     \npp pp\nPPp  \n   P \n    P\n") == wanted
    assert parse("5\r\n5\r\n\r\npp pp\r\nPPp\r\n   P\r\n    P") == wanted
    assert parse(" 5 \n5\t\n          \npp pp  \nPPp\n   P\n    P\n\n   \nPp\n") == wanted
    assert parse("005\n5\n     \npp pp\nPPp  \n   P \n    P\n") == wanted


@pytest.mark.parametrize(
    ("text", "line", "column", "message"),
    [
        ("", 1, None, "missing: the number of rows"),
        ("3\n", 2, None, "missing: the number of columns"),
        ("three\n3\n", 1, 1, "rows must be a number of at least 2, not 'three'"),
        ("3\n  -3\n", 2, 3, "columns must be a number of at least 1, not '-3'"),
        ("3\n\n", 2, 1, "columns must be a number"),
        ("1\n3\nPPP\n", 1, 1, "rows must be a number of at least 2, not '1'"),
        ("3\n0\n\n\n\n", 2, 1, "columns must be a number of at least 1, not '0'"),
        ("9" * 5000 + "\n3\n", 1, 1, "rows must be a number"),
        ("8\n9\n", 2, None, "8 rows x 9 columns is more than 64 squares"),
        ("3\n3\nppp\n   \n", 5, None, "missing: row 3 of 3"),
        ("3\n3\nppp\n   \nPxP\n", 5, 2, "'x' is not a square: P, p or a blank"),
        ("3\n3\nppp\n  .\nP P\n", 4, 3, "'.' is not a square"),
        ("3\n3\nppp\n\tP\nP P\n", 4, 1, "'.t' is not a square"),
        ("3\n3\nppp\n\nP P\n  8", 6, 3, "'8' is not a square"),
        ("3\n3\nppp\n    p\nP P\n", 4, 5, "a pawn beyond the last of 3 columns"),
        ("3\n3\n P \n   \np  \n", 3, 2, "both sides stand on their far rows"),
        ("3\n3\n  P\n   \nP  \n", 3, 3, "white is to move, but stands on its far row already"),
    ],
)
def test_bad_judge_texts(text, line, column, message):
    with pytest.raises(ParseError, match=message) as caught:
        parse(text)
    assert (caught.value.line, caught.value.column) == (line, column)


def test_bad_judge_texts_for_black():
    with pytest.raises(ParseError, match="line 5, column 2: black is to move") as caught:
        parse("3\n3\nppp\n   \n p \n", "black")
    assert isinstance(caught.value, GamecoreError)
    with pytest.raises(OptionError, match="to_move must be 'white' or 'black', not 'green'"):
        parse("2\n1\np\nP\n", "green")
    with pytest.raises(ParseError, match="text must be a str"):
        parse(b"2\n1\np\nP\n")


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (["pp", "P"], "line 2: 1 squares where the first row has 2"),
        (["pp", "Pq"], "line 2, column 2: 'q' is not a square: P, p, a blank or ."),
        ("pP", "rows must be a list of strings"),
        (["pp", 3], "row 2 must be a string, not 3"),
        ([], "rows must be an integer of at least 2, not 0"),
        (["p" * 33, "P" * 33], "more than 64 squares"),
    ],
)
def test_bad_rows(lines, message):
    with pytest.raises(GamecoreError, match=message):
        Position.from_rows(lines)
