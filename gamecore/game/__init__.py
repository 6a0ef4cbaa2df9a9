"""A game as one object, :class:`Game`: all that the command, ``play``, the page, ``prove`` and the adapters know of it.

Each game's package exports an instance named ``GAME``. :func:`games` lists them; :func:`register` adds one.
"""

from gamecore.contract import random_plies
from gamecore.game._game import Game, Lines
from gamecore.game._judging import Judging, claimed_number
from gamecore.game._option import Json, Option, checked
from gamecore.game._package import PackageGame
from gamecore.game._parts import Choice, Coding, Command, Player, random_move
from gamecore.game._position import Position
from gamecore.game._prover import Answer, Child, Engine, PlainRules, Prover
from gamecore.game._registry import BUILT_IN, game, games, load, provable, register
from gamecore.rng import generator

__all__ = [
    "BUILT_IN",
    "Answer",
    "Child",
    "Choice",
    "Coding",
    "Command",
    "Engine",
    "Game",
    "Json",
    "Judging",
    "Lines",
    "Option",
    "PackageGame",
    "PlainRules",
    "Player",
    "Position",
    "Prover",
    "checked",
    "claimed_number",
    "game",
    "games",
    "generator",
    "load",
    "provable",
    "random_move",
    "random_plies",
    "register",
]
