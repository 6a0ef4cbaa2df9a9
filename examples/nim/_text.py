"""Texts of Nim: what stands where a position is taken."""

from gamecore.errors import OptionError, ParseError
from gamecore.text import printable, whole_number
from nim._position import Position


def parse(text: str) -> Position:
    """The position of a plain row of numbers, such as ``3 4 5``; A is to move.

    Raises:
        ParseError: not numbers from 0 to 999, or none.
    """
    if not isinstance(text, str) or not text.split():
        raise ParseError(f"a row of numbers is meant, not {printable(text)}")
    return Position([whole_number(word, "a pile", 0, 999) for word in text.split()])


def read(item: Position | str) -> Position:
    """A position, or that of its text: the notation, or a row of numbers.

    Raises:
        ParseError: a text that is neither. OptionError: something else.
    """
    if isinstance(item, Position):
        return item
    if not isinstance(item, str):
        raise OptionError(f"a nim.Position or its text is meant, not {printable(item)}")
    return Position.from_text(item) if ":" in item else parse(item)
