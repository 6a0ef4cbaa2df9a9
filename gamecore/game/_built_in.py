"""What positions of the built-in games share: data, pictures, and the parsing of judges' texts."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Self, TypeVar

from gamecore.contract import Drawn, Immutable, from_fields, plain
from gamecore.errors import OptionError
from gamecore.game._registry import game
from gamecore.text import BLANKS, printable, whole_number

if TYPE_CHECKING:
    from collections.abc import Iterable

    from gamecore.draw import Picture

P = TypeVar("P", bound="BuiltIn")


class BuiltIn(Drawn, Immutable):
    """A position of a built-in game.

    Attributes:
        _GAME: the game's name.
        _KINDS: the constructor's arguments, in order, with the types of their values in a dict.
    """

    __slots__ = ()

    _GAME: ClassVar[str]
    _KINDS: ClassVar[Mapping[str, type | tuple[type, ...]]]

    to_text: Callable[[], str]

    def __repr__(self) -> str:
        return f"{self._GAME}.{type(self).__name__}.from_text({self.to_text()!r})"

    def __str__(self) -> str:
        """Return the picture as text."""
        return str(self.picture())

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), tuple(getattr(self, name) for name in self._KINDS)

    def to_dict(self) -> dict[str, Any]:
        """Return the constructor's arguments as plain values."""
        return {name: plain(getattr(self, name)) for name in self._KINDS}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Read a dict of ``to_dict``.

        Raises:
            ParseError: a missing or unknown field, a wrong type, or an impossible position; it names the field.
        """
        return from_fields(cls, data, cls._KINDS, f"a {cls._GAME} position")

    def picture(self, moves: "Iterable[Any]" = (), line: "Iterable[str]" = ()) -> "Picture":
        """Return a picture of the position, with values of moves (of the game's ``analyse``) and a line of play.

        Raises:
            OptionError: ``moves`` of another position, or one too large to draw. IllegalMoveError: a line that breaks
                the rules.
        """
        picture: Picture = game(self._GAME).picture(self, moves, line)
        return picture


def reader(kind: type[P], parse: Callable[[str], P]) -> Callable[[Any], P]:
    """Return a function that returns a position itself, or parses its text: a notation, or by ``parse`` several lines.

    The function raises ParseError for a malformed text, and OptionError for anything else.
    """

    def read(item: Any) -> P:
        if isinstance(item, kind):
            return item
        if not isinstance(item, str):
            raise OptionError(f"a {kind._GAME}.{kind.__name__} or a text of one is meant, not {printable(item)}")
        position: P = parse(item) if "\n" in item.strip() else kind.from_text(item)  # type: ignore[attr-defined]
        return position

    return read


def count_in(line: str, number: int, name: str, low: int, high: int) -> int:
    """Return the whole number in line ``number`` of a judge's text, as :func:`gamecore.text.whole_number` does."""
    return whole_number(line.strip(BLANKS), name, low, high, number)
