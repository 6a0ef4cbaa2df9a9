"""Bad input in messages, whole numbers, and the fields of one-line notations (grammar: ``docs/notation.md``).

A notation needs no escaping on a command line and in the fragment of a URL.
"""

import operator
import os
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final, NamedTuple, SupportsIndex, TypeGuard

from gamecore.errors import GamecoreError, OptionError, ParseError

if TYPE_CHECKING:
    from traceback import FrameSummary

_PACKAGE: Final = os.path.join(os.path.dirname(__file__), "")

_NOT_IN_NOTATIONS: Final = re.compile("[^!-~]")

BLANKS: Final = " \t\r\n"  #: around texts; ``str.split`` and ``str.strip`` take U+001C to U+001F for blanks, too
SEPARATOR = ":"  #: between the fields of a notation
NONE = "-"  #: a field, or a part of one, that holds nothing


def printable(value: object, limit: int = 24) -> str:
    """Return the ``repr`` of bad input without control characters, cut to ``limit`` characters. Never raises."""
    if isinstance(value, (str, bytes)):
        value = value[:limit]  # a few megabytes need not be written out to be cut
    try:
        text = without_controls(ascii(value))  # a repr of NumPy may have several lines
    except Exception:
        if isinstance(value, int):  # Python refuses to write integers of thousands of digits
            text = f"an integer of {value.bit_length()} bits"
        else:
            text = f"<{without_controls(type(value).__name__)}>"
    return text if len(text) <= limit else text[: limit - 3] + "..."


def without_controls(text: str) -> str:
    """Return ``text`` with all characters escaped that are not printable: it cannot steer a terminal."""
    return text if text.isprintable() else "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


def difference(then: str, now: str) -> str:
    """Return the names of the parts in which two texts ``name:value,name:value`` differ, such as ``text, play``."""
    before, after = (dict(part.partition(":")[::2] for part in text.split(",")) for text in (then, now))
    return ", ".join(name for name, value in after.items() if before.get(name) != value)


def describe(error: BaseException) -> str:
    """Format an exception on one line: its class (unless it is gamecore's) and its text without control characters."""
    text = without_controls(" ".join(str(error).split()))
    if isinstance(error, GamecoreError):
        return text  # names the field and the value
    return without_controls(type(error).__name__) + (f": {text[:200]}" if text else "")


def explain(error: BaseException) -> str:
    """Describe an error with its place: ``TypeError: 'int' object is ... (mine.py, line 7, in result)``."""
    place = None if isinstance(error, GamecoreError) else outside(error)
    where = "" if place is None else f" ({os.path.basename(place.filename)}, line {place.lineno}, in {place.name})"
    return describe(error) + without_controls(where)


def outside(error: BaseException) -> "FrameSummary | None":
    """Return where code that the package called, such as a user's rules, raised an error; None if the package did."""
    from traceback import extract_tb

    frames: list[FrameSummary] = []
    for frame in extract_tb(error.__traceback__):
        if frame.filename.startswith("<"):  # of the import system
            continue
        frames = [] if frame.filename.startswith(_PACKAGE) else [*frames, frame]
    return next((frame for frame in reversed(frames) if frame.filename == frames[0].filename), None)


def counted(number: object, noun: str) -> str:
    """Return a number with its noun: ``1 case``, ``2 plies``."""
    many = f"{noun[:-1]}ies" if noun.endswith("y") else f"{noun}s"
    return f"{number} {noun if number == 1 else many}"


class Field(NamedTuple):
    """A field of a notation.

    Attributes:
        text: what stands in it.
        column: number of its first character in the notation, from 1.
    """

    text: str
    column: int

    def fail(self, message: str, index: int = 0) -> ParseError:
        """Return the error that names the place of this field's character ``index``, from 0."""
        return ParseError(message, 1, self.column + index)

    def choice(self, name: str, allowed: Sequence[str]) -> str:
        """Return the field's text; ParseError if it is not one of ``allowed``."""
        if self.text not in allowed:
            raise self.fail(f"{name} must be one of {', '.join(allowed)}, not {printable(self.text)}")
        return self.text

    def whole(self, name: str, low: int, high: int) -> int:
        """Return the field's whole number, as :func:`whole_number` does; its error names the place."""
        return whole_number(self.text, name, low, high, 1, self.column)

    def parts(self, separator: str) -> list["Field"]:
        """Split the field at every ``separator``."""
        parts, column = [], self.column
        for part in self.text.split(separator):
            parts.append(Field(part, column))
            column += len(part) + len(separator)
        return parts


def fields(text: object, names: Sequence[str]) -> list[Field]:
    """Return the fields of a one-line notation.

    Args:
        text: the notation; blanks around it do not matter.
        names: of the fields, in order, for messages.

    Raises:
        ParseError: not a str, empty, not printable ASCII, or another number of fields.
    """
    if not isinstance(text, str):
        raise ParseError(f"a position's text must be a str, not {without_controls(type(text).__name__)}")
    line = text.strip(BLANKS)
    shape = SEPARATOR.join(names)
    if not line:
        raise ParseError(f"the text is empty; a position is written {shape}")
    start = text.index(line) + 1
    if bad := _NOT_IN_NOTATIONS.search(line):
        raise ParseError(f"{printable(bad[0])} does not belong into a position's text", 1, start + bad.start())
    parts = Field(line, start).parts(SEPARATOR)
    if len(parts) != len(names):
        raise ParseError(f"{counted(len(parts), 'field')} where a position has {len(names)}: {shape}", 1, start)
    return parts


def numbered(text: str | Iterable[str]) -> Iterator[tuple[int, str]]:
    """Yield the lines of a whole text, or of an open file or another iterable of lines, with their numbers from 1.

    Raises:
        ParseError: neither, or a line that is no str.
    """
    if not isinstance(text, Iterable) or isinstance(text, (bytes, bytearray)):
        raise ParseError(f"text must be a str or an iterable of lines, not {without_controls(type(text).__name__)}")
    for number, line in enumerate(text.split("\n") if isinstance(text, str) else text, start=1):
        if not isinstance(line, str):
            raise ParseError(f"a line must be a str, not {without_controls(type(line).__name__)}", number)
        yield number, line


def whole_number(word: str, name: str, low: int, high: int, line: int | None = None, column: int | None = None) -> int:
    """Read a number of decimal digits, with an optional minus if ``low`` is below 0.

    Raises:
        ParseError: anything else, or a number outside ``low`` to ``high``; it names ``line`` and ``column``.
    """
    digits = word.removeprefix("-") if low < 0 else word
    longest = len(str(max(abs(low), abs(high))))
    if digits.isascii() and digits.isdigit() and len(digits.lstrip("0")) <= longest:
        number = int(digits.lstrip("0") or "0") * (-1 if digits is not word and word.startswith("-") else 1)
        if low <= number <= high:
            return number
    raise ParseError(f"{name} must be a whole number from {low} to {high}, not {printable(word)}", line, column)


def is_integer(value: object) -> TypeGuard[SupportsIndex]:
    """Return True for an int and for what counts as one, such as ``np.int64(3)``; False for a bool."""
    return hasattr(value, "__index__") and getattr(value, "ndim", 0) == 0 and not isinstance(value, bool)


def is_word(value: object, words: Collection[str]) -> bool:
    """Return True if a value is one of some words. Arrays and lists, which have no truth or no hash, are none."""
    return isinstance(value, str) and value in words


def checked_word(value: Any, name: str, words: Collection[Any]) -> Any:
    """Return an argument that is one of some words.

    Raises:
        OptionError: anything else; it names the argument.
    """
    if is_word(value, words):
        return value
    raise OptionError(f"{name} must be one of {', '.join(words)}, not {printable(value)}", name)


def checked_flag(value: Any, name: str) -> bool:
    """Return an argument that is True or False, also one of NumPy's.

    Raises:
        OptionError: anything else; it names the argument.
    """
    if isinstance(value, bool) or (str(getattr(value, "dtype", "")) == "bool" and not value.ndim):
        return bool(value)
    raise OptionError(f"{name} must be True or False, not {printable(value)}", name)


def checked_integer(value: Any, name: str, low: int | None = None, high: int | None = None) -> int:
    """Return an argument as an int: see :func:`is_integer`. ``low``, ``high``: its inclusive range; None: no limit.

    Raises:
        OptionError: anything else, or out of range; it names the argument.
    """
    number: int | None = value if type(value) is int else None
    if number is None and is_integer(value):
        with suppress(Exception):  # of a foreign __index__
            number = operator.index(value)
    if number is not None and (low is None or low <= number) and (high is None or number <= high):
        return number
    limits = "" if low is None else f" of at least {low}" if high is None else f" from {low} to {high}"
    raise OptionError(f"{name} must be a whole number{limits}, not {printable(value)}", name)
