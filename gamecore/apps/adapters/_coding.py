"""What the adapters need of a game: its numbering (:class:`Coding`)."""

from collections.abc import Sequence
from importlib import import_module
from typing import Any, Final, Protocol

from gamecore.errors import OptionError
from gamecore.game import Game

_BUILT_IN: Final = {name: f"{name.title()}Coding" for name in ("duel", "hexapawn", "rows", "hearts")}  # classes


class Coding(Protocol):
    """Numbering of all positions after one start position, for frameworks that need numbers.

    A game of your own has a method ``coding(start)`` that returns such an object.

    Attributes:
        actions: names of all actions, numbered from 0. A move is one action, or several in any order (cards to pass).
        longest: plies that no game exceeds.
        most: bound of the absolute value of any return.
        shape: of observations.
        hidden: whether a side sees only a part of a position; False by default.
    """

    actions: Sequence[str]
    longest: int
    most: float
    shape: tuple[int, ...]
    hidden: bool = False

    def parts(self, position: Any, move: str) -> tuple[str, ...]:
        """Return the actions that make up a legal move; by default it is one."""
        return (move,)

    def returns(self, position: Any) -> tuple[float, ...]:
        """Return each side's return when the game is over."""

    def write(self, position: Any, side: int, tensor: Any) -> None:
        """Write a side's observation into a float32 array of zeros of this ``shape``."""

    def seen(self, position: Any, side: int) -> str:
        """Return what a side sees as one line; by default the notation."""
        return str(position.to_text())


def is_numbered(game: Game) -> bool:
    """Return True if a game has a numbering."""
    return game.name in _BUILT_IN or hasattr(game, "coding")


def coding_of(game: Game, start: Any) -> Coding:
    """Return how a game, from a start position on, is numbered.

    Raises:
        OptionError: the game cannot be numbered.
    """
    if not is_numbered(game):
        raise OptionError(f"{game.name} has no numbering for other frameworks")
    built_in = _BUILT_IN.get(game.name)
    home: Any = import_module(f"gamecore.apps.adapters.{game.name}") if built_in else game
    coding: Coding = getattr(home, built_in or "coding")(start)
    return coding
