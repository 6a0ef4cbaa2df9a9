"""The list of planted faults fits the sources; ``tools/mutants.py`` plants them and sees the tests turn red."""

import tomllib
from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
ROWS = tomllib.loads((ROOT / "tests" / "mutants.toml").read_text(encoding="utf-8"))["mutant"]
if not (ROOT / "tools").is_dir() or not (ROOT / "pyx").is_dir():
    pytest.skip("the sources of a checkout are not here", allow_module_level=True)


def misfits(row):
    """Return what is wrong with a row: another count of the old text than one, tests that do not exist."""
    count = (ROOT / row["file"]).read_text(encoding="utf-8").count(row["old"])
    wrong = [] if count == 1 else [f"{row['why']}: the old text stands {count} times"]
    for test in row["tests"]:
        file, _, function = test.partition("[")[0].partition("::")
        if not (ROOT / file).exists() or f"def {function}" not in (ROOT / file).read_text(encoding="utf-8"):
            wrong.append(f"{row['why']}: there is no {test}")
    return wrong


def test_each_row_fits():
    assert [text for row in ROWS for text in misfits(row)] == []
    planted = {**ROWS[0], "old": "no such text", "tests": ["tests/gone.py", "tests/test_calls.py::test_gone"]}
    assert len(misfits(planted)) == 3
    assert len(ROWS) >= 120
    assert max(Counter((row["file"], row["old"], row["new"]) for row in ROWS).values()) == 1
