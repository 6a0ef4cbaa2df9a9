"""A game that is played by numbered actions: what both adapters stand on."""

from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from gamecore.errors import IllegalMoveError
from gamecore.game import Coding, Game
from gamecore.text import printable


@dataclass(frozen=True)
class Table:
    """A position, and the actions chosen so far of a move of several actions.

    Attributes:
        game, coding: the game and its numbering.
        position: the position.
        chosen: numbers of the actions.
        plies: number of moves before.
    """

    game: Game
    coding: Coding
    position: Any
    chosen: frozenset[int] = frozenset()
    plies: int = 0

    @classmethod
    def of(cls, game: Game, start: Any) -> Self:
        """Return the table of a start position."""
        return cls(game, game.coding(start), start)

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
        number = self.coding.actions.index
        moves = {
            frozenset(map(number, self.coding.parts(self.position, move))): move for move in self.position.legal_moves()
        }
        return {parts: move for parts, move in moves.items() if self.chosen <= parts}

    def legal_actions(self) -> list[int]:
        """Return the legal actions, ascending."""
        return sorted(frozenset().union(*self._moves()) - self.chosen)

    def after(self, action: object) -> Self:
        """Return the table after an action.

        Raises:
            IllegalMoveError: not an action, or one that the rules forbid.
        """
        if isinstance(action, bool) or not hasattr(action, "__index__") or not 0 <= action < len(self.coding.actions):  # type: ignore[operator]
            raise IllegalMoveError(f"an action is from 0 to {len(self.coding.actions) - 1}, not {printable(action)}")
        number = int(action)
        chosen, moves = self.chosen | {number}, self._moves()
        if number in self.chosen or not any(chosen <= parts for parts in moves):
            raise IllegalMoveError(f"{self.coding.actions[number]} is not a legal action here")
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

    def seen_text(self, player: int) -> str:
        """Return what a player sees as one line, by which it may recall it."""
        if not hasattr(self.position, "view"):
            return str(self.position.to_text())
        return " ".join(str(self.position.view(player)).split())
