"""Instruction counts: a short fixed workload of each kernel under callgrind, against benchmarks/icount.json.

    python tools/icount.py            compare; exit status 1: a kernel takes over 1% more, or has no count
    python tools/icount.py -k rows    one kernel alone
    python tools/icount.py --write    store the counts of this build

Counts are of the kernels' own code, at the levels baseline and v3 (callgrind does not know AVX-512). They depend on the
compiler, Cython and Python, which the file names: with others, or without valgrind, the comparison is left out with
exit status 77, and says so.
"""

import argparse
import json
import os
import random
import sys
import tempfile
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
BENCHMARKS = ROOT / "benchmarks"
sys.path.insert(0, str(BENCHMARKS))

import workloads  # noqa: E402
from comparing import instructions  # noqa: E402

from gamecore import GamecoreError, Limits, build_info, duel, hearts, hexapawn, kit, rows  # noqa: E402
from gamecore.kernels import available_levels  # noqa: E402
from gamecore.rows.opponents import NAMES  # noqa: E402

PATH = BENCHMARKS / "icount.json"
LEVELS = ("baseline", "v3")
KERNELS = ("duel", "hexapawn", "rows", "hearts", "kit")
TOLERANCE = 0.01
LEFT_OUT = 77

Counts = dict[str, dict[str, int]]  #: by level and kernel


def workload(kernel: str, folder: Path) -> None:
    """Run some ten million instructions of a kernel; ``folder``: where a kit game is compiled."""
    limits = Limits(table_mb=1)
    if kernel == "duel":
        for hands in workloads.deals(12, 6):
            duel.solve(duel.Position(*hands), limits)
    elif kernel == "hexapawn":
        hexapawn.solve(hexapawn.Position.start(5, 5), limits)
        hexapawn.solve(hexapawn.Position.start(3, 10), limits)
    elif kernel == "rows":
        rows_workload()
    elif kernel == "hearts":
        hearts.simulate(["random"] * 4, 1000, 7)
        hearts.simulate(["greedy", "duck", "mc:playouts=4", "intelligent"], 4, 7)
        hearts.simulate(["linear", "linear", "greedy", "search:playouts=2"], 1, 7)
        round_ = hearts.Round.deal(rng=11)
        while len(round_.tricks) < 8:
            round_ = round_.play(round_.legal_moves()[0])
        for method in ("max_n", "paranoid"):
            hearts.solve(round_, method=method)
    else:
        source = folder / "connect4.pyx"
        source.write_bytes((ROOT / "examples" / "kit" / "connect4.pyx").read_bytes())
        game = kit.load(source)
        game.solve(game.start(), Limits(nodes=20_000, table_mb=1), line=False)


def rows_workload() -> None:
    """Run each opponent and integer type of rows."""
    import numpy as np

    rng = random.Random("rows")
    row = np.array([rng.randrange(-999, 1000) for _ in range(2000)])
    decks = np.array([rng.sample(list(range(1, 14)) * 4, 52) for _ in range(100)], dtype=np.int8)
    for opponent in NAMES:
        rows.solve(row, opponent=opponent)
        rows.value(row[:700] << 40, opponent=opponent)
        rows.solve_many(decks, opponent=opponent, workers=1)
        rows.table(row[:300], opponent=opponent)
    rows.value(np.tile(row, 50))


def measure(level: str, folder: Path, kernel: str) -> Counter[str]:
    """Run the workload under callgrind at a level."""
    print(f"icount: counting at {level}", file=sys.stderr, flush=True)
    command = [sys.executable, __file__, "--workload", str(folder), *(["-k", kernel] if kernel else [])]
    try:
        return instructions.measure(command, {**os.environ, "GAMECORE_SIMD": level})
    except GamecoreError as error:
        sys.exit(f"icount: {error}")


def measure_all(kernel: str) -> Counts:
    """Run the workload of a kernel, or of all, at each level of this machine, at once."""
    levels = [level for level in LEVELS if level in available_levels()]
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(len(levels)) as pool:
        places = [Path(folder, level) for level in levels]
        for place in places:
            place.mkdir()
        measured = pool.map(measure, levels, places, [kernel] * len(levels))
        return {level: dict(sorted(counts.items())) for level, counts in zip(levels, measured, strict=True)}


def compare(stored: Counts, counts: Counts, asked: str) -> tuple[list[str], bool]:
    """Return a line for each kernel asked for at each measured level, and whether all are within the tolerance."""
    lines, is_fine = [], True
    for level in counts:
        old, new = stored[level], counts[level]
        for kernel in sorted(name for name in old.keys() | new.keys() if name.startswith(asked)):
            name = f"{level:<9} {kernel:<13}"
            if kernel not in old or kernel not in new:
                lines.append(f"{name} {'NOT STORED: make accept' if kernel not in old else 'MISSING'}")
                is_fine = False
                continue
            change = (new[kernel] - old[kernel]) / old[kernel]
            word = "MORE" if change > TOLERANCE else "less: make accept" if change < -TOLERANCE else ""
            lines.append(f"{name} {old[kernel]:>13,} -> {new[kernel]:>13,}  {change:+.2%}  {word}".rstrip())
            is_fine = is_fine and change <= TOLERANCE
    return lines, is_fine


def build() -> dict[str, str]:
    """Return what the counts depend on beside the sources."""
    info = build_info()
    python = f"{sys.implementation.name} {sys.version_info.major}.{sys.version_info.minor}"
    return {"compiler": info.compiler, "cython": info.cython, "python": python}


def main(argv: list[str] | None = None) -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(description="Instruction counts of the kernels, by callgrind.")
    parser.add_argument("--write", action="store_true", help="store the counts")
    parser.add_argument("-k", dest="kernel", choices=KERNELS, default="", help="one kernel (default: all)")
    parser.add_argument("--workload", type=Path, help=argparse.SUPPRESS)
    args = parser.parse_args(argv)
    if args.workload:
        for kernel in [args.kernel] if args.kernel else KERNELS:
            workload(kernel, args.workload)
        return 0
    if args.write and args.kernel:
        parser.error("--write stores the counts of all kernels: leave out -k")
    if not instructions.available():
        print("icount: left out, valgrind is not installed")
        return LEFT_OUT
    if args.write:
        PATH.write_text(json.dumps({**build(), "instructions": measure_all("")}, indent=1) + "\n", encoding="utf-8")
        print(f"icount: stored as {PATH}")
        return 0
    try:
        stored = json.loads(PATH.read_text(encoding="utf-8"))
        others = [f"{key} {stored[key]} and not {value}" for key, value in build().items() if stored[key] != value]
        if others:
            print(f"icount: left out, the counts were stored with {', '.join(others)}")
            return LEFT_OUT
        lines, is_fine = compare(stored["instructions"], measure_all(args.kernel), args.kernel)
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        print(f"icount: {PATH} cannot be read: {error!r}; make accept writes it", file=sys.stderr)
        return 2
    print("\n".join(lines))
    return 0 if is_fine else 1


if __name__ == "__main__":
    sys.exit(main())
