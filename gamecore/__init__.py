"""gamecore: exact solvers and playout engines for small card and board games.

One module a game, the same verbs in each (``Position``, ``solve``, ``analyse``, ``solve_many``)::

    from gamecore import duel
    duel.solve(duel.parse("3\\nDQ H2 HA\\nH3 D6 S3\\n")).winner

``build_info()`` tells what a bug report needs.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from gamecore._version import __version__
from gamecore.contract import Bounds, MoveValue, Solution
from gamecore.errors import BatchError, CardError, GamecoreError, IllegalMoveError, OptionError, ParseError, WorkerError
from gamecore.game import games, register
from gamecore.kernels import BuildInfo, build_info
from gamecore.limits import Limits

if TYPE_CHECKING:
    from gamecore import adapters, batch, draw, duel, explore, hearts, hexapawn, rows

_LATER = ("adapters", "batch", "draw", "duel", "explore", "hearts", "hexapawn", "rows")

__all__ = [
    "BatchError",
    "Bounds",
    "BuildInfo",
    "CardError",
    "GamecoreError",
    "IllegalMoveError",
    "Limits",
    "MoveValue",
    "OptionError",
    "ParseError",
    "Solution",
    "WorkerError",
    "__version__",
    "adapters",
    "batch",
    "build_info",
    "draw",
    "duel",
    "explore",
    "games",
    "hearts",
    "hexapawn",
    "register",
    "rows",
]


def __getattr__(name: str) -> Any:
    """Import a module when it is first used: ``import gamecore`` loads no kernel."""
    if name in _LATER:
        return import_module(f"gamecore.{name}")
    raise AttributeError(f"module 'gamecore' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
