"""Parts of a game: players and commands."""

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
