"""Parse rows of numbers."""

import math
import re
from collections.abc import Iterable
from contextlib import suppress
from io import StringIO
from itertools import chain
from typing import Final

from gamecore.errors import ParseError
from gamecore.game import Lines
from gamecore.rows._numbers import EXACT_FLOAT, Number
from gamecore.text import SEPARATOR, printable

_BLANKS: Final = " \t\r\n\f\v"  # str.split and str.strip take U+001C to U+001F for blanks, too
_GAP: Final = re.compile(f",[{_BLANKS}]*,")
_WORD: Final = re.compile(f"[^{_BLANKS},]+")
_MOST: Final = 1 << 24  # characters of a row over several lines


def read_row(lines: Iterable[str], numbered: bool = True) -> list[int] | list[float]:
    """Read one row from lines of numbers separated by blanks or commas: integers, or floats if one number is a float.

    Raises:
        ParseError: a word that is not a finite number, or an integer among floats that float64 would round. It names
            the line if ``numbered``.
    """
    values: list[tuple[Number, int, int | None]] = []  # each with its number in the line, and the line
    for place, line in enumerate(lines, 1):
        at = place if numbered else None
        if gap := _GAP.search(line):
            raise ParseError(f"value {len(_WORD.findall(line[: gap.start()])) + 1} is missing between two commas", at)
        for k, word in enumerate(_WORD.findall(line), 1):
            number = number_of(word)
            if number is None:
                raise ParseError(f"value {k}: {printable(word)} is not a finite number", at)
            values.append((number, k, at))
    real = next((value for value, *_ in values if isinstance(value, float)), None)
    for value, k, at in values if real is not None else ():
        if isinstance(value, int) and abs(value) > EXACT_FLOAT:
            message = f"value {k}: the integer {printable(value)} would be rounded beside the float {real!r}"
            raise ParseError(message, at)
    return [value if real is None else float(value) for value, *_ in values]


def number_of(word: str) -> Number | None:
    """Return the finite number that a word is, or None."""
    if word.isascii() and "_" not in word:  # Python reads other scripts' digits, and 1_000; people's files have none
        with suppress(ValueError):
            return int(word)
        with suppress(ValueError):
            number = float(word)
            return number if math.isfinite(number) else None
    return None


def parse_row(text: str) -> list[int] | list[float]:
    """Parse the text of one row: its values on one line, or their count and then the values; see :func:`split_rows`.

    Raises:
        ParseError: a bad value, a count that does not fit, or another row. It names the line if there are several.
    """
    rows = list(split_rows(enumerate(text.split("\n"), 1)))
    if not rows:
        raise ParseError("the text is empty; a row is written as its values")
    if len(rows) > 1:
        raise ParseError("another row begins; one is meant", rows[1][0])
    number, row = rows[0]
    count, *lines = row.split("\n")
    if not lines:
        return read_row([count], numbered=False)
    try:
        return read_row(["", *lines])
    except ParseError as error:
        raise error.moved(number) from None


def split_rows(lines: Lines) -> Lines:
    """Split a file's lines into rows: pairs (number of the first line, text).

    A line of several values is a row, and a notation is one. Any other row begins with a line that holds its count of
    values; they stand on the next line, or one a line. A single number that is the whole text is a row of one value.

    Raises:
        ParseError: a count that does not fit, or a row of more than 16 MiB over several lines.
    """
    filled = ((number, text) for number, text in lines if _WORD.findall(text))
    for index, (number, text) in enumerate(filled):
        is_row = SEPARATOR in text or len(_WORD.findall(text)) > 1
        following = None if is_row else next(filled, None)
        if is_row or (following is None and index == 0):
            yield number, text.strip(_BLANKS)
        else:
            yield number, _counted(number, text, chain([following] if following else [], filled))


def _counted(number: int, text: str, following: Lines) -> str:
    """Return the text of a row that begins with its count, in line ``number``, with its empty lines."""
    word = " ".join(_WORD.findall(text)).lstrip("0")
    if not (word.isascii() and word.isdigit() and len(word) < 10):
        alone = printable(text.strip())
        raise ParseError(f"{alone} stands alone: a row's values stand on one line, or after their count", number)
    count, row, last, values = int(word), StringIO(), number, 0
    row.write(text)
    while values < count:
        place, line = next(following, (number, ""))
        in_line = 0 if SEPARATOR in line else len(_WORD.findall(line))
        if in_line == 0:
            raise ParseError(f"the count is {count}, but {values} values follow", number)
        if in_line != 1 and (in_line != count or values):
            raise ParseError(f"the count is {count}, but line {place} has {in_line} values", number)
        row.write("\n" * (place - last) + line)
        if row.tell() > _MOST:
            raise ParseError(f"a row over several lines is larger than {_MOST >> 20} MiB", place)
        last, values = place, values + in_line
    return row.getvalue()
