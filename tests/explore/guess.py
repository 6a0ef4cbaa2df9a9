"""A game with hidden hands and a panel: seat 0 thinks of a number from 1 to 3, seat 1 guesses it."""

from dataclasses import dataclass
from typing import Any

from gamecore import explore, game
from gamecore.contract import Solution
from gamecore.draw import text_picture
from gamecore.text import fields

NUMBERS = ("1", "2", "3")


@dataclass(frozen=True)
class Position(game.Position):
    """The number and the guess; 0 while there is none."""

    number: int = 0
    guess: int = 0

    @property
    def to_move(self):
        return 1 if self.number and not self.guess else 0

    @property
    def is_over(self):
        return bool(self.guess)

    def legal_moves(self):
        return () if self.guess else NUMBERS

    def after(self, move):
        return Position(self.number, int(move)) if self.number else Position(int(move))

    def to_text(self):
        return f"{self.number}:{self.guess}"

    @classmethod
    def from_text(cls, text):
        return cls(*(field.whole("a number", 0, 3) for field in fields(text, ("NUMBER", "GUESS"))))

    def view(self, seat):
        """What a seat sees, as text."""
        number = self.number if seat == 0 or self.guess else "?"
        return f"number  {number}\nguess   {self.guess}"


def sums(position, seat, *, factor, unit):
    """The data of the panel: for the seat that knows the number, a multiple of it."""
    return {"product": factor * position.number if seat != 1 else "unknown", "board": position.view(seat)}


OPTIONS = game.Option("factor", "Factor", 2, 1, 9), game.Option("unit", "Unit", "cm")


class GuessScreen(explore.Screen):
    """How the page shows it."""

    panels = {"sums": explore.Panel("Sums", sums, OPTIONS, lambda position, seat: position.number > 0)}  # noqa: RUF012

    def hides_move(self, position, seat):
        return position.number == 0 and seat == 1


class Guess(game.Game):
    """The game; seat 1 wins a point by the right guess."""

    name = "guess"
    title = "Guess"
    rules = "Seat 0 thinks of a number from 1 to 3, seat 1 guesses it."
    sides = ("0", "1")
    example = "0:0"
    Position = Position

    def part(self, app):
        return GuessScreen if app == "explore" else None

    def start(self, *, rng=None, **options: Any):
        return Position()

    def solve(self, position, limits=None, **options: Any):
        best = () if position.is_over else (str(position.number),) if position.number else NUMBERS
        value = 1 if (position.is_over and position.number != position.guess) or len(best) == 1 else -1
        return Solution(value, value, position.to_move, best, best[:1], 1, 0.0, 0)

    def picture(self, position, moves=(), line=(), *, seat=None, width=None):
        return text_picture(position.view(0 if seat is None else seat), moves, line, position.legal_moves())


GAME = Guess()
