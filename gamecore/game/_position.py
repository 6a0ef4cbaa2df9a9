"""A base class for the positions of a user's own game."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
from typing import TYPE_CHECKING, Any, Self

from gamecore.contract import Drawn, MoveValue, from_fields, plain
from gamecore.errors import IllegalMoveError
from gamecore.game._option import Json
from gamecore.text import printable

if TYPE_CHECKING:
    from gamecore.draw import Picture


class Position(Drawn, ABC):
    """A base class for your own positions: subclasses are ``@dataclass(frozen=True)`` and define the rules.

    Fields are compared, hashed, pickled and written by :meth:`to_dict`; tuples are read back from lists.
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
        if move not in self.legal_moves():
            raise IllegalMoveError(f"{printable(move)} is not a legal move of {self.to_move}")
        return self.after(move)

    def to_dict(self) -> Json:
        """Return the fields as plain values."""
        return {field.name: plain(getattr(self, field.name)) for field in fields(self)}  # type: ignore[arg-type]

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Return the position of a dict from :meth:`to_dict`.

        Raises:
            ParseError: a field is missing or unknown, or a value is wrong.
        """
        kinds: dict[str, type] = dict.fromkeys((field.name for field in fields(cls)), object)  # type: ignore[arg-type]

        def make(**values: Any) -> Any:
            return cls(**{name: _frozen(value) for name, value in values.items()})

        position: Self = from_fields(make, data, kinds, f"a position of {cls.__module__.rpartition('.')[2]}")
        return position

    def picture(self, moves: Iterable[MoveValue[Any]] = (), line: Iterable[str] = ()) -> "Picture":
        """Return the text of the position as a picture."""
        from gamecore.draw import text_picture

        return text_picture(str(self), moves, line, self.legal_moves())


def _frozen(value: Any) -> Any:
    return tuple(map(_frozen, value)) if isinstance(value, list) else value
