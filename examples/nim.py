"""Nim as a game of gamecore, in one file: ``gamecore --game examples/nim.py play nim``.

Two players take turns. A move takes any number of objects from one pile; whoever takes the last object wins. The value
of a position is +1 if the side to move wins and -1 if it loses. ``2x3`` takes three objects from the second pile.

    >>> import gamecore, nim
    >>> gamecore.register(nim.GAME)
    >>> nim.GAME.solve(nim.Position((3, 4, 5))).best_moves
    ('1x2',)
"""

import functools
import operator
import time
from dataclasses import dataclass
from typing import Any

from gamecore import game
from gamecore.contract import Analysis, Bounds, MoveValue, Solution
from gamecore.errors import OptionError, ParseError
from gamecore.limits import limits_of
from gamecore.text import fields


@dataclass(frozen=True)
class Position(game.Position):
    """Piles, and whose turn it is: ``"A"`` or ``"B"``."""

    piles: tuple[int, ...]
    to_move: str = "A"

    def __post_init__(self) -> None:
        if not 1 <= len(self.piles) <= 20 or not all(type(pile) is int and 0 <= pile <= 999 for pile in self.piles):
            raise OptionError("piles must be 1 to 20 numbers from 0 to 999")
        if self.to_move not in ("A", "B"):
            raise OptionError(f"to_move must be 'A' or 'B', not {self.to_move!r}")

    @property
    def is_over(self) -> bool:
        return not any(self.piles)

    def legal_moves(self) -> tuple[str, ...]:
        return tuple(f"{k}x{count}" for k, pile in enumerate(self.piles, 1) for count in range(1, pile + 1))

    def after(self, move: str) -> "Position":
        number, count = map(int, move.split("x"))
        piles = tuple(pile - count * (k == number) for k, pile in enumerate(self.piles, 1))
        return Position(piles, "B" if self.to_move == "A" else "A")

    def to_text(self) -> str:
        return f"{self.to_move}:{'.'.join(map(str, self.piles))}"

    @classmethod
    def from_text(cls, text: str) -> "Position":
        mover, piles = fields(text, ("MOVER", "PILES"))
        numbers = [part.whole("a pile", 0, 999) for part in piles.parts(".")]
        if len(numbers) > 20:
            raise ParseError(f"{len(numbers)} piles are more than 20")
        return cls(tuple(numbers), mover.choice("MOVER", ("A", "B")))

    def __str__(self) -> str:
        piles = "\n".join(f"{number}: {'|' * pile}" for number, pile in enumerate(self.piles, 1))
        return f"{piles}\n{self.to_move} {'has lost' if self.is_over else 'is to move'}"


class Nim(game.Game):
    """Nim for every tool. Bouton (1901): the side to move loses if the exclusive or of all piles is 0."""

    name = "nim"
    title = "Nim"
    summary = "Take any number of objects from one pile; whoever takes the last one wins."
    rules = "Players take turns.\nA move takes one or more objects from one pile.\nWhoever takes the last object wins."
    sides = ("A", "B")
    notation = "MOVER:PILES"
    accepts = ("the notation MOVER:PILES",)
    example = "A:3.4.5"
    options = (game.Option("piles", "Piles", 3, 1, 20), game.Option("most", "Most objects in a pile", 7, 1, 999))
    position_type = Position

    def start(self, *, rng: Any = None, **options: Any) -> Position:
        return Position(tuple(range(3, 3 + game.checked(options, self.options)["piles"])))

    def random(self, *, rng: Any = None, plies: int | None = None, **options: Any) -> Position:
        chosen, source = game.checked(options, self.options), game.generator(rng)
        piles = tuple(source.integers(1, chosen["most"] + 1, chosen["piles"]).tolist())
        position: Position = game.random_plies(Position(piles), plies, source, sum(piles))
        return position

    def solve(self, position: Any, limits: Any = None, **options: Any) -> Solution[int, str]:
        begun, position = time.perf_counter(), self.read(position)
        limits_of(limits)  # taken for the contract's sake: a solution takes microseconds
        best, line, value = _best(position), [], 1 if _sum(position) else -1
        after = position
        while not after.is_over:
            line.append(_best(after)[0])
            after = after.play(line[-1])
        return Solution(value, value, position.to_move, best, tuple(line), 1, time.perf_counter() - begun, 0)

    def analyse(self, position: Any, limits: Any = None) -> Analysis[MoveValue[int], str]:
        begun, position = time.perf_counter(), self.read(position)
        limits_of(limits)
        moves = [(-1 if _sum(position.play(move)) else 1, move) for move in position.legal_moves()]
        entries = [MoveValue(value, value, move) for value, move in sorted(moves, key=lambda pair: -pair[0])]
        return Analysis(tuple(entries), position.to_move, len(entries), time.perf_counter() - begun)

    def describe(self, bounds: Bounds[Any], position: Any) -> str:
        return "wins" if bounds.lower > 0 else "loses" if bounds.upper < 0 else "may win or lose"


def _sum(position: Position) -> int:
    return functools.reduce(operator.xor, position.piles)


def _best(position: Position) -> tuple[str, ...]:
    """Return the winning moves, or all moves if every one loses."""
    moves = position.legal_moves()
    return tuple(move for move in moves if not _sum(position.play(move))) or moves


GAME = Nim()
