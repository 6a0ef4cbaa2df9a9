"""Hearts for every tool: one round."""

import functools
from typing import TYPE_CHECKING, Any, Final

from gamecore.cards import name_of, names_of
from gamecore.contract import Bounds
from gamecore.errors import OptionError, ParseError
from gamecore.game import Choice, Command, Json, Option, PackageGame, Player, checked
from gamecore.hearts._position import Round, random
from gamecore.hearts._rules import DIRECTIONS, Rules
from gamecore.hearts._solve import METHODS, analyse, solve
from gamecore.limits import Limits
from gamecore.search import Refinement, Repeated
from gamecore.text import printable

if TYPE_CHECKING:
    from gamecore.draw import Picture


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
_PRESETS: Final[dict[str, Json]] = {
    "mid-round, no passing": {"passing": "hold", "plies": 26},
    "the last five tricks": {"passing": "hold", "plies": 32},
    **{f"a whole round, passing {name}": {"passing": name} for name in ("left", "across", "right")},
    "a whole round, no passing": {"passing": "hold"},
    **{f"a whole round, {name}": {"variant": name} for name in list(_VARIANTS)[1:]},
}


class Hearts(PackageGame):
    """See :class:`gamecore.game.Game`. Bounds are values, minus points; words say points."""

    name = "hearts"
    title = "Hearts"
    summary = "Four seats, thirteen tricks: each heart costs a point, the queen of spades thirteen."
    rules = """\
Each of four seats gets 13 cards and may pass three of them; the two of clubs leads.
Follow the suit led if you can; the highest card of that suit takes the trick and leads the next.
Each heart in a trick costs a point, the queen of spades 13; fewest points win.
Hearts cannot be led until one has been played.
A seat that takes all 26 points gets none, and each other seat gets 26."""
    sides = ("0", "1", "2", "3")
    notation = "RULES:PASSING:DEAL:PASSED:PLAYED:SEED"
    accepts = ("the notation RULES:PASSING:DEAL:PASSED:PLAYED:SEED",)
    help = """\
players, some with options after colons:
  random                any legal card
  greedy                a decision tree of simple rules
  duck                  a better one, which stays below the trick
  intelligent           the source's: a playout per legal card
  literal               the source's pseudo-code as printed
  linear                learned weights, no search
  search:160            160 inferred deals per decision, played out by learned
                        weights: the strongest
  search:5ms            ... 5 ms per decision
  pimc:100              100 deals per decision, played out by greedy seats
  mc:100                ... by random seats
  pimc:100:duck         ... by duck seats
  pimc:100:infer=8      ... deals drawn by the likelihood of the play so far
  solver:100            as pimc; near the end it solves the deals exactly
  ismcts:1000           information-set tree search, 1000 iterations with
                        playouts by duck

A round is given as RULES:PASSING:DEAL:PASSED:PLAYED:SEED, as `deal` prints it,
or as a file with one per line. Fewer points are better. A value is minus the
points of the seat to move: larger is better.

examples:
  gamecore hearts simulate --players pimc:100 greedy greedy greedy \\
      --rounds 1000 --seed 7 --workers 2
  gamecore hearts compare duck pimc:20 pimc:100 --field greedy \\
      --rounds 200 --seed 7 --workers 2
  gamecore hearts match --players duck greedy greedy greedy --seed 7
  gamecore hearts deal --seed 7 --plies 32 --player greedy |
      gamecore hearts solve --line --analyse
  gamecore hearts deal --seed 7 --passing left --plies 14 |
      gamecore hearts evaluate --seed 7 --draw"""
    options = (
        Option("passing", "Cards are passed", "left", choices=tuple(DIRECTIONS)),
        Option("variant", "Rules", "standard", choices=tuple(_VARIANTS)),
    )
    presets = _PRESETS
    seats = 4
    table_mb = 64
    position_type = Round

    @property
    def example(self) -> str:  # type: ignore[override]
        return Round.deal(rng=7).to_text()

    def start(self, *, rng: Any = None, **options: Any) -> Round:
        return Round.deal(rng=rng, **self._chosen(options), passer=None)

    def random(self, *, rng: Any = None, plies: int | None = None, **options: Any) -> Round:
        return random(**self._chosen(options), plies=plies, rng=rng)

    def _chosen(self, options: Json) -> Json:
        chosen = checked(options, self.options)
        return {"passing": chosen["passing"], "rules": Rules(**_VARIANTS[chosen["variant"]])}

    def draft(self, position: Any) -> Json:
        fields = position.to_dict()
        return {
            "hands": fields.pop("dealt"),
            **fields,
            "seed": str(position.seed),
        }  # JavaScript's numbers are too small

    def build(self, draft: Json) -> Round:
        for name in draft:
            if name not in _FIELDS:
                raise ParseError(f"a draft of hearts has no field {printable(name)}; it has {', '.join(_FIELDS)}")
        rules = draft.get("rules", {})
        if not isinstance(rules, dict):
            raise ParseError("rules must be an object of rules by name")
        return Round.from_dict(
            {
                "dealt": draft.get("hands"),
                "rules": Rules().to_dict() | rules,
                "passing": draft.get("passing", "hold"),
                "passed": draft.get("passed", []),
                "played": draft.get("played", []),
                "seed": _seed(draft.get("seed", 0)),
                "index": draft.get("index", 0),
            }
        )

    def refine(self, position: Any, table_mb: float | None = None) -> Refinement:
        position = self.read(position)
        if position.passing_seats:
            raise OptionError("cards are still to be passed: no card has a value yet")
        analyse_cards = functools.partial(analyse, method="max_n")  # all hands open
        return Repeated(position, analyse_cards, functools.partial(solve, method="max_n"), self.order, table_mb)

    @property
    def players(self) -> dict[str, Player]:
        return {name: Player(title, _asking(who)) for name, (who, title) in _PLAYERS.items()}

    def short(self, bounds: Bounds[Any]) -> str:
        return f"{-bounds.lower}" if bounds.exact else f"{-bounds.upper}..{-bounds.lower}"

    def side(self, position: Any) -> str:
        return f"seat {position.to_move}"

    def describe(self, bounds: Bounds[Any], position: Any) -> str:
        if bounds.exact:
            return f"gets {self.amount(-bounds.lower)}"
        return f"gets {-bounds.upper} to {-bounds.lower} points"

    def cost(self, best: Bounds[Any], entry: Bounds[Any], position: Any) -> tuple[float | None, str]:
        points = best.lower - entry.upper
        if best.exact and entry.exact:
            return points, f"costs {self.amount(points)}"
        return None, f"costs at least {self.amount(points)}"

    def turn(self, position: Any) -> str:
        if position.is_over:
            return "the round is over"
        if position.passing_seats:
            return f"seat {position.to_move} must pass three cards ({position.passing})"
        if position.trick:
            return f"seat {position.to_move} to play on the {name_of(position.trick[0][1])}"
        return f"seat {position.to_move} leads to trick {len(position.tricks) + 1}"

    def result(self, position: Any, me: Any = None) -> str:
        points = ", ".join(f"seat {seat} has {points}" for seat, points in enumerate(position.points))
        return f"the round is over: {points}"

    def label(self, position: Any, seat: int | None = None) -> str:
        held = enumerate(position.hands)
        hands = " ".join(f"Seat {k} holds {names_of(hand)}." for k, hand in held if hand and seat in (None, k))
        table = ", ".join(f"{name_of(card)} by seat {k}" for k, card in position.trick)
        end = self.result(position) if position.is_over else self.turn(position)
        return f"{hands} On the table: {table or 'nothing'}. {end}.".strip()

    def move_text(self, position: Any, move: str) -> str:
        cards = move.split("-")
        return f"pass {names_of(cards)}" if len(cards) > 1 else name_of(move)

    # --- the command

    @property
    def commands(self) -> tuple[Command, ...]:  # type: ignore[override]
        from gamecore.hearts._commands import COMMANDS

        return COMMANDS

    def add_solve_arguments(self, parser: Any) -> None:
        parser.add_argument(
            "--method", choices=METHODS, default="both",
            help="max_n: each for itself; paranoid: three against one; both (default): max_n with paranoid bounds",
        )  # fmt: skip

    def solve_options(self, args: Any) -> Json:
        return {"method": args.method}

    def whose(self, side: Any) -> str:
        return f"seat {side}"

    def is_complete(self, solution: Any, line: bool) -> bool:
        """Return True if all values are exact, whatever the line."""
        return solution.exact and (solution.paranoid_points is None or solution.paranoid_points.exact)

    def answer(self, solution: Any) -> str:
        seat = self.whose(solution.to_move)
        value = solution.lower if solution.exact else Bounds(solution.lower, solution.upper)
        lines = [str(solution), f"value: {value} for {seat} by {solution.method}"]
        if solution.max_n_points is not None:
            lines.append("points of the seats by max_n: " + " ".join(map(str, solution.max_n_points)))
        paranoid = solution.paranoid_points
        if paranoid is not None and solution.method == "max_n":
            against = paranoid.lower if paranoid.exact else f"{paranoid.lower} to {paranoid.upper}"
            lines.append(f"points of {seat} with the others against it: {against}")
        return "\n".join(lines)

    def called(self, side: Any, me: Any = None) -> str:
        return "you" if str(side) == str(me) else f"seat {side}"

    def picture(
        self, position: Any, moves: Any = (), line: Any = (), *, seat: int | None = None, width: int | None = None
    ) -> "Picture":
        from gamecore.hearts._picture import picture

        return picture(position if seat is None else position.view(seat), moves, width)

    # --- the page

    @property
    def shown_first(self) -> str:
        """A round in which the side to move has a choice."""
        return random("hold", plies=26, rng=7).to_text()

    def hides(self, position: Any, seat: int) -> bool:
        return bool(position.passing_seats) and position.to_move != seat

    def python(self, position: Any, seat: int | None = None) -> str:
        if seat is None:
            lines = ["from gamecore import Limits, hearts", ""]
            lines.append(f'round_ = hearts.Round.from_text("{position.to_text()}")')
            lines.append("print(hearts.analyse(round_, Limits(seconds=5)))")
            return "\n".join(lines) + "\n"
        lines = ["from gamecore import hearts", "from gamecore.hearts import Rules, Trick, View", ""]
        lines += [f"view = {position.view(seat)!r}", "print(view.draw())"]
        if not position.is_over and not position.passing_seats and position.to_move == seat:
            lines.append('print(*hearts.evaluate_moves(view, playouts=1000, rng=0), sep="\\n")')
        return "\n".join(lines) + "\n"

    def command(self, position: Any) -> str:
        return f"gamecore hearts solve {position.to_text()} --analyse --time-limit 5"


def _asking(who: Any) -> Any:
    def choose(position: Any, limits: Limits, rng: Any) -> Choice:
        return Choice(position.ask(who), False)

    return choose


def _seed(text: object) -> object:
    """Return the seed of a draft, read from text."""
    return int(text) if isinstance(text, str) and text.isascii() and text.isdigit() and len(text) <= 20 else text


GAME: Final = Hearts()
