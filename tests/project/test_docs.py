"""The documentation: examples, figures and links are true, pictures up to date, the site builds, notebooks run."""

import doctest
import importlib
import importlib.util
import json
import pkgutil
import re
from runpy import run_path

import hexapawn_table  # pytest's pythonpath has examples
import pytest
from command import ROOT, python

from gamecore.game import BUILT_IN

DOCS = ROOT / "docs"
PAGES = sorted(DOCS.glob("**/*.md"))
OURS = [ROOT / name for name in ("README.md", "CHANGELOG.md", "CONTRIBUTING.md")]
WITH_EXAMPLES = [page for page in (*PAGES, *OURS) if ">>> " in page.read_text(encoding="utf-8")]
NOTEBOOKS = sorted((ROOT / "examples").glob("*.ipynb"))


def name_of(page):
    return str(page.relative_to(ROOT))


@pytest.mark.parametrize("page", WITH_EXAMPLES, ids=name_of)
def test_page(page, tmp_path, monkeypatch):
    """Without pandas and polars, all examples but those with data frames; the test is then skipped, and says so."""
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    monkeypatch.chdir(tmp_path)  # examples may write files
    text = page.read_text(encoding="utf-8")
    for words, library, extra in ((".plot_", "matplotlib", "plot"), ("import pyspiel", "pyspiel", "openspiel")):
        if words in text:
            pytest.importorskip(library, reason=f"{page.name} uses {library}, of the extra '{extra}'")
    examples = doctest.DocTestParser().get_examples(text, page.name)
    absent = [name for name in ("pandas", "polars") if importlib.util.find_spec(name) is None]
    frames = r"to_dataframe|\bframe\b" if absent else "nothing is left out"
    run = [example for example in examples if not re.search(frames, example.source)]
    result = doctest.DocTestRunner().run(doctest.DocTest(run, {}, page.name, str(page), 0, text))
    assert (result.attempted >= 2, result.failed) == (True, 0)
    if len(run) < len(examples):
        pytest.skip(
            f"{len(run)} of {len(examples)} examples passed: those with data frames need {' and '.join(absent)}"
        )


@pytest.mark.parametrize("name", [*BUILT_IN, "draw._trace"])
def test_docstrings(name):
    result = doctest.testmod(importlib.import_module(f"gamecore.{name}"))
    assert (result.attempted > 0, result.failed) == (True, 0)


@pytest.mark.parametrize("name", ["duel", "hexapawn"])
def test_figures_of_tutorials_are_counted(name):
    """A number of thousands in the prose of a tutorial is a benchmark's count of nodes."""
    register = json.loads((ROOT / "benchmarks" / "counts.json").read_text(encoding="utf-8"))
    counts = {entry.get("nodes") for benchmark, entry in register.items() if f"test_{name}." in benchmark}
    text = re.sub(r"^\|.*$", "", prose(DOCS / "tutorials" / f"{name}.md"), flags=re.MULTILINE)  # without tables
    figures = {int(figure.replace(",", "")) for figure in re.findall(r"\b\d{1,3}(?:,\d{3})+\b", text)}
    assert (len(figures) > 2, figures - counts) == (True, set())


def prose(page):
    """The text of a page without its fenced code."""
    return re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)


def anchors(page):
    """The ids that headings get: lower case, punctuation dropped, blanks as hyphens."""
    headings = re.findall(r"^#+ (.*)$", prose(page), flags=re.MULTILINE)
    return {re.sub(r"[-\s]+", "-", re.sub(r"[^\w\s-]", "", heading).strip().lower()) for heading in headings}


@pytest.mark.parametrize("page", [*PAGES, *OURS], ids=name_of)
def test_links(page):
    for target in re.findall(r"\]\(([^)\s]+)\)", re.sub(r"`[^`\n]*`", "", prose(page))):
        assert not target.startswith("/"), target
        if target.startswith(("http:", "https:", "mailto:")):
            continue
        path, _, anchor = target.partition("#")
        file = (page.parent / path).resolve() if path else page
        assert file.is_file(), target
        if DOCS in page.parents:
            assert DOCS in file.parents, f"{target} leaves docs/: the site does not have it"
        if anchor:
            assert anchor in anchors(file), target
    for documented in re.findall(r"^::: (\S+)", page.read_text(encoding="utf-8"), flags=re.MULTILINE):
        assert pkgutil.resolve_name(documented)


def test_every_page_is_in_the_navigation_once():
    """``mkdocs.yml`` is read as text, for mkdocs is no requirement of the tests."""
    text = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    block = re.search(r"^nav:\n(.*?)^\S", text, flags=re.DOTALL | re.MULTILINE)
    named = re.findall(r": ([\w/.-]+\.md)$", block[1], flags=re.MULTILINE)
    assert sorted(named) == sorted(str(page.relative_to(DOCS)) for page in PAGES)


def test_pictures_are_up_to_date():
    """`make pictures` draws them."""
    for name, picture in run_path(ROOT / "examples" / "pictures.py")["pictures"]().items():
        assert (DOCS / "pictures" / f"{name}.svg").read_text(encoding="utf-8") == picture.svg, name
    table = DOCS / "results" / "hexapawn.md"
    assert hexapawn_table.draw(table) == table.with_suffix(".svg").read_text(encoding="utf-8")
    text = "".join(page.read_text(encoding="utf-8") for page in PAGES)
    for path in (DOCS / "pictures").glob("*.svg"):
        assert f"pictures/{path.name})" in text, f"{path.name} is shown nowhere"


@pytest.mark.nightly
def test_site(tmp_path):
    """What `make docs` builds, once, by its own flags: a broken link, anchor or reference is an error."""
    for name in ("mkdocs", "material", "mkdocstrings", "latex2mathml"):
        pytest.importorskip(name, reason=f"{name} builds the site: pip install --group docs")
    recipe = re.search(r"mkdocs (build .*)$", (ROOT / "Makefile").read_text(encoding="utf-8"), flags=re.MULTILINE)
    assert recipe[1] == "build --strict"  # --quiet would hide the warnings that --strict counts
    words = ["-m", "mkdocs", *recipe[1].split(), "--site-dir", tmp_path]
    done = python(*words, NO_MKDOCS_2_WARNING="1", PYTHONPATH=str(ROOT), timeout=400)
    assert done.returncode == 0, done.stderr[-2000:]
    site = {str(page.relative_to(tmp_path)): page.read_text(encoding="utf-8") for page in tmp_path.rglob("*.html")}
    for name, page in site.items():
        assert 'class="arithmatex"' not in page, name
        loaded = re.findall(r"<(?:script|img|link|iframe)\b[^>]*?(?:src|href)=\"?(https?:[^\s\">]+)", page)
        assert loaded == [], f"{name} would fetch {loaded}"
    above = site["index.html"].partition("<article")[2].partition("<pre")[0]  # the games and one picture come first
    assert len(re.findall(r"<img ", above)) == 1
    assert re.findall(r'<td><a href="tutorials/(\w+)\.html">', above) == [*BUILT_IN]
    for game in BUILT_IN:
        assert "<math " in site[f"tutorials/{game}.html"]
        module = importlib.import_module(f"gamecore.{game}")
        values = {name: getattr(module, name) for name in module.__all__}
        defined = {name: value for name, value in values.items() if getattr(value, "__name__", "") == name}
        own = [name for name, value in defined.items() if value.__module__.startswith(f"gamecore.{game}")]
        documented = re.findall(rf'id="gamecore\.{game}\.(\w+)"', site[f"reference/{game}.html"])
        assert len(own) > 5
        assert set(own) <= set(documented)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=name_of)
def test_kept_without_outputs(path):
    assert len(NOTEBOOKS) == 4
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    assert cells[0]["cell_type"] == "markdown"
    assert not [cell for cell in cells if cell.get("outputs") or cell.get("execution_count")]
    assert path.stat().st_size < 20_000


@pytest.mark.nightly
@pytest.mark.parametrize("path", NOTEBOOKS, ids=name_of)
def test_runs(path, tmp_path):
    nbformat, nbclient, _ = (
        pytest.importorskip(name, reason=f"{name} (group 'test-all') runs notebooks")
        for name in ("nbformat", "nbclient", "ipykernel")
    )
    book = nbformat.read(path, as_version=4)
    nbclient.NotebookClient(book, timeout=120, resources={"metadata": {"path": str(tmp_path)}}).execute()
    cells = [cell for cell in book.cells if cell.cell_type == "code"]
    assert all(cell.execution_count for cell in cells)
    shown = [output for cell in cells for output in cell.outputs]
    assert not [output for output in shown if output.get("name") == "stderr"]
    kinds = {kind for output in shown for kind in output.get("data", {})}
    assert "image/svg+xml" in kinds
    assert ("image/png" in kinds) == ("plot_" in path.read_text(encoding="utf-8"))
