"""Drawings and pictures of Hexapawn show the board and the same values as results."""

import math
import re
import xml.etree.ElementTree as ET

import pytest

from gamecore import Limits
from gamecore.draw import canvas
from gamecore.hexapawn import Position, analyse, solve

SVG = "{http://www.w3.org/2000/svg}"
BOARD = Position.from_rows(["     ", "pp pp", "PPp  ", "   P ", "    P"])


@pytest.mark.parametrize("position", [BOARD, BOARD.flip(), Position.start(3, 4), Position.start(3, 3).play("b1-b2")])
def test_result_drawing_and_picture_agree_in_sign(position):
    solution, analysis = solve(position), analyse(position)
    values = {entry.move: f"{entry.value:+d}" for entry in analysis}
    assert solution.to_move == analysis.to_move == position.to_move
    assert values[solution.best_move] == f"{solution.value:+d}"
    assert (solution.winner == position.to_move) == (solution.value > 0)

    drawing = position.draw(analysis, solution.line, color=False).splitlines()
    moves = next(line for line in drawing if line.startswith("moves"))
    assert dict(re.findall(r"(\S+) ([+-]\d+)", moves)) == values
    assert moves.endswith(f"(for {position.to_move})")
    assert drawing[-1] == "line   " + " ".join(solution.line)

    texts = [element.text for element in ET.fromstring(position.picture(analysis).svg).iter(SVG + "text")]
    assert sorted(text for text in texts if text[0] in "+-") == sorted(values.values())
    assert f"{position.to_move} to move; values for {position.to_move}" in texts


def arrows_of(root):
    """Return the shafts of the arrows, (x1, y1, x2, y2). Each is drawn twice, its rim first."""
    shafts = [[float(line.get(name)) for name in ("x1", "y1", "x2", "y2")] for line in root.iter(SVG + "line")]
    assert shafts[::2] == shafts[1::2]
    return shafts[::2]


@pytest.mark.parametrize("position", [BOARD, BOARD.flip(), BOARD.mirror(), BOARD.flip().mirror()])
def test_arrows_lead_from_square_to_square(position):
    """Arrows point up for white, down for black; each has a badge with the move's value."""
    analysis = analyse(position)
    root = ET.fromstring(position.picture(analysis).svg)
    squares = list(root.iter(SVG + "rect"))[1 : 1 + position.rows * position.columns]
    centers = [
        tuple(float(square.get(at)) + float(square.get(size)) / 2 for at, size in (("x", "width"), ("y", "height")))
        for square in squares
    ]
    named = {}
    for square, center in enumerate(centers):
        named["abcdefgh"[square % position.columns] + str(square // position.columns + 1)] = center
    arrows = arrows_of(root)
    assert len(arrows) == len(analysis)
    for move, (x1, y1, x2, y2) in zip(position.legal_moves(), arrows, strict=True):
        source, target = (named[name] for name in re.split("[-x]", move))
        assert (y2 < y1) == (position.to_move == "white")
        along = math.atan2(target[1] - source[1], target[0] - source[0])
        assert math.isclose(math.atan2(y2 - y1, x2 - x1), along, abs_tol=0.01)
        assert math.dist((x1, y1), source) < math.dist((x1, y1), target)
        assert math.dist((x2, y2), target) < math.dist((x2, y2), source)


def test_best_moves_have_the_golden_rim():
    analysis = analyse(BOARD)
    picture = BOARD.picture(analysis).svg
    gold = picture.count(canvas.GOLD)
    assert gold - BOARD.picture(analysis[2:3]).svg.count(canvas.GOLD) == len(analysis.best_moves) - 1 == 1
    assert not analyse(Position.start(5, 5), Limits(nodes=50)).best_moves
