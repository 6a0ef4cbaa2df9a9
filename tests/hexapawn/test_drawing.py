"""Pictures of Hexapawn: arrows and best moves. What they say is in tests/search/test_answers.py."""

import re
import xml.etree.ElementTree as ET

import pytest

from gamecore.draw import canvas
from gamecore.hexapawn import Position, analyse

SVG = "{http://www.w3.org/2000/svg}"
BOARD = Position.from_text("5/pp1pp/PPp2/3P1/4P:w")


def numbers(element, *names):
    return [float(element.get(name)) for name in names]


@pytest.mark.parametrize("position", [BOARD, BOARD.flip(), BOARD.mirror(), BOARD.flip().mirror()])
def test_arrows_lead_from_square_to_square(position):
    """Arrows point up for white, down for black; best moves have the golden rim."""
    analysis = analyse(position)
    picture = position.picture(analysis).svg
    root, centers = ET.fromstring(picture), {}
    for square in root.iter(SVG + "rect"):
        if name := square.get("data-place"):
            x, y, width, height = numbers(square, "x", "y", "width", "height")
            centers[name] = complex(x + width / 2, y + height / 2)
    shafts = [numbers(line, "x1", "y1", "x2", "y2") for line in root.iter(SVG + "line")]
    assert shafts[::2] == shafts[1::2]  # each is drawn twice, its rim first
    for move, (x1, y1, x2, y2) in zip(position.legal_moves(), shafts[::2], strict=True):
        source, target = (centers[name] for name in re.split("[-x]", move))
        assert (y2 < y1) == (position.to_move == "white")
        start, end = ((complex(x, y) - source) / (target - source) for x, y in ((x1, y1), (x2, y2)))
        assert 0 < start.real < 0.5 < end.real < 1.01
        assert max(abs(start.imag), abs(end.imag)) < 0.01
    gold = picture.count(canvas.GOLD) - position.picture(analysis[2:3]).svg.count(canvas.GOLD)
    assert gold == len(analysis.best_moves) - 1 == 1
