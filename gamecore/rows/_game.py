"""Rows as a :class:`gamecore.game.Game`."""

from typing import TYPE_CHECKING, Any, Final

from gamecore.game import Choice, Game, Option, Player, checked, takes
from gamecore.rows._position import Position, parse, random
from gamecore.rows._solve import analyse, solve
from gamecore.rows.opponents import BY_NAME, NAMES, OPPONENTS
from gamecore.rows.words import WORDS

if TYPE_CHECKING:
    from gamecore import rows
    from gamecore.rng import Rng

_OPTIONS: Final = (
    Option("n", "Values", 8, 1, 1000, flag="values"),
    Option("opponent", "Opponent", "optimal", choices=NAMES),
)


class Rows(Game):
    """See :class:`gamecore.game.Game`."""

    name = "rows"
    title = "Rows"
    rules = "\n".join(
        (
            "Two players take turns and take the leftmost or the rightmost value of a row.",
            "When the row is empty, the player with the larger total wins.",
            *(opponent.rule for opponent in OPPONENTS),
        )
    )
    sides = ("me", "opponent")
    example = "greedy:me:0:0:5,7,9,1,4,2"
    Position = Position
    words = WORDS

    @takes(*_OPTIONS)
    def start(self, *, rng: "Rng" = None, **options: object) -> "rows.Position":
        return random(**checked(options, _OPTIONS), plies=0, rng=rng)

    def random(self, *, rng: "Rng" = None, plies: int | None = None, **options: object) -> "rows.Position":
        return random(**checked(options, _OPTIONS), plies=plies, rng=rng)

    parse: Any = staticmethod(parse)
    solve: Any = staticmethod(solve)
    analyse: Any = staticmethod(analyse)

    @property
    def players(self) -> dict[str, Player]:
        greedy = Player("takes the larger end", lambda position, *_: Choice(position._end(BY_NAME["greedy"]), False))
        return {**super().players, "greedy": greedy}


GAME = Rows()
parse_many = GAME.parse_many  #: positions of a file's lines, see [gamecore.game.Game.parse_many][]
