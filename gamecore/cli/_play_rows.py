"""A row at the terminal."""

from typing import Any, ClassVar

import numpy as np

from gamecore.cli._play_screen import Screen
from gamecore.cli._play_table import Opponent, TwoSided
from gamecore.errors import GamecoreError, OptionError
from gamecore.limits import Limits
from gamecore.rows import Position
from gamecore.text import printable

_WORDS = {"L": "left", "R": "right"}


class RowsTable(TwoSided):
    """A row; the greedy opponent is the rules' own, whose moves are forced.

    Args:
        screen, opponent, limits, rng: as for :class:`TwoSided`.
        values: of a new row: numbers from 1 to 99; or the row itself.
        second: the opponent takes first.
    """

    module: ClassVar[str] = "gamecore.rows"
    refines: ClassVar[bool] = False
    unit: ClassVar[str] = " (how much more you have at the end)"
    how: ClassVar[str] = "Type l or r: take the leftmost or the rightmost value."

    def __init__(
        self, screen: Screen, opponent: Opponent, limits: Limits, rng: Any, values: int | list[Any], second: bool
    ) -> None:
        super().__init__(screen, opponent, limits, rng, ("me", "opponent"))
        self.values, self.second = values, second

    def first(self) -> Any:
        """A random row, or the one that was given."""
        values = self.rng.integers(1, 100, self.values) if isinstance(self.values, int) else np.array(self.values)
        rules: Any = "greedy" if self.opponent == "greedy" else "optimal"
        return Position(values, rules, self.other if self.second else self.mine)  # type: ignore[arg-type]

    def name(self, side: str) -> str:
        """A side in a sentence."""
        return "you" if side == self.mine else "the opponent"

    def flip(self, state: Any) -> None:
        """Change sides, where both play by the same rules."""
        if state.opponent != "optimal":
            raise OptionError(f"flip: the {state.opponent} opponent moves by rule: no changing sides")
        self.mine, self.other = self.other, self.mine
        self.screen.say("You play the other side now.")

    def show(self, state: Any) -> None:
        """What is left, and what both have."""
        mine, theirs = state.mine, state.theirs
        if self.mine == "opponent":
            mine, theirs = theirs, mine
        self.screen.row("row", map(str, state.values) if state.values else ["-"], indent=6)
        self.screen.draw(f"you have {mine}, the opponent {theirs}")

    def read(self, state: Any, typed: str) -> str:
        """An end of the row, or its value where the ends differ."""
        word = typed.lower()
        for move, name in _WORDS.items():
            if word and name.startswith(word):
                return move
        ends = [move for move in state.legal_moves() if word == str(state.values[0 if move == "L" else -1])]
        if len(ends) == 1:
            return str(ends[0])
        raise GamecoreError(f"{printable(typed)} is no move: l for left, r for right")

    def answer(self, state: Any) -> Any:
        """The row after the opponent's move, which is shown."""
        move = self._choice(state)
        taken = state.values[0 if move == "L" else -1]
        self.screen.draw(f"the opponent takes {taken} from the {_WORDS[move]}")
        return state.play(move)

    def result(self, state: Any) -> None:
        """Who has more."""
        mine, theirs = (state.mine, state.theirs) if self.mine == "me" else (state.theirs, state.mine)
        who = "you win" if mine > theirs else "the opponent wins" if theirs > mine else "a draw"
        self.screen.say(f"The game is over, {mine} to {theirs}: {who}.")
