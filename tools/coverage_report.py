"""Lines of Python and of the kernels that the tests run, measured in a copy of the tree (build/coverage).

    python tools/coverage_report.py            both, then a table
    python tools/coverage_report.py --kernels  the kernels alone

The kernels are compiled with line tracing and debug checks, and Cython's plugin for coverage.py notes the lines. A
traced line costs some hundred times the line itself, so that they run through the tests of small positions only. The
plugin cannot report lines of .pxd files; which lines there are is read here from the generated C, for all files.
"""

import argparse
import os
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path

from sanitize import copy_tree

ROOT = Path(__file__).resolve().parents[1]
TREE = ROOT / "build" / "coverage"
LEFT_OUT = ("tests/project/test_foundation.py", "tests/bench")
# Tests of small positions, and which of each file.
SMALL = {
    "tests/project/test_fuzz_corpus.py": "",
    "tests/batch/test_threads.py": "",
    "tests/rows": "",
    "tests/hearts/test_view.py": "",
    "tests/hearts/test_solve.py": "",
    "tests/hearts/test_simulate.py": "no_rounds or scalar_and or fails or partial or match_is or choices",
    "tests/hexapawn/test_position.py": "",
    "tests/hexapawn/test_solve.py": "small_boards or tiny_tables or full_table or analyse or out_of_moves or any_shape",
    "tests/duel/test_position.py": "",
    "tests/duel/test_solve.py": "node_limit or (line_keeps and 7) or best_first or lowest or tiny or suits or hundreds",
    "tests/batch/test_games.py": "",
}
SECONDS = 240  # for each of these: what it ran by then counts
CONFIGURATION = """\
[run]
source = gamecore
parallel = True
concurrency = thread, multiprocessing
patch = subprocess
data_file = {tree}/.coverage
omit = */gamecore/reference/*
{more}
[report]
exclude_also =
    if TYPE_CHECKING:
    raise NotImplementedError
"""


def pytest(level: str, arguments: list[str], seconds: float | None = None) -> None:
    """Run tests under coverage; what fails or takes too long is said, and counts as far as it came."""
    environment = os.environ | {"PYTHONPATH": str(TREE), "GAMECORE_SIMD": level}
    command = [sys.executable, "-m", "coverage", "run", "-m", "pytest", "-q", "-p", "no:cacheprovider", *arguments]
    with subprocess.Popen(command, cwd=TREE, env=environment, stdout=subprocess.PIPE, text=True) as process:
        try:
            out, _ = process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGINT)  # pytest ends, coverage saves what it has
            out, _ = process.communicate()
    print(" ".join(arguments[:1]), out.strip().splitlines()[-1] if out.strip() else "(stopped)", flush=True)


def report(name: str) -> None:
    """Join what the processes saved, and print it."""
    for arguments in (["combine", "--quiet"], ["report", "--skip-covered", "--show-missing"]):
        subprocess.run([sys.executable, "-m", "coverage", *arguments], cwd=TREE, check=False)
    (TREE / ".coverage").rename(TREE / f"coverage-{name}.data")


def python_lines(level: str) -> None:
    """Everything but the nightly tests, on the kernels as they are in the tree."""
    (TREE / ".coveragerc").write_text(CONFIGURATION.format(tree=TREE, more=""), encoding="utf-8")
    for path in (ROOT / "gamecore").rglob("*.so"):
        shutil.copy2(path, TREE / path.relative_to(ROOT))
    pytest(level, ["tests", *(f"--ignore={name}" for name in LEFT_OUT)])
    report("python")
    for path in (TREE / "gamecore").rglob("*.so"):
        path.unlink()


def kernel_lines(level: str) -> None:
    """The small tests on traced kernels of one level."""
    (TREE / ".coveragerc").write_text(
        CONFIGURATION.replace("= gamecore", "= pyx").format(tree=TREE, more="plugins = tools.cython_coverage"),
        encoding="utf-8",
    )
    environment = os.environ | {"GAMECORE_COVERAGE": "1", "GAMECORE_DEBUG": "1", "GAMECORE_LEVELS": level}
    command = [sys.executable, "setup.py", "--quiet", "build_ext", "--inplace"]
    subprocess.run(command, cwd=TREE, env=environment, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    for name, which in SMALL.items():
        pytest(level, [name, *(["-k", which] if which else [])], SECONDS)
    subprocess.run([sys.executable, "-m", "coverage", "combine", "--quiet"], cwd=TREE, check=False)
    kernel_table(level)


def traced_lines(level: str) -> dict[str, set[int]]:
    """The lines of each source that can be noted: those with a trace call in the C, less the heads of functions."""
    lines: dict[str, set[int]] = {}
    for source in sorted((TREE / "build" / "cython" / f"{level}-debug").glob("*.c")):
        name = ""
        with source.open(encoding="utf-8", errors="replace") as file:
            for line in file:
                if place := re.match(r'\s*/\* "([^"]+)":\d+$', line):
                    name = place[1] if place[1].startswith("pyx/") else f"pyx/{place[1]}"
                elif (traced := re.search(r"__Pyx_TraceLine\((\d+),", line)) and (TREE / name).is_file():
                    lines.setdefault(name, set()).add(int(traced[1]))
    for name, numbers in lines.items():
        text = (TREE / name).read_text(encoding="utf-8").splitlines()
        numbers -= {n for n in numbers if re.match(r"\s*(cdef |def ).*[:,(]$|\s*@", text[n - 1])}
    return lines


def kernel_table(level: str) -> None:
    """A line for each source: lines, lines run, and those that were not."""
    import coverage

    data = coverage.CoverageData(str(TREE / ".coverage"))
    data.read()
    run = {Path(name).relative_to(TREE).as_posix(): set(data.lines(name) or ()) for name in data.measured_files()}
    total = done = 0
    for name, numbers in sorted(traced_lines(level).items()):
        missing = sorted(numbers - run.get(name, set()))
        total, done = total + len(numbers), done + len(numbers) - len(missing)
        share = 100 - 100 * len(missing) / len(numbers)
        print(f"{name:<28}{len(numbers):>5} {share:6.1f}%  {' '.join(map(str, missing))}")
    print(f"{'all kernels':<28}{total:>5} {100 * done / max(1, total):6.1f}%")


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kernels", action="store_true")
    parser.add_argument("--python", action="store_true")
    args = parser.parse_args()
    sys.path.insert(0, str(ROOT))
    from gamecore import kernels

    level = kernels.available_levels()[-1]
    TREE.mkdir(parents=True, exist_ok=True)
    copy_tree(TREE)
    if not args.kernels:
        python_lines(level)
    if not args.python:
        kernel_lines(level)
    return 0


if __name__ == "__main__":
    sys.exit(main())
