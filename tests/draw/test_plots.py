"""Plots: what they show, that they draw, and what they refuse."""

import io
import sys

import pytest

from gamecore import Limits, duel, hearts, rows
from gamecore.errors import GamecoreError, OptionError

pytest.importorskip("matplotlib", reason="matplotlib is in the extra 'plot'")


def drawn(figure):
    """The figure's pixels; every plot has to have many colours."""
    import numpy as np
    from PIL import Image

    out = io.BytesIO()
    figure.savefig(out, format="png", dpi=50)
    found = np.asarray(Image.open(out).convert("RGB"))
    assert len(np.unique(found.reshape(-1, 3), axis=0)) > 20
    return found


@pytest.mark.parametrize("opponent", ["optimal", "greedy", "cooperative"])
@pytest.mark.parametrize("first", ["me", "sister"])
def test_table(opponent, first):
    row = [5, 7, 9, 1, 4, 2]
    figure = rows.plot_table(row, opponent=opponent, first=first)
    drawn(figure)
    axes = figure.axes[0]
    cells = axes.images[0].get_array()
    table = rows.table(row, opponent=opponent)
    assert (cells[0, 5], cells[2, 2]) == (table[0, 5], 9)
    assert cells.mask[5, 0]
    assert not cells.mask[0].any()
    steps = [line.get_xydata()[:, :] for line in axes.get_lines() if line.get_color() != "white"]
    mine, theirs = ([(x, y) for x, y in points if x == x] for points in steps)
    starter = mine if first == "me" else theirs
    assert starter[0] == (5, 0)  # from the upper right corner
    assert len(mine) + len(theirs) == 2 * 5
    assert {int(x) == int(y) for x, y in (mine[-1], theirs[-1])} == {True, False}  # one of them ends on the diagonal
    solution = rows.solve(row, opponent=opponent, first=first)
    assert f"I take {solution.mine}, the opponent {solution.theirs}" in axes.get_title()


def test_tables_of_other_rows():
    drawn(rows.plot_table([3]))
    drawn(rows.plot_table([0, 0]))
    drawn(rows.plot_table([1.5, -2.25, 3.0], opponent="greedy", ties="left"))
    assert len(rows.plot_table(list(range(300))).axes[0].texts) == 0  # no numbers in so small cells


def test_duels():
    values = [9, -3, -3, 1]
    figure = duel.plot_duels(values, title="$1 deals$ <b>")
    drawn(figure)
    axes = figure.axes[0]
    bars = sorted((round(bar.get_x() + bar.get_width() / 2), bar.get_height()) for bar in axes.patches)
    assert bars == [(-3, 0.5), (1, 0.25), (9, 0.25)]
    names = [text.get_text() for text in figure.legends[0].get_texts()]
    assert names == ["mean +1.00", "Alice wins 50.0%", "Bob wins 50.0%"]
    solved = duel.solve_many([duel.parse("3\nDQ H2 HA\nH3 D6 S3\n")] * 2, line=False)
    assert duel.plot_duels(solved).axes[0].get_title() == "2 deals"
    mixed = duel.plot_duels([duel.solve("DQH2HA:H3D6S3:A:-"), duel.solve("DQ:H3D6:B:DK")])  # +9 and -3: Alice wins both
    assert [text.get_text() for text in mixed.legends[0].get_texts()][1] == "Alice wins 100.0%"


def test_strength():
    tables = [["random"] * 4, ["greedy", "random", "random", "duck"]]
    results = [hearts.simulate(players, 200, rng=7) for players in tables]
    figure = hearts.plot_strength(results)
    drawn(figure)
    axes = figure.axes[0]
    names = [text.get_text() for text in axes.get_yticklabels()]
    assert names == ["greedy against random, random, duck", "random against 3 random"]
    assert [bar.get_width() for bar in axes.patches] == sorted(float(one.mean[0]) for one in results)
    named = hearts.plot_strength({"a$b$": results[0]})
    drawn(named)
    drawn(results[0].plot())


@pytest.mark.parametrize(("call", "error", "says"), [
    (lambda: rows.plot_table(list(range(2001))), OptionError, "at most 2000 values, not 2001"),
    (lambda: rows.plot_table([]), GamecoreError, "empty"),
    (lambda: rows.plot_table([1, 2], opponent="x"), OptionError, "opponent must be"),
    (lambda: duel.plot_duels([]), OptionError, "there is none"),
    (lambda: duel.plot_duels([3, 0]), OptionError, "solutions[1] has no exact value: 0"),
    (lambda: duel.plot_duels([True]), OptionError, "solutions[0]"),
    (lambda: duel.plot_duels(["9"]), OptionError, "solutions[0] has no exact value: '9'"),
    (
        lambda: duel.plot_duels([duel.solve(duel.parse("3\nDQ H2 HA\nH3 D6 S3\n"), Limits(nodes=0))]),
        OptionError,
        "solutions[0] has no exact value",
    ),
    (lambda: hearts.plot_strength([]), OptionError, "there is none"),
    (lambda: hearts.plot_strength([hearts.simulate(["random"] * 4, 1, 7)]), OptionError, "has 1 rounds"),
])  # fmt: skip
def test_bad_input(call, error, says):
    with pytest.raises(error) as caught:
        call()
    assert says in str(caught.value)


def test_without_matplotlib(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    for call in (lambda: rows.plot_table([1, 2]), lambda: duel.plot_duels([1])):
        with pytest.raises(GamecoreError, match=r"needs matplotlib: pip install 'gamecore\[plot\]"):
            call()
