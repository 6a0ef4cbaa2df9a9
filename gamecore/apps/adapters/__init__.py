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

from importlib import import_module
from typing import TYPE_CHECKING, Any

from gamecore.apps.adapters._table import Coding, coding_of
from gamecore.errors import GamecoreError
from gamecore.game import Game, games

if TYPE_CHECKING:
    from gamecore.apps.adapters._pettingzoo import GameEnv

__all__ = ["Coding", "coding_of", "pettingzoo_env", "register_open_spiel"]


def register_open_spiel() -> tuple[str, ...]:
    """Register ``gamecore_NAME`` for every numbered game with ``pyspiel``; calling it again registers new games only.

    Parameters: the options of the game's ``start`` (duel ``n``, Hexapawn ``rows`` and ``columns``, rows ``n`` and
    ``opponent``, hearts ``passing`` and ``variant``), ``seed`` of the start, or ``position``: a notation, with blanks
    in place of commas, which OpenSpiel's parameters cannot hold; it says all, others are refused. Without the last two
    chance draws the seed of a random start: three actions from 0 to 999 are its digits. A state's ``position`` is the
    position, None before it is drawn, its ``str`` the notation. The game's ``Coding`` says how actions are numbered and
    what observations hold.

    Returns:
        The short names.

    Raises:
        GamecoreError: OpenSpiel is not installed.
    """
    adapter = _adapter("_open_spiel", "OpenSpiel")
    return tuple(adapter.registered(game) for game in games().values() if game.part("adapters"))


def pettingzoo_env(game: str | Game, render_mode: str | None = None, **options: object) -> "GameEnv":
    """Return a game as a ``pettingzoo.AECEnv``; agents are ``player_0``, ``player_1`` or ``seat_0`` to ``seat_3``.

    The game's ``Coding`` says what actions and observations are. A move of several actions, such as three cards to
    pass, takes several turns of one agent. An observation is a dict: ``observation``, float32, what the agent sees;
    ``action_mask``, int8, ones for legal actions, zeros for an agent that is not to move. Rewards come at the end.
    ``reset(seed=)`` starts as ``game.start(rng=seed)`` does; without a seed, the next start of the same generator.
    ``env.unwrapped.position`` is the position, for arbiters.

    Args:
        game: a name or a :class:`gamecore.game.Game`.
        render_mode: None; ``"ansi"``: ``render()`` returns the position as text; ``"human"``: it prints that.
        options: those of ``game.start``; or ``start``: a function of a generator that returns a start position.

    Raises:
        GamecoreError: PettingZoo is not installed. OptionError: an argument out of its range.
    """
    env: GameEnv = _adapter("_pettingzoo", "PettingZoo").GameEnv(game, render_mode, **options)
    return env


def _adapter(module: str, framework: str) -> Any:
    """Import the adapter of a framework."""
    try:
        return import_module(f"gamecore.apps.adapters.{module}")
    except ImportError:
        extra = framework.lower()
        raise GamecoreError(f"{framework} is not installed: pip install 'gamecore[{extra}]'") from None
