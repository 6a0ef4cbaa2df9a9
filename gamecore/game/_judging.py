"""A game's part of ``gamecore judge``: :class:`Judging`."""

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Final

from gamecore.errors import ParseError
from gamecore.text import whole_number

_LARGEST_CLAIM: Final = 10**18


def _none(*_: Any) -> None:
    return None


def _nothing(_: Any) -> tuple[Any, ...]:
    return ()


@dataclass(frozen=True)
class Judging:
    """Test cases of a game, and how to take a wrong answer apart.

    Attributes:
        families: by name, ``family(size, rng)`` returns a position of about that size; ``rng`` is a NumPy Generator.
        sizes: sizes of the default cases.
        most: the largest size.
        claim: ``claim(position, words)`` returns the value, for the side to move, that an output's words claim; None
            if they are no answer. :func:`claimed_number` reads a word.
        smaller: ``smaller(position)`` yields simpler positions: a wrong case is shrunk with them.
        versions: reference algorithms by name, slowest first: ``version(position)`` solves it.
        polynomial: whether good programs take polynomial time: growth is fitted as a power of the size.
        unit: what the size counts, such as ``card``.
    """

    families: Mapping[str, Callable[[int, Any], Any]]
    sizes: range = range(1, 9)
    most: int = 100
    claim: Callable[[Any, list[str]], float | None] = _none
    smaller: Callable[[Any], Iterable[Any]] = _nothing
    versions: Mapping[str, Callable[[Any], Any]] = field(default_factory=dict)
    polynomial: bool = False
    unit: str = "size"


def claimed_number(word: str, least: int = -_LARGEST_CLAIM) -> int | None:
    """Return the whole number that a word of a program's output claims, of at least ``least``; None if it is none."""
    with suppress(ParseError):
        return whole_number(word, "a claim", least, _LARGEST_CLAIM)
    return None
