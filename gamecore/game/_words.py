"""A game in words for people, for all tools: :class:`Words`. A built-in game has its own in ``words.py``."""

from collections.abc import Callable, Sequence
from typing import ClassVar, Generic, Protocol, TypeVar

from gamecore.contract import Bounds, MoveValue, Playable, Solution
from gamecore.text import counted

P_contra = TypeVar("P_contra", bound=Playable, contravariant=True)
S_contra = TypeVar("S_contra", bound=Solution[float, object], contravariant=True)


class Sided(Protocol):
    """A position, or a solution: what has a side to move."""

    @property
    def to_move(self) -> object: ...


class Words(Generic[P_contra, S_contra]):
    """Sides, moves and values in words, of a game's positions and solutions.

    The defaults suit a game of two sides whose values are numbers of points.

    Attributes:
        unit: of values, such as ``points``.

    Args:
        solve: the game's, for the value of finished games; needed by the default of :meth:`turn` alone.
    """

    unit: ClassVar[str] = "points"

    def __init__(self, *, solve: Callable[[P_contra], Bounds[float]] | None = None) -> None:
        self._solve = solve

    def name(self, side: object, me: object = None) -> str:
        """Return a side as a sentence names it; ``me`` is "you"."""
        return "you" if side == me else str(side)

    def side(self, position: Sided) -> str:
        """Return the side to move as the subject of a sentence."""
        return self.name(position.to_move)

    def turn(self, position: P_contra, me: object = None) -> str:
        """Return whose turn it is, or how a finished game ended; ``me``: the side that is addressed as "you"."""
        who = self.name(position.to_move, me)
        if not position.is_over or self._solve is None:
            return "the game is over" if position.is_over else f"{who} to move"
        value = self.value(self._solve(position), position)
        if who == "you":
            value = value.replace("wins", "win").replace("loses", "lose").replace("draws", "draw")
        return f"{who} {value}"

    def move(self, position: P_contra, move: str) -> str:
        """Return a legal move in words."""
        return move

    def amount(self, number: float) -> str:
        """Return ``1 point``, ``3 points``."""
        return counted(number, self.unit.removesuffix("s"))

    def value(self, bounds: Bounds[float], position: Sided) -> str:
        """Return a value in words; :meth:`side` is its subject: ``wins 9 points``, ``from losing 3 to winning 5``.

        ``position`` has the side to move; it may be the solution itself.
        """
        low, high = bounds.lower, bounds.upper
        if bounds.exact:
            return "draws" if low == 0 else f"{'wins' if low > 0 else 'loses'} {self.amount(abs(low))}"
        if low > 0:
            return f"wins {low} to {self.amount(high)}"
        if high < 0:
            return f"loses {-high} to {self.amount(-low)}"
        if high == 0:
            return f"from losing {self.amount(-low)} to a draw"
        return f"from {f'losing {-low}' if low else 'a draw'} to winning {self.amount(high)}"

    def solution(self, solution: S_contra) -> str:
        """Return a solution in words, as its ``str`` does."""
        return f"{self.side(solution)} {self.value(solution, solution)}"

    def short(self, bounds: Bounds[float]) -> str:
        """Return a value as it stands on a move: ``+9``, ``-3..+9``."""
        return Bounds.__str__(bounds)

    def cost(self, best: Bounds[float], entry: Bounds[float], position: P_contra) -> tuple[float | None, str]:
        """Return what a move costs that is proven not best: a number, or None if unknown, and words."""
        least = best.lower - entry.upper
        if not (best.exact and entry.exact):
            return None, f"costs at least {self.amount(least)}"
        ends = best.lower, entry.lower
        old, new = (f"{'winning' if value > 0 else 'losing'} {abs(value)}" if value else "a draw" for value in ends)
        return least, f"costs {self.amount(least)}: from {old} to {new}"

    def order(self, bounds: Bounds[float], position: P_contra) -> tuple[float, float]:
        """Return (worst case, best case) of a value for the side to move, as numbers where larger is better."""
        return float(bounds.lower), float(bounds.upper)

    def bounds_from_moves(self, moves: Sequence[MoveValue[float]], position: P_contra) -> Bounds[float]:
        """Return the bounds of a position from those of all its moves."""
        return Bounds(max(entry.lower for entry in moves), max(entry.upper for entry in moves))
