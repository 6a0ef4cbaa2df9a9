"""Hexapawn at the terminal."""

import re
from typing import Any, ClassVar, Final

from gamecore.cli._play_screen import Screen
from gamecore.cli._play_table import Opponent, TwoSided, one_move
from gamecore.errors import GamecoreError
from gamecore.hexapawn import Position
from gamecore.hexapawn._position import WHITE, column_name
from gamecore.limits import Limits
from gamecore.text import printable

_MARGIN: Final = 4  # columns left of the board
_SQUARE: Final = "((?:a[a-f]|[a-z])[0-9]{1,2})"  # a board has at most 32 columns
_MOVE: Final = re.compile(f"(?:{_SQUARE} ?[-x]? ?)?{_SQUARE}")


class HexapawnTable(TwoSided):
    """Hexapawn: white begins. The person's side is shown below.

    Args:
        screen, opponent, limits, rng, sides: as for :class:`TwoSided`.
        start: of a new game.
    """

    module: ClassVar[str] = "gamecore.hexapawn"
    unit: ClassVar[str] = " (+n wins in n plies, -n loses)"
    how: ClassVar[str] = "Type a move: b2-b3, b2xc3, b2c3, or its last square alone if one move goes there."

    def __init__(
        self,
        screen: Screen,
        opponent: Opponent,
        limits: Limits,
        rng: Any,
        sides: tuple[str, str],
        start: Position,
    ) -> None:
        super().__init__(screen, opponent, limits, rng, sides)
        self.start = start

    def first(self) -> Any:
        """The start position."""
        return self.start

    def show(self, state: Any) -> None:
        """The board from the person's side, with the names of its squares."""
        pen, white_below = self.screen.pen, self.mine == WHITE
        order = list(range(state.columns))
        lines = [list(line) for line in state.to_rows()]
        numbers = list(range(state.rows, 0, -1))
        if not white_below:
            order.reverse()
            lines.reverse()
            numbers.reverse()
        names = [column_name(column) for column in order]
        cell = max(map(len, names)) + 1
        if _MARGIN + cell * len(names) > self.screen.width:
            cell = 1  # names of two letters then stand on two lines
        painted = {" ": ".", "P": pen.paint("P", "bold", "cyan"), "p": pen.paint("p", "bold", "yellow")}
        for number, line in zip(numbers, lines, strict=True):
            squares = "".join(" " * (cell - 1) + painted[line[column]] for column in order)
            self.screen.draw(f"{number:>{_MARGIN - 1}} {squares}")
        for text in [names] if cell > 1 else [[name[at : at + 1] or " " for name in names] for at in range(2)]:
            label = (" " * _MARGIN + "".join(name.rjust(cell) for name in text)).rstrip()
            if label:
                self.screen.draw(label)
        if not state.is_over:
            self.screen.draw(f"you are {self.mine} ({'P' if white_below else 'p'})")

    def read(self, state: Any, typed: str) -> str:
        """A move by its two squares, or by the second where it is the only one."""
        given = _MOVE.fullmatch(typed.lower())
        if given is None:
            raise GamecoreError(f"{printable(typed)} is no move: type one such as {state.legal_moves()[0]}")
        squares = [square for square in given.groups() if square is not None]
        found = [move for move in state.legal_moves() if _squares_of(move)[-len(squares) :] == squares]
        if not found and len(squares) == 2:
            state.play("-".join(squares))  # which says why not
        return one_move(printable(typed), found)

    def result(self, state: Any) -> None:
        """Who has won, and why."""
        how = "reached the far row" if state._opponent_arrived() else f"left {self.name(state.to_move)} no move"
        verb = "have" if state.winner == self.mine else "has"
        self.screen.say(f"The game is over: {self.name(state.winner)} {verb} won and {how}.")


def _squares_of(move: str) -> list[str]:
    """The two squares of a move as the game writes it."""
    found = _MOVE.fullmatch(move)
    assert found is not None
    return [*found.groups()]
