"""How the page shows hearts: from one seat, or with all hands open."""

from collections.abc import Mapping
from typing import Any

from gamecore.apps.explore._screen import Screen
from gamecore.cards import name_of, names_of
from gamecore.errors import ParseError
from gamecore.game import Json, options_of
from gamecore.hearts import Round, Rules, random


class HeartsScreen(Screen):
    """See :class:`Screen`."""

    @property
    def presets(self) -> Mapping[str, Json]:
        variants = next(option.choices for option in options_of(self.game.start) if option.name == "variant")
        return {
            "mid-round, no passing": {"passing": "hold", "plies": 26},
            "the last five tricks": {"passing": "hold", "plies": 32},
            **{f"a whole round, passing {name}": {"passing": name} for name in ("left", "across", "right")},
            "a whole round, no passing": {"passing": "hold"},
            **{f"a whole round, {name}": {"variant": name} for name in variants[1:]},
        }

    def first_position(self) -> Round:
        """Return a round in which the side to move has a choice."""
        return random("hold", plies=26, rng=7)

    def hides_move(self, position: Any, seat: int) -> bool:
        return bool(position.passing_seats) and position.to_move != seat

    def label(self, position: Any, seat: int | None = None) -> str:
        held = enumerate(position.hands)
        hands = " ".join(f"Seat {k} holds {names_of(hand)}." for k, hand in held if hand and seat in (None, k))
        table = ", ".join(f"{name_of(card)} by seat {k}" for k, card in position.trick)
        end = self.game.words.turn(position)
        return f"{hands} On the table: {table or 'nothing'}. {end}.".strip()

    def draft(self, position: Any) -> Json:
        fields = position.to_dict()
        seed = str(position.seed)  # JavaScript's numbers are too small
        return {"hands": fields.pop("dealt"), **fields, "seed": seed}

    def build(self, draft: Json) -> Round:
        rules = draft.get("rules", {})
        if not isinstance(rules, dict):
            raise ParseError("rules must be an object of rules by name")
        usual = {"passing": "hold", "passed": [], "played": [], "seed": 0, "index": 0, "hands": None}
        fields = usual | draft | {"rules": Rules().to_dict() | rules}
        seed = fields["seed"]
        if isinstance(seed, str) and seed.isascii() and seed.isdigit() and len(seed) <= 20:
            fields["seed"] = int(seed)
        return Round.from_dict({"dealt": fields.pop("hands"), **fields})

    def python(self, position: Any, seat: int | None = None) -> str:
        if seat is None:
            return (
                "from gamecore import Limits, hearts\n\n"
                f'round_ = hearts.Round.from_text("{position.to_text()}")\n'
                "print(hearts.analyse(round_, Limits(seconds=5)))\n"
            )
        lines = ["from gamecore import hearts", "from gamecore.hearts import Rules, Trick, View", ""]
        lines += [f"view = {position.view(seat)!r}", "print(view.draw())"]
        if not position.is_over and not position.passing_seats and position.to_move == seat:
            lines.append('print(*hearts.evaluate_moves(view, playouts=1000, rng=0), sep="\\n")')
        return "\n".join(lines) + "\n"

    def command(self, position: Any) -> str:
        return f"gamecore hearts solve {position.to_text()} --analyse --time-limit 5"
