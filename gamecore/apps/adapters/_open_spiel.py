"""Every game as a game of OpenSpiel, registered from Python. Importing this module needs OpenSpiel."""

import functools
from collections.abc import Sequence
from typing import Final

import numpy as np
import pyspiel
from open_spiel.python.observation import IIGObserverForPublicInfoGame

from gamecore.apps.adapters._table import Table, coding_of
from gamecore.errors import GamecoreError, OptionError
from gamecore.game import Game, Json, games, options_of, register

_DRAWS: Final = 3  # chance nodes before a random start; each draws three digits of its seed


class State(pyspiel.State):  # type: ignore[misc]
    """A position, or a chance node before it, which has no ``table``. OpenSpiel names and documents the methods."""

    def __init__(self, of: "SpielGame", table: Table | None) -> None:
        super().__init__(of)
        self.table = table

    def __reduce__(self) -> tuple[object, ...]:
        return _state_of, (self.get_game().game, self.get_game().get_parameters(), self.history())

    position = property(lambda self: self.table and self.table.position, doc="The position in gamecore, once drawn.")

    def current_player(self) -> int:
        if self.table is None:
            return int(pyspiel.PlayerId.CHANCE)
        return int(pyspiel.PlayerId.TERMINAL) if self.table.is_over else self.table.player

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return [(digits, 0.001) for digits in range(1000)]

    def _legal_actions(self, player: int) -> list[int]:
        return list(self.table.legal_actions) if self.table else []

    def _apply_action(self, action: int) -> None:
        if self.table is not None:
            self.table = self.table.after(action)
        elif len(drawn := (*self.history(), action)) == _DRAWS:
            self.table = self.get_game().table(int("".join(f"{digits:03}" for digits in drawn)))

    def _action_to_string(self, player: int, action: int) -> str:
        return self.table.text_of(action) if self.table else f"{action:03}"

    def is_terminal(self) -> bool:
        return self.table is not None and self.table.is_over

    def returns(self) -> list[float]:
        return self.table.returns() if self.table else [0.0] * self.get_game().num_players()

    def __str__(self) -> str:
        return self.table.position.to_text() if self.table else f"seed {self.history()}"


class Observer:
    """Writes positions into tensors; see OpenSpiel's ``observation.py``."""

    def __init__(self, table: Table) -> None:
        self.tensor = np.zeros(int(np.prod(table.coding.shape)), np.float32)
        self.dict = {"observation": self.tensor.reshape(table.coding.shape)}

    def set_from(self, state: State, player: int) -> None:
        self.dict["observation"][...] = state.table.observed(player) if state.table else 0

    def string_from(self, state: State, player: int) -> str:
        return state.table.seen(player) if state.table else str(state)


class SpielGame(pyspiel.Game):  # type: ignore[misc]
    """A game, from a start that chance draws or from a given one; OpenSpiel gets a subclass for each game."""

    game: Game

    def __init__(self, params: Json | None = None) -> None:
        defaults = _defaults(self.game)
        self._options = defaults | dict(params or {})
        self._text, self._seed = self._options.pop("position").replace(" ", ","), self._options.pop("seed")
        changed = {name for name, value in (params or {}).items() if value != defaults[name]}  # OpenSpiel adds defaults
        if self._text and (unused := changed - {"position"}):
            raise OptionError(f"{', '.join(sorted(unused))} must be left out: position says the whole start")
        self._is_drawn = not self._text and self._seed == -1 and _is_drawn(self.game)
        self._first = self.table(0 if self._seed == -1 else self._seed)
        coding, sides = self._first.coding, len(self.game.sides)
        zero_sum = {} if sides > 2 else {"utility_sum": 0.0}
        info = pyspiel.GameInfo(
            num_distinct_actions=len(coding.actions), max_chance_outcomes=1000 if self._is_drawn else 0,
            num_players=sides, min_utility=-coding.most, max_utility=coding.most, max_game_length=coding.longest,
            **zero_sum,
        )  # fmt: skip
        super().__init__(_kind(self.game, self._is_drawn), info, dict(params or {}))

    def __reduce__(self) -> tuple[object, ...]:
        return _game_of, (self.game, self.get_parameters())

    def table(self, seed: int) -> Table:
        """Return the start: the game's own, or that of a seed."""
        start = self.game.parse(self._text) if self._text else self.game.start(rng=seed, **self._options)
        return Table.of(self.game, start)

    def max_chance_nodes_in_history(self) -> int:
        return _DRAWS if self._is_drawn else 0

    def new_initial_state(self) -> State:
        return State(self, None if self._is_drawn else self._first)

    def make_py_observer(self, iig_obs_type: pyspiel.IIGObservationType = None, params: Json | None = None) -> object:
        kind, hidden = iig_obs_type, self._first.coding.hidden
        public = kind is None or (kind.public_info and not kind.perfect_recall)
        if hidden and kind and not (public and kind.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER):
            raise GamecoreError(f"gamecore_{self.game.name} has the default observations alone, no information states")
        if public:
            return Observer(self._first)
        return IIGObserverForPublicInfoGame(iig_obs_type, params)


def _defaults(game: Game) -> Json:
    return {option.name: option.default for option in options_of(game.start)} | {"position": "", "seed": -1}


@functools.cache
def _is_drawn(game: Game) -> bool:
    return bool(game.start(rng=0) != game.start(rng=1))


def _kind(game: Game, is_drawn: bool) -> pyspiel.GameType:
    sides, hidden = len(game.sides), coding_of(game, game.start(rng=0)).hidden
    of = pyspiel.GameType
    return of(
        short_name=f"gamecore_{game.name}",
        long_name=f"{game.title} (gamecore)",
        dynamics=of.Dynamics.SEQUENTIAL,
        chance_mode=of.ChanceMode.EXPLICIT_STOCHASTIC if is_drawn else of.ChanceMode.DETERMINISTIC,
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


@functools.cache
def registered(game: Game) -> str:
    """Register a game, and return its name in OpenSpiel."""
    # A class is part of a cycle: OpenSpiel drops it after Python has ended, when nothing else can be freed any more.
    pyspiel.register_game(_kind(game, _is_drawn(game)), type("SpielGame", (SpielGame,), {"game": game}))
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
