"""The Hexapawn solver compared with the oracle file and the reference; limits, tables, levels, moves."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gamecore import Limits, kernels
from gamecore.hexapawn import Analysis, MoveValue, Position, solve, solve_many

# Start positions of the oracle file that take seconds to a minute, and two that take longer.
SLOW = {(7, 6), (6, 7), (5, 8), (8, 5), (8, 6)}
BEYOND_TESTS = {(7, 7), (6, 8)}


def oracle(data, keep):
    return [entry for entry in data("hexapawn") if keep((entry["rows"], entry["cols"]))]


def check_line(position, solution):
    """Check that every move of the line is optimal: the distance falls by one ply each time, to 0."""
    after = [position]
    for move in solution.line:
        after.append(after[-1].play(move))
    assert after[-1].is_over
    values = [other.value for other in solve_many(after, line=False)]
    assert [abs(value) for value in values] == list(range(abs(solution.value), -1, -1))
    assert all((value > 0) == (abs(value) % 2 == 1) for value in values)


def test_the_oracle_file(data):
    entries = oracle(data, lambda size: size not in SLOW | BEYOND_TESTS)
    assert len(entries) == 338 - len(SLOW) - len(BEYOND_TESTS)
    positions = [Position.from_rows(entry["board"], entry["to_move"]) for entry in entries]
    solutions = solve_many(positions)
    assert [solution.value for solution in solutions] == [entry["value"] for entry in entries]
    for position, solution in zip(positions, solutions, strict=True):
        check_line(position, solution)
        assert solution.distance_lower == solution.distance_upper == abs(solution.value)
        other = "black" if position.to_move == "white" else "white"
        assert solution.winner == (position.to_move if solution.value > 0 else other)


@pytest.mark.nightly
def test_the_oracle_file_large_starts(data):
    for entry in oracle(data, lambda size: size in SLOW):
        threads = 2 if entry["rows"] * entry["cols"] > 42 else 1
        solution = solve(Position.from_rows(entry["board"], entry["to_move"]), threads=threads)
        assert (solution.value, len(solution.line)) == (entry["value"], abs(solution.value))


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


@pytest.mark.parametrize(
    ("size", "value", "winner", "limits"),
    [
        (5, 19, "white", [0, 1, 10, 100, 300, 1000, 2000, 4000, 6000, 8000]),
        (6, -30, "black", range(10_000, 350_000, 20_000)),
    ],
)
def test_bounds_within_node_limits_are_proven(size, value, winner, limits):
    for nodes in limits:
        solution = solve(Position.start(size, size), Limits(nodes=nodes))
        low, high = solution.distance_lower, solution.distance_upper
        assert solution.lower <= value <= solution.upper
        assert low <= abs(value) <= high
        assert solution.winner in (None, winner)
        assert solution.nodes == nodes or (solution.exact and solution.nodes < nodes)
        if solution.winner:
            assert (solution.lower, solution.upper) == ((low, high) if value > 0 else (-high, -low))
            assert solution.exact or str(solution) == f"{winner} wins in {low} to {high} plies"
        else:
            assert solution.lower < 0 < solution.upper
            assert str(solution) == f"not decided: the game lasts {low} to {high} plies"
    assert solution.exact


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
