"""Compare the duel and Hexapawn with independent, plain solvers in C over whole positions (tests/oracles/*.c)."""

import random
from collections import Counter
from dataclasses import dataclass
from typing import Any

import pytest
from oracles.build import differences  # pytest's pythonpath has the folder of tests

from gamecore import Limits, duel, hexapawn, kernels
from gamecore.cards import card_index

DECK = [suit + rank for rank in "A23456789TJQK" for suit in "CDHS"]

# Boards on which the oracle takes seconds for early positions, with the plies played before.
PLAYED = {(5, 5): 5, (4, 5): 2, (3, 8): 6, (3, 9): 8, (3, 7): 2, (10, 3): 4}


def a_duel(rng, n):
    """Make a position whose larger hand has n cards: a deal, a played position, or random hands and last card."""
    dense = DECK[: 4 * rng.randint(-(-(2 * n + 1) // 4), 13)]  # few numbers, so that most cards fit
    cards = rng.sample(dense, 2 * n + 1)
    kind = rng.randrange(3)
    if kind == 0:
        return duel.Position(cards[:n], cards[n : 2 * n], rng.choice(["Alice", "Bob"]))
    if kind == 1:
        hands = rng.sample([cards[:n], cards[n : n + rng.randint(1, n)]], 2)
        return duel.Position(*hands, rng.choice(["Alice", "Bob"]), rng.choice([None, cards[-1]]))
    position = None
    while position is None or position.is_over or larger_hand(position) != n:
        cards = rng.sample(dense, min(len(dense), 2 * (n + 2)))
        half = len(cards) // 2
        position = duel.Position(cards[:half], cards[half:])
        while larger_hand(position) > n and not position.is_over:
            position = position.play(rng.choice(position.legal_moves()))
    return position


def larger_hand(position):
    return max(len(position.alice), len(position.bob))


def duel_value(library, position):
    hands = ["".join(hand).encode() for hand in (position.alice, position.bob)]
    return library.duel_value(*(hands if position.to_move == "Alice" else hands[::-1]), (position.last or "").encode())


def duels_in_a_tiny_table(kernel, positions):
    """Values in a table of so few slots that most entries are overwritten."""
    values = []
    for position in positions:
        hands = position._alice_mask, position._bob_mask
        last = -1 if position.last is None else card_index(position.last)
        lower, upper = kernel.Solver(4, -1.0, 0).value(*hands[:: 1 if position.to_move == "Alice" else -1], last)
        assert lower == upper
        values.append(lower)
    return values


def a_board(rng, size):
    """Make a position of a random game, or with pawns anywhere; one in ten may be over."""
    over = rng.random() < 0.1
    while True:
        position = scattered(rng, *size) if size not in PLAYED and rng.random() < 0.2 else in_a_game(rng, size)
        if size[1] == 1 or position.is_over == over:
            return position


def in_a_game(rng, size):
    game = [hexapawn.Position.start(*size)]
    while not game[-1].is_over:
        game.append(game[-1].play(rng.choice(game[-1].legal_moves())))
    position = rng.choice(game[min(PLAYED.get(size, 0), len(game) - 1) :])
    return position if rng.random() < 0.5 else position.flip()


def scattered(rng, rows, columns):
    """Place pawns anywhere except on far rows; only the side that has just moved may be on its far row."""
    squares = rng.sample(range(rows * columns), min(rows * columns, 2 * min(columns, 5)))
    white = sum(1 << square for square in squares[::2] if square < columns * (rows - 1))
    black = sum(1 << square for square in squares[1::2] if square >= columns)
    return hexapawn.Position(rows, columns, white, black, rng.choice(["white", "black"]))


def board_value(library, position):
    board = "".join(position.to_rows()).encode()
    return library.hexapawn_value(board, position.rows, position.columns, position.to_move == "white")


def boards_in_a_tiny_table(kernel, positions):
    values = []
    for position in positions:
        solver = kernel.Solver(position.rows, position.columns, 1024)
        turn = position.to_move == "black"
        won, least, most, _, _ = solver.solve(position.white, position.black, turn, -1.0, 0, False)
        assert least == most
        values.append(won * least)
    return values


@dataclass(frozen=True)
class Case:
    """A game: how positions are made, how many of each size, and how they are solved."""

    game: Any
    make: Any
    counts: dict
    size: Any
    oracle: Any
    in_a_tiny_table: Any
    moves: tuple  # sizes of which every move is compared
    before: Any  # a move's value from the value after it

    def positions(self, rng, counts):
        return [self.make(rng, size) for size, count in counts.items() for _ in range(count)]


CASES = {
    "duel": Case(
        duel, a_duel, {1: 1000, 2: 3000, 3: 5000, 4: 5000, 5: 4000, 6: 2000, 7: 1000}, larger_hand, duel_value,
        duels_in_a_tiny_table, (2, 3, 4, 5, 6), lambda value: -value,
    ),
    # Squarish boards, wide ones, tall ones, and those that need the wide layout.
    "hexapawn": Case(
        hexapawn, a_board,
        {
            (3, 3): 600, (3, 4): 900, (4, 3): 900, (4, 4): 1500, (4, 5): 1200, (5, 4): 1200, (5, 5): 1500,
            (3, 5): 600, (3, 6): 600, (3, 7): 600, (3, 8): 500, (2, 8): 100, (2, 32): 100,
            (5, 3): 600, (6, 3): 600, (7, 3): 600, (8, 3): 600, (8, 2): 300,
            (3, 9): 200, (9, 2): 400, (12, 2): 400, (16, 2): 200, (10, 3): 400, (20, 1): 100, (64, 1): 100,
        },
        lambda position: (position.rows, position.columns), board_value, boards_in_a_tiny_table,
        ((3, 4), (4, 4), (5, 4), (3, 6), (8, 2), (9, 2)), lambda value: -(value + 1) if value > 0 else 1 - value,
    ),
}  # fmt: skip


@pytest.fixture(scope="module", params=CASES)
def name(request):
    return request.param


@pytest.fixture(scope="module")
def case(name):
    return CASES[name]


@pytest.fixture(scope="module")
def solved(name, case, oracle):
    """Return positions and their values by the oracle."""
    found = case.positions(random.Random(1), case.counts)
    return found, [case.oracle(oracle(name), position) for position in found]


def test_what_is_compared(name, case, solved):
    positions, values = solved
    assert Counter(map(case.size, positions)) == case.counts
    for size in case.counts:
        pairs = [pair for pair in zip(*solved, strict=True) if case.size(pair[0]) == size]
        assert sum(position.to_move in ("Bob", "black") for position, _ in pairs) >= len(pairs) / 5, size
        if name == "duel":
            assert sum(position.last is not None for position, _ in pairs) >= len(pairs) / 5, size
            unequal = sum(len(position.alice) != len(position.bob) for position, _ in pairs)
            assert size < 2 or unequal >= len(pairs) / 5, size
            assert size < 2 or any(position.legal_moves() == ("pass",) for position, _ in pairs), size
        else:
            assert all((value == 0) == position.is_over for position, value in pairs), size
            assert size[1] == 1 or len({position for position, _ in pairs}) >= len(pairs) / 8, size
    assert sum(abs(value) >= 5 for value in values) >= 4000


def test_the_oracle_knows_the_sources_board(oracle):
    assert board_value(oracle("hexapawn"), hexapawn.Position.from_text("5/pp1pp/PPp2/3P1/4P:w")) == 3


def test_solve_and_solve_many(name, case, solved):
    """In a batch, boards of one size share a table."""
    found, expected = solved
    values = [case.game.solve(position, line=False).value for position in found]
    assert differences(found, values, expected) == []
    solutions = case.game.solve_many(found)
    assert solutions.exact.all()
    assert differences(found, solutions.lower.tolist(), expected) == []
    for position, solution in zip(found, solutions, strict=True):
        assert name == "duel" or len(solution.line) == abs(solution.value)
        for move in solution.line:
            position = position.play(move)
        assert (position.is_over, position.winner) == (True, solution.winner)


MODULES = ("duel", "hexapawn", "hexapawn_wide")
LEVELS = [(module.split("_")[0], module, level) for module in MODULES for level in kernels.levels_of(module)]


@pytest.mark.parametrize(("name", "module", "level"), LEVELS, indirect=["name"])
def test_every_level_and_layout_in_a_tiny_table(module, level, case, solved):
    """Most entries are overwritten; every board fits the wide layout."""
    kernel, pairs = kernels.kernel(module, level), list(zip(*solved, strict=True))
    if module == "hexapawn":
        pairs = [(one, value) for one, value in pairs
                 if not kernel.needs_wide(one.rows, one.columns, one.white, one.black)]  # fmt: skip
    compared, expected = zip(*pairs, strict=True)
    assert len(compared) >= (12_000 if module == "hexapawn" else len(solved[0]))
    assert differences(compared, case.in_a_tiny_table(kernel, compared), expected) == []


def test_bounds_hold_the_value(case, solved):
    open_ = 0
    for position, value in list(zip(*solved, strict=True))[::3]:
        bounds = case.game.solve(position, Limits(nodes=8))
        assert bounds.lower <= value <= bounds.upper, position.to_text()
        if case.game is hexapawn:
            assert bounds.distance_lower <= abs(value) <= bounds.distance_upper, position.to_text()
        assert bounds.winner is None or (bounds.winner == position.to_move) == (value > 0), position.to_text()
        open_ += not bounds.exact
    assert open_ >= 300


def test_every_move(name, case, oracle):
    library, compared = oracle(name), Counter()
    for position in case.positions(random.Random(2), dict.fromkeys(case.moves, 300)):
        moves = case.game.analyse(position)
        for entry in moves:
            after = position.play(entry.move)
            value = duel.solve(after).value if name == "duel" and after.is_over else case.oracle(library, after)
            assert entry.value == case.before(value), (position.to_text(), entry.move)
            compared[case.size(position)] += 1
        best = max(moves, key=lambda entry: case.game.GAME.words.order(entry, position), default=None)
        assert moves.best_moves == tuple(entry.move for entry in moves if entry.value == best.value)
        assert not moves or best.value == case.oracle(library, position)
    assert all(compared[size] >= 300 for size in case.moves), compared
