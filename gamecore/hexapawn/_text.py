"""Texts of Hexapawn's positions: the notation, the judge's text, a start position."""

import re
from typing import Final

from gamecore.errors import OptionError, ParseError
from gamecore.game import Option, reader, takes
from gamecore.hexapawn._position import MAX_SQUARES, MOVERS, WHITE, Color, Position, check_color
from gamecore.text import BLANKS, SEPARATOR, printable, whole_number

_SIZE: Final = re.compile("([0-9]{1,4})[xX]([0-9]{1,4})")


@takes(Option("to_move", "Side to move", "white", choices=("white", "black")))
def parse(text: str, *, to_move: Color | None = None) -> Position:
    """Parse the notation of ``to_text``, a judge's text, or the size of a start position, such as ``6x6``.

    A judge's text is rows, columns, then the rows, top row first; blanks are empty squares. Lines may be shorter than
    the board, have trailing blanks and end in CRLF; more lines may follow. ``Position.to_judge`` writes it.

    A text whose first line is W or B, the side to move, has nothing but the rows below it; ``.`` is an empty square.

    Args:
        text: the text.
        to_move: the side to move, of a text that does not name it; None: white.

    Raises:
        ParseError: a malformed text or a forbidden board; it names the line, and the column of a bad square.
        OptionError: a bad ``to_move``, or one beside the notation.
    """
    first, _, below = text.partition("\n") if isinstance(text, str) else ("", "", "")
    if not isinstance(text, str) or SEPARATOR in text or first.strip(BLANKS) in MOVERS:
        if to_move is not None:
            raise OptionError("--to-move is for a judge's text; the notation, and a first line W or B, name the side")
        if first.strip(BLANKS) not in MOVERS:
            return Position.from_text(text)
        try:
            return Position.from_rows([row.rstrip() for row in below.rstrip().split("\n")], MOVERS[first.strip(BLANKS)])
        except ParseError as error:
            raise error.moved(2) from None
    mover = WHITE if to_move is None else to_move
    check_color(mover)
    if _SIZE.fullmatch(text):
        return start_of(text, "a start position", mover)
    lines = [line.removesuffix("\r") for line in text.removesuffix("\n").split("\n")]
    rows = whole_number(lines[0].strip(BLANKS), "rows", 2, MAX_SQUARES, 1)
    columns = whole_number(lines[1].strip(BLANKS) if len(lines) > 1 else "", "columns", 1, MAX_SQUARES, 2)
    if rows * columns > MAX_SQUARES:
        raise ParseError(f"{rows} rows x {columns} columns is more than {MAX_SQUARES} squares", 2)
    if len(lines) < rows + 2:
        raise ParseError(f"missing: row {len(lines) - 1} of {rows}", len(lines) + 1)
    for number, line in enumerate(lines[rows + 2 :], start=rows + 3):
        if line.strip("Pp "):
            raise ParseError("only squares may follow the board", number)
    squares = [line.rstrip(" ").ljust(columns) for line in lines[2 : rows + 2]]
    return Position._checked(squares, columns, mover, lambda why, row, at: ParseError(why, row + 3, at + 1))


def start_of(size: str, option: str, to_move: Color = WHITE) -> Position:
    """Return the start position on a board such as ``6x6``, rows first; OptionError names the ``option``."""
    match = _SIZE.fullmatch(size)
    if match is None:
        raise OptionError(f"{option} must be rows x columns, such as 6x6, not {printable(size)}")
    start = Position.start(int(match[1]), int(match[2]))
    return Position(start.rows, start.columns, start.white, start.black, to_move)


read = reader(Position, parse)
