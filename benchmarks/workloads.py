"""The cases that ab.py measures: the same inputs for every version of gamecore, through calls that all versions have.

A case is prepared in the process of the side under test, which is not timed, and called several times. What it returns
is compared exactly: {"nodes": ...} of searches, {"checksum": ...} of everything else.
"""

import importlib
import itertools
import random
import zlib
from collections.abc import Callable, Sequence
from typing import Any
from unittest import mock

import numpy as np

from gamecore import Limits

DECK = [suit + rank for rank in "A23456789TJQK" for suit in "CDHS"]
KERNELS = {"duel": ["duel"], "hexapawn": ["hexapawn", "hexapawn_wide"], "rows": ["rows"], "hearts": ["hearts"]}

Exact = dict[str, int]
Call = Callable[[], Exact]


def checksum(answer: Any) -> Exact:
    """Return the checksum of numbers of any type and shape."""
    return {"checksum": zlib.crc32(np.asarray(answer, dtype=np.float64).tobytes())}


def nodes(solve: Callable[[Any], Any], positions: Sequence[Any]) -> Call:
    """Return a call that solves positions, and returns the sum of their nodes."""
    return lambda: {"nodes": sum(solve(position).nodes for position in positions)}


def nodes_of(call: Callable[[], Any], module: Any, name: str) -> int:
    """Return how often a Python function of a module is called: once for each position that a search expands."""
    calls, original = itertools.count(), getattr(module, name)

    def counted(*arguments: Any) -> Any:
        next(calls)
        return original(*arguments)

    with mock.patch.object(module, name, counted):
        call()
    return next(calls)


def deals(n: int, count: int, family: str = "random") -> list[tuple[list[str], list[str]]]:
    """Deal k of a family has the seed "family-n-k"; "low" is dealt from the lowest 2n cards."""
    dealt = []
    for seed in range(count):
        cards = DECK[: 2 * n] if family == "low" else DECK[:]
        random.Random(f"{family}-{n}-{seed}").shuffle(cards)
        dealt.append((cards[:n], cards[n : 2 * n]))
    return dealt


def duel_solve(duel: Any, n: int, count: int, family: str = "random", table_mb: float = 8) -> Call:
    limits = Limits(table_mb=table_mb)
    positions = [duel.Position(*hands) for hands in deals(n, count, family)]
    return nodes(lambda position: duel.solve(position, limits, line=False), positions)


def duel_many(duel: Any) -> Call:
    positions = [duel.Position(*hands) for hands in deals(6, 500)]
    return lambda: {"nodes": int(np.sum(duel.solve_many(positions, workers=1, progress=False).nodes))}


def hexapawn_solve(hexapawn: Any, rows: int, columns: int, table_mb: float) -> Call:
    limits = Limits(table_mb=table_mb)
    return nodes(lambda start: hexapawn.solve(start, limits, line=False), [hexapawn.Position.start(rows, columns)])


def hexapawn_lines(hexapawn: Any) -> Call:
    return nodes(hexapawn.solve, [hexapawn.Position.start(*size) for size in itertools.product(range(3, 6), repeat=2)])


def row_of(n: int, dtype: str = "int32") -> Any:
    return np.random.default_rng(1).integers(0, 1000, n).astype(dtype)


def rows_value(rows: Any, n: int, opponent: str, dtype: str = "int32") -> Call:
    row = row_of(n, dtype)
    return lambda: checksum(rows.value(row, opponent=opponent, of="mine"))


def rows_few(rows: Any) -> Call:
    return lambda: checksum([rows.value([5, 7, 9, 1, 4, 2], opponent="greedy", of="mine") for _ in range(300)])


def rows_table(rows: Any, opponent: str) -> Call:
    row = row_of(1000)
    return lambda: checksum(rows.table(row, opponent=opponent)[0])


def rows_line(rows: Any) -> Call:
    row = row_of(5000)
    return lambda: checksum(rows.solve(row, opponent="greedy").mine)


def rows_decks(rows: Any) -> Call:
    decks = rows.decks(20_000, 1).astype(np.int8)
    return lambda: checksum(rows.solve_many(decks, opponent="greedy", workers=1).mine)


def hearts_simulate(hearts: Any, players: str, rounds: int) -> Call:
    return lambda: checksum(hearts.simulate(players.split(), rounds, 7, workers=1).points)


def hearts_solve(hearts: Any, left: int, count: int, method: str) -> Call:
    rounds = []
    for seed in range(count):
        round_, rng = hearts.Round.deal(seed), random.Random(seed)
        while 52 - 4 * len(round_.tricks) > left:
            round_ = round_.play(rng.choice(sorted(round_.legal_moves()))) or round_  # 0.1 changes the round
        rounds.append(round_)
    return nodes(lambda round_: hearts.solve(round_, method=method), rounds)


#: By name, whose first word is the game: how a case is prepared with the game's module.
CASES: dict[str, Callable[[Any], Call]] = {
    "duel n=10, 10 random deals": lambda duel: duel_solve(duel, 10, 10),
    "duel n=14, 2 random deals": lambda duel: duel_solve(duel, 14, 2),
    "duel n=12, 2 low deals": lambda duel: duel_solve(duel, 12, 2, "low", 1),
    "duel n=8, 20 random deals with lines": lambda duel: nodes(
        duel.solve, [duel.Position(*hands) for hands in deals(8, 20)]
    ),
    "duel n=6, 500 deals in a batch": duel_many,
    "hexapawn 5x5 start": lambda hexapawn: hexapawn_solve(hexapawn, 5, 5, 1),
    "hexapawn 5x6 start": lambda hexapawn: hexapawn_solve(hexapawn, 5, 6, 8),
    "hexapawn 3x12 start": lambda hexapawn: hexapawn_solve(hexapawn, 3, 12, 8),
    "hexapawn 3x3 to 5x5, with lines": hexapawn_lines,
    "hexapawn analyse 5x5": lambda hexapawn: (
        lambda: checksum([entry.value for entry in hexapawn.analyse(hexapawn.Position.start(5, 5))])
    ),
    "rows optimal n=1,000,000, int64": lambda rows: rows_value(rows, 1_000_000, "optimal", "int64"),
    "rows greedy n=5,000, int32": lambda rows: rows_value(rows, 5000, "greedy"),
    "rows cooperative n=5,000, int32": lambda rows: rows_value(rows, 5000, "cooperative"),
    "rows 300 times six values of a list": rows_few,
    "rows table n=1,000, optimal": lambda rows: rows_table(rows, "optimal"),
    "rows table n=1,000, greedy": lambda rows: rows_table(rows, "greedy"),
    "rows greedy n=5,000 with its line": rows_line,
    "rows 20,000 decks, greedy": rows_decks,
    "hearts 200,000 random rounds": lambda hearts: hearts_simulate(hearts, "random random random random", 200_000),
    "hearts 5,000 rounds greedy, duck": lambda hearts: hearts_simulate(hearts, "greedy duck greedy duck", 5000),
    "hearts 500 rounds intelligent": lambda hearts: hearts_simulate(hearts, "intelligent greedy duck random", 500),
    "hearts 5 rounds pimc:50": lambda hearts: hearts_simulate(hearts, "pimc:50 greedy greedy greedy", 5),
    "hearts max_n, 40 rounds of 20 cards": lambda hearts: hearts_solve(hearts, 20, 40, "max_n"),
    "hearts max_n, 20 rounds of 28 cards": lambda hearts: hearts_solve(hearts, 28, 20, "max_n"),
    "hearts paranoid, 20 rounds of 28 cards": lambda hearts: hearts_solve(hearts, 28, 20, "paranoid"),
}


def prepared(name: str) -> Call:
    """Return the call of a case."""
    return CASES[name](importlib.import_module(f"gamecore.{name.partition(' ')[0]}"))
