"""The duel in words: whose turn it is, moves, values."""

# ruff: noqa: D102 (what a method means stands in Words)

from typing import TYPE_CHECKING, Final

from gamecore.cards import name_of
from gamecore.contract import Bounds
from gamecore.game import Words

if TYPE_CHECKING:
    from gamecore.duel import Position, Solution

PASS: Final = "pass"  #: the only move when no card fits


class DuelWords(Words["Position", "Solution"]):
    """See :class:`gamecore.game.Words`."""

    def turn(self, position: "Position", me: object = None) -> str:
        if position.points is not None:
            verb = "win" if position.winner == me else "wins"
            return f"{self.name(position.winner, me)} {verb} {self.amount(position.points)}"
        who = self.name(position.to_move, me)
        if position.last is None:
            return f"{who} may play any card"
        if position.legal_moves() == (PASS,):
            return f"{who} must pass: no card fits the {name_of(position.last)}"
        return f"{who} must match the {name_of(position.last)}"

    def solution(self, solution: "Solution") -> str:
        """Return ``Alice wins 9 points``, of the winner, or a text with the bounds."""
        if solution.winner is None:
            return f"not decided: {super().solution(solution)}"
        won = Bounds(*sorted((abs(solution.lower), abs(solution.upper))))
        return f"{solution.winner} {self.value(won, solution)}"

    def move(self, position: "Position", move: str) -> str:
        return "pass: no card fits" if move == PASS else name_of(move)


WORDS: Final = DuelWords()
