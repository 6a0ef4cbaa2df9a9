"""Two versions side by side: the same inputs, alternately, in fresh processes on the same core.

    python benchmarks/ab.py v0.1.0 HEAD -k hexapawn         (make ab A=v0.1.0 B=HEAD K=hexapawn)
    python benchmarks/ab.py dist/gamecore-0.1.0-...whl .    a wheel against the working tree

A side is a tag or revision, a wheel, a directory with the sources, or "." (the working tree). Each is built by its own
setup.py into build/ab, only the kernels that are needed; equal sources are compiled once.

For each case of workloads.py the table has the processor time of a call on A and on B (the fastest call of a process;
the median of the processes), the ratio B to A with its 95% interval (from rounds, each a process of A and one of B),
the verdict, and the work: nodes, and the kernels' instructions where valgrind is installed. Nodes and answers are
compared exactly, instructions with 1% of tolerance.

Exit status: 0 nothing is slower or works more; 1 something does; 3 something could not be judged (--allow-unjudged: 0);
2 a side cannot be found, built or run.
"""

import argparse
import json
import os
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

import workloads
from comparing import instructions, intervals
from comparing.plot import duration
from comparing.register import LESS_WORK, changes
from comparing.sides import Side, side

from gamecore import GamecoreError
from gamecore.kernels import LEVELS, available_levels

HERE = Path(__file__).resolve().parent
INSTRUCTIONS_BAND = 0.01
COLUMNS = ("case", "A", "B", "B / A", "95% interval", "verdict", "nodes A", "nodes B", "instructions A", "B")
TO_THE_LEFT = (0, 5)


@dataclass
class Result:
    """Measurements of a case.

    Attributes:
        times: processor seconds of each round, of A and of B.
        exact: the nodes or checksum that both returned.
        instructions: of A and of B, None where they were not counted.
    """

    times: tuple[list[float], list[float]] = field(default_factory=lambda: ([], []))
    exact: list[dict[str, Any]] = field(default_factory=lambda: [{}, {}])
    instructions: list[int | None] = field(default_factory=lambda: [None, None])


@dataclass(frozen=True)
class Verdict:
    """A case's verdict in words, the interval of its time, and whether it is bad news."""

    text: str
    interval: intervals.Interval
    bad: bool


def common_level(pair: tuple[Side, Side], levels: list[str]) -> str:
    """Return the highest level at which both sides have a module: of some kernels there is none at the last one."""

    def is_built(of: Side, level: str) -> bool:
        return any(path.suffix in (".so", ".pyd") for path in of.tree.glob(f"gamecore/kernels/{level}/*"))

    return next((level for level in reversed(levels) if all(is_built(of, level) for of in pair)), levels[0])


def process(of: Side, cases: list[str], seconds: float, level: str) -> tuple[list[str], dict[str, str]]:
    """Return the command that runs cases on a side, and its environment, where the side's own gamecore comes first."""
    order = json.dumps({"tree": str(of.tree), "cases": cases, "seconds": seconds})
    path = os.pathsep.join([str(of.tree), str(HERE)])
    return [sys.executable, "-m", "comparing.worker", order], {**os.environ, "PYTHONPATH": path, "GAMECORE_SIMD": level}


def measure(pair: tuple[Side, Side], names: list[str], args: argparse.Namespace) -> dict[str, Result]:
    """Run all rounds: A first in one, B first in the next.

    Raises:
        GamecoreError: a process failed; the message ends with its stderr.
    """
    results = {name: Result() for name in names}
    for number in range(args.rounds):
        print(f"round {number + 1} of {args.rounds}", file=sys.stderr, flush=True)
        for place in (0, 1) if number % 2 == 0 else (1, 0):
            command, environment = process(pair[place], names, args.seconds, args.level)
            done = subprocess.run(command, cwd=HERE, env=environment, capture_output=True, text=True, check=False)
            if done.returncode:
                raise GamecoreError(f"{pair[place].label} failed:\n{done.stderr[-1500:]}")
            for name, measured in json.loads(done.stdout).items():
                results[name].times[place].append(measured["cpu"])
                results[name].exact[place] = measured["exact"]
    return results


def count_instructions(pair: tuple[Side, Side], results: dict[str, Result], level: str) -> None:
    """Count one call of each case under callgrind, at the highest level up to this one that it knows."""
    level = min(level, instructions.level(), key=LEVELS.index)
    for name, result in results.items():
        for place, of in enumerate(pair):
            counts = instructions.measure(*process(of, [name], 0, level), HERE)
            result.instructions[place] = sum(counts.values())


def verdict(result: Result) -> Verdict:
    """Judge a case: its work first, then its time."""
    words = changes(*result.exact)
    bad = any(not word.startswith(LESS_WORK) for word in words)
    old, new = result.instructions
    if old and new and abs(new / old - 1) > INSTRUCTIONS_BAND:
        words.append(f"{'MORE' if new > old else 'fewer'} INSTRUCTIONS {new / old - 1:+.1%}")
        bad = bad or new > old
    interval = intervals.paired(*result.times)
    words.append(interval.verdict)
    return Verdict("; ".join(words), interval, bad or interval.verdict == intervals.SLOWER)


def table(results: dict[str, Result], verdicts: dict[str, Verdict]) -> list[str]:
    """Return the lines of the table; columns that are empty in every row are left out."""
    rows = [list(COLUMNS)]
    for name, result in results.items():
        interval = verdicts[name].interval
        numbers = [exact.get("nodes") for exact in result.exact] + result.instructions
        counts = ["" if number is None else f"{number:,}" for number in numbers]
        times = [duration(median(times)) for times in result.times]
        limits = f"{interval.low:.3f} to {interval.high:.3f}"
        rows.append([name, *times, f"{interval.ratio:.3f}", limits, verdicts[name].text, *counts])
    used = [place for place in range(len(COLUMNS)) if any(row[place] for row in rows[1:])]
    widths = {place: max(len(row[place]) for row in rows) for place in used}
    return [
        "  ".join(f"{row[place]:{'<' if place in TO_THE_LEFT else '>'}{widths[place]}}" for place in used).rstrip()
        for row in rows
    ]


def compare(args: argparse.Namespace) -> int:
    """Build, measure, judge, print.

    Raises:
        GamecoreError: no case has the text in its name, or a side cannot be found, built or run.
    """
    names = [name for name in workloads.CASES if args.keyword in name]
    if not names:
        raise GamecoreError(f"no case contains {args.keyword!a}: {'; '.join(workloads.CASES)}")
    kernels = [kernel for game in {name.partition(" ")[0] for name in names} for kernel in workloads.KERNELS[game]]
    levels = LEVELS[: LEVELS.index(args.level) + 1]  # a kernel may have no module at the last
    a, b = (side(label, sorted(kernels), levels) for label in (args.a, args.b))
    args.level = common_level((a, b), levels)
    results = measure((a, b), names, args)
    if instructions.available() and not args.no_instructions:
        count_instructions((a, b), results, args.level)
    verdicts = {name: verdict(result) for name, result in results.items()}
    print(f"A: {a.label} ({a.about})\nB: {b.label} ({b.about})\n", *table(results, verdicts), sep="\n")
    red = sum(judged.bad for judged in verdicts.values())
    unjudged = sum(judged.interval.verdict == intervals.UNPROVEN for judged in verdicts.values())
    print(f"\n{len(results)} cases, {args.rounds} rounds, level {args.level}: {red} red, {unjudged} not judged")
    if any(result.exact[0] != result.exact[1] for result in results.values()):
        print("if other work was meant: make accept writes it down")
    return 1 if red else 3 if unjudged and not args.allow_unjudged else 0


def main(argv: list[str] | None = None) -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    levels = available_levels()
    parser.add_argument("a", metavar="A", help="the old side")
    parser.add_argument("b", metavar="B", nargs="?", default=".", help="the new side (default: the working tree)")
    parser.add_argument("-k", "--keyword", default="", metavar="TEXT", help="the cases whose names contain this")
    parser.add_argument("--rounds", type=int, default=15, help="processes of each side (default 15)")
    parser.add_argument("--seconds", type=float, default=0.1, help="for each case in each process (default 0.1)")
    parser.add_argument("--level", choices=levels, default=levels[-1], help="CPU level (default: the highest)")
    parser.add_argument("--no-instructions", action="store_true", help="do not count instructions")
    parser.add_argument("--allow-unjudged", action="store_true", help="status 0 though something was not judged")
    args = parser.parse_args(argv)
    if args.rounds < intervals.FEWEST:
        parser.error(f"--rounds {args.rounds}: an interval needs {intervals.FEWEST}")
    try:
        return compare(args)
    except GamecoreError as error:
        print(f"ab: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("ab: interrupted", file=sys.stderr)
        return 130


if __name__ == "__main__":
    sys.exit(main())
