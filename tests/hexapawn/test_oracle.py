"""Compare Hexapawn with an independent, plain solver in C over whole positions (tests/oracles/hexapawn.c)."""

import random
from collections import Counter

import pytest
from oracles.build import differences  # pytest's pythonpath has the folder of tests

from gamecore import Limits, hexapawn, kernels
from gamecore.hexapawn import Position

# Positions by rows and columns: squarish boards, wide ones, tall ones, and those that need the wide layout.
COUNTS = {
    (3, 3): 600, (3, 4): 900, (4, 3): 900, (4, 4): 1500, (4, 5): 1200, (5, 4): 1200, (5, 5): 1500,
    (3, 5): 600, (3, 6): 600, (3, 7): 600, (3, 8): 500, (2, 8): 100, (2, 32): 100,
    (5, 3): 600, (6, 3): 600, (7, 3): 600, (8, 3): 600, (8, 2): 300,
    (3, 9): 200, (9, 2): 400, (12, 2): 400, (16, 2): 200, (10, 3): 400, (20, 1): 100, (64, 1): 100,
}  # fmt: skip

# Boards on which the oracle takes seconds for early positions, with the plies played before.
PLAYED = {(5, 5): 5, (4, 5): 2, (3, 8): 6, (3, 9): 8, (3, 7): 2, (10, 3): 4}


def position_of(rng, size):
    """Make a position of a random game, or with pawns anywhere; one in ten may be over."""
    over = rng.random() < 0.1
    while True:
        position = scattered(rng, *size) if size not in PLAYED and rng.random() < 0.2 else in_a_game(rng, size)
        if size[1] == 1 or position.is_over == over:
            return position


def in_a_game(rng, size):
    game = [Position.start(*size)]
    while not game[-1].is_over:
        game.append(game[-1].play(rng.choice(game[-1].legal_moves())))
    position = rng.choice(game[min(PLAYED.get(size, 0), len(game) - 1) :])
    return position if rng.random() < 0.5 else position.flip()


def scattered(rng, rows, columns):
    """Place pawns anywhere except on far rows; only the side that has just moved may be on its far row."""
    squares = rng.sample(range(rows * columns), min(rows * columns, 2 * min(columns, 5)))
    white = sum(1 << square for square in squares[::2] if square < columns * (rows - 1))
    black = sum(1 << square for square in squares[1::2] if square >= columns)
    return Position(rows, columns, white, black, rng.choice(["white", "black"]))


def size_of(position):
    return position.rows, position.columns


def positions(seed):
    rng = random.Random(seed)
    return [position_of(rng, size) for size, count in COUNTS.items() for _ in range(count)]


def oracle_value(library, position):
    board = "".join(position.to_rows()).encode()
    return library.hexapawn_value(board, position.rows, position.columns, position.to_move == "white")


@pytest.fixture(scope="module")
def solved(oracle):
    """Return positions and their values by the oracle."""
    library = oracle("hexapawn")
    found = positions(1)
    return found, [oracle_value(library, position) for position in found]


def test_what_is_compared(solved):
    found, expected = solved
    assert Counter(map(size_of, found)) == COUNTS
    assert sum(COUNTS.values()) == 14_800
    for size in COUNTS:
        here = [(position, value) for position, value in zip(found, expected, strict=True) if size_of(position) == size]
        assert sum(position.to_move == "black" for position, _ in here) >= len(here) / 5, size
        assert sum(position.is_over for position, _ in here) <= len(here) / 2, size
        assert all((value == 0) == position.is_over for position, value in here), size
        if size[1] > 1:
            assert len({position for position, _ in here}) >= len(here) / 8, size
            assert max(value for _, value in here) > 0, size
        if size[0] > 2 and size[1] > 1:
            assert min(value for _, value in here) < 0, size
            assert len({value for _, value in here}) > 4, size
    distances = Counter(abs(value) for value in expected)
    assert sum(count for distance, count in distances.items() if distance >= 5) >= 4000


def test_the_oracle_knows_the_sources_board(oracle):
    assert oracle_value(oracle("hexapawn"), Position.from_text("5/pp1pp/PPp2/3P1/4P:w")) == 3


def test_solve(solved):
    found, expected = solved
    assert differences(found, [hexapawn.solve(position, line=False).value for position in found], expected) == []


def test_solve_many(solved):
    """Positions of one size share a table."""
    found, expected = solved
    solutions = hexapawn.solve_many(found)
    assert solutions.exact.all()
    assert differences(found, solutions.lower.tolist(), expected) == []
    for position, solution in zip(found, solutions, strict=True):
        assert len(solution.line) == abs(solution.value)
        for move in solution.line:
            position = position.play(move)
        assert (position.is_over, position.winner) == (True, solution.winner)


@pytest.mark.parametrize("wide", [False, True])
@pytest.mark.parametrize("level", kernels.levels_of("hexapawn"))
def test_every_level_and_layout_in_a_tiny_table(solved, level, wide):
    """The table has so few slots that most entries are overwritten; every board fits the wide layout."""
    found, expected = solved
    kernel = kernels.kernel("hexapawn_wide" if wide else "hexapawn", level)
    compared, values, right = [], [], []
    for position, value in zip(found, expected, strict=True):
        if not wide and kernel.needs_wide(position.rows, position.columns, position.white, position.black):
            continue
        solver = kernel.Solver(position.rows, position.columns, 1024)
        turn = position.to_move == "black"
        won, least, most, _, _ = solver.solve(position.white, position.black, turn, -1.0, 0, False)
        assert least == most
        compared.append(position)
        values.append(won * least)
        right.append(value)
    assert len(compared) >= (len(found) if wide else 12_000)
    assert differences(compared, values, right) == []


def test_bounds_hold_the_value(solved):
    found, expected = solved
    open_ = 0
    for position, value in zip(found[::3], expected[::3], strict=True):
        bounds = hexapawn.solve(position, Limits(nodes=8))
        assert bounds.lower <= value <= bounds.upper, position.to_text()
        assert bounds.distance_lower <= abs(value) <= bounds.distance_upper, position.to_text()
        assert bounds.winner is None or (bounds.winner == position.to_move) == (value > 0), position.to_text()
        open_ += not bounds.exact
    assert open_ >= 300


def test_every_move(oracle):
    library = oracle("hexapawn")
    rng = random.Random(2)
    compared = Counter()
    for size in ((3, 4), (4, 4), (5, 4), (3, 6), (8, 2), (9, 2)):
        for position in (position_of(rng, size) for _ in range(200)):
            moves = hexapawn.analyse(position)
            for entry in moves:
                after = oracle_value(library, position.play(entry.move))
                assert entry.value == (-(after + 1) if after > 0 else 1 - after), (position.to_text(), entry.move)
                compared[size] += 1
            best = [entry.move for entry in moves if entry.value == oracle_value(library, position)]
            assert moves.best_moves == tuple(best)
    assert min(compared.values()) >= 300
    assert len(compared) == 6


def test_a_planted_wrong_value_is_found(solved):
    found, expected = solved
    values = list(expected)
    planted = 4321
    values[planted] += 2
    text = f"{found[planted].to_text()}: {expected[planted] + 2}, not {expected[planted]}"
    assert differences(found, values, expected) == [text]


@pytest.mark.nightly
def test_an_oracle_with_a_rule_changed_is_found(solved, tmp_path):
    from oracles import build

    changes = {
        "no capture to the right": ("side <= 1;", "side <= 0;"),
        "who cannot move has won": ("value = !moves ? 0 :", "value = !moves ? 1 :"),
        "the loser hurries": ("value > slowest)", "(!slowest || value < slowest))"),
        "the winner dawdles": ("value > quickest)", "(quickest == -128 || value < quickest))"),
        "pawns of one side reach the last row but one": ("(rows - 1) * columns : 0)", "(rows - 2) * columns : 0)"),
    }
    found, expected = (one[:4000] for one in solved)
    for name, change in changes.items():
        library = build.load("hexapawn", tmp_path, change)
        assert differences(found, [oracle_value(library, position) for position in found], expected), name
