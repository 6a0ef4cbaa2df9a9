"""The picture of a position that draws nothing of its own: its text."""

from collections.abc import Iterable
from typing import Any

from gamecore.draw.canvas import Canvas
from gamecore.draw.pen import Pen
from gamecore.draw.picture import Picture

_GROUND = "#2c3e50"
_LINE, _CHARACTER, _MARGIN = 19, 8.5, 14


def text_picture(text: str, moves: Iterable[Any] = (), line: Iterable[str] = ()) -> Picture:
    """Return a picture of a text, with values of moves and a line of play below; its moves can be clicked.

    Args:
        text: the position, in lines.
        moves: ``MoveValue`` objects. line: moves.
    """
    known, played = tuple(moves), " ".join(line)
    lines = [*text.splitlines(), *([f"line: {played}"] if played else [])]

    def written(pen: Pen) -> str:
        values = [
            f"{entry.move} {pen.value(str(entry).partition(' ')[2], entry.lower, entry.upper)}" for entry in known
        ]
        return "\n".join([*lines, *values])

    def svg() -> str:
        rows = [(one, None) for one in lines] + [(str(entry), entry.move) for entry in known]
        width = max(len(one) for one, _ in rows) * _CHARACTER + 2 * _MARGIN
        canvas = Canvas(max(width, 160), len(rows) * _LINE + 2 * _MARGIN, lines[-1], _GROUND)
        for number, (one, move) in enumerate(rows):
            with canvas.part(move, one):
                canvas.text(_MARGIN, _MARGIN + _LINE * number + 14, one)
        return canvas.svg()

    return Picture(svg, written)
