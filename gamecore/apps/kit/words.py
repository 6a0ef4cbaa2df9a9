"""Kit games in words: values of games of outcomes, and of games of points."""

from typing import TYPE_CHECKING, Any, Final

from gamecore.apps.kit._rules import WIN
from gamecore.contract import Bounds, Solution
from gamecore.game import Words
from gamecore.text import counted

if TYPE_CHECKING:
    from gamecore.apps.kit._game import Position

_FAR: Final = WIN // 2  # points; bounds beyond it are not proven
_VERBS: Final = {"win": "wins", "draw": "draws", "loss": "loses"}


def outcomes_of(bounds: Bounds[int]) -> list[str]:
    """Return those of ``"draw"``, ``"loss"`` and ``"win"`` that bounds leave open."""
    low, high = ((bound > 0) - (bound < 0) for bound in (bounds.lower, bounds.upper))
    return sorted(("loss", "draw", "win")[low + 1 : high + 2])


def plies_of(bounds: Bounds[int]) -> int | None:
    """Return the plies to a win or a loss; None where not proven, and for draws."""
    return WIN - abs(bounds.lower) if bounds.exact and bounds.lower else None


def _tells_who_wins(bounds: Bounds[int]) -> bool:
    """Return whether no points are known: nothing but the outcome was asked for, or a bound is not proven."""
    is_open = not bounds.exact and max(-bounds.lower, bounds.upper) > _FAR
    return is_open or getattr(bounds, "question", "") == "outcome"


def _end_of(position: "Position") -> Bounds[int]:
    end = (position.rules.end(position.state) or 0) + position.points
    return Bounds(end, end)


class OutcomeWords(Words["Position", Solution[int, str]]):
    """Win, draw and loss, and in how many plies. See :class:`gamecore.game.Words`."""

    def amount(self, number: float) -> str:
        return counted(number, "ply")

    def short(self, bounds: Bounds[Any]) -> str:
        """Return ``win in 7``, ``draw``, ``draw or win``, ``?``."""
        outcomes, plies = outcomes_of(bounds), plies_of(bounds)
        if len(outcomes) == len(_VERBS):
            return "?"
        return f"{outcomes[0]} in {plies}" if plies else " or ".join(outcomes)

    def value(self, bounds: Bounds[Any], position: Any) -> str:
        outcomes, plies = outcomes_of(bounds), plies_of(bounds)
        if len(outcomes) == len(_VERBS):
            return "may win, draw or lose"
        words = " or ".join(_VERBS[outcome] for outcome in outcomes)
        return f"{words} in {self.amount(plies)}" if plies else words

    def cost(self, best: Bounds[Any], entry: Bounds[Any], position: Any) -> tuple[float | None, str]:
        return None, f"{self.short(entry)} in place of {self.short(best)}"


class PointsWords(Words["Position", Solution[int, str]]):
    """Points. See :class:`gamecore.game.Words`."""

    def short(self, bounds: Bounds[Any]) -> str:
        return OUTCOMES.short(bounds) if _tells_who_wins(bounds) else super().short(bounds)

    def value(self, bounds: Bounds[Any], position: Any) -> str:
        """See :meth:`gamecore.game.Words.value`; a finished game tells both totals: ``wins 12 to 11``."""
        if _tells_who_wins(bounds):
            return OUTCOMES.value(bounds, position)
        if getattr(position, "is_over", False) and (bounds.lower or position.theirs):
            return f"{_VERBS[outcomes_of(bounds)[0]]} {bounds.lower + position.theirs} to {position.theirs}"
        return super().value(bounds, position)


OUTCOMES: Final = OutcomeWords(solve=_end_of)
POINTS: Final = PointsWords(solve=_end_of)


def words_of(points: bool) -> OutcomeWords | PointsWords:
    """Return the words of games of points, or of outcomes."""
    return POINTS if points else OUTCOMES
