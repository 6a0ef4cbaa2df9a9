"""Plots of results, with matplotlib, which is imported when a plot is drawn."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Final, Literal

from gamecore.errors import GamecoreError, OptionError
from gamecore.text import printable, without_controls

if TYPE_CHECKING:
    import numpy.typing as npt
    from matplotlib.figure import Figure

    from gamecore.duel import Solution
    from gamecore.hearts import Comparison, Simulation, Training
    from gamecore.rows._input import First, Opponent, Ties

MOST_TABLE: Final = 2000  #: values of a row whose table is plotted: 32 MB
_WITH_NUMBERS: Final = 14  #: cells of tables up to this size are labelled
_MINE, _THEIRS = "#2468b4", "#d9731a"


def _figure(width: float, height: float) -> "Figure":
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise GamecoreError("a plot needs matplotlib: pip install gamecore[plot]") from None
    return Figure(figsize=(width, height), layout="constrained")


def _legend(figure: "Figure") -> None:
    """The legend of all axes below them, where nothing is drawn."""
    found = {
        text: handle for axes in figure.axes for handle, text in zip(*axes.get_legend_handles_labels(), strict=True)
    }
    figure.legend(found.values(), found, loc="outside lower center", ncols=min(3, len(found)), fontsize="small")


def _plain(text: str) -> str:
    """Text that matplotlib shows as it is: a dollar sign would begin a formula."""
    return without_controls(text).replace("$", r"\$")


def plot_table(
    values: "npt.ArrayLike", *, opponent: "Opponent" = "optimal", first: "First" = "me", ties: "Ties" = "right",
    show: Literal["taken", "difference"] = "taken",
) -> "Figure":  # fmt: skip
    """The interval table of a row as a heat map, and on it the path of play from the whole row to its last value.

    Row i and column j speak of the interval from i to j; play begins in the upper right corner. A step down takes the
    left end, a step to the left the right one; blue steps are mine, orange ones the opponent's.

    Args:
        values: a row of 1 to 2000 values.
        opponent, first, ties: as for ``rows.solve``.
        show: ``taken``: the cells of ``rows.table``; ``difference``: by how much that is more than the rest of the
            interval.

    Raises:
        OptionError: more than 2000 values, an unknown name. GamecoreError: a bad row; matplotlib is not installed.
    """
    import numpy as np

    from gamecore import rows

    if show not in ("taken", "difference"):
        raise OptionError(f"show has to be 'taken' or 'difference', not {printable(show)}")
    solution = rows.solve(values, opponent=opponent, first=first, ties=ties)
    n = len(solution.line)
    if n > MOST_TABLE:
        raise OptionError(f"values: a table is plotted for at most {MOST_TABLE} values, not {n}")
    figure = _figure(6.4, 5.6)
    cells = rows.table(values, opponent=opponent, ties=ties).astype(np.float64)
    if show == "difference":
        before = np.concatenate([[0], np.cumsum(np.asarray(values, dtype=np.float64))])
        cells = 2 * cells - (before[None, 1:] - before[:-1, None])
    shown = np.ma.masked_where(np.tri(n, k=-1, dtype=bool), cells)
    axes = figure.subplots()
    reach = float(abs(shown).max()) or 1.0
    scale: dict[str, Any] = {"cmap": "viridis"}
    if show == "difference":
        scale = {"cmap": "RdBu", "vmin": -reach, "vmax": reach}
    image = axes.imshow(shown, interpolation="nearest" if n <= 200 else "antialiased", **scale)
    figure.colorbar(image, ax=axes, label="taken by the side to move" if show == "taken" else "difference")
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
    _legend(figure)
    axes.set_xlabel("j: right end of the interval")
    axes.set_ylabel("i: left end")
    axes.set_title(f"{solution.opponent} opponent: I take {solution.mine:g}, the opponent {solution.theirs:g}")
    return figure


def _path(axes: Any, line: str, mine: bool) -> None:
    """The intervals that play goes through; one line a side, with gaps, so that long rows draw quickly."""
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
    """Font size in points at which numbers of so many characters fit in the cells of an n x n table; 0: none does."""
    room = 280 / n - 4  # points: the axes are some 290 wide
    size = min(9.0, room / (0.66 * longest))
    return size if size >= 5 else 0


def plot_duels(solutions: "Iterable[Solution | int]", title: str = "") -> "Figure":
    """How the values of many duels are distributed: a bar for each value, blue where Alice wins, orange where Bob does.

    Args:
        solutions: exact solutions of ``duel.solve``, whoever is to move, or Alice's values (none is 0); at least one.
        title: any text.

    Raises:
        OptionError: no solution, one that is not exact, a value that is not a whole number other than 0.
        GamecoreError: matplotlib is not installed.
    """
    import numpy as np

    found = []
    for k, entry in enumerate(solutions):
        value = entry if isinstance(entry, (int, np.integer)) else getattr(entry, "value", None)
        if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or not value:
            raise OptionError(f"solutions[{k}] has no exact value: {printable(entry, 60)}")
        found.append(-int(value) if getattr(entry, "to_move", "Alice") == "Bob" else int(value))
    if not found:
        raise OptionError("solutions: there is none")
    figure = _figure(7, 3.6)
    axes = figure.subplots()
    values, counts = np.unique(found, return_counts=True)
    for side, color, name in ((values > 0, _MINE, "Alice"), (values < 0, _THEIRS, "Bob")):
        share = counts[side].sum() / len(found)
        axes.bar(values[side], counts[side] / len(found), width=0.9, color=color, label=f"{name} wins {share:.1%}")
    axes.axvline(float(np.mean(found)), color="grey", linestyle=":", label=f"mean {np.mean(found):+.2f}")
    axes.set_xlabel("points that Alice wins (below 0: that Bob wins)")
    axes.set_ylabel("share of deals")
    axes.set_title(_plain(title) or f"{len(found)} deals")
    _legend(figure)
    return figure


def plot_strength(simulations: "Mapping[str, Simulation] | Iterable[Simulation]") -> "Figure":
    """Mean points of seat 0 in each simulation with error bars of two standard errors, the best on top.

    Args:
        simulations: what ``hearts.simulate`` returned, at least two rounds each; or a mapping with a name for each.

    Raises:
        OptionError: no simulation, or one of less than two rounds. GamecoreError: matplotlib is not installed.
    """
    named: list[tuple[str, Simulation]]
    if isinstance(simulations, Mapping):
        named = [(str(name), one) for name, one in simulations.items()]
    else:
        named = [(_table_name(one.players), one) for one in simulations]
    if not named:
        raise OptionError("simulations: there is none")
    for name, one in named:
        if one.rounds < 2:
            raise OptionError(f"simulations: {printable(name, 60)} has {one.rounds} rounds; an error needs two")
    named.sort(key=lambda pair: float(pair[1].mean[0]))
    figure = _figure(7, 1.2 + 0.42 * len(named))
    axes = figure.subplots()
    means = [float(one.mean[0]) for _, one in named]
    errors = [2 * float(one.stderr[0]) for _, one in named]
    places = range(len(named))
    axes.barh(places, means, xerr=errors, color=[f"C{k % 10}" for k in places], alpha=0.85, capsize=3)
    axes.set_yticks(places, [_plain(name) for name, _ in named])
    axes.invert_yaxis()
    axes.axvline(6.5, color="grey", linestyle=":", linewidth=1)
    axes.set_xlabel("points a round, lower is better (dotted: 6.5; 2 standard errors)")
    return figure


def _table_name(players: tuple[str, ...]) -> str:
    others = players[1:]
    return f"{players[0]} against " + (f"3 {others[0]}" if len(set(others)) == 1 else ", ".join(others))


def plot_simulation(simulation: "Simulation") -> "Figure":
    """Mean points of the four seats with two standard errors, and how points are distributed.

    Raises:
        GamecoreError: matplotlib is not installed.
    """
    import numpy as np

    figure = _figure(9, 3.6)
    left, right = figure.subplots(1, 2)
    points = simulation.points
    labels = [_plain(f"{seat}: {name}") for seat, name in enumerate(simulation.players)]
    left.barh(labels, simulation.mean, xerr=2 * simulation.stderr, color=[f"C{seat}" for seat in range(4)], alpha=0.8)
    left.invert_yaxis()
    left.set_xlabel("points a round (bars: 2 standard errors)")
    low, high = (int(points.min()), int(points.max())) if len(points) else (0, 26)
    for seat, label in enumerate(labels):
        counts = np.bincount(points[:, seat].astype(np.int64) - low, minlength=high - low + 1)
        right.plot(np.arange(low, high + 1), counts / max(1, len(points)), drawstyle="steps-mid", label=label)
    right.set_xlabel("points in a round")
    right.set_ylabel("share of rounds")
    _legend(figure)
    return figure


def plot_comparison(comparison: "Comparison") -> "Figure":
    """Points a round against time a decision, with two standard errors; a line joins the Pareto-best players.

    These are the players than which no other is both better and at least as fast.

    Raises:
        OptionError: fewer than two deals. GamecoreError: matplotlib is not installed.
    """
    import numpy as np

    if comparison.rounds < 2:
        raise OptionError(f"a comparison of {comparison.rounds} deals has no standard errors to plot")
    figure = _figure(7, max(4.4, 1.4 + 0.2 * len(comparison.players)))
    axes = figure.subplots()
    means, errors, seconds = comparison.mean, comparison.stderr, comparison.decision_seconds
    timed = np.isfinite(seconds) & (seconds > 0)
    shown = np.where(timed, seconds, seconds[timed].min() if timed.any() else 1e-6)
    for place in range(len(means)):
        axes.errorbar(shown[place], means[place], yerr=2 * errors[place], fmt="o", color=f"C{place % 10}", capsize=3)
    best = pareto([(float(one), float(mean)) for one, mean in zip(shown, means, strict=True)])
    axes.plot(shown[best], means[best], color="grey", linewidth=1, drawstyle="steps-post", zorder=0)
    axes.set_xscale("log")
    names = [_plain(name) + ("" if timed[k] else " (no time)") for k, name in enumerate(comparison.players)]
    _names_beside(axes, names, shown, means)
    axes.set_xlabel("seconds a decision")
    axes.set_ylabel("points a round, lower is better (2 standard errors)")
    others = comparison.field[0] if len(set(comparison.field)) == 1 else ", ".join(comparison.field)
    axes.set_title(_plain(f"against {others}, {comparison.rounds} deals in four seats"), fontsize="medium")
    return figure


def plot_training(training: "Training") -> "Figure":
    """What a decision loses, in points, epoch by epoch; a line parts the stages, whose curves cannot be compared.

    Raises:
        GamecoreError: matplotlib is not installed.
    """
    curves = training.curves
    figure = _figure(8, 4)
    axes = figure.subplots()
    for name, text, color in (("drawn", "a card drawn by the policy", _THEIRS), ("best", "its best card", _MINE)):
        for stage in range(1, int(curves[-1]["stage"]) + 1):
            rows = [(at, row[name]) for at, row in enumerate(curves, start=1) if row["stage"] == stage]
            axes.plot(*zip(*rows, strict=True), "o-", color=color, label=text if stage == 1 else None)
    axes.set_ylim(0, 1.25 * max(row["drawn"] for row in curves) or 1.0)
    axes.set_xlim(0.5, len(curves) + 0.5)
    for at, row in enumerate(curves, start=1):
        if row["epoch"] == 1:
            axes.axvline(at - 0.5, color="0.8")
            axes.text(at - 0.4, axes.get_ylim()[1], f"stage {row['stage']:.0f}", va="top", fontsize="small")
    axes.set_xlabel("epoch")
    axes.set_ylabel("points lost a decision")
    _legend(figure)
    return figure


def _names_beside(axes: Any, names: list[str], xs: Any, ys: Any) -> None:
    """The names of points in a column on the right, each in the height of its point or as near as there is room.

    A thin line joins name and point.
    """
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
    """The places of the points than which no other is smaller in both coordinates, by the first coordinate."""
    best: list[int] = []
    for place in sorted(range(len(points)), key=lambda place: points[place]):
        if not best or points[place][1] < points[best[-1]][1]:
            best.append(place)
    return best
