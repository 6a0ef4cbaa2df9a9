"""Hearts as the page shows it: one seat's view, or all hands open."""

import math
from collections.abc import Iterable
from itertools import islice
from typing import Any, ClassVar, Final

from gamecore import contract, hearts
from gamecore.cards import name_of, names_of
from gamecore.contract import Bounds, MoveValue, plain
from gamecore.errors import OptionError, ParseError
from gamecore.explore import _bounds
from gamecore.explore._explorer import Explorer, Json, choice_option, count_of, read_options, whole_option
from gamecore.explore._seal import PREFIX, opened, seal
from gamecore.hearts._rules import DIRECTIONS, SEATS
from gamecore.hearts._text import rules_text
from gamecore.limits import Limits
from gamecore.text import printable

#: The library's players behind the names of the page.
_PLAYERS: Final = {
    "search": "search:160", "linear": "linear", "solver": "solver:200", "pimc": "pimc:100", "greedy": "greedy",
    "duck": "duck", "random": "random",
}  # fmt: skip
_FIELDS: Final = ("hands", "rules", "passing", "passed", "played", "seed", "index")


class Refinement:
    """All hands open: every card searched together, each step with an empty table and more time."""

    def __init__(self, round_: hearts.Round, table_mb: float) -> None:
        if round_.passing_seats:
            raise OptionError("cards are still to be passed: no card has a value yet")
        self.nodes = 0
        self.table_bytes = 0
        self._round, self._table_mb = round_, table_mb
        self._known: dict[str, hearts.MoveValue] = {}
        self._spent = 0.0

    def step(self, seconds: float) -> hearts.Analysis:
        """Search anew with what is left, and keep the better of old and new bounds."""
        limits = Limits(seconds=seconds, table_mb=self._table_mb)
        found = hearts.analyse(self._round, limits, "max_n")
        self.nodes += found.nodes
        self._spent += found.seconds
        for entry in found:
            known = self._known.get(entry.move, entry)
            better = entry if entry.upper - entry.lower <= known.upper - known.lower else known
            self._known[entry.move] = better
        moves = tuple(sorted(self._known.values(), key=lambda one: (-one.lower, -one.upper)))
        return contract.Analysis(moves, self._round.to_move, self.nodes, self._spent)

    def line(self, move: str, seconds: float) -> tuple[str, ...]:
        """The card and best play of all seats after it."""
        after = self._round.play(move)
        found = hearts.solve(after, Limits(seconds=seconds, table_mb=self._table_mb), "max_n")
        self.nodes += found.nodes
        self.table_bytes = max(self.table_bytes, found.table_bytes)
        return (move, *found.line) if after.is_over or found.line else ()


class Hearts(Explorer):
    """See :class:`Explorer`. Bounds are values, minus points; texts and words say points."""

    library: ClassVar[Any] = hearts
    game = "hearts"
    title = "Hearts"
    summary = "Four seats, thirteen tricks: each heart costs a point, the queen of spades thirteen."
    start = hearts.Round.deal(rng=7).to_text()
    sides = ("0", "1", "2", "3")
    players = (
        ("search", "Search: learned play over 160 deals that explain the round, the strongest"),
        ("linear", "Linear: what was learned, without any search"),
        ("solver", "Solver: playouts, and exact near the end"),
        ("pimc", "Playouts: 100 deals a decision"),
        ("greedy", "Greedy: a tree of simple rules"),
        ("duck", "Duck: stays below the trick"),
        ("random", "Random: any legal card"),
    )
    options = (
        choice_option("passing", "Cards are passed", tuple(DIRECTIONS), "left"),
        whole_option("plies", "Moves played", 0, 56, 0),
    )
    accepts = ("the notation RULES:PASSING:DEAL:PASSED:PLAYED:SEED",)
    unit = "points"
    longest = math.inf

    def about(self) -> Json:
        """See :class:`Explorer`; it tells no hand of the first round."""
        return super().about() | {"start": seal(self.start)}

    def read(self, text: str) -> hearts.Round:
        """See :class:`Explorer`."""
        return hearts.Round.from_text(opened(text))

    def read_many(self, text: str) -> Iterable[hearts.Round]:
        """See :class:`Explorer`."""
        lines = [line for line in text.splitlines() if line.strip()]
        if not lines:
            raise ParseError("the text is empty; a round is written RULES:PASSING:DEAL:PASSED:PLAYED:SEED")
        return islice(map(hearts.Round.from_text, lines), _bounds.TEXT_POSITIONS)

    def build(self, draft: Json) -> hearts.Round:
        """See :class:`Explorer`."""
        for name in draft:
            if name not in _FIELDS:
                raise ParseError(f"a draft of hearts has no field {printable(name)}; it has {', '.join(_FIELDS)}")
        rules = draft.get("rules", {})
        if not isinstance(rules, dict):
            raise ParseError("rules has to be an object of rules by name")
        every = hearts.Rules().to_dict() | rules
        return hearts.Round.from_dict(
            {
                "dealt": draft.get("hands"),
                "rules": every,
                "passing": draft.get("passing", "hold"),
                "passed": draft.get("passed", []),
                "played": draft.get("played", []),
                "seed": _seed(draft.get("seed", 0)),
                "index": draft.get("index", 0),
            }
        )

    def draft(self, position: hearts.Round) -> Json:
        """See :class:`Explorer`."""
        found = position.to_dict()
        return {"hands": found.pop("dealt"), **found, "seed": str(position.seed)}  # larger than a page's numbers

    def random(self, options: Json, seed: int) -> hearts.Round:
        """See :class:`Explorer`."""
        return hearts.random(**read_options(options, self.options), rng=seed)

    def text(self, position: hearts.Round, seat: int | None) -> str:
        """See :class:`Explorer`; sealed for one seat: a notation has all hands and passes."""
        return position.to_text() if seat is None else seal(position.to_text())

    def move_text(self, position: hearts.Round, move: str, seat: int | None) -> str:
        """See :class:`Explorer`; what another seat passes on is sealed."""
        hidden = seat is not None and position.passing_seats and position.to_move != seat
        return seal(move, position.to_text()) if hidden else move

    def read_move(self, position: hearts.Round, text: str) -> str:
        """See :class:`Explorer`."""
        return opened(text, position.to_text())

    def is_sealed(self, text: str) -> bool:
        """See :class:`Explorer`."""
        return text.startswith(PREFIX)

    def view(self, position: hearts.Round, seat: int | None = None) -> Json:
        """See :class:`Explorer`; of one seat: its hand alone, in text and words too, and nothing to edit."""
        found = super().view(position, seat)
        found |= {"state": self.state(position, seat), "label": self.label(position, seat)}
        if seat is not None:
            found["draft"] = None
            found["text"] = position.view(seat).picture().text(color=False, symbols=True)
            if position.to_move != seat:
                found |= {"legal_moves": [], "moves": []}
        return found

    def state(self, position: hearts.Round, seat: int | None = None) -> Json:
        """See :class:`Explorer`."""
        views = [position.view(one) for one in SEATS]
        shown = [seat in (None, one) for one in SEATS]
        return {
            "seat": seat,
            "hands": [list(view.hand) if open_ else None for view, open_ in zip(views, shown, strict=True)],
            "counts": [len(view.hand) for view in views],
            "phase": "over" if position.is_over else "passing" if position.passing_seats else "play",
            "trick": plain(position.trick),
            "tricks": [_trick(trick) for trick in position.tricks],
            "trick_number": min(13, len(position.tricks) + 1),
            "points": list(position.points),
            "taken": list(position.taken),
            "voids": list(views[0].voids),
            "passing": position.passing,
            "passing_seats": list(position.passing_seats),
            "passed": [list(view.passed) if open_ else None for view, open_ in zip(views, shown, strict=True)],
            "received": [list(view.received) if open_ else None for view, open_ in zip(views, shown, strict=True)],
            "rules": position.rules.to_dict(),
            "rules_text": rules_text(position.rules),
            "to_move": position.to_move,
        }

    def move(self, position: hearts.Round, move: str) -> Json:
        """See :class:`Explorer`."""
        cards = move.split("-")
        if len(cards) > 1:
            return {"move": move, "text": f"pass on {names_of(cards)}", "card": None, "cards": cards}
        return {"move": move, "text": name_of(move), "card": move, "cards": cards}

    def turn(self, position: hearts.Round) -> str:
        """See :class:`Explorer`."""
        if position.is_over:
            return "the round is over"
        if position.passing_seats:
            return f"seat {position.to_move} has to pass on three cards ({position.passing})"
        if position.trick:
            return f"seat {position.to_move} to play on the {name_of(position.trick[0][1])}"
        return f"seat {position.to_move} leads to trick {len(position.tricks) + 1}"

    def result(self, position: hearts.Round) -> str:
        """See :class:`Explorer`."""
        points = ", ".join(f"seat {seat} has {points}" for seat, points in enumerate(position.points))
        return f"the round is over: {points}"

    def label(self, position: hearts.Round, seat: int | None = None) -> str:
        """See :class:`Explorer`."""
        hands = ". ".join(
            f"Seat {one} holds {names_of(hand)}"
            for one, hand in enumerate(position.hands)
            if hand and seat in (None, one)
        )
        table = ", ".join(f"{name_of(card)} by seat {one}" for one, card in position.trick)
        end = self.result(position) if position.is_over else self.turn(position)
        return f"{hands}. On the table: {table or 'nothing'}. {end}.".removeprefix(". ")

    # --- values

    def refinement(self, position: hearts.Round, table_mb: float) -> Refinement:
        """See :class:`Explorer`."""
        return Refinement(position, table_mb)

    def shown(self, bounds: Bounds[Any]) -> str:
        """Points: the fewer, the better."""
        return f"{-bounds.lower}" if bounds.exact else f"{-bounds.upper}..{-bounds.lower}"

    def side(self, position: hearts.Round) -> str:
        """See :class:`Explorer`."""
        return f"seat {position.to_move}"

    def words(self, bounds: Bounds[Any], position: Any) -> str:
        """See :class:`Explorer`."""
        if bounds.exact:
            return f"gets {count_of(-bounds.lower, 'point')}"
        return f"gets {-bounds.upper} to {-bounds.lower} points"

    def more(self, entry: MoveValue[Any]) -> Json:
        """See :class:`Explorer`."""
        return {"max_n_points": plain(getattr(entry, "max_n_points", None))}

    def cost(self, best: Bounds[Any], entry: Bounds[Any], position: Any) -> tuple[float | None, str]:
        """See :class:`Explorer`."""
        points = best.lower - entry.upper
        if best.exact and entry.exact:
            return points, f"costs {count_of(points, 'point')}"
        return None, f"costs at least {count_of(points, 'point')}"

    # --- players and copies

    def choose(self, position: hearts.Round, player: str, seconds: float, seed: int) -> tuple[str, bool]:
        """See :class:`Explorer`; the library's players draw from the round's own stream, whatever the seed."""
        if player not in _PLAYERS:
            raise OptionError(f"player has to be one of {', '.join(_PLAYERS)}, not {printable(player)}")
        if position.is_over:
            raise OptionError("the round is over: there is no move to choose")
        return position.ask(_PLAYERS[player]), player != "solver"

    def greedy(self, position: hearts.Round) -> str:
        """See :class:`Explorer`."""
        return position.ask("greedy")

    def picture(self, position: hearts.Round, analysis: Any, seat: int | None) -> Any:
        """See :class:`Explorer`; of one seat with what playouts say, if there is something."""
        return position.picture(analysis or ()) if seat is None else position.view(seat).picture(analysis or ())

    def judge(self, position: hearts.Round) -> str | None:
        """There is no judge's text of hearts."""
        return None

    def python(self, position: hearts.Round, seat: int | None) -> str:
        """See :class:`Explorer`."""
        if seat is None:
            lines = ["from gamecore import Limits, hearts", ""]
            lines.append(f'round_ = hearts.Round.from_text("{position.to_text()}")')
            lines.append("print(hearts.analyse(round_, Limits(seconds=5)))")
        else:
            lines = ["from gamecore import hearts", "from gamecore.hearts import Rules, Trick, View", ""]
            lines += [f"view = {position.view(seat)!r}", "print(view.draw())"]
            if can_judge(position, seat):
                lines.append('print(*hearts.evaluate_moves(view, playouts=1000, rng=0), sep="\\n")')
        return "\n".join(lines) + "\n"

    def command(self, position: hearts.Round, seat: int | None) -> str | None:
        """See :class:`Explorer`; a command takes the whole round, so that one seat has none."""
        return f"gamecore hearts solve {position.to_text()} --analyse --time-limit 5" if seat is None else None


def can_judge(position: hearts.Round, seat: int) -> bool:
    """Whether a seat has a card to play now."""
    return not position.is_over and not position.passing_seats and position.to_move == seat


def _seed(given: object) -> object:
    """A seed of a draft, or of its text."""
    if isinstance(given, str) and given.isascii() and given.isdigit() and len(given) <= 20:
        return int(given)
    return given


def _trick(trick: hearts.Trick) -> Json:
    points = sum(13 if card == "SQ" else card[0] == "H" for card in trick.cards)
    return {"leader": trick.leader, "cards": list(trick.cards), "winner": trick.winner, "points": points}
