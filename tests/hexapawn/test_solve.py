"""Hexapawn: rules, images, texts; its solver compared with the oracle file; tables. Bounds: ``oracles/checks.py``."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles import checks

from gamecore import Limits, hexapawn, kernels
from gamecore.hexapawn import Analysis, MoveValue, Position, parse, solve, solve_many
from gamecore.reference import hexapawn as reference


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


# --- solving ----------------------------------------------------------------------------------------------------------


# Start positions of the oracle file that take seconds to a minute, and two that take longer.
SLOW = {(7, 6), (6, 7), (5, 8), (8, 5), (8, 6)}
BEYOND_TESTS = {(7, 7), (6, 8)}


@pytest.mark.parametrize("is_slow", [False, pytest.param(True, marks=pytest.mark.nightly)])
def test_the_oracle_file(data, is_slow):
    entries = [entry for entry in data("hexapawn") if (entry["rows"], entry["cols"]) not in BEYOND_TESTS]
    assert len(entries) == 338 - len(BEYOND_TESTS)
    entries = [entry for entry in entries if ((entry["rows"], entry["cols"]) in SLOW) == is_slow]
    positions = [Position.from_rows(entry["board"], entry["to_move"]) for entry in entries]
    solutions = [solve(position, threads=2) for position in positions] if is_slow else solve_many(positions)
    assert [solution.value for solution in solutions] == [entry["value"] for entry in entries]
    for position, solution in zip(positions, solutions, strict=True):
        checks.check_solution(position, solution, solution)


@pytest.mark.parametrize("size", [(8, 8), (5, 12)])
def test_the_clock_is_read_within_the_first_nodes(size):
    """Each of the first nodes in a large table may take milliseconds, while the system clears its pages."""
    solution = solve(Position.start(*size), Limits(seconds=1e-9))
    assert solution.nodes <= 4
    assert not solution.exact


@pytest.mark.parametrize(
    ("size", "megabytes", "at_most"),
    [((3, 3), 512, 1 << 14), ((5, 5), 512, 1 << 19), ((5, 6), 0.25, 1 << 18), ((4, 5), 1e-9, 64)],
)
def test_tables(size, megabytes, at_most):
    """A table is as small as the board allows; in a smaller one, entries are replaced, and more is searched."""
    given, ample = (solve(Position.start(*size), limits) for limits in (Limits(table_mb=megabytes), None))
    assert given.value == ample.value
    assert given.table_bytes <= at_most
    if megabytes < 1:
        assert given.table_bytes == at_most
        assert given.nodes > ample.nodes
        assert given.replacements > ample.replacements


@settings(max_examples=300)
@given(st.lists(st.tuples(st.integers(-3, 3), st.integers(-3, 3)).map(sorted), max_size=4))
def test_best_moves_by_the_order_of_the_game(moves):
    """The best are known, and none may be better: quick wins before slow ones, slow losses before quick ones."""
    ranks = [[(value > 0, -value) for value in range(lower, upper + 1)] for lower, upper in moves]
    best = [own for own in ranks if len(own) == 1 and all(own[0] >= max(other) for other in ranks)]
    entries = tuple(MoveValue(*bounds, f"a{at}-a{at + 1}") for at, bounds in enumerate(moves))
    found = Analysis(entries, "white", 0, 0.0).best_moves
    assert found == tuple(entry.move for entry, own in zip(entries, ranks, strict=True) if own in best)


@pytest.mark.parametrize("level", kernels.levels_of("hexapawn"))
def test_a_solver_that_was_stopped_stays_stopped(level):
    start = Position.start(6, 6)
    solver = kernels.kernel("hexapawn", level).Solver(6, 6, 1 << 22)
    solver.stop()
    for _ in range(2):
        won, _, _, line, nodes = solver.solve(start.white, start.black, False, -1.0, 0, True)
        assert (won, line, nodes) == (0, [], 0)
