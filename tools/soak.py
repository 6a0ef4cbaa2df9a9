"""Differential soak: all four games against plain Python and their own invariants, for as long as you like.

    python tools/soak.py --seconds 1800 --report docs/results/soak.json

Games take turns of a second; of each turn two thirds go to positions that plain Python solves as well, one third to
larger ones whose answers are compared with one another (tests of tools/fuzz/differential.py). Counts are printed at the
end and written as JSON. A difference ends the run with status 1, after the case has been printed.
"""

import argparse
import json
import random
import resource
import secrets
import sys
import time
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tools" / "fuzz")]

from differential import CHECKS  # noqa: E402

from gamecore import build_info  # noqa: E402

TURN = 1.0


def resident() -> float:
    """Resident memory now, in MiB."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * resource.getpagesize() / (1 << 20)


def soak(seconds: float, seed: int) -> dict[str, object]:
    """Counts by game, and how memory went."""
    rng = random.Random(seed)
    counts: dict[str, dict[str, float]] = {
        game: {"against plain Python": 0, "invariants": 0, "seconds": 0.0} for game in CHECKS
    }
    sizes: dict[str, Counter[int]] = {game: Counter() for game in CHECKS}
    begun = time.monotonic()
    settled = 0.0
    while time.monotonic() - begun < seconds:
        for game, (check, invariants) in CHECKS.items():
            start = time.monotonic()
            while (now := time.monotonic() - start) < TURN:
                first = now < 2 * TURN / 3
                size = (check if first else invariants)(rng)
                if size is not None:
                    sizes[game][size] += 1
                counts[game]["against plain Python" if first else "invariants"] += 1
            counts[game]["seconds"] += time.monotonic() - start
        if not settled and time.monotonic() - begun > min(60.0, seconds / 4):
            settled = resident()
    for found in counts.values():
        found["seconds"] = round(found["seconds"], 1)
    return {
        "seconds": round(time.monotonic() - begun, 1),
        "seed": seed,
        "games": counts,
        "by_size": {game: dict(sorted(found.items())) for game, found in sizes.items() if found},
        "differences": 0,
        "resident_mb_after_a_minute": round(settled, 1),
        "resident_mb_at_the_end": round(resident(), 1),
        "build": str(build_info()).splitlines(),
    }


def main() -> int:
    """Run, print, write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--seed", type=int, default=None)
    parser.add_argument("--report", type=Path, default=None, metavar="FILE", help="write the counts as JSON")
    args = parser.parse_args()
    seed = secrets.randbits(32) if args.seed is None else args.seed
    print(f"seed {seed}", flush=True)
    try:
        report = soak(args.seconds, seed)
    except AssertionError as error:
        print(f"a difference: {error}", file=sys.stderr)
        return 1
    text = json.dumps(report, indent=1)
    print(text)
    if args.report is not None:
        args.report.write_text(text + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
