"""The examples in the README, the documentation and the docstrings say what is true."""

import doctest
import importlib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted(ROOT.glob("docs/**/*.md"))]
WITH_EXAMPLES = [page for page in PAGES if ">>> " in page.read_text(encoding="utf-8")]


@pytest.mark.parametrize("page", WITH_EXAMPLES, ids=lambda page: str(page.relative_to(ROOT)))
def test_page(page):
    if ".plot_" in page.read_text(encoding="utf-8"):
        pytest.importorskip("matplotlib", reason="the page plots: matplotlib is in the extra 'plot'")
    if "import pyspiel" in page.read_text(encoding="utf-8"):
        pytest.importorskip("pyspiel", reason="the page uses OpenSpiel: it is in the extra 'openspiel'")
    result = doctest.testfile(str(page), module_relative=False, encoding="utf-8")
    assert result.attempted >= 2
    assert result.failed == 0


def test_pages_with_examples_are_found():
    names = {page.name for page in WITH_EXAMPLES}
    assert {"README.md", "index.md", "pictures.md", "duel.md", "hexapawn.md", "rows.md", "hearts.md"} <= names


@pytest.mark.parametrize("name", ["duel", "hexapawn", "rows"])
def test_docstrings(name):
    result = doctest.testmod(importlib.import_module(f"gamecore.{name}"))
    assert result.attempted > 0
    assert result.failed == 0
