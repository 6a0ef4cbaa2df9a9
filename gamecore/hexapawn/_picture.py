"""Pictures of Hexapawn: the board, and an arrow with the value of each move."""

import textwrap
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from gamecore.draw.canvas import GOLD, PALE, SHOWN, Canvas, tone
from gamecore.draw.pen import Pen
from gamecore.draw.picture import Picture, picture_with_values, short_value
from gamecore.hexapawn._position import column_name
from gamecore.hexapawn.words import WORDS

if TYPE_CHECKING:
    from gamecore.hexapawn import MoveValue, Position

_WOOD, _BROWN = "#54412f", "#4a3821"
_LIGHT, _DARK = "#eed9b6", "#c99f6b"
_SQUARE = 64.0
_PAWN = (
    "M0 -.6a.26 .26 0 0 1 .18 .44h.14v.14h-.16c.02 .24 .12 .38 .24 .5v.12h-.8v-.12c.12 -.12 .22 -.26 .24 -.5h-.16v-.14"
    "h.14a.26 .26 0 0 1 .18 -.44z"
)
_PAWNS = {"white": ("#ffffff", "#2b2b2b"), "black": ("#25292c", "#f3efe4")}
# The place of a value along its arrow, from 0 to 1. Values of leftward arrows are nearer to the start, so that values
# of crossing arrows do not overlap.
_ALONG, _LEFTWARD = 0.73, 0.38


def picture(
    position: "Position", moves: "Iterable[MoveValue]" = (), line: Iterable[str] = (), width: int | None = None
) -> Picture:
    """See :meth:`gamecore.game.Game.picture`. Moves are arrows with their values; the line stands below."""
    return picture_with_values(
        position,
        moves,
        line,
        lambda pen: _text(position, pen),
        lambda entries, played: _svg(position, entries, played, width),
    )


def _text(position: "Position", pen: Pen) -> str:
    """Return the board with coordinates and the turn as text."""
    names = [column_name(column) for column in range(position.columns)]
    width, margin = max(map(len, names)), len(str(position.rows))
    painted = {" ": ".", "P": pen.paint("P", "bold", "yellow"), "p": pen.paint("p", "bold", "cyan")}
    lines = [
        f"{position.rows - row:>{margin}}  " + " ".join(" " * (width - 1) + painted[square] for square in line)
        for row, line in enumerate(position.to_rows())
    ]
    lines.append(" " * (margin + 2) + " ".join(name.rjust(width) for name in names))
    return "\n".join([*lines, WORDS.turn(position)])


def _svg(position: "Position", moves: "tuple[MoveValue, ...]", line: tuple[str, ...], width: int | None) -> str:
    rows, columns = position.rows, position.columns
    names = [column_name(column) for column in range(columns)]
    turn = WORDS.turn(position) + (f"; values for {position.to_move}" if moves else "")
    across = _SQUARE * columns if width else max(_SQUARE * columns, 240 if moves or position.is_over else 150)
    captions = (
        [] if width else [turn, *textwrap.wrap(" ".join(line), int((across - 2 * 10) / 7.3), break_on_hyphens=False)]
    )
    canvas = Canvas(across, _SQUARE * rows + 22 + 19 * len(captions), f"Hexapawn, {rows} x {columns}: {turn}", _WOOD)

    left = (across - _SQUARE * columns) / 2

    def center(square: int) -> tuple[float, float]:
        return left + _SQUARE * (square % columns + 0.5), _SQUARE * (rows - 0.5 - square // columns)

    squares = dict(zip(position.legal_moves(), position._moves(), strict=False))
    for square in range(rows * columns):
        x, y = center(square)
        color = "white" if position.white >> square & 1 else "black" if position.black >> square & 1 else None
        name = f"{names[square % columns]}{square // columns + 1} {f'{color} pawn' if color else 'empty'}"
        with canvas.part(" ".join(move for move, ends in squares.items() if square in ends), name):
            shade = _LIGHT if (square // columns + square % columns) % 2 else _DARK
            place = f"{names[square % columns]}{square // columns + 1}"
            canvas.rect(x - _SQUARE / 2, y - _SQUARE / 2, _SQUARE, _SQUARE, shade, place=place)
            if color:
                canvas.shape(x, y, _PAWN, _SQUARE / 2, *_PAWNS[color])
        if square % columns == 0:
            canvas.text(left + 3, y - _SQUARE / 2 + 13, str(square // columns + 1), size=11, bold=True, fill=_BROWN)
    for column, name in enumerate(names):
        canvas.text(center(column)[0], _SQUARE * rows + 16, name, size=12, anchor="middle")
    _arrows(canvas, squares, moves, center, min(16.0, max(12.0, 12 * across / (width or across))))
    for k, caption in enumerate(captions):
        y = _SQUARE * rows + 36 + 19 * k
        canvas.text(across / 2, y, caption, size=13 if k == 0 else 11, anchor="middle", fill=PALE if k else GOLD)
    return canvas.svg()


def _arrows(
    canvas: Canvas,
    squares: dict[str, tuple[int, int]],
    moves: "tuple[MoveValue, ...]",
    center: Callable[[int], tuple[float, float]],
    size: float,
) -> None:
    """Draw an arrow for every legal move, then the values, so that no arrow crosses a value."""
    entries = {entry.move: entry for entry in moves}
    best = moves[0].value if moves else None
    colors = {move: tone(entries[move].lower, entries[move].upper) if move in entries else None for move in squares}
    ends = {move: (*center(source), *center(target)) for move, (source, target) in squares.items()}
    for move, (x1, y1, x2, y2) in ends.items():
        with canvas.value(move, colors[move]):
            canvas.arrow(x1 + 0.24 * (x2 - x1), y1 + 0.24 * (y2 - y1), x2, y2, SHOWN, 4)
    for move, (x1, y1, x2, y2) in ends.items():
        along = _LEFTWARD if x2 < x1 else _ALONG
        entry = entries.get(move)
        with canvas.value(move, colors[move]):
            rim = entry is not None and best is not None and entry.value == best
            canvas.badge(x1 + along * (x2 - x1), y1 + along * (y2 - y1), short_value(entry), best=rim, size=size)
