"""Your own game in one file: rules in Cython or Python, and every tool of gamecore for it.

``load("connect4.pyx")`` compiles a game with a native search; ``make(MyGame)`` takes a Python class with the same
functions. Both return a :class:`gamecore.game.Game`, which ``gamecore.register`` makes known to the command line.
"""

from gamecore.apps.kit._build import build, name_of
from gamecore.apps.kit._check import Check, check
from gamecore.apps.kit._game import KitGame, Position, Solution, load, make
from gamecore.apps.kit._rules import DRAW, LOSS, WIN, rules_of
from gamecore.apps.kit._table import Table, solve_all

__all__ = [
    "DRAW", "LOSS", "WIN", "Check", "KitGame", "Position", "Solution", "Table", "build", "check", "load", "make",
    "name_of", "rules_of", "solve_all",
]  # fmt: skip
