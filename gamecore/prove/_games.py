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


def most_score(rules: Rules, root: str) -> int:
    """No score of a canonical position, or of one after it, is further from 0."""
    return max(map(abs, rules.bounds(root))) + 1  # a Hexapawn player who has lost already: by one more


def plies_left(game: str, key: str) -> int:
    """A number that every move makes smaller, so that no position comes after itself."""
    if game == "duel":  # a card leaves a hand of two letters a card, or a pass takes the last card away
        mover, other, _, last = key.split(":")
        return 2 * len(mover + other) + (last != "-")
    board = key.partition(":")[0].split("/")  # rows that pawns have before them
    return sum(row * line.count("P") + (len(board) - 1 - row) * line.count("p") for row, line in enumerate(board))
