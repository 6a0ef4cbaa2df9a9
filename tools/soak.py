"""Soak: all four games against independent solvers and against themselves, for as long as you like.

    python tools/soak.py --seconds 1800
    python tools/soak.py --seconds 60 --games duel rows --seed 7

Games take turns. Two thirds of a turn go to positions that the independent solvers of tests/oracles solve as well, one
third to larger ones whose answers are compared with one another. Counted by size are positions without a difference,
and positions for which a limit was reached before all answers were known. Each difference is printed with its seed.
Exit status 1: a difference; 2: there is no C compiler.
"""

import argparse
import random
import re
import secrets
import sys
import time
import traceback
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / "tests"))

from oracles import build, checks

KINDS = ("against the oracle", "against itself")
SHARES = (2 / 3, 1 / 3)  # of a game's turn
CHECKED, UNSOLVED, DIFFERENT = "checked", "unsolved", "differences"

Counts = Counter[tuple[str, str, str, str]]  #: by game, kind, outcome and size


def check(game: str, kind: str, seed: str) -> tuple[str, str]:
    """Make one case, whose random numbers are those of the seed; return its outcome and size."""
    try:
        case = checks.CHECKS[game][KINDS.index(kind)](random.Random(seed))
    except Exception as error:
        is_difference = isinstance(error, checks.Difference)
        text = str(error) if is_difference else "".join(traceback.format_exception(error))
        print(f"a difference ({seed}): {text}", file=sys.stderr, flush=True)
        return DIFFERENT, ""
    return UNSOLVED if case.unsolved else CHECKED, case.size


def soak(games: Sequence[str], seconds: float, seed: int) -> Counts:
    """Check all games alternately until the time is over; each at least once."""
    counts, number = Counts(), 0
    turn, end = min(1.0, seconds / len(games)), time.monotonic() + seconds
    while not counts or time.monotonic() < end:
        for game in games:
            for kind, share in zip(KINDS, SHARES, strict=True):
                turn_end, before = time.monotonic() + turn * share, number
                while number == before or time.monotonic() < turn_end:
                    counts[game, kind, *check(game, kind, f"{seed}, {game} {kind}, {number}")] += 1
                    number += 1
    return counts


def report(counts: Counts) -> Iterator[str]:
    """Yield the sums of each game, kind and outcome, with the counts by size."""
    for game, kind, outcome in dict.fromkeys(key[:3] for key in sorted(counts)):
        sizes = {key[3]: count for key, count in counts.items() if key[:3] == (game, kind, outcome)}
        by_size = sorted(sizes, key=lambda size: [int(number) for number in re.findall("[0-9]+", size)])
        yield f"{game}, {kind}: {sum(sizes.values()):,} {outcome}"
        yield f"    {'; '.join(f'{size}: {sizes[size]:,}' for size in by_size)}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run, and print the counts."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--games", nargs="+", choices=checks.CHECKS, default=list(checks.CHECKS))
    parser.add_argument("--seed", type=int, default=secrets.randbits(32))
    args = parser.parse_args(arguments)
    if build.compiler() is None:
        print("the independent solvers need a C compiler, and none is installed", file=sys.stderr)
        return 2
    print(f"seed {args.seed}", flush=True)
    counts = soak(args.games, args.seconds, args.seed)
    differences = sum(count for (_, _, outcome, _), count in counts.items() if outcome == DIFFERENT)
    print("\n".join([*report(counts), f"differences: {differences}"]))
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
