"""Every game as an environment of PettingZoo (AEC), with masks of legal actions. Importing it needs PettingZoo."""

from collections.abc import Callable
from typing import TypeAlias

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv

from gamecore.apps.adapters._table import Coding, Table
from gamecore.contract import Playable
from gamecore.errors import OptionError
from gamecore.game import Game, Json, generator, options_of
from gamecore.game import game as game_of
from gamecore.text import printable

Start: TypeAlias = Callable[[np.random.Generator], Playable]


class GameEnv(AECEnv):  # type: ignore[misc]
    """A game of agents, as :func:`gamecore.apps.adapters.pettingzoo_env` says. PettingZoo documents the methods."""

    def __init__(
        self, game: str | Game, render_mode: str | None, start: Start | None = None, **options: object
    ) -> None:
        super().__init__()
        if render_mode not in (None, "ansi", "human"):
            raise OptionError(
                f"render_mode must be None, 'ansi' or 'human', not {printable(render_mode)}", "render_mode"
            )
        if start is not None and (options or not callable(start)):
            what = "without other options" if options else "a function of a generator"
            raise OptionError(f"start must be {what}, not {printable(options or start)}", "start")
        self.game = game if isinstance(game, Game) else game_of(game)
        name = f"gamecore_{self.game.name}_v0"
        self.metadata = {"render_modes": ["human", "ansi"], "name": name, "is_parallelizable": False}
        self.render_mode, self._start, self._options = render_mode, start, options
        self._generator = np.random.default_rng()
        self._sizes = ""  # of the first start
        coding = self._new_table(np.random.default_rng(0)).coding  # raises the errors of bad options now
        kind = "seat" if coding.hidden else "player"
        self.possible_agents = [f"{kind}_{number}" for number in range(len(self.game.sides))]
        self.agents: list[str] = []
        least, most = getattr(coding, "bounds", Coding.bounds)
        seen = spaces.Box(least, most, coding.shape, np.float32)
        mask = spaces.Box(0, 1, (len(coding.actions),), np.int8)
        each = spaces.Dict({"observation": seen, "action_mask": mask})
        self.action_spaces = {agent: spaces.Discrete(len(coding.actions)) for agent in self.possible_agents}
        self.observation_spaces = dict.fromkeys(self.possible_agents, each)

    def _new_table(self, rng: int | np.random.Generator) -> Table:
        start = self._start(generator(rng)) if self._start else self.game.start(rng=rng, **self._options)
        table = Table.of(self.game, start)
        sizes = f"{len(table.coding.actions)} actions and observations of shape {table.coding.shape}"
        self._sizes = self._sizes or sizes
        if sizes != self._sizes:
            raise OptionError(f"start must return positions of one size: {sizes} come after {self._sizes}")
        return table

    def observation_space(self, agent: str) -> spaces.Dict:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        return self.action_spaces[agent]

    position = property(lambda self: self.table.position, doc="The position in gamecore, with all hands.")

    def reset(self, seed: int | None = None, options: Json | None = None) -> None:
        """Start a new game; without a seed, use the generator of the last seed. There are no options."""
        for option in options_of(self.game.start):  # PettingZoo's own tests give others
            if option.name in (options or ()):
                raise OptionError(f"{option.name} must be given to pettingzoo_env, not to reset", option.name)
        if seed is not None:
            self._generator = np.random.default_rng((seed, 1))  # of later starts: not this one again
        self.table = self._new_table(self._generator if seed is None else seed)
        self.agents = self.possible_agents[:]
        self.rewards, self._cumulative_rewards = (dict.fromkeys(self.agents, 0.0) for _ in range(2))
        self.terminations, self.truncations = (dict.fromkeys(self.agents, False) for _ in range(2))
        self.infos: dict[str, Json] = {agent: {} for agent in self.agents}
        self.agent_selection = self.possible_agents[self.table.player]

    def observe(self, agent: str) -> Json:
        """What an agent sees, and its legal actions."""
        player = self.possible_agents.index(agent)
        mask = np.zeros(len(self.table.coding.actions), np.int8)
        if player == self.table.player and not self.table.is_over:
            mask[self.table.legal_actions] = 1
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
        text = self.game.picture(self.position).text(color=False)
        if self.render_mode != "human":
            return text
        print(text)
        return None

    def close(self) -> None:
        """Do nothing; PettingZoo requires a method of one's own."""
