"""Hearts for every tool: one round."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from gamecore.cards import name_of, names_of
from gamecore.errors import IllegalMoveError, OptionError, ParseError
from gamecore.game import Choice, Game, Json, Option, Player, as_position, checked, takes
from gamecore.hearts._cards import EXCHANGED
from gamecore.hearts._coding import HeartsCoding
from gamecore.hearts._evaluate import evaluate_moves
from gamecore.hearts._players import any_player
from gamecore.hearts._position import Round, random
from gamecore.hearts._rules import DIRECTIONS, Rules
from gamecore.hearts._solve import analyse, solve
from gamecore.hearts._words import HeartsWords
from gamecore.limits import Limits
from gamecore.search import Refinement, Repeated
from gamecore.text import printable
from gamecore.typed_cards import check_held, read_card, read_cards

if TYPE_CHECKING:
    from gamecore.draw import Pen, Picture

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
    typing = "Type a card: H7, 7h, 10c, a rank alone if one card has it; three of them to pass."
    presets = _PRESETS
    seats = 4
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
        position = as_position(self, position)
        if position.passing_seats:
            raise OptionError("cards are still to be passed: no card has a value yet")
        return _Cards(self, position, table_mb)

    @property
    def players(self) -> dict[str, Player]:
        return {name: Player(title, _asking(who)) for name, (who, title) in _PLAYERS.items()}

    def label(self, position: Any, seat: int | None = None) -> str:
        held = enumerate(position.hands)
        hands = " ".join(f"Seat {k} holds {names_of(hand)}." for k, hand in held if hand and seat in (None, k))
        table = ", ".join(f"{name_of(card)} by seat {k}" for k, card in position.trick)
        end = self.words.turn(position)
        return f"{hands} On the table: {table or 'nothing'}. {end}.".strip()

    def shown(self, move: str, pen: "Pen") -> str:
        return " ".join(map(pen.card, move.split("-")))

    # --- a match at a terminal

    def add_arguments(self, parser: Any) -> None:
        parser.add_argument(
            "--players", nargs="+", metavar="PLAYER",
            help="the three others, from your left: see gamecore hearts --help (default search)",
        )  # fmt: skip
        parser.add_argument("--to", type=int, default=100, metavar="POINTS", help="the match ends there (default 100)")
        from gamecore.cli.hearts import add_rules

        add_rules(parser)

    def start_of(self, args: Any, rng: Any) -> Round:
        from gamecore.cli.hearts import rules_of

        return _deal(int(rng.integers(1 << 62)) if args.seed is None else args.seed, rules_of(args), 0)

    def opponents_of(self, args: Any, sides: Sequence[Any]) -> dict[Any, Player]:
        if not args.players:
            return dict.fromkeys(sides, self.players["search"])
        if len(args.players) != len(sides):
            raise OptionError(f"hearts is played with 3 other players, not {len(args.players)}")
        return {side: Player(name, _asking(any_player(name))) for side, name in zip(sides, args.players, strict=True)}

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
        points = [f"{self.words.name(seat, me)} {view.points[seat]}" for seat in self.around(range(4), me)]
        lines = [pen.row(f"{where}, points", points, ", ")]
        if not view.is_passing:
            table = [f"{self.words.name(seat, me)} {pen.card(card)}" for seat, card in view.trick] or ["you lead"]
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
                f"{self.words.name((trick.leader + k) & 3, me)} {pen.card(card)}" for k, card in enumerate(trick.cards)
            ]
            cards.append(f"-> {self.words.name(trick.winner, me)}")
            lines.append(pen.row(f"trick {len(after.tricks)}:", cards, "  "))
        if after.is_over:
            points = [f"{self.words.name(seat, me)} +{after.points[seat]}" for seat in self.around(range(4), me)]
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


def _seed(text: object) -> object:
    """Return the seed of a draft, read from text."""
    return int(text) if isinstance(text, str) and text.isascii() and text.isdigit() and len(text) <= 20 else text


GAME: Final = Hearts()
