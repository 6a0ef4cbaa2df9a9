"""Hexapawn positions: rules, names of squares, images, texts, errors."""

import itertools
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gamecore import hexapawn
from gamecore.errors import GamecoreError, IllegalMoveError, OptionError, ParseError
from gamecore.hexapawn import Position, parse
from gamecore.reference import hexapawn as reference

HUGE = 10**5000  # too long to write
SOURCE = ["     ", "pp pp", "PPp  ", "   P ", "    P"]


def as_reference(position):
    return position.to_move, position.to_rows()


@st.composite
def positions(draw):
    rows = draw(st.integers(2, 64))
    columns = draw(st.integers(1, max(1, min(32, 64 // rows))))
    squares = draw(st.lists(st.sampled_from("Pp   "), min_size=rows * columns, max_size=rows * columns))
    lines = ["".join(squares[columns * i : columns * (i + 1)]) for i in range(rows)]
    lines[0] = lines[0].replace("P", " ")
    lines[-1] = lines[-1].replace("p", " ")
    return Position.from_rows(lines, draw(st.sampled_from(["white", "black"])))


# --- rules ------------------------------------------------------------------------------------------------------------


@given(positions())
def test_moves_are_those_of_the_reference(position):
    enemy, far_row = ("p", -1) if position.to_move == "white" else ("P", 0)
    arrived = enemy in position.to_rows()[far_row]
    after = set() if arrived else set(reference.successors(as_reference(position)))
    moves = position.legal_moves()
    assert len(moves) == len(set(moves)) == len(after)
    assert all(not played.white & played.black for played in map(position.play, moves))
    assert ({as_reference(position.play(move)) for move in moves}, position.is_over) == (after, not after)
    assert hexapawn.perft(position.to_text(), 0) == 1
    assert hexapawn.perft(position, 2) == reference.perft(as_reference(position), 2)


@given(positions())
def test_turning_and_mirroring(position):
    assert (position.flip().flip(), position.mirror().mirror()) == (position, position)
    assert position.flip().mirror() == position.mirror().flip()
    assert [line[::-1] for line in position.to_rows()] == list(position.mirror().to_rows())
    assert [line.swapcase() for line in reversed(position.to_rows())] == list(position.flip().to_rows())
    assert len(position.flip().legal_moves()) == len(position.mirror().legal_moves()) == len(position.legal_moves())


@pytest.mark.parametrize("size", [(3, 3), (4, 4), (5, 5), (6, 6), (3, 8), (8, 3), (2, 9)])
def test_perft_of_starts(size):
    start = reference.start(*size)
    for depth in range(1, 5):
        assert hexapawn.perft(Position.start(*size), depth) == reference.perft(start, depth)
    assert hexapawn.perft("3\n3\nppp\n   \nPPP\n", 4) == hexapawn.perft("ppp/3/PPP:w", 4) == 56


def test_names_of_squares_and_moves():
    position = Position.from_rows(SOURCE)
    assert position.legal_moves() == ("e1-e2", "d2xc3", "d2-d3", "a3xb4", "b3xa4")
    assert (position.play("b3xa4").to_rows()[1], position.play("b3-a4")) == ("Pp pp", position.play("b3xa4"))
    assert Position.start(3, 20).legal_moves()[-1] == "t1-t2"
    assert Position.start(2, 32).legal_moves()[-1] == "af1xae2"
    for move in ("a1-a2", "", "e1-e3", "b3xb4", 7, "d2xe3"):
        with pytest.raises(IllegalMoveError, match="legal: e1-e2, d2xc3"):
            position.play(move)


def test_a_finished_game():
    over = Position.from_rows(["P ", "  ", " P"], to_move="black")
    assert (over.is_over, over.winner, over.legal_moves()) == (True, "white", ())
    assert "white has won" in str(over)
    blocked = Position.from_rows(["p", "P"])
    assert (blocked.is_over, blocked.winner) == (True, "black")
    with pytest.raises(IllegalMoveError, match="the game is over, black has won"):
        blocked.play("a1-a2")


def test_random():
    assert hexapawn.random(5, 7, plies=0) == Position.start(5, 7)
    games = [hexapawn.random(4, 5, rng=seed) for seed in range(200)]
    assert {(game.rows, game.columns) for game in games} == {(4, 5)}
    assert {(game.to_move, game.is_over) for game in games} == set(itertools.product(["white", "black"], [True, False]))
    assert hexapawn.random(4, 5, plies=6, rng=1).to_move == "white"
    reached = reference.reachable(reference.start(3, 3))
    assert {as_reference(hexapawn.random(3, 3, rng=seed)) for seed in range(300)} <= reached


@given(positions())
def test_the_greedy_move_captures_and_runs(position):
    legal = position.legal_moves()
    if not legal:
        return
    farthest = max if position.to_move == "white" else min
    ranks = [int(re.search("[0-9]+$", move)[0]) for move in legal]
    captures = [place for place, move in enumerate(legal) if "x" in move] or list(range(len(legal)))
    greedy = hexapawn.GAME.players["greedy"].choose(position, None, None).move
    best = farthest(ranks[place] for place in captures)
    assert legal.index(greedy) == next(place for place in captures if ranks[place] == best)


# --- texts and data ---------------------------------------------------------------------------------------------------


@given(positions())
def test_texts_and_back(position):
    text, rows = position.to_text(), position.to_rows()
    assert (Position.from_text(text), Position.from_text(f" {text}\r\n")) == (position, position)
    assert Position.from_rows(rows, position.to_move) == position
    # With runs expanded, the board equals the rows; runs are as long as possible.
    for row, squares in zip(text.split(":")[0].split("/"), rows, strict=True):
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


@pytest.mark.parametrize(
    ("text", "line", "column", "message"),
    [
        ("", 1, None, "rows must be a whole number from 2 to 64, not ''"),
        ("3\n", 2, None, "columns must be a whole number from 1 to 64, not ''"),
        ("9" * 5000 + "\n3\n", 1, None, "rows must be a whole number"),
        ("8\n9\n", 2, None, "8 rows x 9 columns is more than 64 squares"),
        ("3\n3\nppp\n   \n", 5, None, "missing: row 3 of 3"),
        ("3\n3\nppp\n   \nPxP\n", 5, 2, "'x' is not a square: P, p or a blank"),
        ("3\n3\nppp\n\nP P\n  8", 6, 3, "'8' is not a square"),
        ("3\n3\nppp\n    p\nP P\n", 4, 5, "a pawn beyond the last of 3 columns"),
        ("3\n3\n P \n   \np  \n", 3, 2, "both sides stand on their far rows"),
        ("3\n3\n  P\n   \nP  \n", 3, 3, "white is to move, but stands on its far row already"),
        (b"2\n1\np\nP\n", None, None, "text must be a str"),
    ],
)
def test_bad_judge_texts(text, line, column, message):
    with pytest.raises(ParseError, match=message) as caught:
        parse(text)
    assert (caught.value.line, caught.value.column) == (line, column)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((1, 3, 0, 0), "rows must be an integer of at least 2, not 1"),
        ((3, True, 0, 0), "columns must be an integer of at least 1, not True"),
        ((9, 8, 0, 0), "9 rows x 8 columns is more than 64 squares"),
        ((3, 3, 512, 0), "white must be an integer of 9 bits, not 512"),
        ((3, 3, 0, -1), "black must be an integer of 9 bits, not -1"),
        ((3, 3, 6, 2), "pawns of both sides on b1"),
        ((3, 3, 1, 8, "red"), "to_move must be 'white' or 'black', not 'red'"),
        ((3, 3, 128, 8, "white"), r"white is to move, but stands on its far row already \(b3\)"),
        ((3, 3, 8, 4, "black"), r"black is to move, but stands on its far row already \(c1\)"),
        ((3, 3, 64, 1, "black"), r"both sides stand on their far rows \(a3\)"),
        ((3, 3, HUGE, 0), "white must be an integer of 9 bits, not an integer of 16610 bits"),
    ],
)
def test_bad_positions(arguments, message):
    with pytest.raises(OptionError, match=message):
        Position(*arguments)
    names = dict(zip(("rows", "columns", "white", "black", "to_move"), (*arguments, "white"), strict=False))
    with pytest.raises(ParseError, match="a hexapawn position: "):
        Position.from_dict(names)


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: parse("3\n3\nppp\n   \n p \n", "black"), ParseError, "line 5, column 2: black is to move"),
        (lambda: parse("2\n1\np\nP\n", "green"), OptionError, "to_move must be 'white' or 'black', not 'green'"),
        (lambda: Position.from_rows(["pp", "P"]), ParseError, "line 2: 1 squares where the first row has 2"),
        (lambda: Position.from_rows(["pp", "Pq"]), ParseError, "line 2, column 2: 'q' is not a square"),
        (lambda: Position.from_rows("pP"), OptionError, "rows must be a list of strings"),
        (lambda: Position.from_rows(["pp", 3]), OptionError, "row 2 must be a string, not 3"),
        (lambda: Position.from_rows([]), OptionError, "rows must be an integer of at least 2, not 0"),
        *(
            (lambda depth=depth: hexapawn.perft("ppp/3/PPP:w", depth), OptionError, "depth must be an integer")
            for depth in (-1, 1.5, True, "2")
        ),
    ],
)
def test_bad_arguments(call, error, message):
    with pytest.raises(error, match=message):
        call()
