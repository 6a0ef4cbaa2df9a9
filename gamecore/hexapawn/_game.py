"""Hexapawn as a :class:`gamecore.game.Game`."""

from typing import Any, Final

from gamecore.game import Choice, Game, Option, Player, checked, takes
from gamecore.hexapawn._position import MAX_SQUARES, Position, greedy_move, parse, random
from gamecore.hexapawn._solve import Solver, analyse, solve
from gamecore.hexapawn.words import WORDS
from gamecore.rng import generator

_SIZES: Final = (Option("rows", "Rows", 4, 2, MAX_SQUARES), Option("columns", "Columns", 4, 1, 32))


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
    _solver = Solver
    words = WORDS

    @takes(*_SIZES)
    def start(self, *, rng: Any = None, **options: Any) -> Any:
        generator(rng)  # a bad one is refused
        return Position.start(**checked(options, _SIZES))

    def random(self, *, rng: Any = None, plies: int | None = None, **options: Any) -> Any:
        return random(**checked(options, _SIZES), plies=plies, rng=rng)

    parse: Any = staticmethod(parse)
    solve: Any = staticmethod(solve)
    analyse: Any = staticmethod(analyse)

    @property
    def players(self) -> dict[str, Player]:
        greedy = Player("captures, or else runs", lambda position, *_: Choice(greedy_move(position), False))
        return {**super().players, "greedy": greedy}


GAME = Hexapawn()
parse_many = GAME.parse_many  #: positions of a file's lines, see [gamecore.game.Game.parse_many][]
