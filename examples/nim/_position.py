"""The state of a game of Nim and its rules."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from gamecore import contract
from gamecore.errors import IllegalMoveError, OptionError, ParseError
from gamecore.rng import generator
from gamecore.text import NONE, fields, printable, whole_number

if TYPE_CHECKING:
    from gamecore.draw import Picture
    from gamecore.rng import Rng

Side: TypeAlias = Literal["A", "B"]
MoveValue: TypeAlias = contract.MoveValue[int]

SIDES = ("A", "B")
MOST = 999  #: objects in a pile
MOST_PILES = 20


class Position(contract.Immutable):
    """Piles, and whose turn it is.

    Args:
        piles: objects in each pile, 0 to 999; 1 to 20 piles.
        to_move: ``"A"`` or ``"B"``.

    Raises:
        OptionError: an argument out of its range.
    """

    __slots__ = ("piles", "to_move")

    piles: tuple[int, ...]
    to_move: Side

    def __init__(self, piles: Iterable[int], to_move: Side = "A") -> None:
        piles = tuple(piles)
        if not 1 <= len(piles) <= MOST_PILES:
            raise OptionError(f"piles has to be 1 to {MOST_PILES} numbers, not {len(piles)}")
        for pile in piles:
            if isinstance(pile, bool) or not isinstance(pile, int) or not 0 <= pile <= MOST:
                raise OptionError(f"a pile has 0 to {MOST} objects, not {printable(pile)}")
        if to_move not in SIDES:
            raise OptionError(f"to_move has to be 'A' or 'B', not {printable(to_move)}")
        self._set(piles=piles, to_move=to_move)

    def _key(self) -> tuple[Any, ...]:
        return self.piles, self.to_move

    def __reduce__(self) -> tuple[Any, ...]:
        return Position, (self.piles, self.to_move)

    def __repr__(self) -> str:
        return f"nim.Position({list(self.piles)}, to_move={self.to_move!r})"

    @property
    def is_over(self) -> bool:
        """Whether all piles are empty; who is to move has lost."""
        return not any(self.piles)

    def legal_moves(self) -> tuple[str, ...]:
        """Every move, by pile and then by how many are taken."""
        return tuple(
            f"{place}x{count}" for place, pile in enumerate(self.piles, start=1) for count in range(1, pile + 1)
        )

    def play(self, move: str) -> "Position":
        """The position after a move.

        Raises:
            IllegalMoveError: there is no such move here.
        """
        if not isinstance(move, str) or move not in self.legal_moves():
            why = "the game is over" if self.is_over else f"{printable(move)} takes nothing that is there"
            raise IllegalMoveError(f"{self.to_move} cannot play: {why}")
        place, count = map(int, move.split("x"))
        piles = [pile - count * (at == place) for at, pile in enumerate(self.piles, start=1)]
        return Position(piles, SIDES[self.to_move == "A"])

    def to_text(self) -> str:
        """``MOVER:PILES``, such as ``A:3.4.5``."""
        return f"{self.to_move}:{'.'.join(map(str, self.piles))}"

    @classmethod
    def from_text(cls, text: str) -> "Position":
        """The position of a text that ``to_text`` wrote.

        Raises:
            ParseError: anything else; it names the column.
        """
        mover, piles = fields(text, ("MOVER", "PILES"))
        side = mover.choice("MOVER", SIDES)
        counts = []
        for part in piles.parts("."):
            try:
                counts.append(whole_number(part.text, "a pile", 0, MOST))
            except ParseError as error:
                raise part.fail(str(error)) from None
        if len(counts) > MOST_PILES:
            raise piles.fail(f"{len(counts)} piles are more than {MOST_PILES}")
        return cls(counts, side)  # type: ignore[arg-type]

    def to_dict(self) -> dict[str, Any]:
        """The piles and the side to move."""
        return {"piles": list(self.piles), "to_move": self.to_move}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> "Position":
        """The position of a dict that ``to_dict`` made.

        Raises:
            ParseError: a field is missing, unknown or of another kind. OptionError: a value out of its range.
        """
        return cls(**contract.from_fields(data, {"piles": list, "to_move": str}, "a position of nim"))

    def __str__(self) -> str:
        piles = "  ".join(f"{place}: {'|' * pile or NONE}" for place, pile in enumerate(self.piles, start=1))
        return f"{piles}\n{self.to_move} {'has lost' if self.is_over else 'is to move'}"

    def draw(self) -> str:
        """The piles as text."""
        return str(self)

    def picture(self) -> "Picture":
        """The piles as a picture."""
        from gamecore.draw import Picture

        return Picture(self._svg, lambda pen: str(self))

    def _svg(self) -> str:
        width, height = 24 * len(self.piles) + 16, 8 * max(self.piles) + 16
        boxes = "".join(
            f'<rect x="{24 * column + 12}" y="{height - 8 * row - 14}" width="16" height="6" fill="#47a"/>'
            for column, pile in enumerate(self.piles)
            for row in range(pile)
        )
        return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}">{boxes}</svg>'

    def _repr_svg_(self) -> str:
        return self._svg()


def random(piles: int = 3, most: int = 7, *, plies: int | None = None, rng: "Rng" = None) -> Position:
    """A random position: ``piles`` piles of 1 to ``most`` objects, and so many random moves.

    Raises:
        OptionError: an argument out of its range.
    """
    source = generator(rng)
    start = Position([int(source.integers(1, most + 1)) for _ in range(piles)])
    position: Position = contract.random_plies(start, plies, source, sum(start.piles))
    return position
