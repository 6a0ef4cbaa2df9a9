"""The rules of thumb of built-in players as decision trees: data that can be drawn, and played.

tests/hearts/test_policy.py plays them beside the kernel's players (pyx/hearts/policy.pxd), through every branch.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeAlias

from gamecore.cards import ACE_HIGH

if TYPE_CHECKING:
    from gamecore.hearts._view import View

Cards: TypeAlias = tuple[str, ...]


@dataclass(frozen=True)
class Situation:
    """What rules of thumb look at.

    Attributes:
        legal: the legal cards. led: the first card of the trick, "" for its leader. place: in the trick, 0 to 3.
    """

    legal: Cards
    led: str
    place: int

    @classmethod
    def of(cls, view: "View") -> "Situation":
        """The situation of the seat to move."""
        return cls(view.legal_moves(), view.trick[0][1] if view.trick else "", len(view.trick))

    @property
    def below(self) -> Cards:
        """Legal cards of the suit led, below the card led."""
        return tuple(card for card in self.legal if card[0] == self.led[0] and _rank(card) < _rank(self.led))


@dataclass(frozen=True)
class Advice:
    """A leaf: which card to play."""

    text: str
    card: Callable[[Situation], str]


@dataclass(frozen=True)
class Question:
    """A node with two branches."""

    text: str
    holds: Callable[[Situation], bool]
    yes: "Question | Advice"
    no: "Question | Advice"


Tree: TypeAlias = Question | Advice


def _rank(card: str) -> int:
    return ACE_HIGH.index(card[1])


def _highest(cards: Cards) -> str:
    return max(cards, key=lambda card: (_rank(card), -"CDSH".index(card[0])))


def _lowest(cards: Cards) -> str:
    return min(cards, key=lambda card: (_rank(card), "CDSH".index(card[0])))


def _hearts(cards: Cards) -> Cards:
    return tuple(card for card in cards if card[0] == "H")


_DISCARD: Final = Question(
    "holds the queen of spades?",
    lambda at: "SQ" in at.legal,
    Advice("queen of spades", lambda at: "SQ"),
    Question(
        "holds a heart?",
        lambda at: bool(_hearts(at.legal)),
        Advice("highest heart", lambda at: _highest(_hearts(at.legal))),
        Advice("highest card", lambda at: _highest(at.legal)),
    ),
)
_FOLLOW: Final = Question(
    "any below the card led?",
    lambda at: bool(at.below),
    Advice("highest of those below", lambda at: _highest(at.below)),
    Question(
        "last to play?",
        lambda at: at.place == 3,
        Advice("highest of the suit", lambda at: _highest(at.legal)),
        Advice("lowest of the suit", lambda at: _lowest(at.legal)),
    ),
)
TREES: Final[dict[str, Tree]] = {
    "greedy": Question(
        "leads the trick?",
        lambda at: not at.led,
        Advice("lowest card", lambda at: _lowest(at.legal)),
        Question("holds the suit led?", lambda at: at.legal[0][0] == at.led[0], _FOLLOW, _DISCARD),
    )
}


def advice_of(tree: Tree, at: Situation) -> Advice:
    """The leaf that a situation leads to."""
    while isinstance(tree, Question):
        tree = tree.yes if tree.holds(at) else tree.no
    return tree
