"""The base of all positions, built in and of a user's own: data, pictures, the check of moves."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar, Self, TypeVar

from gamecore.contract import Drawn, MoveValue, Result, from_fields
from gamecore.errors import IllegalMoveError, OptionError
from gamecore.text import BLANKS, is_word, printable

if TYPE_CHECKING:
    from gamecore.draw import Picture

P = TypeVar("P", bound="Position")
Lines = Iterator[tuple[int, str]]  #: numbered lines of a file; the first has number 1


class Position(Result, Drawn, ABC):
    """A base class for positions: subclasses are ``@dataclass(frozen=True)`` and define the rules.

    Fields are compared, hashed, pickled and written by ``to_dict``; tuples are read back from lists.
    Subclasses define ``to_move`` as a field or a property, and ``after`` or ``play``.

    Attributes:
        _GAME: the name of a built-in game, whose ``_picture.py`` draws the position; empty for others.
        _KINDS: the constructor's arguments, in order, with the types of their values in a dict; empty: the fields.
    """

    _GAME: ClassVar[str] = ""
    _KINDS: ClassVar[Mapping[str, type | tuple[type, ...]]] = {}
    to_move: Any

    @property
    @abstractmethod
    def is_over(self) -> bool:
        """True if the game has ended."""

    @abstractmethod
    def legal_moves(self) -> Sequence[str]:
        """Return the legal moves; empty if and only if the game is over."""

    @abstractmethod
    def to_text(self) -> str:
        """Return the position as one line of fields separated by colons."""

    @classmethod
    @abstractmethod
    def from_text(cls, text: str) -> Self:
        """Return the position of a line that :meth:`to_text` wrote.

        Raises:
            ParseError: any other text.
        """

    def after(self, move: str) -> Self:
        """Return the position after a legal move."""
        raise NotImplementedError

    def play(self, move: str) -> Self:
        """Return the position after a move.

        Raises:
            IllegalMoveError: the move is not legal.
        """
        if self.is_over:
            raise IllegalMoveError("the game is over")
        if not is_word(move, self.legal_moves()):
            raise IllegalMoveError(f"{printable(move)} is not a legal move of {self.to_move}")
        return self.after(move)

    @staticmethod
    def split_lines(lines: Lines) -> Lines:
        """Split a file's lines into the texts of positions: pairs (number of the first line, text), here of one line.

        Raises:
            ParseError: it cannot tell where a text ends.
        """
        return ((number, text.strip(BLANKS)) for number, text in lines if text.strip(BLANKS))

    @classmethod
    def _names(cls) -> tuple[str, ...]:
        return tuple(cls._KINDS) or super()._names()

    @classmethod
    def from_dict(cls, data: Mapping[str, object]) -> Self:
        """Return the position of a dict from :meth:`to_dict`.

        Raises:
            ParseError: a missing or unknown field, a wrong type, or an impossible position; it names the field.
        """

        def make(**values: object) -> Any:
            return cls(**values if cls._KINDS else {name: _frozen(value) for name, value in values.items()})

        what = f"a {cls._GAME} position" if cls._GAME else f"a position of {cls.__module__.rpartition('.')[2]}"
        position: Self = from_fields(make, data, cls._KINDS or dict.fromkeys(cls._names(), object), what)
        return position

    def __repr__(self) -> str:
        return f"{self._GAME}.{type(self).__name__}.from_text({self.to_text()!r})"

    def __str__(self) -> str:
        """Return the picture as text, or, of a game that has none, the notation."""
        return str(self.picture()) if self._GAME else self.to_text()

    def picture(self, moves: Iterable[MoveValue[float]] = (), line: Iterable[str] = ()) -> "Picture":
        """Return a picture of the position, with values of moves (of the game's ``analyse``) and a line of play.

        The default for games of your own is ``str`` of the position.

        Raises:
            OptionError: ``moves`` that are not legal here (their values are drawn as they are), or a position too large
                to draw. IllegalMoveError: a line that breaks the rules.
        """
        if self._GAME:
            drawn: Picture = import_module(f"gamecore.{self._GAME}._picture").picture(self, moves, line)
            return drawn
        from gamecore.draw.picture import checked_marks, text_picture

        return text_picture(str(self), *checked_marks(self, moves, line), self.legal_moves())


def _frozen(value: object) -> object:
    return tuple(map(_frozen, value)) if isinstance(value, list) else value


def reader(kind: type[P], parse: Callable[[str], P], name: str = "") -> Callable[[object], P]:
    """Return a function that returns a position itself, or parses its text; ``name``: of the game, if not built in.

    The function raises ParseError for a malformed text, and OptionError for anything else.
    """

    def read(item: object) -> P:
        if isinstance(item, kind):
            return item
        if not isinstance(item, str):
            raise OptionError(f"a {name or kind._GAME} position or its text is needed, not {printable(item)}")
        return parse(item)

    return read
