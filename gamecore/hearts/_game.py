"""Hearts for every tool: one round."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from gamecore.cards import name_of, names_of
from gamecore.contract import Bounds
from gamecore.errors import IllegalMoveError, OptionError
from gamecore.game import Choice, Command, Json, Option, PackageGame, Player, checked
from gamecore.hearts._cards import EXCHANGED
from gamecore.hearts._coding import HeartsCoding
from gamecore.hearts._commands import add_rules, rules_of
from gamecore.hearts._evaluate import evaluate_moves
from gamecore.hearts._players import any_player
from gamecore.hearts._position import Round, random
from gamecore.hearts._rules import DIRECTIONS, Rules
from gamecore.hearts._solve import METHODS, analyse, solve
from gamecore.limits import Limits
from gamecore.search import Refinement, Repeated
from gamecore.typed_cards import check_held, read_card, read_cards

if TYPE_CHECKING:
    from gamecore.draw import Pen, Picture

_NAMES: Final = ("you", "left", "across", "right")
_PLAYOUTS: Final = 1000  # of advice, per card
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
    typing = "Type a card: H7, 7h, 10c, a rank alone if one card has it; three of them to pass."
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
        return _Cards(self, position, table_mb)

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

    def shown(self, move: str, pen: "Pen") -> str:
        return " ".join(map(pen.card, move.split("-")))

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

    # --- a match at a terminal

    def add_arguments(self, parser: Any) -> None:
        parser.add_argument(
            "--players", nargs="+", metavar="PLAYER",
            help="the three others, from your left: see gamecore hearts --help (default search)",
        )  # fmt: skip
        parser.add_argument("--to", type=int, default=100, metavar="POINTS", help="the match ends there (default 100)")
        add_rules(parser)

    def start_of(self, args: Any, rng: Any) -> Round:
        return _deal(int(rng.integers(1 << 62)) if args.seed is None else args.seed, rules_of(args), 0)

    def opponents_of(self, args: Any, sides: Sequence[Any]) -> dict[Any, Player]:
        if not args.players:
            return dict.fromkeys(sides, self.players["search"])
        if len(args.players) != len(sides):
            raise OptionError(f"hearts is played with 3 other players, not {len(args.players)}")
        return {side: Player(name, _asking(any_player(name))) for side, name in zip(sides, args.players, strict=True)}

    def called(self, side: Any, me: Any = None) -> str:
        return f"seat {side}" if me is None else _NAMES[(side - me) & 3]

    def around(self, items: Sequence[Any], me: Any) -> list[Any]:
        return [items[(me + k) & 3] for k in range(4)]

    def other_side(self, position: Any, me: Any) -> Any:
        return (me + 1) & 3

    def scores(self, position: Any) -> tuple[int, ...]:
        return tuple(position.points)

    def following(self, position: Any, number: int, totals: tuple[int, ...]) -> Round | None:
        rules = position.rules
        return None if max(totals) >= rules.match_points else _deal(position.seed, rules, position.index + 1)

    def prompt(self, position: Any) -> str:
        return f"pass three cards {position.passing}: " if position.passing_seats else "your card: "

    def show(self, position: Any, pen: "Pen", me: Any = None) -> str:
        if position.is_over:
            return ""
        view = position.view(me)
        legal = () if view.is_passing or position.to_move != me else view.legal_moves()
        where = "passing" if view.is_passing else f"trick {len(view.tricks) + 1}"
        points = [f"{self.called(seat, me)} {view.points[seat]}" for seat in self.around(range(4), me)]
        lines = [pen.row(f"{where}, points", points, ", ")]
        if not view.is_passing:
            table = [f"{self.called(seat, me)} {pen.card(card)}" for seat, card in view.trick] or ["you lead"]
            lines.append(pen.row("on the table", table, "  ", 14))
        suits = [[pen.card(card, *(("bold",) if card in legal else ())) for card in view.hand if card[0] == suit]
                 for suit in "CDSH"]  # fmt: skip
        lines.append(pen.row("your hand", [" ".join(suit) for suit in suits if suit], "  ", 14))
        if legal:
            lines.append(pen.row("legal", map(pen.card, legal), indent=14))
        return "\n".join(lines)

    def news(self, before: Any, move: str, after: Any, pen: "Pen", me: Any) -> list[str]:
        lines = []
        if before.passing_seats and not after.passing_seats:
            lines.append(pen.row("you got", map(pen.card, after.view(me).received)))
        if len(after.tricks) > len(before.tricks):
            trick = after.tricks[-1]
            cards = [
                f"{self.called((trick.leader + k) & 3, me)} {pen.card(card)}" for k, card in enumerate(trick.cards)
            ]
            cards.append(f"-> {self.called(trick.winner, me)}")
            lines.append(pen.row(f"trick {len(after.tricks)}:", cards, "  "))
        if after.is_over:
            points = [f"{self.called(seat, me)} +{after.points[seat]}" for seat in self.around(range(4), me)]
            lines.append(pen.row("round:", points, ", "))
        return lines

    def advice(self, position: Any, limits: Limits, me: Any) -> tuple[str, list[tuple[str, str, float, float]]]:
        if position.passing_seats:
            raise OptionError("there are no estimates while cards are passed; hint names three cards to pass")
        estimates = evaluate_moves(position.view(me), limits, playouts=_PLAYOUTS, rng=0)
        heading = "Points to expect in this round, by playouts over deals that agree with what you have seen:"
        return heading, [(e.move, f" {e.mean:5.2f} +- {e.stderr:.2f}", 1, -1) for e in estimates if e.playouts]

    def hint(self, position: Any, limits: Limits, me: Any) -> Choice:
        if position.passing_seats:
            return super().hint(position, limits, me)
        _, moves = self.advice(position, limits, me)
        return Choice(moves[0][0] if moves else position.ask("duck"), False)

    def typed(self, position: Any, text: str) -> str:
        if position.passing_seats:
            cards = read_cards(text, position.hands[position.to_move])
            if len(cards) != EXCHANGED:
                raise IllegalMoveError(f"type three cards, not {len(cards)}")
        else:
            cards = [read_card(text, position.legal_moves())]
        check_held(cards, position.hands[position.to_move])
        return "-".join(cards)

    def coding(self, start: Any) -> HeartsCoding:
        return HeartsCoding()

    def picture(
        self, position: Any, moves: Any = (), line: Any = (), *, seat: int | None = None, width: int | None = None
    ) -> "Picture":
        from gamecore.hearts._picture import picture

        return picture(position if seat is None else position.view(seat), moves, width)


class _Cards(Repeated):
    """All hands open: max^n values of all cards; each step restarts with an empty table and more time."""

    def analyse(self, limits: Limits) -> Any:
        return analyse(self.position, limits, "max_n")

    def line(self, move: str, seconds: float) -> Sequence[str]:
        after = self.position.play(move)
        solution = solve(after, Limits(seconds=seconds, table_mb=self._table_mb), "max_n")
        self.nodes += solution.nodes
        return (move, *solution.line) if after.is_over or solution.line else ()


def _deal(seed: int, rules: Rules, index: int) -> Round:
    """Return a round of a match; the passing direction follows the rules' cycle."""
    passing = rules.cycle[index % len(rules.cycle)] if rules.pass_cards else "hold"
    return Round.deal(seed, rules, passing, None, index)


def _asking(who: Any) -> Any:
    def choose(position: Any, limits: Limits, rng: Any) -> Choice:
        return Choice(position.ask(who), False)

    return choose


GAME: Final = Hearts()
