"""How the page shows hearts: from one seat, or with all hands open."""

import re
from collections.abc import Sequence

from gamecore.apps.explore._screen import Screen
from gamecore.cards import name_of, names_of
from gamecore.errors import ParseError
from gamecore.game import Json
from gamecore.hearts import AROUND, Round, Rules


class HeartsScreen(Screen[Round]):
    """See :class:`Screen`."""

    def told(self, text: str, seat: int | None) -> str:
        def name(match: re.Match[str]) -> str:
            around = AROUND[(int(match[2]) - (seat or 0)) % 4]
            return around.capitalize() if match[1] == "S" else around

        return text if seat is None else re.sub(r"([Ss])eat (\d)", name, text).replace("you has", "you have")

    def first_position(self) -> Round:
        return Round.deal(rng=7, passing="left", passer=None)

    def next_round(self, position: Round, totals: Sequence[int]) -> Json:
        sums = [total + points for total, points in zip(totals, position.points, strict=True)]
        first = " and ".join(self.game.words.name(seat) for seat, total in enumerate(sums) if total == min(sums))
        limit = position.rules.match_points
        if max(sums) >= limit:
            return {"totals": sums, "text": f"the match is over; it goes to {first}", "position": None}
        text = f"{first} in front; the match ends at {self.game.words.amount(limit)}"
        return {"totals": sums, "text": text, "position": position.next_round()}

    def hides_move(self, position: Round, seat: int) -> bool:
        return bool(position.passing_seats) and position.to_move != seat

    def label(self, position: Round, seat: int | None = None) -> str:
        held = enumerate(position.hands)
        hands = " ".join(f"Seat {k}: {names_of(hand)}." for k, hand in held if hand and seat in (None, k))
        table = ", ".join(f"{name_of(card)} by seat {k}" for k, card in position.trick)
        end = self.game.words.turn(position, seat)
        return self.told(f"{hands} On the table: {table or 'nothing'}. {end}.".strip(), seat)

    def draft(self, position: Round) -> Json:
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

    def python(self, position: Round, seat: int | None = None) -> str:
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

    def command(self, position: Round) -> str:
        return f"gamecore hearts solve {position.to_text()} --analyse --time-limit 5"


PART = HeartsScreen
