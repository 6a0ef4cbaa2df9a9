"""Plots: no legend or name lies over anything. What they show, and refuse: ``refusals/draw.txt``."""

import runpy
from itertools import combinations
from pathlib import Path

import pytest

from gamecore import duel, hearts
from gamecore.apps import judge

pytest.importorskip("matplotlib", reason="matplotlib is in the extra 'plot'")

TIMES = {17: 0.1, 100: 0.2, 1000: 0.4}
GROWTHS = [judge.Growth(f"memoised {k}", True, 0.01, TIMES, 6, "TLE", "more than 2 s", 4) for k in range(12)]


def results(*names, rounds=50):
    return [hearts.simulate([name] + ["random"] * 3, rounds, 7) for name in names]


def comparison(count):
    """A comparison as ``hearts.compare`` returns it, of players as close to each other as can be."""
    names = ["duck", "greedy", "literal", "random", *(f"pimc:{k}" for k in range(2, count - 2))]
    return hearts.compare(names[:count], "greedy", 2, 7)


def strengths():
    """The plot of the results' page, with numbers made up."""
    example = runpy.run_path(str(Path(__file__).parents[2] / "examples" / "hearts_strength.py"))
    others = ("greedy", "random")
    cells = {f"{name} against {other}": [k, 0.1] for k, name in enumerate(example["PLAYERS"], 3) for other in others}
    return example["figure_of"](cells)


PLOTS = {
    "duels": lambda: duel.plot_duels([9, -3, -3, 1, 20, -20, 13, 14, 15, -15], "ten"),
    "simulation": results("random")[0].plot,
    "strength": lambda: hearts.plot_strength(results("greedy", "duck", "random")),
    "comparison": lambda: comparison(4).plot(),
    "comparison of 10": lambda: comparison(10).plot(),
    "the results' page": strengths,
    "growth": lambda: judge.Scaling("hexapawn", "square", GROWTHS).plot(),
}


def faults(figure):
    """Return legends over data, overlapping names at an axis, and objects outside the figure."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    (canvas := FigureCanvasAgg(figure)).draw()
    pen = canvas.get_renderer()
    legends = [*figure.legends, *(axes.get_legend() for axes in figure.axes if axes.get_legend())]
    plots, legends = ([one.get_window_extent(pen) for one in each] for each in (figure.axes, legends))
    if any(legend.overlaps(plot) for legend in legends for plot in plots):
        yield "a legend lies over what is drawn"
    for axes in figure.axes:
        names = [label.get_window_extent(pen) for label in axes.get_yticklabels() if label.get_text()]
        if any(one.overlaps(other) for one, other in combinations(names, 2)):
            yield "two names overlap"
    page, drawn = figure.bbox_inches, figure.get_tightbbox(pen)
    if drawn.x0 < page.x0 or drawn.x1 > page.x1 or drawn.y0 < page.y0 or drawn.y1 > page.y1:
        yield "something leaves the figure"


@pytest.mark.parametrize("name", PLOTS)
def test_plots(name):
    figure = PLOTS[name]()
    assert not list(faults(figure))
    assert all(axes.has_data() for axes in figure.axes)
