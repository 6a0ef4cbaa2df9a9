"""No label of a picture or a plot lies over another one, and nothing is painted over a label: asserted on boxes.

Boxes of text are those of DejaVu Sans, the widest of the fonts that pictures name; matplotlib brings it.
"""

import math
import re
from functools import cache
from itertools import combinations
from pathlib import Path

import pytest
from draw.gallery import ANY, PICTURES, SVG, crossing_captures, elements, in_play, of_26
from hypothesis import given, settings
from hypothesis import strategies as st

from gamecore import draw, duel, hearts, rows
from gamecore.draw.canvas import Canvas
from gamecore.duel import _picture as _duel
from gamecore.hexapawn import _picture as _hexapawn

pytest.importorskip("matplotlib", reason="matplotlib is in the extra 'plot'")
pytest.importorskip("PIL", reason="matplotlib brings Pillow, which measures text")


_FINE = 16  # text is measured at a multiple of its size, for the edges are whole pixels


@cache
def font(size, bold):
    import matplotlib as mpl
    from PIL import ImageFont

    name = "DejaVuSans-Bold.ttf" if bold else "DejaVuSans.ttf"
    return ImageFont.truetype(str(Path(mpl.get_data_path(), "fonts", "ttf", name)), _FINE * size)


def box_of_text(element):
    """Left, top, right, bottom of the ink."""
    anchor = {"middle": "ms", "end": "rs"}.get(element.get("text-anchor"), "ls")
    measured = font(float(element.get("font-size", 13)), element.get("font-weight") == "bold")
    box = [edge / _FINE for edge in measured.getbbox(element.text, anchor=anchor)]
    x, y = float(element.get("x")), float(element.get("y"))
    return (x + box[0], y + box[1], x + box[2], y + box[3])


def box_of_shape(element):
    """Left, top, right, bottom, edges included."""
    edge = float(element.get("stroke-width", 1)) / 2 if element.get("stroke") else 0.0
    if element.tag == SVG + "rect":
        x, y, width, height = (float(element.get(name)) for name in ("x", "y", "width", "height"))
        corners = [(x, y), (x + width, y + height)]
    elif element.tag == SVG + "circle":
        x, y, radius = (float(element.get(name)) for name in ("cx", "cy", "r"))
        corners = [(x - radius, y - radius), (x + radius, y + radius)]
    elif element.tag == SVG + "line":
        corners = [(float(element.get("x" + end)), float(element.get("y" + end))) for end in "12"]
    elif element.tag == SVG + "polygon":
        corners = [tuple(map(float, pair.split(","))) for pair in element.get("points").split()]
    else:
        assert element.tag == SVG + "path", element.tag
        x, y, size = map(float, re.findall(r"-?[\d.]+", element.get("transform")))
        corners = [(x - size, y - size), (x + size, y + size)]
    xs, ys = zip(*corners, strict=True)
    return (min(xs) - edge, min(ys) - edge, max(xs) + edge, max(ys) + edge)


def meet(one, other):
    """Whether two boxes have a point inside in common."""
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def labels(children):
    """Each text with its box and its place in the order of painting; a badge is as large as its pill."""
    for place, element in enumerate(children):
        if element.tag == SVG + "text" and element.text:
            before = children[place - 1]
            is_badge = before.tag == SVG + "rect" and before.get("rx") == str(round(float(before.get("height")) / 2, 2))
            yield element.text, box_of_shape(before) if is_badge else box_of_text(element), place


def faults(picture):
    """Pairs of labels that overlap, and labels that something painted later covers."""
    _, children = elements(picture)
    found = list(labels(children))
    for (one, box, _), (other, second, _) in combinations(found, 2):
        if meet(box, second):
            yield f"{one!r} overlaps {other!r}"
    for text, box, place in found:
        for later in children[place + 1 :]:
            if later.tag != SVG + "text" and meet(box, box_of_shape(later)):
                yield f"{text!r} is covered by {later.tag.removeprefix(SVG)} {later.attrib}"


@pytest.mark.parametrize("name", PICTURES)
def test_labels_are_free(name):
    assert list(faults(PICTURES[name]())) == []


@settings(max_examples=30, deadline=None)
@given(rng=st.randoms(use_true_random=False))
@pytest.mark.parametrize("game", ANY)
def test_labels_of_any_position_are_free(game, rng):
    for position, shown in ANY[game](rng):
        assert list(faults(position.picture(**shown))) == []


# -- the guard bites


def test_a_planted_overlap_is_found():
    def picture(distance, cover):
        canvas = Canvas(200, 50, "planted", "#000000")
        canvas.badge(40, 20, "+3")
        canvas.badge(40 + distance, 20, "+5")
        if cover:
            canvas.card(30, 10, "HA")
        return draw.Picture(canvas.svg, lambda pen: "")

    assert list(faults(picture(30, cover=False))) == []
    assert next(faults(picture(20, cover=False))) == "'+3' overlaps '+5'"
    assert any("is covered by rect" in fault for fault in faults(picture(90, cover=True)))


def test_values_in_the_middle_of_crossing_captures_would_be_found(monkeypatch):
    monkeypatch.setattr(_hexapawn, "_ALONG", 0.5)
    assert "'-113' overlaps '-113'" in set(faults(crossing_captures()))


def test_values_as_close_as_cards_would_be_found(monkeypatch):
    monkeypatch.setattr(_duel, "places", lambda count, room, scale: [(10.0 * k, 0.0, 40.0) for k in range(count)])
    assert any("overlaps" in fault for fault in faults(of_26()))


# -- what else a picture owes its page


@pytest.mark.parametrize("name", PICTURES)
def test_shrinks_to_its_page(name):
    root, _ = elements(PICTURES[name]())
    assert root.get("style") == "max-width: 100%; height: auto"


def test_a_pass_is_visible():
    position = duel.parse("3\nDQ H2 HA\nH3 D6 S3\n")
    _, children = elements(position.picture(line=("HA", "H3", "H2", "pass", "DQ")))
    shown = [element for element in children if element.text == "pass"]
    assert len(shown) == 1
    place = children[children.index(shown[0]) - 1]
    left, top, right, bottom = box_of_shape(place)
    inner = box_of_text(shown[0])
    assert left < inner[0] < inner[2] < right
    assert top < inner[1] < inner[3] < bottom
    assert place.get("stroke-dasharray")


def test_the_seat_to_move_sits_below_where_cards_have_values():
    round_ = in_play(33)
    assert round_.to_move != 0
    _, children = elements(round_.picture(hearts.analyse(round_)))
    heights = {e.text[:6]: float(e.get("y")) for e in children if e.tag == SVG + "text" and e.text.startswith("seat")}
    assert max(heights, key=heights.get) == f"seat {round_.to_move}"


def test_chosen_cards_have_a_golden_rim():
    round_ = hearts.Round.deal(rng=7, passing="left", passer=None)
    chosen = round_.pass_cards(0, round_.hands[0][:3])
    texts = [element.text for element in elements(chosen.picture())[1] if element.tag == SVG + "text"]
    assert "passing left; seat 0 chose" in texts

    def golden(picture):
        return [e for e in elements(picture)[1] if (e.get("stroke"), e.get("stroke-width")) == (_hexapawn.GOLD, "2.6")]

    assert len(golden(chosen.picture())) == 3
    assert not golden(chosen.view(1).picture())  # its own secret
    assert "chosen      seat 0: C4 CT D3" in str(chosen.picture())
    assert "chosen" not in str(chosen.view(1).picture())


# -- plots


def boxes(figure):
    """The boxes in pixels of a figure's legends, of the texts in its axes, and of the axes themselves."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    pen = canvas.get_renderer()
    texts = [text for axes in figure.axes for text in axes.texts]
    legends = [*figure.legends, *(axes.get_legend() for axes in figure.axes if axes.get_legend())]
    return (
        [legend.get_window_extent(pen) for legend in legends],
        [text.get_window_extent(pen) if not hasattr(text, "arrow_patch") else ink(text, pen) for text in texts],
        [axes.get_window_extent(pen) for axes in figure.axes],
        figure.bbox,
    )


def ink(annotation, pen):
    """The box of an annotation's text, without its arrow."""
    from matplotlib.text import Text

    return Text.get_window_extent(annotation, pen)


def faults_of_plot(figure):
    legends, texts, axes, page = boxes(figure)
    for legend in legends:
        if any(legend.overlaps(one) for one in [*texts, *axes]):
            yield "a legend lies over what is drawn"
    for one, other in combinations(texts, 2):
        if one.overlaps(other):
            yield "two texts overlap"
    for box in [*legends, *texts]:
        if box.x0 < page.x0 or box.x1 > page.x1 or box.y0 < page.y0 or box.y1 > page.y1:
            yield "a text leaves the figure"


def comparison(count):
    """A comparison as ``hearts.compare`` returns it, of players as close to each other as can be."""
    names = ["duck", "greedy", "literal", "random", *(f"pimc:{k}" for k in range(2, count - 2))]
    return hearts.compare(names[:count], "greedy", 2, 7)


PLOTS = {
    "table": lambda: rows.plot_table([5, 7, 9, 1, 4, 2], opponent="greedy"),
    "table of large numbers": lambda: rows.plot_table([10**9 + 7919 * k for k in range(9)]),
    "table of 14": lambda: rows.plot_table(list(range(100, 1500, 100))),
    "table of 2": lambda: rows.plot_table([5, 7]),
    "duels": lambda: duel.plot_duels([9, -3, -3, 1, 20, -20, 13, 14, 15, -15], "ten"),
    "simulation": lambda: hearts.simulate(["random"] * 4, 50, rng=7).plot(),
    "strength": lambda: hearts.plot_strength([hearts.simulate([name] + ["random"] * 3, 50, 7)
                                            for name in ("greedy", "duck", "random")]),
    "comparison": lambda: comparison(4).plot(),
    "comparison of 10": lambda: comparison(10).plot(),
}  # fmt: skip


@pytest.mark.parametrize("name", PLOTS)
def test_plots(name):
    assert list(faults_of_plot(PLOTS[name]())) == []


def test_the_plot_of_strengths():
    """The one of the results' page, with numbers made up."""
    import importlib.util

    path = Path(__file__).parents[2] / "examples" / "hearts_strength.py"
    spec = importlib.util.spec_from_file_location("gamecore_examples_hearts_strength", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    cells = {f"{name} against {other}": [k + 3.0, 0.1] for k, name in enumerate(module.PLAYERS)
             for other in ("greedy", "random")}  # fmt: skip
    assert list(faults_of_plot(module.figure_of(cells))) == []


def test_a_planted_legend_is_found():
    figure = duel.plot_duels([9, -3, -3, 1])
    figure.axes[0].legend(loc="lower right")
    assert "a legend lies over what is drawn" in set(faults_of_plot(figure))
    figure = duel.plot_duels([9, -3])
    figure.axes[0].text(1, 0.2, "one")
    figure.axes[0].text(1, 0.2, "two")
    assert "two texts overlap" in set(faults_of_plot(figure))
    figure.axes[0].text(40, 0.2, "far")
    assert "a text leaves the figure" in set(faults_of_plot(figure))
    assert not math.isnan(boxes(figure)[3].x1)
