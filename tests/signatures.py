"""Deterministic signatures: nodes, table stores and answers of each kernel on fixed inputs, as exact numbers.

They do not depend on the machine, so that they show any change of a search, a random stream or an order of play.
``tests/test_signatures.py`` checks them exactly at every CPU level; ``make accept`` rewrites
``tests/data/signatures.json``, and a reviewer reads the diff: an unintended change is a bug.

    python tests/signatures.py            print them as JSON
    python tests/signatures.py --write    rewrite tests/data/signatures.json
"""

import json
import random
import sys
import zlib
from pathlib import Path

import numpy as np
from oracles.positions import DECK

from gamecore import duel, hearts, hexapawn, kernels, rows
from gamecore.duel._solve import kernel_position, table_bits
from gamecore.limits import Limits
from gamecore.rows.opponents import NAMES

PATH = Path(__file__).parent / "data" / "signatures.json"


def crc(*parts) -> str:
    """CRC-32 of arrays (their bytes, little-endian) and of anything else (its repr)."""
    number = 0
    for part in parts:
        is_array = isinstance(part, np.ndarray)
        data = part.astype(part.dtype.newbyteorder("<")).tobytes() if is_array else repr(part).encode()
        number = zlib.crc32(data, number)
    return f"{number:08x}"


def duel_signatures() -> dict[str, object]:
    """Nodes, table stores and lines of play: random and low deals, one table a deal."""
    numbers: dict[str, object] = {}
    for family, n, count in (("random", 8, 20), ("low", 10, 6), ("random", 17, 4), ("random", 20, 1)):
        nodes = stores = 0
        answers = []
        for seed in range(count):
            rng = random.Random(f"{family}-{n}-{seed}")
            cards = DECK[: 2 * n] if family == "low" else DECK[:]
            rng.shuffle(cards)
            position = duel.Position(cards[:n], cards[n : 2 * n])
            mover, other, last = kernel_position(position)
            solver = kernels.kernel("duel").Solver(table_bits(2 * n, 8 << 20), -1.0, 0)
            lower, upper = solver.value(mover, other, last)
            line = solver.line(mover, other, last, lower)
            nodes, stores = nodes + solver.nodes, stores + solver.stores
            answers.append((lower, upper, line))
        numbers[f"{family} n={n}, {count} deals"] = {"nodes": nodes, "stores": stores, "lines": crc(answers)}
    deals = [duel.Position(DECK[k : k + 9], DECK[k + 20 : k + 29]) for k in range(3)]
    moves = [[str(entry) for entry in duel.analyse(position)] for position in deals]
    numbers["analyse n=9, 3 deals"] = {"moves": crc(moves)}
    cards = DECK[:]
    random.Random("random-17-0").shuffle(cards)
    for limit in (1000, 5000):
        bounds = duel.solve(duel.Position(cards[:17], cards[17:34]), Limits(nodes=limit))
        numbers[f"{limit} nodes of n=17"] = {"nodes": bounds.nodes, "lower": bounds.lower, "upper": bounds.upper}
    return numbers


def hexapawn_signatures() -> dict[str, object]:
    """Nodes, entries and replacements of starts, narrow and wide boards; perft."""
    numbers: dict[str, object] = {}
    boards = ((4, 4, 1), (5, 5, 1), (6, 5, 16), (5, 6, 0.25), (4, 8, 4), (6, 6, 4), (3, 12, 4))
    for height, width, table_mb in boards:
        position = hexapawn.Position.start(height, width)
        search = hexapawn.Solver.kind(int(table_mb * (1 << 20)))
        solution = search.search(position, -1.0, 0, True)
        numbers[f"start {height}x{width}, table of {table_mb} MiB"] = {
            "value": solution.value,
            "nodes": solution.nodes,
            "entries": search.kernel.entries,
            "replacements": solution.replacements,
            "line": crc(solution.line),
        }
    moves = hexapawn.analyse(hexapawn.Position.start(4, 5))
    numbers["analyse 4x5"] = {"moves": crc([str(entry) for entry in moves])}
    for height, width, depth in ((5, 5, 7), (3, 12, 5)):
        sequences = hexapawn.perft(hexapawn.Position.start(height, width), depth)
        numbers[f"perft {height}x{width}, depth {depth}"] = {"sequences": sequences}
    return numbers


def rows_signatures() -> dict[str, object]:
    """Checksums of totals, lines, tables and batches."""
    rng = random.Random("rows")
    numbers: dict[str, object] = {}
    row = [rng.randrange(-999, 1000) for _ in range(701)]
    for opponent in NAMES:
        totals: list[object] = []
        for first in ("me", "opponent"):
            for ties in ("left", "right"):
                solution = rows.solve(row, opponent=opponent, first=first, ties=ties)
                moves = my_moves(rows.Position(row, opponent, first, ties=ties))
                totals += [solution.mine, solution.theirs, moves, solution.line]
        numbers[f"{opponent} n={len(row)}"] = {"replayed": crc(totals)}
        table = rows.table(row[:130], opponent=opponent, dtype=np.int32)
        numbers[f"{opponent} table n=130"] = {"int32": crc(table)}
        decks = np.array([rng.sample(list(range(1, 14)) * 4, 52) for _ in range(300)], dtype=np.int8)
        batch = rows.solve_many(decks, opponent=opponent)
        numbers[f"{opponent} 300 decks"] = {"mine": crc(batch.mine), "theirs": crc(batch.theirs)}
    return numbers


def my_moves(position: rows.Position) -> tuple[str, ...]:
    """Return my best moves, after the opponent's first move if the opponent begins."""
    while position.to_move != "me":
        position = position.play(rows.solve(position).line[0])
    return tuple(sorted({"L": "left", "R": "right"}[move] for move in rows.solve(position).best_moves))


def hearts_signatures() -> dict[str, object]:
    """Points of simulated rounds, every card of traced rounds, decisions, evaluations, nodes of the solver."""
    numbers: dict[str, object] = {}
    tables = {
        "random": ("random",) * 4,
        "greedy and duck": ("greedy", "duck", "literal", "random"),
        "searching": ("intelligent", "mc:playouts=8", "pimc:playouts=8", "greedy"),
        "learned": ("linear", "search:playouts=8", "pimc:playouts=8:infer=2", "linear"),
        "linear": ("linear",) * 4,
        "tree search and solving": ("ismcts:20", "solver:8:solve_at=20", "greedy", "duck"),
    }
    for (name, players), rounds in zip(tables.items(), (3000, 1000, 12, 8, 300, 4), strict=True):
        for passing in ("hold", "cycle"):
            played = hearts.simulate(players, rounds, 7, passing=passing)
            numbers[f"simulate {name}, {rounds} rounds, {passing}"] = {
                "points": crc(played.points),
                "decisions": played.decisions.tolist(),
            }
    for players in (("random",) * 4, ("duck", "random", "linear", "greedy")):
        record = hearts.record(players, 200, 7, passing="cycle")
        arrays = (record.deals, record.passes, record.cards, record.seats)
        numbers[f"record {', '.join(players)}, 200 rounds"] = {"cards": [crc(array) for array in arrays]}
    round_ = hearts.Round.deal(rng=11)
    while len(round_.tricks) < 6:
        round_ = round_.play(round_.ask("greedy"))
    evaluated = hearts.evaluate_moves(round_.view(round_.to_move), playouts=50, rng=3)
    means = [(entry.move, entry.playouts, round(entry.mean, 9)) for entry in evaluated]
    numbers["evaluate 50 playouts"] = {"moves": crc(means)}
    for method in ("max_n", "paranoid"):
        analysis = {entry.move: entry for entry in hearts.analyse(round_, method=method)}
        entries = [analysis[move] for move in round_.legal_moves()]
        moves = [(entry.move, entry.max_n_points, str(entry.paranoid_points)) for entry in entries]
        numbers[f"solve {method}, 28 cards"] = {"nodes": hearts.solve(round_, method=method).nodes, "moves": crc(moves)}
    return numbers


def signatures() -> dict[str, dict[str, object]]:
    """All signatures, game by game."""
    games = duel_signatures, hexapawn_signatures, rows_signatures, hearts_signatures
    return {function.__name__.partition("_")[0]: function() for function in games}


if __name__ == "__main__":
    text = json.dumps(signatures(), indent=1) + "\n"
    if sys.argv[1:] == ["--write"]:
        PATH.write_text(text, encoding="utf-8")
    else:
        print(text, end="")
