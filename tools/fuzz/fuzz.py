"""Coverage-guided fuzzing of every parser of foreign data, and of the kernels behind them.

    python tools/fuzz/fuzz.py --seconds 300            all targets (needs atheris: `pip install --group fuzz`)
    python tools/fuzz/fuzz.py duel_parse --runs 1000000
    python tools/fuzz/fuzz.py --parsers --runs 1000000 --seconds 3600    until either is reached

A target runs in a process of its own, starting from tests/data/corpus/TARGET; what it learns stays in build/fuzz. An
input that fails is written there as well (crash-*): put it into the corpus, and tests/project/test_fuzz_corpus.py keeps
it.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CORPUS = ROOT / "tests" / "data" / "corpus"
WORK = ROOT / "build" / "fuzz"
sys.path[:0] = [str(ROOT), str(Path(__file__).parent)]


def run_inside(name: str, arguments: list[str]) -> None:
    """Fuzz one target in this process; libFuzzer ends it."""
    import atheris

    with atheris.instrument_imports(include=["gamecore"]):
        import targets
    atheris.Setup([sys.argv[0], *arguments], targets.TARGETS[name])
    atheris.Fuzz()


def fuzz(name: str, seconds: float, runs: int) -> tuple[int, int]:
    """Fuzz one target in a process; return its status and the number of inputs."""
    learnt = WORK / name
    learnt.mkdir(parents=True, exist_ok=True)
    command = [sys.executable, __file__, "--inside", name, "--", str(learnt)]
    if (CORPUS / name).is_dir():
        command.append(str(CORPUS / name))
    command += [f"-artifact_prefix={WORK}/{name}-", "-print_final_stats=1", "-max_len=600", "-timeout=60"]
    command += [f"-runs={runs}"] if runs else []
    command += [f"-max_total_time={max(1, int(seconds))}"] if seconds else []
    with tempfile.TemporaryDirectory(dir="/dev/shm" if os.path.isdir("/dev/shm") else None) as scratch:
        environment = {**os.environ, "GAMECORE_FUZZ_SCRATCH": scratch}
        result = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False, env=environment)
    tried = re.search(r"number_of_executed_units:\s*(\d+)", result.stderr)
    if result.returncode:
        print(result.stdout[-4000:], result.stderr[-1500:], sep="\n", file=sys.stderr)
    return result.returncode, int(tried[1]) if tried else 0


def main() -> int:
    """Fuzz the chosen targets; return 1 if a fault was found."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("targets", nargs="*")
    parser.add_argument("--seconds", type=float, default=0.0, help="for all targets together")
    parser.add_argument("--runs", type=int, default=0, help="inputs for each target")
    parser.add_argument("--parsers", action="store_true", help="all parsers, without the kernels")
    parser.add_argument("--inside", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.inside:
        run_inside(args.inside, args.targets)
        return 0
    import targets

    chosen = args.targets or list(targets.PARSERS if args.parsers else targets.TARGETS)
    end = time.monotonic() + args.seconds
    faults = 0
    for place, name in enumerate(chosen):
        begun = time.monotonic()
        share = max(1.0, (end - begun) / (len(chosen) - place)) if args.seconds else 0.0
        failed, tried = fuzz(name, share, args.runs)
        seconds = time.monotonic() - begun
        print(f"{name:<22} {tried:>9} inputs  {seconds:6.0f} s  {'FAILED' if failed else 'clean'}", flush=True)
        faults += bool(failed)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
