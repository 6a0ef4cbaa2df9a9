"""Soak: all four games against independent solvers and against themselves, for as long as you like.

    python tools/soak.py --seconds 1800
    python tools/soak.py --seconds 60 --games duel rows --seed 7

Games take turns of a second. Two thirds of a turn go to positions that the independent solvers of tests/oracles solve
as well, one third to larger ones whose answers are compared with one another (see tools/fuzz/differential.py). Counted
by size are positions without a difference, and positions for which a limit was reached before all answers were known.
Each difference is printed. The status is 1 after any difference, and 2 without a C compiler.
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

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tools" / "fuzz")]

import differential  # noqa: E402

KINDS = ("against the oracle", "against itself")
SHARES = (2 / 3, 1 / 3)  # of a game's turn
CHECKED, UNSOLVED, DIFFERENT = "checked", "unsolved", "differences"

Counts = Counter[tuple[str, str, str, str]]  #: by game, kind, outcome and size


def check(game: str, kind: str, seed: str) -> tuple[str, str]:
    """Make one case, whose random numbers are those of the seed; return its outcome and size."""
    try:
        case = differential.CHECKS[game][KINDS.index(kind)](random.Random(seed))
    except Exception as error:
        is_known = isinstance(error, differential.Difference)
        text = str(error) if is_known else "".join(traceback.format_exception(error))
        print(f"a difference ({seed}): {text}", file=sys.stderr, flush=True)
        return DIFFERENT, ""
    return UNSOLVED if case.unsolved else CHECKED, case.size


def soak(games: Sequence[str], seconds: float, seed: int) -> Counts:
    """Check all games alternately until the time is over."""
    counts, number = Counts(), 0
    turn, end = min(1.0, seconds / len(games)), time.monotonic() + seconds
    while not counts or time.monotonic() < end:
        for game in games:
            for kind, share in zip(KINDS, SHARES, strict=True):
                turn_end = time.monotonic() + turn * share
                is_first = True
                while is_first or time.monotonic() < turn_end:
                    counts[game, kind, *check(game, kind, f"{seed}, {game} {kind}, {number}")] += 1
                    number, is_first = number + 1, False
    return counts


def report(games: Sequence[str], counts: Counts) -> Iterator[str]:
    """Yield the lines of a report: the sums of each game and kind, and the counts by size."""

    def by_numbers(size: str) -> list[int]:
        return [int(number) for number in re.findall("[0-9]+", size)]

    for game in games:
        for kind in KINDS:
            of = {key[2:]: count for key, count in counts.items() if key[:2] == (game, kind)}
            outcomes = (CHECKED, UNSOLVED, DIFFERENT)
            sums = [f"{sum(n for (o, _), n in of.items() if o == outcome):,} {outcome}" for outcome in outcomes]
            yield f"{game}, {kind}: {', '.join(sums)}"
            for outcome in (CHECKED, UNSOLVED):
                sizes = sorted((size for o, size in of if o == outcome), key=by_numbers)
                if sizes:
                    yield f"    {outcome}: {'; '.join(f'{size}: {of[outcome, size]:,}' for size in sizes)}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run, and print the counts."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--games", nargs="+", choices=differential.CHECKS, default=list(differential.CHECKS))
    parser.add_argument("--seed", type=int, default=None)
    args = parser.parse_args(arguments)
    if differential.build.compiler() is None:
        print("the independent solvers need a C compiler, and none is installed", file=sys.stderr)
        return 2
    seed = secrets.randbits(32) if args.seed is None else args.seed
    print(f"seed {seed}", flush=True)
    for game in args.games:
        differential.oracle(game)  # compiled before the time runs
    counts = soak(args.games, args.seconds, seed)
    differences = sum(count for (_, _, outcome, _), count in counts.items() if outcome == DIFFERENT)
    print("\n".join([*report(args.games, counts), f"differences: {differences}"]))
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
