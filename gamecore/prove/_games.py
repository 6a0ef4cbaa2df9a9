"""The games that can be proved."""

from typing import Final

from gamecore.errors import OptionError
from gamecore.prove._rules import Rules
from gamecore.text import printable

GAMES: Final = ("duel", "hexapawn")  #: those with two players and a value, whose kernels answer tests


def rules_of(game: str) -> Rules:
    """The rules of a game by its name.

    Raises:
        OptionError: none of :data:`GAMES`.
    """
    if game == "duel":
        from gamecore.prove._duel import DuelRules

        return DuelRules()
    if game == "hexapawn":
        from gamecore.prove._hexapawn import HexapawnRules

        return HexapawnRules()
    raise OptionError(f"game has to be one of {', '.join(GAMES)}, not {printable(game)}")
