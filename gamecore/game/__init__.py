"""A game as one object, :class:`Game`: all that the command, ``play``, the page, ``prove`` and the adapters know of it.

Each game's package exports an instance named ``GAME``. :func:`games` lists them; :func:`register` adds one.
"""

from gamecore.contract import random_plies
from gamecore.game._game import Game, Lines
from gamecore.game._option import Json, Option, checked
from gamecore.game._package import PackageGame
from gamecore.game._parts import Choice, Command, Player, random_move
from gamecore.game._position import Position
from gamecore.game._registry import BUILT_IN, game, games, load, register
from gamecore.rng import generator

__all__ = [
    "BUILT_IN",
    "Choice",
    "Command",
    "Game",
    "Json",
    "Lines",
    "Option",
    "PackageGame",
    "Player",
    "Position",
    "checked",
    "game",
    "games",
    "generator",
    "load",
    "random_move",
    "random_plies",
    "register",
]
