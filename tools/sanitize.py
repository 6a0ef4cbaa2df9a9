"""Build the kernels with sanitizers in a copy of the tree, and run the tests there at every CPU level.

    python tools/sanitize.py address             AddressSanitizer and UndefinedBehaviorSanitizer, GAMECORE_DEBUG=1
    python tools/sanitize.py thread              ThreadSanitizer, the tests of threads
    python tools/sanitize.py address --quick     one level, the tests that go through most code for their time
    python tools/sanitize.py address --no-nightly --jobs 2    without the nightly tests, in two processes
    python tools/sanitize.py address -- -k duel  what stands after -- goes to pytest

The copy is build/sanitize-KIND; it is kept, so that a second run compiles only what has changed. There are no
suppressions: any report ends the test's process and fails the run. Exit status 77: this machine has no sanitizer to
link with.
"""

import argparse
import os
import platform
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LEFT_OUT = 77
KINDS = {"address": "address,undefined", "thread": "thread"}
COPIED = ("gamecore", "pyx", "tests", "tools", "benchmarks", "examples", "docs")

# Leaks are measured by their own test: CPython keeps what it has made until the process ends.
OPTIONS = {
    "ASAN_OPTIONS": "detect_leaks=0:detect_stack_use_after_return=1:allocator_may_return_null=1:handle_segv=1",
    "UBSAN_OPTIONS": "print_stacktrace=1:halt_on_error=1",
    "TSAN_OPTIONS": "halt_on_error=1:exitcode=66",
    "PYTHONMALLOC": "malloc",
    "GAMECORE_SANITIZED": "1",  # tests that would measure the sanitizer skip themselves
}

# Tests of other things than the kernels: builds, saved figures, browsers, other people's libraries.
NOT_OURS = (
    "tests/project/test_foundation.py::test_sdist_to_wheel_to_install_elsewhere",
    "tests/bench",
    "tests/project/test_docs",
    "tests/project/test_notebooks.py",
    "tests/project/test_reliability_tools.py",
    "tests/project/test_supply_chain.py",
    "tests/project/test_workflows.py",
    "tests/explore/test_page",
    "tests/web",
    "tests/explore/test_load.py",
    "tests/adapters",
    "tests/cli/test_help.py::test_man_page",
)
# Tests of the baseline's kernels, which a run of other levels does not build.
OF_THE_BASELINE = (
    "tests/hearts/test_rules.py::test_every_level_traces_the_same_rounds",
    "tests/project/test_foundation.py::test_unknown_level_is_an_error_that_names_the_choices",
    "tests/project/test_unbuilt.py::test_a_kernel_that_is_missing_alone",
)
QUICK = (
    "tests/project/test_fuzz_corpus.py",  # small positions of every game through every kernel
    "tests/hearts/test_hostile_views.py",
    "tests/duel/test_position.py",
    "tests/hexapawn/test_position.py",
    "tests/rows/test_kernels.py",
    "tests/project/test_limits_hold.py",
    "tests/batch/test_odd_addresses.py",
    "tests/duel/test_threads.py::test_unfinished_games_in_threads",
    "--deselect=tests/project/test_limits_hold.py::test_nodes_are_held_exactly[300000-duel]",  # 15 s
)
THREADED = (
    "tests/batch/test_threads.py", "tests/duel/test_solve.py", "tests/duel/test_threads.py",
    "tests/hexapawn/test_threads.py", "tests/rows/test_solve.py", "tests/hearts/test_simulate.py",
    "-k", "thread or worker or eight or shared",
)  # fmt: skip


def library(name: str) -> str | None:
    """Path of a run-time library of the compiler, or None."""
    compiler = os.environ.get("CC", "gcc")
    if platform.system() != "Linux" or shutil.which(compiler) is None:
        return None
    found = subprocess.run([compiler, f"-print-file-name={name}"], capture_output=True, text=True, check=False)
    path = found.stdout.strip()
    return path if os.path.isabs(path) and os.path.exists(path) else None


def preloads(kind: str) -> str | None:
    """Return the libraries that the interpreter must load first; sanitizers need libstdc++ at the start, too."""
    names = {"address": ("libasan.so", "libubsan.so"), "thread": ("libtsan.so",)}[kind]
    paths = [library(name) for name in names]
    return None if None in paths else " ".join(filter(None, [*paths, library("libstdc++.so.6")]))


def copy_tree(tree: Path) -> None:
    """Copy the current sources; keep earlier builds."""
    for name in COPIED:
        shutil.rmtree(tree / name, ignore_errors=True)
        if (ROOT / name).exists():
            shutil.copytree(ROOT / name, tree / name, ignore=shutil.ignore_patterns("*.so", "__pycache__"))
    for path in ROOT.iterdir():
        if path.is_file() and not path.name.startswith(".stamp"):
            shutil.copy2(path, tree / path.name)


def build(tree: Path, kind: str, levels: str | None) -> None:
    """Compile in the copy."""
    environment = os.environ | {"GAMECORE_SANITIZE": KINDS[kind]}
    if kind == "address":
        environment["GAMECORE_DEBUG"] = "1"
    if levels:
        environment["GAMECORE_LEVELS"] = levels
    command = [sys.executable, "setup.py", "--quiet", "build_ext", "--inplace"]
    result = subprocess.run(
        command, cwd=tree, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False
    )
    if result.returncode:
        sys.exit(result.stdout.decode("utf-8", "replace")[-8000:])


def test(tree: Path, kind: str, level: str, arguments: list[str]) -> int:
    """Pytest's exit status at one CPU level."""
    preload = preloads(kind)
    assert preload is not None
    environment = os.environ | OPTIONS | {"LD_PRELOAD": preload, "GAMECORE_SIMD": level, "PYTHONPATH": str(tree)}
    print(f"--- {kind}, level {level}", flush=True)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *arguments]
    if kind == "thread" and shutil.which("setarch"):
        command = ["setarch", "-R", *command]  # ThreadSanitizer lays memory out its own way: no random addresses
    return subprocess.run(command, cwd=tree, env=environment, check=False).returncode


def options(words: list[str]) -> argparse.Namespace:
    """Parse the command line; ``rest`` has the words after ``--``."""
    parser = argparse.ArgumentParser(
        usage="%(prog)s [options] {address,thread} [-- PYTEST ...]",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("kind", choices=KINDS)
    parser.add_argument("--quick", action="store_true", help="one level, a part of the tests")
    parser.add_argument("--no-nightly", action="store_true", help="leave the nightly tests out")
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="processes of pytest (default 1)")
    parser.add_argument(
        "--levels",
        help="levels, with commas between them (default: all that this machine runs). No other level is built: tests "
        "that compare levels compare these alone, and without baseline the tests of its kernels are left out",
    )
    end = words.index("--") if "--" in words else len(words)
    args = parser.parse_args(words[:end])
    args.rest = words[end + 1 :]
    return args


def selection(args: argparse.Namespace, levels: list[str]) -> list[str]:
    """Return pytest's arguments: the words after ``--``, or the tests for this kind of run."""
    if args.rest:
        return list(args.rest)
    chosen = list(THREADED) if args.kind == "thread" else list(QUICK) if args.quick else ["tests"]
    chosen += [] if args.quick or args.no_nightly or args.kind == "thread" else ["-m", ""]
    chosen += ["--numprocesses", str(args.jobs), "--dist", "worksteal"] if args.jobs > 1 else []
    left_out = list(NOT_OURS)
    if "baseline" not in levels and "tests" in chosen:
        print(f"left out, since baseline is not built: {', '.join(OF_THE_BASELINE)}", flush=True)
        left_out += OF_THE_BASELINE
    return chosen + [f"--deselect={name}" for name in left_out]


def main() -> int:
    """Everything in order."""
    args = options(sys.argv[1:])
    if preloads(args.kind) is None:
        print(f"left out: this machine has no library for -fsanitize={KINDS[args.kind]}", file=sys.stderr)
        return LEFT_OUT
    sys.path.insert(0, str(ROOT))
    from gamecore import kernels

    levels = (args.levels or ",".join(kernels.available_levels())).split(",")
    if args.quick:
        levels = levels[-1:]
    tree = ROOT / "build" / f"sanitize-{args.kind}"
    tree.mkdir(parents=True, exist_ok=True)
    copy_tree(tree)
    build(tree, args.kind, ",".join(levels))
    chosen = selection(args, levels)
    statuses = [test(tree, args.kind, level, chosen) for level in levels]
    return max(statuses, key=abs)


if __name__ == "__main__":
    sys.exit(main())
