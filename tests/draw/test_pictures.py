"""Pictures: well-formed, readable on light and dark pages, rendered to pixels, and nothing in them unescaped."""

import io
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from draw.gallery import ANY, BOARD, PICTURES, SMALL, SVG, elements, in_play, row_with_line
from hypothesis import given, settings
from hypothesis import strategies as st

from gamecore import draw, duel, hearts, hexapawn, rows
from gamecore.draw.canvas import Canvas
from gamecore.errors import GamecoreError, IllegalMoveError, OptionError

FONTS = ("DejaVuSans.ttf", "DejaVuSans-Bold.ttf")


@pytest.fixture(params=PICTURES, name="picture")
def _picture(request):
    return PICTURES[request.param]()


def test_well_formed_and_on_its_own(picture):
    root, children = elements(picture)
    assert picture.svg == picture._repr_svg_() == picture.svg
    assert (root.get("viewBox"), children[0].tag) == (f"0 0 {root.get('width')} {root.get('height')}", SVG + "title")
    assert children[0].text
    allowed = {SVG + tag for tag in ("title", "rect", "circle", "line", "polygon", "path", "text")}
    for group in root.iter(SVG + "g"):
        assert {"data-move", "data-value"} & set(group.attrib)
        assert set(group.attrib) <= {"data-move", "data-value", "color", "display"}
        assert group.get("data-move") != ""
    for element in children:  # nothing that reaches into the page or out to another
        assert element.tag in allowed
        assert not list(element)
        assert not {"id", "class", "style", "href"} & set(element.attrib)
        assert not any(name.startswith("on") for name in element.attrib)


def width_of(text):
    """More than a sans-serif font takes."""
    return 0.66 * float(text.get("font-size", 13)) * len(text.text)


def test_text_stays_inside(picture):
    root, children = elements(picture)
    for text in children:
        if text.tag == SVG + "text":
            share = {"middle": 0.5, "end": 1.0}.get(text.get("text-anchor"), 0.0)
            left = float(text.get("x")) - share * width_of(text)
            assert left >= 0
            assert left + width_of(text) <= float(root.get("width"))
            assert 0 < float(text.get("y")) <= float(root.get("height"))


def luminance(color):
    channels = [int(color[k : k + 2], 16) / 255 for k in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one, other):
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def test_contrast_of_text(picture):
    """Each text against the last rectangle below it: WCAG's 4.5, whatever page the picture stands in."""
    _, children = elements(picture)
    rectangles = []
    for element in children:
        if element.tag == SVG + "rect":
            rectangles.append(element)
        elif element.tag == SVG + "text":
            x, y = float(element.get("x")), float(element.get("y")) - 3
            ground = [
                r.get("fill")
                for r in rectangles
                if 0 <= x - float(r.get("x")) <= float(r.get("width"))
                and 0 <= y - float(r.get("y")) <= float(r.get("height"))
            ]
            assert contrast(element.get("fill"), ground[-1]) >= 4.5, (element.text, element.get("fill"), ground[-1])


def pixels(picture, background):
    """Rendered with matplotlib's fonts, so that a machine without fonts sees the same."""
    resvg = pytest.importorskip("resvg_py", reason="resvg_py (extra 'test-all') renders SVG")
    import matplotlib as mpl
    import numpy as np
    from PIL import Image

    fonts = [str(Path(mpl.get_data_path(), "fonts", "ttf", name)) for name in FONTS]
    png = resvg.svg_to_bytes(
        svg_string=picture.svg, background=background, font_files=fonts, skip_system_fonts=True,
        sans_serif_family="DejaVu Sans",
    )  # fmt: skip
    return np.asarray(Image.open(io.BytesIO(png)).convert("RGB"))


def test_rendered(picture):
    import numpy as np

    light, dark = pixels(picture, "#ffffff"), pixels(picture, "#111111")
    root, children = elements(picture)
    assert light.shape[:2] == (int(root.get("height")), int(root.get("width")))
    inner = slice(9, -9), slice(9, -9)  # but for the round corners, no page shows through
    assert (light[inner] == dark[inner]).all()
    ground = children[1].get("fill")
    drawn = (light[inner] != [int(ground[k : k + 2], 16) for k in (1, 3, 5)]).any(axis=2)
    assert drawn.mean() > 0.02
    assert len(np.unique(light.reshape(-1, 3), axis=0)) > 20


def test_text_is_rendered():
    with_text, without = rows.Position([7]).picture(), rows.Position([7]).picture()
    blind = draw.Picture(lambda: without.svg.replace(">7<", "> <"), lambda pen: "")
    assert (pixels(with_text, "#ffffff") != pixels(blind, "#ffffff")).any()


# -- nothing gets into a picture unescaped

NASTY = "</svg><script>alert('&\"')</script>\x00\x1b[31m\ud800\u202e"


def test_canvas_escapes():
    canvas = Canvas(50, 50, NASTY, "#000000")
    canvas.text(1, 20, NASTY)
    canvas.badge(10, 10, NASTY)
    canvas.rect(0, 0, 9, 9, '"/><script>')
    svg = canvas.svg()
    assert "<script" not in svg
    assert svg.replace("\n", "").isprintable()
    svg.encode("utf-8")
    texts = [element.text for element in ET.fromstring(svg).iter() if element.text and "alert" in element.text]
    assert len(texts) == 3
    assert all("\x00" not in text and "\x1b" not in text for text in texts)


@given(st.text())
def test_canvas_takes_any_text(text):
    canvas = Canvas(50, 50, text, "#000000")
    canvas.text(1, 20, text)
    ET.fromstring(canvas.svg().encode("utf-8"))


def test_tables_escape():
    class Nasty(hearts.Player):
        def choose(self, view):
            return view.legal_moves()[0]

    Nasty.__name__ = "<script>alert(1)</script>\x1b[2J\x07\u202e"
    result = hearts.simulate([Nasty(), "greedy", "greedy", "greedy"], rounds=2, rng=7)
    match = hearts.match([Nasty(), "greedy", "greedy", "greedy"], rng=7, rules=hearts.Rules(match_points=20))
    for shown in (result._repr_html_(), match._repr_html_()):
        assert "<script" not in shown
        assert "&lt;script&gt;" in shown
        ET.fromstring(shown)
    for text in (result._repr_html_(), repr(result), str(result), match._repr_html_()):
        assert text.replace("\n", "").isprintable()
    assert "2 rounds, seed 7" in result._repr_html_()
    assert "won by seat" in match._repr_html_()
    empty = hearts.simulate(["random"] * 4, rounds=0, rng=7)
    assert "nan" in empty._repr_html_()
    pytest.importorskip("matplotlib", reason="matplotlib is not installed")
    labels = hearts.plot_strength([result]).axes[0].get_yticklabels()
    assert all(label.get_text().isprintable() for label in labels)


# -- what is in them


def texts_of(picture):
    return [element.text for element in elements(picture)[1] if element.tag == SVG + "text"]


def test_duel_values_are_the_movers():
    after = SMALL.play("HA")
    moves = duel.analyse(after)
    assert [entry.value for entry in moves] == [-9]
    assert "-9" in texts_of(after.picture(moves))
    assert {"Bob has to match HA", "values for Bob"} <= set(texts_of(after.picture(moves)))
    assert "values for Bob" not in texts_of(after.picture())


def test_board_shows_every_move():
    moves = hexapawn.analyse(BOARD)
    shown = texts_of(BOARD.picture(moves))
    assert sorted(text for text in shown if text[0] in "+-") == ["+3", "+3", "+5", "-4", "-4"]
    pawns = [element for element in elements(BOARD.picture())[1] if element.tag == SVG + "path"]
    assert len(pawns) == 9


def test_row_shows_the_line():
    position = rows.Position([5, 7, 9, 1, 4, 2], "greedy")
    shown = texts_of(row_with_line(position))
    assert shown[4:16] == ["5", "1", "7", "2", "9", "3", "1", "6", "4", "5", "2", "4"]
    assert "I start: I take 18, the greedy opponent 10" in shown
    assert "I am to move against a greedy opponent" in texts_of(position.picture())
    assert "moves  L +8   R +2   (for me)" in texts_of(position.picture(rows.analyse(position)))
    after = position.play("L")
    assert "the greedy opponent is to move; I have 5, the greedy opponent 0" in texts_of(after.picture())
    assert "I start: I take 5, the greedy opponent 7; then 4 are left" in texts_of(position.picture(line="LL"))


def test_a_view_shows_no_other_hand():
    view = in_play(14).view(0)
    assert set(view.hand) == {"D3", "DT", "DJ", "DA", "S6", "SQ", "SK", "H2", "H6"}
    paths = [element for element in elements(view.picture())[1] if element.tag == SVG + "path"]
    seen = len(view.hand) + len(view.trick) + len(view.tricks[-1].cards)
    assert len(paths) == 2 * seen  # two suit signs a card; backs have none


# -- bad input


@pytest.mark.parametrize(("call", "error", "says"), [
    (lambda: SMALL.picture(duel.analyse(SMALL.play("HA"))), OptionError, "'H3' is not a legal move"),
    (lambda: SMALL.picture(line=["HA", "S3"]), IllegalMoveError, "S3 shares neither"),
    (lambda: SMALL.draw(line=["XX"]), IllegalMoveError, "XX"),
    (lambda: BOARD.picture(hexapawn.analyse(BOARD.flip())), OptionError, "is not a legal move"),
    (lambda: BOARD.picture(line=["a1-a2"]), IllegalMoveError, "a1-a2"),
    (lambda: rows.Position([1] * 513).picture(), OptionError, "at most 512 values, not 513"),
    (lambda: rows.Position([1, 2]).picture(line="LLL"), IllegalMoveError, "the row is empty"),
    (lambda: rows.Position([1, 2], "greedy", "sister").picture(line="L"), IllegalMoveError, "which is R here"),
    (lambda: rows.Position([1, 2], "greedy", "sister").picture(rows.analyse([2, 1])), OptionError,
     "'L' is not a legal move"),
    (lambda: in_play(14).view(2).picture(hearts.evaluate_moves(in_play(14).view(1), playouts=5, rng=1)),
     OptionError, "is not in the hand to move"),
    (lambda: in_play(3).picture().save("x.png"), OptionError, "'x.png' has to end in .svg"),
    (lambda: in_play(3).picture().save("/nowhere/x.svg"), GamecoreError, "cannot write '/nowhere/x.svg'"),
])  # fmt: skip
def test_bad_input(call, error, says):
    with pytest.raises(error) as caught:
        call()
    assert says in str(caught.value)


def test_save(tmp_path):
    path = tmp_path / "a.svg"
    BOARD.picture().save(path)
    assert ET.parse(path).getroot().tag == SVG + "svg"


def test_pictures_are_drawn_lazily():
    code = (
        "import sys; from gamecore import duel, hexapawn; assert 'gamecore.draw' not in sys.modules;"
        "from gamecore import draw; hexapawn.Position.start(3, 3).picture().svg;"
        "found = {'matplotlib', 'numpy', 'IPython'} & set(sys.modules); assert not found, found"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


@settings(max_examples=60)
@given(rng=st.randoms(use_true_random=False))
@pytest.mark.parametrize("game", ANY)
def test_any_position(game, rng):
    for position, shown in ANY[game](rng):
        picture = position.picture(**shown)
        ET.fromstring(picture.svg)
        assert str(picture).isascii()
        assert position.draw(**shown, color=False) == str(picture)


@given(st.lists(st.floats(-1e300, 1e300), max_size=70))
def test_any_row_of_floats(values):
    position = rows.Position(values, "greedy")
    ET.fromstring(position.picture(rows.analyse(position)).svg)
    ET.fromstring(position.picture(line=rows.solve(position).line).svg)
