"""Hexapawn as text and data: the notation, the judge's boards, rows, dicts."""

import itertools
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gamecore import hexapawn
from gamecore.errors import GamecoreError, OptionError, ParseError
from gamecore.hexapawn import Position, parse

SOURCE = ["     ", "pp pp", "PPp  ", "   P ", "    P"]
SIZES = [(2, 1), (64, 1), (9, 1), (2, 32), (8, 8), (4, 16), (16, 4), (3, 3), (4, 4), (5, 7), (3, 12), (12, 5), (2, 26)]


@given(st.sampled_from(SIZES), st.none() | st.integers(0, 64), st.integers(0, 1 << 32))
def test_texts_and_back(size, plies, seed):
    position = hexapawn.random(*size, plies=plies, rng=seed)
    text, rows = position.to_text(), position.to_rows()
    assert (Position.from_text(text), Position.from_text(f" {text}\r\n")) == (position, position)
    assert Position.from_rows(rows, position.to_move) == position
    board, mover = text.split(":")
    assert mover == position.to_move[0]
    # With runs expanded, the board equals the rows; runs are as long as possible.
    for row, squares in zip(board.split("/"), rows, strict=True):
        words = re.findall("[0-9]+|.", row)
        assert "".join(" " * int(word) if word.isdigit() else word for word in words) == squares
        assert not any(left.isdigit() and right.isdigit() for left, right in itertools.pairwise(words))
    judge = "\n".join((str(position.rows), str(position.columns), *rows)) + "\n"
    assert parse(judge, position.to_move) == position
    if position.to_move == "white":
        assert position.to_judge() == judge
    else:
        with pytest.raises(GamecoreError, match="the judge's text holds positions with white to move, not"):
            position.to_judge()


def test_examples_of_the_notation():
    assert Position.start(3, 3).to_text() == "ppp/3/PPP:w"
    assert Position.from_rows(SOURCE, "black").to_text() == "5/pp1pp/PPp2/3P1/4P:b"
    assert Position.start(2, 32).play("a1xb2").to_text() == f"pP{'p' * 30}/1{'P' * 31}:b"
    assert Position.start(3, 12).to_text() == "pppppppppppp/12/PPPPPPPPPPPP:w"
    # Accepted variants: surrounding blanks, leading zeros, a run split in parts.
    assert Position.from_text(" ppp/03/PPP:w\n").to_text() == "ppp/3/PPP:w"


@pytest.mark.parametrize(
    ("text", "column", "message"),
    [
        ("", None, "the text is empty; a position is written BOARD:MOVER"),
        ("ppp/3/PPP", 1, "1 fields where a position has 2: BOARD:MOVER"),
        ("ppp/3/PPP:white", 11, "MOVER must be one of w, b, not 'white'"),
        ("ppp:w", 1, "BOARD: a board has 2 to 64 rows, joined by /, not 1"),
        ("/".join(["1"] * 65) + ":w", 1, "BOARD: a board has 2 to 64 rows, joined by /, not 65"),
        ("ppp//PPP:w", 5, "BOARD: a row without squares"),
        ("ppp/2/PPP:w", 5, "BOARD: 2 squares where the first row has 3"),
        ("ppp/12/PPP:w", 5, "BOARD: 12 squares where the first row has 3"),
        ("ppp/1x1/PPP:w", 6, "BOARD: 'x' is not a square: P, p or a number of empty ones"),
        ("ppp/0ppp/PPP:w", 5, "BOARD: a run of empty squares must be a whole number from 1 to 32, not '0'"),
        ("ppp/" + "9" * 5000 + "/PPP:w", 5, "BOARD: a run of empty squares must be a whole number"),
        ("31pp/32:w", 4, "BOARD: a row of more than 32 squares"),
        ("p" * 5000 + "/3:w", 33, "BOARD: a row of more than 32 squares"),
        ("9/9/9/9/9/9/9/9:w", 1, "BOARD: 8 rows x 9 columns is more than 64 squares"),
        ("P2/3/3:w", 1, r"BOARD: white is to move, but stands on its far row already \(a3\)"),
        ("3/3/2p:b", 5, r"BOARD: black is to move, but stands on its far row already \(c1\)"),
        ("1P1/3/p2:b", 1, r"BOARD: both sides stand on their far rows \(b3\)"),
        (b"ppp/3/PPP:w", None, "a position's text must be a str, not bytes"),
    ],
)
def test_bad_notations(text, column, message):
    with pytest.raises(ParseError, match=message) as caught:
        Position.from_text(text)
    assert (caught.value.column, caught.value.line) == (column, None if column is None else 1)


def test_untidy_judge_texts():
    wanted = Position.from_rows(SOURCE)
    assert parse("5\r\n5\r\n\r\npp pp\r\nPPp\r\n   P\r\n    P") == wanted
    assert parse(" 5 \n005\t\n          \npp pp  \nPPp\n   P\n    P\n\n   \nPp\n") == wanted


@pytest.mark.parametrize(
    ("text", "line", "column", "message"),
    [
        ("", 1, None, "missing: the number of rows"),
        ("3\n", 2, None, "missing: the number of columns"),
        ("three\n3\n", 1, None, "rows must be a whole number from 2 to 64, not 'three'"),
        ("3\n  -3\n", 2, None, "columns must be a whole number from 1 to 64, not '-3'"),
        ("9" * 5000 + "\n3\n", 1, None, "rows must be a whole number"),
        ("8\n9\n", 2, None, "8 rows x 9 columns is more than 64 squares"),
        ("3\n3\nppp\n   \n", 5, None, "missing: row 3 of 3"),
        ("3\n3\nppp\n   \nPxP\n", 5, 2, "'x' is not a square: P, p or a blank"),
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


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: parse("3\n3\nppp\n   \n p \n", "black"), ParseError, "line 5, column 2: black is to move"),
        (lambda: parse("2\n1\np\nP\n", "green"), OptionError, "to_move must be 'white' or 'black', not 'green'"),
        (lambda: parse(b"2\n1\np\nP\n"), ParseError, "text must be a str"),
        (lambda: Position.from_rows(["pp", "P"]), ParseError, "line 2: 1 squares where the first row has 2"),
        (lambda: Position.from_rows(["pp", "Pq"]), ParseError, "line 2, column 2: 'q' is not a square"),
        (lambda: Position.from_rows("pP"), OptionError, "rows must be a list of strings"),
        (lambda: Position.from_rows(["pp", 3]), OptionError, "row 2 must be a string, not 3"),
        (lambda: Position.from_rows([]), OptionError, "rows must be an integer of at least 2, not 0"),
    ],
)
def test_bad_arguments(call, error, message):
    with pytest.raises(error, match=message):
        call()
