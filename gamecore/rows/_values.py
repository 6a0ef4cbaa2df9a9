"""The values of rows, from arrays and from texts: exact conversion, and the element types of the kernels."""

import operator
import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from io import StringIO
from itertools import chain
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from gamecore.errors import GamecoreError, ParseError
from gamecore.game import Lines
from gamecore.text import SEPARATOR, counted, is_integer, printable

Array: TypeAlias = npt.NDArray[Any]
INT64_MAX: Final = (1 << 63) - 1
_SCALE: Final = "scale them to whole numbers"
# Signed types that hold a dtype's values; the kernels know int16, int32 and int64, and trust what they get.
_SIGNED: Final = {"i1": "i2", "u1": "i2", "i2": "i2", "u2": "i4", "i4": "i4", "u4": "i8", "i8": "i8", "u8": "i8"}
_SHAPES: Final = {1: "one row of integers", 2: "a 2-D array of integers, one row a game"}

_BLANKS: Final = " \t\r\n\f\v"  # str.split and str.strip take U+001C to U+001F for blanks, too
_GAP: Final = re.compile(f",[{_BLANKS}]*,")
_WORD: Final = re.compile(f"[^{_BLANKS},]+")
# Python's int reads other scripts' digits, and 1_000; people's files have none.
_INTEGER: Final = re.compile(r"[+-]?[0-9]+")
_FLOAT: Final = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)(e[+-]?[0-9]+)?", re.IGNORECASE)
_MOST: Final = 1 << 24  # characters of a row over several lines


def integers(values: object, name: str = "values", dimensions: int = 1) -> Array:
    """Convert ``values`` exactly to a contiguous array of int16, int32 or int64, and share it if it is one.

    Raises:
        GamecoreError: not integers, masked values, integers beyond int64, the wrong number of ``dimensions``, empty.
    """
    shape, items, array = _SHAPES[dimensions], values, np.empty(0)
    if isinstance(values, bytearray):  # text, as bytes are; NumPy takes it for an array
        raise GamecoreError(f"{name}: {printable(values)} is not {shape}")
    if not isinstance(items, (list, tuple)):
        try:
            array = np.asanyarray(values)
        except (ValueError, TypeError, OverflowError):
            raise GamecoreError(f"{name}: not {shape}") from None
        if type(array) is not np.ndarray:
            if np.ma.is_masked(array):
                place = np.argwhere(np.ma.getmaskarray(array))[0].tolist()
                raise GamecoreError(f"{name}[{', '.join(map(str, place))}] is masked")
            array = np.asarray(array)
        items = array.tolist() if array.dtype == object and array.ndim == 1 else None
    if items is not None:
        array = _of_items(tuple(items), name, shape)  # a copy that other threads cannot change
    if array.dtype.kind not in "iuf":
        raise GamecoreError(f"{name}: {printable(values)} is not {shape}")
    if array.ndim != dimensions:
        raise GamecoreError(f"{name}: {shape} is meant, not {array.ndim} dimensions")
    if array.size == 0:
        raise GamecoreError(f"{name}: the row is empty" if dimensions == 1 else f"{name}: there is no value")
    if array.dtype.kind == "f":
        raise GamecoreError(f"{name} are {array.dtype}, not integers: {_SCALE}")
    kind = array.dtype.str[1:]
    if kind == "u8" and int(array.max()) > INT64_MAX:
        raise GamecoreError(f"{name}: {array.max()} does not fit int64")
    if not array.flags.aligned:  # such as a view into a file's bytes
        array = array.copy()
    return np.ascontiguousarray(array, _SIGNED[kind])


def _of_items(values: tuple[object, ...], name: str, shape: str) -> Array:
    """Convert integers, Python's or NumPy's scalars."""
    whole: Sequence[Any] = values
    if set(map(type, values)) != {int}:
        whole = [_item(value, place, name, shape) for place, value in enumerate(values)]
    try:
        return np.array(whole, np.int64)
    except OverflowError:
        place, value = next((at, item) for at, item in enumerate(whole) if not ~INT64_MAX <= item <= INT64_MAX)
        raise GamecoreError(f"{name}[{place}] is {printable(value)}: it does not fit int64") from None


def _item(value: object, place: int, name: str, shape: str) -> int:
    is_masked = bool(np.ma.is_masked(value))
    if is_integer(value) and not is_masked:
        with suppress(Exception):  # of a foreign __index__
            return operator.index(value)
    what = f"is {printable(value)}, not an integer"
    if is_masked:
        what = "is masked"
    elif isinstance(value, (list, tuple, np.ndarray)):
        what = f"is {printable(value)}: {shape} is meant"
    elif isinstance(value, (float, np.floating)):
        what += f": {_SCALE}"
    raise GamecoreError(f"{name}[{place}] {what}")


def check_bound(bound: int) -> None:
    """Raise GamecoreError if a sum of absolute values, which bounds every total, exceeds int64."""
    if bound > INT64_MAX:
        raise GamecoreError(f"values: totals may reach {bound}, which overflows int64 ({INT64_MAX})")


def narrowest(bound: int) -> type[np.int16 | np.int32 | np.int64]:
    """Return the narrowest type that holds totals up to ``bound``."""
    return np.int16 if bound < 1 << 15 else np.int32 if bound < 1 << 31 else np.int64


def widest(row: Array) -> Array:
    """Convert to int64."""
    return np.ascontiguousarray(row, np.int64)


def integer(word: str, name: str, fail: Callable[[str], ParseError]) -> int:
    """Return the integer that a word is; raise ``fail`` of a message, which begins with ``name``, if it is none."""
    if _INTEGER.fullmatch(word):
        if len(word) < 4000:  # Python reads 4300 digits
            return int(word)
        raise fail(f"{name} is {printable(word)}: it does not fit int64")
    reason = f", a float: {_SCALE}" if _FLOAT.fullmatch(word) else ""
    raise fail(f"{name} must be an integer, not {printable(word)}{reason}")


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
    only, *lines = row.split("\n")
    values: list[int] = []
    for place, line in enumerate(lines or [only], number + 1):
        at = place if lines else None
        if gap := _GAP.search(line):
            raise ParseError(f"value {len(_WORD.findall(line[: gap.start()])) + 1} is missing between two commas", at)
        fail = partial(ParseError, line=at)
        values += [integer(word, f"value {k}", fail) for k, word in enumerate(_WORD.findall(line), 1)]
    return values


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
            raise ParseError(f"the count is {count}, but what follows is {counted(values, 'value')}", number)
        if in_line != 1 and (in_line != count or values):
            raise ParseError(f"the count is {count}, but line {place} has {counted(in_line, 'value')}", number)
        row.write("\n" * (place - last) + line)
        if row.tell() > _MOST:
            raise ParseError(f"a row over several lines is larger than {_MOST >> 20} MiB", place)
        last, values = place, values + in_line
    return row.getvalue()
