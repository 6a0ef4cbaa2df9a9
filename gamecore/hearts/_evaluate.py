"""Evaluation of moves by playouts over determinizations, from the view of one seat."""

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gamecore.errors import GamecoreError
from gamecore.hearts._cards import TEXTS
from gamecore.hearts._kernel import controlled
from gamecore.hearts._players import player
from gamecore.hearts._results import Measured
from gamecore.hearts._view import View, checked, core_of
from gamecore.limits import Limits, limits_of
from gamecore.rng import seed_of

if TYPE_CHECKING:
    from gamecore.rng import Rng


@dataclass(frozen=True, slots=True)
class Evaluation(Measured):
    """Estimate of one move by playouts.

    Attributes:
        move: a legal card, or three cards to pass, as in ``legal_moves``.
        mean: mean points of the seat at the end of the round (fewer is better); nan without playouts.
        stderr: standard error of the mean; nan below two playouts. All moves share their deals: differences between
            moves have smaller errors.
        playouts: number of playouts.
    """

    move: str
    mean: float
    stderr: float
    playouts: int

    def __str__(self) -> str:
        """``SQ 13.20 +- 0.11``."""
        return f"{self.move} {self.mean:.2f} +- {self.stderr:.2f}"


def evaluate_moves(
    view: View,
    limits: Limits | None = None,
    *,
    playouts: int = 1000,
    policy: str = "greedy",
    rng: "Rng" = None,
    epsilon: float | None = None,
    infer: int = 0,
) -> tuple[Evaluation, ...]:
    """Mean points after each legal card of a view, best (fewest) first.

    The unseen cards are dealt uniformly over all hands consistent with the view: voids shown, cards passed, and plays
    that the rules forced. Every deal is played to its end once per card.

    Args:
        view: of the seat to move (``round_.view(round_.to_move)``).
        limits: on time and on playouts of single cards (``nodes``); if one is reached, fewer deals are used.
        playouts: deals, from 1.
        policy: of all four seats: ``random``, ``greedy``, ``duck`` or ``linear``.
        rng: None, an integer, a sequence of integers, or a NumPy SeedSequence, BitGenerator or Generator.
        epsilon: chance of a random card at each step; default 0.1 (0 with random and linear playouts).
        infer: 0: uniform deals; else Metropolis steps per deal, drawn by the likelihood of the play so far.

    Raises:
        GamecoreError: not a view of the seat to move, a view during the pass, or an inconsistent view.
        OptionError: an argument out of its range.
    """
    checked(view)
    if view.to_move != view.seat or not view.hand:
        raise GamecoreError(f"seat {view.seat} has no move to evaluate")
    spec = player("pimc", playouts=playouts, policy=policy, epsilon=epsilon, infer=infer)
    core, seed = core_of(view), seed_of(rng)
    with controlled(limits_of(limits).for_kernel(0)) as control:
        rows = core.evaluate(view.seat, spec.numbers, seed, control)
    estimates = [Evaluation(TEXTS[card], *_mean_and_error(total, square, n), n) for card, total, square, n in rows]
    return tuple(sorted(estimates, key=lambda estimate: estimate.mean))


def _mean_and_error(total: float, square: float, count: int) -> tuple[float, float]:
    """Mean and standard error from a sum, a sum of squares and a count; nan where undefined."""
    if not count:
        return math.nan, math.nan
    if count < 2:
        return total / count, math.nan
    return total / count, math.sqrt(max(0.0, (square - total * total / count) / (count - 1)) / count)
