"""Hexapawn in words: whose turn it is, moves, values; and which of two values is better."""

# ruff: noqa: D102 (what a method means stands in Words)

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from gamecore.contract import Bounds, MoveValue
from gamecore.game import Sided, Words
from gamecore.text import counted

if TYPE_CHECKING:
    from gamecore.hexapawn import Position, Solution

_SIGN: Final = re.compile("(?<=[0-9])[x-]")  # between two squares; x is a column, too


def rank(value: float) -> float:
    """Map a value to a number that is larger for better values."""
    return (1 << 16) - value if value > 0 else -(1 << 16) - value


def worst_case(entry: Bounds[float]) -> float:
    """Return the rank of the worst value within bounds; an immediate loss if the winner is unknown."""
    return rank(0) if entry.lower <= 0 < entry.upper else rank(entry.upper)


def best_case(entry: Bounds[float]) -> float:
    """Return the rank of the best value within bounds; an immediate win if the winner is unknown."""
    return rank(1) if entry.lower <= 0 < entry.upper else rank(entry.lower)


class HexapawnWords(Words["Position", "Solution"]):
    """See :class:`gamecore.game.Words`. Values are distances: ``+3`` is better than ``+5``."""

    unit = "plies"

    def turn(self, position: "Position", me: object = None) -> str:
        if not position.is_over:
            return super().turn(position, me)
        won = f"{self.name(position.winner, me)} {'win' if position.winner == me else 'wins'}"
        if position._opponent_arrived():
            return f"{won}: a pawn is on the far row"
        return f"{won}: {self.name(position.to_move, me)} {'have' if position.to_move == me else 'has'} no move"

    def move(self, position: "Position", move: str) -> str:
        return _SIGN.sub(lambda sign: " takes " if sign[0] == "x" else " to ", move)

    def amount(self, number: float) -> str:
        return counted(number, "ply")

    def value(self, bounds: Bounds[float], position: Sided) -> str:
        low, high = bounds.lower, bounds.upper
        if low <= 0 < high:
            return "may win or lose"
        if low == high == 0:
            return "has lost"
        fewest, most = sorted((abs(low), abs(high)))
        plies = self.amount(fewest) if bounds.exact else f"{fewest} to {most} plies"
        return f"{'wins' if low > 0 else 'loses'} in {plies}"

    def solution(self, solution: "Solution") -> str:
        """Return ``white wins in 3 plies``, of the winner, or a text with the bounds."""
        least, most = solution.distance_lower, solution.distance_upper
        if most == 0:
            return f"{solution.winner} has won"
        if solution.question == "outcome":
            return f"{solution.winner} wins" if solution.winner else "not decided"
        if solution.winner is None:
            return f"not decided: the game lasts {least} to {most} plies"
        return f"{solution.winner} {self.value(Bounds(least, most), solution)}"

    def cost(self, best: Bounds[float], entry: Bounds[float], position: "Position") -> tuple[float | None, str]:
        if best.lower > 0 >= entry.upper:
            old, new = (f"in {self.amount(abs(value.lower))}" if value.exact else "" for value in (best, entry))
            return None, " ".join(f"turns a win {old} into a loss {new}".split())
        if not (best.exact and entry.exact):
            return None, "is worse than another move"
        plies = abs(entry.lower - best.lower)
        return plies, f"wins {self.amount(plies)} later" if best.lower > 0 else f"loses {self.amount(plies)} sooner"

    def order(self, bounds: Bounds[float], position: "Position") -> tuple[float, float]:
        return worst_case(bounds), best_case(bounds)

    def bounds_from_moves(self, moves: Sequence[MoveValue[float]], position: "Position") -> Bounds[float]:
        least, most = max(moves, key=worst_case), max(moves, key=best_case)
        if least.lower > 0:  # a proven win: no slower than the best worst case, no quicker than the best case
            return Bounds(max(1, most.lower), least.upper)
        if most.upper <= 0:
            return Bounds(most.lower, least.upper)
        return Bounds(min(least.lower, most.lower), max(least.upper, most.upper))


WORDS: Final = HexapawnWords()
