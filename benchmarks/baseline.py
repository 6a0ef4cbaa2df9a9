"""Save a run of the benchmarks as a baseline, and compare a run with one.

    python benchmarks/baseline.py save       run `pytest --benchmark`, write benchmarks/results/<version>.json
    python benchmarks/baseline.py compare    run it and compare with the last saved one

Further options go to pytest (``-k duel``, ``--slow``). Machines differ and are noisy, so a native benchmark is judged
by its ratio to its group's slowest reference version *in the same run*, by the fastest rounds of both: it fails when
that ratio is more than 1.5 times worse than in the baseline. (Groups without a reference: by how much the references of
the whole run have moved.) What seems to fail is run again, twice at most, and has to fail every time. A benchmark of
the baseline that is missing from the run fails too. A baseline keeps the best of two runs (``--runs``), for a lucky or
unlucky moment in it would be with us for long: save it on a quiet machine.

Exit status: 0 nothing is slower or missing; 1 something is, or a benchmark failed; 2 no baseline, or a damaged one.
"""

import argparse
import importlib.util
import json
import os
import platform
import subprocess
import sys
import tempfile
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from statistics import median

from gamecore import GamecoreError, build_info
from gamecore.cli.bench_plot import FORMAT, Baseline, Record, read_baseline, slowest_reference

ROOT = Path(__file__).parents[1]
RESULTS = Path(__file__).parent / "results"
LIMIT = 1.5  # times slower: fails
TOLD = 1.2  # times slower or faster: printed

spec = importlib.util.spec_from_file_location("gamecore_benchmark_report", Path(__file__).with_name("report.py"))
report = importlib.util.module_from_spec(spec)
spec.loader.exec_module(report)


# --- reading and writing -----------------------------------------------------------------------------------------


def machine() -> dict[str, object]:
    """The processor's name and the number of cores."""
    name = platform.processor() or platform.machine()
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines()
        name = next(line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        pass
    return {"cpu": name, "cores": os.cpu_count()}


def this_run(records: list[Record], arguments: list[str]) -> Baseline:
    """A run of this process's machine and build."""
    info = build_info()
    saved = datetime.now(UTC).isoformat(timespec="seconds")
    fields = {**asdict(info), "levels": list(info.levels)}
    return Baseline(info.gamecore, saved, tuple(arguments), fields, machine(), tuple(records))


def write_baseline(path: Path, baseline: Baseline) -> None:
    """Write it whole or not at all."""
    data = asdict(baseline)
    data["benchmarks"] = sorted(data.pop("records"), key=lambda one: one["name"])
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_suffix(".unfinished")
    unfinished.write_text(json.dumps({"format": FORMAT, **data}, indent=1) + "\n", encoding="ascii")
    unfinished.replace(path)


def last_saved(directory: Path = RESULTS) -> Path | None:
    """The baseline that was saved last, or None.

    Raises:
        GamecoreError: a file among them is damaged.
    """
    paths = sorted(directory.glob("[0-9]*.json"))
    return max(paths, key=lambda path: read_baseline(path).saved, default=None)


def run_benchmarks(arguments: list[str]) -> tuple[list[Record], bool]:
    """Run ``pytest --benchmark`` with more arguments; its records, and whether all benchmarks passed."""
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory) / "run.json"
        command = [sys.executable, "-m", "pytest", "--benchmark", f"--benchmark-json={path}", "-q", *arguments]
        status = subprocess.run(command, cwd=ROOT, check=False).returncode
        found = json.loads(path.read_text(encoding="utf-8"))["benchmarks"] if path.exists() else []
    return [from_json(one) for one in found], status == 0


def best_of(runs: list[list[Record]]) -> list[Record]:
    """The fastest record of each benchmark: noise only adds."""
    fastest: dict[str, Record] = {}
    for one in (record for run in runs for record in run):
        if one.name not in fastest or one.best < fastest[one.name].best:
            fastest[one.name] = one
    return list(fastest.values())


def from_json(one: dict) -> Record:
    """A record from an entry of pytest-benchmark's JSON."""
    return report.record(
        one["fullname"], one["group"], one["extra_info"], one["stats"]["median"], one["stats"]["min"]
    )


# --- comparing ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Change:
    """How a benchmark moved since the baseline.

    Attributes:
        now, then: its records; None when it is new or missing.
        factor: times slower (below 1: faster) by ratio; None where nothing can be said.
        measure: what the ratio is to. gated: whether the limit (times slower) holds for it.
    """

    now: Record | None
    then: Record | None
    factor: float | None = None
    measure: str = ""
    gated: bool = False
    limit: float = LIMIT

    @property
    def name(self) -> str:
        """The benchmark."""
        return (self.now or self.then).name

    @property
    def slower(self) -> bool:
        """Whether the gate says no."""
        return self.gated and self.factor is not None and self.factor > self.limit


def other_machine(now: Baseline, then: Baseline) -> str | None:
    """What differs between the two runs' machine, Python or CPU level, in words; None when nothing does."""
    mine, theirs = ([*one.machine.values(), one.build_info.get("platform")] for one in (now, then))
    told = []
    if mine != theirs:
        told.append(f"machine ({then.machine.get('cpu')}, {then.machine.get('cores')} cores)")
    python, before = (str(one.build_info.get("python")) for one in (now, then))
    if python.split(".")[:2] != before.split(".")[:2]:
        told.append(f"Python ({before})")
    if now.build_info.get("level") != then.build_info.get("level"):
        told.append(f"CPU level ({then.build_info.get('level')})")
    return " and ".join(told) or None


def compare(now: Baseline, then: Baseline, limit: float = LIMIT) -> list[Change]:
    """Every benchmark of either run, in the order of the baseline, new ones last."""
    mine, theirs = ({one.name: one for one in run.records} for run in (now, then))
    drift = _drift(mine, theirs)
    same_machine = other_machine(now, then) is None
    measures: dict[str, Record | None] = {}
    changes = []
    for name, old in theirs.items():
        new = mine.get(name)
        if new is None:
            changes.append(Change(None, old, gated=True))
            continue
        if old.group not in measures:
            both = [one for one in theirs.values() if one.group == old.group and one.name in mine]
            measures[old.group] = slowest_reference(both)
        measure = measures[old.group]
        if measure is not None and measure.name != name:
            by = mine[measure.name].best / measure.best
            changes.append(Change(new, old, new.best / old.best / by, measure.version, old.kind == "native", limit))
        elif measure is None and drift is not None:
            gated = old.kind == "native" and same_machine
            changes.append(Change(new, old, new.best / old.best / drift, "the run's references", gated, limit))
        else:
            changes.append(Change(new, old))
    return changes + [Change(one, None) for name, one in mine.items() if name not in theirs]


def _drift(mine: dict[str, Record], theirs: dict[str, Record]) -> float | None:
    """How much slower the machine is now than then, by the references that both runs have."""
    moved = [mine[name].best / old.best for name, old in theirs.items() if name in mine and old.kind == "reference"]
    return median(moved) if moved else None


def verdicts(changes: list[Change]) -> dict[str, str]:
    """By name, times slower by ratio: ``x1.04``, ``x1.72 SLOWER`` (fails), ``x0.5 faster``; or ``new``, ``measure``."""
    words = {}
    for change in changes:
        if change.now is None:
            continue
        if change.then is None:
            words[change.name] = "new"
        elif change.factor is None:
            words[change.name] = "measure" if change.now.kind != "native" else "?"
        else:
            word = " SLOWER" if change.slower else " slower" if change.factor > change.limit else ""
            word = " faster" if change.factor < 1 / change.limit else word
            words[change.name] = f"x{change.factor:.2f}{word}"
    return words


def moved(changes: list[Change], same_machine: bool) -> list[str]:
    """Lines on what is missing, new, or has moved by more than a fifth; worst first."""
    lines = [f"MISSING  {change.name}" for change in changes if change.now is None]
    known = [change for change in changes if change.factor is not None]
    for change in sorted(known, key=lambda one: -one.factor):
        if 1 / TOLD <= change.factor <= TOLD:
            continue
        word = "SLOWER " if change.slower else "slower " if change.factor > 1 else "faster "
        times = f"{report.duration(change.then.best)} -> {report.duration(change.now.best)}" if same_machine else ""
        by = f"by its ratio to {change.measure}"
        lines.append(f"{word}  x{change.factor:.2f}  {change.name}  {by}{', ' + times if times else ''}")
    return lines + [f"new      {change.name}" for change in changes if change.then is None]


def confirm(changes: list[Change], then: Baseline, limit: float = LIMIT, rerun=run_benchmarks) -> list[Change]:
    """Run groups that seem slower again, twice at most: noise only adds, so the best ratio of the runs counts."""
    best = {change.name: change for change in changes}
    for _ in range(2):
        groups = {change.then.group for change in best.values() if change.slower}
        names = [change.name for change in best.values() if change.then and change.now and change.then.group in groups]
        if not groups:
            break
        print(f"again, to be sure: {', '.join(sorted(groups))}", flush=True)
        records, _ = rerun(names)
        for change in compare(this_run(records, []), then, limit):
            old = best.get(change.name)
            if change.now and change.then and old.slower and change.factor and change.factor < old.factor:
                best[change.name] = change
    return list(best.values())


# --- the command -------------------------------------------------------------------------------------------------


def save(directory: Path, arguments: list[str], count: int, allow_debug: bool) -> int:
    """Run and save; nothing is written unless every benchmark passes every time."""
    if build_info().debug and not allow_debug:
        raise GamecoreError("this is a debug build: no baseline is made of it")
    runs = []
    for _ in range(count):
        found, passed = run_benchmarks(arguments)
        if not passed or not found:
            print("baseline: not saved, for a benchmark failed or none was run", file=sys.stderr)
            return 1
        runs.append(found)
    records = best_of(runs)
    path = directory / f"{build_info().gamecore}.json"
    write_baseline(path, this_run(records, arguments))
    print(f"baseline: {len(records)} benchmarks saved as {path}")
    return 0


def check(path: Path | None, directory: Path, arguments: list[str], limit: float) -> int:
    """Run and compare with a baseline; it is read first, so that a bad one costs no run."""
    path = path or last_saved(directory)
    if path is None:
        raise GamecoreError(f"no baseline in {directory}: make baseline saves one")
    then = read_baseline(path)
    records, passed = run_benchmarks(arguments)
    now = this_run(records, arguments)
    difference = other_machine(now, then)
    changes = compare(now, then, limit)
    narrowed = bool(arguments) and tuple(arguments) != then.arguments
    if narrowed:
        changes = [change for change in changes if change.now is not None]
    if difference:
        print(f"\nbaseline {then.version} is of another {difference}: compared by ratios only")
    changes = confirm(changes, then, limit)
    print(f"\nagainst the baseline {then.version} of {then.saved}:")
    print("\n".join(moved(changes, not difference)) or "nothing moved by more than a fifth")
    if narrowed:
        print(f"narrowed by {' '.join(arguments)}: benchmarks of the baseline that were not run are not missed")
    slower, missing = sum(one.slower for one in changes), sum(one.now is None for one in changes)
    print(f"{len(changes)} compared, {slower} slower by more than {limit}, {missing} missing")
    if not passed:
        print("compare: a benchmark failed", file=sys.stderr)
    return int(bool(slower or missing or not passed))


def main(argv: list[str] | None = None) -> int:
    """The command; see the top of the file."""
    parser = argparse.ArgumentParser(description="Save and compare baselines of the benchmarks.", allow_abbrev=False)
    parser.add_argument("task", choices=("save", "compare"))
    parser.add_argument("--results", type=Path, default=RESULTS, help="directory of the baselines")
    parser.add_argument("--baseline", type=Path, help="compare with this file, not with the last saved one")
    parser.add_argument("--runs", type=int, default=2, metavar="N", help="save: the best of N runs (default 2)")
    parser.add_argument("--limit", type=float, default=LIMIT, help="compare: times slower that fails (default 1.5)")
    parser.add_argument("--allow-debug", action="store_true", help="save a baseline of a debug build")
    args, arguments = parser.parse_known_args(argv)
    try:
        if args.task == "save":
            return save(args.results, arguments, max(1, args.runs), args.allow_debug)
        return check(args.baseline, args.results, arguments, args.limit)
    except GamecoreError as error:
        print(f"{args.task}: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print(f"{args.task}: interrupted", file=sys.stderr)
        return 130


if __name__ == "__main__":
    sys.exit(main())
