"""The figures of docs/results/reliability.md that are measured, not counted: leaks, and how exactly limits hold.

python tools/reliability.py leaks --calls 1000000    growth of resident memory in so many calls of each kind
python tools/reliability.py limits --trials 20       how far searches run past the seconds they were given
python tools/reliability.py signals --times 100      every task interrupted so often by each of four signals
python tools/reliability.py strikes                  a signal at every instruction of the main thread in a batch
python tools/reliability.py exits --times 20         how long a process takes to end under a batch
"""

import argparse
import contextlib
import gc
import pickle
import random
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
BATCH_TESTS = ROOT / "tests" / "batch"
sys.path[:0] = [str(ROOT), str(BATCH_TESTS)]

import numpy as np  # noqa: E402

from gamecore import GamecoreError, Limits, duel, hearts, hexapawn, rows  # noqa: E402

DECK = [suit + rank for rank in "A23456789TJQK" for suit in "CDHS"]
ORDER = np.random.default_rng(3).permutation(52).tolist()
FULL = duel.Position([DECK[i] for i in ORDER[:26]], [DECK[i] for i in ORDER[26:]])
DEAL = duel.Position(["DQ", "H2", "HA"], ["H3", "D6", "S3"])
TEN = duel.Position([DECK[i] for i in ORDER[:10]], [DECK[i] for i in ORDER[10:20]])
BOARD = hexapawn.Position.start(3, 3)
ROW = [5, 7, 9, 1, 4, 2, 8, 8]
ARRAY = np.arange(3000) * 7919 % 1009
FRESH = hearts.Round.deal(3)
LATE = hearts.Round.deal(3)
while len(LATE.tricks) < 10:
    LATE = LATE.play(LATE.legal_moves()[0])


def refused(call: Callable[[], object]) -> Callable[[], None]:
    """The call, whose GamecoreError is what is wanted."""

    def run() -> None:
        with contextlib.suppress(GamecoreError):
            call()

    return run


CALLS: dict[str, Callable[[], object]] = {
    "duel, solve": lambda: duel.solve(DEAL),
    "duel, table": lambda: duel.solve(TEN, Limits(table_mb=4)),
    "duel, parse": lambda: duel.parse("3\nDQ H2 HA\nH3 D6 S3\n"),
    "duel, bad text": refused(lambda: duel.parse("3\nDQ H2 HA\nH3 D6 ZZ\n")),
    "duel, limit": lambda: duel.solve(FULL, Limits(nodes=50, table_mb=0.1)),
    "hexapawn, solve": lambda: hexapawn.solve(BOARD),
    "hexapawn, parse": lambda: hexapawn.parse("3\n3\nppp\n   \nPPP\n"),
    "hexapawn, bad text": refused(lambda: hexapawn.parse("3\n3\nppp\n x \nPPP\n")),
    "hexapawn, threads": lambda: hexapawn.solve(BOARD, threads=2),
    "rows, value": lambda: rows.value(ROW),
    "rows, solve": lambda: rows.solve(ROW, opponent="greedy"),
    "rows, table": lambda: rows.table(ROW),
    "rows, oracle": lambda: rows.IntervalOracle(ARRAY).value(3, 2900),
    "rows, bad": refused(lambda: rows.value([1, "x"])),  # type: ignore[list-item]
    "hearts, deal": lambda: hearts.Round.deal(5),
    "hearts, simulate": lambda: hearts.simulate(["random"] * 4, 1, 1),
    "hearts, ask": lambda: FRESH.ask("pimc:1"),
    "hearts, pickle": lambda: pickle.loads(pickle.dumps(LATE)),
    "hearts, solve": lambda: hearts.solve(LATE, Limits(table_mb=0.01)),
    "hearts, bad": refused(lambda: FRESH.play("ZZ")),
}


def resident() -> float:
    """Resident memory now, in MiB."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * resource.getpagesize() / (1 << 20)


def leaks(calls: int, seconds: float) -> None:
    """A line for each kind of call: growth as it was, and for a million calls."""
    for name, call in CALLS.items():
        for _ in range(200):
            call()
        gc.collect()
        before, start, done = resident(), time.monotonic(), 0
        while done < calls and time.monotonic() - start < seconds:
            for _ in range(100):
                call()
            done += 100
        gc.collect()
        grown = resident() - before
        print(f"{name:<20} {done:>9} calls  {grown:+6.2f} MiB  ({grown * 1e6 / done:+6.2f} in 10^6)", flush=True)


LIMITED: dict[str, Callable[[Limits], object]] = {
    "duel.solve": lambda limits: duel.solve(FULL, limits),
    "hexapawn.solve 8x8": lambda limits: hexapawn.solve(hexapawn.Position.start(8, 8), limits),
    "hexapawn.solve 8x8, 2 threads": lambda limits: hexapawn.solve(hexapawn.Position.start(8, 8), limits, threads=2),
    "hexapawn.solve 4x16": lambda limits: hexapawn.solve(hexapawn.Position.start(4, 16), limits),
    "hexapawn.analyse 8x8": lambda limits: hexapawn.analyse(hexapawn.Position.start(8, 8), limits),
    "duel.analyse": lambda limits: duel.analyse(FULL, limits),
    "hearts.solve": lambda limits: hearts.solve(FRESH, limits),
}


def limits(trials: int) -> None:
    """A line for each search: the worst time past the limit, and whether all were within 10% + 50 ms."""
    for name, search in LIMITED.items():
        worst, late, count = 0.0, 0, 0
        for asked in (0.01, 0.1, 0.5, 1.0):
            for _ in range(trials if asked < 0.5 else max(1, trials // 4)):
                start = time.perf_counter()
                search(Limits(seconds=asked))
                over = time.perf_counter() - start - asked
                count += 1
                worst = max(worst, over)
                late += over > 0.1 * asked + 0.05
        over_text = f"at most {worst * 1e3:6.1f} ms over"
        print(f"{name:<30} {count:>4} searches  {over_text}  {late} beyond 10% + 50 ms", flush=True)


def signals(times: int) -> None:
    """A line a game: how many interruptions it survived, by signal. One that does not come out ends the run."""
    import interrupted
    import interruptions

    for game in interrupted.TASKS:
        start = time.monotonic()
        counts = interruptions.interrupt(game, times, random.Random())
        shown = "  ".join(f"{name} {count}" for name, count in sorted(counts.items()))
        print(f"{game:<10} {shown}  all came out, {time.monotonic() - start:.0f} s", flush=True)


def strikes(step: int) -> None:
    """A line a task: how many instructions were struck, one after another."""
    for task in ("alone", "threads", "columns", "helpers", "pool"):
        command = [sys.executable, str(BATCH_TESTS / "struck.py"), task, str(step)]
        run = subprocess.run(command, capture_output=True, text=True, check=False)
        if run.returncode:
            sys.exit(f"{task}: {run.stderr}")
        count = int(run.stdout)
        print(f"{task:<10} {count // step} of {count} instructions struck, all came out", flush=True)


def exits(times: int) -> None:
    """A line a script of ``test_exit``: seconds from its last statement to the end of the process."""
    import test_exit

    nothing = {"nothing under way": "        duel.solve_many(easy, workers=2)"}
    for name, script in (nothing | test_exit.SCRIPTS).items():
        taken = sorted(test_exit.seconds_to_end(script) for _ in range(times))
        print(f"{name:<40} {times} times: median {taken[times // 2]:.3f} s, worst {taken[-1]:.3f} s", flush=True)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="what", required=True)
    leak = commands.add_parser("leaks")
    leak.add_argument("--calls", type=int, default=1_000_000)
    leak.add_argument("--seconds", type=float, default=60.0, help="most time for each kind of call")
    limit = commands.add_parser("limits")
    limit.add_argument("--trials", type=int, default=20)
    for name in ("signals", "exits"):
        commands.add_parser(name).add_argument("--times", type=int, default=20)
    commands.add_parser("strikes").add_argument("--step", type=int, default=1)
    args = parser.parse_args()
    if args.what == "leaks":
        leaks(args.calls, args.seconds)
    elif args.what == "limits":
        limits(args.trials)
    elif args.what == "strikes":
        strikes(args.step)
    else:
        {"signals": signals, "exits": exits}[args.what](args.times)


if __name__ == "__main__":
    main()
