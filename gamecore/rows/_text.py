"""Parse rows of integers."""

import functools
import re
from collections.abc import Callable, Iterable
from io import StringIO
from itertools import chain
from typing import Final

from gamecore.errors import ParseError
from gamecore.game import Lines
from gamecore.rows._numbers import SCALE
from gamecore.text import SEPARATOR, printable

_BLANKS: Final = " \t\r\n\f\v"  # str.split and str.strip take U+001C to U+001F for blanks, too
_GAP: Final = re.compile(f",[{_BLANKS}]*,")
_WORD: Final = re.compile(f"[^{_BLANKS},]+")
# Python's int reads other scripts' digits, and 1_000; people's files have none.
_INTEGER: Final = re.compile(r"[+-]?[0-9]+")
_FLOAT: Final = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)(e[+-]?[0-9]+)?", re.IGNORECASE)
_MOST: Final = 1 << 24  # characters of a row over several lines


def integer(word: str, name: str, fail: Callable[[str], ParseError]) -> int:
    """Return the integer that a word is; raise ``fail`` of a message, which begins with ``name``, if it is none."""
    if _INTEGER.fullmatch(word):
        if len(word) < 4000:  # Python reads 4300 digits
            return int(word)
        raise fail(f"{name} is {printable(word)}: it does not fit int64")
    reason = f", a float: {SCALE}" if _FLOAT.fullmatch(word) else ""
    raise fail(f"{name} must be an integer, not {printable(word)}{reason}")


def read_row(lines: Iterable[str], numbered: bool = True) -> list[int]:
    """Read one row from lines of integers separated by blanks or commas.

    Raises:
        ParseError: a word that is not an integer. It names the line if ``numbered``.
    """
    values = []
    for place, line in enumerate(lines, 1):
        at = place if numbered else None
        if gap := _GAP.search(line):
            raise ParseError(f"value {len(_WORD.findall(line[: gap.start()])) + 1} is missing between two commas", at)
        for k, word in enumerate(_WORD.findall(line), 1):
            values.append(integer(word, f"value {k}", functools.partial(ParseError, line=at)))
    return values


def parse_row(text: str) -> list[int]:
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
