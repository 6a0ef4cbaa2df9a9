"""Rows in words: whose turn it is, moves, values, captions."""

# ruff: noqa: D102 (what a method means stands in Words)

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from gamecore.contract import Bounds, MoveValue
from gamecore.game import Sided, Words

if TYPE_CHECKING:
    from gamecore.rows import Position, Solution

_ENDS: Final = {"L": "left", "R": "right"}


class RowsWords(Words["Position", "Solution"]):
    """See :class:`gamecore.game.Words`; people are "me"."""

    def name(self, side: object, me: object = None) -> str:
        return "you" if side == me else "me" if (side, me) == ("me", None) else "the opponent"

    def side(self, position: Sided) -> str:
        return self.name(position.to_move, "me")

    def turn(self, position: "Position", me: object = None) -> str:
        me = me or "me"
        if not position.is_over:
            who = self.name(position.to_move, me)
            return f"{who} {'are' if who == 'you' else 'is'} to move"
        mine, theirs = position.mine, position.theirs
        if me == "opponent":
            mine, theirs = theirs, mine
        winner = "you win" if mine > theirs else "you lose" if theirs > mine else "a draw"
        return f"{winner}: {mine} to {theirs}"

    def caption(self, start: "Position", after: "Position") -> str:
        """Return whose turn it is and both totals, or what both take in a line of play from ``start`` to ``after``."""
        other, is_mine = start.rule.title, start.to_move == "me"
        took = f"{after.mine}, the {other} {after.theirs}"
        if after is not start:
            left = "" if after.is_over else f"; then {len(after.values)} are left"
            return f"{'I start' if is_mine else 'the opponent starts'}: I take {took}{left}"
        if start.is_over:
            return f"over: I took {took}"
        turn = f"I am to move{start.rule.against}" if is_mine else f"the {other} is to move"
        return turn + (f"; I have {took}" if start.mine or start.theirs else "")

    def move(self, position: "Position", move: str) -> str:
        return f"take {position.values[0 if move == 'L' else -1]} from the {_ENDS[move]}"

    def value(self, bounds: Bounds[float], position: Sided) -> str:
        low, high, s = bounds.lower, bounds.upper, "" if position.to_move == "me" else "s"
        if not bounds.exact:
            return f"end{s} between {low} and {high}"
        if low == 0:
            return f"draw{s}"
        return f"win{s} by {low}" if low > 0 else f"lose{s} by {-low}"

    def solution(self, solution: "Solution") -> str:
        """Return ``+8 for me (18 to 10), best L``."""
        totals = "" if solution.mine is None else f" ({solution.mine} to {solution.theirs})"
        best = f", best {' or '.join(solution.best_moves)}" if solution.best_moves else ""
        return f"{self.short(solution)} for {self.name(solution.to_move)}{totals}{best}"

    def cost(self, best: Bounds[float], entry: Bounds[float], position: "Position") -> tuple[float | None, str]:
        if not (best.exact and entry.exact):
            return None, "is worse than the other end"
        difference = abs(best.lower - entry.lower)
        if position._is_helping():
            return difference, f"leaves you {difference} behind what it could be"
        return difference, f"costs {difference}"

    def order(self, bounds: Bounds[float], position: "Position") -> tuple[float, float]:
        low, high = super().order(bounds, position)
        return (-high, -low) if position._is_helping() else (low, high)

    def bounds_from_moves(self, moves: Sequence[MoveValue[float]], position: "Position") -> Bounds[float]:
        choose = min if position._is_helping() else max
        return Bounds(choose(entry.lower for entry in moves), choose(entry.upper for entry in moves))


WORDS: Final = RowsWords()
