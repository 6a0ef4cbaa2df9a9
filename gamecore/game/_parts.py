"""Parts of a game: players, commands, and its numbering for other frameworks."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
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


@dataclass(frozen=True)
class Command:
    """A subcommand of ``gamecore`` that only this game has, such as ``gamecore hearts simulate``.

    Attributes:
        name, help: as ``--help`` lists it.
        add: ``add(parser)`` adds its arguments to an ``argparse`` parser.
        run: ``run(args)`` returns the exit status: 0, or 3 if a limit was reached.
        description, epilog: of its own ``--help``; by default the help and the game's ``help``.
        reads: whether it takes positions and limits as ``solve`` does: ``args.positions`` yields the positions,
            ``args.limits`` are the limits.
    """

    name: str
    help: str
    add: Callable[[Any], None]
    run: Callable[[Any], int]
    description: str = ""
    epilog: str = ""
    reads: bool = False


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
