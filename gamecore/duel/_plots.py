"""A plot of the values of many duels."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from gamecore.duel._solve import Solution
from gamecore.errors import OptionError
from gamecore.text import printable

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_MINE, _THEIRS = "#2468b4", "#d9731a"


def plot_duels(solutions: "Iterable[Solution | int]", title: str = "") -> "Figure":
    """Plot the distribution of values: a bar for each, blue if Alice wins, orange if Bob wins.

    Args:
        solutions: exact solutions of ``duel.solve``, or values for Alice (never 0); at least one.
        title: any text.

    Raises:
        OptionError: no solutions, a solution that is not exact, or a value that is not an integer or is 0.
        GamecoreError: matplotlib is not installed.
    """
    import numpy as np

    from gamecore.draw.plots import add_legend, new_figure, plain_text

    outcomes = []
    for k, entry in enumerate(solutions):
        value = entry.value if isinstance(entry, Solution) else entry
        if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or not value:
            raise OptionError(f"solutions[{k}] is no exact solution or value of a duel: {printable(entry, 60)}")
        outcomes.append(-int(value) if isinstance(entry, Solution) and entry.to_move == "Bob" else int(value))
    if not outcomes:
        raise OptionError("solutions: there is none")
    figure = new_figure(7, 3.6)
    axes = figure.subplots()
    values, counts = np.unique(outcomes, return_counts=True)
    for side, color, name in ((values > 0, _MINE, "Alice"), (values < 0, _THEIRS, "Bob")):
        share = counts[side].sum() / len(outcomes)
        axes.bar(values[side], counts[side] / len(outcomes), width=0.9, color=color, label=f"{name} wins {share:.1%}")
    axes.axvline(float(np.mean(outcomes)), color="grey", linestyle=":", label=f"mean {np.mean(outcomes):+.2f}")
    axes.set_xlabel("points that Alice wins (below 0: that Bob wins)")
    axes.set_ylabel("share of deals")
    axes.set_title(plain_text(title) or f"{len(outcomes)} deals")
    add_legend(figure)
    return figure
