"""Plots of simulations and comparisons (matplotlib)."""

from typing import TYPE_CHECKING, Any

import numpy as np

from gamecore.draw.plots import add_legend, new_figure, plain_text

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def plot_means(named: list[tuple[str, float, float]]) -> "Figure":
    """Names with mean points and standard errors, the best on top."""
    names, means, errors = zip(*sorted(named, key=lambda entry: entry[1]), strict=True)
    figure = new_figure(7, 1.2 + 0.42 * len(named))
    axes = figure.subplots()
    places = range(len(named))
    doubled = [2 * error for error in errors]
    axes.barh(places, means, xerr=doubled, color=[f"C{k % 10}" for k in places], alpha=0.85, capsize=3)
    axes.set_yticks(places, list(map(plain_text, names)))
    axes.invert_yaxis()
    axes.axvline(6.5, color="grey", linestyle=":", linewidth=1)
    axes.set_xlabel("points a round, lower is better (dotted: 6.5; 2 standard errors)")
    return figure


def plot_simulation(simulation: Any) -> "Figure":
    """Mean points of the four seats with two standard errors, and the distribution of points."""
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


def plot_comparison(comparison: Any) -> "Figure":
    """Points a round against time per decision, with two standard errors; a line joins the Pareto-best players."""
    figure = new_figure(7, max(4.4, 3.4 + 0.1 * len(comparison.players)))
    axes = figure.subplots()
    means, errors, seconds = comparison.mean, comparison.stderr, comparison.decision_seconds
    timed = np.isfinite(seconds) & (seconds > 0)
    shown = np.where(timed, seconds, seconds[timed].min() if timed.any() else 1e-6)
    for place, player in enumerate(comparison.players):
        name = plain_text(player) + ("" if timed[place] else " (no time)")
        axes.errorbar(
            shown[place], means[place], yerr=2 * errors[place], fmt="os^Dv"[place // 10 % 5], color=f"C{place % 10}",
            capsize=3, label=name,
        )  # fmt: skip
    best = pareto([(float(x), float(y)) for x, y in zip(shown, means, strict=True)])
    axes.plot(shown[best], means[best], color="grey", linewidth=1, drawstyle="steps-post", zorder=0)
    axes.set_xscale("log")
    axes.set_xlabel("seconds a decision")
    axes.set_ylabel("points a round, lower is better (2 standard errors)")
    axes.set_title(plain_text(comparison.heading), fontsize="medium")
    add_legend(figure)
    return figure


def pareto(points: list[tuple[float, float]]) -> list[int]:
    """Indices of the Pareto-minimal points, by the first coordinate."""
    best: list[int] = []
    for place in sorted(range(len(points)), key=lambda place: points[place]):
        if not best or points[place][1] < points[best[-1]][1]:
            best.append(place)
    return best
