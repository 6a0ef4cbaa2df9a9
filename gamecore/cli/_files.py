"""Files that a command writes: looked at before the work begins, written after it."""

import os
from contextlib import suppress
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Protocol

from gamecore.errors import GamecoreError

if TYPE_CHECKING:
    from matplotlib.figure import Figure


class Plotted(Protocol):
    """A result that can be drawn."""

    def plot(self) -> "Figure":
        """A figure of matplotlib."""


def check_writable(path: str | None) -> None:
    """Fail before the work, not after it, where the file cannot be written.

    Raises:
        GamecoreError: it cannot.
    """
    if path is None:
        return
    try:
        with open(path, "ab"):
            pass
    except OSError as error:
        raise GamecoreError(f"cannot write {path!a}: {error.strerror}") from None


def check_replaceable(path: str) -> None:
    """See that a file can be put in the place of what is there; nothing is left, or changed.

    Raises:
        GamecoreError: it cannot.
    """
    place = Path(path).resolve()
    if place.exists() and not place.is_file():
        check_writable(path)  # a device; a directory is none
        return
    trial = place.with_name(f"{place.name}.{os.getpid()}.part")
    try:
        trial.touch(exist_ok=False)
    except OSError as error:
        raise GamecoreError(f"cannot write {path!a}: {error.strerror}") from None
    finally:
        with suppress(OSError):
            trial.unlink(missing_ok=True)


def save_plot(path: str | None, result: Plotted) -> None:
    """Draw a result into a file, in the format that its suffix names, else as PNG.

    Raises:
        GamecoreError: the file cannot be written, or matplotlib is not installed.
    """
    if path is None:
        return
    figure = result.plot()
    try:
        # The file that was named and checked: matplotlib would put a suffix to a name without one.
        with open(path, "wb") as file:
            figure.savefig(file, dpi=150, format=PurePath(path).suffix[1:] or "png")
    except (OSError, ValueError) as error:
        raise GamecoreError(f"cannot write {path!a}: {error}") from None
