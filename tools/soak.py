"""Soak: all four games against independent solvers and against themselves, for as long as you like.

    python tools/soak.py --seconds 1800 --report build/soak.json
    python tools/soak.py --seconds 60 --games duel rows --seed 7

Games take turns; of each turn two thirds go to positions that the independent solvers of tests/oracles solve as well,
one third to larger ones whose answers are compared with one another (see tools/fuzz/differential.py). Positions
without a difference are counted by game and size. Positions for which a limit was reached before all answers were
known (unsolved), and differences, are counted separately; the first differences are printed. The status is 1 after
any difference, and 2 without a C compiler.
"""

import argparse
import json
import random
import re
import secrets
import sys
import time
import traceback
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tools"), str(ROOT / "tools" / "fuzz")]

import differential  # noqa: E402
from reliability import resident  # noqa: E402

from gamecore import build_info  # noqa: E402

KINDS = ("against the oracle", "against itself")
TURN = 1.0  # seconds
SHOWN = 10  # differences


@dataclass
class Counts:
    """Counts of one kind of check.

    Attributes:
        checked: positions without a difference, by size.
        unsolved: positions for which a limit was reached first, by size.
        differences: positions with a difference, or an error that should not be.
        made: all of them; the seed of a position's chance has its number.
        seconds: that it took.
    """

    checked: Counter[str] = field(default_factory=Counter)
    unsolved: Counter[str] = field(default_factory=Counter)
    differences: int = 0
    made: int = 0
    seconds: float = 0.0

    def to_dict(self) -> dict[str, Any]:
        """The counts and their sums, sizes in their order."""
        return {
            "checked": self.checked.total(),
            "unsolved": self.unsolved.total(),
            "differences": self.differences,
            "seconds": round(self.seconds, 1),
            "checked_by_size": in_order(self.checked),
            "unsolved_by_size": in_order(self.unsolved),
        }


def in_order(counts: Counter[str]) -> dict[str, int]:
    """Counts by size, sizes in the order of their numbers."""

    def key(size: str) -> tuple[list[int], str]:
        return [int(number) for number in re.findall("[0-9]+", size)], size

    return {size: counts[size] for size in sorted(counts, key=key)}


class Soak:
    """Checks of several games, turn by turn.

    Attributes:
        counts: by game and kind.
        found: the first differences, as they go into the report.
    """

    def __init__(self, games: Sequence[str], seed: int) -> None:
        self.seed = seed
        self.counts = {game: {kind: Counts() for kind in KINDS} for game in games}
        self.found: list[dict[str, str]] = []

    @property
    def differences(self) -> int:
        """Positions with a difference, of all games."""
        return sum(counts.differences for kinds in self.counts.values() for counts in kinds.values())

    def run(self, seconds: float) -> None:
        """Check all games alternately until the time is over."""
        turn = min(TURN, seconds / len(self.counts))
        end = time.monotonic() + seconds
        while True:
            for game in self.counts:
                for kind, share in zip(KINDS, (2 / 3, 1 / 3), strict=True):
                    self.check(game, kind, turn * share)
            if time.monotonic() >= end:
                return

    def check(self, game: str, kind: str, seconds: float) -> None:
        """Make cases for this time, one at least."""
        counts, make = self.counts[game][kind], differential.CHECKS[game][KINDS.index(kind)]
        begun = now = time.monotonic()
        while now == begun or now - begun < seconds:
            name = f"{self.seed}, {game} {kind}, {counts.made}"
            counts.made += 1
            try:
                case = make(random.Random(name))
            except differential.Difference as difference:
                counts.differences += 1
                self.show(name, difference.position, difference.found)
            except Exception as error:
                counts.differences += 1
                self.show(name, "see the traceback", "".join(traceback.format_exception(error)))
            else:
                (counts.unsolved if case.unsolved else counts.checked)[case.size] += 1
            now = time.monotonic()
        counts.seconds += now - begun

    def show(self, case: str, position: str, found: str) -> None:
        """Print and keep one of the first differences; ``case`` is the seed of its ``random.Random``."""
        if len(self.found) < SHOWN:
            self.found.append({"case": case, "position": position, "found": found})
            print(f"a difference ({case}): {position}: {found}", file=sys.stderr, flush=True)


def text_of(soak: Soak) -> str:
    """The counts as a table."""
    lines = []
    for game, kinds in soak.counts.items():
        for kind, counts in kinds.items():
            done = f"{counts.checked.total():,} checked, {counts.unsolved.total():,} unsolved"
            lines.append(f"{game}, {kind}: {done}, {counts.differences:,} differences in {counts.seconds:.0f} s")
            for title, by_size in (("", counts.checked), ("unsolved: ", counts.unsolved)):
                shown = "; ".join(f"{size}: {count:,}" for size, count in in_order(by_size).items())
                lines += [f"    {title}{shown}"] if shown else []
    return "\n".join([*lines, f"differences: {soak.differences}"])


def main(arguments: Sequence[str] | None = None) -> int:
    """Run, print, write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--games", nargs="+", choices=differential.CHECKS, default=list(differential.CHECKS))
    parser.add_argument("--seed", type=int, default=None)
    parser.add_argument("--report", type=Path, default=None, metavar="FILE", help="write the counts as JSON")
    args = parser.parse_args(arguments)
    if differential.build.compiler() is None:
        print("the independent solvers need a C compiler, and none is installed", file=sys.stderr)
        return 2
    seed = secrets.randbits(32) if args.seed is None else args.seed
    print(f"seed {seed}", flush=True)
    for game in args.games:
        differential.oracle(game)  # compiled before the time runs
    soak, begun, before = Soak(args.games, seed), time.monotonic(), resident()
    soak.run(args.seconds)
    print(text_of(soak))
    if args.report is not None:
        report = {
            "seconds": round(time.monotonic() - begun, 1),
            "seed": seed,
            "games": {
                game: {kind: counts.to_dict() for kind, counts in kinds.items()} for game, kinds in soak.counts.items()
            },
            "differences": soak.differences,
            "first_differences": soak.found,
            "resident_mb_at_the_start": round(before, 1),
            "resident_mb_at_the_end": round(resident(), 1),
            "build": str(build_info()).splitlines(),
        }
        args.report.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
    return 1 if soak.differences else 0


if __name__ == "__main__":
    sys.exit(main())
