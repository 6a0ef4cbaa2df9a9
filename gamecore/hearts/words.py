"""Hearts in words: whose turn it is, cards, values."""

# ruff: noqa: D102 (what a method means stands in Words)

from typing import TYPE_CHECKING, Final

from gamecore.cards import name_of, names_of
from gamecore.contract import Bounds
from gamecore.game import Sided, Words

if TYPE_CHECKING:
    from gamecore.hearts import Round, Solution


class HeartsWords(Words["Round", "Solution"]):
    """See :class:`gamecore.game.Words`."""

    def name(self, side: object, me: object = None) -> str:
        return "you" if str(side) == str(me) else f"seat {side}"

    def turn(self, position: "Round", me: object = None) -> str:
        if position.is_over:
            points = ", ".join(f"seat {seat} has {points}" for seat, points in enumerate(position.points))
            return f"the round is over: {points}"
        who = self.name(position.to_move, me)
        if position.passing_seats:
            return f"{who} must pass three cards ({position.passing})"
        if position.trick:
            return f"{who} to play on the {name_of(position.trick[0][1])}"
        return f"{who} lead{'' if who == 'you' else 's'} to trick {len(position.tricks) + 1}"

    def move(self, position: "Round", move: str) -> str:
        cards = move.split("-")
        return f"pass {names_of(cards)}" if len(cards) > 1 else name_of(move)

    def value(self, bounds: Bounds[float], position: Sided) -> str:
        if bounds.exact:
            return f"gets {self.amount(-bounds.lower)}"
        return f"gets {-bounds.upper} to {-bounds.lower} points"

    def solution(self, solution: "Solution") -> str:
        """Return ``seat 2 gets 3 points: H4``, with the bounds if there are only bounds."""
        return super().solution(solution) + (f": {solution.best_move}" if solution.exact and solution.best_move else "")

    def short(self, bounds: Bounds[float]) -> str:
        return f"{-bounds.lower}" if bounds.exact else f"{-bounds.upper}..{-bounds.lower}"

    def cost(self, best: Bounds[float], entry: Bounds[float], position: "Round") -> tuple[float | None, str]:
        number, words = super().cost(best, entry, position)
        return number, words.partition(":")[0]  # without what it was before and after


WORDS: Final = HeartsWords()
