"""How the page shows the duel."""

from gamecore.apps.explore._screen import Screen
from gamecore.cards import names_of
from gamecore.duel import GAME, Position


class DuelScreen(Screen[Position]):
    """See :class:`Screen`."""

    def first_position(self) -> Position:
        first: Position = GAME.start(rng=9, n=4)  # its memo and its cutoffs save calls: see "How"
        return first

    def label(self, position: Position, seat: int | None = None) -> str:
        end = self.game.words.turn(position)
        return f"Alice holds {names_of(position.alice)}. Bob holds {names_of(position.bob)}. {end}."


PART = DuelScreen
