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
    n, longest = len(items), max(len(text) for texts in (items, *cells) for text in texts)
    axis = max(map(len, items))
    inside = [(i, j) for i in range(n) for j in range(i, n)]

    def text(pen: Pen) -> str:
        width = longest + 1
        lines = [f"{' ' * axis} |{' '.join(f'{item} '.rjust(width) for item in items)}".rstrip()]
        lines.append("-" * (axis + 1) + "+" + "-" * (n * (width + 1) - 1))
        for i in range(n):
            texts = [" " * width] * i
            for j in range(i, n):
                is_marked = (i, j) in marked
                cell = (cells[i][j] + ("*" if is_marked else " ")).rjust(width)
                texts.append(pen.paint(cell, "bold", "cyan") if is_marked else cell)
            lines.append(f"{items[i].rjust(axis)} |{' '.join(texts)}".rstrip())
        return "\n".join([*lines, *captions])

    def svg() -> str:
        wide, below = max(46.0, 9.5 * longest + 26), (*captions, *_LEGEND)
        before, after, top = _MARGIN + 9.5 * axis + 8, 9 * len(str(n)) + 12, _MARGIN + 22
        table = before + n * (wide + _GAP) + after
        width = max(table, 7.2 * max(map(len, below)) + 24)
        left = before + (width - table) / 2
        right, bottom = left + n * (wide + _GAP), top + n * (_HIGH + _GAP)
        canvas = Canvas(width, bottom + 8 + _LINE * len(below), below[0], _GROUND)

        def corner(cell: Cell) -> tuple[float, float]:
            return left + cell[1] * (wide + _GAP), top + cell[0] * (_HIGH + _GAP)

        for i, j in inside:
            fill = _MARKED if (i, j) in marked else _SHADES[(j - i) % 2]
            canvas.rect(*corner((i, j)), wide, _HIGH, fill, radius=4, place=f"{i},{j}")
        for start, end, is_used in sorted(arrows, key=lambda arrow: arrow[2]):
            _arrow(canvas, corner(start), corner(end), wide, GOLD if is_used else _UNUSED, 2 if is_used else 1.2)
        for i, j in inside:
            x, y = corner((i, j))
            is_bold = (i, j) in marked
            canvas.text(x + wide / 2, y + _HIGH / 2 + 5, cells[i][j], fill="#ffffff", anchor="middle", bold=is_bold)
        for index, item in enumerate(items):
            x, y = corner((index, index))
            canvas.text(x + wide / 2, _MARGIN + 10, item, anchor="middle", fill=GOLD, bold=True)
            canvas.text(left - 8, y + _HIGH / 2 + 5, item, anchor="end", fill=GOLD, bold=True)
            canvas.text(right + 4, y + _HIGH / 2 + 4, str(n - index), size=11)
        for index, caption in enumerate(below):
            canvas.text(_MARGIN, bottom + 16 + _LINE * index, caption, size=12, fill=PALE, bold=index == 0)
        return canvas.svg()

    return Picture(svg, text)


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
