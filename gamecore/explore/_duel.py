"""The card duel as the page shows it."""

from collections.abc import Iterable
from itertools import islice
from typing import Any, ClassVar

from gamecore import duel
from gamecore.cards import name_of, names_of
from gamecore.contract import Bounds
from gamecore.duel import Solver
from gamecore.duel._position import greedy_move, points_of
from gamecore.explore import _bounds
from gamecore.explore._explorer import Explorer, Json, count_of, read_options, whole_option


class Duel(Explorer):
    """See :class:`Explorer`."""

    library: ClassVar[Any] = duel
    game = "duel"
    title = "Card duel"
    summary = "Two open hands; match suit or number or pass. Whose hand empties first wins what is left in the other."
    start = "DQH2HA:H3D6S3:A:-"
    sides = ("Alice", "Bob")
    players = (
        ("solver", "Solver: plays a proven best card"),
        ("greedy", "Greedy: gets rid of the most points"),
        ("random", "Random: any card that fits"),
    )
    options = (
        whole_option("n", "Cards each", 1, duel.MAX_CARDS, 6),
        whole_option("plies", "Moves played", 0, 2 * duel.MAX_CARDS, 0),
    )
    accepts = ("the notation ALICE:BOB:MOVER:LAST", "the judge's text: n, then a line with each hand")
    unit = "points"

    def read(self, text: str) -> duel.Position:
        """See :class:`Explorer`."""
        return duel.Position.from_text(text)

    def read_many(self, text: str) -> Iterable[duel.Position]:
        """See :class:`Explorer`."""
        if ":" in text:
            return [duel.Position.from_text(text)]
        return islice(duel.parse_many(text), _bounds.TEXT_POSITIONS)

    def build(self, draft: Json) -> duel.Position:
        """See :class:`Explorer`."""
        return duel.Position.from_dict(draft)

    def draft(self, position: duel.Position) -> Json:
        """See :class:`Explorer`."""
        return position.to_dict()

    def random(self, options: Json, seed: int) -> duel.Position:
        """See :class:`Explorer`."""
        return duel.random(**read_options(options, self.options), rng=seed)

    def state(self, position: duel.Position) -> Json:
        """See :class:`Explorer`."""
        legal = position.legal_moves()
        return {
            "alice": list(position.alice),
            "bob": list(position.bob),
            "last": position.last,
            "to_move": position.to_move,
            "must_pass": legal == (duel.PASS,),
            "playable": [move for move in legal if move != duel.PASS],
            "to_pay": {"Alice": points_of(position.alice), "Bob": points_of(position.bob)},
            "points": {card: points_of([card]) for card in position.alice + position.bob},
            "winner": position.winner,
            "won": position.points,
        }

    def move(self, position: duel.Position, move: str) -> Json:
        """See :class:`Explorer`."""
        if move == duel.PASS:
            return {"move": move, "text": "pass: no card fits", "card": None}
        return {"move": move, "text": name_of(move), "card": move}

    def turn(self, position: duel.Position) -> str:
        """See :class:`Explorer`."""
        if position.is_over:
            return "the game is over"
        if position.legal_moves() == (duel.PASS,):
            return f"{position.to_move} has to pass: no card fits the {name_of(str(position.last))}"
        if position.last is None:
            return f"{position.to_move} may play any card"
        return f"{position.to_move} has to match the {name_of(position.last)}"

    def result(self, position: duel.Position) -> str:
        """See :class:`Explorer`."""
        return f"{position.winner} has won {count_of(position.points or 0, 'point')}"

    def label(self, position: duel.Position) -> str:
        """See :class:`Explorer`."""
        hands = f"Alice holds {names_of(position.alice)}. Bob holds {names_of(position.bob)}."
        return f"{hands} {self.result(position) if position.is_over else self.turn(position)}."

    def refinement(self, position: duel.Position, table_mb: float) -> Any:
        """See :class:`Explorer`."""
        return Solver(table_mb).refine(position)

    def words(self, bounds: Bounds[Any], position: Any) -> str:
        """See :class:`Explorer`."""
        low, high = bounds.lower, bounds.upper
        if bounds.exact:
            return f"{'wins' if low > 0 else 'loses'} {count_of(abs(low), 'point')}"
        if low > 0:
            return f"wins {low} to {high} points"
        if high < 0:
            return f"loses {-high} to {-low} points"
        return f"from losing {-low} to winning {high} points"

    def cost(self, best: Bounds[Any], entry: Bounds[Any], position: Any) -> tuple[float | None, str]:
        """See :class:`Explorer`."""
        least = best.lower - entry.upper
        if not (best.exact and entry.exact):
            return None, f"costs at least {count_of(least, 'point')}"
        old, new = (f"{'winning' if one > 0 else 'losing'} {abs(one)}" for one in (best.lower, entry.lower))
        return least, f"costs {count_of(least, 'point')}: from {old} to {new}"

    def greedy(self, position: duel.Position) -> str:
        """See :class:`Explorer`."""
        return greedy_move(position)
