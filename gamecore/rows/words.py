"""Rows in words: whose turn it is, moves, values."""

# ruff: noqa: D102 (what a method means stands in Words)

from collections.abc import Sequence
from typing import Any, Final

from gamecore.contract import Bounds, MoveValue
from gamecore.game import Words

_ENDS: Final = {"L": "left", "R": "right"}


class RowsWords(Words):
    """See :class:`gamecore.game.Words`; people are "me"."""

    def name(self, side: Any, me: Any = None) -> str:
        return "you" if side == me else "me" if (side, me) == ("me", None) else "the opponent"

    def side(self, position: Any) -> str:
        return self.name(position.to_move, "me")

    def turn(self, position: Any, me: Any = None) -> str:
        me = me or "me"
        if not position.is_over:
            who = self.name(position.to_move, me)
            return f"{who} {'are' if who == 'you' else 'is'} to move"
        mine, theirs = position.mine, position.theirs
        if me == "opponent":
            mine, theirs = theirs, mine
        winner = "you win" if mine > theirs else "you lose" if theirs > mine else "a draw"
        return f"{winner}: {mine!r} to {theirs!r}"

    def move(self, position: Any, move: str) -> str:
        return f"take {position.values[0 if move == 'L' else -1]!r} from the {_ENDS[move]}"

    def value(self, bounds: Bounds[float], position: Any) -> str:
        low, high, s = bounds.lower, bounds.upper, "" if position.to_move == "me" else "s"
        if not bounds.exact:
            return f"end{s} between {low!r} and {high!r}"
        if low == 0:
            return f"draw{s}"
        return f"win{s} by {low!r}" if low > 0 else f"lose{s} by {-low!r}"

    def solution(self, solution: Any) -> str:
        """Return ``+8 for me (18 to 10), best L``."""
        totals = "" if solution.mine is None else f" ({solution.mine} to {solution.theirs})"
        best = f", best {' or '.join(solution.best_moves)}" if solution.best_moves else ""
        return f"{self.short(solution)} for {self.name(solution.to_move)}{totals}{best}"

    def cost(self, best: Bounds[float], entry: Bounds[float], position: Any) -> tuple[float | None, str]:
        if not (best.exact and entry.exact):
            return None, "is worse than the other end"
        difference = abs(best.lower - entry.lower)
        if position._is_helping():
            return difference, f"leaves you {difference!r} behind what it could be"
        return difference, f"costs {difference!r}"

    def order(self, bounds: Bounds[float], position: Any) -> tuple[float, float]:
        low, high = super().order(bounds, position)
        return (-high, -low) if position._is_helping() else (low, high)

    def bounds_from_moves(self, moves: Sequence[MoveValue[float]], position: Any) -> Bounds[float]:
        choose = min if position._is_helping() else max
        return Bounds(choose(entry.lower for entry in moves), choose(entry.upper for entry in moves))


WORDS: Final = RowsWords()
