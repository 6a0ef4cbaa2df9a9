"""The triangular table of a recurrence over intervals: cell (i, j), j >= i, belongs to the items from i to j."""

from collections.abc import Collection, Iterable, Sequence
from typing import Final

from gamecore.draw.canvas import GOLD, PALE, Canvas
from gamecore.draw.pen import Pen
from gamecore.draw.picture import Picture

Cell = tuple[int, int]

_GROUND: Final = "#33414b"
_SHADES: Final = ("#3d4d58", "#4a5d6a")  # of the diagonals, in turn
_MARKED: Final = "#2468b4"
_UNUSED: Final = "#9aa7b0"
_HIGH, _GAP, _MARGIN, _LINE = 40.0, 4.0, 12.0, 18.0
_LEGEND: Final = (
    "Arrows lead to the cells used, gold to the one whose value counts.",
    "Numbers on the right: the order in which the diagonals are filled.",
)


def triangle(
    items: Sequence[str],
    cells: Sequence[Sequence[str]],
    marked: Collection[Cell] = (),
    arrows: Iterable[tuple[Cell, Cell, bool]] = (),
    captions: Sequence[str] = (),
) -> Picture:
    """Return a picture of a table: items on both axes, diagonals numbered in the order in which they are filled.

    Args:
        items: texts on both axes, at least one. cells: texts by row and column; those below the diagonal are left out.
        marked: cells in another colour; in text they have a star.
        arrows: from a cell to one that it used, True if its value comes from there; to any of the next two diagonals.
        captions: lines below; the first one is the title.
    """
    return Picture(
        lambda: _svg(items, cells, marked, arrows, captions),
        lambda pen: "\n".join([*_lines(items, cells, marked, pen), *captions]),
    )


def _lines(
    items: Sequence[str], cells: Sequence[Sequence[str]], marked: Collection[Cell], pen: Pen
) -> Iterable[str]:  # fmt: skip
    n = len(items)
    width = 1 + max(len(text) for texts in (items, *cells) for text in texts)
    axis = max(map(len, items))
    yield f"{' ' * axis} |{' '.join(f'{item} '.rjust(width) for item in items)}".rstrip()
    yield "-" * (axis + 1) + "+" + "-" * (n * (width + 1) - 1)
    for i in range(n):
        texts = [" " * width] * i
        for j in range(i, n):
            text = (cells[i][j] + ("*" if (i, j) in marked else " ")).rjust(width)
            texts.append(pen.paint(text, "bold", "cyan") if (i, j) in marked else text)
        yield f"{items[i].rjust(axis)} |{' '.join(texts)}".rstrip()


def _svg(
    items: Sequence[str],
    cells: Sequence[Sequence[str]],
    marked: Collection[Cell],
    arrows: Iterable[tuple[Cell, Cell, bool]],
    captions: Sequence[str],
) -> str:
    n, captions = len(items), (*captions, *_LEGEND)
    longest = max(len(text) for texts in (items, *cells) for text in texts)
    wide = max(46.0, 9.5 * longest + 26)
    left, top = _MARGIN + 9.5 * max(map(len, items)) + 8, _MARGIN + 22
    width = left + n * (wide + _GAP) + 9 * len(str(n)) + 12
    height = top + n * (_HIGH + _GAP) + 8 + _LINE * len(captions)
    canvas = Canvas(max(width, 8 * max(map(len, captions)) + 24), height, captions[0], _GROUND)

    def corner(cell: Cell) -> tuple[float, float]:
        return left + cell[1] * (wide + _GAP), top + cell[0] * (_HIGH + _GAP)

    inside = [(i, j) for i in range(n) for j in range(i, n)]
    for i, j in inside:
        fill = _MARKED if (i, j) in marked else _SHADES[(j - i) % 2]
        canvas.rect(*corner((i, j)), wide, _HIGH, fill, radius=4, place=f"{i},{j}")
    for start, end, is_used in sorted(arrows, key=lambda arrow: arrow[2]):
        _arrow(canvas, corner(start), corner(end), wide, GOLD if is_used else _UNUSED, 2 if is_used else 1.2)
    for i, j in inside:
        x, y = corner((i, j))
        canvas.text(
            x + wide / 2, y + _HIGH / 2 + 5, cells[i][j], fill="#ffffff", anchor="middle", bold=(i, j) in marked
        )
    for k, item in enumerate(items):
        x, y = corner((k, k))
        canvas.text(x + wide / 2, _MARGIN + 10, item, anchor="middle", fill=GOLD, bold=True)
        canvas.text(left - 8, y + _HIGH / 2 + 5, item, anchor="end", fill=GOLD, bold=True)
        canvas.text(left + n * (wide + _GAP) + 4, y + _HIGH / 2 + 4, str(n - k), size=11)
    for k, caption in enumerate(captions):
        y = top + n * (_HIGH + _GAP) + 16 + _LINE * k
        canvas.text(_MARGIN, y, caption, size=12, fill=PALE, bold=k == 0)
    return canvas.svg()


def _arrow(
    canvas: Canvas, start: tuple[float, float], end: tuple[float, float], wide: float, color: str, width: float
) -> None:
    """Draw an arrow along the edges of the cells that it passes, beside their texts."""
    (x1, y1), (x2, y2) = start, end
    if x1 == x2:
        canvas.arrow(x1 + wide - 6, y1 + _HIGH - 8, x2 + wide - 6, y2 + 8, color, width)
    elif y1 == y2:
        canvas.arrow(x1 + 8, y1 + _HIGH - 6, x2 + wide - 10, y2 + _HIGH - 6, color, width)
    else:
        canvas.arrow(x1 + 8, y1 + _HIGH - 8, x2 + wide - 8, y2 + 8, color, width)
