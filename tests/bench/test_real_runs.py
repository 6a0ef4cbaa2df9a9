"""One small suite, really run: what a person sees, what is saved, and what makes a run fail."""

import os
import re
import shutil
import sys

import pytest
from command import ROOT, python

from gamecore.kernels import available_levels

OPTIONS = ("--benchmark-max-time=0.02", "--benchmark-min-rounds=3")
TINY = """
import pytest

NODES, CHECKSUM = 10, 7

@pytest.mark.parametrize("n", [10, 1000])
@pytest.mark.parametrize("version", ["naive", "native"])
def test_sum(benchmark, version, n):
    benchmark.group = f"tiny n={n}"
    benchmark.extra_info.update(version=version, nodes=NODES, checksum=CHECKSUM, work=2)
    benchmark(sum, range(n) if version == "native" else list(range(n * 20)))

@pytest.mark.one_level
def test_reference(benchmark):
    benchmark.extra_info.update(nodes=1)
    benchmark.pedantic(int, rounds=3)
"""


@pytest.fixture(scope="module")
def tiny(tmp_path_factory):
    """A copy of the machinery with a suite of its own, and its counts accepted."""
    tree = tmp_path_factory.mktemp("tiny")
    for name in ("conftest.py", "pyproject.toml", "benchmarks/conftest.py"):
        (tree / name).parent.mkdir(exist_ok=True)
        (tree / name).write_bytes((ROOT / name).read_bytes())
    shutil.copytree(ROOT / "benchmarks" / "comparing", tree / "benchmarks" / "comparing")
    (tree / "benchmarks" / "test_tiny.py").write_text(TINY, encoding="utf-8")
    done = bench(tree, "--counts=write")
    assert done.returncode == 0, done.stdout + done.stderr
    return tree


def bench(tree, *arguments, level=""):
    """The suite of the tree, with no other plugin loaded."""
    return python(
        "-m", "pytest", "--benchmark", *OPTIONS, *arguments, cwd=tree, GAMECORE_SIMD=level,
        PYTHONPATH=os.pathsep.join(folder for folder in sys.path if "benchmarks" not in folder),
        PYTEST_DISABLE_PLUGIN_AUTOLOAD="1", PYTEST_PLUGINS="pytest_benchmark.plugin",
    )  # fmt: skip


def test_a_table_for_each_group_and_plots(tiny, tmp_path):
    """Every column is about one item; a folder of plots may lie anywhere."""
    done = bench(tiny, f"--plot={tmp_path}", "-q", "-p", "no:cacheprovider")
    assert done.returncode == 0, done.stdout + done.stderr
    head, *rows = re.search(r"^tiny n=1000 .*\n(?:  .*\n)*", done.stdout, re.MULTILINE)[0].splitlines()
    assert " ".join(head.split()) == "tiny n=1000 time an item fastest = 1 nodes an item"
    assert [(row.split()[0], row.split()[-1]) for row in rows] == [("native", "5"), ("naive", "5")]
    assert (tmp_path / "tiny.svg").read_text(encoding="utf-8").count("<svg") == 1


CHECK = ["--counts=check"]


@pytest.mark.parametrize(("options", "old", "new", "told"), [
    (CHECK, "= 10, 7", "= 11, 7", "MORE WORK: nodes 10 -> 11"),
    (CHECK, "[10, 1000]", "[10]", "STALE ENTRY  benchmarks/test_tiny.py::test_sum[native-1000]"),
    (CHECK, "nodes=NODES, checksum=CHECKSUM", "nodes=NODES", "NOT COUNTED NOW: checksum 7 -> None"),
    ([], "[10, 1000]", "[10, 100, 1000]", "NOT COUNTED BEFORE: nodes None -> 10"),
    ([], "benchmark(sum", "assert n < 100\n    benchmark(sum", "2 failed"),
])  # fmt: skip
def test_each_difference_from_the_register_fails_a_check_and_a_timed_run(tiny, options, old, new, told):
    """``test_gates.py`` has further differences."""
    suite = tiny / "benchmarks" / "test_tiny.py"
    suite.write_text(TINY.replace(old, new), encoding="utf-8")
    done = bench(tiny, *options)
    suite.write_text(TINY, encoding="utf-8")
    assert done.returncode == 1, done.stdout + done.stderr
    assert told in done.stdout


@pytest.mark.parametrize("level", available_levels())
def test_the_check_is_green_at_each_level_and_says_what_it_leaves_out(tiny, level):
    highest = available_levels()[-1]
    done = bench(tiny, "--counts=check", level=level)
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"{9 if level == highest else 8} counts at CPU level {level}" in done.stdout
    assert (f"left out: 1 that are checked at {highest} alone" in done.stdout) == (level != highest)
