"""Hearts for every tool: one round."""

import functools
from typing import TYPE_CHECKING, Any, Final

from gamecore.errors import OptionError
from gamecore.game import Choice, Game, Json, Option, Player, as_position, checked, takes
from gamecore.hearts._position import Round, random
from gamecore.hearts._rules import DIRECTIONS, Rules
from gamecore.hearts._solve import analyse, solve
from gamecore.hearts._words import HeartsWords
from gamecore.limits import Limits
from gamecore.search import Refinement, Repeated

if TYPE_CHECKING:
    from gamecore.draw import Picture

_PLAYOUTS: Final = 1000  # of advice, per card
_FIELDS: Final = ("hands", "rules", "passing", "passed", "played", "seed", "index")
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
_PRESETS: Final[dict[str, Json]] = {
    "mid-round, no passing": {"passing": "hold", "plies": 26},
    "the last five tricks": {"passing": "hold", "plies": 32},
    **{f"a whole round, passing {name}": {"passing": name} for name in ("left", "across", "right")},
    "a whole round, no passing": {"passing": "hold"},
    **{f"a whole round, {name}": {"variant": name} for name in list(_VARIANTS)[1:]},
}


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

    @property
    def words(self) -> HeartsWords:
        return HeartsWords(self)

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

    def solve(self, position: Any, limits: Any = None, **options: Any) -> Any:
        return solve(position, limits, **options)

    def analyse(self, position: Any, limits: Any = None, **options: Any) -> Any:
        return analyse(position, limits, **options)

    def refine(self, position: Any, table_mb: float | None = None) -> Refinement:
        position = as_position(self, position)
        if position.passing_seats:
            raise OptionError("cards are still to be passed: no card has a value yet")
        analyse_cards = functools.partial(analyse, method="max_n")  # all hands open
        return Repeated(position, analyse_cards, functools.partial(solve, method="max_n"), self.words.order, table_mb)

    @property
    def players(self) -> dict[str, Player]:
        return {name: Player(title, _asking(who)) for name, (who, title) in _PLAYERS.items()}

    def picture(
        self, position: Any, moves: Any = (), line: Any = (), *, seat: int | None = None, width: int | None = None
    ) -> "Picture":
        from gamecore.hearts._picture import picture

        return picture(position if seat is None else position.view(seat), moves, width)


def _deal(seed: int, rules: Rules, index: int) -> Round:
    """Return a round of a match; the passing direction follows the rules' cycle."""
    passing = rules.cycle[index % len(rules.cycle)] if rules.pass_cards else "hold"
    return Round.deal(seed, rules, passing, None, index)


def _asking(who: Any) -> Any:
    def choose(position: Any, limits: Limits, rng: Any) -> Choice:
        return Choice(position.ask(who), False)

    return choose


def _seed(text: object) -> object:
    """Return the seed of a draft, read from text."""
    return int(text) if isinstance(text, str) and text.isascii() and text.isdigit() and len(text) <= 20 else text


GAME: Final = Hearts()
