"""What plots share. matplotlib is imported when a plot is drawn."""

from typing import TYPE_CHECKING

from gamecore.errors import GamecoreError
from gamecore.text import without_controls

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def new_figure(width: float, height: float) -> "Figure":
    """Return an empty figure of this size in inches.

    Raises:
        GamecoreError: matplotlib is not installed.
    """
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise GamecoreError("a plot needs matplotlib: pip install gamecore[plot]") from None
    return Figure(figsize=(width, height), layout="constrained")


def add_legend(figure: "Figure") -> None:
    """Add one legend for all axes, below them."""
    found = {
        text: handle for axes in figure.axes for handle, text in zip(*axes.get_legend_handles_labels(), strict=True)
    }
    figure.legend(found.values(), found, loc="outside lower center", ncols=min(3, len(found)), fontsize="small")


def plain_text(text: str) -> str:
    """Return text that matplotlib shows as it is: a dollar sign would begin a formula."""
    return without_controls(text).replace("$", r"\$")
