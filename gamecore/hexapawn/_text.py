"""Hexapawn boards as text: reading, writing, drawing. ``gamecore.hexapawn`` is the API."""

import functools
import re
from collections.abc import Sequence
from typing import Final, Literal, TypeAlias

from gamecore.text import printable
from gamecore.errors import OptionError, ParseError

Color: TypeAlias = Literal["white", "black"]
Board: TypeAlias = tuple[int, int, int, int, Color]  #: rows, cols, white, black, to_move

WHITE: Final = "white"
BLACK: Final = "black"
MAX_SQUARES: Final = 64


def shown(value: object) -> str:
    """A bad argument for an error message; Python refuses to write integers of thousands of digits."""
    if isinstance(value, int) and value.bit_length() > 256:
        return f"an integer of {value.bit_length()} bits"
    return printable(value)


def check_size(rows: object, cols: object) -> None:
    """Whether the board is one we play on.

    Raises:
        OptionError: fewer than 2 rows, no columns, more than 64 squares, not integers.
    """
    for name, count, least in (("rows", rows, 2), ("cols", cols, 1)):
        if isinstance(count, bool) or not isinstance(count, int) or count < least:
            raise OptionError(f"{name} has to be an integer of at least {least}, not {shown(count)}")
    assert isinstance(rows, int)
    assert isinstance(cols, int)
    if rows * cols > MAX_SQUARES:
        raise OptionError(f"{shown(rows)} rows x {shown(cols)} cols is more than {MAX_SQUARES} squares")


def square_name(square: int, cols: int) -> str:
    """``b3``: columns a to z, then aa, ab, ...; rows from 1 at the bottom."""
    row, column = divmod(square, cols)
    return column_name(column) + str(row + 1)


@functools.cache
def move_name(source: int, target: int, cols: int) -> str:
    """``b2-b3``, or ``b2xc3`` for a capture."""
    sign = "-" if (target - source) % cols == 0 else "x"
    return square_name(source, cols) + sign + square_name(target, cols)


def column_name(column: int) -> str:
    """``a`` for 0, ``z`` for 25, ``aa`` for 26."""
    letters = chr(ord("a") + column % 26)
    return letters if column < 26 else chr(ord("a") + column // 26 - 1) + letters


def ended_before(rows: int, cols: int, white: int, black: int, to_move: Color) -> tuple[str, int] | None:
    """Why no game comes to this position, and a square that shows it; None when all is well."""
    white_there = white >> cols * (rows - 1)
    black_there = black & ((1 << cols) - 1)
    if white_there and black_there:
        wrong, square = "both sides stand on their far rows", white_there
    elif white_there and to_move == WHITE:
        wrong, square = "white is to move, but stands on its far row already", white_there
    elif black_there and to_move == BLACK:
        wrong, square = "black is to move, but stands on its far row already", black_there
    else:
        return None
    first = (square & -square).bit_length() - 1 + (cols * (rows - 1) if white_there else 0)
    return f"{wrong} ({square_name(first, cols)})", first


def read_rows(lines: Sequence[str], to_move: Color) -> Board:
    """The board of rows of equal length; blanks and dots are empty.

    Raises:
        ParseError, OptionError: see ``Position.from_rows``.
    """
    if isinstance(lines, str):
        raise OptionError(f"rows has to be a list of strings, not the string {printable(lines)}")
    lines = list(lines)
    for number, line in enumerate(lines, start=1):
        if not isinstance(line, str):
            raise OptionError(f"row {number} has to be a string, not {printable(line)}")
        if len(line) != len(lines[0]):
            raise ParseError(f"{len(line)} squares where the first row has {len(lines[0])}", number)
    check_size(len(lines), len(lines[0]) if lines else 0)
    return _read(lines, len(lines[0]), to_move, 1, " .")


def read_judge(text: str, to_move: Color) -> Board:
    """The board of a judge's text.

    Raises:
        ParseError, OptionError: see ``hexapawn.parse``.
    """
    lines = text.split("\n")
    if not lines[-1]:
        lines.pop()
    lines = [line.removesuffix("\r") for line in lines]
    rows = _read_count(lines, 0, "rows", 2)
    cols = _read_count(lines, 1, "cols", 1)
    if rows * cols > MAX_SQUARES:
        raise ParseError(f"{rows} rows x {cols} cols is more than {MAX_SQUARES} squares", 2)
    if len(lines) < rows + 2:
        raise ParseError(f"missing: row {len(lines) - 1} of {rows}", len(lines) + 1)
    for number, line in enumerate(lines[rows + 2 :], start=rows + 3):
        _check_characters(line, number, " ")
    return _read(lines[2 : rows + 2], cols, to_move, 3, " ")


def _read_count(lines: list[str], index: int, name: str, least: int) -> int:
    if index >= len(lines):
        raise ParseError(f"missing: the number of {name}", index + 1)
    word = lines[index].strip(" \t")
    column = lines[index].find(word) + 1
    if not re.fullmatch(r"[0-9]{1,9}", word) or not least <= int(word):
        raise ParseError(f"{name} has to be a number of at least {least}, not {printable(word)}", index + 1, column)
    return int(word)


def _check_characters(line: str, number: int, empty: str) -> None:
    for column, character in enumerate(line, start=1):
        if character not in "Pp" and character not in empty:
            allowed = "P, p or a blank" if empty == " " else "P, p, a blank or ."
            raise ParseError(f"{printable(character)} is not a square: {allowed}", number, column)


def _read(lines: Sequence[str], cols: int, to_move: Color, first: int, empty: str) -> Board:
    """Squares of lines that may be shorter than cols; ``first`` is the number of the first line."""
    if to_move not in (WHITE, BLACK):
        raise OptionError(f"to_move has to be 'white' or 'black', not {printable(to_move)}")
    rows = len(lines)
    white = black = 0
    for number, line in enumerate(lines, start=first):
        if line.strip("Pp" + empty):
            _check_characters(line, number, empty)
        if line[cols:].strip(empty):
            column = len(line) - len(line[cols:].lstrip(empty)) + 1
            raise ParseError(f"a pawn beyond the last of {cols} columns", number, column)
        base = cols * (rows - 1 - (number - first))
        for column, character in enumerate(line[:cols]):
            if character == "P":
                white |= 1 << base + column
            elif character == "p":
                black |= 1 << base + column
    wrong = ended_before(rows, cols, white, black, to_move)
    if wrong is not None:
        row, column = divmod(wrong[1], cols)
        raise ParseError(wrong[0], first + rows - 1 - row, column + 1)
    return rows, cols, white, black, to_move


def write_rows(rows: int, cols: int, white: int, black: int) -> tuple[str, ...]:
    """The rows, top row first."""
    return tuple(
        "".join(
            "P" if white >> square & 1 else "p" if black >> square & 1 else " "
            for square in range(cols * row, cols * (row + 1))
        )
        for row in reversed(range(rows))
    )


def draw(lines: Sequence[str], caption: str) -> str:
    """A board with coordinates, dots for empty squares, and a caption below."""
    count, cols = len(lines), len(lines[0])
    names = [column_name(column) for column in range(cols)]
    width = max(len(name) for name in names)
    margin = len(str(count))
    text = [
        f"{count - i:>{margin}}  " + " ".join(square.replace(" ", ".").rjust(width) for square in line)
        for i, line in enumerate(lines)
    ]
    text.append(" " * (margin + 2) + " ".join(name.rjust(width) for name in names))
    return "\n".join([*text, caption])
