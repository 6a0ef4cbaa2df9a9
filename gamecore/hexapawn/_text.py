"""Parsers of Hexapawn: the judge's boards, and arguments that are positions or texts."""

from gamecore.errors import ParseError
from gamecore.game._built_in import count_in, reader
from gamecore.hexapawn._position import MAX_SQUARES, WHITE, Color, Position, check_squares
from gamecore.text import without_controls


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
    lines = [line.removesuffix("\r") for line in text.removesuffix("\n").split("\n")]
    rows = count_in(lines[0], 1, "rows", 2, MAX_SQUARES)
    columns = count_in(lines[1] if len(lines) > 1 else "", 2, "columns", 1, MAX_SQUARES)
    if rows * columns > MAX_SQUARES:
        raise ParseError(f"{rows} rows x {columns} columns is more than {MAX_SQUARES} squares", 2)
    if len(lines) < rows + 2:
        raise ParseError(f"missing: row {len(lines) - 1} of {rows}", len(lines) + 1)
    for number, line in enumerate(lines[rows + 2 :], start=rows + 3):
        check_squares(line, number)
    return Position._from_lines(lines[2 : rows + 2], columns, to_move, 3)


read = reader(Position, parse)
