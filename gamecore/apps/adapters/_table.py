"""A game that is played by numbered actions: what both adapters stand on."""

from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from gamecore.apps.adapters._coding import Coding, coding_of
from gamecore.errors import IllegalMoveError
from gamecore.game import Game
from gamecore.text import printable


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
        legal = self.position.legal_moves()
        parts = [frozenset(map(self.coding.actions.index, self.coding.parts(self.position, move))) for move in legal]
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
        if isinstance(action, bool) or not hasattr(action, "__index__") or not 0 <= action < len(names):
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
