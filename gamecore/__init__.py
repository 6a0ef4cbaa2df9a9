"""gamecore: exact solvers and playout engines for small card and board games.

One module a game, the same verbs in each (``Position``, ``solve``, ``analyse``, ``solve_many``)::

    from gamecore import duel
    duel.solve(duel.parse("3\\nDQ H2 HA\\nH3 D6 S3\\n")).winner

``build_info()`` tells what a bug report needs.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from gamecore._version import __version__
from gamecore.lazy import lazy_names

if TYPE_CHECKING:
    from gamecore import adapters, batch, draw, duel, explore, game, hearts, hexapawn, rows
    from gamecore.contract import Bounds, MoveValue, Solution
    from gamecore.errors import (
        BatchError,
        CardError,
        GamecoreError,
        IllegalMoveError,
        OptionError,
        ParseError,
        WorkerError,
    )
    from gamecore.game import games, register
    from gamecore.kernels import BuildInfo, build_info
    from gamecore.limits import Limits

_MODULES = ("adapters", "batch", "draw", "duel", "explore", "game", "hearts", "hexapawn", "rows")

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
    "game",
    "games",
    "hearts",
    "hexapawn",
    "register",
    "rows",
]


_find, __dir__ = lazy_names(
    __name__,
    {
        "contract": ("Bounds", "MoveValue", "Solution"),
        "errors": tuple(name for name in __all__ if name.endswith("Error")),
        "game": ("games", "register"),
        "kernels": ("BuildInfo", "build_info"),
        "limits": ("Limits",),
    },
    __all__,
)


def __getattr__(name: str) -> Any:
    """Import what is first used: ``import gamecore`` takes a millisecond and loads no kernel."""
    return import_module(f"gamecore.{name}") if name in _MODULES else _find(name)
