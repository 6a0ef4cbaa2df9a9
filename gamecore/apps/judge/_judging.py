"""What judging needs of a game: :class:`Judging`."""

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any, Final

from gamecore.errors import OptionError, ParseError
from gamecore.game import Game
from gamecore.text import whole_number

_BUILT_IN: Final = {name: f"gamecore.apps.judge.{name}:JUDGING" for name in ("duel", "hexapawn", "rows")}
_LARGEST_CLAIM: Final = 10**18


@dataclass(frozen=True)
class Judging:
    """Test cases of a game, and how to take a wrong answer apart.

    A game of your own hands it over as its attribute ``judging``, or a dict of its fields.

    Attributes:
        families: by name, ``family(size, rng)`` returns a position of about that size; ``rng`` is a NumPy Generator.
        input: ``input(position)`` returns what a program reads; None if the format cannot write the position.
        answer: ``answer(position, solution)`` returns the expected output.
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
    input: Callable[[Any], str | None]
    answer: Callable[[Any, Any], str]
    sizes: range = range(1, 9)
    most: int = 100
    claim: Callable[[Any, list[str]], float | None] = lambda position, words: None
    smaller: Callable[[Any], Iterable[Any]] = lambda position: ()
    versions: Mapping[str, Callable[[Any], Any]] = field(default_factory=dict)
    polynomial: bool = False
    unit: str = "size"


def judging_of(game: Game) -> Judging:
    """Return what judging needs of a game.

    Raises:
        OptionError: the game cannot be judged.
    """
    if game.name in _BUILT_IN:
        module, _, attribute = _BUILT_IN[game.name].partition(":")
        judging: Any = getattr(import_module(module), attribute)
    else:
        judging = getattr(game, "judging", None)
    if judging is None:
        raise OptionError(f"{game.name} has no judge's format")
    return judging if isinstance(judging, Judging) else Judging(**judging)


def claimed_number(word: str, least: int = -_LARGEST_CLAIM) -> int | None:
    """Return the whole number that a word of a program's output claims, of at least ``least``; None if it is none."""
    with suppress(ParseError):
        return whole_number(word, "a claim", least, _LARGEST_CLAIM)
    return None
