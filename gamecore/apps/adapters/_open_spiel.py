"""Every game as a game of OpenSpiel, registered from Python."""

import functools
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from gamecore.apps.adapters._coding import coding_of, is_numbered
from gamecore.apps.adapters._table import Table
from gamecore.errors import GamecoreError
from gamecore.game import Game, games, options_of, register


def register_open_spiel() -> tuple[str, ...]:
    """Register ``gamecore_NAME`` for every numbered game with ``pyspiel``; calling it again registers new games only.

    Parameters: the options of the game's ``start`` (duel ``n``, Hexapawn ``rows`` and ``columns``, rows ``n`` and
    ``opponent``, hearts ``passing``), ``seed`` of random starts, or ``position``: a notation, with blanks in place of
    commas, which OpenSpiel's parameters cannot hold. A state's ``position`` is the position, its ``str`` the notation.
    The game's ``Coding`` says how actions are numbered and what observations hold.

    Returns:
        The short names.

    Raises:
        GamecoreError: OpenSpiel is not installed.
    """
    return tuple(_registered(game) for game in games().values() if is_numbered(game))


@functools.cache
def _registered(game: Game) -> str:
    try:
        import pyspiel
        from open_spiel.python.observation import IIGObserverForPublicInfoGame
    except ImportError:
        raise GamecoreError("OpenSpiel is not installed: pip install 'gamecore[openspiel]'") from None

    class State(pyspiel.State):  # type: ignore[misc]
        """A position."""

        def __init__(self, of: Any, table: Table) -> None:
            super().__init__(of)
            self.table = table

        def __reduce__(self) -> Any:
            of = self.get_game()
            return _state_of, (game, of.get_parameters(), self.history())

        @property
        def position(self) -> Any:
            """The position in gamecore."""
            return self.table.position

        def current_player(self) -> int:
            """The side to move, or TERMINAL."""
            return int(pyspiel.PlayerId.TERMINAL) if self.table.is_over else self.table.player

        def _legal_actions(self, player: int) -> list[int]:
            return self.table.legal_actions()

        def _apply_action(self, action: int) -> None:
            self.table = self.table.after(action)

        def _action_to_string(self, player: int, action: int) -> str:
            return self.table.text_of(action)

        def is_terminal(self) -> bool:
            """Whether the game is over."""
            return self.table.is_over

        def returns(self) -> list[float]:
            """What each side has got."""
            return self.table.returns()

        def __str__(self) -> str:
            return str(self.position.to_text())

    class Observer:
        """Writes positions into tensors."""

        def __init__(self, table: Table) -> None:
            self.tensor = np.zeros(int(np.prod(table.coding.shape)), np.float32)
            self.dict = {"observation": self.tensor.reshape(table.coding.shape)}

        def set_from(self, state: Any, player: int) -> None:
            """Write a state as a player sees it."""
            self.dict["observation"][...] = state.table.observed(player)

        def string_from(self, state: Any, player: int) -> str:
            """The notation; of hidden hands, what the player sees."""
            return str(state.table.coding.seen(state.position, player))

    sides, hidden = len(game.sides), coding_of(game, game.start(rng=0)).hidden
    defaults = {option.name: option.default for option in options_of(game.start)} | {"position": "", "seed": 0}
    information = pyspiel.GameType.Information
    kind = pyspiel.GameType(
        short_name=f"gamecore_{game.name}",
        long_name=f"{game.title} (gamecore)",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
        information=information.IMPERFECT_INFORMATION if hidden else information.PERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.GENERAL_SUM if sides > 2 else pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=sides,
        min_num_players=sides,
        provides_information_state_string=not hidden,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=defaults,
    )

    class SpielGame(pyspiel.Game):  # type: ignore[misc]
        """A start position."""

        def __init__(self, params: Mapping[str, Any] | None = None) -> None:
            chosen = defaults | dict(params or {})
            text, seed = chosen.pop("position"), chosen.pop("seed")
            start = game.parse(text.replace(" ", ",")) if text else game.start(rng=seed, **chosen)
            self._table = Table.of(game, start)
            coding = self._table.coding
            zero_sum = {} if sides > 2 else {"utility_sum": 0.0}
            info = pyspiel.GameInfo(
                num_distinct_actions=len(coding.actions), max_chance_outcomes=0, num_players=sides,
                min_utility=-coding.most, max_utility=coding.most, max_game_length=coding.longest, **zero_sum,
            )  # fmt: skip
            super().__init__(kind, info, dict(params or {}))

        def __reduce__(self) -> Any:
            return _game_of, (game, self.get_parameters())

        def new_initial_state(self) -> State:
            """The start."""
            return State(self, self._table)

        def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Any:
            """What writes states into tensors."""
            if hidden or iig_obs_type is None or (iig_obs_type.public_info and not iig_obs_type.perfect_recall):
                return Observer(self._table)
            return IIGObserverForPublicInfoGame(iig_obs_type, params)

    pyspiel.register_game(kind, SpielGame)
    return f"gamecore_{game.name}"


def _game_of(game: Game, parameters: Mapping[str, Any]) -> Any:
    """Return a pickled game of OpenSpiel; a game of the user's is registered if this process does not know it."""
    import pyspiel

    if game.name not in games():
        register(game)
    return pyspiel.load_game(_registered(games()[game.name]), dict(parameters))


def _state_of(game: Game, parameters: Mapping[str, Any], actions: Sequence[int]) -> Any:
    """Return a pickled state: that after these actions."""
    state = _game_of(game, parameters).new_initial_state()
    for action in actions:
        state.apply_action(action)
    return state
