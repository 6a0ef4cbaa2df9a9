"""The Hexapawn solver compared with the oracle file and the reference; limits, tables, levels, moves."""

import itertools
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gamecore import Limits, hexapawn, kernels
from gamecore.hexapawn import Analysis, MoveValue, Position, analyse, parse, solve, solve_many
from gamecore.hexapawn._position import greedy_move
from gamecore.reference import hexapawn as reference

SOURCE = ["     ", "pp pp", "PPp  ", "   P ", "    P"]

# Start positions of the oracle file that take seconds to a minute, and two that take longer.
SLOW = {(7, 6), (6, 7), (5, 8), (8, 5), (8, 6)}
BEYOND_TESTS = {(7, 7), (6, 8)}


def reference_value(position, known=None):
    return reference.memoised_map((position.to_move, position.to_rows()), known)


def check_line(position, solution):
    """Check that every move of the line is optimal: the distance falls by one ply each time, to 0."""
    values = []
    for move in solution.line:
        values.append(solve(position, line=False).value)
        position = position.play(move)
    assert position.is_over
    assert [abs(value) for value in values] == list(range(abs(solution.value), 0, -1))
    assert all((value > 0) == (abs(value) % 2 == 1) for value in values)


def oracle(data, keep):
    return [entry for entry in data("hexapawn") if keep((entry["rows"], entry["cols"]))]


def test_the_oracle_file(data):
    known = oracle(data, lambda size: size not in SLOW | BEYOND_TESTS)
    positions = [Position.from_rows(entry["board"], entry["to_move"]) for entry in known]
    solutions = solve_many(positions)
    assert len(known) == 338 - len(SLOW) - len(BEYOND_TESTS)
    assert [solution.value for solution in solutions] == [entry["value"] for entry in known]
    assert {entry["to_move"] for entry in known} == {"white", "black"}
    for position, solution in zip(positions, solutions, strict=True):
        assert solution.exact
        assert len(solution.line) == solution.distance_lower == solution.distance_upper == abs(solution.value)
        other = "black" if position.to_move == "white" else "white"
        assert solution.winner == (position.to_move if solution.value > 0 else other)
    going_on = [(position, one) for position, one in zip(positions, solutions, strict=True) if one.value]
    after = solve_many([position.play(one.best_move) for position, one in going_on], line=False)
    for (_, one), then in zip(going_on, after, strict=True):
        assert then.value == (1 - one.value if one.value > 0 else -one.value - 1)
    assert len(going_on) > 300


@pytest.mark.nightly
def test_the_oracle_file_large_starts(data):
    for entry in oracle(data, lambda size: size in SLOW):
        threads = 2 if entry["rows"] * entry["cols"] > 42 else 1
        solution = solve(Position.from_rows(entry["board"], entry["to_move"]), threads=threads)
        assert (solution.value, len(solution.line)) == (entry["value"], abs(solution.value))


@pytest.mark.parametrize("size", [(3, 3), (3, 4), (4, 3), (2, 5), (6, 2), (9, 2), (2, 9)])
def test_every_reachable_position(size):
    """Compare with brute force: with a shared table, with a new table each, and in the wide layout."""
    known = {}
    reference.memoised_map(reference.start(*size), known)
    configurations = sorted(reference.reachable(reference.start(*size)))
    positions = [Position.from_rows(rows, to_move) for to_move, rows in configurations]
    wanted = [reference.memoised_map(configuration, known) for configuration in configurations]
    assert [solution.value for solution in solve_many(positions, line=False)] == wanted
    wide = kernels.kernel("hexapawn_wide").Solver(*size, 1 << 20)
    for i, (position, value) in enumerate(zip(positions, wanted, strict=True)):
        solution = solve(position)
        assert solution.value == value
        if i % 10 == 0:
            check_line(position, solution)
        won, least, most, line, _ = wide.solve(
            position.white, position.black, position.to_move == "black", -1.0, 0, True
        )
        assert (least, most, len(line), won > 0) == (abs(value), abs(value), abs(value), value > 0)


def some_position(rows, columns, pawns, seed, to_move):
    """Place up to `pawns` pawns a side anywhere except on far rows, also positions that no game reaches."""
    rng = random.Random(seed)
    squares = list(range(rows * columns))
    rng.shuffle(squares)
    white = [square for square in squares[:pawns] if square < columns * (rows - 1)]
    black = [square for square in squares[pawns : 2 * pawns] if square >= columns]
    return Position(rows, columns, sum(1 << square for square in white), sum(1 << square for square in black), to_move)


@settings(max_examples=300, deadline=None)
@given(
    st.sampled_from([(3, 3), (5, 3), (3, 5), (4, 4), (2, 12), (9, 2), (3, 10), (12, 2), (10, 3), (20, 1), (20, 3)]),
    st.integers(1, 5),
    st.integers(0, 10**9),
    st.sampled_from(["white", "black"]),
)
def test_positions_of_any_shape_and_their_images(size, pawns, seed, to_move):
    position = some_position(*size, min(pawns, 60 // (size[0] + size[1])), seed, to_move)
    value = reference_value(position)
    for image in (position, position.flip(), position.mirror(), position.flip().mirror()):
        assert solve(image).value == value
    check_line(position, solve(position))


def test_known_boards():
    solution = solve(Position.from_rows(SOURCE))
    assert (solution.value, solution.winner, solution.best_move) == (3, "white", "b3xa4")
    assert str(solution) == "white wins in 3 plies"
    assert solve(parse(Position.from_rows(SOURCE).to_judge())).line == solution.line
    """Bounds that consider only promotion and not a lack of moves give wrong values here."""
    blocked = Position.from_rows(["p ", "P ", "  "], "black")
    assert solve(blocked).value == 0
    last_move = Position.from_rows([" p ", "   ", " P ", "   ", "   "], "white")
    assert solve(last_move).value == reference_value(last_move) == 1


NODES = {
    (3, 3): 15, (4, 4): 266, (5, 5): 6551, (5, 6): 76243, (6, 5): 55117, (4, 8): 174761, (8, 4): 28253, (6, 6): 294901,
    (3, 12): 6242,  # in the wide layout
}  # fmt: skip


@pytest.mark.parametrize("size", NODES)
def test_node_counts_are_pinned(size):
    """Node counts are the same at every level and on every machine; they change only if the search changes."""
    start, whole = Position.start(*size), set()
    for level in kernels.levels_of("hexapawn"):
        solver = kernels.kernel("hexapawn_wide" if size == (3, 12) else "hexapawn", level).Solver(*size, 64 << 20)
        assert solver.solve(start.white, start.black, False, -1.0, 0, False)[4] == NODES[size]
        whole.add(str(solver.solve(start.white, start.black, False, -1.0, 0, True)[:4]))  # the line, too
    assert (len(whole), solve(start, line=False).nodes) == (1, NODES[size])


@pytest.mark.parametrize("size", [(8, 8), (5, 12)])
def test_the_clock_is_read_within_the_first_nodes(size):
    """Each of the first nodes in a large table may take milliseconds, while the system clears its pages."""
    solution = solve(Position.start(*size), Limits(seconds=1e-9))
    assert solution.nodes <= 4
    assert not solution.exact


@pytest.mark.parametrize("megabytes", [1, 0.1, 0.001, 1e-9])
def test_tiny_tables(megabytes, data):
    limits = Limits(table_mb=megabytes)
    replacements = 0
    known = oracle(data, lambda size: size[0] * size[1] <= 20)
    for entry in known:
        solution = solve(Position.from_rows(entry["board"], entry["to_move"]), limits)
        assert solution.value == entry["value"]
        assert solution.table_bytes <= max(64, megabytes * 2**20)
        replacements += solution.replacements
    if megabytes < 1:
        assert replacements > 0


def test_table_sizes():
    small = solve(Position.start(5, 6), Limits(table_mb=0.25))
    large = solve(Position.start(5, 6))
    assert small.value == large.value == -22
    assert small.nodes > large.nodes
    assert small.replacements > large.replacements
    assert small.table_bytes == 1 << 18
    assert solve(Position.start(3, 3)).table_bytes <= 1 << 14
    assert solve(Position.start(5, 5)).table_bytes <= 1 << 19
    assert solve(Position.start(2, 1)).value == 0


@pytest.mark.parametrize(
    ("size", "value", "winner", "limits"),
    [
        ((5, 5), 19, "white", [0, 1, 10, 100, 300, 1000, 2000, 4000, 6000, 8000]),
        ((6, 6), -30, "black", range(10_000, 350_000, 20_000)),
    ],
)
def test_bounds_within_node_limits_are_proven(size, value, winner, limits):
    texts = []
    for nodes in limits:
        solution = solve(Position.start(*size), Limits(nodes=nodes))
        low, high = solution.distance_lower, solution.distance_upper
        assert solution.lower <= value <= solution.upper
        assert low <= abs(value) <= high
        assert solution.winner in (None, winner)
        assert solution.nodes == nodes or (solution.exact and solution.nodes < nodes)
        if solution.winner:
            assert (solution.lower, solution.upper) == ((low, high) if value > 0 else (-high, -low))
        else:
            assert solution.lower < 0 < solution.upper
            assert "not decided" in str(solution)
        if not solution.exact:
            assert solution.best_move is None
            texts.append(str(solution))
            assert not solution.winner or texts[-1] == f"{winner} wins in {low} to {high} plies"
    assert solution.exact
    assert texts[-1].startswith(f"{winner} wins in ")


def test_analyse_within_limits():
    start = Position.start(5, 5)
    exact = {entry.move: entry.value for entry in analyse(start)}
    for limits in (Limits(nodes=0), Limits(nodes=3000), Limits(nodes=4400), Limits(seconds=0.0)):
        moves = analyse(start, limits)
        assert len(moves) == 5
        assert all(entry.lower <= exact[entry.move] <= entry.upper for entry in moves)
        assert limits.nodes is None or moves.nodes <= limits.nodes
    assert not all(entry.exact for entry in analyse(start, Limits(nodes=3000)))


def test_what_is_over():
    for text, winner in (("P1/1p/2:b", "white"), ("2/P1/p1:w", "black"), ("p/P/1:b", "white"), ("2/2/2:w", "black")):
        position = Position.from_text(text)
        assert position.is_over
        for solution in (solve(position), solve(position, threads=2), solve_many([position])[0]):
            assert (solution.value, solution.line, solution.best_moves, solution.winner) == (0, (), (), winner)
            assert str(solution) == f"{winner} has won"
        assert (len(analyse(position)), analyse(position).best_moves) == (0, ())


@pytest.mark.parametrize(
    ("moves", "best"),
    [
        ([(3, 3), (3, 3), (5, 5), (-4, -4)], [0, 1]),
        ([(-6, -6), (-4, -4)], [0]),
        ([(3, 3), (-8, 9)], []),  # the open one may win at once
        ([(1, 1), (-8, 9)], [0]),  # it cannot be better than that
        ([(3, 3), (3, 7)], [0]),  # it may be as good, which is not proven
        ([(5, 5), (3, 7)], []),
        ([(5, 5), (7, 9), (-4, -2)], [0]),
        ([(-6, -6), (-8, -4)], []),
        ([(-6, -6), (-6, -4)], [0]),
        ([(-6, -6), (-8, 9)], []),
        ([(-8, 9)], []),
        ([], []),
    ],
)
def test_best_moves_by_the_order_of_the_game(moves, best):
    """Quick wins come before slow ones, slow losses before quick ones; an unknown move may be best or worst."""
    entries = tuple(MoveValue(lower, upper, f"a{at}-a{at + 1}") for at, (lower, upper) in enumerate(moves))
    assert Analysis(entries, "white", 0, 0.0).best_moves == tuple(entries[place].move for place in best)


def test_bounds_stand_by_their_worst_case():
    moves = analyse(Position.from_text("ppp2/3pp/3P1/5/PPP1P:w"), Limits(nodes=400))
    kinds = [("win" if one.lower > 0 else "loss" if one.upper <= 0 else "open") for one in moves]
    assert kinds == ["win", "open", "open", "loss", "loss"]


def test_a_solver_that_was_stopped_stays_stopped():
    start = Position.start(6, 6)
    for level in kernels.levels_of("hexapawn"):
        solver = kernels.kernel("hexapawn", level).Solver(6, 6, 1 << 22)
        solver.stop()
        for _ in range(2):
            won, _, _, line, nodes = solver.solve(start.white, start.black, False, -1.0, 0, True)
            assert (won, line, nodes) == (0, [], 0)


@pytest.mark.parametrize("size", [6, 7, 8])
def test_the_best_move_so_far_beats_a_greedy_player(size):
    won = 0
    for number, mine in itertools.product(range(4), ("white", "black")):
        position = hexapawn.random(size, size, plies=4, rng=[number, size])
        while not position.is_over:
            solution = solve(position, Limits(nodes=1000)) if position.to_move == mine else None
            move = solution.best_move or solution.best_so_far if solution else greedy_move(position)
            position = position.play(move)
        won += position.winner == mine
    assert won >= 7


def test_undecided_starts_name_other_moves_than_the_first():
    starts = [hexapawn.random(8, 8, plies=plies, rng=plies) for plies in range(2, 11)]
    found = [hexapawn.solve(position, Limits(nodes=20_000)) for position in starts]
    assert all(one.best_move is None for one in found)
    first = sum(one.best_so_far == position.legal_moves()[0] for one, position in zip(found, starts, strict=True))
    assert first <= 4
