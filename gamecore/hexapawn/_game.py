"""Hexapawn as a :class:`gamecore.game.Game`."""

import re
from typing import TYPE_CHECKING, Any, Final

from gamecore.errors import OptionError
from gamecore.game import Choice, Game, Json, Option, Player, checked, takes
from gamecore.hexapawn._position import MAX_SQUARES, Position, greedy_move, random
from gamecore.hexapawn._solve import analyse, solve
from gamecore.hexapawn._solver import Solver
from gamecore.hexapawn._text import parse
from gamecore.hexapawn._words import HexapawnWords
from gamecore.text import SEPARATOR, printable

if TYPE_CHECKING:
    from gamecore.batch.spec import Batch
    from gamecore.search import Refinement

_SQUARE: Final = "((?:a[a-f]|[a-z])[0-9]{1,2})"  # a board has at most 32 columns
_SIZE: Final = re.compile("([0-9]{1,4})[xX]([0-9]{1,4})")
_MOVE: Final = re.compile(f"(?:{_SQUARE} ?[-x]? ?)?{_SQUARE}")

_SIZES: Final = (Option("rows", "Rows", 4, 2, MAX_SQUARES), Option("columns", "Columns", 4, 1, 32))
_MOVER: Final = Option("to_move", "Side to move", "white", choices=("white", "black"))

_PRESETS: Final[dict[str, Json]] = {
    f"{rows} x {columns}": {"rows": rows, "columns": columns}
    for rows, columns in ((4, 4), (3, 3), (4, 5), (5, 5), (6, 6), (7, 7), (8, 8))
}


class Hexapawn(Game):
    """See :class:`gamecore.game.Game`."""

    name = "hexapawn"
    title = "Hexapawn"
    rules = """\
Pawns race, block and capture: reach the far row, or leave the other side without a move.
White pawns move up, black pawns move down.
A pawn steps forward onto an empty square, or captures one square diagonally forward.
A player who reaches the far row wins.
A player who is to move and has no move loses."""
    sides = ("white", "black")
    example = "pppp/4/4/PPPP:w"
    Position = Position

    @property
    def words(self) -> HexapawnWords:
        return HexapawnWords(self)

    @takes(*_SIZES)
    def start(self, *, rng: Any = None, **options: Any) -> Any:
        return Position.start(**checked(options, _SIZES))

    def random(self, *, rng: Any = None, plies: int | None = None, **options: Any) -> Any:
        return random(**checked(options, _SIZES), plies=plies, rng=rng)

    @takes(_MOVER)
    def parse(self, text: str, **options: Any) -> Any:
        if SEPARATOR in text:
            if options:
                raise OptionError("--to-move is for a judge's text; the notation names the side to move")
            return Position.from_text(text.strip())
        if _SIZE.fullmatch(text):
            return start_of(text, "a start position")
        return parse(text, checked(options, (_MOVER,))["to_move"])

    def solve(self, position: Any, limits: Any = None, **options: Any) -> Any:
        return solve(position, limits, **options)

    def analyse(self, position: Any, limits: Any = None, **options: Any) -> Any:
        return analyse(position, limits, **options)

    @property
    def batch(self) -> "Batch[Any]":
        from gamecore.hexapawn._batch import BATCH

        return BATCH

    def refine(self, position: Any, table_mb: float | None = None) -> "Refinement":
        return Solver(table_mb).refine(position)

    @property
    def players(self) -> dict[str, Player]:
        greedy = Player("captures, or else runs", lambda position, *_: Choice(greedy_move(position), False))
        return {**super().players, "greedy": greedy}

    def picture(
        self, position: Any, moves: Any = (), line: Any = (), *, seat: int | None = None, width: int | None = None
    ) -> Any:
        from gamecore.hexapawn._picture import picture

        return picture(position, moves, line, width)


def start_of(size: str, option: str) -> Position:
    """Return the start position on a board of ``size``, such as ``6x6``, rows first.

    Args:
        size: rows and columns.
        option: name of the option, for error messages.

    Raises:
        OptionError: a malformed or forbidden size.
    """
    match = _SIZE.fullmatch(size)
    if match is None:
        raise OptionError(f"{option} must be rows x columns, such as 6x6, not {printable(size)}")
    return Position.start(int(match[1]), int(match[2]))


GAME = Hexapawn()
