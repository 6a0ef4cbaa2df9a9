"""The duel in words for people."""

from typing import Any

from gamecore.cards import name_of
from gamecore.duel._position import PASS
from gamecore.game import Words


class DuelWords(Words):
    """See :class:`gamecore.game.Words`."""

    def turn(self, position: Any, me: Any = None) -> str:
        if position.is_over:
            verb = "win" if position.winner == me else "wins"
            return f"{self.name(position.winner, me)} {verb} {self.amount(position.points)}"
        who = self.name(position.to_move, me)
        if position.last is None:
            return f"{who} may play any card"
        if position.legal_moves() == (PASS,):
            return f"{who} must pass: no card fits the {name_of(position.last)}"
        return f"{who} must match the {name_of(position.last)}"

    def move(self, position: Any, move: str) -> str:
        return "pass: no card fits" if move == PASS else name_of(move)
