"""Plant the faults of tests/mutants.toml, one at a time, and see that the tests named beside each turn red.

    python tools/mutants.py                    all of them, in as many processes as there are cores
    python tools/mutants.py --sample 10        ten, chosen by the hash of the committed tree
    python tools/mutants.py -k pyx/duel        those whose file or reason has this text
    python tools/mutants.py --file MORE.toml   another list

A fault is planted in a copy of the tree; one in a kernel's sources is compiled there, for the highest level that this
processor has of that kernel. Left out are rows with ``level`` where it is missing, and rows whose tests are all skipped
for want of a package. Rows with ``nightly`` need tests marked so, and are in no sample. Exit status 1: a fault that no
test found, a row that does not fit the sources, or nothing but rows left out.
"""

import argparse
import functools
import os
import queue
import random
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from gamecore.kernels import available_levels, level_of  # noqa: E402

LEFT_OUT = shutil.ignore_patterns(".git", ".venv", "__pycache__", ".*_cache", "site", "sanitize-*", "lib.*", "temp.*")
LONGEST = 300  # seconds that the tests of a fault may take: a fault that makes them hang is found


def kernels(row: dict) -> list[str]:
    """Return the compiled modules that a row's file is part of; ``kernels`` names those of a shared file."""
    path = Path(row["file"])
    if path.parts[0] != "pyx":
        return []
    name = path.name if len(path.parts) == 2 or path.parts[1] == "simd" else path.parts[1]
    return row.get("kernels") or [name.partition(".")[0].partition("_")[0]]


def report(step: str) -> None:
    """Say on stderr what begins, since a kernel and its tests may take minutes."""
    print(f"       {step}", file=sys.stderr, flush=True)


def build(tree: Path, names: list[str]) -> str:
    """Compile kernels for their highest level here; return the compiler's message if that fails."""
    for name in names:
        level = level_of(name) or "baseline"
        report(f"building {name} at {level}")
        environment = os.environ | {"GAMECORE_ONLY": name, "GAMECORE_LEVELS": level}
        command = [sys.executable, "setup.py", "--quiet", "build_ext", "--inplace"]
        result = subprocess.run(command, cwd=tree, env=environment, capture_output=True, text=True, check=False)
        if result.returncode:
            return f"does not compile: {result.stderr.strip()[-300:]}"
    return ""


@functools.cache
def is_green(tree: Path, tests: tuple[str, ...], is_rare: bool) -> bool:
    """Return True if the tests pass, or are left out, without a fault."""
    return run_tests(tree, tests, is_rare).startswith(("not found", "left out"))


def run_tests(tree: Path, tests: tuple[str, ...], is_rare: bool) -> str:
    """Return what the tests said: an empty text if one of them turned red. ``is_rare``: nightly tests of files, too."""
    report(f"testing by {' '.join(tests)}")
    environment = os.environ | {"PYTHONPATH": str(tree), "PYTHONDONTWRITEBYTECODE": "1"}
    rare = ["-m", ""] if is_rare or any("::" in test for test in tests) else []
    command = [sys.executable, "-m", "pytest", "-x", "-q", *rare, "-p", "no:cacheprovider", *tests]
    try:
        result = subprocess.run(
            command, cwd=tree, env=environment, capture_output=True, text=True, timeout=LONGEST, check=False
        )
    except subprocess.TimeoutExpired:
        return ""
    last = result.stdout.strip().rpartition("\n")[2]
    # A package is missing. If a file skips itself and one of its tests was named, pytest's status is 4.
    if "skipped" in last and not any(word in last for word in ("passed", "failed", "error")):
        return f"left out: {last}"
    if result.returncode > 1:
        return f"the tests do not run: {last or result.stderr.strip()[-300:]}"
    return "" if result.returncode else f"not found: {last}"


def check(row: dict, tree: Path, *, is_sample: bool) -> str:
    """Plant one fault in a tree and take it out again; return why it was not found, or an empty text."""
    path = tree / row["file"]
    text = path.read_text(encoding="utf-8")
    if text.count(row["old"]) != 1:
        return f"the old text stands {text.count(row['old'])} times in the file"
    if row.get("level", "baseline") not in available_levels():
        return f"left out, since this processor has no {row['level']}"
    tests, is_rare = tuple(row["tests"]), row.get("nightly", False)
    if not is_sample and not is_green(tree, tests, is_rare):
        return "the tests are red without the fault"
    modules = [module for name in kernels(row) for module in tree.glob(f"gamecore/kernels/*/{name}.*.so")]
    contents = [module.read_bytes() for module in modules]
    path.write_text(text.replace(row["old"], row["new"]), encoding="utf-8")
    try:
        return build(tree, kernels(row)) or run_tests(tree, tests, is_rare)
    finally:
        path.write_text(text, encoding="utf-8")
        for module, content in zip(modules, contents, strict=True):
            module.write_bytes(content)


def main() -> int:
    """Check the rows that were asked for, and print a line for each."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--file", type=Path, default=ROOT / "tests" / "mutants.toml", help="the list")
    parser.add_argument("--sample", type=int, metavar="N", help="so many rows, chosen by the committed tree")
    parser.add_argument("-k", metavar="TEXT", default="", help="only rows whose file or reason has this text")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="faults at the same time")
    arguments = parser.parse_args()
    rows = tomllib.loads(arguments.file.read_text(encoding="utf-8"))["mutant"]
    rows = [row for row in rows if arguments.k in row["file"] or arguments.k in row["why"]]
    if arguments.sample:
        head = subprocess.run(
            ["git", "rev-parse", "HEAD^{tree}"], cwd=ROOT, capture_output=True, text=True, check=False
        )
        rows = [row for row in rows if not row.get("nightly")]
        rows = random.Random(head.stdout).sample(rows, min(arguments.sample, len(rows)))
    if not rows:
        parser.error(f"no fault has {arguments.k!r} in its file or reason")
    trees: queue.Queue[Path] = queue.Queue()
    failures, left_out = 0, 0
    with tempfile.TemporaryDirectory(prefix="gamecore-mutants-") as folder:
        for number in range(min(arguments.jobs, len(rows))):
            trees.put(shutil.copytree(ROOT, Path(folder, str(number)), ignore=LEFT_OUT))

        def check_in_a_tree(row: dict) -> tuple[str, float]:
            tree, begun = trees.get(), time.monotonic()
            try:
                return check(row, tree, is_sample=bool(arguments.sample)), time.monotonic() - begun
            finally:
                trees.put(tree)

        with ThreadPoolExecutor(len(trees.queue)) as pool:
            for row, (problem, seconds) in zip(rows, pool.map(check_in_a_tree, rows), strict=True):
                is_left_out = problem.startswith("left out")
                left_out += is_left_out
                failures += bool(problem) and not is_left_out
                print(f"{seconds:4.0f} s  {problem or 'found'}: {row['file']}: {row['why']}", flush=True)
    print(f"{len(rows) - left_out} faults planted, {failures} not found, {left_out} left out")
    return failures > 0 or left_out == len(rows)


if __name__ == "__main__":
    sys.exit(main())
