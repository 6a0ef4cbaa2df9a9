"""The default picture of a position: its text."""

from collections.abc import Iterable
from typing import Any

from gamecore.draw.canvas import OPEN, Canvas, tone
from gamecore.draw.pen import Pen
from gamecore.draw.picture import Picture

_GROUND, _BUTTON = "#2c3e50", "#1f2d3a"
_LINE, _CHARACTER, _MARGIN, _ROOM, _HIGH = 19, 8.5, 14, 480, 44


def text_picture(
    text: str, moves: Iterable[Any] = (), line: Iterable[str] = (), legal: Iterable[str] = ()
) -> Picture:  # fmt: skip
    """Return a picture of a text, with a line of play below and a button for each move.

    Args:
        text: the position, in lines.
        moves: ``MoveValue`` objects. line: moves.
        legal: moves that can be clicked; those of ``moves`` by default.
    """
    values, played = {entry.move: entry for entry in moves}, " ".join(line)
    lines = [*text.splitlines(), *([f"line: {played}"] if played else [])]
    buttons = tuple(legal) or tuple(values)

    def shown(move: str) -> str:
        return str(values[move]).removeprefix(move).strip() if move in values else ""

    def written(pen: Pen) -> str:
        entries = [f"{move} {pen.value(shown(move), entry.lower, entry.upper)}" for move, entry in values.items()]
        return "\n".join([*lines, *entries])

    def svg() -> str:
        widest = max((len(move) for move in buttons), default=0) * _CHARACTER + 90
        per_row = max(1, int(_ROOM // widest))
        width = max(
            160, *(len(row) * _CHARACTER + 2 * _MARGIN for row in lines), min(len(buttons), per_row) * widest + 22
        )
        top = len(lines) * _LINE + 2 * _MARGIN
        canvas = Canvas(width, top + -(-len(buttons) // per_row) * (_HIGH + 6), lines[-1], _GROUND)
        for number, row in enumerate(lines):
            canvas.text(_MARGIN, _MARGIN + _LINE * number + 14, row, fixed=True)
        for number, move in enumerate(buttons):
            x, y = _MARGIN + number % per_row * widest, top + number // per_row * (_HIGH + 6)
            entry = values.get(move)
            with canvas.part(move, move):
                canvas.rect(x, y, widest - 6, _HIGH, _BUTTON, radius=7, stroke=OPEN)
                canvas.text(x + 10, y + 27, move, bold=True)
                with canvas.value(move, tone(entry.lower, entry.upper) if entry else None):
                    canvas.badge(x + widest - 40, y + _HIGH / 2, shown(move))
        return canvas.svg()

    return Picture(svg, written)
