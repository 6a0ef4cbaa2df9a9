"""Pictures: well-formed, readable on light and dark pages, no label over another, and nothing in them unescaped.

Boxes of text are those of DejaVu Sans, the widest of the fonts that pictures name; matplotlib brings it, and Pillow.
"""

import io
import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from functools import cache
from itertools import combinations
from pathlib import Path

import pytest
from draw.gallery import ANY, PICTURES, ROW, SVG, TEXTS, chosen, elements, in_play, said_by, texts_of
from hypothesis import given, settings
from hypothesis import strategies as st

from gamecore import hearts, rows
from gamecore.draw.canvas import GOLD, Canvas

TAGS = {SVG + tag for tag in ("title", "rect", "circle", "line", "polygon", "path", "text")}
NASTY = "</svg><script>alert('&\"')</script>\x00\x1b[31m\ud800\u202e"
_FINE = 16  # text is measured at a multiple of its size, for the edges are whole pixels


@pytest.fixture(params=PICTURES, name="picture")
def _picture(request):
    return PICTURES[request.param]()


@pytest.mark.parametrize("name", PICTURES)
def test_texts(name):
    """What a picture says: its text, and what stands in its SVG. ``python -m draw.gallery`` writes the file anew."""
    assert said_by(PICTURES[name]()) == TEXTS[name]


def test_well_formed_and_on_its_own(picture, tmp_path):
    root, children = elements(picture)
    picture.save(tmp_path / "a.svg")
    assert picture.svg == picture._repr_svg_() == (tmp_path / "a.svg").read_text("utf-8")
    assert (root.tag, root.get("style")) == (SVG + "svg", "max-width: 100%; height: auto")
    assert (root.get("viewBox"), children[0].tag) == (f"0 0 {root.get('width')} {root.get('height')}", SVG + "title")
    assert children[0].text
    for group in root.iter(SVG + "g"):
        assert {"data-move", "data-value"} & set(group.attrib)
        assert set(group.attrib) <= {"data-move", "data-value", "color", "display"}
        assert group.get("data-move") != ""
    for element in children:  # nothing that reaches into the page or out to another
        assert element.tag in TAGS
        assert not list(element)
        assert not {"id", "class", "style", "href"} & set(element.attrib)
        assert not any(name.startswith("on") for name in element.attrib)


# -- where labels are


@cache
def font(size, bold):
    mpl = pytest.importorskip("matplotlib", reason="matplotlib is in the extra 'plot'")
    from PIL import ImageFont

    name = "DejaVuSans-Bold.ttf" if bold else "DejaVuSans.ttf"
    return ImageFont.truetype(str(Path(mpl.get_data_path(), "fonts", "ttf", name)), _FINE * size)


def numbers_of(element, *names):
    return [float(element.get(name, 0)) for name in names]


def box_of(element):
    """Left, top, right, bottom: of a text's ink, or of a shape with its edges."""
    if element.tag == SVG + "text":
        anchor = {"middle": "ms", "end": "rs"}.get(element.get("text-anchor"), "ls")
        measured = font(float(element.get("font-size", 13)), element.get("font-weight") == "bold")
        left, top, right, bottom = (edge / _FINE for edge in measured.getbbox(element.text or "", anchor=anchor))
        x, y = numbers_of(element, "x", "y")
        return x + left, y + top, x + right, y + bottom
    x, y, width, height = numbers_of(element, "x", "y", "width", "height")
    corners = [(x, y), (x + width, y + height)]
    if element.tag == SVG + "circle":
        x, y, radius = numbers_of(element, "cx", "cy", "r")
        corners = [(x - radius, y - radius), (x + radius, y + radius)]
    elif element.tag == SVG + "line":
        corners = [numbers_of(element, "x1", "y1"), numbers_of(element, "x2", "y2")]
    elif element.tag == SVG + "polygon":
        corners = [tuple(map(float, pair.split(","))) for pair in element.get("points").split()]
    elif element.tag == SVG + "path":
        x, y, size = map(float, re.findall(r"-?[\d.]+", element.get("transform")))
        corners = [(x - size, y - size), (x + size, y + size)]
    edge = float(element.get("stroke-width", 1)) / 2 if element.get("stroke") else 0.0
    xs, ys = zip(*corners, strict=True)
    return min(xs) - edge, min(ys) - edge, max(xs) + edge, max(ys) + edge


def meet(one, other):
    """Whether two boxes have a point inside in common."""
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def faults(picture):
    """Labels that overlap, that something painted later covers, or that leave the picture."""
    root, children = elements(picture)
    labels = []  # each text with its box and its place in the order of painting; a badge is as large as its pill
    for place, element in enumerate(children):
        if element.tag == SVG + "text" and element.text:
            before = children[place - 1]
            is_badge = before.tag == SVG + "rect" and before.get("rx") == str(round(float(before.get("height")) / 2, 2))
            labels.append((element.text, box_of(before if is_badge else element), place))
    for (one, box, _), (other, second, _) in combinations(labels, 2):
        if meet(box, second):
            yield f"{one!r} overlaps {other!r}"
    for text, box, place in labels:
        for later in children[place + 1 :]:
            if later.tag != SVG + "text" and meet(box, box_of(later)):
                yield f"{text!r} is covered by {later.tag.removeprefix(SVG)} {later.attrib}"
        if box[0] < 0 or box[1] < 0 or box[2] > float(root.get("width")) or box[3] > float(root.get("height")):
            yield f"{text!r} leaves the picture"


def test_labels_are_free(picture):
    assert list(faults(picture)) == []


@settings(max_examples=30, deadline=None)
@given(rng=st.randoms(use_true_random=False))
@pytest.mark.parametrize("game", ANY)
def test_any_position(game, rng):
    for position, shown in ANY[game](rng):
        picture = position.picture(**shown)
        assert list(faults(picture)) == []
        assert str(picture).isascii()
        assert position.draw(**shown, color=False) == str(picture)


# -- colours


def luminance(color):
    channels = [int(color[k : k + 2], 16) / 255 for k in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_contrast_of_text(picture):
    """Each text against the last rectangle below it: WCAG's 4.5, whatever page the picture stands in."""
    rectangles = []
    for element in elements(picture)[1]:
        if element.tag == SVG + "rect":
            rectangles.append((box_of(element), element.get("fill")))
        elif element.tag == SVG + "text":
            x, y = numbers_of(element, "x", "y")
            ground = [fill for box, fill in rectangles if meet(box, (x, y - 3, x, y - 3))][-1]
            low, high = sorted(map(luminance, (element.get("fill"), ground)))
            assert (high + 0.05) / (low + 0.05) >= 4.5, (element.text, element.get("fill"), ground)


def test_rendered(picture):
    """Rendered with matplotlib's fonts, so that a machine without fonts sees the same."""
    resvg = pytest.importorskip("resvg_py", reason="resvg_py (extra 'test-all') renders SVG")
    import matplotlib as mpl
    import numpy as np
    from PIL import Image

    fonts = [str(Path(mpl.get_data_path(), "fonts", "ttf", name)) for name in ("DejaVuSans.ttf", "DejaVuSans-Bold.ttf")]

    def pixels(svg, background):
        png = resvg.svg_to_bytes(
            svg_string=svg, background=background, font_files=fonts, skip_system_fonts=True,
            sans_serif_family="DejaVu Sans",
        )  # fmt: skip
        return np.asarray(Image.open(io.BytesIO(png)).convert("RGB"))

    light, dark = pixels(picture.svg, "#ffffff"), pixels(picture.svg, "#111111")
    root, children = elements(picture)
    assert light.shape[:2] == (int(root.get("height")), int(root.get("width")))
    inner = slice(9, -9), slice(9, -9)  # but for the round corners, no page shows through
    assert (light[inner] == dark[inner]).all()
    ground = [int(children[1].get("fill")[k : k + 2], 16) for k in (1, 3, 5)]
    assert (light[inner] != ground).any(axis=2).mean() > 0.02
    assert len(np.unique(light.reshape(-1, 3), axis=0)) > 20
    blind = re.sub(r"(<text[^>]*>)[^<]+", r"\1 ", picture.svg)
    assert (pixels(blind, "#ffffff") != light).any() == bool(texts_of(picture))


# -- nothing gets into a picture unescaped


@given(st.text() | st.just(NASTY))
def test_canvas_escapes(text):
    canvas = Canvas(50, 50, text, "#000000")
    canvas.text(1, 20, text)
    canvas.badge(10, 10, text)
    canvas.rect(0, 0, 9, 9, text)
    svg = canvas.svg()
    assert "<script" not in svg
    assert svg.replace("\n", "").isprintable()
    tags = [element.tag.removeprefix(SVG) for element in ET.fromstring(svg.encode("utf-8")).iter()]
    assert tags == ["svg", "title", "rect", "text", "rect", "text", "rect"]


# -- what is in them


def test_arrows_of_a_table_lead_from_each_marked_cell_to_those_it_used():
    _, children = elements(rows.table_picture(ROW.values, opponent="greedy"))
    cells = {element.get("data-place"): element for element in children if element.get("data-place")}
    assert sorted(cells) == sorted(f"{i},{j}" for i in range(5) for j in range(i, 5))
    marked = {place for place, element in cells.items() if element.get("fill") == "#2468b4"}
    assert marked == {"0,4", "1,3", "3,3"}  # 12 = 2 + 10, 10 = 9 + 1, 1
    order = [element.text for element in children if element.get("font-size") == "11"]
    assert order == ["5", "4", "3", "2", "1"]  # of the diagonals: the whole row is the last one
    lines = [element for element in children if element.tag == SVG + "line" and element.get("stroke") != "#ffffff"]

    def place_at(element, end):
        x, y = numbers_of(element, f"x{end}", f"y{end}")
        return next(place for place, cell in cells.items() if meet(box_of(cell), (x - 8, y - 8, x + 8, y + 8)))

    arrows = {(place_at(line, 1), line.get("stroke")) for line in lines}
    assert arrows == {("0,4", GOLD), ("0,4", "#9aa7b0"), ("1,3", GOLD), ("1,3", "#9aa7b0")}


def test_the_seat_to_move_sits_below_where_cards_have_values():
    round_ = in_play(33)
    _, children = elements(round_.picture(hearts.analyse(round_)))
    heights = {e.text[:6]: float(e.get("y")) for e in children if e.tag == SVG + "text" and e.text.startswith("seat")}
    assert round_.to_move != 0
    assert max(heights, key=heights.get) == f"seat {round_.to_move}"


def test_chosen_cards_have_a_golden_rim_but_for_other_seats():
    def golden(picture):
        return [e for e in elements(picture)[1] if (e.get("stroke"), e.get("stroke-width")) == (GOLD, "2.6")]

    assert (len(golden(chosen().picture())), golden(chosen().view(1).picture())) == (6, [])
    assert "chosen" not in str(chosen().view(1).picture())


# -- bad input, files


def test_pictures_are_drawn_lazily():
    code = (
        "import sys; from gamecore import duel, hexapawn; assert 'gamecore.draw' not in sys.modules;"
        "from gamecore import draw; hexapawn.Position.start(3, 3).picture().svg;"
        "found = {'matplotlib', 'numpy', 'IPython'} & set(sys.modules); assert not found, found"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
