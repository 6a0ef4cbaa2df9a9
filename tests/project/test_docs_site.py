"""The documentation site: navigation and links in plain Python, the pictures up to date, and a strict build."""

import importlib
import inspect
import re
from runpy import run_path

import pytest
from command import ROOT, python

DOCS = ROOT / "docs"
PAGES = sorted(DOCS.glob("**/*.md"))
OURS = [ROOT / name for name in ("README.md", "CHANGELOG.md", "CONTRIBUTING.md")]


def without_code(text):
    """Fenced code and code spans have no links."""
    return re.sub(r"`[^`\n]*`", "", re.sub(r"^```.*?^```", "", text, flags=re.DOTALL | re.MULTILINE))


def anchors(page):
    """The ids that headings get: lower case, punctuation dropped, blanks as hyphens."""
    text = re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
    headings = re.findall(r"^#+ (.*)$", text, flags=re.MULTILINE)
    return {re.sub(r"[-\s]+", "-", re.sub(r"[^\w\s-]", "", heading).strip().lower()) for heading in headings}


@pytest.mark.parametrize("page", [*PAGES, *OURS], ids=lambda page: str(page.relative_to(ROOT)))
def test_links(page):
    for target in re.findall(r"\]\(([^)\s]+)\)", without_code(page.read_text(encoding="utf-8"))):
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


def test_every_page_is_in_the_navigation_once():
    """``mkdocs.yml`` is read as text, for mkdocs is no requirement of the tests."""
    text = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    block = re.search(r"^nav:\n(.*?)^\S", text, flags=re.DOTALL | re.MULTILINE)
    named = re.findall(r": ([\w/.-]+\.md)$", block[1], flags=re.MULTILINE)
    assert sorted(named) == sorted(str(page.relative_to(DOCS)) for page in PAGES)


def test_pictures_are_up_to_date():
    """`python examples/pictures.py docs/pictures` draws them."""
    for name, picture in run_path(ROOT / "examples" / "pictures.py")["pictures"]().items():
        assert (DOCS / "pictures" / f"{name}.svg").read_text(encoding="utf-8") == picture.svg, name
    text = "".join(page.read_text(encoding="utf-8") for page in PAGES)
    for path in (DOCS / "pictures").glob("*.svg"):
        assert f"pictures/{path.name})" in text, f"{path.name} is shown nowhere"


def mkdocs(folder, *arguments):
    """Run mkdocs there; without it the test is skipped."""
    for name in ("mkdocs", "material", "mkdocstrings", "latex2mathml"):
        pytest.importorskip(name, reason=f"{name} builds the site: pip install --group docs")
    return python("-m", "mkdocs", *arguments, cwd=folder, NO_MKDOCS_2_WARNING="1", PYTHONPATH=str(ROOT), timeout=400)


@pytest.mark.nightly
def test_site(tmp_path):
    """What `make docs` builds, once: a broken link, anchor or reference is an error."""
    done = mkdocs(ROOT, "build", "--strict", "--site-dir", tmp_path)
    assert done.returncode == 0, done.stderr[-2000:]
    site = {str(page.relative_to(tmp_path)): page.read_text(encoding="utf-8") for page in tmp_path.rglob("*.html")}
    for name, page in site.items():
        assert 'class="arithmatex"' not in page, name
        loaded = re.findall(r"<(?:script|img|link|iframe)\b[^>]*?(?:src|href)=\"?(https?:[^\s\">]+)", page)
        assert loaded == [], f"{name} would fetch {loaded}"
    above = site["index.html"].partition("<article")[2].partition("<pre")[0]  # the games and one picture come first
    assert len(re.findall(r"<img ", above)) == 1
    assert re.findall(r'<td><a href="tutorials/(\w+)\.html">', above) == ["duel", "hexapawn", "rows", "hearts"]
    for game in ("duel", "hexapawn", "rows", "hearts"):
        assert "<math " in site[f"tutorials/{game}.html"]
        module = importlib.import_module(f"gamecore.{game}")
        values = [getattr(module, name) for name in module.__all__]
        own = [value for value in values if inspect.isclass(value) or inspect.isfunction(value)]
        public = {value.__name__ for value in own if value.__module__.startswith(f"gamecore.{game}")}
        assert len(public & {*module.__all__}) > 5
        documented = re.findall(rf'id="gamecore\.{game}\.(\w+)"', site[f"reference/{game}.html"])
        assert public & {*module.__all__} <= set(documented)


def test_make_docs_refuses_a_broken_link(tmp_path):
    """With its own flags, on a planted site; --quiet would hide the warnings that --strict counts."""
    recipe = re.search(r"mkdocs (build .*)$", (ROOT / "Makefile").read_text(encoding="utf-8"), flags=re.MULTILINE)
    (tmp_path / "docs").mkdir()
    (tmp_path / "mkdocs.yml").write_text("site_name: planted\n", encoding="utf-8")
    for text, wanted in (("[there](index.md)", 0), ("[nowhere](nowhere.md)", 1)):
        (tmp_path / "docs" / "index.md").write_text(text, encoding="utf-8")
        done = mkdocs(tmp_path, *recipe[1].split())
        assert done.returncode == wanted, done.stderr
