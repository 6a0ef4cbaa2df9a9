"""Nim, a fifth game outside the package: what one writes to add a game to gamecore.

Two players in turn take any number of objects from one pile; who takes the last one wins. The value of a position, for
the side to move, is +1 or -1. A move is the number of the pile, from 1, and how many are taken: ``2x3``.

    >>> import nim
    >>> nim.solve("A:3.4.5").best_moves
    ('1x2',)
"""

from gamecore.lazy import lazy_names
from nim._position import MoveValue, Position, random
from nim._solve import Solution, analyse, solve
from nim._text import parse

__all__ = [
    "MoveValue",
    "Position",
    "Solution",
    "Solutions",
    "analyse",
    "parse",
    "random",
    "solve",
    "solve_iter",
    "solve_many",
]

__getattr__, __dir__ = lazy_names(__name__, {"_batch": ("Solutions", "solve_iter", "solve_many")}, __all__)
