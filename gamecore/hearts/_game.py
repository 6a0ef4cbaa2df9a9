"""Hearts for every tool: one round."""

import functools
from typing import TYPE_CHECKING, Any, Final

from gamecore.cards import name_of, names_of
from gamecore.contract import Bounds
from gamecore.errors import OptionError
from gamecore.game import Choice, Command, Json, Option, PackageGame, Player, checked
from gamecore.hearts._position import Round, random
from gamecore.hearts._rules import DIRECTIONS, Rules
from gamecore.hearts._solve import METHODS, analyse, solve
from gamecore.limits import Limits
from gamecore.search import Refinement, Repeated

if TYPE_CHECKING:
    from gamecore.draw import Picture


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


def _asking(who: Any) -> Any:
    def choose(position: Any, limits: Limits, rng: Any) -> Choice:
        return Choice(position.ask(who), False)

    return choose


GAME: Final = Hearts()
