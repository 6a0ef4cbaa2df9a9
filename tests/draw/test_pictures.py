"""Pictures: well-formed, readable on light and dark pages, no label over another, and nothing in them unescaped.

A terminal gets the symbols and colours that it can show; ``gallery.txt`` has some, ``tests/play`` a real terminal.
Boxes of text are those of DejaVu Sans, the widest of the fonts that pictures name; matplotlib brings it, and Pillow.
"""

import re
import sys
import xml.etree.ElementTree as ET
from functools import cache
from itertools import combinations
from pathlib import Path

import pytest
from draw.gallery import ANY, FILE, PICTURES, SAID, SVG, elements, numbers_of, said_by  # pytest's pythonpath
from hypothesis import given, settings
from hypothesis import strategies as st

from gamecore import cli, duel, hexapawn, rows
from gamecore.draw import Picture
from gamecore.draw.canvas import Canvas

TAGS = {SVG + tag for tag in ("title", "rect", "circle", "line", "polygon", "path", "text")}
NASTY = "</svg><script>alert('&\"')</script>\x00\x1b[31m\ud800\u202e"
_FINE = 16  # text is measured at a multiple of its size, for the edges are whole pixels


@pytest.fixture(params=PICTURES, name="picture")
def _picture(request):
    return PICTURES[request.param]()


@pytest.mark.parametrize("name", SAID)
def test_what_it_says(name, request):
    recipe, expected = SAID[name]
    if request.config.option.update:
        entry = f"## {name}\n$ {recipe}\n"
        FILE.write_text(FILE.read_text("utf-8").replace(entry + expected, entry + said_by(recipe)), "utf-8")
    else:
        assert said_by(recipe) == expected, "pytest tests/draw --update writes it anew"


def test_colours_add_nothing_to_the_text(picture):
    assert re.sub(r"\x1b\[[0-9;]+m", "", picture.text(color=True, symbols=False)) == str(picture)
    assert repr(picture) == f"<gamecore.draw.Picture: {str(picture).splitlines()[0]!r} ...>"


def test_well_formed_and_on_its_own(picture, tmp_path):
    root, children = elements(picture)
    picture.save(tmp_path / "a.svg")
    assert picture.svg == picture._repr_svg_() == (tmp_path / "a.svg").read_text("utf-8")
    assert (root.tag, root.get("style")) == (SVG + "svg", "max-width: 100%; height: auto")
    assert (root.get("viewBox"), children[0].tag) == (f"0 0 {root.get('width')} {root.get('height')}", SVG + "title")
    assert children[0].text
    panel = {"x": "0", "y": "0", "width": root.get("width"), "height": root.get("height"), "rx": "8"}
    assert children[1].attrib == panel | {"fill": children[1].get("fill")}  # but for its corners no page shows through
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


def test_a_narrow_board_stands_in_the_middle():
    root, children = elements(hexapawn.Position.start(3, 2).picture())
    squares = [box_of(element) for element in children if element.get("data-place")]
    assert min(box[0] for box in squares) == float(root.get("width")) - max(box[2] for box in squares) > 0


@settings(max_examples=12, deadline=None)
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


# -- nothing gets into a picture unescaped


@settings(max_examples=40)
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


def test_the_command_writes_a_table(tmp_path):
    words = ["rows", "3", "9", "4", "1", "2", "--opponent", "greedy", "--table", "-o", str(tmp_path / "x.svg")]
    assert cli.main(words) == 0
    assert (tmp_path / "x.svg").read_text("utf-8") == rows.table_picture([3, 9, 4, 1, 2], opponent="greedy").svg


def test_an_error_in_drawing_is_not_told_of_the_file(tmp_path):
    def svg():
        raise ValueError("no such colour")

    with pytest.raises(ValueError, match=r"^no such colour"):
        Picture(svg, str).save(tmp_path / "x.svg")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(("end", "beginning"), [("svg", b"<svg"), ("png", b"\x89PNG"), ("pdf", b"%PDF")])
def test_slides(end, beginning, tmp_path, monkeypatch):
    """The command writes what ``save`` writes; without the library a PNG is refused before anything is solved."""
    path = tmp_path / f"x.{end}"
    words = ["duel", "DQH2HA:H3D6S3:A:-", "--draw", "--output", str(tmp_path / f"duel.{end}")]
    if end != "svg":
        with monkeypatch.context() as without:
            without.setitem(sys.modules, "vl_convert", None)
            assert cli.main(words) == 2
        pytest.importorskip("vl_convert", reason="vl-convert is in the extra 'slides'")
    assert cli.main(words) == 0
    duel.Position.from_text(words[1]).picture().save(path)
    written = (tmp_path / f"duel.{end}").read_bytes()
    assert written.startswith(beginning)
    assert len(written) == len(path.read_bytes())  # a PDF has its time
