"""Parsers of Hexapawn: the judge's boards, and arguments that are positions or texts."""

from collections.abc import Iterator

from gamecore.errors import OptionError, ParseError
from gamecore.hexapawn._position import MAX_SQUARES, WHITE, Color, Position, check_squares
from gamecore.text import SEPARATOR, printable, whole_number, without_controls


def read(item: Position | str) -> Position:
    """Return a position itself, or parse its text: one line is the notation, several are a judge's (white to move).

    Raises:
        ParseError: a malformed text. OptionError: neither a position nor a text.
    """
    if isinstance(item, Position):
        return item
    if not isinstance(item, str):
        raise OptionError(f"a hexapawn.Position or a text of one is meant, not {printable(item)}")
    return parse(item) if "\n" in item.strip() else Position.from_text(item)


def parse(text: str, to_move: Color = WHITE) -> Position:
    """Parse a judge's text: rows, columns, then the rows, top row first; blanks are empty squares.

    Lines may be shorter than the board, have trailing blanks and end in CRLF; more lines may follow. The text does not
    hold the side to move. ``Position.to_judge`` writes this text.

    Raises:
        ParseError: a malformed text or a forbidden board; it names the line, and the column of a bad square.
        OptionError: a bad ``to_move``.
    """
    if not isinstance(text, str):
        raise ParseError(f"text must be a str, not {without_controls(type(text).__name__)}")
    lines = text.split("\n")
    if not lines[-1]:
        lines.pop()
    lines = [line.removesuffix("\r") for line in lines]
    counts = []
    for number, (name, least) in enumerate((("rows", 2), ("columns", 1)), start=1):
        if len(lines) < number:
            raise ParseError(f"missing: the number of {name}", number)
        counts.append(_count(lines[number - 1], number, name, least))
    rows, columns = counts
    if rows * columns > MAX_SQUARES:
        raise ParseError(f"{rows} rows x {columns} columns is more than {MAX_SQUARES} squares", 2)
    if len(lines) < rows + 2:
        raise ParseError(f"missing: row {len(lines) - 1} of {rows}", len(lines) + 1)
    for number, line in enumerate(lines[rows + 2 :], start=rows + 3):
        check_squares(line, number, " ")
    return Position._from_lines(lines[2 : rows + 2], columns, to_move, 3, " ")


def _count(line: str, number: int, name: str, least: int) -> int:
    try:
        return whole_number(line.strip(" \t\r\n"), name, least, MAX_SQUARES)
    except ParseError as error:
        raise ParseError(str(error), number) from None


def split_boards(lines: Iterator[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    """Split a file's lines into notations and judge's texts: pairs (number of the first line, text).

    Raises:
        ParseError: a line that is neither a notation nor a number of rows.
    """
    for number, text in lines:
        if SEPARATOR in text:
            yield number, text.strip()
        elif text.strip():
            rows = _count(text, number, "rows", 2)
            rest = [line for _, line in (next(lines, (0, None)) for _ in range(rows + 1)) if line is not None]
            yield number, "\n".join((text, *rest)) + "\n"
