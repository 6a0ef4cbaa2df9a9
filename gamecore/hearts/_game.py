"""Hearts for every tool: one round in words and as a game, and batches of rounds."""

import functools
from typing import Any, Final

from gamecore.batch.columns import SolutionList
from gamecore.batch.spec import Batch
from gamecore.batch.stream import Parts, Plan
from gamecore.errors import OptionError
from gamecore.game import Choice, Game, Json, Option, Player, as_position, checked, random_move, takes
from gamecore.hearts._position import Round, random
from gamecore.hearts._rules import DIRECTIONS, Rules
from gamecore.hearts._solve import METHODS, Solution, analyse, solve
from gamecore.hearts.words import WORDS
from gamecore.limits import Limits, limits_of
from gamecore.rng import generator
from gamecore.search import Refinement, Repeated
from gamecore.text import checked_word

_PLAYERS: Final = {
    "search": ("search:160", "learned play over 160 inferred deals: the strongest here, not perfect"),
    "linear": ("linear", "learned weights, no search"),
    "solver": ("solver:200", "playouts, and exact near the end; not perfect"),
    "pimc": ("pimc:100", "100 deals per decision"),
    "greedy": ("greedy", "a decision tree of simple rules"),
    "duck": ("duck", "stays below the trick"),
    "random": ("random", "any legal card"),
}

_VARIANTS: Final[dict[str, Json]] = {
    "standard": {},
    "jack of diamonds": {"jack_of_diamonds": True},
    "the shooter of the moon gets -26": {"moon": "shooter"},
    "no moon": {"moon": "none"},
}
_OPTIONS: Final = (
    Option("passing", "Cards are passed", "left", choices=tuple(DIRECTIONS)),
    Option("variant", "Rules", "standard", choices=tuple(_VARIANTS)),
)


class Hearts(Game):
    """See :class:`gamecore.game.Game`."""

    name = "hearts"
    title = "Hearts"
    rules = """\
Four seats, thirteen tricks: each heart costs a point, the queen of spades 13; fewest points win.
Each of four seats gets 13 cards and may pass three of them; the two of clubs leads.
Follow the suit led if you can; the highest card of that suit takes the trick and leads the next.
Hearts cannot be led until one has been played.
A seat that takes all 26 points gets none, and each other seat gets 26."""
    sides = ("0", "1", "2", "3")
    Position = Round
    words = WORDS

    @property
    def example(self) -> str:  # type: ignore[override]
        return Round.deal(rng=7).to_text()

    @takes(*_OPTIONS)
    def start(self, *, rng: Any = None, **options: Any) -> Round:
        return Round.deal(rng=rng, **self._chosen(options), passer=None)

    def random(self, *, rng: Any = None, plies: int | None = None, **options: Any) -> Round:
        return random(**self._chosen(options), plies=plies, rng=rng)

    def _chosen(self, options: Json) -> Json:
        chosen = checked(options, _OPTIONS)
        return {"passing": chosen["passing"], "rules": Rules(**_VARIANTS[chosen["variant"]])}

    solve: Any = staticmethod(solve)
    analyse: Any = staticmethod(analyse)

    @property
    def batch(self) -> Batch[Any]:
        return BATCH

    def refine(self, position: Any, table_mb: float | None = None) -> Refinement:
        position = as_position(self, position)
        if position.passing_seats:
            raise OptionError("cards are still to be passed: no card has a value yet")
        return Repeated(self, position, table_mb, method="max_n")  # all hands open

    @property
    def players(self) -> dict[str, Player]:
        return {name: Player(title, functools.partial(_ask, who)) for name, (who, title) in _PLAYERS.items()}


def _ask(who: str, position: Any, limits: Limits, rng: Any) -> Choice:
    if limits_of(limits).nodes is not None:
        raise OptionError("nodes is no limit of a player of hearts, which counts none", "nodes")
    if who == "random":
        return random_move(position, limits, rng)
    generator(rng)  # a bad one is refused; these players draw from the round's stream, and decide within 0.2 s
    return Choice(position.ask(who), False)


GAME: Final = Hearts()
parse = GAME.parse  #: one position of a text, see [gamecore.game.Game.parse][]
parse_many = GAME.parse_many  #: positions of a file's lines, see [gamecore.game.Game.parse_many][]


# --- batches ----------------------------------------------------------------------------------------------------------


class Solutions(SolutionList[Solution]):
    """Result of :func:`solve_many`: a sequence of :class:`Solution` with columns.

    Values are minus the points of the seat to move, as in :class:`Solution`.
    """


class _Rounds(Batch[Solutions]):
    """Batches of rounds."""

    def parts(self, positions: Any, limits: Limits | None, plan: Plan, *args: Any, **options: Any) -> Parts:
        checked_word(options.get("method", "both"), "method", METHODS)  # before reading any position
        return super().parts(positions, limits, plan, *args, **options)


BATCH: Final = _Rounds(solve, Solutions._of)
solve_many = BATCH.solve_many  #: many positions at once, see [gamecore.batch.spec.Batch.solve_many][]
solve_iter = BATCH.solve_iter  #: the same, one by one, see [gamecore.batch.spec.Batch.solve_iter][]
