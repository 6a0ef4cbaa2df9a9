"""Text that every game reads and writes: bad input in messages, and the fields of one-line notations.

Every game writes a position as one line, ``position.to_text()``. It has a fixed number of fields, separated by colons,
of printable ASCII without blanks or quotes, and begins with a letter or a digit, so that it can stand on a command line
and in the fragment of a URL without being escaped. ``docs/notation.md`` has the grammar of each game.
"""

import os
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from gamecore.errors import GamecoreError, ParseError

if TYPE_CHECKING:
    from traceback import FrameSummary

_PACKAGE: Final = os.path.join(os.path.dirname(__file__), "")

_NOT_IN_NOTATIONS: Final = re.compile("[^!-~]")
_KEPT: Final = re.compile(r"(\n|\x1b\[[0-9;]*m)")

SEPARATOR = ":"  #: between the fields of a notation
NONE = "-"  #: a field, or a part of one, that holds nothing


def printable(value: object, limit: int = 24) -> str:
    """``repr`` of bad input for an error message: no control character passes, and a long one is cut to ``limit``.

    It always answers, also for values whose own ``repr`` raises: integers of thousands of digits, hostile objects.
    """
    if isinstance(value, (str, bytes)):
        value = value[:limit]  # a few megabytes need not be written out to be cut
    try:
        shown = ascii(value)
    except Exception:
        if isinstance(value, int):  # Python refuses to write integers of thousands of digits
            shown = f"an integer of {value.bit_length()} bits"
        else:
            shown = f"<{without_controls(type(value).__name__)}>"
    return shown if len(shown) <= limit else shown[: limit - 3] + "..."


def without_controls(text: str) -> str:
    """``text`` with every character that is not printable escaped, so that it cannot steer a terminal."""
    return "".join(char if char.isprintable() else ascii(char)[1:-1] for char in text)


def for_terminal(text: str) -> str:
    """Return text with control characters escaped, except line feeds and sequences that only set colours."""
    parts = _KEPT.split(text)
    return "".join(part if place % 2 else without_controls(part) for place, part in enumerate(parts))


def describe(error: BaseException) -> str:
    """Format an exception on one line: its class (unless it is gamecore's) and its text without control characters."""
    text = without_controls(" ".join(str(error).split()))
    if isinstance(error, GamecoreError):
        return text  # names the field and the value
    return without_controls(type(error).__name__) + (f": {text[:200]}" if text else "")


def in_words(error: BaseException) -> str:
    """``TypeError: 'int' object is not subscriptable (mine.py, line 7, in result)``; without a place as `describe`."""
    place = None if isinstance(error, GamecoreError) else outside(error)
    where = "" if place is None else f" ({os.path.basename(place.filename)}, line {place.lineno}, in {place.name})"
    return describe(error) + where


def outside(error: BaseException) -> "FrameSummary | None":
    """Return where code that the package called, such as a user's rules, raised an error; None if the package did."""
    from traceback import extract_tb

    found: list[FrameSummary] = []
    for frame in extract_tb(error.__traceback__):
        if frame.filename.startswith("<"):  # of the import system
            continue
        found = [] if frame.filename.startswith(_PACKAGE) else [*found, frame]
    return next((frame for frame in reversed(found) if frame.filename == found[0].filename), None)


class Field(NamedTuple):
    """A field of a notation.

    Attributes:
        text: what stands in it.
        column: number of its first character in the notation, from 1.
    """

    text: str
    column: int

    def fail(self, message: str, at: int = 0) -> ParseError:
        """The error that names a place in this field.

        Args:
            message: what is wrong.
            at: index, from 0, of the character in the field.
        """
        return ParseError(message, 1, self.column + at)

    def choice(self, name: str, known: Sequence[str]) -> str:
        """The field's text, which must be one of ``known``.

        Raises:
            ParseError: it is not.
        """
        if self.text not in known:
            raise self.fail(f"{name} must be one of {', '.join(known)}, not {printable(self.text)}")
        return self.text

    def whole(self, name: str, low: int, high: int) -> int:
        """Return the field's whole number; see :func:`whole_number`.

        Raises:
            ParseError: not one in this range; it names the place.
        """
        try:
            return whole_number(self.text, name, low, high)
        except ParseError as error:
            raise self.fail(str(error)) from None

    def parts(self, separator: str) -> list["Field"]:
        """The field split at every ``separator``."""
        found, column = [], self.column
        for part in self.text.split(separator):
            found.append(Field(part, column))
            column += len(part) + len(separator)
        return found


def fields(text: object, names: Sequence[str]) -> list[Field]:
    """The fields of a one-line notation.

    Args:
        text: the notation; blanks around it do not matter.
        names: of the fields, in order, for messages.

    Raises:
        ParseError: not a str, empty, of more than one line, with a character that is not printable ASCII, or of
            another number of fields.
    """
    if not isinstance(text, str):
        raise ParseError(f"a position's text must be a str, not {without_controls(type(text).__name__)}")
    line = text.strip(" \t\r\n")
    shape = SEPARATOR.join(names)
    if not line:
        raise ParseError(f"the text is empty; a position is written {shape}")
    start = text.index(line) + 1
    if bad := _NOT_IN_NOTATIONS.search(line):
        raise ParseError(f"{printable(bad[0])} does not belong into a position's text", 1, start + bad.start())
    found = Field(line, start).parts(SEPARATOR)
    if len(found) != len(names):
        raise ParseError(f"{len(found)} fields where a position has {len(names)}: {shape}", 1, start)
    return found


def whole_number(word: str, name: str, low: int, high: int) -> int:
    """A number of decimal digits, with an optional minus where ``low`` is below 0: the one reading of a number.

    Raises:
        ParseError: anything else, or a number outside ``low`` to ``high``. It names no place: give it one with
            :meth:`Field.fail` or ``ParseError(..., line, column)``.
    """
    digits = word.removeprefix("-") if low < 0 else word
    longest = len(str(max(abs(low), abs(high))))
    if digits.isascii() and digits.isdigit() and len(digits.lstrip("0")) <= longest:
        number = int(digits.lstrip("0") or "0") * (-1 if digits is not word and word.startswith("-") else 1)
        if low <= number <= high:
            return number
    raise ParseError(f"{name} must be a whole number from {low} to {high}, not {printable(word)}")
