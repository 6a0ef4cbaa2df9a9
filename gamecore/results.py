"""The frozen dataclasses that every game returns."""

from dataclasses import dataclass
from typing import Generic, TypeVar

Move = TypeVar("Move")


@dataclass(frozen=True)
class Bounds:
    """What is proven of a value: ``lower <= value <= upper``, both inclusive."""

    lower: int
    upper: int

    @property
    def exact(self) -> bool:
        """Whether the bounds meet, so that the value is known."""
        return self.lower == self.upper

    @property
    def value(self) -> int | None:
        """The exact value, or None while only bounds are known."""
        return self.lower if self.exact else None

    def __str__(self) -> str:
        """``+9`` when exact, ``-3..+9`` otherwise."""
        return f"{self.lower:+d}" if self.exact else f"{self.lower:+d}..{self.upper:+d}"


@dataclass(frozen=True)
class MoveValue(Bounds, Generic[Move]):
    """A legal move with what is proven of its value.

    Attributes:
        lower, upper: proven bounds of the value after the move, in the convention of the game's ``value``.
        move: the move, written as the game's ``legal_moves`` writes it.
    """

    move: Move

    def __str__(self) -> str:
        """``HA +9``."""
        return f"{'pass' if self.move is None else self.move} {Bounds.__str__(self)}"


@dataclass(frozen=True)
class Solution(Bounds, Generic[Move]):
    """What a search proved of a position, and what that cost.

    Attributes:
        lower, upper: proven bounds of the value, in the game's convention; equal when ``exact``.
        best_move: a best move; None when it is not proven (and, in games that have passes, for a pass).
        line: the principal variation: best play of both sides from here to the end; empty when not exact.
        nodes: positions searched. Deterministic for the same position, limits and version.
        seconds: wall-clock time of the search.
        table_bytes: memory of the transposition table.
    """

    best_move: Move | None
    line: tuple[Move, ...]
    nodes: int
    seconds: float
    table_bytes: int
