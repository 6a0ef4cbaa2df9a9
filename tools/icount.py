"""Instruction counts: a short fixed workload of each kernel under callgrind, against the stored counts.

    python tools/icount.py            compare; exit status 1: a kernel takes over 1% more, 2: it cannot be measured
    python tools/icount.py --write    store the counts of this build

Counts are of the kernels' own code alone, without Python and libraries, so machines' noise does not reach them. They
depend on the compiler: those of another one are shown, not judged. The level is v3 (callgrind does not know AVX-512)
where the processor has it, else the baseline.
"""

import argparse
import json
import os
import sys
from collections import Counter
from pathlib import Path

BENCHMARKS = Path(__file__).resolve().parents[1] / "benchmarks"
sys.path.insert(0, str(BENCHMARKS))

from comparing import instructions  # noqa: E402

from gamecore import build_info  # noqa: E402
from gamecore.kernels import available_levels  # noqa: E402

PATH = BENCHMARKS / "icount.json"
TOLERANCE = 0.01


def workload() -> None:
    """Some ten million instructions of each kernel; about what `tools/signatures.py` does, but less."""
    import random

    import numpy as np

    from gamecore import Limits, duel, hearts, hexapawn, rows

    deck = [suit + rank for rank in "A23456789TJQK" for suit in "CDHS"]
    for seed in range(6):
        cards = deck[:]
        random.Random(f"random-12-{seed}").shuffle(cards)
        duel.solve(duel.Position(cards[:12], cards[12:24]), Limits(table_mb=1))
    hexapawn.solve(hexapawn.Position.start(5, 5), Limits(table_mb=1))
    hexapawn.solve(hexapawn.Position.start(3, 10), Limits(table_mb=1))
    rng = random.Random("rows")
    row = [rng.randrange(-999, 1000) for _ in range(3000)]
    decks = np.array([rng.sample(list(range(1, 14)) * 4, 52) for _ in range(100)], dtype=np.int8)
    for opponent in ("optimal", "greedy", "cooperative"):
        rows.solve(row, opponent=opponent)
        rows.solve_many(decks, opponent=opponent)
        rows.table(row[:300], opponent=opponent)
    low = np.arange(0, 2000, 3)
    rows.IntervalOracle(row).value(low, low + 999)
    hearts.simulate(["random"] * 4, 2000, 7)
    hearts.simulate(["greedy", "duck", "mc:playouts=4", "intelligent"], 4, 7)


def measure(level: str) -> Counter[str]:
    """Run the workload under callgrind."""
    environment = {**os.environ, "GAMECORE_SIMD": level}
    try:
        return instructions.measure([sys.executable, __file__, "--workload"], environment)
    except RuntimeError as error:
        sys.exit(f"icount: {error}")


def judge(stored: dict[str, int], counts: dict[str, int]) -> tuple[list[str], bool]:
    """A line a kernel, and whether all are within the tolerance."""
    lines, fine = [], True
    for kernel in sorted(stored.keys() | counts.keys()):
        old, new = stored.get(kernel), counts.get(kernel)
        if old is None or new is None:
            lines.append(f"{kernel:<12} {'new' if old is None else 'MISSING'}")
            fine = fine and new is not None
            continue
        change = (new - old) / old
        word = "MORE" if change > TOLERANCE else "less: make icount-save" if change < -TOLERANCE else ""
        lines.append(f"{kernel:<12} {old:>14,} -> {new:>14,}  {change:+.2%}  {word}".rstrip())
        fine = fine and change <= TOLERANCE
    return lines, fine


def main(argv: list[str] | None = None) -> int:
    """The command; see the top of the file."""
    parser = argparse.ArgumentParser(description="Instruction counts of the kernels, by callgrind.")
    parser.add_argument("--write", action="store_true", help="store the counts")
    parser.add_argument("--workload", action="store_true", help=argparse.SUPPRESS)
    args = parser.parse_args(argv)
    if args.workload:
        workload()
        return 0
    if not instructions.available():
        print("icount: valgrind is not installed (apt install valgrind, or your system's like)", file=sys.stderr)
        return 2
    if not args.write and not PATH.exists():
        print(f"icount: no stored counts in {PATH}: make icount-save stores them", file=sys.stderr)
        return 2
    level = "v3" if "v3" in available_levels() else "baseline"
    counts = measure(level)
    made_by = {"compiler": build_info().compiler, "cython": build_info().cython, "level": level}
    if args.write:
        PATH.write_text(json.dumps({**made_by, "instructions": dict(sorted(counts.items()))}, indent=1) + "\n")
        print(f"icount: stored as {PATH}")
    try:
        stored = json.loads(PATH.read_text(encoding="utf-8"))
        lines, fine = judge(stored["instructions"], counts)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        print(f"icount: {PATH} is damaged: {error}", file=sys.stderr)
        return 2
    print("\n".join(lines))
    others = {name: stored.get(name) for name, value in made_by.items() if stored.get(name) != value}
    if others:
        print(f"stored by another build ({', '.join(f'{k} {v}' for k, v in others.items())}): shown, not judged")
        return 0
    return 0 if fine else 1


if __name__ == "__main__":
    sys.exit(main())
