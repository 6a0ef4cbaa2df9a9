"""Build the kernels with sanitizers in a copy of the tree, and run the tests there at every CPU level.

    python tools/sanitize.py address             AddressSanitizer and UndefinedBehaviorSanitizer, GAMECORE_DEBUG=1
    python tools/sanitize.py thread              ThreadSanitizer, the tests of threads
    python tools/sanitize.py address --quick     one level, every kernel's small positions and a sample of its tests
    python tools/sanitize.py address --no-nightly --jobs 2    without the nightly tests, in two processes
    python tools/sanitize.py address -- -k duel  what stands after -- goes to pytest

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
COPIED = ("gamecore", "pyx", "tests", "tools", "benchmarks", "examples", "docs")

# Leaks are measured by their own test: CPython keeps what it has made until the process ends.
OPTIONS = {
    "ASAN_OPTIONS": "detect_leaks=0:detect_stack_use_after_return=1:allocator_may_return_null=1:handle_segv=1",
    "UBSAN_OPTIONS": "print_stacktrace=1:halt_on_error=1",
    "TSAN_OPTIONS": "halt_on_error=1:exitcode=66",
    "PYTHONMALLOC": "malloc",
    "GAMECORE_SANITIZED": "1",  # tests that would measure the sanitizer skip themselves
}
# Tests of other things than compiled code: builds, saved figures, browsers, other people's libraries.
NOT_OURS = (
    "bench", "adapters", "explore", "project/test_docs.py", "project/test_docs_site.py", "project/test_notebooks.py",
    "project/test_supply_chain.py", "project/test_workflows.py",
)  # fmt: skip
SMALL_POSITIONS = "project/test_fuzz_corpus.py"  # of every game, through every kernel
STEP = 12  # --quick runs each 12th test of a file
MOST_SECONDS = 5.0  # that --quick runs a test
# Tests of the baseline's kernels, which a run of other levels does not build.
OF_THE_BASELINE = (
    "tests/hearts/test_rules.py::test_every_level_traces_the_same_rounds",
    "tests/project/test_foundation.py::test_unknown_level_is_an_error_that_names_the_choices",
    "tests/project/test_unbuilt.py::test_a_kernel_that_is_missing_alone",
)
THREADED_WORDS = "thread or worker or eight or shared"


def kernel_folders(root: Path = ROOT) -> list[str]:
    """Return the folders of tests of compiled code: one for each game with kernels, and kit's."""
    games = {path.stem.partition("_")[0] for path in (root / "pyx").glob("[a-z]*.pyx")}
    return sorted(game for game in games | {"kit"} if (root / "tests" / game).is_dir())


def library(name: str) -> str | None:
    """Return the path of a run-time library of the compiler, or None."""
    compiler = os.environ.get("CC", "gcc")
    if platform.system() != "Linux" or shutil.which(compiler) is None:
        return None
    result = subprocess.run([compiler, f"-print-file-name={name}"], capture_output=True, text=True, check=False)
    path = result.stdout.strip()
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
            shutil.copytree(ROOT / name, tree / name, ignore=shutil.ignore_patterns("*.so", "__pycache__", "__kit__"))
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


def test(tree: Path, kind: str, level: str, arguments: list[str], *, is_quick: bool) -> int:
    """Return pytest's exit status at one CPU level."""
    preload = preloads(kind)
    assert preload is not None
    environment = os.environ | OPTIONS
    environment |= {"LD_PRELOAD": preload, "GAMECORE_SIMD": level}
    environment["PATH"] = os.pathsep.join([str(instrumented_compiler(tree, kind)), os.environ["PATH"]])
    environment["PYTHONPATH"] = os.pathsep.join([str(tree), str(tree / "tools")])
    print(f"--- {kind}, level {level}", flush=True)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *arguments]
    command += ["-p", "sanitize"] if is_quick else []
    if kind == "thread" and shutil.which("setarch"):
        command = ["setarch", "-R", *command]  # ThreadSanitizer lays memory out its own way: no random addresses
    return subprocess.run(command, cwd=tree, env=environment, check=False).returncode


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
    folders = [f"tests/{folder}" for folder in kernel_folders()]
    if args.kind == "thread":
        chosen = [*folders, "tests/batch", "-k", THREADED_WORDS]
    elif args.quick:
        chosen = [f"tests/{SMALL_POSITIONS}", *folders]
    else:
        chosen = ["tests", *(f"--ignore=tests/{name}" for name in NOT_OURS)]
        chosen += [] if args.no_nightly else ["-m", ""]
    chosen += ["--numprocesses", str(args.jobs), "--dist", "worksteal"] if args.jobs > 1 else []
    if "baseline" not in levels:
        print(f"left out, since baseline is not built: {', '.join(OF_THE_BASELINE)}", flush=True)
        chosen += [f"--deselect={name}" for name in OF_THE_BASELINE]
    return chosen


def main() -> int:
    """Copy, build, test."""
    args = options(sys.argv[1:])
    if preloads(args.kind) is None:
        print(f"sanitizers: left out, this machine has no library for -fsanitize={KINDS[args.kind]}", file=sys.stderr)
        return LEFT_OUT
    sys.path.insert(0, str(ROOT))
    from gamecore import kernels

    levels = (args.levels or ",".join(kernels.available_levels())).split(",")
    if args.quick:
        levels = levels[-1:]
    tree = ROOT / "build" / f"sanitize-{args.kind}"
    tree.mkdir(parents=True, exist_ok=True)
    copy_tree(tree)
    built = ["v3", *levels] if "v4" in levels and "v3" not in levels else levels  # duel and Hexapawn have no v4
    build(tree, args.kind, ",".join(built))
    chosen = selection(args, levels)
    statuses = [test(tree, args.kind, level, chosen, is_quick=args.quick) for level in levels]
    return max(statuses, key=abs)


if __name__ == "__main__":
    sys.exit(main())
