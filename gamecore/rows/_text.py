"""Parse rows of numbers."""

import math
from collections.abc import Iterable
from contextlib import suppress

from gamecore.errors import ParseError
from gamecore.rows._input import EXACT_FLOAT, Number
from gamecore.text import printable


def read_row(lines: Iterable[str], numbered: bool = True) -> list[int] | list[float]:
    """Read one row from lines of numbers separated by blanks: integers, or floats if one number is a float.

    Raises:
        ParseError: a word that is not a finite number, or an integer among floats that float64 would round. It names
            the line if ``numbered``.
    """
    found: list[Number] = []
    places: list[tuple[int, int | None]] = []  # of each value: its number in the line, the line
    for number, line in enumerate(lines, 1):
        for k, word in enumerate(line.split(), 1):
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
