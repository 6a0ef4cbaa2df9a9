"""The documentation site: navigation and links in plain Python, the pictures up to date, and a strict build."""

import importlib.util
import inspect
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
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


def nav():
    """Every page that mkdocs.yml names; read as text, for mkdocs is no requirement of the tests."""
    text = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    block = re.search(r"^nav:\n(.*?)^\S", text, flags=re.DOTALL | re.MULTILINE)
    assert block
    return re.findall(r": ([\w/.-]+\.md)$", block[1], flags=re.MULTILINE)


def test_nav():
    named = nav()
    assert len(named) == len(set(named))
    for page in named:
        assert (DOCS / page).is_file(), page
    forgotten = {str(page.relative_to(DOCS)) for page in PAGES} - set(named)
    assert not forgotten, f"not in the nav of mkdocs.yml: {forgotten}"


def test_pictures_are_up_to_date():
    """`python examples/pictures.py docs/pictures` draws them."""
    spec = importlib.util.spec_from_file_location("gamecore_examples_pictures", ROOT / "examples" / "pictures.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    for name, picture in module.pictures().items():
        assert (DOCS / "pictures" / f"{name}.svg").read_text(encoding="utf-8") == picture.svg, name
    text = "".join(page.read_text(encoding="utf-8") for page in PAGES)
    for path in (DOCS / "pictures").glob("*.svg"):
        assert f"pictures/{path.name})" in text, f"{path.name} is shown nowhere"


# -- the site


@pytest.fixture(scope="module", name="site")
def _site(tmp_path_factory):
    """What `make docs` builds: a broken link, anchor or reference is an error."""
    needs_mkdocs()
    folder = tmp_path_factory.mktemp("site")
    done = mkdocs(ROOT, "build", "--strict", "--site-dir", str(folder))
    assert done.returncode == 0, done.stderr[-2000:]
    return {str(page.relative_to(folder)): page.read_text(encoding="utf-8") for page in folder.rglob("*.html")}


def needs_mkdocs():
    for name in ("mkdocs", "material", "mkdocstrings", "latex2mathml"):
        pytest.importorskip(name, reason=f"{name} builds the site: pip install --group docs")


def mkdocs(folder, *arguments):
    return subprocess.run(
        [sys.executable, "-m", "mkdocs", *arguments], cwd=folder, capture_output=True, text=True, timeout=400,
        check=False, env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
    )  # fmt: skip


@pytest.mark.nightly
def test_site(site):
    """One build for all that is asked of it."""
    check_reference(site)
    check_front(site["index.html"])
    for name, page in site.items():
        assert 'class="arithmatex"' not in page, name
        loaded = re.findall(r"<(?:script|img|link|iframe)\b[^>]*?(?:src|href)=\"?(https?:[^\s\">]+)", page)
        assert loaded == [], f"{name} would fetch {loaded}"
    for name in ("duel", "hexapawn", "rows", "hearts"):
        assert "<math " in site[f"tutorials/{name}.html"]


def test_make_docs_refuses_a_broken_link(tmp_path):
    """With its own flags, on a planted site; --quiet would hide the warnings that --strict counts."""
    needs_mkdocs()
    recipe = re.search(r"mkdocs (build .*)$", (ROOT / "Makefile").read_text(encoding="utf-8"), flags=re.MULTILINE)
    (tmp_path / "docs").mkdir()
    (tmp_path / "mkdocs.yml").write_text("site_name: planted\n", encoding="utf-8")
    for text, wanted in (("[there](index.md)", 0), ("[nowhere](nowhere.md)", 1)):
        (tmp_path / "docs" / "index.md").write_text(text, encoding="utf-8")
        done = mkdocs(tmp_path, *recipe[1].split())
        assert done.returncode == wanted, done.stderr


def check_reference(site):
    """Every public class and function of a game that says something of itself is on its page."""
    for game in ("duel", "hexapawn", "rows", "hearts"):
        module = importlib.import_module(f"gamecore.{game}")
        public = {
            name
            for name in module.__all__
            if inspect.isclass(found := getattr(module, name)) or inspect.isfunction(found)
            if found.__name__ == name and found.__module__.startswith(f"gamecore.{game}")
        }
        assert len(public) > 5
        assert public <= set(re.findall(rf'id="gamecore\.{game}\.(\w+)"', site[f"reference/{game}.html"]))


def check_front(page):
    """The four games and one picture come before everything else."""
    above = page.partition("<article")[2].partition("<pre")[0]
    assert len(re.findall(r"<img ", above)) == 1
    assert re.findall(r'<td><a href="tutorials/(\w+)\.html">', above) == ["duel", "hexapawn", "rows", "hearts"]
