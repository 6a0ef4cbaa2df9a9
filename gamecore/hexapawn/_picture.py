"""Pictures of Hexapawn: the board, and an arrow with its value for every move."""

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from gamecore.draw.canvas import GOLD, PALE, Canvas, badge_width, tone
from gamecore.draw.pen import Pen
from gamecore.draw.picture import Picture
from gamecore.errors import OptionError
from gamecore.hexapawn._squares import column_name
from gamecore.text import printable

if TYPE_CHECKING:
    from gamecore.hexapawn import MoveValue, Position

_WOOD = "#54412f"
_LIGHT, _DARK = "#ecd7b2", "#cfa876"
_ALONG = 0.75  # a value stands so far along its arrow: half a square lies then between those of crossing captures


def picture(position: "Position", moves: "Iterable[MoveValue]" = (), line: Iterable[str] = ()) -> Picture:
    """Return the picture of a position.

    Args:
        position: any position.
        moves: what ``hexapawn.analyse(position)`` says: each becomes an arrow with its value for the side to move,
            green for a win, red for a loss, grey with ``?`` while that is open; the best ones have a golden rim.
        line: play from here on, such as a solution's; it is written below the board.

    Raises:
        OptionError: a move that is not legal here. IllegalMoveError: a line that breaks the rules.
    """
    known, played = tuple(moves), tuple(line)
    legal = position.legal_moves()
    for entry in known:
        if entry.move not in legal:
            raise OptionError(f"moves: {printable(entry.move)} is not a legal move of this position")
    after = position
    for move in played:
        after = after.play(move)
    return Picture(lambda: _svg(position, known, played), lambda pen: _text(position, known, played, pen))


def text_of(position: "Position", pen: Pen, me: str | None = None) -> str:
    """Return the board with its coordinates, and whose turn it is, as text; black sits below if ``me`` is black."""
    names = [column_name(column) for column in range(position.columns)]
    rows = [(str(position.rows - at), list(line)) for at, line in enumerate(position.to_rows())]
    if me == "black":
        names.reverse()
        rows = [(number, line[::-1]) for number, line in reversed(rows)]
    width, margin = max(map(len, names)), len(str(position.rows))
    tight = bool(pen.width) and margin + 2 + (width + 1) * len(names) > pen.width
    width, gap = (1, "") if tight else (width, " ")
    painted = {" ": ".", "P": pen.paint("P", "bold", "yellow"), "p": pen.paint("p", "bold", "cyan")}
    lines = [
        f"{number:>{margin}}  " + gap.join(" " * (width - 1) + painted[one] for one in line) for number, line in rows
    ]
    labels = [name.rjust(width) for name in names]
    for part in [labels] if not tight else [[name[at : at + 1] or " " for name in names] for at in range(2)]:
        label = (" " * (margin + 2) + gap.join(part)).rstrip()
        if label:
            lines.append(label)
    turn = position._turn()
    if me is not None and not position.is_over:
        turn += f"; you are {me} ({'P' if me == 'white' else 'p'})"
    return "\n".join([*lines, turn])


def _text(position: "Position", moves: "tuple[MoveValue, ...]", line: tuple[str, ...], pen: Pen) -> str:
    lines = [text_of(position, pen)]
    if moves:
        texts = []
        for entry in moves:
            move, value = str(entry).rsplit(" ", 1)
            texts.append(f"{move} {pen.value(value, entry.lower, entry.upper)}")
        lines.append("moves  " + "   ".join(texts) + f"   (for {position.to_move})")
    if line:
        lines.append("line   " + " ".join(line))
    return "\n".join(lines)


def _svg(position: "Position", moves: "tuple[MoveValue, ...]", line: tuple[str, ...]) -> str:
    rows, columns = position.rows, position.columns
    widest = max((badge_width(_short(entry)) for entry in moves), default=0.0)
    size = max(60.0, 2 * (widest + 4)) if moves else 44.0
    left, top = 30.0, 12.0
    width = max(left + size * columns + 14, 240 if moves else 150)
    turn = position._turn() + (f"; values for {position.to_move}" if moves else "")
    captions = [turn, *_wrapped(line, int((width - 2 * 10) / 6.6))]
    height = top + size * rows + 26 + 19 * len(captions)
    canvas = Canvas(width, height, f"Hexapawn, {rows} x {columns}: {turn}", _WOOD)

    def center(square: int) -> tuple[float, float]:
        return left + size * (square % columns) + size / 2, top + size * (rows - 1 - square // columns) + size / 2

    for square in range(rows * columns):
        x, y = center(square)
        shade = _LIGHT if (square // columns + square % columns) % 2 else _DARK
        canvas.rect(x - size / 2, y - size / 2, size, size, shade)
        if position.white >> square & 1:
            canvas.circle(x, y, size * 0.33, "#ffffff", "#2a2a2a")
        elif position.black >> square & 1:
            canvas.circle(x, y, size * 0.33, "#2f3236", "#000000")
    for row in range(rows):
        canvas.text(left / 2, center(row * columns)[1] + 4, str(row + 1), size=12, anchor="middle")
    for column in range(columns):
        canvas.text(center(column)[0], top + size * rows + 16, column_name(column), size=12, anchor="middle")
    _arrows(canvas, position, moves, center)
    for k, caption in enumerate(captions):
        y = top + size * rows + 38 + 19 * k
        canvas.text(width / 2, y, caption, size=13 if k == 0 else 11, anchor="middle", fill=PALE if k else GOLD)
    return canvas.svg()


def _short(entry: "MoveValue") -> str:
    return f"{entry.lower:+d}" if entry.exact else "?"


def _arrows(
    canvas: Canvas,
    position: "Position",
    moves: "tuple[MoveValue, ...]",
    center: Callable[[int], tuple[float, float]],
) -> None:
    squares = dict(zip(position.legal_moves(), position._moves(), strict=False))
    best = moves[0].value if moves else None  # None while it is not known
    values = []
    for entry in moves:
        (x1, y1), (x2, y2) = (center(square) for square in squares[entry.move])
        color = tone(entry.lower, entry.upper)
        canvas.arrow(x1 + 0.18 * (x2 - x1), y1 + 0.18 * (y2 - y1), x2, y2, color)
        rim = best is not None and entry.value == best
        values.append((x1 + _ALONG * (x2 - x1), y1 + _ALONG * (y2 - y1), _short(entry), color, rim))
    for x, y, text, color, rim in values:  # after all arrows: no arrow may cross a value
        canvas.badge(x, y, text, color, best=rim)


def _wrapped(words: tuple[str, ...], most: int) -> list[str]:
    lines: list[str] = []
    for word in words:
        if lines and len(lines[-1]) + 1 + len(word) <= most:
            lines[-1] += " " + word
        else:
            lines.append(word)
    return lines
