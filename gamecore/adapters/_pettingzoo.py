"""A round of hearts as an environment of PettingZoo (AEC), with masks of legal actions."""

import functools
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from gamecore.cards import ACE_HIGH, card_index
from gamecore.errors import GamecoreError, IllegalMoveError, OptionError
from gamecore.hearts import Round, Rules, View
from gamecore.hearts._cards import TEXTS
from gamecore.hearts._rules import DIRECTIONS, SEATS, check_rules
from gamecore.text import printable

_DECK: Final = 52
_PLANES: Final = 12  # of cards: hand, chosen, passed, received, the trick (4 seats), what was played before (4 seats)
_SIZE: Final = _PLANES * _DECK + 4 + 4 + 1
_EXCHANGED: Final = 3


def hearts_env(rules: Rules | None = None, passing: str = "cycle", render_mode: str | None = None) -> Any:
    """One round of hearts as a ``pettingzoo.AECEnv``: agents ``seat_0`` to ``seat_3``.

    An action is a card, 0 to 51 (``4 * rank + suit``, twos low, suits C D H S). Cards that are passed on are chosen one
    after another: an agent has three turns in a row. An observation is a dict:

    - ``action_mask``: (52,) int8, the cards that may be played or passed on; zeros for who is not to move.
    - ``observation``: (633,) float32 from 0 to 1, what the seat sees. Planes of 52 cards: its hand; cards it has chosen
      to pass; passed; received; the card on the table of each seat; what each seat played in earlier tricks (seats from
      itself to the left). Then points of the four seats over 26, the passing direction (hold, left, across, right),
      and whether cards are being passed.

    Rewards come at the end of the round: minus the points of each seat, moon and bonuses included. ``reset(seed=)``
    deals as ``Round.deal(seed)`` does. ``env.unwrapped.round`` is the :class:`gamecore.hearts.Round`, for arbiters.

    Args:
        rules: default ``Rules()``.
        passing: ``hold``, ``left``, ``across``, ``right``, or ``cycle``: those of ``rules.cycle``, reset by reset.
        render_mode: None; ``"ansi"``: ``render()`` returns the table as text; ``"human"``: it prints that.

    Raises:
        GamecoreError: PettingZoo is not installed. OptionError: an argument out of its range.
    """
    rules = check_rules(rules)
    rules.directions(passing)
    if render_mode not in (None, "ansi", "human"):
        raise OptionError(f"render_mode has to be None, 'ansi' or 'human', not {printable(render_mode)}")
    return _class()(rules, passing, render_mode)


def observed(view: View, chosen: tuple[str, ...]) -> NDArray[np.float32]:
    """A view as numbers: see :func:`hearts_env`."""
    vector = np.zeros(_SIZE, np.float32)
    planes = vector[: _PLANES * _DECK].reshape(_PLANES, _DECK)
    for at, cards in enumerate((view.hand, chosen, view.passed, view.received)):
        planes[at, [_index(card) for card in cards]] = 1
    for seat, card in view.trick:
        planes[4 + (seat - view.seat) % 4, _index(card)] = 1
    for trick in view.tricks:
        for place, card in enumerate(trick.cards):
            planes[8 + (trick.leader + place - view.seat) % 4, _index(card)] = 1
    rest = vector[_PLANES * _DECK :]
    rest[:4] = [view.points[(view.seat + k) % 4] / 26 for k in SEATS]
    rest[4 + DIRECTIONS[view.passing]] = 1
    rest[8] = view.is_passing
    return vector


def _index(card: str) -> int:
    return card_index(card, ACE_HIGH)


@functools.cache
def _class() -> Any:
    try:
        from gymnasium import spaces
        from pettingzoo import AECEnv
    except ImportError:
        raise GamecoreError("PettingZoo is not installed: pip install gamecore[pettingzoo]") from None

    class HeartsEnv(AECEnv):  # type: ignore[misc]
        """See :func:`hearts_env`."""

        metadata: Final = {
            "render_modes": ["human", "ansi"], "name": "gamecore_hearts_v0", "is_parallelizable": False,
        }  # fmt: skip

        def __init__(self, rules: Rules, passing: str, render_mode: str | None) -> None:
            super().__init__()
            self.rules, self.passing, self.render_mode = rules, passing, render_mode
            self.possible_agents = [f"seat_{seat}" for seat in SEATS]
            self.agents: list[str] = []
            self._resets = 0
            self._generator = np.random.default_rng()
            box = spaces.Box(0, 1, (_SIZE,), np.float32)
            mask = spaces.Box(0, 1, (_DECK,), np.int8)
            self.action_spaces = {agent: spaces.Discrete(_DECK) for agent in self.possible_agents}
            self.observation_spaces = {
                agent: spaces.Dict({"observation": box, "action_mask": mask}) for agent in self.possible_agents
            }

        def observation_space(self, agent: str) -> Any:
            """What an agent sees."""
            return self.observation_spaces[agent]

        def action_space(self, agent: str) -> Any:
            """A card."""
            return self.action_spaces[agent]

        def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
            """Deal a round; without a seed, the next one of the generator that the last seed began."""
            if seed is not None:
                self._generator, self._resets = np.random.default_rng(seed), 0
            directions = self.rules.directions(self.passing)
            direction = tuple(DIRECTIONS)[directions[self._resets % len(directions)]]
            self._resets += 1
            self.round = Round.deal(self._generator if seed is None else seed, self.rules, direction, None)
            self.chosen: tuple[str, ...] = ()
            self.agents = self.possible_agents[:]
            self.rewards = dict.fromkeys(self.agents, 0)
            self._cumulative_rewards = dict.fromkeys(self.agents, 0)
            self.terminations = dict.fromkeys(self.agents, False)
            self.truncations = dict.fromkeys(self.agents, False)
            self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
            self.agent_selection = self.possible_agents[self.round.to_move]

        def observe(self, agent: str) -> dict[str, Any]:
            """What a seat sees, and its legal actions."""
            seat = self.possible_agents.index(agent)
            mine = seat == self.round.to_move
            mask = np.zeros(_DECK, np.int8)
            if mine and not self.round.is_over:
                mask[[_index(card) for card in self._legal()]] = 1
            chosen = self.chosen if mine else ()
            return {"observation": observed(self.round.view(seat), chosen), "action_mask": mask}

        def _legal(self) -> tuple[str, ...]:
            if self.round.passing_seats:
                return tuple(card for card in self.round.hands[self.round.to_move] if card not in self.chosen)
            return self.round.legal_moves()

        def step(self, action: int | None) -> None:
            """Play a card, or choose one to pass on.

            Raises:
                IllegalMoveError: the rules forbid it.
            """
            if self.terminations[self.agent_selection]:
                self._was_dead_step(action)
                return
            self._cumulative_rewards[self.agent_selection] = 0
            if action is None or not 0 <= action < _DECK:
                raise IllegalMoveError(f"an action is a card from 0 to 51, not {printable(action)}")
            card = TEXTS[int(action)]
            if card not in self._legal():
                self.round.play(card)  # which says why not
                raise IllegalMoveError(f"{card} was chosen already")
            if not self.round.passing_seats:
                self.round = self.round.play(card)
            elif len(self.chosen) + 1 < _EXCHANGED:
                self.chosen += (card,)
            else:
                self.round = self.round.pass_cards(self.round.to_move, (*self.chosen, card))
                self.chosen = ()
            if self.round.is_over:
                self.rewards = {agent: -self.round.points[seat] for seat, agent in enumerate(self.possible_agents)}
                self.terminations = dict.fromkeys(self.agents, True)
            self.agent_selection = self.possible_agents[self.round.to_move]
            self._accumulate_rewards()
            if self.render_mode == "human":
                self.render()

        def render(self) -> str | None:
            """The table as text, with all hands open."""
            text = self.round.draw(color=False, symbols=False)
            if self.render_mode == "human":
                print(text)
                return None
            return text

        def close(self) -> None:
            """Nothing is held."""

        def __str__(self) -> str:
            return str(self.metadata["name"])

    return HeartsEnv
