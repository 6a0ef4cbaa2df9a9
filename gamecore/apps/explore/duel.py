"""How the page shows the duel."""

from typing import Any, Final

from gamecore.apps.explore._screen import Screen
from gamecore.cards import names_of

_PRESETS: Final = {f"{n} cards each": {"n": n} for n in (6, 3, 9, 12, 15, 18, 26)}


class DuelScreen(Screen):
    """See :class:`Screen`."""

    presets = _PRESETS

    def label(self, position: Any, seat: int | None = None) -> str:
        end = self.game.words.turn(position)
        return f"Alice holds {names_of(position.alice)}. Bob holds {names_of(position.bob)}. {end}."
