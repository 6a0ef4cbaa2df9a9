"""The picture of a kit game that says which squares a move touches: a board that can be clicked."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from gamecore.apps.kit.words import words_of
from gamecore.contract import MoveValue
from gamecore.draw import Picture, text_picture
from gamecore.draw.canvas import PALE, SHOWN, Canvas, badge_width, tone
from gamecore.draw.picture import checked_marks
from gamecore.errors import GamecoreError
from gamecore.text import printable

if TYPE_CHECKING:
    from gamecore.apps.kit._game import Moves, Position

_SQUARE, _BUTTON, _MARGIN = 64.0, 44.0, 8.0
_GROUND, _LIGHT, _DARK, _INK, _RAISED = "#54412f", "#eed9b6", "#c99f6b", "#25292c", "#3a2c1f"
_EMPTY: Final = (".", "-", "_", "")


def board(position: "Position", moves: "Moves", line: Iterable[str], width: int | None) -> Picture:
    """Return a picture: a position's text, and a board with its cells.

    Squares are numbered from the lower left one, 0, along the rows. A move whose first and last squares another move
    touches, too, has a button below the board, as a move without squares.
    """
    entries, played = checked_marks(position, moves, line)
    plain = text_picture(str(position), entries, played, position.legal_moves())
    rows, columns = position.rules.board or (0, 0)
    cells = cells_of(str(position), rows, columns)
    if cells is None:
        return plain
    return Picture(lambda: _svg(position, cells, columns, entries, " ".join(played), width), plain._text)


def cells_of(text: str, rows: int, columns: int) -> list[str] | None:
    """Return the text of each square: the last words, or characters, of the first lines; None if there are too few."""
    lines = [line.split() for line in text.splitlines()[:rows]]
    lines = [words if len(words) >= columns else list("".join(words)) for words in lines]
    if len(lines) < rows or min(map(len, lines)) < columns:
        return None
    return [word for words in reversed(lines) for word in words[len(words) - columns :]]


def squares_of(position: "Position", count: int) -> dict[str, tuple[int, ...]]:
    """Return the squares of each legal move; raise GamecoreError if one is not among so many."""
    rules, touched = position.rules, dict[str, tuple[int, ...]]()
    for name, (number, _, _) in position.children.items():
        touched[name] = tuple(rules.squares(position.state, number, position.mover))
        for square in touched[name]:
            if square not in range(count):
                raise GamecoreError(
                    f"{rules.name}: squares must be numbers from 0 to {count - 1}, not {printable(square)}"
                )
    return touched


def _svg(
    position: "Position", cells: list[str], columns: int, entries: tuple[MoveValue[float], ...], line: str,
    width: int | None,
) -> str:  # fmt: skip
    rows, touched = len(cells) // columns, squares_of(position, len(cells))
    ends = {name: {squares[0], squares[-1]} for name, squares in touched.items() if squares}
    clear = {name for name, pair in ends.items() if sum(pair <= set(other) for other in touched.values()) == 1}
    below = [name for name in touched if name not in clear]
    across = max(_SQUARE * columns, 160)
    captions = [] if width else [words_of(not position.rules.outcome).turn(position), *([line] if line else [])]
    high = _SQUARE * rows + (_BUTTON + 6) * len(below) + 20 * len(captions) + 2 * _MARGIN
    canvas = Canvas(across + 2 * _MARGIN, high, f"{position.rules.title}: {position.to_text()}", _GROUND)
    size = min(16.0, max(12.0, 12 * across / (width or across)))

    def center(square: int) -> tuple[float, float]:
        return _MARGIN + _SQUARE * (square % columns + 0.5), _MARGIN + _SQUARE * (rows - 0.5 - square // columns)

    for square, cell in enumerate(cells):
        (x, y), mark = center(square), "" if cell in _EMPTY else cell
        place = f"{square % columns + 1}, {square // columns + 1}"
        with canvas.part(" ".join(name for name in touched if name in clear and square in touched[name]), place):
            shade = _LIGHT if (square // columns + square % columns) % 2 else _DARK
            canvas.rect(x - _SQUARE / 2, y - _SQUARE / 2, _SQUARE, _SQUARE, shade)
            if mark:
                large = min(28.0, 60 / len(mark))
                canvas.text(x, y + 9, mark, fill=_INK, size=large, anchor="middle", bold=True)
    known = {entry.move: entry for entry in entries}
    for name, squares in touched.items():
        entry, label = known.get(name), str(known.get(name, "")).removeprefix(name).strip()
        best = entry is not None and entry.value == entries[0].value
        if name in below:
            y = 2 * _MARGIN + _SQUARE * rows + (_BUTTON + 6) * below.index(name)
            with canvas.part(name, name):
                canvas.rect(_MARGIN, y, across, _BUTTON, _RAISED, radius=7)
                canvas.text(_MARGIN + 10, y + 27, name, bold=True)
            x1, y1 = x2, y2 = across - 60, y + _BUTTON / 2
        else:
            (x1, y1), (x2, y2) = center(squares[0]), center(squares[-1])
        with canvas.value(name, tone(entry.lower, entry.upper) if entry else None):
            if (x1, y1) != (x2, y2):
                canvas.arrow(x1 + 0.24 * (x2 - x1), y1 + 0.24 * (y2 - y1), x2, y2, SHOWN, 4)
            small = min(size, size * 56 / badge_width(label, size))
            canvas.badge(x1 + 0.7 * (x2 - x1), y1 + 0.7 * (y2 - y1), label, best=best, size=small)
    for number, caption in enumerate(captions):
        canvas.text(_MARGIN, high - 20 * (len(captions) - number) + 8, caption, fill=PALE)
    return canvas.svg()
