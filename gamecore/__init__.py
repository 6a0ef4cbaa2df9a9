"""gamecore: exact solvers and playout engines for small card and board games.

One module a game, the same verbs in each (``Position``, ``solve``, ``analyse``, ``solve_many``)::

    from gamecore import duel
    duel.solve(duel.parse("3\\nDQ H2 HA\\nH3 D6 S3\\n")).winner

``build_info()`` tells what a bug report needs.
"""

from typing import TYPE_CHECKING

from gamecore._version import __version__
from gamecore.lazy import lazy_names

if TYPE_CHECKING:
    from gamecore import batch, draw, duel, game, hearts, hexapawn, rows
    from gamecore.apps import adapters, explore, kit, prove
    from gamecore.apps.judge import judge
    from gamecore.contract import Bounds, MoveValue, Solution
    from gamecore.draw import trace
    from gamecore.errors import (
        BatchError,
        CardError,
        GamecoreError,
        IllegalMoveError,
        OptionError,
        ParseError,
        WorkerError,
    )  # fmt: skip
    from gamecore.game import games, register
    from gamecore.kernels import BuildInfo, build_info
    from gamecore.limits import Limits

__all__ = [
    "BatchError", "Bounds", "BuildInfo", "CardError", "GamecoreError", "IllegalMoveError", "Limits", "MoveValue",
    "OptionError", "ParseError", "Solution", "WorkerError", "__version__", "adapters", "batch", "build_info", "draw",
    "duel", "explore", "game", "games", "hearts", "hexapawn", "judge", "kit", "prove", "register", "rows", "trace",
]  # fmt: skip


# Imported when first used: `import gamecore` loads no kernel.
__getattr__, __dir__ = lazy_names(
    __name__,
    {f"apps.{name}": (name,) for name in ("adapters", "explore", "judge", "kit", "prove")}
    | {
        "draw._trace": ("trace",),
        "contract": ("Bounds", "MoveValue", "Solution"),
        "errors": tuple(name for name in __all__ if name.endswith("Error")),
        "game": ("games", "register"),
        "kernels": ("BuildInfo", "build_info"),
        "limits": ("Limits",),
    },
    __all__,
)
