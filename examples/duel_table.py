"""Solve many deals of the duel and print a row of figures: what n cards a hand cost.

    python examples/duel_table.py 17                           100 random deals of n=17, a table of at most 8 MB
    python examples/duel_table.py 17 --family low --deals 60   the 34 lowest cards alone: the hardest family
    python examples/duel_table.py 23 --deals 6 --table-mb 1024 --each

Deal k is the deck (or its 2n lowest cards) shuffled by `random.Random(f"{family}-{n}-{k}")`, so each can be made again.
Time is CPU time of this process: it hardly depends on what else the machine does.
"""

import argparse
import random
import time
from statistics import geometric_mean

from gamecore import Limits, duel

DECK = [suit + rank for rank in "A23456789TJQK" for suit in "CDHS"]
HEAD = "| n | family | deals | table | nodes, geometric mean | median | 90% | 99% | longest | ns a node |\n"
HEAD += "|---" * 10 + "|"


def deal(family: str, n: int, number: int) -> duel.Position:
    """One deal of a family."""
    cards = DECK[: 2 * n] if family == "low" else DECK[:]
    random.Random(f"{family}-{n}-{number}").shuffle(cards)
    return duel.Position(cards[:n], cards[n : 2 * n])


def seconds_text(seconds: float) -> str:
    """Three digits with a unit."""
    return f"{seconds:.3g} s" if seconds >= 1 else f"{seconds * 1e3:.3g} ms"


def main() -> None:
    """Solve, and print a row."""
    parser = argparse.ArgumentParser(description="What duels of n cards a hand cost.")
    parser.add_argument("n", type=int, help="cards a hand, 1 to 26")
    parser.add_argument("--family", choices=("random", "low"), default="random", help="(default: random)")
    parser.add_argument("--deals", type=int, default=100, help="how many (default: 100)")
    parser.add_argument("--first", type=int, default=0, help="number of the first deal (default: 0)")
    parser.add_argument("--table-mb", type=float, default=8, help="most memory of a table, MiB (default: 8)")
    parser.add_argument("--time-limit", type=float, help="seconds a deal")
    parser.add_argument("--each", action="store_true", help="print every deal too")
    args = parser.parse_args()
    limits = Limits(table_mb=args.table_mb, seconds=args.time_limit)
    times, nodes = [], []
    for number in range(args.first, args.first + args.deals):
        start = time.process_time()
        solution = duel.solve(deal(args.family, args.n, number), limits, line=False)
        times.append(time.process_time() - start)
        nodes.append(max(1, solution.nodes))
        if args.each:
            print(f"deal {number}: {solution}: {solution.nodes:,} nodes, {seconds_text(times[-1])}", flush=True)
    total, times = sum(times), sorted(times)
    marks = [times[min(len(times) - 1, int(len(times) * part))] for part in (0.5, 0.9, 0.99, 1)]
    print(HEAD)
    print(
        f"| {args.n} | {args.family} | {args.deals} | {args.table_mb:g} MiB | {geometric_mean(nodes):,.0f} "
        f"| {' | '.join(map(seconds_text, marks))} | {total / sum(nodes) * 1e9:.0f} |"
    )


if __name__ == "__main__":
    main()
