"""Hearts at the terminal: hidden hands, three cards to pass, and rounds until a seat has 100 points."""

from collections.abc import Iterator

from gamecore.apps.play._session import Session
from gamecore.errors import OptionError
from gamecore.hearts import Round, evaluate_moves


class HeartsSession(Session[Round]):
    """See :class:`gamecore.apps.play._session.Session`."""

    hidden = True

    def picture(self) -> str:
        return self.game.picture(self.position, seat=int(self.me)).text()

    def move(self, typed: str) -> str:
        if not self.position.passing_seats:
            return super().move(typed)
        return "-".join(typed.upper().replace(",", " ").replace("-", " ").split())

    def announcement(self, move: str) -> str:
        return "" if self.position.passing_seats else super().announcement(move)

    def values(self) -> Iterator[str]:
        if self.position.passing_seats:
            raise OptionError("there are no estimates while cards are passed; hint names three cards to pass")
        for estimate in evaluate_moves(self.position.view(int(self.me)), self.limits, playouts=1000, rng=0):
            yield f"{estimate} points in this round, by playouts"

    def _totals(self) -> list[int]:
        """Return each seat's points in all rounds."""
        points = [round_.points for round_ in (*self.rounds, self.position)]
        return list(map(sum, zip(*points, strict=True)))

    def summary(self) -> Iterator[str]:
        totals = self._totals()
        mine, least = totals[int(self.me)], min(totals)
        winners = [self.game.words.name(seat, self.me) for seat, points in enumerate(totals) if points == least]
        verb = "win" if winners == ["you"] or len(winners) > 1 else "wins"
        behind = f", {mine - least} fewer than you" if mine > least else ""
        yield f"{' and '.join(winners)} {verb} with {self.game.words.amount(least)}{behind}"

    def next_round(self) -> Round | None:
        is_over = max(self._totals()) >= self.position.rules.match_points
        return None if is_over else self.position.next_round()

    def result(self) -> str:
        return f"{super().result()}; points of all rounds: {' '.join(map(str, self._totals()))}"


PART = HeartsSession
