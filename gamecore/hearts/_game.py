"""Hearts for every tool: one round."""

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final

from gamecore.cards import name_of, names_of
from gamecore.contract import Bounds
from gamecore.errors import IllegalMoveError, OptionError, ParseError
from gamecore.game import Choice, Game, Json, Option, Player, checked
from gamecore.hearts._cards import EXCHANGED
from gamecore.hearts._position import Round, random
from gamecore.hearts._rules import DIRECTIONS, Rules
from gamecore.hearts._solve import MoveValue, Solution, analyse, solve
from gamecore.limits import Limits
from gamecore.search import Refinement, Repeated
from gamecore.text import printable
from gamecore.typed_cards import read_card, read_cards

if TYPE_CHECKING:
    from gamecore.draw import Pen, Picture

_FIELDS: Final = ("hands", "rules", "passing", "passed", "played", "seed", "index")
_PLAYERS: Final = {
    "search": ("search:160", "learned play over 160 deals that explain the round, the strongest"),
    "linear": ("linear", "learned weights, without any search"),
    "solver": ("solver:200", "playouts, and exact near the end"),
    "pimc": ("pimc:100", "100 deals a decision"),
    "greedy": ("greedy", "a tree of simple rules"),
    "duck": ("duck", "stays below the trick"),
    "random": ("random", "any legal card"),
}


class Hearts(Game):
    """See :class:`gamecore.game.Game`. Bounds are values, minus points; words say points."""

    name = "hearts"
    title = "Hearts"
    summary = "Four seats, thirteen tricks: each heart costs a point, the queen of spades thirteen."
    rules = """\
Each of four seats gets 13 cards and may pass three of them on; the two of clubs leads.
Follow the suit led if you can; the highest card of that suit takes the trick and leads the next.
Each heart in a trick costs a point, the queen of spades 13; fewest points win.
Hearts cannot be led until one was played.
A seat that takes all 26 points gets none, and each other seat gets 26."""
    sides = ("0", "1", "2", "3")
    notation = "RULES:PASSING:DEAL:PASSED:PLAYED:SEED"
    accepts = ("the notation RULES:PASSING:DEAL:PASSED:PLAYED:SEED",)
    typing = "Type a card: H7, 7h, 10c, a rank alone if one card has it; three of them to pass."
    options = (Option("passing", "Cards are passed", "left", choices=tuple(DIRECTIONS)),)
    seats = 4
    table_mb = 64
    position_type = Round
    solution_type = Solution
    move_value_type = MoveValue

    @property
    def example(self) -> str:  # type: ignore[override]
        return Round.deal(rng=7).to_text()

    def start(self, *, rng: Any = None, **options: Any) -> Round:
        return Round.deal(rng=rng, passing=checked(options, self.options)["passing"])

    def random(self, *, rng: Any = None, plies: int | None = None, **options: Any) -> Round:
        return random(**checked(options, self.options), plies=plies, rng=rng)

    def draft(self, position: Any) -> Json:
        found = position.to_dict()
        return {"hands": found.pop("dealt"), **found, "seed": str(position.seed)}  # a page's numbers are too small

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

    def solve(self, position: Any, limits: Limits | None = None, **options: Any) -> Solution:
        return solve(position, limits, **options)

    def analyse(self, position: Any, limits: Limits | None = None) -> Any:
        return analyse(position, limits)

    def refine(self, position: Any, table_mb: float | None = None) -> Refinement:
        position = self.read(position)
        if position.passing_seats:
            raise OptionError("cards are still to be passed: no card has a value yet")
        return _Cards(self, position, table_mb)

    def solve_many(self, positions: Any, limits: Limits | None = None, **plan: Any) -> Sequence[Any]:
        from gamecore.hearts._batch import solve_many

        return solve_many(positions, limits, **plan)

    def solve_iter(self, positions: Any, limits: Limits | None = None, **plan: Any) -> Iterator[Any]:
        from gamecore.hearts._batch import solve_iter

        return solve_iter(positions, limits, **plan)

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

    def result(self, position: Any) -> str:
        points = ", ".join(f"seat {seat} has {points}" for seat, points in enumerate(position.points))
        return f"the round is over: {points}"

    def label(self, position: Any, seat: int | None = None) -> str:
        held = enumerate(position.hands)
        hands = " ".join(f"Seat {one} holds {names_of(hand)}." for one, hand in held if hand and seat in (None, one))
        table = ", ".join(f"{name_of(card)} by seat {one}" for one, card in position.trick)
        end = self.result(position) if position.is_over else self.turn(position)
        return f"{hands} On the table: {table or 'nothing'}. {end}.".strip()

    def move_text(self, position: Any, move: str) -> str:
        cards = move.split("-")
        return f"pass {names_of(cards)}" if len(cards) > 1 else name_of(move)

    def shown(self, move: str, pen: "Pen") -> str:
        return " ".join(map(pen.card, move.split("-")))

    def typed(self, position: Any, text: str) -> str:
        if position.passing_seats:
            cards = read_cards(text, position.hands[position.to_move])
            if len(cards) != EXCHANGED:
                raise IllegalMoveError(f"type three cards, not {len(cards)}")
            return "-".join(cards)
        return read_card(text, position.legal_moves())

    def picture(
        self, position: Any, moves: Iterable[Any] = (), line: Iterable[str] = (), *, seat: int | None = None
    ) -> "Picture":
        found: Picture = (position if seat is None else position.view(seat)).picture(moves)
        return found


class _Cards(Repeated):
    """All hands open: every card's value, each step with an empty table and more time."""

    def line(self, move: str, seconds: float) -> Sequence[str]:
        after = self.position.play(move)
        found = solve(after, Limits(seconds=seconds, table_mb=self._table_mb), "max_n")
        self.nodes += found.nodes
        return (move, *found.line) if after.is_over or found.line else ()


def _asking(who: str) -> Any:
    def choose(position: Any, limits: Limits, rng: Any) -> Choice:
        return Choice(position.ask(who), False)

    return choose


def _seed(given: object) -> object:
    """Return a seed of a draft, or of its text."""
    if isinstance(given, str) and given.isascii() and given.isdigit() and len(given) <= 20:
        return int(given)
    return given


GAME: Final = Hearts()
