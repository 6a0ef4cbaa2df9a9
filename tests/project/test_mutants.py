"""The list of planted faults fits the sources; ``tools/mutants.py`` plants them and sees the tests turn red."""

import tomllib
from collections import Counter

from command import ROOT

ROWS = tomllib.loads((ROOT / "tests" / "mutants.toml").read_text(encoding="utf-8"))["mutant"]


def test_each_row_fits():
    """Its old text stands once in its file, and its tests exist."""
    texts = {name: (ROOT / name).read_text(encoding="utf-8") for name in {row["file"] for row in ROWS}}
    unfit = "\n".join(f"{row['file']}: {row['old']}" for row in ROWS if texts[row["file"]].count(row["old"]) != 1)
    assert not unfit, f"these do not stand once in their file:\n{unfit}"
    for test in {test.partition("[")[0] for row in ROWS for test in row["tests"]}:
        file, _, function = test.partition("::")
        assert (ROOT / file).exists(), test
        assert not function or f"def {function}(" in (ROOT / file).read_text(encoding="utf-8"), test
    assert len(ROWS) >= 120
    assert max(Counter((row["file"], row["old"], row["new"]) for row in ROWS).values()) == 1
