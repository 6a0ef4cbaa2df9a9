"""The page's files, read once when the server starts: no request reads a file."""

from importlib import resources
from importlib.resources.abc import Traversable
from typing import Final, NamedTuple

_TYPES: Final = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".ico": "image/x-icon",
    ".webmanifest": "application/manifest+json",
}
INDEX: Final = "index.html"


class File(NamedTuple):
    """A file of the page."""

    type: str
    content: bytes


def files() -> dict[str, File]:
    """Return every file of the page by its path below ``static``."""
    found: dict[str, File] = {}
    _collect(resources.files("gamecore.explore") / "static", "", found)
    return found


def _collect(folder: Traversable, prefix: str, found: dict[str, File]) -> None:
    for entry in folder.iterdir() if folder.is_dir() else ():
        name = prefix + entry.name
        if entry.is_dir():
            _collect(entry, f"{name}/", found)
        else:
            kind = _TYPES.get("." + entry.name.rpartition(".")[2])
            if kind is not None:
                found[name] = File(kind, entry.read_bytes())
