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
import pkgutil
import random
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from gamecore import GamecoreError, Limits, duel, hearts, hexapawn, kernels, rows
from gamecore.reference import rows as plain_rows

from . import build
from .hearts import Oracle
from .positions import (
    BOUNDS,
    LARGE_BOARDS,
    LENGTHS,
    SMALL_BOARDS,
    as_input,
    begun_round,
    board_in_a_game,
    next_card,
    random_duel,
    random_row,
    random_rules,
    row_of_bound,
    row_with_value,
    scattered_board,
)

LEVELS = kernels.available_levels()
LIBRARIES = tempfile.TemporaryDirectory(prefix="gamecore-oracles-")


class Case(NamedTuple):
    """A compared case: its size in words, and whether a limit was reached before all answers were known."""

    size: str
    unsolved: bool = False


class Difference(AssertionError):
    """Two answers differ: ``position`` is the case in notation, ``found`` the answers."""

    def __init__(self, position: str, found: str) -> None:
        super().__init__(f"{position}: {found}")
        self.position, self.found = position, found


def same(position: Any, **answers: Any) -> None:
    """Check that all answers are equal.

    Args:
        position: a position, or its text. answers: by their source.

    Raises:
        Difference: they are not all equal.
    """
    values = list(answers.values())
    if any(value != values[0] for value in values):
        text = position if isinstance(position, str) else position.to_text()
        raise Difference(text, ", ".join(f"{name} {value}" for name, value in answers.items()))


def check_line(position: Any, solution: Any) -> None:
    """Best play replayed by the rules ends in the value; in Hexapawn it lasts as long as the value says."""
    end = position
    for move in solution.line:
        same(end, line=f"{move} is legal: {move in end.legal_moves()}", rules=f"{move} is legal: True")
        end = end.play(move)
    same(end, over_after_the_line=end.is_over, rules=True)
    if isinstance(position, hearts.Round):
        same(position, line=end.points, max_n=solution.max_n_points)
    elif isinstance(position, hexapawn.Position):
        same(position, line=(end.winner, len(solution.line)), value=(solution.winner, abs(solution.value or 0)))
    else:
        same(position, line=(end.winner, end.points), value=(solution.winner, solution.points))


def with_line(solve: Callable[..., Any], position: Any, solution: Any, moves: int, nodes: int) -> Any:
    """Return an exact solution with its whole line; solve again if the limit was reached between value and line.

    Args:
        solve: made the solution.
        moves: length of the whole line.
        nodes: limit of the solution; there is room for the line in a hundred times as many.
    """
    return solution if len(solution.line) >= moves else solve(position, Limits(nodes=100 * nodes))


def check_bounds(position: Any, exact: Any, cut: Any) -> None:
    """Check that bounds under a limit contain the value, and name no other winner."""
    holds = cut.lower <= exact.lower <= cut.upper
    same(position, bounds=(cut.lower, cut.upper, holds), truth=(cut.lower, cut.upper, True))
    if getattr(cut, "winner", None) is not None:
        same(position, winner=cut.winner, truth=exact.winner)
    if isinstance(position, hexapawn.Position):
        same(position, distance=cut.distance_lower <= abs(exact.lower) <= cut.distance_upper, truth=True)


def check_best(position: Any, moves: Any) -> None:
    """Check that the best moves of an analysis are those with the best value: in Hexapawn quick wins, slow losses."""

    def rank(value: Any) -> Any:
        return (value > 0, -value) if isinstance(position, hexapawn.Position) else value

    best = max((entry.value for entry in moves), key=rank, default=None)
    same(position, best=moves.best_moves, values=tuple(entry.move for entry in moves if entry.value == best))


@functools.cache
def oracle(name: str) -> ctypes.CDLL:
    """An independent solver of tests/oracles, compiled once.

    Raises:
        RuntimeError: there is no C compiler.
    """
    return build.load(name, Path(LIBRARIES.name))


@functools.cache
def kernel_places(game: str) -> list[tuple[Any, str, str]]:
    """Where a game's modules keep a kernel: (module, attribute, name of the kernel)."""
    path = importlib.import_module(f"gamecore.{game}").__path__
    modules = [importlib.import_module(f"gamecore.{game}.{found.name}") for found in pkgutil.iter_modules(path)]
    used = {id(kernels.kernel(game)): game}
    names = [(module, name, id(value)) for module in modules for name, value in vars(module).items()]
    return [(module, name, used[kept]) for module, name, kept in names if kept in used]


@contextlib.contextmanager
def at_level(game: str, level: str) -> Iterator[None]:
    """The whole game on the kernels of one CPU level."""
    places = kernel_places(game)
    assert places, f"no module of {game} keeps its kernel where it is looked for"
    try:
        for module, name, kernel in places:
            setattr(module, name, kernels.kernel(kernel, level))
        yield
    finally:
        for module, name, kernel in places:
            setattr(module, name, kernels.kernel(kernel))


def by_level(game: str, solve: Callable[[], Any]) -> dict[str, Any]:
    """Return what a function answers at each CPU level."""
    answers = {}
    for level in LEVELS:
        with at_level(game, level):
            answers[level] = solve()
    return answers


# --- duel ------------------------------------------------------------------------------------------------------------


def check_duel(rng: random.Random) -> Case:
    """Hands of 1 to 8 cards against the oracle: solve, its line and bounds, and every move."""
    n = rng.randint(1, 8)
    position, library = random_duel(rng, n), oracle("duel")

    def right(asked: duel.Position) -> int:
        hands = ["".join(hand).encode() for hand in (asked.alice, asked.bob)]
        mover, other = hands if asked.to_move == "Alice" else hands[::-1]
        return int(library.duel_value(mover, other, (asked.last or "").encode()))

    value = right(position)
    with at_level("duel", rng.choice(LEVELS)):
        solution = duel.solve(position, Limits(table_mb=rng.choice([0.0001, 0.01, 1])))
        same(position, oracle=value, solve=solution.value, solve_many=duel.solve_many([position]).lower[0])
        check_line(position, solution)
        check_bounds(position, solution, duel.solve(position, Limits(nodes=rng.randint(1, 50)), line=False))
        if n <= 6:
            moves = duel.analyse(position)
            check_best(position, moves)
            for entry in moves:
                after = position.play(entry.move)
                same(position, analyse=entry.value, oracle=after.points if after.is_over else -right(after))
    return Case(f"{n} cards")


def check_duel_invariants(rng: random.Random) -> Case:
    """Deals beyond the oracle: every level, table and bound says the same."""
    n = rng.randint(9, 11)
    position = random_duel(rng, n)
    solution = duel.solve(position)
    check_line(position, solution)
    answers = by_level("duel", lambda: duel.solve(position, Limits(table_mb=rng.choice([0.05, 1]))).value)
    answers["small"] = duel.solve(position, Limits(table_mb=0.01), line=False).value
    same(position, solve=solution.value, analyse=duel.analyse(position)[0].value, **answers)
    check_bounds(position, solution, duel.solve(position, Limits(nodes=rng.randint(1, 2000))))
    return Case(f"{n} cards")


# --- hexapawn --------------------------------------------------------------------------------------------------------

EASY_NODES, MANY_NODES = 50_000, 400_000


def check_hexapawn(rng: random.Random) -> Case:
    """Boards of many shapes against the oracle: solve and its line, both layouts, and every move."""
    height, width, plies = rng.choice(SMALL_BOARDS)
    if not plies and height * width <= 16 and rng.random() < 0.5:
        position = scattered_board(rng, height, width)
    else:
        position = board_in_a_game(rng, height, width, plies)
    library = oracle("hexapawn")

    def right(asked: hexapawn.Position) -> int:
        board = "".join(asked.to_rows()).encode()
        return int(library.hexapawn_value(board, height, width, asked.to_move == "white"))

    value, level = right(position), rng.choice(LEVELS)
    with at_level("hexapawn", level):
        solution = hexapawn.solve(position, Limits(table_mb=rng.choice([0.0001, 0.01, 1])))
        other = board_in_a_game(rng, *rng.choice(SMALL_BOARDS))  # nearly always of another size
        many = hexapawn.solve_many([other, position])
        check_line(position, many[1])
        same(
            position,
            oracle=value,
            solve=solution.value,
            solve_many=many.lower[1],
            wide=kernel_value(position, level, True),
        )
        check_line(position, solution)
        check_bounds(position, solution, hexapawn.solve(position, Limits(nodes=rng.randint(1, 50)), line=False))
        moves = hexapawn.analyse(position)
        check_best(position, moves)
        for entry in moves:
            after = right(position.play(entry.move))
            same(position.play(entry.move), oracle=-(after + 1) if after > 0 else 1 - after, analyse=entry.value)
    return Case(f"{height}x{width}")


def kernel_value(position: hexapawn.Position, level: str, wide: bool, nodes: int = 0) -> int | None:
    """By a level's kernel alone, in the layout for large boards or in that for small ones; None when unsolved."""
    solver = kernels.kernel("hexapawn_wide" if wide else "hexapawn", level).Solver(
        position.rows, position.columns, 1 << 16
    )
    black = position.to_move == "black"
    won, least, most, _, _ = solver.solve(position.white, position.black, black, -1.0, nodes, False)
    return int(won * least) if least == most else None


def check_hexapawn_invariants(rng: random.Random) -> Case:
    """Boards beyond the oracle: turned, mirrored, by threads, and by every level; stopped after this many nodes."""
    height, width = rng.choice(LARGE_BOARDS)
    position = scattered_board(rng, height, width) if rng.random() < 0.2 else board_in_a_game(rng, height, width, 2)
    case = Case(f"{height}x{width}")
    solution = hexapawn.solve(position, Limits(nodes=EASY_NODES))
    if not solution.exact:
        return case._replace(unsolved=True)
    solution = with_line(hexapawn.solve, position, solution, abs(solution.value or 0), EASY_NODES)
    check_line(position, solution)
    limits = Limits(nodes=MANY_NODES, table_mb=rng.choice([0.3, 1, 8]))
    answers: dict[str, int | None] = {"mirror": hexapawn.solve(position.mirror(), limits, line=False).value}
    answers["flip"] = hexapawn.solve(position.flip(), limits, line=False).value
    answers["threads"] = hexapawn.solve(position, limits, threads=2).value
    for level in LEVELS:
        wide = kernels.kernel("hexapawn", level).needs_wide(height, width, position.white, position.black)
        answers[level] = kernel_value(position, level, wide, MANY_NODES)
    moves = hexapawn.analyse(position, Limits(nodes=MANY_NODES))
    if moves:
        answers["analyse"] = moves[0].value if moves.exact else None
    known = {name: answer for name, answer in answers.items() if answer is not None}
    same(position, solve=solution.value, **known)
    check_bounds(position, solution, hexapawn.solve(position, Limits(nodes=rng.randint(1, 2000))))
    return case._replace(unsolved=len(known) < len(answers))


# --- rows ------------------------------------------------------------------------------------------------------------

OPPONENTS = ("optimal", "cooperative", "greedy")  # as the oracle numbers them


def rows_totals(row: list[int], opponent: str, ties: str) -> list[int]:
    """The oracle's: my total when I take first, the left value or the right one; when the opponent does, likewise."""
    out = (ctypes.c_int64 * 4)()
    values = (ctypes.c_int64 * len(row))(*row)
    if oracle("rows").rows_totals(values, ctypes.c_int64(len(row)), OPPONENTS.index(opponent), ties == "left", out):
        raise MemoryError
    return list(out)


def check_rows(rng: random.Random) -> Case:
    """Rows against the oracle; a quarter of them at the bounds of the kernels' types, by every level."""
    least, most = rng.choice(LENGTHS)
    n = rng.randint(least, most)
    row, levels, size = random_row(rng, n), (rng.choice(LEVELS),), f"{least} to {most} values"
    kind = rng.random()
    if kind > 0.9 and n < 100:
        check_side_by_side(rng, n)
    if kind < 0.3:
        levels = LEVELS
        bits, beside = rng.choice(BOUNDS)
        number = (1 << bits) + beside
        at = f"at 2^{bits}" + ("", " + 1", " - 1")[beside]
        if kind < 0.2 or number >= (1 << 63) - 1:
            row, size = row_of_bound(rng, n, number), f"totals {at}"
            if number >= 1 << 63:
                check_refused(row)
                return Case(f"{size}, refused")
        else:
            row, size = row_with_value(rng, n, number), f"values {at}"
    for opponent in OPPONENTS:
        ties = rng.choice(["right", "left"])
        totals = rows_totals(row, opponent, ties)
        for level in levels:
            with at_level("rows", level):
                check_row(rng, row, opponent, ties, totals)
    return Case(size)


def check_row(rng: random.Random, row: list[int], opponent: Any, ties: Any, totals: list[int]) -> None:
    """One row and opponent, both starts, by all functions."""
    array, n = as_input(rng, row), len(row)
    left_is_larger = row[0] > row[-1] or (row[0] == row[-1] and ties == "left")
    pick = {"optimal": min, "cooperative": max, "greedy": lambda pair: pair[0 if left_is_larger else 1]}[opponent]
    for first, mine in (("me", max(totals[:2])), ("opponent", pick(totals[2:]))):
        rules: dict[str, Any] = {"opponent": opponent, "first": first, "ties": ties}
        position = rows.Position(row, opponent, first, ties=ties)
        solution = rows.solve(array, **rules)
        taken = plain_rows.replay(row, solution.line)
        answers = {"solve": solution.mine, "line": taken[0 if first == "me" else 1]}
        answers["value"] = rows.value(array, of="mine", **rules)
        answers["solve_many"] = rows.solve_many([array, array], **rules).mine[0]
        answers["array"] = rows.solve_many(np.array([row, row]), **rules).mine[1]
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


def check_side_by_side(rng: random.Random, n: int) -> None:
    """A batch of more rows than a vector has lanes, whose magnitudes add up to a bound of the kernels' types."""
    bits = rng.choice((15, 31, 52, 62))
    table = [row_of_bound(rng, n, (1 << bits) - rng.randint(0, 1)) for _ in range(70)]
    opponent, ties = rng.choice(OPPONENTS), rng.choice(["right", "left"])
    with at_level("rows", rng.choice(LEVELS)):
        many = rows.solve_many(
            np.array(table, rng.choice(["i8", "f8"]) if bits == 52 else "i8"), opponent=opponent, ties=ties
        )
        for k in (0, 1, 33, 68, 69):
            same(rows.Position(table[k], opponent, ties=ties), batch=many.mine[k],
                 oracle=max(rows_totals(table[k], opponent, ties)[:2]))  # fmt: skip


def check_refused(row: list[int]) -> None:
    """Totals beyond int64 are refused by every function at every level."""
    calls = (rows.solve, rows.value, rows.analyse, rows.table, rows.Position)
    for level in LEVELS:
        with at_level("rows", level):
            for call in (*calls, lambda values: rows.solve_many([values])):
                try:
                    call(row)
                except GamecoreError:
                    continue
                raise Difference(str(row), f"not refused by {call.__name__} at {level}")


def check_rows_invariants(rng: random.Random) -> Case:
    """Longer rows: levels, folding, batches and lines against one another."""
    row = random_row(rng, rng.randint(1000, 3000))
    array = np.array(row)
    same(rows.Position(row), value=rows.value(array), folded=plain_rows.fold_value(row))
    for opponent in OPPONENTS:
        answers = {"solve_many": rows.solve_many(np.stack([array, array]), opponent=opponent).mine[1]}
        for level, solution in by_level("rows", functools.partial(rows.solve, array, opponent=opponent)).items():
            answers |= {level: solution.mine, f"line by {level}": plain_rows.replay(row, solution.line)[0]}
        same(rows.Position(row, opponent), **answers)
    return Case("1000 to 3000 values")


# --- hearts ----------------------------------------------------------------------------------------------------------

PLAYERS = ("random", "greedy", "duck", "literal", "intelligent", "pimc:3", "mc:2")


def check_hearts(rng: random.Random) -> Case:
    """A round, exchange included, card by card against the oracle, and every move of its ending."""
    round_ = begun_round(rng)
    library = Oracle(oracle("hearts"))
    left, style = rng.randint(1, 12), rng.choice(["chance", "moons", "unbroken", "greedy", "duck"])
    with at_level("hearts", rng.choice(LEVELS)):
        round_ = hearts.Round.from_text(round_.to_text())  # of this level
        while not round_.is_over:
            seat, moves = library.moves(round_, len(round_.played) == 52 - left)
            same(round_, oracle=(seat, tuple(moves)), engine=(round_.to_move, round_.legal_moves()))
            if len(round_.played) == 52 - left:
                check_ending(rng, round_, moves)
            round_ = round_.play(next_card(rng, round_, style))
    same(round_, oracle=library.score(round_), engine=round_.points)
    return Case(f"{left} cards left, {'hold' if round_.passing == 'hold' else 'passed'}")


def check_ending(rng: random.Random, round_: hearts.Round, right: dict[str, tuple[tuple[int, ...], int]]) -> None:
    """Both values after every card; a small table replaces much, a large one keeps everything."""
    limits = Limits(table_mb=rng.choice([0.001, 0.01, 1.0]))
    for entry in hearts.analyse(round_, limits):
        paranoid = entry.paranoid_points.value if entry.paranoid_points else None
        same(round_, oracle=right[entry.move], analyse=(entry.max_n_points, paranoid))
    solution = hearts.solve(round_, limits)
    least = min(points[round_.to_move] for points, _ in right.values())
    same(round_, oracle=-least, solve=solution.value)
    best = tuple(card for card, (points, _) in right.items() if points[round_.to_move] == least)
    same(round_, oracle=best, best_moves=solution.best_moves)
    check_line(round_, solution)
    check_bounds(round_, solution, hearts.solve(round_, Limits(nodes=rng.randint(1, 50))))


def check_hearts_invariants(rng: random.Random) -> Case:
    """Endings beyond the oracle by levels and tables, or simulations by levels and threads."""
    if rng.random() < 0.5:
        return check_simulations(rng)
    left, round_ = rng.randint(17, 24), begun_round(rng)
    while len(round_.played) < 52 - left:
        round_ = round_.play(rng.choice(round_.legal_moves()))
    case = Case(f"{left} cards left")
    solution = hearts.solve(round_, Limits(nodes=MANY_NODES))
    if not (solution.exact and solution.paranoid_points and solution.paranoid_points.exact):
        return case._replace(unsolved=True)
    solution = with_line(hearts.solve, round_, solution, left, MANY_NODES)
    check_line(round_, solution)
    answers = {"one table": (solution.max_n_points, solution.paranoid_points.value)}
    for level in LEVELS:
        with at_level("hearts", level):
            again = hearts.Round.from_text(round_.to_text())
            found = hearts.solve(again, Limits(table_mb=rng.choice([0.01, 1.0]), nodes=100 * MANY_NODES))
            if not (found.exact and found.paranoid_points and found.paranoid_points.exact):
                return case._replace(unsolved=True)
            answers[level] = found.max_n_points, found.paranoid_points.value
    same(round_, **answers)
    check_bounds(round_, solution, hearts.solve(round_, Limits(nodes=rng.randint(1, 2000))))
    return case


def check_simulations(rng: random.Random) -> Case:
    """The same rounds by every level, with vectors and without, and by several threads."""
    seed, flags = rng.getrandbits(64), hearts.Rules(**random_rules(rng)).flags
    passing = bytes([rng.randrange(4)])
    points = {}
    for level in LEVELS:
        for vectors in (False, True):
            table = np.empty((70, 4), np.int8)
            kernel = kernels.kernel("hearts", level)
            played = kernel.run_random(table, seed, 5, flags, passing, kernel.Control(), vectors)
            points[f"{level}, vectors {vectors}"] = played, table.tolist()
    same(f"seed {seed}, flags {flags}, passing {passing!r}", **points)
    players = [rng.choice(PLAYERS) for _ in range(4)]
    runs = {}
    for workers in (1, 3):
        simulated = hearts.simulate(players, 12, seed, passing="cycle", workers=workers)
        runs[f"workers {workers}"] = simulated.points.tolist()
    same(f"seed {seed}, players {players}", **runs)
    return Case("simulations")


CHECKS = {
    "duel": (check_duel, check_duel_invariants),
    "hexapawn": (check_hexapawn, check_hexapawn_invariants),
    "rows": (check_rows, check_rows_invariants),
    "hearts": (check_hearts, check_hearts_invariants),
}
