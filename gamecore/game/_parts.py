"""Parts of a game: players, panels, and its numbering for other frameworks."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from gamecore.game._option import Json, Option
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


@dataclass(frozen=True)
class Panel:
    """A panel of a page beside a position, computed on request.

    Attributes:
        title: for people.
        run: ``run(position, seat, seconds, **options)`` returns pairs (event, data). Positions in data are written as
            the seat may see them. ``progress`` has ``nodes``; ``end`` may have a ``reason``, ``exact`` by default. A
            long search stops when :func:`gamecore.batch.is_cancelled` is True.
        options: options of the panel.
        stream: whether the pairs are shown one by one as they come; otherwise the last one is the answer.
        applies: ``applies(position, seat)`` is True if there is something to show.
    """

    title: str
    run: Callable[..., Iterable[tuple[str, Json]]]
    options: tuple[Option, ...] = ()
    stream: bool = False
    applies: Callable[[Any, int | None], bool] = lambda position, seat: True


def random_move(position: Any, limits: Limits, rng: "Rng") -> Choice:
    """Return a legal move, all equally likely."""
    legal = position.legal_moves()
    return Choice(str(legal[int(generator(rng).integers(len(legal)))]), False)


class Coding(ABC):
    """Numbering of all positions after one start position, for frameworks that need numbers.

    Attributes:
        actions: names of all actions, numbered from 0. A move is one action, or several in any order (cards to pass).
        longest: plies that no game exceeds.
        most: bound of the absolute value of any return.
        shape: of observations.
    """

    actions: Sequence[str]
    longest: int
    most: float
    shape: tuple[int, ...]

    def parts(self, position: Any, move: str) -> tuple[str, ...]:
        """Return the actions that make up a legal move."""
        return (move,)

    @abstractmethod
    def returns(self, position: Any) -> tuple[float, ...]:
        """Return each side's return when the game is over."""

    @abstractmethod
    def write(self, position: Any, side: int, tensor: Any) -> None:
        """Write a side's observation into a float32 array of zeros of this ``shape``."""
