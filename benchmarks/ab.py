"""Two versions side by side: the same inputs, alternately, in fresh processes on the same core.

    python benchmarks/ab.py v0.1.0 HEAD -k hexapawn         (make ab A=v0.1.0 B=HEAD K=hexapawn)
    python benchmarks/ab.py dist/gamecore-0.1.0-...whl .    a wheel against the working tree

A side is a tag or revision, a wheel, a directory with the sources, or "." (the working tree). Each is built by its own
setup.py into build/ab, only the kernels that are needed; equal sources are compiled once.

For each case of workloads.py the table has the processor time of a call on A and on B (the fastest call of a process;
the median of the processes), the ratio B to A with its 95% interval (a bootstrap over rounds, each a process of A and
one of B), the verdict, and the work: nodes, and the kernels' instructions where valgrind is installed. Nodes and
answers are compared exactly, instructions with 1% of tolerance.

Exit status: 0 nothing is slower or works more; 1 something does; 3 something could not be judged (--allow-unjudged: 0);
2 a side cannot be found, built or run.
"""

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Iterable
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
    """A case's verdict in words, the interval of its time, and what follows for the exit status."""

    text: str
    interval: intervals.Interval
    bad: bool
    unjudged: bool


def chosen(text: str) -> dict[str, list[int]]:
    """Return the cases whose names contain the text, by game.

    Raises:
        GamecoreError: there is none.
    """
    cases_of = {
        game: numbers
        for game, cases in workloads.CASES.items()
        if (numbers := [number for number, case in enumerate(cases) if text in case.name])
    }
    if not cases_of:
        names = "; ".join(case.name for cases in workloads.CASES.values() for case in cases)
        raise GamecoreError(f"no case contains {text!a}: {names}")
    return cases_of


def worker_command(of: Side, game: str, cases: list[int], **options: Any) -> list[str]:
    """Return the command that runs cases on a side."""
    order = {"tree": str(of.tree), "game": game, "cases": cases, "seconds": 0.1, "core": None, "once": False, **options}
    return [sys.executable, "-m", "comparing.worker", json.dumps(order)]


def environment(of: Side, level: str) -> dict[str, str]:
    """Return the environment of a side's process: its own gamecore comes first."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join([str(of.tree), str(HERE)]), "GAMECORE_SIMD": level}


def run(of: Side, game: str, cases: list[int], level: str, **options: Any) -> dict[str, Any]:
    """Run cases in one process of a side.

    Raises:
        GamecoreError: it failed; the message ends with its stderr.
    """
    command = worker_command(of, game, cases, **options)
    result = subprocess.run(command, cwd=HERE, env=environment(of, level), capture_output=True, text=True, check=False)
    if result.returncode:
        raise GamecoreError(f"{of.label} failed in {game}:\n{result.stderr[-1500:]}")
    return dict(json.loads(result.stdout))


def measure(
    pair: tuple[Side, Side], games: dict[str, list[int]], rounds: int, level: str, **options: Any
) -> dict[str, Result]:
    """Run all rounds: A first in one, B first in the next."""
    results = {workloads.CASES[game][number].name: Result() for game, cases in games.items() for number in cases}
    for number in range(rounds):
        print(f"round {number + 1} of {rounds}", file=sys.stderr, flush=True)
        for game, cases in games.items():
            for place in (0, 1) if number % 2 == 0 else (1, 0):
                for name, measured in run(pair[place], game, cases, level, **options)["cases"].items():
                    results[name].times[place].append(measured["cpu"])
                    results[name].exact[place] = measured["exact"]
    return results


def count_instructions(pair: tuple[Side, Side], games: dict[str, list[int]], results: dict[str, Result]) -> None:
    """Count one call of each case under callgrind, at a level that it knows."""
    level = instructions.level()
    for game, cases in games.items():
        for number in cases:
            for place, of in enumerate(pair):
                command = worker_command(of, game, [number], once=True)
                try:
                    counts = instructions.measure(command, environment(of, level), HERE)
                except RuntimeError as error:
                    raise GamecoreError(f"{of.label}: {error}") from None
                results[workloads.CASES[game][number].name].instructions[place] = sum(counts.values())


def verdict(result: Result) -> Verdict:
    """Judge a case: its work first, then its time."""
    words = changes(*result.exact)
    bad = any(not word.startswith(LESS_WORK) for word in words)
    old, new = result.instructions
    if old and new and abs(new / old - 1) > INSTRUCTIONS_BAND:
        words.append(f"{'MORE' if new > old else 'fewer'} INSTRUCTIONS {new / old - 1:+.1%}")
        bad = bad or new > old
    interval = intervals.paired(*result.times)
    words.append(intervals.explained(interval))
    bad = bad or interval.verdict == intervals.SLOWER
    return Verdict("; ".join(words), interval, bad, interval.verdict == intervals.UNPROVEN)


def table(results: dict[str, Result], verdicts: dict[str, Verdict]) -> list[list[str]]:
    """Return the rows of the table, its head first."""
    rows = [list(COLUMNS)]
    for name, result in results.items():
        interval = verdicts[name].interval
        nodes = ["" if "nodes" not in exact else f"{exact['nodes']:,}" for exact in result.exact]
        counts = ["" if count is None else f"{count:,}" for count in result.instructions]
        times = [duration(median(times)) for times in result.times]
        limits = f"{interval.low:.3f} to {interval.high:.3f}"
        rows.append([name, *times, f"{interval.ratio:.3f}", limits, verdicts[name].text, *nodes, *counts])
    return rows


def aligned(rows: list[list[str]], left: Iterable[int] = (0, 5)) -> list[str]:
    """Return rows as lines, numbers to the right; columns that are empty in every row are left out."""
    used = [column for column in range(len(rows[0])) if any(row[column] for row in rows[1:])]
    widths = {column: max(len(row[column]) for row in rows) for column in used}
    return [
        "  ".join(f"{row[column]:{'<' if column in left else '>'}{widths[column]}}" for column in used).rstrip()
        for row in rows
    ]


def compare(args: argparse.Namespace) -> int:
    """Build, measure, judge, print."""
    games = chosen(args.keyword)
    kernels = [name for game in games for name in workloads.KERNELS[game]]
    level = args.level or available_levels()[-1]
    counted = instructions.available() and not args.no_instructions
    levels = LEVELS[: LEVELS.index(level) + 1]  # a kernel may have no module at the last
    a, b = (side(label, kernels, levels) for label in (args.a, args.b))
    core = max(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else None
    core = core if args.core is None else args.core
    results = measure((a, b), games, args.rounds, level, seconds=args.seconds, core=core)
    if counted:
        count_instructions((a, b), games, results)
    verdicts = {name: verdict(result) for name, result in results.items()}
    print(f"A: {a.label} ({a.about})\nB: {b.label} ({b.about})\n")
    print("\n".join(aligned(table(results, verdicts))))
    red, unjudged = sum(one.bad for one in verdicts.values()), sum(one.unjudged for one in verdicts.values())
    print(f"\n{len(results)} cases, {args.rounds} rounds, level {level}: {red} red, {unjudged} not judged")
    if any(result.exact[0] != result.exact[1] for result in results.values()):
        print("if other work was meant: make accept writes it down")
    return 1 if red else 3 if unjudged and not args.allow_unjudged else 0


def main(argv: list[str] | None = None) -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("a", metavar="A", help="the old side")
    parser.add_argument("b", metavar="B", nargs="?", default=".", help="the new side (default: the working tree)")
    parser.add_argument("-k", "--keyword", default="", metavar="TEXT", help="the cases whose names contain this")
    parser.add_argument("--rounds", type=int, default=15, help="processes of each side (default 15)")
    parser.add_argument("--seconds", type=float, default=0.1, help="for each case in each process (default 0.1)")
    parser.add_argument("--core", type=int, help="which core (default: the last)")
    parser.add_argument("--level", choices=available_levels(), help="CPU level (default: the highest)")
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
