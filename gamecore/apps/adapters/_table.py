"""What the adapters ask of a game, its numbering (:class:`Coding`), and a game played by numbers (:class:`Table`)."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property, lru_cache
from operator import index
from typing import Protocol, Self, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from gamecore.contract import Playable
from gamecore.errors import IllegalMoveError, OptionError
from gamecore.game import Game, as_position
from gamecore.text import is_integer, printable

Tensor: TypeAlias = NDArray[np.float32]
P_contra = TypeVar("P_contra", bound=Playable, contravariant=True)


class Coding(Protocol[P_contra]):
    """Numbering of all positions after one start position, for frameworks that need numbers.

    A game's ``part("adapters")`` is a function of a start position that returns such an object.

    Attributes:
        actions: names of all actions, numbered from 0. A move is one action, or several in any order (cards to pass).
        longest: plies that no game exceeds.
        most: bound of the absolute value of any return.
        shape: of observations.
        bounds: least and most number of an observation, for every start; by default there are none.
        hidden: whether a side sees only a part of a position; False by default.
        chosen_at: where a flat observation has a 1 for each action chosen so far of a move of several actions.
    """

    actions: Sequence[str]
    longest: int
    most: float
    shape: tuple[int, ...]
    bounds: tuple[float, float] = (-np.inf, np.inf)
    hidden: bool = False
    chosen_at: int = 0

    def parts(self, position: P_contra, move: str) -> tuple[str, ...]:
        """Return the actions that make up a legal move; by default it is one."""
        return (move,)

    def returns(self, position: P_contra) -> tuple[float, ...]:
        """Return each side's return when the game is over."""

    def write(self, position: P_contra, side: int, tensor: Tensor) -> None:
        """Write a side's observation into a float32 array of zeros of this ``shape``."""

    def seen(self, position: P_contra, side: int) -> str:
        """Return what a side sees as one line; by default the notation."""
        return position.to_text()


def coding_of(game: Game, start: Playable) -> Coding[Playable]:
    """Return how a game, from a start position on, is numbered.

    Raises:
        OptionError: the game cannot be numbered.
    """
    number: Callable[[Playable], Coding[Playable]] | None = game.part("adapters")
    if number is None:
        raise OptionError(f"{game.name} has no numbering for other frameworks")
    return number(as_position(game, start))


@lru_cache(maxsize=16)
def _numbering(actions: tuple[str, ...]) -> Callable[[tuple[str, ...]], frozenset[int]]:
    """Return the function of the actions that make up a move that gives their numbers."""
    numbers = {name: number for number, name in enumerate(actions) if name}
    return cache(lambda parts: frozenset([numbers[part] for part in parts]))


@dataclass(frozen=True)
class Table:
    """A position, the moves played before it, and the actions chosen so far of a move of several actions."""

    game: Game
    coding: Coding[Playable]
    position: Playable
    chosen: frozenset[int] = frozenset()
    plies: int = 0

    @classmethod
    def of(cls, game: Game, start: Playable) -> Self:
        start = as_position(game, start)
        return cls(game, coding_of(game, start), start)

    def __deepcopy__(self, memo: object) -> Self:
        """Return itself, for it does not change: OpenSpiel copies a state for each move that it looks at."""
        return self

    @property
    def player(self) -> int:
        """Number of the side to move."""
        return self.game.sides.index(str(self.position.to_move))

    @property
    def is_over(self) -> bool:
        """True at the end of the game, or of the most plies: a game with cycles may have no end. It is then a draw."""
        return self.position.is_over or self.plies >= self.coding.longest

    @cached_property
    def _moves(self) -> dict[frozenset[int], str]:
        """The legal moves that the chosen actions can still become, by the numbers of their actions."""
        if self.is_over:
            return {}
        numbers, parts = _numbering(tuple(self.coding.actions)), self.coding.parts
        return {numbers(parts(self.position, move)): move for move in self.position.legal_moves()}

    @cached_property
    def legal_actions(self) -> list[int]:
        """The legal actions, ascending."""
        return sorted(frozenset().union(*self._moves) - self.chosen)

    def after(self, action: object) -> Self:
        """Return the table after an action.

        Raises:
            IllegalMoveError: not an action, or one that the rules forbid.
        """
        names = self.coding.actions
        if not is_integer(action) or not 0 <= (number := index(action)) < len(names):
            raise IllegalMoveError(f"an action is from 0 to {len(names) - 1}, not {printable(action)}")
        if number not in self.legal_actions:
            raise IllegalMoveError(f"{names[number] or number} is not a legal action here")
        chosen = self.chosen | {number}
        if (move := self._moves.get(chosen)) is not None:
            return replace(self, position=self.position.play(move), chosen=frozenset(), plies=self.plies + 1)
        after = replace(self, chosen=chosen)
        vars(after)["_moves"] = {numbers: move for numbers, move in self._moves.items() if chosen <= numbers}
        return after

    def text_of(self, action: int) -> str:
        """Return the move that an action is here; the action's own name if it is no whole move."""
        return self._moves.get(frozenset((action,)), self.coding.actions[action])

    def returns(self) -> list[float]:
        """Return what each side has got; zeros while the game goes on."""
        return list(self.coding.returns(self.position)) if self.position.is_over else [0.0] * len(self.game.sides)

    def observed(self, player: int) -> Tensor:
        """Return what a player sees, as float32 of the coding's shape; what a player has chosen, it alone sees."""
        tensor = np.zeros(self.coding.shape, np.float32)
        self.coding.write(self.position, player, tensor)
        if self.chosen and player == self.player:
            tensor[[self.coding.chosen_at + action for action in self.chosen]] = 1
        return tensor

    def seen(self, player: int) -> str:
        """Return what a player sees as one line."""
        chosen = [self.coding.actions[action] for action in sorted(self.chosen) if player == self.player]
        return " ".join([self.coding.seen(self.position, player), *(["so far:", *chosen] if chosen else ())])
