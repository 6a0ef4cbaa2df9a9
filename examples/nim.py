"""Nim as a game of gamecore, in one file: ``gamecore --game examples/nim.py play nim``.

A move takes objects from one pile (``2x3``: three from the second pile). A value is +1 if the side to move wins, or -1.

    >>> GAME.solve(Position((3, 4, 5))).best_moves
    ('1x2',)
"""

import functools
from dataclasses import dataclass
from typing import Any

from gamecore import game
from gamecore.contract import Solution
from gamecore.errors import OptionError
from gamecore.limits import limits_of
from gamecore.text import fields


@dataclass(frozen=True)
class Position(game.Position):
    """Piles, and whose turn it is: ``"A"`` or ``"B"``."""

    piles: tuple[int, ...]
    to_move: str = "A"

    def __post_init__(self) -> None:
        piles_fit = all(type(pile) is int and 0 <= pile <= 999 for pile in self.piles)
        if not piles_fit or not 1 <= len(self.piles) <= 20 or self.to_move not in ("A", "B"):
            raise OptionError("piles must be 1 to 20 numbers from 0 to 999, to_move 'A' or 'B'")

    @property
    def is_over(self) -> bool:
        return not any(self.piles)

    def legal_moves(self) -> tuple[str, ...]:
        return tuple(f"{k}x{count}" for k, pile in enumerate(self.piles, 1) for count in range(1, pile + 1))

    def after(self, move: str) -> "Position":
        number, count = map(int, move.split("x"))
        left = (pile - count * (k == number) for k, pile in enumerate(self.piles, 1))
        return Position(tuple(left), "AB"[self.to_move == "A"])

    def best_moves(self) -> tuple[str, ...]:
        moves = self.legal_moves()
        return tuple(move for move in moves if not functools.reduce(int.__xor__, self.after(move).piles)) or moves

    def to_text(self) -> str:
        return f"{self.to_move}:{'.'.join(map(str, self.piles))}"

    @classmethod
    def from_text(cls, text: str) -> "Position":
        mover, piles = fields(text, ("MOVER", "PILES"))
        return cls(tuple(part.whole("a pile", 0, 999) for part in piles.parts(".")), mover.choice("MOVER", ("A", "B")))

    def __str__(self) -> str:
        return "\n".join(f"{number}: {'|' * pile}" for number, pile in enumerate(self.piles, 1))


class Nim(game.Game):
    """Bouton (1901): the side to move loses if the exclusive or of all piles is 0."""

    name, title, sides, example, Position = "nim", "Nim", ("A", "B"), "A:3.4.5", Position
    rules = "Take one or more objects from one pile; whoever takes the last one wins."

    def start(self, *, rng: Any = None, piles: int = 3) -> Any:
        return Position(tuple(range(3, 3 + piles)))

    def solve(self, position: Any, limits: Any = None, *, line: bool = True) -> Solution[int, str]:
        """Return the value and the best moves, and best play if ``line`` asks for it."""
        limits_of(limits)  # a solution takes microseconds
        position = after = game.as_position(self, position)
        moves: list[str] = []
        while line and not after.is_over:
            moves.append(after.best_moves()[0])
            after = after.play(moves[-1])
        value = 1 if functools.reduce(int.__xor__, position.piles) else -1
        return Solution(value, value, position.to_move, position.best_moves(), tuple(moves), 1, 0.0, 0)


GAME = Nim()
