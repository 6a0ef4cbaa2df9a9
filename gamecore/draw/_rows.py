"""Pictures of rows: every value, who takes it, and when."""

from typing import TYPE_CHECKING, Final

from gamecore.text import printable
from gamecore.draw._canvas import PALE, Canvas
from gamecore.draw._pen import Pen
from gamecore.draw._picture import Picture
from gamecore.errors import OptionError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gamecore.rows import RowSolution

MOST: Final = 512  #: longer rows are nothing to look at value by value; see plot_table
_SLATE = "#33414b"
_MINE, _THEIRS, _FREE = "#2468b4", "#b05a12", "#5d6b75"
_PER_LINE = 26


def rows(values: "Sequence[int | float]", solution: "RowSolution | None" = None) -> Picture:
    """A row, and with a solution its line of play.

    Args:
        values: the row, at most 512 values.
        solution: of this row, with its line: each value then shows who takes it, and as which one from the first.

    Raises:
        OptionError: an empty row or more than 512 values, a solution without a line, or of a row of another length.
    """
    row = [value.item() if hasattr(value, "item") else value for value in values]
    if not 1 <= len(row) <= MOST:
        raise OptionError(f"values: a picture takes 1 to {MOST} values, not {len(row)}")
    for k, value in enumerate(row):
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise OptionError(f"values[{k}] is {printable(value)}, not a number")
    if solution is not None and len(solution.line) != len(row):
        what = f"of {len(solution.line)} values" if solution.line else "that has no line"
        raise OptionError(f"solution: one {what} is no solution of a row of {len(row)}")
    taken = None if solution is None else _taken(solution.line, solution.first)
    return Picture(lambda: _svg(row, taken, solution), lambda pen: _text(row, taken, solution, pen))


def _taken(line: str, first: str) -> list[tuple[int, bool]]:
    """For each place of the row: when its value is taken (from 1), and whether it is mine."""
    found = [(0, False)] * len(line)
    low, high = 0, len(line) - 1
    mine = first == "me"
    for ply, move in enumerate(line, start=1):
        found[low if move == "L" else high] = (ply, mine)
        low, high = (low + 1, high) if move == "L" else (low, high - 1)
        mine = not mine
    return found


def _caption(row: "list[int | float]", solution: "RowSolution | None") -> str:
    if solution is None:
        return f"{len(row)} values, sum {_shown(sum(row))}"
    other = {"greedy": "greedy opponent", "cooperative": "cooperative opponent"}.get(solution.opponent, "opponent")
    starts = "I start" if solution.first == "me" else "the opponent starts"
    return f"{starts}: I take {_shown(solution.mine)}, the {other} {_shown(solution.theirs)}"


def _shown(value: int | float) -> str:
    return str(value) if isinstance(value, int) else f"{value:.6g}"


def _text(
    row: "list[int | float]", taken: "list[tuple[int, bool]] | None", solution: "RowSolution | None", pen: Pen
) -> str:
    texts = [_shown(value) for value in row]
    width = max(len(text) for text in [*texts, str(len(row))])
    per_line = max(1, 100 // (width + 1))
    lines = []
    for start in range(0, len(row), per_line):
        places = range(start, min(start + per_line, len(row)))
        if taken is None:
            lines.append("row    " + " ".join(texts[k].rjust(width) for k in places))
            continue
        styles = {k: ("bold", "cyan") if taken[k][1] else ("yellow",) for k in places}
        lines.append("row    " + " ".join(pen.paint(texts[k].rjust(width), *styles[k]) for k in places))
        lines.append("taker  " + " ".join(("I" if taken[k][1] else "o").rjust(width) for k in places))
        lines.append("as no. " + " ".join(str(taken[k][0]).rjust(width) for k in places))
    return "\n".join([*lines, _caption(row, solution)])


def _svg(
    row: "list[int | float]", taken: "list[tuple[int, bool]] | None", solution: "RowSolution | None"
) -> str:
    texts = [_shown(value) for value in row]
    box = max(34.0, 10.0 * max(len(text) for text in texts) + 10)
    per_line = max(1, min(len(row), int(_PER_LINE * 36 // (box + 3))))
    step, pitch = box + 3, 68.0 if taken else 46.0
    lines = -(-len(row) // per_line)
    caption = _caption(row, solution)
    width = max(24 + per_line * step, 9.3 * len(caption) + 24, 372 if taken else 0)
    canvas = Canvas(width, 22 + lines * pitch + (54 if taken else 28), f"Row: {caption}", _SLATE)
    for k, text in enumerate(texts):
        x, y = 12 + (k % per_line) * step, 14 + (k // per_line) * pitch
        fill = _FREE if taken is None else _MINE if taken[k][1] else _THEIRS
        canvas.rect(x, y, box, 36, fill, radius=4)
        canvas.text(x + box / 2, y + 24, text, fill="#ffffff", size=15, anchor="middle", bold=True)
        if taken is not None:
            canvas.text(x + box / 2, y + 51, str(taken[k][0]), size=11, anchor="middle")
    bottom = 22 + lines * pitch
    if taken is not None:
        for x, fill, who in ((12, _MINE, "mine"), (82, _THEIRS, "the opponent's")):
            canvas.rect(x, bottom + 2, 12, 12, fill, radius=2)
            canvas.text(x + 18, bottom + 13, who, size=12)
        canvas.text(206, bottom + 13, "below: taken as no.", size=12)
    canvas.text(12, bottom + (40 if taken else 14), caption, size=14, fill=PALE, bold=True)
    return canvas.svg()
