"""Every game as an environment of PettingZoo (AEC), with masks of legal actions."""

import functools
from typing import Any, Final

import numpy as np

from gamecore.apps.adapters._table import Table
from gamecore.errors import GamecoreError, OptionError
from gamecore.game import Game
from gamecore.game import game as game_of
from gamecore.text import printable


def pettingzoo_env(game: str | Game, render_mode: str | None = None, **options: Any) -> Any:
    """Return a game as a ``pettingzoo.AECEnv``; agents are ``player_0``, ``player_1`` or ``seat_0`` to ``seat_3``.

    ``Game.coding`` says what actions and observations are. A move of several actions, such as three cards to pass,
    takes several turns of one agent. An observation is a dict: ``observation``, float32, what the agent sees;
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
    found = game if isinstance(game, Game) else game_of(game)
    if render_mode not in (None, "ansi", "human"):
        raise OptionError(f"render_mode must be None, 'ansi' or 'human', not {printable(render_mode)}")
    start = options.pop("start", None) or functools.partial(_started, found, options)
    start(np.random.default_rng(0))  # raises the errors of bad options now
    return _class()(found, start, render_mode)


def _started(game: Game, options: dict[str, Any], rng: Any) -> Any:
    return game.start(rng=rng, **options)


def _env_of(game: Game, start: Any, render_mode: str | None) -> Any:
    """Return a pickled environment; its state follows."""
    return _class()(game, start, render_mode)


@functools.cache
def _class() -> Any:
    try:
        from gymnasium import spaces
        from pettingzoo import AECEnv
    except ImportError:
        raise GamecoreError("PettingZoo is not installed: pip install 'gamecore[pettingzoo]'") from None

    class GameEnv(AECEnv):  # type: ignore[misc]
        """See :func:`pettingzoo_env`."""

        def __init__(self, game: Game, start: Any, render_mode: str | None) -> None:
            super().__init__()
            self.metadata: Final = {
                "render_modes": ["human", "ansi"], "name": f"gamecore_{game.name}_v0", "is_parallelizable": False,
            }  # fmt: skip
            self.game, self.render_mode, self._start = game, render_mode, start
            kind = "seat" if hasattr(game.position_type, "view") else "player"
            self.possible_agents = [f"{kind}_{number}" for number in range(len(game.sides))]
            self.agents: list[str] = []
            self._generator = np.random.default_rng()
            coding = game.coding(start(np.random.default_rng(0)))
            seen = spaces.Box(-coding.most, coding.most, coding.shape, np.float32)
            self._count = len(coding.actions)
            mask = spaces.Box(0, 1, (self._count,), np.int8)
            each = spaces.Dict({"observation": seen, "action_mask": mask})
            self.action_spaces = {agent: spaces.Discrete(self._count) for agent in self.possible_agents}
            self.observation_spaces = dict.fromkeys(self.possible_agents, each)

        def __reduce__(self) -> Any:
            return _env_of, (self.game, self._start, self.render_mode), vars(self)

        def observation_space(self, agent: str) -> Any:
            """What an agent sees."""
            return self.observation_spaces[agent]

        def action_space(self, agent: str) -> Any:
            """All actions."""
            return self.action_spaces[agent]

        @property
        def position(self) -> Any:
            """The position in gamecore, with all hands."""
            return self.table.position

        def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
            """Start a new game; without a seed, use the generator of the last seed."""
            if seed is not None:
                self._generator = np.random.default_rng(seed)
            self.table = Table.of(self.game, self._start(self._generator if seed is None else seed))
            self.agents = self.possible_agents[:]
            self.rewards = dict.fromkeys(self.agents, 0.0)
            self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
            self.terminations = dict.fromkeys(self.agents, False)
            self.truncations = dict.fromkeys(self.agents, False)
            self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
            self.agent_selection = self.possible_agents[self.table.player]

        def observe(self, agent: str) -> dict[str, Any]:
            """What an agent sees, and its legal actions."""
            player = self.possible_agents.index(agent)
            mask = np.zeros(self._count, np.int8)
            if player == self.table.player and not self.table.is_over:
                mask[self.table.legal_actions()] = 1
            return {"observation": self.table.observed(player), "action_mask": mask}

        def step(self, action: int | None) -> None:
            """Do an action.

            Raises:
                IllegalMoveError: the rules forbid it.
            """
            if self.terminations[self.agent_selection]:
                self._was_dead_step(action)
                return
            self._cumulative_rewards[self.agent_selection] = 0.0
            self.table = self.table.after(action)
            if self.table.is_over:
                self.rewards = dict(zip(self.possible_agents, self.table.returns(), strict=True))
                self.terminations = dict.fromkeys(self.agents, True)
            self.agent_selection = self.possible_agents[self.table.player]
            self._accumulate_rewards()
            if self.render_mode == "human":
                self.render()

        def render(self) -> str | None:
            """The position as text, with all hands."""
            text: str = self.position.draw(color=False)
            if self.render_mode == "human":
                print(text)
                return None
            return text

        def close(self) -> None:
            """Do nothing (required by PettingZoo)."""

        def __str__(self) -> str:
            return str(self.metadata["name"])

    return GameEnv
