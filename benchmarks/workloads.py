"""The cases that ab.py measures: the same inputs for every version of gamecore, through calls that all versions have.

A case is made in the process of the side under test (``make`` is not timed) and called several times. What it returns
is compared exactly: {"nodes": ...} of searches, {"checksum": ...} of everything else.
"""

import random
import sys
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

DECK = [suit + rank for rank in "A23456789TJQK" for suit in "CDHS"]
KERNELS = {
    "duel": ("duel",),
    "hexapawn": ("hexapawn", "hexapawn_wide"),
    "rows": ("rows",),
    "hearts": ("hearts",),
}

Exact = dict[str, int]


@dataclass(frozen=True, slots=True)
class Case:
    """One thing to measure.

    Attributes:
        name: with sizes and seeds. make: prepares the inputs, and returns the call that is timed.
    """

    name: str
    make: Callable[[], Callable[[], Exact]]


def checksum(answer: Any) -> Exact:
    """Of numbers of any type and shape."""
    return {"checksum": zlib.crc32(np.asarray(answer, dtype=np.float64).tobytes())}


def nodes_of(call: Callable[[], Any], name: str, module: Any = None) -> int:
    """Return how often a Python function is called: once for each position that a search expands.

    Args:
        call: the search.
        name: of the function.
        module: where it stands; None: inside another function, which is slower to count.
    """
    calls = 0

    def note(frame: Any, event: str, _: object) -> None:
        nonlocal calls
        calls += event == "call" and frame.f_code.co_name == name

    def counted(*arguments: Any) -> Any:
        nonlocal calls
        calls += 1
        return original(*arguments)

    if module is None:
        sys.setprofile(note)
        try:
            call()
        finally:
            sys.setprofile(None)
        return calls
    original = getattr(module, name)
    setattr(module, name, counted)
    try:
        call()
    finally:
        setattr(module, name, original)
    return calls


# --- duel ------------------------------------------------------------------------------------------------------------


def deals(n: int, count: int, family: str = "random") -> list[tuple[list[str], list[str]]]:
    """Deal k of a family has the seed "family-n-k"; "low" is dealt from the lowest 2n cards."""
    found = []
    for seed in range(count):
        cards = DECK[: 2 * n] if family == "low" else DECK[:]
        random.Random(f"{family}-{n}-{seed}").shuffle(cards)
        found.append((cards[:n], cards[n : 2 * n]))
    return found


def duel_solve(n: int, count: int, family: str, table_mb: float) -> Callable[[], Exact]:
    from gamecore import Limits, duel

    limits, positions = Limits(table_mb=table_mb), [duel.Position(*hands) for hands in deals(n, count, family)]
    return lambda: {"nodes": sum(duel.solve(position, limits, line=False).nodes for position in positions)}


def duel_lines() -> Callable[[], Exact]:
    from gamecore import duel

    positions = [duel.Position(*hands) for hands in deals(8, 20)]
    return lambda: {"nodes": sum(duel.solve(position).nodes for position in positions)}


def duel_many() -> Callable[[], Exact]:
    from gamecore import duel

    positions = [duel.Position(*hands) for hands in deals(6, 500)]
    return lambda: {"nodes": int(np.sum(duel.solve_many(positions, workers=1, progress=False).nodes))}


# --- hexapawn --------------------------------------------------------------------------------------------------------


def hexapawn_solve(rows: int, columns: int, table_mb: float) -> Callable[[], Exact]:
    from gamecore import Limits, hexapawn

    limits, start = Limits(table_mb=table_mb), hexapawn.Position.start(rows, columns)
    return lambda: {"nodes": hexapawn.solve(start, limits, line=False).nodes}


def hexapawn_lines() -> Callable[[], Exact]:
    from gamecore import hexapawn

    starts = [hexapawn.Position.start(rows, columns) for rows in range(3, 6) for columns in range(3, 6)]
    return lambda: {"nodes": sum(hexapawn.solve(start).nodes for start in starts)}


def hexapawn_analyse() -> Callable[[], Exact]:
    from gamecore import hexapawn

    start = hexapawn.Position.start(5, 5)
    return lambda: checksum([entry.value for entry in hexapawn.analyse(start)])


# --- rows ------------------------------------------------------------------------------------------------------------


def rows_value(n: int, opponent: str, dtype: str = "int32") -> Callable[[], Exact]:
    from gamecore import rows

    row = np.random.default_rng(1).integers(0, 1000, n).astype(dtype)
    return lambda: checksum(rows.value(row, opponent=opponent, of="mine"))


def rows_few() -> Callable[[], Exact]:
    from gamecore import rows

    row = [5, 7, 9, 1, 4, 2]
    return lambda: checksum([rows.value(row, opponent="greedy", of="mine") for _ in range(300)])


def rows_table(opponent: str) -> Callable[[], Exact]:
    from gamecore import rows

    row = np.random.default_rng(1).integers(0, 1000, 1000).astype(np.int32)
    return lambda: checksum(rows.table(row, opponent=opponent)[0])


def rows_line() -> Callable[[], Exact]:
    from gamecore import rows

    row = np.random.default_rng(1).integers(0, 1000, 5000).astype(np.int32)
    return lambda: checksum(rows.solve(row, opponent="greedy").mine)


def rows_decks() -> Callable[[], Exact]:
    from gamecore import rows

    decks = rows.decks(20_000, 1).astype(np.int8)
    return lambda: checksum(rows.solve_many(decks, opponent="greedy", workers=1).mine)


# --- hearts ----------------------------------------------------------------------------------------------------------


def played(round_: Any, card: str) -> Any:
    """The round after a play: 0.1 changes the round, later versions return the next one."""
    after = round_.play(card)
    return round_ if after is None else after


def hearts_simulate(players: tuple[str, ...], rounds: int) -> Callable[[], Exact]:
    from gamecore import hearts

    return lambda: checksum(hearts.simulate(list(players), rounds, 7, workers=1).points)


def hearts_solve(left: int, count: int, method: str) -> Callable[[], Exact]:
    from gamecore import hearts

    rounds = []
    for seed in range(count):
        round_, rng = hearts.Round.deal(seed), random.Random(seed)
        while 52 - 4 * len(round_.tricks) > left:
            round_ = played(round_, rng.choice(sorted(round_.legal_moves())))
        rounds.append(round_)
    return lambda: {"nodes": sum(hearts.solve(round_, method=method).nodes for round_ in rounds)}


CASES: dict[str, list[Case]] = {
    "duel": [
        Case("duel n=10, 10 random deals", lambda: duel_solve(10, 10, "random", 8)),
        Case("duel n=14, 2 random deals", lambda: duel_solve(14, 2, "random", 8)),
        Case("duel n=12, 2 low deals", lambda: duel_solve(12, 2, "low", 1)),
        Case("duel n=8, 20 random deals with lines", duel_lines),
        Case("duel n=6, 500 deals in a batch", duel_many),
    ],
    "hexapawn": [
        Case("hexapawn 5x5 start", lambda: hexapawn_solve(5, 5, 1)),
        Case("hexapawn 5x6 start", lambda: hexapawn_solve(5, 6, 8)),
        Case("hexapawn 3x12 start", lambda: hexapawn_solve(3, 12, 8)),
        Case("hexapawn 3x3 to 5x5, with lines", hexapawn_lines),
        Case("hexapawn analyse 5x5", hexapawn_analyse),
    ],
    "rows": [
        Case("rows optimal n=1,000,000, int64", lambda: rows_value(1_000_000, "optimal", "int64")),
        Case("rows greedy n=5,000, int32", lambda: rows_value(5000, "greedy")),
        Case("rows cooperative n=5,000, int32", lambda: rows_value(5000, "cooperative")),
        Case("rows greedy n=3,000, float64", lambda: rows_value(3000, "greedy", "float64")),
        Case("rows 300 times six values of a list", rows_few),
        Case("rows table n=1,000, optimal", lambda: rows_table("optimal")),
        Case("rows table n=1,000, greedy", lambda: rows_table("greedy")),
        Case("rows greedy n=5,000 with its line", rows_line),
        Case("rows 20,000 decks, greedy", rows_decks),
    ],
    "hearts": [
        Case("hearts 200,000 random rounds", lambda: hearts_simulate(("random",) * 4, 200_000)),
        Case("hearts 5,000 rounds greedy, duck", lambda: hearts_simulate(("greedy", "duck", "greedy", "duck"), 5000)),
        Case(
            "hearts 500 rounds intelligent", lambda: hearts_simulate(("intelligent", "greedy", "duck", "random"), 500)
        ),
        Case("hearts 5 rounds pimc:50", lambda: hearts_simulate(("pimc:50", "greedy", "greedy", "greedy"), 5)),
        Case("hearts max_n, 40 rounds of 20 cards", lambda: hearts_solve(20, 40, "max_n")),
        Case("hearts max_n, 20 rounds of 28 cards", lambda: hearts_solve(28, 20, "max_n")),
        Case("hearts paranoid, 20 rounds of 28 cards", lambda: hearts_solve(28, 20, "paranoid")),
    ],
}
