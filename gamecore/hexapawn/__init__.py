"""Hexapawn on any board of up to 64 squares: who wins, in how many plies, and how.

White pawns (``P``) move up, black pawns (``p``) move down: one step forward onto an empty square, or one diagonal
step that captures. A player who has reached the far row has won; a player to move who has no move has lost.

The value of a position, for the side to move, is the source's: 0 when the mover has lost already, +n when the mover
wins in n plies, -n when the mover loses in n plies; the winner hurries and the loser delays. So wins are odd and
losses even. Values are distances: among wins the smaller one is better, among losses the one further from 0.

    >>> from gamecore import hexapawn
    >>> solution = hexapawn.solve("5/pp1pp/PPp2/3P1/4P:w")
    >>> solution.value, solution.winner, solution.best_move
    (3, 'white', 'b3xa4')
"""

from typing import TYPE_CHECKING

from gamecore.hexapawn._position import MAX_SQUARES, Color, MoveValue, Position, random
from gamecore.hexapawn._solve import Analysis, Solution, analyse, perft, solve
from gamecore.hexapawn._text import parse
from gamecore.lazy import lazy_names

if TYPE_CHECKING:
    from gamecore.hexapawn._batch import PositionArray, Solutions, solve_iter, solve_many
    from gamecore.hexapawn._game import GAME
    from gamecore.hexapawn._solver import Solver

__all__ = [
    "GAME",
    "MAX_SQUARES",
    "Analysis",
    "Color",
    "MoveValue",
    "Position",
    "PositionArray",
    "Solution",
    "Solutions",
    "Solver",
    "analyse",
    "parse",
    "perft",
    "random",
    "solve",
    "solve_iter",
    "solve_many",
]

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "_batch": ("PositionArray", "Solutions", "solve_iter", "solve_many"),
        "_game": ("GAME",),
        "_solver": ("Solver",),
    },
    __all__,
)
