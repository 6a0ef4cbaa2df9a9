"""Helpers for plots. matplotlib is imported when a plot is drawn."""

import io
from collections.abc import Callable
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, Final

from gamecore.errors import GamecoreError
from gamecore.files import check_writable, file_errors, write_whole
from gamecore.text import without_controls

if TYPE_CHECKING:
    from matplotlib.figure import Figure


_BEGINNINGS: Final = (b"\x89PNG", b'<?xml version="1.0" encoding="utf-8" standalone="no"?>', b"%PDF")  # of its files
_FORMATS: Final = ("png", "svg", "pdf")  # matplotlib writes these without other programs


def new_figure(width: float, height: float) -> "Figure":
    """Return an empty figure of this size in inches.

    Raises:
        GamecoreError: matplotlib is not installed.
    """
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise GamecoreError("a plot needs matplotlib: pip install 'gamecore[plot]'") from None
    return Figure(figsize=(width, height), layout="constrained")


def add_legend(figure: "Figure", columns: int = 3) -> None:
    """Add one legend for all axes, below them; ``columns``: at most."""
    handles = {
        text: handle for axes in figure.axes for handle, text in zip(*axes.get_legend_handles_labels(), strict=True)
    }
    columns = min(columns, len(handles))
    figure.legend(handles.values(), handles, loc="outside lower center", ncols=columns, fontsize="small")


def plain_text(text: str) -> str:
    """Escape dollar signs, which would begin a formula in matplotlib."""
    return without_controls(text).replace("$", r"\$")


def saver(path: str | None) -> Callable[[Any], None]:
    """Return a function that plots a result (which has ``plot()``) into a file; checked before the work begins.

    The suffix names the format; without one it is PNG. None: nothing is saved.

    Raises:
        GamecoreError: matplotlib is not installed, it does not know the format, or the file cannot be written.
    """
    if path is None:
        return lambda _: None
    new_figure(1, 1)
    kind = PurePath(path).suffix[1:].lower() or "png"
    if kind not in _FORMATS:
        raise GamecoreError(f"cannot write {path!a}: the name of a plot must end in {', '.join(_FORMATS)}")
    check_writable(path, _BEGINNINGS)

    def save(result: Any) -> None:
        figure, picture = result.plot(), io.BytesIO()
        with file_errors("write", path):
            # Not by name: matplotlib would put a suffix to one without, and empty the file before it knows the format.
            figure.savefig(picture, dpi=150, format=kind)
            write_whole(path, [picture.getvalue()])

    return save
