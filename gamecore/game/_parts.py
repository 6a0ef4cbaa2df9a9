"""Parts of a game: players, panels and commands."""

from collections.abc import Callable, Iterable
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
