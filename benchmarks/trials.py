"""Show that the comparison bites: trials with copies of the sources that are known to be worse, and with equal ones.

    python benchmarks/trials.py work       a copy of each kernel without its ordering, table or pruning: red by its work
    python benchmarks/trials.py delay      a copy of each kernel with a delay: red by time
    python benchmarks/trials.py equal      equal builds compared twenty times while two loops keep the machine busy: no
                                           verdict of slower or faster
    python benchmarks/trials.py            all three; docs/benchmarking.md has the figures

Every trial builds a copy of the working tree in build/trials, where it changes a line of pyx/, and compares the working
tree with it as ab.py does. Exit status 1: a trial did not come out as it has to.
"""

import argparse
import contextlib
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import ab
import workloads
from comparing import instructions, intervals
from comparing.sides import ROOT, Side, side

from gamecore import GamecoreError
from gamecore.kernels import available_levels

COPIES = ROOT / "build" / "trials"
COPIED = ("gamecore", "pyx", "setup.py", "pyproject.toml", "README.md", "LICENSE")
BUSY = "while True: pass"


@dataclass(frozen=True, slots=True)
class Change:
    """One line of a kernel, made worse.

    Attributes:
        game, what: which kernel, and what is switched off. case: the workload that shows it. old, new: the source text,
            which stands once in pyx/GAME.pyx, pyx/GAME/ or the headers.
    """

    game: str
    what: str
    case: str
    old: str
    new: str


WORK = (
    Change("duel", "ordering", "duel n=8, 20", "while j > 0 and scores[order[j - 1]] < score:", "while False:"),
    Change("duel", "table", "duel n=8, 20", "store(&search.table, s, search.needed, result)", "pass"),
    Change("duel", "pruning", "duel n=8, 20", "legal = without_twins(legal, s.other)", "pass"),
    Change("hexapawn", "ordering", "hexapawn 5x5 start", "bring_best(children, i, n)", "pass"),
    Change(
        "hexapawn", "table", "hexapawn 5x5 start",
        "table_store(&e.table, &node.key, low, high, worth_of(e.watch.nodes - begun))", "pass",
    ),
    Change(
        "hexapawn", "pruning", "hexapawn 5x5 start",
        "if towards_parent(low) <= w.alpha:", "if towards_parent(low) <= w.alpha - 1000:",
    ),
    Change("hearts", "ordering", "hearts paranoid", "while i and keys[i - 1] < k:", "while False:"),
    Change(
        "hearts", "table", "of 20 cards",
        "if entry.filled and is_at(entry, &key):\n            for seat", "if False:\n            for seat",
    ),
    Change(
        "hearts", "pruning", "of 20 cards",
        "if best <= bound:\n                break", "if False:\n                break",
    ),
    Change("rows", "folding", "rows optimal", "while (b >= c && a <= b) {", "while (0) {"),
)  # fmt: skip
LOOP = "{ volatile int wait; for (wait = 0; wait < 60; wait++) ; }"
DELAY = (
    ("    watch->nodes += 1;\n", f"    {LOOP}\n    watch->nodes += 1;\n"),
    ("    watch->nodes += work;\n", "    { volatile uint64_t wait; for (wait = 0; wait < work / 64; wait++) ; }\n"
     "    watch->nodes += work;\n"),
)  # fmt: skip
DELAYED = {
    "duel": "duel n=10", "hexapawn": "hexapawn 5x6", "rows": "rows greedy n=5,000, int32", "hearts": "hearts max_n, 40",
}  # fmt: skip


def copy_of(name: str) -> Path:
    """A copy of the working tree's sources, without what was built."""
    tree = COPIES / name
    shutil.rmtree(tree, ignore_errors=True)
    for one in COPIED:
        source, target = ROOT / one, tree / one
        if source.is_dir():
            shutil.copytree(source, target, ignore=shutil.ignore_patterns("*.so", "__pycache__"))
        else:
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, target)
    return tree


def replace(tree: Path, game: str, old: str, new: str) -> None:
    """Change the one place of a kernel's sources that has this text.

    Raises:
        GamecoreError: no place has it, or several.
    """
    paths = [tree / "pyx" / f"{game}.pyx", *(tree / "pyx" / game).glob("*.p*"), *(tree / "pyx" / "simd").glob("*.h")]
    found = [path for path in paths if path.exists() and old in path.read_text(encoding="utf-8")]
    if len(found) != 1 or found[0].read_text(encoding="utf-8").count(old) != 1:
        raise GamecoreError(f"{old!a} stands {'nowhere' if not found else 'in several places'} in the kernel {game}")
    found[0].write_text(found[0].read_text(encoding="utf-8").replace(old, new), encoding="utf-8")


def compared(a: Side, b: Side, case: str, rounds: int, counted: bool = False) -> dict[str, tuple[ab.Result, ab.Judged]]:
    """Cases of two sides, judged whatever else the machine does."""
    games = ab.chosen(case)
    results, _ = ab.measure((a, b), games, rounds, available_levels()[-1], seconds=0.05, core=None)
    if counted and instructions.available():
        ab.count_instructions((a, b), games, results)
    return {name: (result, ab.judged(result, loaded=False)) for name, result in results.items()}


def sides_of(name: str, game: str, changes: list[tuple[str, str]]) -> tuple[Side, Side]:
    """The working tree and a changed copy, built at one level."""
    tree = copy_of(name)
    for old, new in changes:
        replace(tree, game, old, new)
    kernels, level = list(workloads.KERNELS[game]), available_levels()[-1:]
    return side(".", kernels, list(level)), side(str(tree), kernels, list(level))


def trial_of_work(change: Change) -> bool:
    """Whether a kernel that was made worse is red by its work alone."""
    pair = sides_of(f"{change.game}-{change.what}", change.game, [(change.old, change.new)])
    ((name, (result, judged)),) = list(compared(*pair, change.case, intervals.FEWEST).items())[:1]
    red = judged.bad and result.exact[0] != result.exact[1]
    work = [next(iter(exact.values())) for exact in result.exact]
    row = [f"{change.game} without {change.what}", name, *(f"{count:,}" for count in work), judged.text]
    print(f"| {' | '.join(row)} | {'red' if red else 'NOT RED'} |", flush=True)
    return red


def trial_of_delay(game: str, rounds: int) -> bool:
    """Whether a kernel with a delay is red by time, its work being equal."""
    pair = sides_of(f"{game}-delay", game, list(DELAY))
    ((name, (result, judged)),) = compared(*pair, DELAYED[game], rounds).items()
    red = judged.interval.verdict == intervals.SLOWER and result.exact[0] == result.exact[1]
    row = [f"{game} with a delay", name, str(judged.interval), judged.text]
    print(f"| {' | '.join(row)} | {'red' if red else 'NOT RED'} |", flush=True)
    return red


@contextlib.contextmanager
def busy(count: int) -> Iterator[None]:
    """Run this many endless loops in other processes."""
    loops = [subprocess.Popen([sys.executable, "-c", BUSY]) for _ in range(count)]
    try:
        yield
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()


def trial_of_equals(times: int, case: str, rounds: int, loops: int) -> bool:
    """Whether equal builds are never called slower or faster under load."""
    kernels = [name for game in ab.chosen(case) for name in workloads.KERNELS[game]]
    one = side(".", kernels, list(available_levels()[-1:]))
    counts = dict.fromkeys((intervals.EQUAL, intervals.UNPROVEN, intervals.SLOWER, intervals.FASTER), 0)
    widest, works = 1.0, 0
    with busy(loops):
        for _ in range(times):
            for result, judged in compared(one, one, case, rounds).values():
                counts[judged.interval.verdict] += 1
                widest = max(widest, judged.interval.ratio, 1 / judged.interval.ratio)
                works += result.exact[0] != result.exact[1]
    told = ", ".join(f"{count} {word}" for word, count in counts.items())
    print(f"{times} comparisons of equal builds beside {loops} busy loops, {rounds} rounds of {case!a}: {told}; "
          f"ratios up to {widest:.3f}, {works} differences of work", flush=True)  # fmt: skip
    return not (counts[intervals.SLOWER] or counts[intervals.FASTER] or works)


def main(argv: list[str] | None = None) -> int:
    """The command; see the top of the file."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", nargs="*", help="work, delay, equal (default: all)")
    parser.add_argument("--rounds", type=int, default=15, help="of the delays and of equal builds (default 15)")
    parser.add_argument("--times", type=int, default=20, help="comparisons of equal builds (default 20)")
    parser.add_argument("-k", "--keyword", default="hexapawn", metavar="TEXT", help="cases of the equal builds")
    parser.add_argument("--game", choices=workloads.KERNELS, help="work and delay: this kernel alone")
    args = parser.parse_args(argv)
    what = args.what or ["work", "delay", "equal"]
    fine = True
    try:
        if "work" in what:
            for change in WORK:
                fine &= args.game not in (None, change.game) or trial_of_work(change)
        if "delay" in what:
            for game in DELAYED:
                fine &= args.game not in (None, game) or trial_of_delay(game, args.rounds)
        if "equal" in what:
            fine &= trial_of_equals(args.times, args.keyword, args.rounds, 2)
    except GamecoreError as error:
        print(f"trials: {error}", file=sys.stderr)
        return 2
    return 0 if fine else 1


if __name__ == "__main__":
    sys.exit(main())
