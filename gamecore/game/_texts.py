"""From texts to positions, for every game."""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from gamecore.errors import OptionError, ParseError
from gamecore.text import printable

if TYPE_CHECKING:
    from gamecore.game._game import Game

Lines = Iterator[tuple[int, str]]  #: numbered lines of a file; the first has number 1


def as_position(game: "Game", item: Any) -> Any:
    """Return a position of a game, or parse its text.

    Raises:
        ParseError: a bad text. OptionError: neither a position nor a text.
    """
    if isinstance(item, str):
        return game.parse(item)
    if not isinstance(item, game.Position):
        raise OptionError(f"a {game.name} position or its text is needed, not {printable(item)}")
    return item


def split_lines(game: "Game", lines: Lines) -> Lines:
    """Split a file's lines into the texts of positions: pairs (number of the first line, text).

    A line is a text, unless the game's ``Position`` has a static method ``split_lines``.

    Raises:
        ParseError: it cannot tell where a text ends.
    """
    split = getattr(game.Position, "split_lines", None)
    if split is None:
        return ((number, text.strip()) for number, text in lines if text.strip())
    texts: Lines = split(lines)
    return texts


def parse_many(game: "Game", lines: Iterable[str], **options: Any) -> Iterator[Any]:
    """Yield the positions of a file's lines; ``options``: those of :meth:`Game.parse`.

    Raises:
        ParseError: a bad text; it names the line of the file.
    """
    for number, text in split_lines(game, enumerate(lines, start=1)):
        try:
            yield game.parse(text, **options)
        except ParseError as error:
            raise error.moved(number) from None
