"""A library that is not installed skips its tests in one line with the reason, and fails none."""

from pathlib import Path

from command import python

TEST = """
import pytest

@pytest.mark.parametrize("number", range(3))
def test_a(number):
    pytest.importorskip("no_such_library", reason="no_such_library is not installed")

def test_b():
    pytest.importorskip("no_such_library", reason="no_such_library is not installed")

def test_c():
    pytest.skip("another reason")
"""


def test_one_line_for_each_missing_library(tmp_path):
    (tmp_path / "conftest.py").write_bytes((Path(__file__).parents[1] / "conftest.py").read_bytes())
    for name in ("test_first.py", "test_second.py"):
        (tmp_path / name).write_text(TEST, encoding="utf-8")
    done = python("-m", "pytest", "-ra", "-p", "no:cacheprovider", "--import-mode=importlib", ".", cwd=tmp_path)
    lines = [line for line in done.stdout.splitlines() if line.startswith("SKIPPED")]
    assert [line.rpartition(": ")[2] for line in lines].count("no_such_library is not installed") == 1
    assert any(line.startswith("SKIPPED [8]") for line in lines)
    assert sum("another reason" in line for line in lines) == 2
    assert done.returncode == 0
