"""How the page shows the duel."""

from typing import Any

from gamecore.apps.explore._screen import Screen
from gamecore.cards import names_of


class DuelScreen(Screen):
    """See :class:`Screen`."""

    def first_position(self) -> Any:
        return self.game.start(rng=9, n=4)  # its memo and its cutoffs save calls: see "How"

    def label(self, position: Any, seat: int | None = None) -> str:
        end = self.game.words.turn(position)
        return f"Alice holds {names_of(position.alice)}. Bob holds {names_of(position.bob)}. {end}."


PART = DuelScreen
