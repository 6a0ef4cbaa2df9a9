"""What the adapters ask of a game, its numbering (:class:`Coding`), and a game played by numbers (:class:`Table`)."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from gamecore.errors import IllegalMoveError, OptionError
from gamecore.game import Game
from gamecore.text import is_integer, printable


class Coding(Protocol):
    """Numbering of all positions after one start position, for frameworks that need numbers.

    A game's ``part("adapters")`` is a function of a start position that returns such an object.

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


def coding_of(game: Game, start: Any) -> Coding:
    """Return how a game, from a start position on, is numbered.

    Raises:
        OptionError: the game cannot be numbered.
    """
    number: Callable[[Any], Coding] | None = game.part("adapters")
    if number is None:
        raise OptionError(f"{game.name} has no numbering for other frameworks")
    return number(start)


@lru_cache(maxsize=16)
def _numbers(actions: tuple[str, ...]) -> dict[str, int]:
    """Return the number of each action."""
    return {name: number for number, name in enumerate(actions)}


@dataclass(frozen=True)
class Table:
    """A position, the moves played before it, and the actions chosen so far of a move of several actions."""

    game: Game
    coding: Coding
    position: Any
    chosen: frozenset[int] = frozenset()
    plies: int = 0

    @classmethod
    def of(cls, game: Game, start: Any) -> Self:
        return cls(game, coding_of(game, start), start)

    @property
    def player(self) -> int:
        """Number of the side to move."""
        return self.game.sides.index(str(self.position.to_move))

    @property
    def is_over(self) -> bool:
        """True at the end of the game, or of the most plies: a game with cycles may have no end. It is then a draw."""
        return bool(self.position.is_over) or self.plies >= self.coding.longest

    def _moves(self) -> dict[frozenset[int], str]:
        """Return the legal moves that the chosen actions can still become, by the numbers of their actions."""
        if self.is_over:
            return {}
        legal, number_of = self.position.legal_moves(), _numbers(tuple(self.coding.actions))
        parts = [frozenset(number_of[part] for part in self.coding.parts(self.position, move)) for move in legal]
        return {numbers: move for numbers, move in zip(parts, legal, strict=True) if self.chosen <= numbers}

    def legal_actions(self) -> list[int]:
        """Return the legal actions, ascending."""
        return sorted(frozenset().union(*self._moves()) - self.chosen)

    def after(self, action: Any) -> Self:
        """Return the table after an action.

        Raises:
            IllegalMoveError: not an action, or one that the rules forbid.
        """
        names, moves = self.coding.actions, self._moves()
        if not is_integer(action) or not 0 <= action < len(names):
            raise IllegalMoveError(f"an action is from 0 to {len(names) - 1}, not {printable(action)}")
        chosen = self.chosen | {int(action)}
        if action in self.chosen or not any(chosen <= numbers for numbers in moves):
            raise IllegalMoveError(f"{names[int(action)]} is not a legal action here")
        if chosen not in moves:
            return replace(self, chosen=chosen)
        return replace(self, position=self.position.play(moves[chosen]), chosen=frozenset(), plies=self.plies + 1)

    def text_of(self, action: int) -> str:
        """Return the move that an action is here; the action's own name if it is no whole move."""
        return self._moves().get(frozenset((action,)), self.coding.actions[action])

    def returns(self) -> list[float]:
        """Return what each side has got; zeros while the game goes on."""
        return list(self.coding.returns(self.position)) if self.position.is_over else [0.0] * len(self.game.sides)

    def observed(self, player: int) -> NDArray[np.float32]:
        """Return what a player sees, as float32 of the coding's shape."""
        tensor = np.zeros(self.coding.shape, np.float32)
        self.coding.write(self.position, player, tensor)
        return tensor
