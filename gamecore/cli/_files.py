"""Output files: checked first, written last."""

import io
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Final, Protocol

from gamecore.errors import GamecoreError
from gamecore.files import file_errors, part_of, write_whole

if TYPE_CHECKING:
    from matplotlib.figure import Figure
_FORMATS: Final = ("png", "svg", "pdf")  # what matplotlib writes without other programs


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


def check_plot(path: str | None) -> None:
    """Fail before the work if a plot cannot be drawn into this file.

    Raises:
        GamecoreError: matplotlib is not installed, it does not know the format, or the file cannot be written.
    """
    if path is None:
        return
    from gamecore.draw.plots import new_figure

    new_figure(1, 1)
    if _format_of(path) not in _FORMATS:
        raise GamecoreError(f"cannot write {path!a}: the name of a plot must end in {', '.join(_FORMATS)}")
    check_writable(path)


def _format_of(path: str) -> str:
    return PurePath(path).suffix[1:].lower() or "png"


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
        GamecoreError: the file cannot be written.
    """
    if path is None:
        return
    figure, picture = result.plot(), io.BytesIO()
    with file_errors("write", path):
        # Not by name: matplotlib would put a suffix to one without, and empty the file before it knows the format.
        figure.savefig(picture, dpi=150, format=_format_of(path))
    save(path, [picture.getvalue()])
