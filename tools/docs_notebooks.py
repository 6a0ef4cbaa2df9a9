"""For mkdocs: the notebooks of examples/ as pages, with their outputs.

A notebook runs again if it or the code that it uses has changed; build/notebooks keeps the outputs.
"""

import hashlib
import os
import re
import tempfile
import xml.etree.ElementTree as ET
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient

_PICTURE = re.compile(r"!\[\w*\]\(([^)]+)\)")
Page = tuple[str, dict[str, bytes]]  #: Markdown, and the files that it shows by their names


def pages(root: Path, names: Iterable[str]) -> dict[str, Page]:
    """The pages of these notebooks, by name."""
    wanted = list(names)
    with ThreadPoolExecutor(2) as pool:
        return dict(zip(wanted, pool.map(lambda name: page(root, name), wanted), strict=True))


def page(root: Path, name: str) -> Page:
    """One notebook: a link to the notebook itself behind its title, then cells and outputs."""
    from nbconvert import MarkdownExporter

    text, resources = MarkdownExporter().from_notebook_node(executed(root, name), {"unique_key": name})
    files = {key: bytes(value) for key, value in resources["outputs"].items()}
    text = _PICTURE.sub(lambda match: f"![{described(match[1], files)}]({match[1]})", text)
    title, _, rest = text.strip().partition("\n")
    link = f"This page is [a notebook]({name}.ipynb) with its outputs: download it, change it, run it."
    return f"{title}\n\n{link}\n{rest}\n", files


def described(name: str, files: dict[str, bytes]) -> str:
    """Return the alternative text of a picture: the title of our SVG."""
    if not name.endswith(".svg"):
        return "a plot, which the cell above draws"
    title = ET.fromstring(files[name]).findtext("{http://www.w3.org/2000/svg}title") or ""
    return title.translate(str.maketrans("", "", "[]\n"))


def executed(root: Path, name: str) -> Any:
    """Return the notebook with its outputs; run it unless it is unchanged."""
    source = root / "examples" / f"{name}.ipynb"
    kept = root / "build" / "notebooks" / f"{name}-{state(root, source)}.ipynb"
    if kept.is_file():
        return nbformat.read(kept, as_version=4)
    book = nbformat.read(source, as_version=4)
    kept.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=kept.parent) as folder:
        NotebookClient(book, timeout=120, resources={"metadata": {"path": folder}}).execute()
        nbformat.write(book, Path(folder, "done"))
        for old in kept.parent.glob(f"{name}-*.ipynb"):
            old.unlink(missing_ok=True)
        os.replace(Path(folder, "done"), kept)  # at once: another process may want it
    return book


def state(root: Path, source: Path) -> str:
    """Return a hash of a notebook and of the code that may change its outputs."""
    game = source.stem
    parts = [source, root / "gamecore" / "contract.py", root / "pyx" / f"{game}.pyx"]
    for folder in (root / "gamecore" / game, root / "gamecore" / "draw", root / "pyx" / game):
        parts += sorted(path for path in folder.rglob("*") if path.suffix in {".py", ".pxi", ".pxd"})
    whole = hashlib.sha256()
    for part in parts:
        whole.update(part.read_bytes())
    return whole.hexdigest()[:16]
