"""Files that a command writes: looked at before the work begins, written after it."""

import io
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Protocol

from gamecore.files import file_errors, part_of, write_whole

if TYPE_CHECKING:
    from matplotlib.figure import Figure


class Plotted(Protocol):
    """A result that can be drawn."""

    def plot(self) -> "Figure":
        """A figure of matplotlib."""


def check_writable(path: str | None) -> None:
    """Fail before the work, not after it, where the file cannot be written; nothing is made, or changed.

    Raises:
        GamecoreError: it cannot.
    """
    if path is None:
        return
    with file_errors("write", path):
        place = Path(path).resolve()
        if place.exists():
            with place.open("ab"):  # fails where it is a directory, or protected
                pass
            if not place.is_file():  # a device
                return
        trial = part_of(place)
        try:
            trial.touch(exist_ok=False)
        finally:
            with suppress(OSError):
                trial.unlink(missing_ok=True)


def save(path: str, chunks: Iterable[bytes]) -> None:
    """Write a file as a whole, or leave what was there.

    Raises:
        GamecoreError: it cannot be written.
    """
    with file_errors("write", path):
        write_whole(path, chunks)


def save_plot(path: str | None, result: Plotted) -> None:
    """Draw a result into a file, in the format that its suffix names, else as PNG.

    Raises:
        GamecoreError: the file cannot be written, or matplotlib is not installed.
    """
    if path is None:
        return
    figure, picture = result.plot(), io.BytesIO()
    with file_errors("write", path):  # matplotlib's ValueError: a suffix that names no format
        # Not by name: matplotlib would put a suffix to one without, and empty the file before it knows the format.
        figure.savefig(picture, dpi=150, format=PurePath(path).suffix[1:] or "png")
    save(path, [picture.getvalue()])
