"""The examples in the README, the documentation and the docstrings say what is true."""

import doctest
import importlib.util
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted(ROOT.glob("docs/**/*.md"))]
WITH_EXAMPLES = [page for page in PAGES if ">>> " in page.read_text(encoding="utf-8")]


def missing(*names):
    """Return the libraries that are not installed."""
    return [name for name in names if importlib.util.find_spec(name) is None]


@pytest.mark.parametrize("page", WITH_EXAMPLES, ids=lambda page: str(page.relative_to(ROOT)))
def test_page(page):
    """Without pandas and polars, all examples but those with data frames; the test is then skipped, and says so."""
    text = page.read_text(encoding="utf-8")
    if ".plot_" in text:
        pytest.importorskip("matplotlib", reason="the page plots: matplotlib is in the extra 'plot'")
    if "import pyspiel" in text:
        pytest.importorskip("pyspiel", reason="the page uses OpenSpiel: it is in the extra 'openspiel'")
    examples = doctest.DocTestParser().get_examples(text, page.name)
    left_out = []
    if absent := missing("pandas", "polars"):
        left_out = [one for one in examples if re.search(r"to_dataframe|\bframe\b", one.source)]
    run = [one for one in examples if one not in left_out]
    result = doctest.DocTestRunner().run(doctest.DocTest(run, {}, page.name, str(page), 0, text))
    assert result.attempted >= 2
    assert result.failed == 0
    if left_out:
        pytest.skip(
            f"{len(run)} examples passed, {len(left_out)} with data frames are left out: no {', '.join(absent)}"
        )


def test_pages_with_examples_are_found():
    names = {page.name for page in WITH_EXAMPLES}
    assert {"README.md", "index.md", "pictures.md", "duel.md", "hexapawn.md", "rows.md", "hearts.md"} <= names


@pytest.mark.parametrize("name", ["duel", "hexapawn", "rows"])
def test_docstrings(name):
    result = doctest.testmod(importlib.import_module(f"gamecore.{name}"))
    assert result.attempted > 0
    assert result.failed == 0


def broken_tables(text):
    """Lines of Markdown tables that have no header row, or another number of cells than it."""
    lines = re.sub(r"^```.*?^```", lambda fence: "\n" * fence[0].count("\n"), text, flags=re.M | re.S).splitlines()
    broken, columns, previous = [], 0, ""
    for number, line in enumerate(lines, 1):
        cells = len(re.findall(r"(?<!\\)\|", re.sub(r"`[^`]*`", "", line))) if line.startswith("|") else 0
        starts = bool(cells) and not previous.startswith("|")
        if starts:
            columns = cells
        headless = starts and not re.match(r"\|[ :|-]+\|$", "".join(lines[number : number + 1]))
        if cells and (headless or cells != columns):
            broken.append(number)
        previous = line
    return broken


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_tables_are_whole(page):
    assert broken_tables(page.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    ("text", "broken"),
    [
        ("| a | b |\n|---|---|\n| 1 | `x|y` |\n", []),
        ("```\n| no table\n```\n", []),
        ("| a | b |\n|---|---|\n| 1 | 2 |\n\n| 3 | 4 |\n", [5]),  # cut off by a blank line
        ("| a | b |\n|---|---|\n| 1 |\n", [3]),
        ("| a | b |\n| 1 | 2 |\n", [1]),
    ],
)
def test_broken_tables_are_found(text, broken):
    assert broken_tables(text) == broken
