"""A base class for the positions of a user's own game."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Self

from gamecore.contract import Drawn, MoveValue, Result, from_fields
from gamecore.errors import IllegalMoveError
from gamecore.text import is_word, printable

if TYPE_CHECKING:
    from gamecore.draw import Picture


class Position(Result, Drawn, ABC):
    """A base class for your own positions: subclasses are ``@dataclass(frozen=True)`` and define the rules.

    Fields are compared, hashed, pickled and written by ``to_dict``; tuples are read back from lists.
    Subclasses define ``to_move`` as a field or a property.
    """

    to_move: Any

    @property
    @abstractmethod
    def is_over(self) -> bool:
        """True if the game has ended."""

    @abstractmethod
    def legal_moves(self) -> Sequence[str]:
        """Return the legal moves; empty if and only if the game is over."""

    @abstractmethod
    def after(self, move: str) -> Self:
        """Return the position after a legal move."""

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

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Return the position of a dict from :meth:`to_dict`.

        Raises:
            ParseError: a field is missing or unknown, or a value is wrong.
        """

        def make(**values: Any) -> Any:
            return cls(**{name: _frozen(value) for name, value in values.items()})

        what = f"a position of {cls.__module__.rpartition('.')[2]}"
        position: Self = from_fields(make, data, dict.fromkeys(cls._names(), object), what)
        return position

    def picture(self, moves: Iterable[MoveValue[Any]] = (), line: Iterable[str] = ()) -> "Picture":
        """Return the text of the position as a picture."""
        from gamecore.draw import text_picture

        return text_picture(str(self), moves, line, self.legal_moves())


def _frozen(value: Any) -> Any:
    return tuple(map(_frozen, value)) if isinstance(value, list) else value
