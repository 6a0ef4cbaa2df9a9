"""A game as one object, :class:`Game`, which every tool takes.

Each game's package exports an instance named ``GAME``. :func:`games` lists them; :func:`register` adds one.
"""

from gamecore.contract import random_plies
from gamecore.game._game import Choice, Game, Player, as_position, random_move
from gamecore.game._option import Json, Option, checked, options_of, takes
from gamecore.game._position import Lines, Position, reader
from gamecore.game._registry import BUILT_IN, check_name, game, games, guess, load, names, register
from gamecore.game._words import Sided, Words
from gamecore.rng import generator

__all__ = [
    "BUILT_IN", "Choice", "Game", "Json", "Lines", "Option", "Player", "Position", "Sided", "Words", "as_position",
    "check_name", "checked", "game", "games", "generator", "guess", "load", "names", "options_of", "random_move",
    "random_plies", "reader", "register", "takes",
]  # fmt: skip
