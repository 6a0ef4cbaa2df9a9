"""Random positions of every game, solved by the kernels, by an independent solver in C, and in other ways.

``CHECKS[game]`` holds two functions that make one case from a ``random.Random``: one for cases that the game's oracle
solves too, one for larger ones, whose answers are compared with each other. They raise :class:`Difference` when two
answers differ, and otherwise return the :class:`Case`. ``tests/test_oracles.py`` calls them some thousand times,
``tools/soak.py`` for hours, ``tools/fuzz/fuzz.py`` with bytes instead of random numbers.
"""

import contextlib
import ctypes
import functools
import importlib
import itertools
import pkgutil
import random
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from gamecore import GamecoreError, Limits, duel, hearts, hexapawn, kernels, rows
from gamecore.hearts._rules import DIRECTIONS, FLAGS
from gamecore.reference import rows as plain_rows
from gamecore.rows.opponents import BY_NAME, NAMES

from . import build, positions

LIBRARIES = tempfile.TemporaryDirectory(prefix="gamecore-oracles-")
EASY_NODES = {"hexapawn": 50_000, "hearts": 400_000}  #: to solve a larger position that all other ways shall solve


class Case(NamedTuple):
    """A compared case: its size in words, and whether it was not compared, as a limit was reached."""

    size: str
    unsolved: bool = False


class Difference(AssertionError):
    """Two answers differ."""


def same(position: Any, **answers: Any) -> None:
    """Check that all answers, by their source, are equal; the position may be a text."""
    values = list(answers.values())
    if any(value != values[0] for value in values):
        text = position if isinstance(position, str) else position.to_text()
        raise Difference(f"{text}: {', '.join(f'{name} {value}' for name, value in answers.items())}")


def check_solution(position: Any, solution: Any, cut: Any) -> None:
    """Best play ends in the value, in Hexapawn after as many plies as it says; bounds under a limit contain it."""
    end = functools.reduce(lambda before, move: before.play(move), solution.line, position)
    same(position, over_after_the_line=end.is_over, rules=True)
    same(position, value=solution.lower, within_bounds=max(cut.lower, min(solution.lower, cut.upper)))
    if isinstance(position, hearts.Round):
        same(position, line=end.points, max_n=solution.max_n_points)
        return
    same(position, line=end.winner, solve=solution.winner, cut=cut.winner or solution.winner)
    if isinstance(position, hexapawn.Position):
        plies = len(solution.line)
        same(position, line=plies, solve=abs(solution.value))
        least, most = cut.distance_lower, cut.distance_upper
        same(position, plies=plies, within_bounds=max(least, min(plies, most)))
        signed = (least, most) if cut.winner == position.to_move else (-most, -least)
        bounds = cut.lower, cut.upper
        same(position, cut=bounds if cut.winner else bounds[0] < 0 < bounds[1], distances=not cut.winner or signed)
    else:
        same(position, line=end.points, solve=solution.points)


def check_moves(position: Any, moves: Any, oracle_after: Callable[[Any], int]) -> None:
    """Every move has the oracle's value, and the best have the best: in Hexapawn quick wins, slow losses."""

    def rank(value: Any) -> Any:
        return (value > 0, -value) if isinstance(position, hexapawn.Position) else value

    for entry in moves:
        same(position, analyse=entry.value, oracle=oracle_after(position.play(entry.move)))
    best = max((entry.value for entry in moves), key=rank, default=None)
    same(position, best=moves.best_moves, values=tuple(entry.move for entry in moves if entry.value == best))


@functools.cache
def oracle(name: str) -> ctypes.CDLL:
    """An independent solver of tests/oracles, compiled once."""
    return build.load(name, Path(LIBRARIES.name))


@functools.cache
def kernel_places(game: str) -> list[tuple[Any, str]]:
    """Where a game's modules keep its kernel: modules, each with the name there."""
    path, kernel = importlib.import_module(f"gamecore.{game}").__path__, kernels.kernel(game)
    modules = [importlib.import_module(f"gamecore.{game}.{found.name}") for found in pkgutil.iter_modules(path)]
    places = [(module, name) for module in modules for name, value in vars(module).items() if value is kernel]
    assert places, f"no module of {game} keeps its kernel where it is looked for"
    return places


@contextlib.contextmanager
def at_level(game: str, level: str) -> Iterator[None]:
    places = kernel_places(game)
    try:
        for module, name in places:
            setattr(module, name, kernels.kernel(game, level))
        yield
    finally:
        for module, name in places:
            setattr(module, name, kernels.kernel(game))


def answering(*names: str) -> tuple[str, ...]:
    """The levels of this machine at which each of these kernels was built, or below; a test run names the others."""
    levels = kernels.available_levels()
    return tuple(level for level in levels if all(kernels.level_of(name, level) for name in names))


def by_level(game: str, solve: Callable[[], Any]) -> dict[str, Any]:
    answers = {}
    for level in answering(game):
        with at_level(game, level):
            answers[level] = solve()
    return answers


# --- duel ------------------------------------------------------------------------------------------------------------


def duel_value(position: duel.Position) -> int:
    numbers = {suit + rank: number for number, (suit, rank) in enumerate(itertools.product("CDHS", "A23456789TJQK"))}
    hands = [ctypes.c_uint64(sum(1 << numbers[card] for card in hand)) for hand in (position.alice, position.bob)]
    mover, other = hands if position.to_move == "Alice" else hands[::-1]
    return int(oracle("duel").duel_value(mover, other, numbers[position.last] if position.last else -1))


def check_duel(rng: random.Random) -> Case:
    """Hands of 1 to 8 cards against the oracle: solve, its line and bounds, and every move."""
    n = rng.randint(1, 8)
    position = positions.random_duel(rng, n)
    with at_level("duel", rng.choice(answering("duel"))):
        solution = duel.solve(position, Limits(table_mb=rng.choice([0.0001, 0.01, 1])))
        many = duel.solve_many([position]).lower[0]
        same(position, oracle=duel_value(position), solve=solution.value, solve_many=many)
        check_solution(position, solution, duel.solve(position, Limits(nodes=rng.randint(1, 50)), line=False))
        if n <= 6:
            moves = duel.analyse(position)
            same(position, first=moves[0].move if moves else None, best=solution.best_move)  # the lowest of the best
            check_moves(position, moves, lambda after: after.points if after.is_over else -duel_value(after))
    return Case(f"{n} cards")


def check_duel_invariants(rng: random.Random) -> Case:
    """Deals beyond the oracle: every level, table and bound says the same."""
    n = rng.randint(9, 11)
    position, table = positions.random_duel(rng, n), Limits(table_mb=rng.choice([0.01, 0.05, 1]))
    solution = duel.solve(position)
    check_solution(position, solution, duel.solve(position, Limits(nodes=rng.randint(1, 2000))))
    levels = by_level("duel", lambda: duel.solve(position, table).value)
    same(position, solve=solution.value, analyse=duel.analyse(position)[0].value, **levels)
    return Case(f"{n} cards")


# --- hexapawn --------------------------------------------------------------------------------------------------------


def hexapawn_value(position: hexapawn.Position) -> int:
    board = "".join(position.to_rows()).encode()
    white = position.to_move == "white"
    return int(oracle("hexapawn").hexapawn_value(board, position.rows, position.columns, white))


def one_ply_more(after: hexapawn.Position) -> int:
    """The oracle's value of the move that led to this position."""
    value = hexapawn_value(after)
    return -(value + 1) if value > 0 else 1 - value


def kernel_value(position: hexapawn.Position, level: str, wide: bool) -> int:
    """By a level's kernel alone, in the layout for large boards or in that for small ones."""
    kernel = kernels.kernel("hexapawn_wide" if wide else "hexapawn", level)
    black, solver = position.to_move == "black", kernel.Solver(position.rows, position.columns, 1 << 16)
    won, plies, _, _, _ = solver.solve(position.white, position.black, black, -1.0, 0, False)
    return int(won * plies)


def check_hexapawn(rng: random.Random) -> Case:
    """Boards of many shapes against the oracle: solve and its line, both layouts, and every move."""
    position, other = (positions.random_board(rng, *rng.choice(positions.SMALL_BOARDS)) for _ in range(2))
    level = rng.choice(answering("hexapawn"))
    with at_level("hexapawn", level):
        solution = hexapawn.solve(position, Limits(table_mb=rng.choice([0.0001, 0.01, 1])))
        many = hexapawn.solve_many([other, position])  # nearly always of two sizes
        cut = hexapawn.solve(position, Limits(nodes=rng.randint(1, 50)), line=False)
        wide = kernel_value(position, level, True)
        same(position, oracle=hexapawn_value(position), solve=solution.value, solve_many=many.lower[1], wide=wide)
        for found in (solution, many[1]):
            check_solution(position, found, cut)
        check_moves(position, hexapawn.analyse(position), one_ply_more)
    return Case(f"{position.rows}x{position.columns}")


def check_hexapawn_invariants(rng: random.Random) -> Case:
    """Boards beyond the oracle: turned, mirrored, by threads, and by every level."""
    position = positions.random_board(rng, *rng.choice(positions.LARGE_BOARDS))
    table = Limits(table_mb=rng.choice([0.3, 1, 8]))
    case = Case(f"{position.rows}x{position.columns}")
    if not hexapawn.solve(position, Limits(nodes=EASY_NODES["hexapawn"])).exact:
        return case._replace(unsolved=True)
    solution = hexapawn.solve(position)
    check_solution(position, solution, hexapawn.solve(position, Limits(nodes=rng.randint(1, 2000))))
    answers = {"mirror": hexapawn.solve(position.mirror(), table).value}
    answers["flip"] = hexapawn.solve(position.flip(), table).value
    answers["threads"] = hexapawn.solve(position, table, threads=2).value
    moves = hexapawn.analyse(position, replace(table, nodes=20 * EASY_NODES["hexapawn"]))  # a bad move may be hard
    if all(entry.exact for entry in moves):
        answers["analyse"] = next((entry.value for entry in moves), 0)
    board = position.rows, position.columns, position.white, position.black
    for level in answering("hexapawn"):
        answers[level] = kernel_value(position, level, kernels.kernel("hexapawn", level).needs_wide(*board))
    same(position, solve=solution.value, **answers)
    return case


# --- rows ------------------------------------------------------------------------------------------------------------


def rows_totals(row: list[int], opponent: str, ties: str) -> list[int]:
    """The oracle's: my total when I take first, the left value or the right one; when the opponent does, likewise."""
    out, values = (ctypes.c_int64 * 4)(), (ctypes.c_int64 * len(row))(*row)
    oracle("rows").rows_totals(values, ctypes.c_int64(len(row)), BY_NAME[opponent].mode, ties == "left", out)
    return list(out)


def check_rows(rng: random.Random) -> Case:
    """Rows against the oracle; a third of them at the bounds of the kernels' types, by every level."""
    least, most = rng.choice(positions.LENGTHS)
    n, kind, levels = rng.randint(least, most), rng.random(), (rng.choice(answering("rows")),)
    row, size = positions.random_row(rng, n), f"{least} to {most} values"
    if kind < 0.3:
        levels, bits = answering("rows"), rng.choice(positions.BOUNDS)
        what = "values" if kind < 0.1 and bits < 63 else "totals"
        make = positions.row_with_value if what == "values" else positions.row_of_bound
        few = rng.choice((1, 2, n))  # in a short row, a total is as large as the sum of magnitudes
        row, size = make(rng, few, (1 << bits) + rng.randint(-1, 1)), f"{what} about 2^{bits}"
        if sum(map(abs, row)) >= 1 << 63:
            check_refused(row)
            return Case(f"{size}, refused")
    for opponent in NAMES:
        ties = rng.choice(["right", "left"])
        totals = rows_totals(row, opponent, ties)
        for level in levels:
            with at_level("rows", level):
                check_row(rng, row, opponent, ties, totals)
    return Case(size)


def check_row(rng: random.Random, row: list[int], opponent: Any, ties: Any, totals: list[int]) -> None:
    """One row and opponent, both starts, by all functions."""
    array, n = positions.as_input(rng, row), len(row)
    left_is_larger = row[0] > row[-1] or (row[0] == row[-1] and ties == "left")
    pick = {"optimal": min, "cooperative": max, "greedy": lambda pair: pair[0 if left_is_larger else 1]}[opponent]
    for first, mine in (("me", max(totals[:2])), ("opponent", pick(totals[2:]))):
        rules: dict[str, Any] = {"opponent": opponent, "first": first, "ties": ties}
        position = rows.Position(row, opponent, first, ties=ties)
        solution = rows.solve(array, **rules)
        answers = {"solve": solution.mine, "line": plain_rows.replay(row, solution.line)[0 if first == "me" else 1]}
        answers["value"] = rows.value(array, of="mine", **rules)
        answers["solve_many"] = rows.solve_many([array, array], **rules).mine[0]
        side_by_side = np.array([row] * (70 if n < 50 else 2), "i4" if sum(map(abs, row)) < 1 << 31 else "i8")
        answers["side by side"] = rows.solve_many(side_by_side, **rules).mine[-1]
        if n <= 200 and first == "me":
            cells = rows.table(array, opponent=opponent, ties=ties)
            answers["table"] = cells[0, -1]
            low, high = sorted((rng.randrange(n), rng.randrange(n)))
            if opponent != "cooperative" or (high - low) % 2 == (n - 1) % 2:  # else the opponent moves in that cell
                same(position, cell=cells[low, high], oracle=max(rows_totals(row[low : high + 1], opponent, ties)[:2]))
        same(position, oracle=mine, **answers)
        same(position, theirs=solution.theirs, oracle=sum(row) - mine)
        found = {entry.move: entry.mine for entry in rows.analyse(position)}
        expected = dict(zip("LR", totals[:2] if first == "me" else totals[2:], strict=True))
        same(position, analyse=found, oracle={move: expected[move] for move in position.legal_moves()})


def check_refused(row: list[int]) -> None:
    """Totals beyond int64 are refused by every function at every level."""
    for call in (rows.solve, rows.value, rows.analyse, rows.table, rows.Position, lambda row: rows.solve_many([row])):
        for level in answering("rows"):
            with at_level("rows", level), contextlib.suppress(GamecoreError):
                raise Difference(f"{row}: not refused at {level}: {call(row)}")


def check_rows_invariants(rng: random.Random) -> Case:
    """Longer rows: levels, folding, batches and lines against one another."""
    row = positions.random_row(rng, rng.randint(1000, 3000))
    array = np.array(row)
    same(rows.Position(row), value=rows.value(array), folded=plain_rows.fold_value(row))
    for opponent in NAMES:
        answers = {"solve_many": rows.solve_many(np.stack([array, array]), opponent=opponent).mine[1]}
        for level, solution in by_level("rows", functools.partial(rows.solve, array, opponent=opponent)).items():
            answers |= {level: solution.mine, f"line by {level}": plain_rows.replay(row, solution.line)[0]}
        same(rows.Position(row, opponent), **answers)
    return Case("1000 to 3000 values")


# --- hearts ----------------------------------------------------------------------------------------------------------

ORDER = [suit + rank for suit in "CDSH" for rank in "23456789TJQKA"]  # cards by the oracle's numbers


def hearts_moves(round_: hearts.Round, values: bool) -> tuple[int, dict[str, Any], tuple[int, ...]]:
    """The oracle's: the seat to move, what it may play, with max^n and paranoid points if wanted; the final score."""
    rules = [getattr(round_.rules, name) for name in FLAGS[1:]]
    rules += [round_.rules.moon == name for name in ("shooter", "none")]
    deal, passed, played = (
        bytes(ORDER.index(card) for cards in given for card in cards)
        for given in (round_.dealt, round_.passed, [round_.played])
    )
    seat, cards, max_n, paranoid = ((ctypes.c_int * most)() for most in (1, 13, 52, 13))
    arguments = (ctypes.c_int * len(rules))(*rules), deal, DIRECTIONS[round_.passing], passed, played, len(played)
    wanted = (max_n, paranoid) if values else (None, None)
    count = oracle("hearts").hearts_moves(*arguments, seat, cards, *wanted)
    points = [tuple(max_n[at : at + 4]) for at in range(0, 52, 4)]
    return seat[0], {ORDER[card]: (points[k], paranoid[k]) for k, card in enumerate(cards[:count])}, points[0]


def check_hearts(rng: random.Random) -> Case:
    """A round, exchange included, card by card against the oracle, and every move of its ending."""
    round_, left = positions.begun_round(rng), rng.randint(1, 12)
    style = rng.choice(["chance", "moons", "unbroken", "greedy", "duck"])
    with at_level("hearts", rng.choice(answering("hearts"))):
        round_ = hearts.Round.from_text(round_.to_text())  # of this level
        while not round_.is_over:
            is_ending = len(round_.played) == 52 - left
            seat, moves, _ = hearts_moves(round_, is_ending)
            same(round_, oracle=(seat, tuple(moves)), engine=(round_.to_move, round_.legal_moves()))
            if is_ending:
                check_ending(rng, round_, moves)
            round_ = round_.play(positions.next_card(rng, round_, style))
    same(round_, oracle=hearts_moves(round_, True)[2], engine=round_.points)
    return Case(f"{left} cards left, {'hold' if round_.passing == 'hold' else 'passed'}")


def both_values(found: Any) -> Any:
    """The max^n points and the paranoid ones of a solution or a move; None where they are not exact."""
    return found.max_n_points, found.paranoid_points.value if found.paranoid_points else None


def check_ending(rng: random.Random, round_: hearts.Round, right: dict[str, tuple[tuple[int, ...], int]]) -> None:
    """Both values after every card; a small table replaces much, a large one keeps everything."""
    limits = Limits(table_mb=rng.choice([0.001, 0.01, 1.0]))
    for entry in hearts.analyse(round_, limits):
        same(round_, oracle=right[entry.move], analyse=both_values(entry))
    solution = hearts.solve(round_, limits)
    least = min(points[round_.to_move] for points, _ in right.values())
    best = tuple(card for card, (points, _) in right.items() if points[round_.to_move] == least)
    same(round_, oracle=(-least, best), solve=(solution.value, solution.best_moves))
    check_solution(round_, solution, hearts.solve(round_, Limits(nodes=rng.randint(1, 50))))


def check_hearts_invariants(rng: random.Random) -> Case:
    """Endings beyond the oracle, by levels and tables."""
    left, round_ = rng.randint(17, 24), positions.begun_round(rng)
    while len(round_.played) < 52 - left:
        round_ = round_.play(rng.choice(round_.legal_moves()))
    case, table = Case(f"{left} cards left"), Limits(table_mb=rng.choice([0.1, 1.0]))
    if None in both_values(hearts.solve(round_, Limits(nodes=EASY_NODES["hearts"]))):
        return case._replace(unsolved=True)
    solution = hearts.solve(round_)
    check_solution(round_, solution, hearts.solve(round_, Limits(nodes=rng.randint(1, 2000))))
    levels = by_level("hearts", lambda: both_values(hearts.solve(hearts.Round.from_text(round_.to_text()), table)))
    same(round_, one_table=both_values(solution), **levels)
    return case


CHECKS = {
    "duel": (check_duel, check_duel_invariants),
    "hexapawn": (check_hexapawn, check_hexapawn_invariants),
    "rows": (check_rows, check_rows_invariants),
    "hearts": (check_hearts, check_hearts_invariants),
}
