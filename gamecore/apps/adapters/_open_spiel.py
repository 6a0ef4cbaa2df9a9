"""Every game as a game of OpenSpiel, registered from Python. Importing this module needs OpenSpiel."""

import functools
from collections.abc import Sequence

import numpy as np
import pyspiel
from open_spiel.python.observation import IIGObserverForPublicInfoGame

from gamecore.apps.adapters._table import Table, coding_of
from gamecore.game import Game, Json, games, options_of, register


class State(pyspiel.State):  # type: ignore[misc]
    """A position. OpenSpiel names and documents the methods."""

    def __init__(self, of: "SpielGame", table: Table) -> None:
        super().__init__(of)
        self.table = table

    def __reduce__(self) -> tuple[object, ...]:
        return _state_of, (self.table.game, self.get_game().get_parameters(), self.history())

    position = property(lambda self: self.table.position, doc="The position in gamecore.")

    def current_player(self) -> int:
        return int(pyspiel.PlayerId.TERMINAL) if self.table.is_over else self.table.player

    def _legal_actions(self, player: int) -> list[int]:
        return list(self.table.legal_actions)

    def _apply_action(self, action: int) -> None:
        self.table = self.table.after(action)

    def _action_to_string(self, player: int, action: int) -> str:
        return self.table.text_of(action)

    def is_terminal(self) -> bool:
        return self.table.is_over

    def returns(self) -> list[float]:
        return self.table.returns()

    def __str__(self) -> str:
        return self.table.position.to_text()


class Observer:
    """Writes positions into tensors; see OpenSpiel's ``observation.py``."""

    def __init__(self, table: Table) -> None:
        self.tensor = np.zeros(int(np.prod(table.coding.shape)), np.float32)
        self.dict = {"observation": self.tensor.reshape(table.coding.shape)}

    def set_from(self, state: State, player: int) -> None:
        self.dict["observation"][...] = state.table.observed(player)

    def string_from(self, state: State, player: int) -> str:
        return state.table.coding.seen(state.table.position, player)


class SpielGame(pyspiel.Game):  # type: ignore[misc]
    """A game from one start position on; OpenSpiel gets a subclass for each game."""

    game: Game
    kind: pyspiel.GameType

    def __init__(self, params: Json | None = None) -> None:
        game, chosen = self.game, _defaults(self.game) | dict(params or {})
        text, seed = chosen.pop("position"), chosen.pop("seed")
        start = game.parse(text.replace(" ", ",")) if text else game.start(rng=seed, **chosen)
        self._table = Table.of(game, start)
        coding, sides = self._table.coding, len(game.sides)
        zero_sum = {} if sides > 2 else {"utility_sum": 0.0}
        info = pyspiel.GameInfo(
            num_distinct_actions=len(coding.actions), max_chance_outcomes=0, num_players=sides,
            min_utility=-coding.most, max_utility=coding.most, max_game_length=coding.longest, **zero_sum,
        )  # fmt: skip
        super().__init__(self.kind, info, dict(params or {}))

    def __reduce__(self) -> tuple[object, ...]:
        return _game_of, (self.game, self.get_parameters())

    def new_initial_state(self) -> State:
        return State(self, self._table)

    def make_py_observer(self, iig_obs_type: pyspiel.IIGObservationType = None, params: Json | None = None) -> object:
        public = iig_obs_type is None or (iig_obs_type.public_info and not iig_obs_type.perfect_recall)
        if public or self._table.coding.hidden:
            return Observer(self._table)
        return IIGObserverForPublicInfoGame(iig_obs_type, params)


def _defaults(game: Game) -> Json:
    return {option.name: option.default for option in options_of(game.start)} | {"position": "", "seed": 0}


@functools.cache
def registered(game: Game) -> str:
    """Register a game, and return its name in OpenSpiel."""
    sides, hidden = len(game.sides), coding_of(game, game.start(rng=0)).hidden
    of = pyspiel.GameType
    kind = of(
        short_name=f"gamecore_{game.name}",
        long_name=f"{game.title} (gamecore)",
        dynamics=of.Dynamics.SEQUENTIAL,
        chance_mode=of.ChanceMode.DETERMINISTIC,
        information=of.Information.IMPERFECT_INFORMATION if hidden else of.Information.PERFECT_INFORMATION,
        utility=of.Utility.GENERAL_SUM if sides > 2 else of.Utility.ZERO_SUM,
        reward_model=of.RewardModel.TERMINAL,
        max_num_players=sides,
        min_num_players=sides,
        provides_information_state_string=not hidden,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=_defaults(game),
    )
    # A class is part of a cycle: OpenSpiel drops it after Python has ended, when nothing else can be freed any more.
    pyspiel.register_game(kind, type("SpielGame", (SpielGame,), {"game": game, "kind": kind}))
    return f"gamecore_{game.name}"


def _game_of(game: Game, parameters: Json) -> pyspiel.Game:
    """Return a pickled game of OpenSpiel; a game of the user's is registered if this process does not know it."""
    if game.name not in games():
        register(game)
    return pyspiel.load_game(registered(games()[game.name]), dict(parameters))


def _state_of(game: Game, parameters: Json, actions: Sequence[int]) -> State:
    """Return a pickled state: that after these actions."""
    state: State = _game_of(game, parameters).new_initial_state()
    for action in actions:
        state.apply_action(action)
    return state
