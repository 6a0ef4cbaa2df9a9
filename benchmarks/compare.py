"""Save runs of the benchmarks, and compare a run with a saved one.

    python benchmarks/compare.py save       run the suites in three sessions and save them, with pytest-benchmark
    python benchmarks/compare.py compare    run them likewise and judge them against the sessions saved last

Further options go to pytest (``-k duel``, ``--slow``); a narrowed run adds the references that its groups need.

Work that is the same on every machine (nodes, table stores, checksums) is compared with benchmarks/counts.json exactly,
whatever the clock says. A native benchmark's time is judged by its ratio to its group's reference in the same session
(processor time, or wall time where several threads work), with a 95% interval over the sessions: slower or faster
when the whole interval is beyond 5%, equal when it is within, else there is not enough evidence. To tell two revisions
apart, use ab.py, which runs both in turn.

Exit status: 0 nothing is slower, does more work, failed or is missing; 1 something is; 3 something could not be judged
(--allow-unjudged: 0); 2 no saved run, or a damaged one.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from datetime import UTC, datetime
from pathlib import Path

from comparing import judging, machine, records, register, report
from comparing.records import Run

from gamecore import GamecoreError, build_info

ROOT = Path(__file__).resolve().parents[1]
STORAGE = ROOT / ".benchmarks"
RESULTS = ROOT / "benchmarks" / "results"
SESSIONS = 3


def run_suites(arguments: list[str], path: Path) -> tuple[Run | None, str]:
    """One session in a process of its own: its run (None: no benchmark ran), and what failed, in pytest's words."""
    command = [sys.executable, "-m", "pytest", "--benchmark", f"--benchmark-json={path}", "-q", *arguments]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    lines = result.stdout.splitlines() + result.stderr.splitlines()
    failed = "\n".join(line for line in lines if line.startswith(("FAILED", "ERROR", "E  ")))
    if result.returncode not in (0, 1):
        failed = "\n".join(lines[-20:])
    if not path.exists() or not path.stat().st_size:
        return None, failed or "\n".join(lines[-20:])
    return records.read_session(path), failed


def run_sessions(arguments: list[str], count: int) -> tuple[Run, str]:
    """Several sessions as one run.

    Raises:
        GamecoreError: a session ran no benchmark at all.
    """
    runs, failures = [], ""
    with tempfile.TemporaryDirectory() as directory:
        for number in range(1, count + 1):
            print(f"session {number} of {count}", flush=True)
            run, failed = run_suites(arguments, Path(directory) / f"{number}.json")
            failures = failures or failed
            if run is None:
                raise GamecoreError(f"no benchmark ran:\n{failed}")
            runs.append(run)
    return records.together(runs), failures


def saved_sessions(storage: Path = STORAGE, results: Path = RESULTS) -> list[Path]:
    """The files of the run that was saved last: all of one label in pytest-benchmark's storage, or a release's."""
    files = sorted(storage.glob("*/[0-9]*_gamecore-*.json"), key=lambda path: (path.stem.partition("_")[2], path.stem))
    if files:
        label = files[-1].stem.partition("_")[2]
        return [path for path in files if path.stem.partition("_")[2] == label]
    return sorted(results.glob("[0-9]*.json"), key=lambda path: records.read_session(path).saved)[-1:]


def save(arguments: list[str], sessions: int, allow_debug: bool, release: bool) -> int:
    """Run and save; nothing is saved unless every benchmark passes in every session."""
    if build_info().debug and not allow_debug:
        raise GamecoreError("this is a debug build: no baseline is made of it")
    label = f"gamecore-{build_info().gamecore}-{datetime.now(UTC):%Y%m%dT%H%M%S}"
    saved: list[Path] = []
    with tempfile.TemporaryDirectory() as directory:
        for number in range(1, sessions + 1):
            print(f"session {number} of {sessions}", flush=True)
            path = Path(directory) / f"{number}.json"
            run, failed = run_suites([*arguments, f"--benchmark-save={label}", "--benchmark-storage=.benchmarks"], path)
            saved = list(STORAGE.glob(f"*/*_{label}.json"))
            if failed or run is None:
                for one in saved:
                    one.unlink()
                print(f"compare: nothing is saved, for a benchmark failed or none was run\n{failed}", file=sys.stderr)
                return 1
        if release:
            data = json.loads(path.read_text(encoding="utf-8"))
            for one in data["benchmarks"]:
                one["stats"].pop("data", None)
            (RESULTS / f"{build_info().gamecore}.json").write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")
    print(f"{len(run.records)} benchmarks saved in {len(saved)} sessions: {', '.join(map(str, sorted(saved)))}")
    return 0


def verdicts_of(now: Run, then: Run, known: register.Register) -> dict[str, judging.Verdict]:
    """All verdicts; on another machine, times are not judged."""
    of_time = judging.times(now, then)
    if difference := machine.difference(now, then):
        text = f"not judged: the saved run is of another {difference}"
        of_time = {name: judging.Verdict(name, text, unjudged=True) for name in of_time}
    return judging.joined(judging.work(now.records, known), of_time)


def summary(now: Run, then: Run, verdicts: dict[str, judging.Verdict], failed: str) -> tuple[list[str], int]:
    """The lines below the tables, and the exit status without --allow-unjudged."""
    missing = sorted(now.missing)
    bad = [one for one in verdicts.values() if one.bad]
    unjudged = [one for one in verdicts.values() if one.unjudged and not one.bad]
    lines = [f"MISSING     {name}" for name in missing]
    lines += [f"RED         {one.name}: {one.text}" for one in bad]
    lines += [f"not judged  {one.name}: {one.text}" for one in unjudged]
    lines += [f"green       {one.name}: {one.text}" for one in verdicts.values() if one.good and not one.bad]
    lines += [failed] if failed else []
    if any("nodes" in one.text or "checksum" in one.text or "replacements" in one.text for one in verdicts.values()):
        lines.append(f"if other work was meant: {register.ACCEPT}, and say why in the change")
    equal = len(verdicts) - len(bad) - len(unjudged)
    lines.append(
        f"against {then.version} of {then.saved}: {len(verdicts)} judged benchmarks, {equal} in order, "
        f"{len(bad)} red, {len(unjudged)} not judged, {len(missing)} missing"
    )
    return lines, 1 if bad or missing or failed else 3 if unjudged or not verdicts else 0


def compare(arguments: list[str], paths: list[Path], sessions: int, allow_unjudged: bool) -> int:
    """Run and compare with saved sessions; they are read first, so that a bad file costs no run."""
    paths = paths or saved_sessions()
    if not paths:
        raise GamecoreError("no run is saved: make baseline saves one")
    then = records.together([records.read_session(path) for path in paths])
    known = register.read()
    now, failed = run_sessions(arguments, sessions)
    verdicts = verdicts_of(now, then, known)
    lines, status = summary(now, then, verdicts, failed)
    print("\n".join([*report.group_tables(now.records.values(), verdicts, f"against {then.version}"), "", *lines]))
    return 0 if status == 3 and allow_unjudged else status


def main(argv: list[str] | None = None) -> int:
    """The command; see the top of the file."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False
    )
    parser.add_argument("task", choices=("save", "compare"))
    parser.add_argument("--sessions", type=int, default=SESSIONS, metavar="N", help="runs of the suites (default 3)")
    parser.add_argument("--baseline", type=Path, nargs="+", default=[], metavar="FILE", help="compare with these files")
    parser.add_argument(
        "--allow-unjudged", action="store_true", help="compare: status 0 though something was not judged"
    )
    parser.add_argument("--allow-debug", action="store_true", help="save: a debug build too")
    parser.add_argument("--release", action="store_true", help="save: write benchmarks/results/<version>.json too")
    args, arguments = parser.parse_known_args(argv)
    try:
        if args.task == "save":
            return save(arguments, args.sessions, args.allow_debug, args.release)
        return compare(arguments, args.baseline, args.sessions, args.allow_unjudged)
    except GamecoreError as error:
        print(f"{args.task}: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print(f"{args.task}: interrupted", file=sys.stderr)
        return 130


if __name__ == "__main__":
    sys.exit(main())
