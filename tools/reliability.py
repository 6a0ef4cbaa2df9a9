"""Measure the figures of docs/results/reliability.md; exit status 1 if one is bad.

python tools/reliability.py leaks --calls 1000000    growth of resident memory in N calls of each kind
python tools/reliability.py limits --trials 20       how far searches run past the seconds they were given
python tools/reliability.py signals --times 1000     N of each of four signals, at random moments of all tasks
python tools/reliability.py strikes                  a signal at every instruction of the main thread in a batch
python tools/reliability.py exits --times 200        N processes that end during batches, and how long it takes
python tools/reliability.py kills --times 200        SIGKILL of N runs of solve-file, and of prove; files checked
python tools/reliability.py together --times 300     four runs of prove on one store at once, so often
"""

import argparse
import gc
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
BATCH_TESTS = ROOT / "tests" / "batch"
sys.path[:0] = [str(ROOT), str(BATCH_TESTS), str(ROOT / "tests" / "prove")]

from gamecore import Limits, duel, hearts, hexapawn  # noqa: E402

TIMES = 3  # measured this often at most, until it does not grow
GROWTH = 1.0  # MiB that resident memory may grow by, and as much again for each million calls


def resident() -> float:
    """Resident memory now, in MiB."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * resource.getpagesize() / (1 << 20)


def leaks(
    kinds: Mapping[str, Callable[[], object]], most_calls: int, seconds: float, warm_up: float = 1.0
) -> list[str]:
    """A line for each kind of call: growth of resident memory. Those that grew too much are returned.

    Args:
        kinds: calls by name.
        most_calls, seconds: of each kind, until either is reached.
        warm_up: seconds of calls before it is measured.
    """
    leaking = []
    for name, call in kinds.items():
        _call_for(call, 200, warm_up)
        for _ in range(TIMES):  # a leak grows further; an allocator stops growing
            done, grown = _growth(call, most_calls, seconds)
            bad = grown > GROWTH * (1 + done / 1e6)
            if not bad:
                break
        leaking += [name] if bad else []
        millions = f"({grown * 1e6 / done:+9.2f} in 10^6)" if done >= 10_000 else ""
        print(f"{name:<28} {done:>9} calls  {grown:+6.2f} MiB  {millions}{'  LEAKS' if bad else ''}", flush=True)
    return leaking


def _growth(call: Callable[[], object], most: int, seconds: float) -> tuple[int, float]:
    """Return the number of calls, and the growth of resident memory in MiB."""
    gc.collect()
    before = resident()
    done = _call_for(call, most, seconds)
    gc.collect()
    return done, resident() - before


def _call_for(call: Callable[[], object], most: int, seconds: float) -> int:
    """Call until a number of calls or a time is reached; return the number of calls."""
    start, done = time.monotonic(), 0
    while done < most and (not done or time.monotonic() - start < seconds):
        call()
        done += 1
    return done


LIMITED: dict[str, Callable[[Limits], object]] = {
    "duel.solve": lambda limits: duel.solve(duel.deal(26, rng=3), limits),
    "hexapawn.solve 8x8": lambda limits: hexapawn.solve(hexapawn.Position.start(8, 8), limits),
    "hexapawn.solve 8x8, 2 threads": lambda limits: hexapawn.solve(hexapawn.Position.start(8, 8), limits, threads=2),
    "hexapawn.solve 4x16": lambda limits: hexapawn.solve(hexapawn.Position.start(4, 16), limits),
    "hexapawn.analyse 8x8": lambda limits: hexapawn.analyse(hexapawn.Position.start(8, 8), limits),
    "duel.analyse": lambda limits: duel.analyse(duel.deal(26, rng=3), limits),
    "hearts.solve": lambda limits: hearts.solve(hearts.Round.deal(3), limits),
}


def limits(searches: Mapping[str, Callable[[Limits], object]], trials: int) -> list[str]:
    """Print the worst overrun of each search; return those beyond 10% + 50 ms."""
    beyond = []
    for name, search in searches.items():
        worst, late, count = 0.0, 0, 0
        search(Limits(seconds=0.01))  # imports what it needs
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
        beyond += [name] if late else []
    return beyond


def signals(times: int) -> None:
    """A line a game: how many signals its tasks took. A signal whose exception does not leave its task ends the run."""
    import interrupted
    import interruptions

    tasks = sum(map(len, interrupted.TASKS.values()))
    rounds = -(-times // tasks)  # each task by each signal
    for game in interrupted.TASKS:
        start = time.monotonic()
        counts = interruptions.interrupt(game, rounds, random.Random())
        shown = "  ".join(f"{name} {count}" for name, count in sorted(counts.items()))
        print(f"{game:<10} {shown}  all came out, {time.monotonic() - start:.0f} s", flush=True)
    print(f"{rounds * tasks} of each signal, {len(interrupted.TASKS)} games, {tasks} tasks")
    import test_kill

    with tempfile.TemporaryDirectory() as folder:
        counts = test_kill.interrupt_again_and_again(Path(folder), times, random.Random())
    shown = "  ".join(f"{name} {count}" for name, count in sorted(counts.items()))
    print(f"prove      {shown}  all came out, every proof checked")


def strikes(step: int) -> None:
    """Print a line a task: the number of instructions at which a signal was raised."""
    for task in ("alone", "threads", "columns", "helpers", "pool"):
        command = [sys.executable, str(BATCH_TESTS / "struck.py"), task, str(step)]
        run = subprocess.run(command, capture_output=True, text=True, check=False)
        if run.returncode:
            sys.exit(f"{task}: {run.stderr}")
        count = int(run.stdout)
        print(f"{task:<10} {count // step} of {count} instructions struck, all came out", flush=True)


def exits(scripts: Mapping[str, str], times: int) -> None:
    """A line a script of ``test_exit``: seconds from its last statement to the end of the process.

    Raises:
        subprocess.TimeoutExpired: a process that does not end.
    """
    import test_exit

    for place, (name, script) in enumerate(scripts.items()):
        share = times // len(scripts) + (place < times % len(scripts))
        taken = sorted(test_exit.seconds_to_end(script) for _ in range(share))
        if taken:
            print(f"{name:<40} {share} times: median {taken[share // 2]:.3f} s, worst {taken[-1]:.3f} s", flush=True)


def kills(times: int) -> None:
    """Kill this many runs of each command; stop at the first damage."""
    import test_kill
    from kills import kill_solve_file

    with tempfile.TemporaryDirectory() as folder:
        kill_solve_file(times, Path(folder), random.Random())
        start, store = time.monotonic(), Path(folder) / "proof"
        ended = test_kill.kill_again_and_again(store, times, random.Random(), 2000)
        test_kill.finish(store)
        print(f"prove, hexapawn {test_kill.BOARD} {times} kills  {ended} ended; {time.monotonic() - start:.0f} s")


def together(times: int) -> None:
    """Run four commands at once on one store, repeatedly; an error ends the run."""
    import test_store

    with tempfile.TemporaryDirectory() as folder:
        taken = [test_store.run_together(Path(folder) / str(number), random.Random()) for number in range(times)]
    print(f"{times} times four runs, {sum(taken)} had their store taken over; every value right, every proof checked")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="what", required=True)
    leak = commands.add_parser("leaks")
    leak.add_argument("--calls", type=int, default=1_000_000)
    leak.add_argument("--seconds", type=float, default=60.0, help="most time for each kind of call")
    leak.add_argument("--only", default="", metavar="TEXT", help="calls whose names contain this")
    limit = commands.add_parser("limits")
    limit.add_argument("--trials", type=int, default=20)
    for name in ("signals", "exits", "kills", "together"):
        commands.add_parser(name).add_argument("--times", type=int, default=200, help="in all (default 200)")
    commands.add_parser("strikes").add_argument("--step", type=int, default=1)
    args = parser.parse_args()
    bad: list[str] = []
    if args.what == "leaks":
        import leak_calls

        chosen = {name: call for name, call in leak_calls.CALLS.items() if args.only in name}
        try:
            bad = leaks(chosen, args.calls, args.seconds)
        finally:
            leak_calls.clean()
    elif args.what == "limits":
        bad = limits(LIMITED, args.trials)
    elif args.what == "strikes":
        strikes(args.step)
    elif args.what == "exits":
        import test_exit

        exits(test_exit.SCRIPTS, args.times)
    else:
        {"signals": signals, "kills": kills, "together": together}[args.what](args.times)
    if bad:
        sys.exit(f"not good: {', '.join(bad)}")


if __name__ == "__main__":
    main()
