"""A game whose answers are its package's functions: :class:`PackageGame`."""

import sys
from collections.abc import Iterator, Sequence
from types import ModuleType
from typing import TYPE_CHECKING, Any

from gamecore.game._game import Game

if TYPE_CHECKING:
    from gamecore.limits import Limits


class PackageGame(Game):
    """A game whose package has ``solve``, ``analyse``, ``solve_many`` and ``solve_iter``."""

    @property
    def _package(self) -> ModuleType:
        return sys.modules[type(self).__module__.rpartition(".")[0]]

    def solve(self, position: Any, limits: "Limits | None" = None, **options: Any) -> Any:
        return self._package.solve(position, limits, **options)

    def analyse(self, position: Any, limits: "Limits | None" = None, **options: Any) -> Any:
        return self._package.analyse(position, limits, **options)

    def solve_many(self, positions: Any, limits: "Limits | None" = None, **plan: Any) -> Sequence[Any]:
        found: Sequence[Any] = self._package.solve_many(positions, limits, **plan)
        return found

    def solve_iter(self, positions: Any, limits: "Limits | None" = None, **plan: Any) -> Iterator[Any]:
        found: Iterator[Any] = self._package.solve_iter(positions, limits, **plan)
        return found
