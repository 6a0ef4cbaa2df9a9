"""What positions of the built-in games share: data, pictures, and the parsing of judges' texts."""

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar, Self, TypeVar

from gamecore.contract import Drawn, Result, from_fields
from gamecore.errors import OptionError
from gamecore.text import SEPARATOR, printable

if TYPE_CHECKING:
    from collections.abc import Iterable

    from gamecore.draw import Picture

P = TypeVar("P", bound="BuiltIn")


class BuiltIn(Result, Drawn):
    """A position of a built-in game: attributes in ``__slots__``, written once by :meth:`_set`.

    Attributes:
        _GAME: the game's name.
        _KINDS: the constructor's arguments, in order, with the types of their values in a dict.
    """

    __slots__ = ()

    _GAME: ClassVar[str]
    _KINDS: ClassVar[Mapping[str, type | tuple[type, ...]]]
    to_text: Callable[[], str]

    def _set(self, **attributes: Any) -> None:
        """Write attributes; only for constructors."""
        put = object.__setattr__
        for name, value in attributes.items():
            put(self, name, value)

    def _key(self) -> tuple[Any, ...]:
        """Return the key for equality and hash."""
        raise NotImplementedError

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a {type(self).__name__} is immutable; play() returns a new one ({name} was not changed)")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"a {type(self).__name__} is immutable ({name} was not deleted)")

    def __eq__(self, other: object) -> bool:
        return self._key() == other._key() if isinstance(other, type(self)) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._key())

    def __repr__(self) -> str:
        return f"{self._GAME}.{type(self).__name__}.from_text({self.to_text()!r})"

    def __str__(self) -> str:
        """Return the picture as text."""
        return str(self.picture())

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), tuple(getattr(self, name) for name in self._KINDS)

    @classmethod
    def _names(cls) -> tuple[str, ...]:
        return tuple(cls._KINDS)

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
        picture: Picture = import_module(f"gamecore.{self._GAME}._picture").picture(self, moves, line)
        return picture


def reader(kind: type[P], parse: Callable[[str], P]) -> Callable[[Any], P]:
    """Return a function that returns a position itself, or parses its text: a notation, or any other by ``parse``.

    The function raises ParseError for a malformed text, and OptionError for anything else.
    """

    def read(item: Any) -> P:
        if isinstance(item, kind):
            return item
        if not isinstance(item, str):
            raise OptionError(f"a {kind._GAME}.{kind.__name__} or a text of one is meant, not {printable(item)}")
        position: P = kind.from_text(item) if SEPARATOR in item else parse(item)  # type: ignore[attr-defined]
        return position

    return read
