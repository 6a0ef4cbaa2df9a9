"""Hexapawn positions: rules, names of squares, text in and out, pictures, errors."""

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gamecore import hexapawn
from gamecore.errors import GamecoreError, IllegalMoveError, OptionError, ParseError
from gamecore.hexapawn import Position, parse
from gamecore.reference import hexapawn as reference

SOURCE = ["     ", "pp pp", "PPp  ", "   P ", "    P"]
SHAPES = [(2, 1), (2, 32), (32, 2), (64, 1), (3, 20), (20, 3), (8, 8), (4, 16), (16, 4), (5, 5), (10, 5), (9, 7)]


def as_reference(position):
    return position.to_move, position.to_rows()


@st.composite
def positions(draw, most_squares=64):
    rows = draw(st.integers(2, 64))
    cols = draw(st.integers(1, max(1, min(32, 64 // rows))))
    squares = draw(st.lists(st.sampled_from("Pp   "), min_size=rows * cols, max_size=rows * cols))
    lines = ["".join(squares[cols * i : cols * (i + 1)]) for i in range(rows)]
    lines[0] = lines[0].replace("P", " ")
    lines[-1] = lines[-1].replace("p", " ")
    return Position.from_rows(lines, draw(st.sampled_from(["white", "black"])))


@pytest.mark.parametrize(("rows", "cols"), SHAPES)
def test_start_of_any_shape(rows, cols):
    start = Position.start(rows, cols)
    assert as_reference(start) == reference.start(rows, cols)
    assert len(start.legal_moves()) == len(list(reference.successors(reference.start(rows, cols))))


@given(positions())
def test_moves_are_those_of_the_reference(position):
    after = set() if position._opponent_arrived() else set(reference.successors(as_reference(position)))
    moves = position.legal_moves()
    assert len(moves) == len(set(moves)) == len(after)
    assert {as_reference(position.play(move)) for move in moves} == after
    assert position.is_over == (not after)


@given(positions())
def test_turning_and_mirroring(position):
    assert position.flip().flip() == position
    assert position.mirror().mirror() == position
    assert position.flip().mirror() == position.mirror().flip()
    assert [line[::-1] for line in position.to_rows()] == list(position.mirror().to_rows())
    assert [line.swapcase() for line in reversed(position.to_rows())] == list(position.flip().to_rows())
    assert len(position.flip().legal_moves()) == len(position.mirror().legal_moves()) == len(position.legal_moves())


@given(positions())
def test_text_and_back(position):
    assert parse(position.to_text(), position.to_move) == position
    assert Position.from_rows(position.to_rows(), position.to_move) == position
    assert eval(repr(position), {"hexapawn": hexapawn}) == position
    copy = pickle.loads(pickle.dumps(position))
    assert copy == position
    assert hash(copy) == hash(position)


@given(positions())
def test_perft_is_that_of_the_reference(position):
    assert hexapawn.perft(position, 0) == 1
    assert hexapawn.perft(position, 2) == reference.perft(as_reference(position), 2)


# Sequences of 1 to 7 moves, counted by the reference; it counts the first four again in every run.
PERFT = {
    (3, 3): (3, 10, 28, 56, 70, 64, 20),
    (4, 4): (4, 16, 66, 280, 1170, 4548, 16684),
    (5, 5): (5, 25, 125, 628, 3180, 16270, 83654),
    (6, 6): (6, 36, 216, 1296, 7780, 46770, 281882),
    (3, 8): (8, 70, 628, 4996, 39180, 268720, 1758488),
    (8, 3): (3, 9, 27, 81, 243, 729, 2188),
    (2, 9): (16, 0, 0, 0, 0, 0, 0),
}


@pytest.mark.parametrize("size", PERFT)
def test_perft_of_starts(size):
    start = Position.start(*size)
    counts = tuple(hexapawn.perft(start, depth) for depth in range(1, 8))
    assert counts == PERFT[size]
    assert counts[:4] == tuple(reference.perft(reference.start(*size), depth) for depth in range(1, 5))


def test_names_of_squares_and_moves():
    position = Position.from_rows(SOURCE)
    assert position.legal_moves() == ("e1-e2", "d2xc3", "d2-d3", "a3xb4", "b3xa4")
    assert position.play("b3xa4").to_rows()[1] == "Pp pp"
    assert position.play("b3-a4") == position.play("b3xa4")
    assert Position.start(3, 20).legal_moves()[-1] == "t1-t2"
    assert Position.start(2, 32).legal_moves()[-1] == "af1xae2"


def test_positions_are_immutable():
    with pytest.raises(AttributeError, match="immutable"):
        Position.start(3, 3).rows = 4


def test_drawings():
    position = Position.from_rows(SOURCE, to_move="black")
    assert str(position).splitlines() == [
        "5  . . . . .",
        "4  p p . p p",
        "3  P P p . .",
        "2  . . . P .",
        "1  . . . . P",
        "   a b c d e",
        "black to move",
    ]
    picture = position._repr_svg_()
    assert picture.startswith("<svg")
    assert picture.count("<circle") == 9
    assert picture.count("<rect") == 26  # the panel, and a rectangle a square
    assert " aa " in str(Position.start(2, 32))


def test_a_finished_game():
    over = Position.from_rows(["P ", "  ", " P"], to_move="black")
    assert (over.is_over, over.winner, over.legal_moves()) == (True, "white", ())
    assert "white has won" in str(over)
    blocked = Position.from_rows(["p", "P"])
    assert (blocked.is_over, blocked.winner) == (True, "black")
    with pytest.raises(IllegalMoveError, match="the game is over, black has won"):
        blocked.play("a1-a2")


@pytest.mark.parametrize("move", ["a1-a2", "b2-b3", "", "e1-e3", "b3xb4", 7, None, "z9-z9", "d2xe3"])
def test_illegal_moves(move):
    with pytest.raises(IllegalMoveError, match="legal: e1-e2, d2xc3"):
        Position.from_rows(SOURCE).play(move)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((1, 3, 0, 0), "rows has to be an integer of at least 2, not 1"),
        ((3, 0, 0, 0), "cols has to be an integer of at least 1, not 0"),
        ((9, 8, 0, 0), "9 rows x 8 cols is more than 64 squares"),
        ((True, 8, 0, 0), "rows has to be"),
        (("3", 3, 0, 0), "rows has to be an integer of at least 2, not '3'"),
        ((3, 3, 512, 0), "white has to be an integer of 9 bits, not 512"),
        ((3, 3, 0, -1), "black has to be an integer of 9 bits, not -1"),
        ((3, 3, 6, 2), "pawns of both sides on b1"),
        ((3, 3, 1, 8, "red"), "to_move has to be 'white' or 'black', not 'red'"),
        ((3, 3, 128, 8, "white"), r"white is to move, but stands on its far row already \(b3\)"),
        ((3, 3, 8, 4, "black"), r"black is to move, but stands on its far row already \(c1\)"),
        ((3, 3, 64, 1, "black"), r"both sides stand on their far rows \(a3\)"),
    ],
)
def test_bad_positions(arguments, message):
    with pytest.raises(OptionError, match=message):
        Position(*arguments)


def test_numbers_too_long_to_write():
    huge = 10**5000
    with pytest.raises(OptionError, match="white has to be an integer of 9 bits, not an integer of 16610 bits"):
        Position(3, 3, huge, 0)
    with pytest.raises(OptionError, match="an integer of 16610 bits rows x 3 cols is more than 64 squares"):
        Position.start(huge, 3)
    with pytest.raises(OptionError, match="depth has to be an integer of at least 0"):
        hexapawn.perft(Position.start(3, 3), -huge)


def test_untidy_judge_texts():
    wanted = Position.from_rows(SOURCE)
    assert parse("5\n5\n     \npp pp\nPPp  \n   P \n    P\n") == wanted
    assert parse("5\r\n5\r\n\r\npp pp\r\nPPp\r\n   P\r\n    P") == wanted
    assert parse(" 5 \n5\t\n          \npp pp  \nPPp\n   P\n    P\n\n   \nPp\n") == wanted


@pytest.mark.parametrize(
    ("text", "line", "column", "message"),
    [
        ("", 1, None, "missing: the number of rows"),
        ("3\n", 2, None, "missing: the number of cols"),
        ("three\n3\n", 1, 1, "rows has to be a number of at least 2, not 'three'"),
        ("3\n  -3\n", 2, 3, "cols has to be a number of at least 1, not '-3'"),
        ("3\n\n", 2, 1, "cols has to be a number"),
        ("1\n3\nPPP\n", 1, 1, "rows has to be a number of at least 2, not '1'"),
        ("3\n0\n\n\n\n", 2, 1, "cols has to be a number of at least 1, not '0'"),
        ("9" * 5000 + "\n3\n", 1, 1, "rows has to be a number"),
        ("8\n9\n", 2, None, "8 rows x 9 cols is more than 64 squares"),
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
    with pytest.raises(OptionError, match="to_move has to be 'white' or 'black', not 'green'"):
        parse("2\n1\np\nP\n", "green")
    with pytest.raises(ParseError, match="text has to be a str"):
        parse(b"2\n1\np\nP\n")


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (["pp", "P"], "line 2: 1 squares where the first row has 2"),
        (["pp", "Pq"], "line 2, column 2: 'q' is not a square: P, p, a blank or ."),
        ("pP", "rows has to be a list of strings"),
        (["pp", 3], "row 2 has to be a string, not 3"),
        ([], "rows has to be an integer of at least 2, not 0"),
        (["p" * 33, "P" * 33], "more than 64 squares"),
    ],
)
def test_bad_rows(lines, message):
    with pytest.raises(GamecoreError, match=message):
        Position.from_rows(lines)


@pytest.mark.parametrize("depth", [-1, 1.5, True, "2"])
def test_bad_depth(depth):
    with pytest.raises(OptionError, match="depth has to be an integer"):
        hexapawn.perft(Position.start(3, 3), depth)
