"""The open-hand card duel: who wins, by how many points, and how.

Two open hands, all cards distinct. A card played must share suit or number with the card before it; a player
passes if and only if no card fits, and after a pass the other may play any card. Play stops when a hand is
empty; the other player pays the points of the cards left (A=1, 2 to 9, T=10, J=11, Q=12, K=13). The winner
maximises, the loser minimises; there are no draws.

A value belongs to the side to move: +9 when it wins 9 points, -9 when it pays them. ``winner`` and ``points`` give the
same result without a sign.

    >>> from gamecore import duel
    >>> solution = duel.solve("DQH2HA:H3D6S3:A:-")
    >>> solution.winner, solution.points, solution.best_move
    ('Alice', 9, 'HA')
"""

from typing import TYPE_CHECKING

from gamecore.duel._game import GAME, parse_many
from gamecore.duel._position import MAX_CARDS, MoveValue, Position, Side, deal, parse, random
from gamecore.duel._solve import Analysis, Solution, Solver, analyse, solve
from gamecore.duel.words import PASS
from gamecore.lazy import lazy_names

if TYPE_CHECKING:
    from gamecore.duel._batch import PositionArray, Solutions, solve_iter, solve_many
    from gamecore.duel._plots import plot_duels

__all__ = [
    "GAME", "MAX_CARDS", "PASS", "Analysis", "MoveValue", "Position", "PositionArray", "Side", "Solution", "Solutions",
    "Solver", "analyse", "deal", "parse", "parse_many", "plot_duels", "random", "solve", "solve_iter", "solve_many",
]  # fmt: skip

_ROOMS = {"_batch": ("PositionArray", "Solutions", "solve_iter", "solve_many"), "_plots": ("plot_duels",)}
__getattr__, __dir__ = lazy_names(__name__, _ROOMS, __all__)
