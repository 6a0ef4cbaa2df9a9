"""The list of planted faults fits the sources; ``tools/mutants.py`` plants them and sees the tests turn red."""

import tomllib
from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
ROWS = tomllib.loads((ROOT / "tests" / "mutants.toml").read_text(encoding="utf-8"))["mutant"]
if not (ROOT / "tools").is_dir() or not (ROOT / "pyx").is_dir():
    pytest.skip("the sources of a checkout are not here", allow_module_level=True)


def misfit(row):
    """Return what is wrong with a row; an empty text if nothing is."""
    count = (ROOT / row["file"]).read_text(encoding="utf-8").count(row["old"])
    missing = [test for test in row["tests"] if not (ROOT / test.partition("::")[0]).exists()]
    return (
        f"{row['why']}: the old text stands {count} times"
        if count != 1
        else f"no such file: {missing}"
        if missing
        else ""
    )


def test_each_row_fits():
    assert [text for text in map(misfit, ROWS) if text] == []
    assert misfit({**ROWS[0], "old": "no such text"}).endswith("stands 0 times")
    assert misfit({**ROWS[0], "tests": ["tests/gone.py"]}) == "no such file: ['tests/gone.py']"
    assert len(ROWS) >= 120
    assert max(Counter((row["file"], row["old"], row["new"]) for row in ROWS).values()) == 1
