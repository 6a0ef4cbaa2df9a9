"""Hexapawn on any board of up to 64 squares: who wins, in how many plies, and how.

White pawns (``P``) move up, black pawns (``p``) move down: one step forward onto an empty square, or one diagonal
step that captures. A player who reaches the far row wins; a player who must move and cannot loses.

The value of a position belongs to the side to move: +n if it wins in n plies, -n if it loses in n plies, 0 if it has
lost already. The winner hurries and the loser delays. Wins are odd and losses even. Values are distances: +3 is better
than +5, and -6 is better than -4.

    >>> from gamecore import hexapawn
    >>> solution = hexapawn.solve("5/pp1pp/PPp2/3P1/4P:w")
    >>> solution.value, solution.winner, solution.best_move
    (3, 'white', 'b3xa4')
"""

from typing import TYPE_CHECKING

from gamecore.hexapawn._game import GAME, parse_many
from gamecore.hexapawn._position import MAX_SQUARES, Color, MoveValue, Position, parse, random
from gamecore.hexapawn._solve import Analysis, Solution, Solver, analyse, perft, solve
from gamecore.lazy import lazy_names

if TYPE_CHECKING:
    from gamecore.hexapawn._batch import Solutions, solve_iter, solve_many
    from gamecore.hexapawn._long import Progress

__all__ = [
    "GAME", "MAX_SQUARES", "Analysis", "Color", "MoveValue", "Position", "Progress", "Solution", "Solutions", "Solver",
    "analyse", "parse", "parse_many", "perft", "random", "solve", "solve_iter", "solve_many",
]  # fmt: skip

_ROOMS = {"_batch": ("Solutions", "solve_iter", "solve_many"), "_long": ("Progress",)}
__getattr__, __dir__ = lazy_names(__name__, _ROOMS, __all__)
