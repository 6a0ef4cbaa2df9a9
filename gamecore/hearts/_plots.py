"""Plots of simulations and comparisons."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from gamecore.errors import OptionError
from gamecore.text import printable

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from gamecore.hearts._compare import Comparison
    from gamecore.hearts._simulate import Simulation


def plot_strength(simulations: "Mapping[str, Simulation] | Iterable[Simulation]") -> "Figure":
    """Mean points of seat 0 in each simulation with error bars of two standard errors, the best on top.

    Args:
        simulations: results of ``hearts.simulate`` with at least two rounds each, or a mapping from names to them.

    Raises:
        OptionError: no simulation, or one with fewer than two rounds. GamecoreError: matplotlib is not installed.
    """
    from gamecore.draw.plots import new_figure, plain_text

    named: list[tuple[str, Simulation]]
    if isinstance(simulations, Mapping):
        named = [(str(name), simulation) for name, simulation in simulations.items()]
    else:
        named = [(_table_name(simulation.players), simulation) for simulation in simulations]
    if not named:
        raise OptionError("simulations: there is none")
    for name, simulation in named:
        if simulation.rounds < 2:
            raise OptionError(f"simulations: {printable(name, 60)} has {simulation.rounds} rounds; an error needs two")
    named.sort(key=lambda pair: float(pair[1].mean[0]))
    figure = new_figure(7, 1.2 + 0.42 * len(named))
    axes = figure.subplots()
    means = [float(simulation.mean[0]) for _, simulation in named]
    errors = [2 * float(simulation.stderr[0]) for _, simulation in named]
    places = range(len(named))
    axes.barh(places, means, xerr=errors, color=[f"C{k % 10}" for k in places], alpha=0.85, capsize=3)
    axes.set_yticks(places, [plain_text(name) for name, _ in named])
    axes.invert_yaxis()
    axes.axvline(6.5, color="grey", linestyle=":", linewidth=1)
    axes.set_xlabel("points a round, lower is better (dotted: 6.5; 2 standard errors)")
    return figure


def _table_name(players: tuple[str, ...]) -> str:
    others = players[1:]
    return f"{players[0]} against " + (f"3 {others[0]}" if len(set(others)) == 1 else ", ".join(others))


def plot_simulation(simulation: "Simulation") -> "Figure":
    """Mean points of the four seats with two standard errors, and the distribution of points.

    Raises:
        GamecoreError: matplotlib is not installed.
    """
    import numpy as np

    from gamecore.draw.plots import add_legend, new_figure, plain_text

    figure = new_figure(9, 3.6)
    left, right = figure.subplots(1, 2)
    points = simulation.points
    labels = [plain_text(f"{seat}: {name}") for seat, name in enumerate(simulation.players)]
    left.barh(labels, simulation.mean, xerr=2 * simulation.stderr, color=[f"C{seat}" for seat in range(4)], alpha=0.8)
    left.invert_yaxis()
    left.set_xlabel("points a round (bars: 2 standard errors)")
    low, high = (int(points.min()), int(points.max())) if len(points) else (0, 26)
    for seat, label in enumerate(labels):
        counts = np.bincount(points[:, seat].astype(np.int64) - low, minlength=high - low + 1)
        right.plot(np.arange(low, high + 1), counts / max(1, len(points)), drawstyle="steps-mid", label=label)
    right.set_xlabel("points in a round")
    right.set_ylabel("share of rounds")
    add_legend(figure)
    return figure


def plot_comparison(comparison: "Comparison") -> "Figure":
    """Points a round against time per decision, with two standard errors; a line joins the Pareto-best players.

    Raises:
        OptionError: fewer than two deals. GamecoreError: matplotlib is not installed.
    """
    import numpy as np

    from gamecore.draw.plots import new_figure, plain_text

    if comparison.rounds < 2:
        raise OptionError(f"a comparison of {comparison.rounds} deals has no standard errors to plot")
    figure = new_figure(7, max(4.4, 1.4 + 0.2 * len(comparison.players)))
    axes = figure.subplots()
    means, errors, seconds = comparison.mean, comparison.stderr, comparison.decision_seconds
    timed = np.isfinite(seconds) & (seconds > 0)
    shown = np.where(timed, seconds, seconds[timed].min() if timed.any() else 1e-6)
    for place in range(len(means)):
        axes.errorbar(shown[place], means[place], yerr=2 * errors[place], fmt="o", color=f"C{place % 10}", capsize=3)
    best = pareto([(float(x), float(y)) for x, y in zip(shown, means, strict=True)])
    axes.plot(shown[best], means[best], color="grey", linewidth=1, drawstyle="steps-post", zorder=0)
    axes.set_xscale("log")
    names = [plain_text(name) + ("" if timed[k] else " (no time)") for k, name in enumerate(comparison.players)]
    _names_beside(axes, names, shown, means)
    axes.set_xlabel("seconds a decision")
    axes.set_ylabel("points a round, lower is better (2 standard errors)")
    axes.set_title(plain_text(comparison.heading), fontsize="medium")
    return figure


def _names_beside(axes: Any, names: list[str], xs: Any, ys: Any) -> None:
    """Write the points' names in a column on the right, as near to their heights as possible, joined by thin lines."""
    low, high = axes.get_ylim()
    least = 0.2 / (0.75 * axes.figure.get_figheight())  # between two lines of text, as a share of the axes' height
    order = sorted(range(len(names)), key=lambda place: float(ys[place]))
    heights: list[float] = []
    for k, place in enumerate(order):
        height = (float(ys[place]) - low) / (high - low)
        heights.append(max(height, heights[-1] + least) if k else max(height, 0.02))
    top = 0.98
    for k in reversed(range(len(order))):
        heights[k] = min(heights[k], top)
        top = heights[k] - least
    thin = {"arrowstyle": "-", "color": "grey", "linestyle": ":", "linewidth": 0.8, "shrinkA": 2, "shrinkB": 4}
    for height, place in zip(heights, order, strict=True):
        axes.annotate(
            names[place], (xs[place], ys[place]), xytext=(1.03, height), textcoords="axes fraction", fontsize="small",
            va="center", arrowprops=thin,
        )  # fmt: skip


def pareto(points: list[tuple[float, float]]) -> list[int]:
    """Indices of the Pareto-minimal points, by the first coordinate."""
    best: list[int] = []
    for place in sorted(range(len(points)), key=lambda place: points[place]):
        if not best or points[place][1] < points[best[-1]][1]:
            best.append(place)
    return best
