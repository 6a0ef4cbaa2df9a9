"""The duel as a :class:`gamecore.game.Game`."""

from typing import TYPE_CHECKING, Any, Final

from gamecore.cards import name_of
from gamecore.duel._position import MAX_CARDS, PASS, Position, deal, greedy_move, parse, random
from gamecore.duel._solve import Solver, analyse, solve
from gamecore.game import Choice, Game, Option, Player, Words, checked, takes

if TYPE_CHECKING:
    from gamecore.batch.spec import Batch
    from gamecore.search import Refinement


_CARDS: Final = Option("n", "Cards each", 6, 1, MAX_CARDS, flag="cards")


class _Words(Words):
    """See :class:`gamecore.game.Words`."""

    def turn(self, position: Any, me: Any = None) -> str:
        if position.is_over:
            verb = "win" if position.winner == me else "wins"
            return f"{self.name(position.winner, me)} {verb} {self.amount(position.points)}"
        who = self.name(position.to_move, me)
        if position.last is None:
            return f"{who} may play any card"
        if position.legal_moves() == (PASS,):
            return f"{who} must pass: no card fits the {name_of(position.last)}"
        return f"{who} must match the {name_of(position.last)}"

    def move(self, position: Any, move: str) -> str:
        return "pass: no card fits" if move == PASS else name_of(move)


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

    @property
    def words(self) -> _Words:
        return _Words(self)

    @takes(_CARDS)
    def start(self, *, rng: Any = None, **options: Any) -> Any:
        return deal(checked(options, (_CARDS,))["n"], rng=rng)

    def random(self, *, rng: Any = None, plies: int | None = None, **options: Any) -> Any:
        return random(**checked(options, (_CARDS,)), plies=plies, rng=rng)

    parse: Any = staticmethod(parse)
    solve: Any = staticmethod(solve)
    analyse: Any = staticmethod(analyse)

    @property
    def batch(self) -> "Batch[Any]":
        from gamecore.duel._batch import BATCH

        return BATCH

    def refine(self, position: Any, table_mb: float | None = None) -> "Refinement":
        return Solver(table_mb).refine(position)

    @property
    def players(self) -> dict[str, Player]:
        greedy = Player("gets rid of the most points", lambda position, *_: Choice(greedy_move(position), False))
        return {**super().players, "greedy": greedy}

    def picture(
        self, position: Any, moves: Any = (), line: Any = (), *, seat: int | None = None, width: int | None = None
    ) -> Any:
        from gamecore.duel._picture import picture

        return picture(position, moves, line, width)


GAME = Duel()
parse_many = GAME.parse_many  #: positions of a file's lines, see [gamecore.game.Game.parse_many][]
