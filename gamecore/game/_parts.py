"""Computer players of a game."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from gamecore.limits import Limits
from gamecore.rng import generator

if TYPE_CHECKING:
    from gamecore.rng import Rng


class Choice(NamedTuple):
    """A player's move; ``proven``: it is proven best."""

    move: str
    proven: bool


@dataclass(frozen=True)
class Player:
    """A computer player.

    Attributes:
        title: what it does, in one line.
        choose: ``choose(position, limits, rng)`` returns its :class:`Choice`; the position is not over.
    """

    title: str
    choose: Callable[[Any, Limits, "Rng"], Choice]


def random_move(position: Any, limits: Limits, rng: "Rng") -> Choice:
    """Return a legal move, all equally likely."""
    legal = position.legal_moves()
    return Choice(str(legal[int(generator(rng).integers(len(legal)))]), False)
