"""Random positions of every game, solved twice: by the kernels, and by plain Python or in another way.

Each ``check_GAME(rng)`` makes one case from a ``random.Random`` and raises AssertionError with the case in it when two
answers differ; it may return the size of the case, by which the soak counts. ``tools/soak.py`` calls them for hours,
``tools/fuzz/fuzz.py`` with bytes in the place of chance.
"""

import ctypes
import functools
import random
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from gamecore import Limits, OptionError, duel, hearts, hexapawn, kernels, rows
from gamecore.cards import card_index
from gamecore.reference import duel as plain_duel
from gamecore.reference import hearts as plain_hearts
from gamecore.reference import hexapawn as plain_hexapawn
from gamecore.reference import rows as plain_rows

sys.path.append(str(Path(__file__).resolve().parents[2] / "tests"))

from oracles import build

DECK = [suit + rank for rank in "A23456789TJQK" for suit in "CDHS"]
LEVELS = kernels.available_levels()
LIBRARIES = tempfile.TemporaryDirectory(prefix="gamecore-oracles-")


def same(case: object, **answers: Any) -> None:
    """Whether all answers are equal; the message has everything that is needed to see it again."""
    values = list(answers.values())
    assert all(value == values[0] for value in values), f"{case!r}: {answers!r}"


@functools.cache
def oracle(name: str) -> ctypes.CDLL:
    """An independent solver of tests/oracles, compiled once."""
    return build.load(name, Path(LIBRARIES.name))


# --- duel ------------------------------------------------------------------------------------------------------------


def random_duel(rng: random.Random, most: int) -> duel.Position:
    """Hands of 1 to ``most`` cards from a part of the deck, so that cards meet, and some last card."""
    deck = rng.sample(DECK, rng.randrange(2 * most + 1, 53)) if rng.random() < 0.5 else DECK[: 4 * most]
    sizes = rng.randint(1, most), rng.randint(1, most)
    cards = rng.sample(deck, sum(sizes) + 1)
    last = cards[-1] if rng.random() < 0.6 else None
    return duel.Position(cards[: sizes[0]], cards[sizes[0] : -1], rng.choice(["Alice", "Bob"]), last)


def check_duel(rng: random.Random) -> int:
    """Hands of 1 to 7 cards against the oracle in C, the smaller ones against alpha-beta in plain Python too."""
    position = random_duel(rng, rng.randint(1, 7))
    hands = ["".join(hand) for hand in (position.alice, position.bob)]
    mover, other = hands if position.to_move == "Alice" else hands[::-1]
    answers = {}
    if build.compiler() is not None:
        answers["oracle"] = oracle("duel").duel_value(mover.encode(), other.encode(), (position.last or "").encode())
    size = max(len(position.alice), len(position.bob))
    if size <= 4 or not answers:
        sets = [frozenset(hand[k : k + 2] for k in range(0, len(hand), 2)) for hand in (mover, other)]
        answers["plain"] = plain_duel.alpha_beta(*sets, position.last)
    solution = duel.solve(position, Limits(table_mb=rng.choice([0.0001, 0.01, 1])))
    same(position, native=solution.value, **answers)
    check_duel_line(position, solution)
    return size


def check_duel_line(position: duel.Position, solution: duel.Solution) -> None:
    """Best play replayed by the rules ends in the value."""
    after = position
    for move in solution.line:
        after = after.play(move)
    assert after.is_over, f"{position!r}: the line stops early"
    same(position, line=(after.winner, after.points), value=(solution.winner, solution.points))


def check_duel_invariants(rng: random.Random) -> None:
    """Deals beyond plain Python: every level, table and bound says the same."""
    position = random_duel(rng, rng.randint(6, 9))
    solution = duel.solve(position)
    check_duel_line(position, solution)
    best = duel.analyse(position)[0].value
    small = duel.solve(position, Limits(table_mb=0.001), line=False).value
    same(position, value=solution.value, best=best, small=small, **duel_levels(position))
    cut = duel.solve(position, Limits(nodes=rng.randint(1, 2000)))
    assert cut.lower <= solution.lower <= cut.upper, f"{position!r}: {cut} does not hold {solution}"


def duel_levels(position: duel.Position) -> dict[str, int]:
    """The value by every CPU level's kernel."""
    found = {}
    for level in LEVELS:
        kernel = kernels.kernel("duel", level)
        mover, other = position._alice_mask, position._bob_mask
        if position.to_move == "Bob":
            mover, other = other, mover
        last = -1 if position.last is None else card_index(position.last)
        lower, upper = kernel.Solver(12, -1.0, 0).value(mover, other, last)
        assert lower == upper
        found[level] = lower
    return found


# --- hexapawn --------------------------------------------------------------------------------------------------------


def random_board(rng: random.Random, sizes: list[tuple[int, int]]) -> hexapawn.Position:
    """Any placing of pawns that could be a position."""
    while True:
        height, width = rng.choice(sizes)
        density = rng.uniform(0.15, 0.45)
        white = black = 0
        for square in range(height * width):
            chance = rng.random()
            white |= (chance < density) << square
            black |= (density <= chance < 2 * density) << square
        try:
            return hexapawn.Position(height, width, white, black, rng.choice(["white", "black"]))
        except OptionError:
            continue


SMALL_BOARDS = [(2, 1), (2, 4), (3, 3), (3, 4), (4, 2), (4, 3), (5, 2), (6, 2), (12, 1), (4, 4), (3, 5)]
LARGE_BOARDS = [(4, 5), (5, 4), (5, 5), (3, 8), (3, 9), (8, 3), (9, 3), (6, 4), (2, 20)]


def check_hexapawn(rng: random.Random) -> None:
    """Small boards against the source's recursion."""
    position = random_board(rng, SMALL_BOARDS)
    value = plain_hexapawn.memoised_map((position.to_move, position.to_rows()))
    solution = hexapawn.solve(position, Limits(table_mb=rng.choice([0.0001, 0.01, 1])))
    same(position, plain=value, native=solution.value, wide=wide_value(position))
    check_hexapawn_line(position, solution)


def wide_value(position: hexapawn.Position) -> int:
    """By the layout for large boards."""
    kernel = kernels.kernel("hexapawn")
    solver = kernel.Solver(position.rows, position.columns, True, 1 << 16)
    won, least, most, _, _ = solver.solve(position.white, position.black, position.to_move == "black", -1.0, 0, False)
    assert least == most
    return won * least


def check_hexapawn_line(position: hexapawn.Position, solution: hexapawn.Solution) -> None:
    """Best play replayed by the rules lasts as long as the value says."""
    after = position
    for move in solution.line:
        after = after.play(move)
    assert after.is_over, f"{position!r}: the line stops early"
    same(position, line=(after.winner, len(solution.line)), value=(solution.winner, abs(solution.value or 0)))


FEW_NODES = 400_000


def check_hexapawn_invariants(rng: random.Random) -> None:
    """Boards beyond plain Python: turned, mirrored, by threads, and by every level."""
    position = random_board(rng, LARGE_BOARDS)
    solution = hexapawn.solve(position, Limits(nodes=50_000))
    if not solution.exact:
        return  # a hard one: six more searches, with small tables, would take minutes
    check_hexapawn_line(position, solution)
    limits = Limits(nodes=FEW_NODES, table_mb=rng.choice([0.3, 1, 8]))
    answers: dict[str, int | None] = {"mirror": hexapawn.solve(position.mirror(), limits, line=False).value}
    answers["flip"] = hexapawn.solve(position.flip(), limits, line=False).value
    answers["threads"] = hexapawn.solve(position, limits, threads=2).value
    for level in LEVELS:
        kernel = kernels.kernel("hexapawn", level)
        wide = kernel.needs_wide(position.rows, position.columns, position.white, position.black)
        solver = kernel.Solver(position.rows, position.columns, wide, 1 << 21)
        black = position.to_move == "black"
        won, least, most, _, _ = solver.solve(position.white, position.black, black, -1.0, FEW_NODES, False)
        answers[level] = won * least if least == most else None
    moves = hexapawn.analyse(position, Limits(nodes=FEW_NODES))
    if moves and all(move.exact for move in moves):
        answers["best"] = moves[0].value
    answers = {name: answer for name, answer in answers.items() if answer is not None}  # too hard in that many nodes
    same(position, value=solution.value, **answers)
    cut = hexapawn.solve(position, Limits(nodes=rng.randint(1, 2000)))
    assert cut.lower <= solution.lower <= cut.upper, f"{position!r}: {cut} does not hold {solution}"


# --- rows ------------------------------------------------------------------------------------------------------------

WIDTHS = (3, 20, 1 << 7, 1 << 13, 1 << 29, 1 << 56)


def random_row(rng: random.Random, longest: int) -> list[int]:
    """Values of one of several sizes, now and then with many equal ones or a slope."""
    n = rng.randint(1, longest)
    width = rng.choice([width for width in WIDTHS if n * width < 1 << 62])
    values = [rng.randint(-width if rng.random() < 0.5 else 0, width) for _ in range(n)]
    if rng.random() < 0.2:
        values.sort(reverse=rng.random() < 0.5)
    if rng.random() < 0.2:
        values = [value & 1 for value in values]
    return values


def check_rows(rng: random.Random) -> None:
    """Short rows against every play, and the sources' tables."""
    row = random_row(rng, 9)
    for opponent in ("optimal", "greedy", "cooperative"):
        for first in ("me", "opponent"):
            ties = rng.choice(["right", "left"])
            mine, theirs = plain_rows.full_exploration(row, opponent, first, ties)
            solution = rows.solve(row, opponent=opponent, first=first, ties=ties)
            got = rows.value(np.array(row), opponent=opponent, first=first, ties=ties, of="mine")
            same((row, opponent, first, ties), plain=(mine, theirs), solve=(solution.mine, solution.theirs))
            same((row, opponent, first, ties), plain=mine, value=got)
            taken = plain_rows.replay(row, solution.line)
            same((row, opponent, first, ties), line=taken if first == "me" else taken[::-1], plain=(mine, theirs))
    same(row, smart=plain_rows.smart(row), table=rows.table(row).tolist())
    same(row, dumb=plain_rows.dumb(row), table=rows.table(row, opponent="cooperative").tolist())
    same(row, best=plain_rows.bottom_up(row)[0], table=rows.table(row, opponent="greedy").tolist())


def check_rows_invariants(rng: random.Random) -> None:
    """Longer rows: folding, tables, batches, lines and the oracle against one another."""
    row = random_row(rng, rng.choice([70, 200, 900]))
    n = len(row)
    array = np.array(row)
    i = rng.randrange(n)
    j = rng.randrange(i, n)
    oracle = rows.IntervalOracle(array)
    same((row, i, j), oracle=oracle.value(i, j), folded=plain_rows.fold_value(row[i : j + 1]))
    for opponent in ("optimal", "greedy", "cooperative"):
        total = sum(row)
        corner = int(rows.table(array, opponent=opponent)[0, n - 1])
        solution = rows.solve(array, opponent=opponent)
        batch = rows.solve_many(np.stack([array, array]), opponent=opponent)
        replayed = plain_rows.replay(row, solution.line)
        same((row, opponent), table=corner, solve=solution.mine, batch=int(batch.mine[1]), line=replayed[0])
        same((row, opponent), total=total, sum=solution.mine + solution.theirs)


# --- hearts ----------------------------------------------------------------------------------------------------------

FLAGS = (
    "no_pts_on_first_trick", "can_lead_any_club", "must_break_hearts", "qs_breaks_hearts",
    "can_lead_hearts_instead_of_qs", "jack_of_diamonds", "avoid_all_tricks_bonus",
)  # fmt: skip


def check_hearts(rng: random.Random) -> None:
    """A round card by card against plain Python, and its end against brute force."""
    flags: dict[str, Any] = {name: rng.random() < 0.5 for name in FLAGS}
    flags["moon"] = rng.choice(["others", "shooter"])
    round_ = hearts.Round.deal(rng.getrandbits(64), hearts.Rules(**flags))
    state = plain_hearts.State([list(hand) for hand in round_.hands], plain_hearts.Rules(**flags))
    solved_at = 52 - (9 if rng.random() < 0.1 else 8 if rng.random() < 0.5 else 7)
    while not round_.is_over:
        legal = round_.legal_moves()
        same((flags, state), plain=(state.to_move, tuple(state.legal_moves())), native=(round_.to_move, legal))
        if len(state.played) == solved_at:
            check_hearts_solver(round_, state, rng.choice([0.01, 1.0]))
        card = rng.choice(legal)
        round_.play(card)
        state.play(card)
    same((flags, state), plain=state.score(), native=round_.points)


def check_hearts_solver(round_: hearts.Round, state: plain_hearts.State, table_mb: float) -> None:
    """Both values after every card; a small table replaces much, a large one keeps everything."""
    solution = hearts.solve(round_, Limits(table_mb=table_mb))
    for move in solution.moves:
        after = state.copy()
        after.play(move.card)
        assert move.paranoid is not None
        same((state, move.card), brute=plain_hearts.brute_max_n(after), solver=move.max_n)
        paranoid = plain_hearts.brute_paranoid(after, state.to_move)
        same((state, move.card), brute=paranoid, solver=move.paranoid.value)


def check_hearts_invariants(rng: random.Random) -> None:
    """Simulations by threads and levels, and the world that a view leaves possible."""
    seed, flags = rng.getrandbits(64), hearts.Rules(**{name: rng.random() < 0.5 for name in FLAGS}).flags
    passing = bytes([rng.randrange(4)])
    points = []
    for level in LEVELS:
        for vectors in (False, True):
            table = np.empty((70, 4), np.int8)
            stop = np.zeros(1, np.int32)
            kernel = kernels.kernel("hearts", level)
            assert kernel.run_random(table, seed, 5, flags, passing, stop, -1.0, vectors) == 70
            points.append(table.tolist())
    assert all(table == points[0] for table in points), f"{seed}, {flags}, {passing!r}: levels differ"
    table = [rng.choice(["random", "greedy", "duck", "literal", "intelligent", "pimc:3", "mc:2"]) for _ in range(4)]
    one = hearts.simulate(table, 12, seed, passing="cycle")
    three = hearts.simulate(table, 12, seed, passing="cycle", workers=3)
    same((table, seed), one=one.points.tolist(), three=three.points.tolist())


CHECKS = {
    "duel": (check_duel, check_duel_invariants),
    "hexapawn": (check_hexapawn, check_hexapawn_invariants),
    "rows": (check_rows, check_rows_invariants),
    "hearts": (check_hearts, check_hearts_invariants),
}
