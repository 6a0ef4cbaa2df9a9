"""Parse rows of numbers."""

import math
import re
from collections.abc import Iterable
from contextlib import suppress
from io import StringIO
from typing import Final

from gamecore.errors import ParseError
from gamecore.game import Lines
from gamecore.rows._input import EXACT_FLOAT, Number
from gamecore.text import SEPARATOR, printable

_GAP: Final = re.compile(r",\s*,")
_MOST: Final = 1 << 24  # characters of a row over several lines


def read_row(lines: Iterable[str], numbered: bool = True) -> list[int] | list[float]:
    """Read one row from lines of numbers separated by blanks or commas: integers, or floats if one number is a float.

    Raises:
        ParseError: a word that is not a finite number, or an integer among floats that float64 would round. It names
            the line if ``numbered``.
    """
    found: list[Number] = []
    places: list[tuple[int, int | None]] = []  # of each value: its number in the line, the line
    for number, line in enumerate(lines, 1):
        if gap := _GAP.search(line):
            k = len(_words(line[: gap.start()])) + 1
            raise ParseError(f"value {k} is missing between two commas", number if numbered else None)
        for k, word in enumerate(_words(line), 1):
            place = k, number if numbered else None
            found.append(_number(word, *place))
            places.append(place)
    if not any(isinstance(value, float) for value in found):
        return found
    for value, (k, at) in zip(found, places, strict=True):
        if isinstance(value, int) and abs(value) > EXACT_FLOAT:
            other = next(one for one in found if isinstance(one, float))
            message = f"value {k}: the integer {printable(value)} would be rounded beside the float {other!r}"
            raise ParseError(message, at)
    return [float(value) for value in found]


def _words(line: str) -> list[str]:
    return line.replace(",", " ").split()


def _count(line: str) -> int | None:
    """Return the number of a line that may say how many values follow."""
    word = " ".join(_words(line))
    digits = word.lstrip("0")
    return int(digits or 0) if word.isascii() and word.isdigit() and len(digits) < 10 else None


def without_count(lines: list[str]) -> list[str]:
    """Return a row's lines, the first one empty if it is the count of the values in the others."""
    counted = len(lines) > 1 and _count(lines[0]) == sum(len(_words(line)) for line in lines[1:])
    return ["", *lines[1:]] if counted else lines


def split_rows(lines: Lines) -> Lines:
    """Split a file's lines into rows: pairs (number of the first line, text).

    A line of several values is a row, together with the line before it if that is its count. Consecutive lines of one
    value each are one row. A notation is a line by itself.

    Raises:
        ParseError: a row of more than 16 MiB over several lines.
    """
    column, first, last = StringIO(), 0, None  # the column's lines but the last; number of the first; the last line
    for number, text in lines:
        words = _words(text)
        if len(words) == 1 and SEPARATOR not in text:
            if last is None:
                first = number
            else:
                column.write(last[1] + "\n" * (number - last[0]))
            if column.tell() > _MOST:
                raise ParseError(f"a row over several lines is larger than {_MOST >> 20} MiB", number)
            last = number, text
        elif words:
            row = number, text.strip()
            if last is not None and _count(last[1]) == len(words):
                row = last[0], last[1] + "\n" * (number - last[0]) + row[1]
                last = None
            whole = column.getvalue() + (last[1] if last else "")
            if whole:
                yield first, whole
            yield row
            column, last = StringIO(), None
    if last is not None:
        yield first, column.getvalue() + last[1]


def _number(word: str, k: int, line: int | None) -> Number:
    number = math.nan
    if word.isascii() and "_" not in word:  # Python reads other scripts' digits, and 1_000; people's files have none
        with suppress(ValueError):
            return int(word)
        with suppress(ValueError):
            number = float(word)
    if not math.isfinite(number):
        raise ParseError(f"value {k}: {printable(word)} is not a finite number", line)
    return number
