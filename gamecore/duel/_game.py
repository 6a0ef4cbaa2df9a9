"""The duel as a :class:`gamecore.game.Game`."""

from typing import Any, Final

from gamecore.duel._position import MAX_CARDS, Position, deal, greedy_move, parse, random
from gamecore.duel._solve import Solver, analyse, solve
from gamecore.duel.words import WORDS
from gamecore.game import Choice, Game, Option, Player, checked, takes

_CARDS: Final = Option("n", "Cards each", 6, 1, MAX_CARDS, flag="cards")


class Duel(Game):
    """See :class:`gamecore.game.Game`."""

    name = "duel"
    title = "Card duel"
    rules = """\
Two open hands: match suit or number, or pass; the first empty hand wins what is left in the other.
Players take turns.
A card must share suit or number with the card before it.
A player who holds no such card passes; after a pass any card may be played.
Points: ace 1, 2 to 9, ten 10, jack 11, queen 12, king 13."""
    sides = ("Alice", "Bob")
    example = "DQH2HA:H3D6S3:A:-"
    Position = Position
    _solver = Solver
    words = WORDS

    @takes(_CARDS)
    def start(self, *, rng: Any = None, **options: Any) -> Any:
        return deal(checked(options, (_CARDS,))["n"], rng=rng)

    def random(self, *, rng: Any = None, plies: int | None = None, **options: Any) -> Any:
        return random(**checked(options, (_CARDS,)), plies=plies, rng=rng)

    parse: Any = staticmethod(parse)
    solve: Any = staticmethod(solve)
    analyse: Any = staticmethod(analyse)

    @property
    def players(self) -> dict[str, Player]:
        greedy = Player("gets rid of the most points", lambda position, *_: Choice(greedy_move(position), False))
        return {**super().players, "greedy": greedy}


GAME = Duel()
parse_many = GAME.parse_many  #: positions of a file's lines, see [gamecore.game.Game.parse_many][]
