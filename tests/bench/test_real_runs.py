"""One small suite, really run: what a person sees, what is saved, and what makes a run fail."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from gamecore.kernels import available_levels

ROOT = Path(__file__).resolve().parents[2]
OPTIONS = ("--benchmark-max-time=0.02", "--benchmark-min-rounds=3")
TINY = """
import pytest

from gamecore import kernels

NODES, CHECKSUM = 10, 7

@pytest.mark.parametrize("n", [10, 1000])
@pytest.mark.parametrize("version", ["naive", "native"])
def test_sum(benchmark, version, n):
    benchmark.group = f"tiny n={n}"
    kind = "native" if version == "native" else "reference"
    benchmark.extra_info.update(version=version, kind=kind, nodes=NODES, checksum=CHECKSUM)
    benchmark(sum, range(n) if version == "native" else list(range(n * 20)))

@pytest.mark.parametrize("level", kernels.LEVELS[: kernels.LEVELS.index(kernels.level()) + 1])
def test_level(benchmark, level):
    benchmark.extra_info.update(needs=level, nodes=1)
    benchmark.pedantic(int, rounds=3)
"""


@pytest.fixture(scope="module")
def tiny(tmp_path_factory):
    """A copy of the machinery with a suite of its own, and its counts accepted."""
    tree = tmp_path_factory.mktemp("tiny")
    for name in ("conftest.py", "pyproject.toml", "benchmarks/compare.py", "benchmarks/test_pace.py"):
        (tree / name).parent.mkdir(exist_ok=True)
        (tree / name).write_bytes((ROOT / name).read_bytes())
    shutil.copytree(ROOT / "benchmarks" / "comparing", tree / "benchmarks" / "comparing")
    (tree / "benchmarks" / "results").mkdir()
    (tree / "benchmarks" / "test_tiny.py").write_text(TINY, encoding="utf-8")
    done = bench(tree, "--counts=write")
    assert done.returncode == 0, done.stdout + done.stderr
    return tree


def python(tree, *arguments, level=""):
    # pytest-benchmark would take a run that was started by a parallel one for a part of it; no other plugin is loaded.
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")} | {
        "PYTHONPATH": os.pathsep.join(one for one in sys.path if "benchmarks" not in one),
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
        "PYTEST_PLUGINS": "pytest_benchmark.plugin",
        "GAMECORE_SIMD": level,
    }
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=tree,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )


def bench(tree, *arguments, **options):
    return python(tree, "-m", "pytest", "--benchmark", *OPTIONS, *arguments, **options)


def test_one_table_a_group_and_no_other(tiny):
    done = bench(tiny, "--plot", "plots")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "tiny n=1000\n  version  " in done.stdout
    assert "Outliers" not in done.stdout
    assert (tiny / "plots" / "tiny.svg").read_text(encoding="utf-8").count("<svg") == 1


@pytest.mark.nightly
def test_a_narrowed_run_adds_what_its_groups_are_measured_by(tiny):
    done = bench(tiny, "-k", "native and 1000")
    assert "3 references were added" in done.stdout
    assert "naive" in done.stdout


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("= 10, 7", "= 11, 7", "test_sum[native-10]: MORE WORK: nodes 10 -> 11"),
        ("= 10, 7", "= 9, 7", "test_sum[native-10]: less work: nodes 10 -> 9"),
        ("= 10, 7", "= 10, 8", "test_sum[native-10]: CHANGED ANSWER: checksum 7 -> 8"),
        ("[10, 1000]", "[10]", "STALE ENTRY  benchmarks/test_tiny.py::test_sum[native-1000]"),
        ("[10, 1000]", "[10, 100, 1000]", "NO ENTRY  benchmarks/test_tiny.py::test_sum[native-100]"),
    ],
)
def test_each_difference_from_the_register_fails_the_check(tiny, old, new, told):
    suite = tiny / "benchmarks" / "test_tiny.py"
    suite.write_text(TINY.replace(old, new), encoding="utf-8")
    done = bench(tiny, "--counts=check")
    suite.write_text(TINY, encoding="utf-8")
    assert done.returncode == 1, done.stdout + done.stderr
    assert told in done.stdout


@pytest.mark.parametrize("level", available_levels())
def test_the_check_is_green_at_each_level_and_says_what_it_leaves_out(tiny, level):
    done = bench(tiny, "--counts=check", level=level)
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"counts at CPU level {level}" in done.stdout
    for other in available_levels():
        assert (f"left out: 1 that need {other}" in done.stdout) == (other > level)


@pytest.mark.nightly
def test_other_work_and_a_failing_benchmark_fail_the_run(tiny):
    suite = tiny / "benchmarks" / "test_tiny.py"
    try:
        for change, told in (
            (("= 10, 7", "= 11, 7"), "MORE WORK: nodes 10 -> 11"),
            (("benchmark(sum", "assert n < 100\n    benchmark(sum"), "2 failed"),
        ):
            suite.write_text(TINY.replace(*change), encoding="utf-8")
            done = bench(tiny, "-k", "native and 1000" if "10" in change[0] else "")
            assert done.returncode == 1, done.stdout + done.stderr
            assert told in done.stdout
        suite.write_text(TINY.replace("= 10, 7", "= 9, 7"), encoding="utf-8")
        done = bench(tiny)
        assert done.returncode == 0
        assert "less work: nodes 10 -> 9" in done.stdout
        assert "if that was meant: make counts" in done.stdout
    finally:
        suite.write_text(TINY, encoding="utf-8")


@pytest.mark.nightly
def test_sessions_are_saved_compared_and_read_by_pytest_benchmark(tiny):
    saved = python(tiny, "benchmarks/compare.py", "save", "--allow-debug", "--release", *OPTIONS)
    assert saved.returncode == 0, saved.stdout + saved.stderr
    files = list((tiny / ".benchmarks").glob("*/*.json"))
    assert len(files) == 3
    assert json.loads(files[0].read_text())["benchmarks"][0]["extra_info"]["cpu"] > 0
    assert len(list((tiny / "benchmarks" / "results").glob("*.json"))) == 1
    done = python(tiny, "benchmarks/compare.py", "compare", *OPTIONS)
    assert "against " in done.stdout
    assert done.returncode in (0, 1, 3), done.stderr  # times are not asserted here
    assert "6 in order" not in done.stdout  # references are not judged
    own = python(tiny, "-m", "pytest_benchmark", "compare", "--columns=median", "--group-by=fullname")
    assert own.returncode == 0, own.stderr
    theirs = bench(tiny, "--benchmark-compare=0001", "--benchmark-columns=median")
    assert theirs.returncode == 0
    assert "NOW" in theirs.stdout


def test_a_damaged_register_is_one_line(tiny):
    path = tiny / "benchmarks" / "counts.json"
    kept = path.read_bytes()
    try:
        path.write_text("{", encoding="utf-8")
        done = bench(tiny)
    finally:
        path.write_bytes(kept)
    assert done.returncode == 2
    assert "counts.json' is damaged" in done.stdout + done.stderr
