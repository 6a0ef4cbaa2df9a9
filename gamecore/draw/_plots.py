"""Plots of results, with matplotlib, which is imported when a plot is drawn."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Final, Literal

from gamecore.errors import GamecoreError, OptionError
from gamecore.text import printable, without_controls

if TYPE_CHECKING:
    import numpy.typing as npt
    from matplotlib.figure import Figure

    from gamecore.duel import Solution
    from gamecore.hearts import Simulation
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
        for i in range(n):
            for j in range(i, n):
                axes.text(
                    j, i, f"{cells[i, j]:g}", ha="center", va="center", fontsize=9, zorder=5,
                    bbox={"facecolor": "white", "alpha": 0.85, "edgecolor": "none", "pad": 1},
                )  # fmt: skip
        axes.set_xticks(range(n))
        axes.set_yticks(range(n))
    _path(axes, solution.line, solution.first == "me")
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
    axes.legend(loc="lower left", fontsize="small")


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
    axes.legend(fontsize="small")
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
    right.legend(fontsize="small")
    return figure
