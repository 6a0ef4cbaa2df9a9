"""OpenSpiel's information-set tree search as a Hearts player, for hearts_peers.py.

OpenSpiel's ISMCTSBot gets a state that agrees with what its seat has seen, and deals the unseen cards itself. It values
a position by one random playout. It passes the three most dangerous cards, because OpenSpiel 2.0 crashes when its
search chooses a pass.
"""

import random

import pyspiel

from gamecore import hearts
from gamecore.hearts._cards import cards_of, index_of
from gamecore.hearts._view import core_of

STEPS = ("hold", "left", "across", "right")


def agreeing_round(view: hearts.View, rng: random.Random) -> tuple[list[list[str]], list[list[str]]]:
    """Make up the hands before the pass, and the passed cards of each seat, of a round that the view may be of."""
    step = STEPS.index(view.passing)
    after = [list(cards_of(mask)) for mask in core_of(view).worlds(view.seat, 1, rng.getrandbits(64))[0]]
    for trick in view.tricks:
        for place, card in enumerate(trick.cards):
            after[(trick.leader + place) % 4].append(card)
    for seat, card in view.trick:
        after[seat].append(card)
    if step == 0:
        return after, [[] for _ in range(4)]
    passed = [rng.sample(after[(seat + step) % 4], 3) for seat in range(4)]
    passed[view.seat], passed[(view.seat - step) % 4] = list(view.passed), list(view.received)
    before = [
        [card for card in after[seat] if card not in passed[(seat - step) % 4]] + passed[seat] for seat in range(4)
    ]
    return before, passed


class OpenSpiel(hearts.Player):
    """OpenSpiel's ISMCTSBot as a player."""

    def __init__(self, simulations: int, uct: float) -> None:
        """Take the number of simulations of a decision."""
        self.simulations, self.uct = simulations, uct
        self.game = pyspiel.load_game("hearts")
        self.rng = random.Random(0)

    @property
    def name(self) -> str:
        """Of results."""
        return f"OpenSpiel:{self.simulations}"

    def begin_round(self, view: hearts.View, seed: int, totals: tuple[int, ...]) -> None:
        """Start random numbers from the round's seed."""
        self.rng.seed(seed)

    def choose(self, view: hearts.View) -> str:
        """Search for a card."""
        hands, passed = agreeing_round(view, self.rng)
        cards = [card for row in zip(*hands, strict=True) for card in row]
        cards += [card for three in passed for card in three] + list(view.played)
        state = self.game.new_initial_state()
        for action in (STEPS.index(view.passing), *map(index_of, cards)):
            state.apply_action(action)
        seed = self.rng.getrandbits(31)
        evaluator = pyspiel.RandomRolloutEvaluator(n_rollouts=1, seed=seed)
        policy = pyspiel.ISMCTSFinalPolicyType.MAX_VISIT_COUNT
        action = pyspiel.ISMCTSBot(seed, evaluator, self.uct, self.simulations, -1, policy).step(state)
        return cards_of(1 << action)[0]
