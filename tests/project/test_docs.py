"""The examples in the README, the documentation and the docstrings say what is true."""

import doctest
import importlib.util
import json
import re

import pytest
from command import ROOT

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
        left_out = [example for example in examples if re.search(r"to_dataframe|\bframe\b", example.source)]
    run = [example for example in examples if example not in left_out]
    result = doctest.DocTestRunner().run(doctest.DocTest(run, {}, page.name, str(page), 0, text))
    assert result.attempted >= 2
    assert result.failed == 0
    if left_out:
        pytest.skip(
            f"{len(run)} examples passed, {len(left_out)} with data frames are left out: no {', '.join(absent)}"
        )


@pytest.mark.parametrize("name", ["duel", "hexapawn", "rows"])
def test_docstrings(name):
    result = doctest.testmod(importlib.import_module(f"gamecore.{name}"))
    assert result.attempted > 0
    assert result.failed == 0


@pytest.mark.parametrize("name", ["duel", "hexapawn"])
def test_figures_of_tutorials_are_counted(name):
    """A number of thousands in the prose of a tutorial is a benchmark's count of nodes."""
    register = json.loads((ROOT / "benchmarks" / "counts.json").read_text(encoding="utf-8"))
    counts = {
        entry["nodes"] for benchmark, entry in register.items() if f"test_{name}." in benchmark and "nodes" in entry
    }
    text = (ROOT / "docs" / "tutorials" / f"{name}.md").read_text(encoding="utf-8")
    prose = re.sub(r"^(```.*?^```|\|[^\n]*)$", "", text, flags=re.MULTILINE | re.DOTALL)
    figures = {int(figure.replace(",", "")) for figure in re.findall(r"\b\d{1,3}(?:,\d{3})+\b", prose)}
    assert len(figures) > 2
    assert figures <= counts
