"""Hexapawn positions: rules, names of squares, images, errors."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gamecore import hexapawn
from gamecore.errors import IllegalMoveError, OptionError, ParseError
from gamecore.hexapawn import Position
from gamecore.hexapawn._position import greedy_move
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


@given(positions())
def test_moves_are_those_of_the_reference(position):
    after = set() if position._opponent_arrived() else set(reference.successors(as_reference(position)))
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


# Sequences of 1 to 7 moves, counted by the reference; it counts the first four again in every run.
PERFT = {
    (3, 3): (3, 10, 28, 56, 70, 64, 20), (4, 4): (4, 16, 66, 280, 1170, 4548, 16684),
    (5, 5): (5, 25, 125, 628, 3180, 16270, 83654), (6, 6): (6, 36, 216, 1296, 7780, 46770, 281882),
    (3, 8): (8, 70, 628, 4996, 39180, 268720, 1758488), (8, 3): (3, 9, 27, 81, 243, 729, 2188),
    (2, 9): (16, 0, 0, 0, 0, 0, 0),
}  # fmt: skip


@pytest.mark.parametrize("size", PERFT)
def test_perft_of_starts(size):
    assert hexapawn.perft("3\n3\nppp\n   \nPPP\n", 4) == hexapawn.perft("ppp/3/PPP:w", 4) == 56
    start = Position.start(*size)
    counts = tuple(hexapawn.perft(start, depth) for depth in range(1, 8))
    assert counts == PERFT[size]
    assert counts[:4] == tuple(reference.perft(reference.start(*size), depth) for depth in range(1, 5))


def test_names_of_squares_and_moves():
    position = Position.from_rows(SOURCE)
    assert position.legal_moves() == ("e1-e2", "d2xc3", "d2-d3", "a3xb4", "b3xa4")
    assert (position.play("b3xa4").to_rows()[1], position.play("b3-a4")) == ("Pp pp", position.play("b3xa4"))
    assert Position.start(3, 20).legal_moves()[-1] == "t1-t2"
    assert Position.start(2, 32).legal_moves()[-1] == "af1xae2"


def test_a_finished_game():
    over = Position.from_rows(["P ", "  ", " P"], to_move="black")
    assert (over.is_over, over.winner, over.legal_moves()) == (True, "white", ())
    assert "white has won" in str(over)
    blocked = Position.from_rows(["p", "P"])
    assert (blocked.is_over, blocked.winner) == (True, "black")
    with pytest.raises(IllegalMoveError, match="the game is over, black has won"):
        blocked.play("a1-a2")


@pytest.mark.parametrize("move", ["a1-a2", "", "e1-e3", "b3xb4", 7, "d2xe3"])
def test_illegal_moves(move):
    with pytest.raises(IllegalMoveError, match="legal: e1-e2, d2xc3"):
        Position.from_rows(SOURCE).play(move)


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


@pytest.mark.parametrize("depth", [-1, 1.5, True, "2"])
def test_bad_depths(depth):
    with pytest.raises(OptionError, match="depth must be an integer"):
        hexapawn.perft("ppp/3/PPP:w", depth)


def test_random():
    assert hexapawn.random(5, 7, plies=0) == Position.start(5, 7)
    made = [hexapawn.random(4, 5, rng=seed) for seed in range(200)]
    assert {(position.rows, position.columns) for position in made} == {(4, 5)}
    assert {position.to_move for position in made} == {"white", "black"}
    assert {position.is_over for position in made} == {True, False}
    assert hexapawn.random(4, 5, plies=6, rng=1).to_move == "white"
    reached = reference.reachable(reference.start(3, 3))
    assert {as_reference(hexapawn.random(3, 3, rng=seed)) for seed in range(300)} <= reached


@given(positions())
def test_the_greedy_move_captures_and_runs(position):
    legal = position.legal_moves()
    if not legal:
        return
    opponent, farthest = ("black", max) if position.to_move == "white" else ("white", min)
    ranks = [int(re.search("[0-9]+$", move)[0]) for move in legal]
    captures = [getattr(position.play(move), opponent) != getattr(position, opponent) for move in legal]
    chosen = legal.index(greedy_move(position))
    assert captures[chosen] == any(captures)
    same = [place for place, capture in enumerate(captures) if capture == captures[chosen]]
    assert chosen == next(place for place in same if ranks[place] == farthest(ranks[one] for one in same))
