"""The page's files, read once when the server starts: no request reads a file."""

from importlib import resources
from pathlib import PurePath
from typing import Final, NamedTuple

_TYPES: Final = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}
INDEX: Final = "index.html"


class File(NamedTuple):
    """A file of the page."""

    type: str
    content: bytes


def files() -> dict[str, File]:
    """Return every file of the page by its name."""
    entries = (resources.files("gamecore.apps.explore") / "static").iterdir()
    types = {entry: _TYPES.get(PurePath(entry.name).suffix) for entry in entries}
    return {entry.name: File(kind, entry.read_bytes()) for entry, kind in types.items() if kind}
