"""Positions of the two-sided games as numbers: actions, utilities and tensors, whatever the framework."""

from abc import ABC, abstractmethod
from typing import Any, ClassVar, Final

import numpy as np
from numpy.typing import NDArray

from gamecore import duel, hexapawn, rows
from gamecore.cards import FULL_DECK, card_index, hand_cards
from gamecore.duel import PASS
from gamecore.errors import OptionError
from gamecore.hexapawn._squares import move_name

_DECK: Final = 52
_CARDS: Final = (*hand_cards(FULL_DECK), PASS)


class Coding(ABC):
    """How one game, from one start position on, is numbered. Player 0 is the side that usually begins.

    Attributes:
        start: the position.
        sides: names of players 0 and 1.
        actions: how many actions there are; they are numbered from 0.
        longest: plies that no game exceeds.
        most: no player gets more, or less than minus that.
        shape: of tensors.
    """

    sides: ClassVar[tuple[str, str]]
    actions: int
    longest: int
    most: float
    shape: tuple[int, ...]

    def __init__(self, start: Any) -> None:
        self.start = start

    @abstractmethod
    def action_of(self, position: Any, move: str) -> int:
        """The number of a move."""

    @abstractmethod
    def move_of(self, position: Any, action: int) -> str:
        """The move of a number, legal or not."""

    @abstractmethod
    def utility(self, position: Any) -> float:
        """What player 0 has got, and player 1 pays, when a game is over."""

    @abstractmethod
    def write(self, position: Any, tensor: NDArray[np.float32]) -> None:
        """Write a position into a tensor of zeros."""


class DuelCoding(Coding):
    """Actions are the cards' indices (``gamecore.cards``: aces low), then the pass. Utilities are points.

    Tensor (159,): Alice's hand, Bob's hand, the card to be matched (52 each), whether any card may be played, and who
    is to move: Alice, Bob.
    """

    sides = ("Alice", "Bob")
    actions = _DECK + 1
    shape = (3 * _DECK + 3,)

    def __init__(self, start: duel.Position) -> None:
        super().__init__(start)
        self.longest = 2 * (len(start.alice) + len(start.bob))
        self.most = float(max(sum(card_index(card) // 4 + 1 for card in hand) for hand in (start.alice, start.bob)))

    def action_of(self, position: duel.Position, move: str) -> int:
        """Index of a card, or 52."""
        return _DECK if move == PASS else card_index(move)

    def move_of(self, position: duel.Position, action: int) -> str:
        """A card or a pass."""
        return _CARDS[action]

    def utility(self, position: duel.Position) -> float:
        """Points that Alice wins."""
        return float(position.points or 0) * (1 if position.winner == "Alice" else -1)

    def write(self, position: duel.Position, tensor: NDArray[np.float32]) -> None:
        """A one for each card."""
        for at, hand in enumerate((position.alice, position.bob)):
            tensor[[_DECK * at + card_index(card) for card in hand]] = 1
        tensor[3 * _DECK if position.last is None else 2 * _DECK + card_index(position.last)] = 1
        tensor[3 * _DECK + 1 + self.sides.index(position.to_move)] = 1


class HexapawnCoding(Coding):
    """Actions are ``3 * source + direction``: squares as in ``hexapawn.Position``, direction 0 captures to the left,
    1 goes ahead, 2 captures to the right, as white sees left and right. The winner gets 1.

    Tensor (4, rows, columns), row 0 below: white pawns, black pawns, ones where white is to move, where black is.
    """

    sides = ("white", "black")
    most = 1.0

    def __init__(self, start: hexapawn.Position) -> None:
        super().__init__(start)
        self.actions = 3 * start.rows * start.columns
        self.longest = start.rows * start.columns
        self.shape = (4, start.rows, start.columns)

    def action_of(self, position: hexapawn.Position, move: str) -> int:
        """By the squares of the move."""
        source, target = dict(zip(position.legal_moves(), position._moves(), strict=True))[move]
        return 3 * source + 1 + (target % position.columns - source % position.columns)

    def move_of(self, position: hexapawn.Position, action: int) -> str:
        """The move's name, if the mover goes there."""
        source, direction = divmod(action, 3)
        ahead = position.columns if position.to_move == "white" else -position.columns
        return move_name(source, source + ahead + direction - 1, position.columns)

    def utility(self, position: hexapawn.Position) -> float:
        """1 where white has won, else -1."""
        return 1.0 if position.winner == "white" else -1.0

    def write(self, position: hexapawn.Position, tensor: NDArray[np.float32]) -> None:
        """A one for each pawn."""
        planes = tensor.reshape(4, -1)
        for at, pawns in enumerate((position.white, position.black)):
            planes[at] = [pawns >> square & 1 for square in range(planes.shape[1])]
        planes[2 + self.sides.index(position.to_move)] = 1


class RowsCoding(Coding):
    """Action 0 takes the leftmost value, 1 the rightmost. Utilities are ``mine - theirs``, and minus that.

    Tensor (2 n + 4,): the values that are left, from the left, and zeros; ones where there are values; my total, the
    opponent's; who is to move: I, the opponent.
    """

    sides = ("me", "opponent")
    actions = 2

    def __init__(self, start: rows.Position) -> None:
        super().__init__(start)
        if start.opponent == "cooperative":
            raise OptionError("a cooperative opponent shares no zero-sum game with me")
        self.longest = len(start.values)
        self.most = float(sum(map(abs, start.values)) + abs(start.mine) + abs(start.theirs))
        self.shape = (2 * len(start.values) + 4,)

    def action_of(self, position: rows.Position, move: str) -> int:
        """0 for L, 1 for R."""
        return "LR".index(move)

    def move_of(self, position: rows.Position, action: int) -> str:
        """L or R."""
        return "LR"[action]

    def utility(self, position: rows.Position) -> float:
        """The difference of both totals."""
        return float(position.mine - position.theirs)

    def write(self, position: rows.Position, tensor: NDArray[np.float32]) -> None:
        """The values themselves."""
        count, whole = len(position.values), len(self.start.values)
        tensor[:count] = position.values
        tensor[whole : whole + count] = 1
        tensor[2 * whole : 2 * whole + 2] = position.mine, position.theirs
        tensor[2 * whole + 2 + self.sides.index(position.to_move)] = 1
