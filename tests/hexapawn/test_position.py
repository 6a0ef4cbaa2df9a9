"""Hexapawn positions: rules, names of squares, images, texts, errors."""

import re

from hypothesis import given
from hypothesis import strategies as st

from gamecore import hexapawn
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
