"""The games in other people's frameworks: OpenSpiel and PettingZoo.

Each adapter imports its framework when it is called::

    from gamecore import adapters
    import pyspiel

    adapters.register_open_spiel()                    # pip install 'gamecore[openspiel]'
    state = pyspiel.load_game("gamecore_hexapawn(rows=4,columns=4)").new_initial_state()

    env = adapters.pettingzoo_env("hearts")           # pip install 'gamecore[pettingzoo]'
    env.reset(seed=7)

States and observations are made from this project's positions, whose rules are those of the rest of it.
"""

from typing import TYPE_CHECKING

from gamecore.lazy import lazy_names

if TYPE_CHECKING:
    from gamecore.apps.adapters._coding import Coding, coding_of
    from gamecore.apps.adapters._open_spiel import register_open_spiel
    from gamecore.apps.adapters._pettingzoo import pettingzoo_env

__all__ = ["Coding", "coding_of", "pettingzoo_env", "register_open_spiel"]

__getattr__, __dir__ = lazy_names(
    __name__,
    {"_coding": ("Coding", "coding_of"), "_open_spiel": ("register_open_spiel",), "_pettingzoo": ("pettingzoo_env",)},
    __all__,
)
