"""What judging needs of a game: :class:`Judging`."""

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Generic

from gamecore.contract import P, Playable
from gamecore.errors import OptionError, ParseError
from gamecore.game import Game, checked, games, names, options_of
from gamecore.game import game as game_of
from gamecore.text import is_word, printable, whole_number

if TYPE_CHECKING:
    import numpy as np

_LARGEST_CLAIM: Final = 1 << 63
_LARGEST_SIZE: Final = 4000


@dataclass(frozen=True)
class Judging(Generic[P]):
    """Test cases of a game, and how to take a wrong answer apart.

    A game's ``part("judge")`` is a function that returns it, or a dict of its fields; its keyword parameters are
    options (see :func:`gamecore.game.options_of`). A program reads ``position.to_judge()``, and is expected to write
    what ``gamecore GAME --plain`` prints.

    Attributes:
        families: by name, ``family(size, rng)`` returns a position of about that size; ``rng`` is a NumPy Generator.
        sizes: sizes of the default cases.
        own_sizes: by family, its default sizes if they differ.
        largest: the largest size that may be asked for.
        most: the largest size of growth, unless sizes are asked for.
        size: ``size(position)`` returns the size of a position; None: only what was asked of the family is known.
        claim: ``claim(position, words)`` returns the value, for the side to move, that an output's words claim; None
            if they are no answer. :func:`claimed_number` reads a word.
        smaller: ``smaller(position)`` yields simpler positions: a wrong case is shrunk with them.
        versions: reference algorithms by name, slowest first.
        arguments: ``arguments(position)`` returns what they are called with.
        polynomial: whether good programs take polynomial time: growth is fitted as a power of the size.
        unit: what the size counts, such as ``card``.
    """

    families: "Mapping[str, Callable[[int, np.random.Generator], P]]"
    sizes: range = range(1, 9)
    own_sizes: Mapping[str, range] = field(default_factory=dict)
    largest: int = _LARGEST_SIZE
    most: int = 100
    size: Callable[[P], int] | None = None
    claim: Callable[[P, list[str]], float | None] = lambda position, words: None
    smaller: Callable[[P], Iterable[P]] = lambda position: ()
    versions: Mapping[str, Callable[..., object]] = field(default_factory=dict)
    arguments: Callable[[P], tuple[object, ...]] = lambda position: (position,)
    polynomial: bool = False
    unit: str = "size"


def judged_game(game: str | Game) -> Game:
    """Return a game, or the game of a name; OptionError for an unknown name lists the games that can be judged."""
    if isinstance(game, Game):
        return game
    if not is_word(game, names()):
        judged = [name for name, known in games().items() if known.part("judge") is not None]
        raise OptionError(f"game must be one of {', '.join(judged)}, not {printable(game)}", "game")
    return game_of(game)


def judging_of(game: Game, **options: object) -> Judging[Playable]:
    """Return what judging needs of a game; ``options``: of rows, ``opponent``.

    Raises:
        OptionError: the game cannot be judged, or has no such option.
    """
    make: Callable[..., Judging[Playable] | Mapping[str, Any]] | None = game.part("judge")
    if make is None:
        raise OptionError(f"{game.name} has no judge's format")
    judging = make(**checked(options, options_of(make)))
    return judging if isinstance(judging, Judging) else Judging(**judging)


def check_sizes(judging: Judging[P], sizes: object) -> None:
    """Raise OptionError unless ``sizes`` is None or a range of sizes that the game has."""
    if sizes is not None and (not isinstance(sizes, range) or not sizes or min(sizes[0], sizes[-1]) < 1):
        raise OptionError(f"sizes must be a range of numbers of at least 1, not {printable(sizes)}", "sizes")
    if isinstance(sizes, range) and (most := max(sizes[0], sizes[-1])) > judging.largest:
        raise OptionError(f"sizes must be from 1 to {judging.largest}, not {most}", "sizes")


def claimed_number(word: str, least: int = -_LARGEST_CLAIM) -> int | None:
    """Return the whole number that a word of a program's output claims, of at least ``least``; None if it is none."""
    with suppress(ParseError):
        return whole_number(word, "a claim", least, _LARGEST_CLAIM)
    return None
