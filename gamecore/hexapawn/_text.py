"""Texts of Hexapawn: the judge's boards, and what stands where a position is taken."""

from typing import Final

from gamecore.errors import OptionError, ParseError
from gamecore.hexapawn._position import MAX_SQUARES, WHITE, Color, Position, check_squares
from gamecore.text import printable, whole_number, without_controls

_MOST: Final = 10**9 - 1  # of a count that is still read as a number


def read(item: Position | str) -> Position:
    """A position, or that of its text: the notation, or a judge's text (white to move), which has several lines.

    Raises:
        ParseError: a text that is neither. OptionError: something else.
    """
    if isinstance(item, Position):
        return item
    if not isinstance(item, str):
        raise OptionError(f"a hexapawn.Position or a text of one is meant, not {printable(item)}")
    return parse(item) if "\n" in item.strip() else Position.from_text(item)


def parse(text: str, to_move: Color = WHITE) -> Position:
    """The position of a judge's text: rows, columns, then the rows, top row first; blanks are empty squares.

    Lines may be shorter than the board or have blanks after it, end in CRLF, and more lines may follow, as real
    files have it; the text does not say whose turn it is. ``Position.to_judge`` writes it.

    Raises:
        ParseError: a count that is not a number, a board of a forbidden size, missing lines, a pawn beyond the last
            column, another character, both sides on their far rows, the mover already on the far row. It names the
            line and the column.
        OptionError: a bad ``to_move``.
    """
    if not isinstance(text, str):
        raise ParseError(f"text must be a str, not {without_controls(type(text).__name__)}")
    lines = text.split("\n")
    if not lines[-1]:
        lines.pop()
    lines = [line.removesuffix("\r") for line in lines]
    rows = _read_count(lines, 0, "rows", 2)
    columns = _read_count(lines, 1, "columns", 1)
    if rows * columns > MAX_SQUARES:
        raise ParseError(f"{rows} rows x {columns} columns is more than {MAX_SQUARES} squares", 2)
    if len(lines) < rows + 2:
        raise ParseError(f"missing: row {len(lines) - 1} of {rows}", len(lines) + 1)
    for number, line in enumerate(lines[rows + 2 :], start=rows + 3):
        check_squares(line, number, " ")
    return Position._from_lines(lines[2 : rows + 2], columns, to_move, 3, " ")


def _read_count(lines: list[str], index: int, name: str, least: int) -> int:
    if index >= len(lines):
        raise ParseError(f"missing: the number of {name}", index + 1)
    word = lines[index].strip(" \t")
    try:
        return whole_number(word, name, least, _MOST)
    except ParseError:
        wrong = f"{name} must be a number of at least {least}, not {printable(word)}"
        raise ParseError(wrong, index + 1, lines[index].find(word) + 1) from None
