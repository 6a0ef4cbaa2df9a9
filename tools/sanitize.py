"""Build the kernels with sanitizers in a copy of the tree, and run the tests there at every CPU level.

    python tools/sanitize.py address             AddressSanitizer and UndefinedBehaviorSanitizer, GAMECORE_DEBUG=1
    python tools/sanitize.py thread              ThreadSanitizer, the tests marked "threads"
    python tools/sanitize.py address --quick     one level, every kernel's small positions and a sample of its tests
    python tools/sanitize.py address --jobs 2 --levels v4 -- -k duel     what stands after -- goes to pytest

Games that gamecore.kit compiles are instrumented as well. The copy is build/sanitize-KIND; it is kept, so that a second
run compiles only what has changed. There are no suppressions: any report ends the test's process and fails the run.
Exit status 77: this machine has no sanitizer to link with.
"""

import argparse
import os
import platform
import shutil
import signal
import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
LEFT_OUT = 77
KINDS = {"address": "address,undefined", "thread": "thread"}
LIBRARIES = {"address": ("libasan.so", "libubsan.so"), "thread": ("libtsan.so",)}
COPIED = ("gamecore", "pyx", "tests", "tools", "benchmarks", "examples", "docs")

# Leaks are measured by their own test: CPython keeps what it has made until the process ends.
OPTIONS = {
    "ASAN_OPTIONS": "detect_leaks=0:detect_stack_use_after_return=1:allocator_may_return_null=1:handle_segv=1",
    "UBSAN_OPTIONS": "print_stacktrace=1:halt_on_error=1",
    "TSAN_OPTIONS": "halt_on_error=1:exitcode=66:die_after_fork=0",  # a test forks where threads have been
    "PYTHONMALLOC": "malloc",
    "GAMECORE_SANITIZED": "1",  # tests that would measure the sanitizer skip themselves
}
SMALL_POSITIONS = "tests/project/test_fuzz_corpus.py"  # of every game, through every kernel
KERNELS = [SMALL_POSITIONS, "tests/duel", "tests/hearts", "tests/hexapawn", "tests/kit", "tests/rows"]
# Tests of other things than compiled code: builds, saved figures, browsers, judged programs, other people's libraries.
NOT_OURS = (
    "bench", "adapters", "batch/test_dask.py", "explore", "judge", "project/test_docs.py",
    "project/test_supply_chain.py", "project/test_workflows.py",
)  # fmt: skip
# Tests of kernels of several levels, which a run of some levels does not build.
OF_ALL_LEVELS = (
    "tests/project/test_foundation.py::test_a_level_that_the_processor_does_not_run_is_an_import_error",
    "tests/project/test_foundation.py::test_unknown_level_is_an_error_that_names_the_choices",
    "tests/project/test_foundation.py::test_a_kernel_that_is_missing_alone",
)
STEP = 12  # --quick runs each 12th test of a file
MOST_SECONDS = 5.0  # that --quick runs a test


def preloads(kind: str) -> str | None:
    """Return the libraries that the interpreter must load first; None if one is missing."""
    paths = []
    if platform.system() != "Linux" or shutil.which("gcc") is None:
        return None
    for name in (*LIBRARIES[kind], "libstdc++.so.6"):
        path = subprocess.run(["gcc", f"-print-file-name={name}"], capture_output=True, text=True, check=True).stdout
        paths.append(path.strip())
    return " ".join(paths) if all(os.path.isabs(path) for path in paths) else None


def copy_and_build(tree: Path, kind: str, levels: list[str]) -> None:
    """Copy the current sources over earlier builds, and compile."""
    for name in COPIED:
        shutil.rmtree(tree / name, ignore_errors=True)
        if (ROOT / name).exists():
            shutil.copytree(ROOT / name, tree / name, ignore=shutil.ignore_patterns("*.so", "__pycache__", "__kit__"))
    for path in ROOT.iterdir():
        if path.is_file() and not path.name.startswith(".stamp"):
            shutil.copy2(path, tree / path.name)
    environment = os.environ | {"GAMECORE_SANITIZE": KINDS[kind], "GAMECORE_LEVELS": ",".join(levels)}
    environment["GAMECORE_DEBUG"] = "1" if kind == "address" else ""
    command = [sys.executable, "setup.py", "--quiet", "build_ext", "--inplace"]
    result = subprocess.run(command, cwd=tree, env=environment, capture_output=True, text=True, check=False)
    if result.returncode:
        sys.exit((result.stdout + result.stderr)[-8000:])


def instrumented_compiler(tree: Path, kind: str) -> Path:
    """Write a folder for the PATH whose C compiler adds the sanitizer's flags: gamecore.kit compiles games with it."""
    name = (sysconfig.get_config_var("CC") or "gcc").split()[0]
    folder = tree / "compiler"
    folder.mkdir(exist_ok=True)
    script = folder / Path(name).name
    flags = f"-fsanitize={KINDS[kind]} -fno-sanitize-recover=all -fno-omit-frame-pointer"
    # The sanitizer's libraries are of the test's process; the compiler's own does without.
    script.write_text(f'#!/bin/sh\nunset LD_PRELOAD\nexec {shutil.which(name)} {flags} "$@"\n', encoding="utf-8")
    script.chmod(0o755)
    return folder


def run_tests(tree: Path, level: str, args: argparse.Namespace) -> int:
    """Return pytest's exit status at one CPU level."""
    environment = os.environ | OPTIONS | {"LD_PRELOAD": preloads(args.kind) or "", "GAMECORE_SIMD": level}
    environment["PATH"] = os.pathsep.join([str(instrumented_compiler(tree, args.kind)), os.environ["PATH"]])
    environment["PYTHONPATH"] = os.pathsep.join([str(tree), str(tree / "tools")])
    print(f"--- {args.kind}, level {level}", flush=True)
    command = [sys.executable, "-m", "pytest", "-q", "--capture=sys", "-p", "no:cacheprovider", *selection(args)]
    command += ["-p", "sanitize"] if args.quick else []
    if args.kind == "thread" and shutil.which("setarch"):
        command = ["setarch", "-R", *command]  # ThreadSanitizer lays memory out its own way: no random addresses
    return subprocess.run(command, cwd=tree, env=environment, check=False).returncode


def selection(args: argparse.Namespace) -> list[str]:
    """Return pytest's arguments: the words after ``--``, or the tests for this kind of run."""
    if args.rest:
        return list(args.rest)
    if args.kind == "thread":
        chosen = ["tests", "-m", "threads"]
    else:
        chosen = KERNELS[:] if args.quick else ["tests", "-m", "", *(f"--ignore=tests/{name}" for name in NOT_OURS)]
    if not args.has_all_levels:
        print(f"left out, since they need all levels: {', '.join(OF_ALL_LEVELS)}", flush=True)
        chosen += [f"--deselect={name}" for name in OF_ALL_LEVELS]
    return chosen + (["--numprocesses", str(args.jobs), "--dist", "worksteal"] if args.jobs > 1 else [])


def pytest_collection_modifyitems(config, items) -> None:  # type: ignore[no-untyped-def]
    """Keep each 12th test of a file and all small positions; ``--quick`` runs pytest with this module as a plugin."""
    seen: dict[Path, int] = {}
    kept, dropped = [], []
    for item in items:
        place = seen[item.path] = seen.get(item.path, -1) + 1
        is_sampled = place % STEP == 0 or item.path.as_posix().endswith(SMALL_POSITIONS)
        (kept if is_sampled and not item.get_closest_marker("nightly") else dropped).append(item)
    config.hook.pytest_deselected(items=dropped)
    items[:] = kept


@pytest.hookimpl(wrapper=True)
def pytest_pyfunc_call(pyfuncitem) -> Iterator[None]:  # type: ignore[no-untyped-def]
    """Skip the rest of a test of ``--quick`` after some seconds: what it has run until then was checked."""
    reason = f"the rest is left out after {MOST_SECONDS:.0f} s under a sanitizer"
    is_late = False

    def skip(*_: object) -> None:
        nonlocal is_late
        is_late = True
        pytest.skip(reason)

    before = signal.signal(signal.SIGALRM, skip)
    signal.setitimer(signal.ITIMER_REAL, MOST_SECONDS)
    try:
        return (yield)
    except BaseException:
        if is_late:  # whatever a library made of the skip
            pytest.skip(reason)
        raise
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def options(words: list[str]) -> argparse.Namespace:
    """Parse the command line; ``rest`` has the words after ``--``, ``levels`` is a list."""
    parser = argparse.ArgumentParser(
        usage="%(prog)s [options] {address,thread} [-- PYTEST ...]",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("kind", choices=KINDS)
    parser.add_argument("--quick", action="store_true", help="one level, a part of the tests")
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="processes of pytest (default 1)")
    parser.add_argument("--levels", help="with commas between them (default: all of this machine); no other is built")
    end = words.index("--") if "--" in words else len(words)
    args = parser.parse_args(words[:end])
    args.rest = words[end + 1 :]
    sys.path.insert(0, str(ROOT))
    from gamecore import kernels

    levels = args.levels.split(",") if args.levels else kernels.available_levels()
    args.levels = list(levels[-1:] if args.quick else levels)
    args.has_all_levels = args.levels == list(kernels.available_levels())
    return args


def main() -> int:
    """Copy, build, test."""
    args = options(sys.argv[1:])
    if preloads(args.kind) is None:
        print(f"sanitizers: left out, this machine has no library for -fsanitize={KINDS[args.kind]}", file=sys.stderr)
        return LEFT_OUT
    tree = ROOT / "build" / f"sanitize-{args.kind}"
    tree.mkdir(parents=True, exist_ok=True)
    with_v3 = ["v3"] if "v4" in args.levels and "v3" not in args.levels else []  # duel and Hexapawn have no v4
    copy_and_build(tree, args.kind, with_v3 + args.levels)
    return max((run_tests(tree, level, args) for level in args.levels), key=abs)


if __name__ == "__main__":
    sys.exit(main())
