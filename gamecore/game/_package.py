"""A game whose answers are its package's functions: :class:`PackageGame`."""

import functools
import sys
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import TYPE_CHECKING, Any

from gamecore.game._game import Game

if TYPE_CHECKING:
    from gamecore.limits import Limits


class PackageGame(Game):
    """A game whose package has ``solve`` and ``analyse``.

    Its pictures are those of the package's ``_picture``.
    """

    @property
    def _package(self) -> ModuleType:
        own = next(one for one in type(self).__mro__ if PackageGame in one.__bases__)  # not a user's subclass
        return sys.modules[own.__module__.rpartition(".")[0]]

    def _part(self, name: str) -> Any:
        return _part_of(self._package.__name__, name)

    def picture(
        self, position: Any, moves: Any = (), line: Any = (), *, seat: int | None = None, width: int | None = None
    ) -> Any:
        return self._part("picture")(position, moves, line, width)

    def solve(self, position: Any, limits: "Limits | None" = None, **options: Any) -> Any:
        return self._package.solve(position, limits, **options)

    def analyse(self, position: Any, limits: "Limits | None" = None, **options: Any) -> Any:
        return self._package.analyse(position, limits, **options)


@functools.cache
def _part_of(package: str, name: str) -> Any:
    """Return what the package's module for it calls ``name``; None if there is no such module."""
    module = f"{package}._{name.lower()}"
    return getattr(import_module(module), name) if find_spec(module) else None
