"""The games that every tool knows."""

import itertools
import os
import sys
from contextlib import suppress
from importlib import import_module
from importlib.machinery import PathFinder
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import PurePath
from types import ModuleType
from typing import Final

from gamecore.errors import GamecoreError, OptionError, ParseError
from gamecore.files import checked_path
from gamecore.game._game import Game
from gamecore.game._position import Lines
from gamecore.text import BLANKS, checked_word, explain, printable

BUILT_IN: Final = ("duel", "hexapawn", "rows", "hearts")  #: each is a package that exports ``GAME``

_registered: dict[str, Game] = {}
loaded_files: Final[list[str]] = []  #: of :func:`module_of`; a worker process may have to load them, too


def names() -> tuple[str, ...]:
    """Return the names of all games: the built-in ones, then those of :func:`register`. No game is loaded."""
    return (*BUILT_IN, *_registered)


def games() -> dict[str, Game]:
    """Return all games by name, in the order of :func:`names`."""
    return {name: game(name) for name in names()}


def game(name: str) -> Game:
    """Return a game by its name.

    Raises:
        OptionError: no such game.
    """
    checked_word(name, "game", names())
    return _registered.get(name) or import_module(f"gamecore.{name}").GAME


def guess(lines: Lines) -> tuple[Game, Lines]:
    """Return the game of a file's numbered lines, and the lines: the game whose first text has the most lines.

    Raises:
        ParseError: no text, or no such game, or several.
    """
    lines, ahead = itertools.tee(lines)
    number, first = next(((number, text.strip(BLANKS)) for number, text in ahead if text.strip(BLANKS)), (0, ""))
    if not first:
        raise ParseError("no position: the input is empty")
    lengths: dict[Game, int] = {}
    for candidate in games().values():
        lines, ahead = itertools.tee(lines)
        with suppress(GamecoreError, StopIteration):
            _, text = next(candidate.Position.split_lines(ahead))
            candidate.parse(text)
            lengths[candidate] = text.strip(BLANKS).count("\n")
    longest = [candidate for candidate, length in lengths.items() if length == max(lengths.values())]
    if len(longest) != 1:
        what = f"cannot tell which game this is: {printable(first, 80)}"
        raise ParseError(f"{what}; --game names it, and then tells what is wrong", number)
    return longest[0], lines


def load(path: str) -> Game:
    """Register the game of a Python file, which calls it ``GAME``; a file that is loaded already is not run again.

    Raises:
        GamecoreError: the file cannot be read, raises an error, or has no ``GAME``. OptionError: see :func:`register`.
    """
    loaded = getattr(module_of(checked_path(path)), "GAME", None)
    if not isinstance(loaded, Game):
        raise GamecoreError(f"{printable(path, 80)} has no GAME that is a gamecore.game.Game")
    register(loaded)
    return loaded


def module_of(path: str) -> ModuleType:
    """Return the module of a Python file, loaded if necessary; a module that others can import keeps its name.

    Raises:
        GamecoreError: the file cannot be read, or raises an error.
    """
    name, place = PurePath(path).stem, os.path.realpath(path)
    found = PathFinder.find_spec(name)
    if name in sys.stdlib_module_names or (found is not None and os.path.realpath(found.origin or place) != place):
        name = f"gamecore_file_{name}"  # others import the module of this name
    while (other := sys.modules.get(name)) is not None:
        if getattr(other, "__file__", None) is not None and os.path.realpath(str(other.__file__)) == place:
            return other
        name += "_"
    if not os.path.exists(place):
        raise GamecoreError(f"cannot read {printable(path, 80)}: no such file")
    spec = spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise GamecoreError(f"{printable(path, 80)} is not a Python file (a .pyx file: gamecore.kit.load)")
    module = module_from_spec(spec)
    sys.modules[name] = module  # dataclasses and pickle look there
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        del sys.modules[name]
        raise GamecoreError(f"cannot load {printable(path, 80)}: {explain(error)}") from error
    loaded_files.append(place)
    return module


def register(new: Game) -> None:
    """Add a game, so that every tool knows it.

    Raises:
        OptionError: not a :class:`Game`, or a name that is taken by another game.
    """
    if not isinstance(new, Game):
        raise OptionError(f"register takes a gamecore.game.Game, not {printable(new)}")
    check_name(new.name, new)
    _registered[new.name] = new


def check_name(name: str, new: Game | None = None) -> None:
    """Raise OptionError if a game, such as ``new``, cannot have this name."""
    why = "" if name.isidentifier() else "a name is a letter, then letters, digits and underscores"
    if name in BUILT_IN or _registered.get(name, new) != new:
        why = "another game has this name; say name = ..."
    if why:
        raise OptionError(f"a game named {printable(name)} cannot be registered: {why}")
