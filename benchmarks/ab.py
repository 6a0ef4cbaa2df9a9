"""Two versions side by side: the same inputs, in turn, in fresh processes on the same core.

    python benchmarks/ab.py v0.1.0 HEAD -k hexapawn         (make ab A=v0.1.0 B=HEAD K=hexapawn)
    python benchmarks/ab.py dist/gamecore-0.1.0-...whl .    a wheel against the working tree

A side is a tag or revision, a wheel, a directory with the sources, or "." (the working tree). Each is built by its own
setup.py into build/ab, the kernels that are needed alone; equal sources are compiled once.

For each case of workloads.py: the processor time of a call on A and on B (the fastest call of a process; the median of
the processes), the ratio B to A with its 95% interval (a bootstrap over rounds, each a process of A and one of B), the
verdict, and the work: nodes, and the kernels' instructions where valgrind is installed. Nodes and answers are
compared exactly, instructions with 1% of tolerance, whatever the clock says.

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
from comparing import clock, instructions, intervals, judging, report
from comparing.sides import Side, side

from gamecore import GamecoreError
from gamecore.batch.progress import Bar
from gamecore.kernels import available_levels

HERE = Path(__file__).resolve().parent
INSTRUCTIONS_BAND = 0.01
LOADED = "the machine was too loaded to judge"
COLUMNS = ("case", "A", "B", "B / A", "95% interval", "verdict", "nodes A", "nodes B", "instructions A", "B")


@dataclass
class Result:
    """Measurements of a case.

    Attributes:
        times, walls: processor and wall seconds of each round, of A and of B. exact: what both returned.
        instructions: of A and of B, None where they were not counted.
    """

    times: tuple[list[float], list[float]] = field(default_factory=lambda: ([], []))
    walls: tuple[list[float], list[float]] = field(default_factory=lambda: ([], []))
    exact: list[dict[str, Any]] = field(default_factory=lambda: [{}, {}])
    instructions: list[int | None] = field(default_factory=lambda: [None, None])


@dataclass(frozen=True)
class Judged:
    """A case's verdict: words, the interval of its time, and what follows for the exit status."""

    text: str
    interval: intervals.Interval
    bad: bool
    unjudged: bool


def chosen(text: str) -> dict[str, list[int]]:
    """The cases whose names contain the text, by game.

    Raises:
        GamecoreError: there is none.
    """
    found = {
        game: numbers
        for game, cases in workloads.CASES.items()
        if (numbers := [number for number, case in enumerate(cases) if text in case.name])
    }
    if not found:
        names = "; ".join(case.name for cases in workloads.CASES.values() for case in cases)
        raise GamecoreError(f"no case contains {text!a}: {names}")
    return found


def order(one: Side, game: str, cases: list[int], **more: Any) -> list[str]:
    """The command that runs cases on a side."""
    data = {"tree": str(one.tree), "game": game, "cases": cases, "seconds": 0.1, "core": None, "once": False, **more}
    return [sys.executable, "-m", "comparing.worker", json.dumps(data)]


def environment(one: Side, level: str) -> dict[str, str]:
    """Return the environment of a side's process: its own gamecore comes first."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join([str(one.tree), str(HERE)]), "GAMECORE_SIMD": level}


def run(one: Side, game: str, cases: list[int], level: str, **more: Any) -> dict[str, Any]:
    """One process of a side.

    Raises:
        GamecoreError: it failed; with its last words.
    """
    command = order(one, game, cases, **more)
    result = subprocess.run(command, cwd=HERE, env=environment(one, level), capture_output=True, text=True, check=False)
    if result.returncode:
        raise GamecoreError(f"{one.label} failed in {game}:\n{result.stderr[-1500:]}")
    return dict(json.loads(result.stdout))


def measure(
    pair: tuple[Side, Side], games: dict[str, list[int]], rounds: int, level: str, **more: Any
) -> tuple[dict[str, Result], clock.Load]:
    """All rounds: A first in one, B first in the next."""
    results = {workloads.CASES[game][number].name: Result() for game, cases in games.items() for number in cases}
    watch = clock.Watch()
    with Bar(None, rounds, "rounds") as bar:
        for number in range(rounds):
            for game, cases in games.items():
                for place in (0, 1) if number % 2 == 0 else (1, 0):
                    for name, found in run(pair[place], game, cases, level, **more)["cases"].items():
                        results[name].times[place].append(found["cpu"])
                        results[name].walls[place].append(found["wall"])
                        results[name].exact[place] = found["exact"]
            bar.report(number + 1)
    return results, watch.load()


def count_instructions(pair: tuple[Side, Side], games: dict[str, list[int]], results: dict[str, Result]) -> None:
    """One call of each case under callgrind, at a level that it knows."""
    level = "v3" if "v3" in available_levels() else "baseline"
    for game, cases in games.items():
        for number in cases:
            for place, one in enumerate(pair):
                command = order(one, game, [number], once=True)
                try:
                    found = instructions.measure(command, environment(one, level), HERE)
                except RuntimeError as error:
                    raise GamecoreError(f"{one.label}: {error}") from None
                results[workloads.CASES[game][number].name].instructions[place] = sum(found.values())


def judged(result: Result, loaded: bool) -> Judged:
    """The verdict on a case: its work first, then its time."""
    words = list(judging.changes(*result.exact).values())
    bad = any(word != judging.LESS_WORK for word in words)
    old, new = result.instructions
    if old and new and abs(new / old - 1) > INSTRUCTIONS_BAND:
        words.append(f"{'MORE' if new > old else 'fewer'} INSTRUCTIONS {new / old - 1:+.1%}")
        bad = bad or new > old
    interval = intervals.paired(*result.times)
    words.append(f"not judged: {LOADED}" if loaded else intervals.explained(interval))
    slower = not loaded and interval.verdict == intervals.SLOWER
    unjudged = loaded or interval.verdict == intervals.UNPROVEN
    return Judged("; ".join(words), interval, bad or slower, unjudged)


def rows_of(results: dict[str, Result], verdicts: dict[str, Judged]) -> list[list[str]]:
    """The table, its head first."""
    rows = [list(COLUMNS)]
    for name, one in results.items():
        interval = verdicts[name].interval
        nodes = ["" if "nodes" not in exact else f"{exact['nodes']:,}" for exact in one.exact]
        counts = ["" if count is None else f"{count:,}" for count in one.instructions]
        times = [report.duration(median(found)) for found in one.times]
        limits = f"{interval.low:.3f} to {interval.high:.3f}"
        rows.append([name, *times, f"{interval.ratio:.3f}", limits, verdicts[name].text, *nodes, *counts])
    return rows


def as_data(pair: tuple[Side, Side], results: dict[str, Result], verdicts: dict[str, Judged], load: clock.Load) -> Any:
    """Everything, for --json."""
    cases = [
        {
            "case": name, "seconds": one.times, "wall_seconds": one.walls, "ratio": verdicts[name].interval.ratio,
            "interval": [verdicts[name].interval.low, verdicts[name].interval.high], "verdict": verdicts[name].text,
            "bad": verdicts[name].bad, "unjudged": verdicts[name].unjudged, "exact": one.exact,
            "instructions": one.instructions,
        }
        for name, one in results.items()
    ]  # fmt: skip
    sides = [{"label": one.label, "about": one.about} for one in pair]
    load_data = {"other_cores": load.others, "preemptions_a_second": load.preempted, "too_much": load.too_much}
    return {"sides": sides, "cases": cases, "load": load_data}


def compare(args: argparse.Namespace) -> int:
    """Build, measure, judge, print."""
    games = chosen(args.keyword)
    kernels = [name for game in games for name in workloads.KERNELS[game]]
    level = args.level or available_levels()[-1]
    counted = instructions.available() and not args.no_instructions
    levels = sorted({level, *(["v3" if "v3" in available_levels() else "baseline"] if counted else [])})
    a, b = (side(label, kernels, levels) for label in (args.a, args.b))
    core = max(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else None
    core = core if args.core is None else args.core
    results, load = measure((a, b), games, args.rounds, level, seconds=args.seconds, core=core)
    if counted:
        count_instructions((a, b), games, results)
    loaded = load.too_much and not args.under_load
    verdicts = {name: judged(result, loaded) for name, result in results.items()}
    rows = rows_of(results, verdicts)
    print(f"A: {a.label} ({a.about})\nB: {b.label} ({b.about})\n")
    print("\n".join(report.markdown(rows) if args.markdown else report.aligned(rows, left=(0, 5))))
    red, open_ = sum(one.bad for one in verdicts.values()), sum(one.unjudged for one in verdicts.values())
    print(f"\n{len(rows) - 1} cases, {args.rounds} rounds, level {level}: {red} red, {open_} not judged; {load}")
    if load.too_much:
        print(LOADED if loaded else f"{LOADED}; judged all the same, as --under-load asks")
    if any(one.exact[0] != one.exact[1] for one in results.values()):
        print("if other work was meant: make counts and make signatures accept it")
    if args.json:
        args.json.write_text(json.dumps(as_data((a, b), results, verdicts, load), indent=1) + "\n", encoding="utf-8")
    return 1 if red else 3 if open_ and not args.allow_unjudged else 0


def main(argv: list[str] | None = None) -> int:
    """The command; see the top of the file."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("a", metavar="A", help="the old side")
    parser.add_argument("b", metavar="B", nargs="?", default=".", help="the new side (default: the working tree)")
    parser.add_argument("-k", "--keyword", default="", metavar="TEXT", help="the cases whose names contain this")
    parser.add_argument("--rounds", type=int, default=15, help="processes of each side (default 15)")
    parser.add_argument("--seconds", type=float, default=0.1, help="for each case in each process (default 0.1)")
    parser.add_argument("--core", type=int, help="which core (default: the last)")
    parser.add_argument("--level", choices=available_levels(), help="CPU level (default: the highest)")
    parser.add_argument("--no-instructions", action="store_true", help="do not count instructions")
    parser.add_argument("--under-load", action="store_true", help="judge times although others use the machine")
    parser.add_argument("--allow-unjudged", action="store_true", help="status 0 though something was not judged")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write everything that was measured")
    parser.add_argument("--markdown", action="store_true", help="print the table for a pull request")
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
