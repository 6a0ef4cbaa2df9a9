"""Duel, Hexapawn and rows as games of OpenSpiel, registered from Python."""

import functools
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from gamecore import duel, hexapawn, rows
from gamecore.adapters._codes import Coding, DuelCoding, HexapawnCoding, RowsCoding
from gamecore.errors import GamecoreError


@dataclass(frozen=True)
class _Entry:
    """A game to be registered.

    Attributes:
        title: its long name.
        coding: numbers its moves.
        defaults: its parameters. ``position`` is a notation, in which commas are written as blanks; without one, the
            others say which start position.
        start: the start position of the parameters.
    """

    title: str
    coding: type[Coding]
    defaults: dict[str, Any]
    start: Any


def _notation(text: str) -> str:
    return text.replace(" ", ",")


_GAMES: Final[dict[str, _Entry]] = {
    "gamecore_duel": _Entry(
        "Open-hand card duel", DuelCoding, {"position": "", "cards": 6, "seed": 0},
        lambda p: duel.Position.from_text(p["position"]) if p["position"] else duel.deal(p["cards"], rng=p["seed"]),
    ),
    "gamecore_hexapawn": _Entry(
        "Hexapawn", HexapawnCoding, {"position": "", "rows": 4, "columns": 4},
        lambda p: hexapawn.Position.from_text(p["position"]) if p["position"]
        else hexapawn.Position.start(p["rows"], p["columns"]),
    ),
    "gamecore_rows": _Entry(
        "Taking from the ends of a row", RowsCoding, {"position": "", "values": 8, "opponent": "optimal", "seed": 0},
        lambda p: rows.Position.from_text(_notation(p["position"])) if p["position"]
        else rows.random(p["values"], p["opponent"], 0, p["seed"]),
    ),
}  # fmt: skip


def register_open_spiel() -> tuple[str, ...]:
    """Register ``gamecore_duel``, ``gamecore_hexapawn`` and ``gamecore_rows`` with ``pyspiel``; once, however often.

    They are zero-sum games of two players with perfect information, from one start position each. Parameters:

    - ``gamecore_duel``: ``cards`` in a hand (default 6) and ``seed`` of the deal, or ``position``, a notation.
    - ``gamecore_hexapawn``: ``rows`` and ``columns`` (default 4 each), or ``position``.
    - ``gamecore_rows``: ``values`` of a random row (default 8), ``opponent`` (``optimal`` or ``greedy``) and ``seed``,
      or ``position``, a notation with blanks in place of commas, which OpenSpiel's parameters cannot hold.

    A state's ``position`` is the position, its ``str`` the notation; :mod:`gamecore.adapters._codes` says how actions
    are numbered and what tensors hold.

    Returns:
        The short names.

    Raises:
        GamecoreError: OpenSpiel is not installed.
    """
    return _registered()


@functools.cache
def _registered() -> tuple[str, ...]:
    try:
        import pyspiel
        from open_spiel.python.observation import IIGObserverForPublicInfoGame
    except ImportError:
        raise GamecoreError("OpenSpiel is not installed: pip install gamecore[openspiel]") from None

    class State(pyspiel.State):  # type: ignore[misc]
        """A position."""

        def __init__(self, game: Any, coding: Coding) -> None:
            super().__init__(game)
            self._coding = coding
            self.position = coding.start

        def current_player(self) -> int:
            """0, 1, or TERMINAL."""
            if self.position.is_over:
                return int(pyspiel.PlayerId.TERMINAL)
            return self._coding.sides.index(self.position.to_move)

        def _legal_actions(self, player: int) -> list[int]:
            return sorted(self._coding.action_of(self.position, move) for move in self.position.legal_moves())

        def _apply_action(self, action: int) -> None:
            self.position = self.position.play(self._coding.move_of(self.position, action))

        def _action_to_string(self, player: int, action: int) -> str:
            return self._coding.move_of(self.position, action)

        def is_terminal(self) -> bool:
            """Whether the game is over."""
            return bool(self.position.is_over)

        def returns(self) -> list[float]:
            """What both have got."""
            if not self.position.is_over:
                return [0.0, 0.0]
            utility = self._coding.utility(self.position)
            return [utility, -utility]

        def __str__(self) -> str:
            return str(self.position.to_text())

    class Observer:
        """Writes positions into tensors."""

        def __init__(self, coding: Coding) -> None:
            self._coding = coding
            self.tensor = np.zeros(int(np.prod(coding.shape)), np.float32)
            self.dict = {"observation": self.tensor.reshape(coding.shape)}

        def set_from(self, state: Any, player: int) -> None:
            """Write a state."""
            self.tensor.fill(0)
            self._coding.write(state.position, self.tensor)

        def string_from(self, state: Any, player: int) -> str:
            """The notation."""
            return str(state)

    def register(name: str, entry: _Entry) -> None:
        kind = pyspiel.GameType(
            short_name=name,
            long_name=f"{entry.title} (gamecore)",
            dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
            chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
            information=pyspiel.GameType.Information.PERFECT_INFORMATION,
            utility=pyspiel.GameType.Utility.ZERO_SUM,
            reward_model=pyspiel.GameType.RewardModel.TERMINAL,
            max_num_players=2,
            min_num_players=2,
            provides_information_state_string=True,
            provides_information_state_tensor=False,
            provides_observation_string=True,
            provides_observation_tensor=True,
            parameter_specification=entry.defaults,
        )

        class Game(pyspiel.Game):  # type: ignore[misc]
            """A start position."""

            def __init__(self, params: Mapping[str, Any] | None = None) -> None:
                self._coding = entry.coding(entry.start(entry.defaults | dict(params or {})))
                coding = self._coding
                info = pyspiel.GameInfo(
                    num_distinct_actions=coding.actions, max_chance_outcomes=0, num_players=2,
                    min_utility=-coding.most, max_utility=coding.most, utility_sum=0.0, max_game_length=coding.longest,
                )  # fmt: skip
                super().__init__(kind, info, dict(params or {}))

            def new_initial_state(self) -> State:
                """The start."""
                return State(self, self._coding)

            def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Any:
                """What writes states into tensors."""
                if iig_obs_type is None or (iig_obs_type.public_info and not iig_obs_type.perfect_recall):
                    return Observer(self._coding)
                return IIGObserverForPublicInfoGame(iig_obs_type, params)

        pyspiel.register_game(kind, Game)

    for name, entry in _GAMES.items():
        register(name, entry)
    return tuple(_GAMES)
