"""The documentation site: navigation and links in plain Python, the pictures up to date, and a strict build."""

import importlib.util
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


def test_reference_pages_name_modules_that_exist():
    for page in (DOCS / "reference").glob("*.md"):
        for name in re.findall(r"^::: ([\w.]+)$", page.read_text(encoding="utf-8"), flags=re.MULTILINE):
            if importlib.util.find_spec(name.rpartition(".")[0]) is None or not _exists(name):
                raise AssertionError(f"{page.name}: {name}")


def _exists(name):
    try:
        if importlib.util.find_spec(name) is not None:
            return True
    except ModuleNotFoundError:
        pass
    module, _, attribute = name.rpartition(".")
    return hasattr(importlib.import_module(module), attribute)


def test_pictures_are_up_to_date():
    """`python examples/pictures.py docs/pictures` draws them."""
    spec = importlib.util.spec_from_file_location("gamecore_examples_pictures", ROOT / "examples" / "pictures.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    for name, picture in module.pictures().items():
        assert (DOCS / "pictures" / f"{name}.svg").read_text(encoding="utf-8") == picture.svg, name
    assert {path.stem for path in (DOCS / "pictures").glob("*.svg")} == set(module.pictures())


def test_strict_build(tmp_path):
    """What `make docs` runs: a broken link, anchor or reference is an error."""
    for name in ("mkdocs", "material", "mkdocstrings"):
        pytest.importorskip(name, reason=f"{name} is in the extra 'docs'")
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(tmp_path)],
        cwd=ROOT, capture_output=True, text=True, timeout=300, check=False,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-2000:]
    for game, name in (("duel", "solve"), ("hexapawn", "Position"), ("rows", "IntervalOracle"), ("hearts", "Round")):
        text = (tmp_path / "reference" / f"{game}.html").read_text(encoding="utf-8")
        assert f'id="gamecore.{game}.{name}"' in text
        assert ":class:" not in text  # tools/docs_griffe.py takes the roles out
