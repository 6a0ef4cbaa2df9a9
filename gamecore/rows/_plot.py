"""Plot the interval table of a row. Drawing imports matplotlib."""

from typing import TYPE_CHECKING, Any, Final

from gamecore.errors import OptionError
from gamecore.rows._solve import solve
from gamecore.rows._table import table

if TYPE_CHECKING:
    import numpy.typing as npt
    from matplotlib.figure import Figure

    from gamecore.rows._position import First, Opponent, Ties

MOST_TABLE: Final = 2000  #: values of the longest row whose table (32 MB) is plotted
_WITH_NUMBERS: Final = 14  #: values of the longest row whose cells are labelled
_MINE, _THEIRS = "#2468b4", "#d9731a"


def plot_table(
    values: "npt.ArrayLike", *, opponent: "Opponent" = "optimal", first: "First" = "me", ties: "Ties" = "right"
) -> "Figure":
    """Plot the interval table of a row as a heat map, with the path of best play.

    The cell at row i and column j is the interval from i to j. Play starts in the upper right corner. A step down takes
    the left end, a step to the left takes the right end. My steps are blue, the opponent's orange.

    Args:
        values: a row of 1 to 2000 values.
        opponent, first, ties: as for ``rows.solve``.

    Raises:
        OptionError: more than 2000 values, an unknown name. GamecoreError: a bad row; matplotlib is not installed.
    """
    import numpy as np

    from gamecore.draw.plots import add_legend, new_figure

    solution = solve(values, opponent=opponent, first=first, ties=ties)
    n = len(solution.line)
    if n > MOST_TABLE:
        raise OptionError(f"values: a table is plotted for at most {MOST_TABLE} values, not {n}")
    figure = new_figure(6.4, 5.6)
    cells = table(values, opponent=opponent, ties=ties).astype(np.float64)
    shown = np.ma.masked_where(np.tri(n, k=-1, dtype=bool), cells)
    axes = figure.subplots()
    image = axes.imshow(shown, interpolation="nearest" if n <= 200 else "antialiased", cmap="viridis")
    figure.colorbar(image, ax=axes, label="taken by the side to move")
    if n <= _WITH_NUMBERS:
        texts = {(i, j): f"{cells[i, j]:g}" for i in range(n) for j in range(i, n)}
        size = _size_of_numbers(n, max(map(len, texts.values())))
        for (i, j), text in texts.items() if size else ():
            axes.text(
                j, i, text, ha="center", va="center", fontsize=size, zorder=5,
                bbox={"facecolor": "white", "alpha": 0.85, "edgecolor": "none", "pad": 1},
            )  # fmt: skip
        axes.set_xticks(range(n))
        axes.set_yticks(range(n))
    _path(axes, solution.line, solution.first == "me")
    add_legend(figure)
    axes.set_xlabel("j: right end of the interval")
    axes.set_ylabel("i: left end")
    axes.set_title(f"{solution.opponent} opponent: I take {solution.mine:g}, the opponent {solution.theirs:g}")
    return figure


def _path(axes: Any, line: str, mine: bool) -> None:
    """Draw the path of play as one broken line a side, which is fast on long rows."""
    steps: dict[bool, tuple[list[float], list[float]]] = {True: ([], []), False: ([], [])}
    i, j = 0, len(line) - 1
    for move in line[:-1]:
        to = (i + 1, j) if move == "L" else (i, j - 1)
        steps[mine][0].extend((j, to[1], float("nan")))
        steps[mine][1].extend((i, to[0], float("nan")))
        (i, j), mine = to, not mine
    for side, color, name in ((True, _MINE, "I take"), (False, _THEIRS, "the opponent takes")):
        width = 3.0 if len(line) <= 60 else 1.6
        axes.plot(*steps[side], color="white", linewidth=width + 2, solid_capstyle="round", zorder=3)
        axes.plot(*steps[side], color=color, linewidth=width, solid_capstyle="round", label=name, zorder=4)


def _size_of_numbers(n: int, longest: int) -> float:
    """Return the font size at which numbers of ``longest`` characters fit in the cells of an n x n table, or 0."""
    room = 280 / n - 4  # in points; the axes are about 290 points wide
    size = min(9.0, room / (0.66 * longest))
    return size if size >= 5 else 0
