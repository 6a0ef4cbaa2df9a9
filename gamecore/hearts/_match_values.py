"""The chance to win a match from a score, learnt by simulation, and a player who plays for it."""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gamecore import kernels
from gamecore.errors import GamecoreError, OptionError
from gamecore.hearts._cards import cards_of, mask_of
from gamecore.hearts._equality import ByContent
from gamecore.hearts._kernel import controlled, kernel
from gamecore.hearts._players import BuiltIn, Player, player
from gamecore.hearts._python import NO_TOTALS
from gamecore.hearts._rules import DIRECTIONS, Rules, check_count, check_rules
from gamecore.hearts._simulate import simulate
from gamecore.hearts._view import View, core_of
from gamecore.text import printable

if TYPE_CHECKING:
    from gamecore.kernels.baseline import hearts_scores as _kernel
    from gamecore.rng import Rng
else:
    _kernel = kernels.kernel("hearts_scores")

_STEPS: Final = 25  # of a match's points, between which the table is linear
_SLICE: Final = 4096  # states between two looks at Ctrl-C
_SWEEPS: Final = 60  # at most, where rules give points away; else one is exact
_CHANGE: Final = 1e-5  # of a chance in a sweep, below which it is known


@dataclass(frozen=True, eq=False)
class MatchValues(ByContent):
    """The chance to win a match, by the score; made by :func:`match_values`.

    Attributes:
        nodes: (k,) int64: scores at which the table stands, rising; between them it is linear in each score.
        table: (k, k, k, k) float32: the chance of the first seat, by its score and those of the three others.
        player: who was simulated, as text. rules: as played. rounds, seed: of the simulation.
    """

    nodes: NDArray[np.int64] = field(repr=False)
    table: NDArray[np.float32] = field(repr=False)
    player: str
    rules: Rules
    rounds: int
    seed: int

    def chance(self, totals: ArrayLike) -> NDArray[np.float64]:
        """The chance of the first of four scores to win the match; level seats share it.

        A match is over when a score has reached ``rules.match_points``: then it is 1, 0, or a share.

        Args:
            totals: (..., 4) whole numbers.

        Returns:
            (...) float64, from 0 to 1.

        Raises:
            OptionError: another shape or type.
        """
        scores = np.asarray(totals)
        if scores.ndim < 1 or scores.shape[-1] != 4 or scores.dtype.kind not in "iu":
            raise OptionError(f"totals has to be whole numbers in an array of shape (..., 4), not {printable(totals)}")
        flat = scores.reshape(-1, 4).astype(np.int64)
        over, share = _ends(flat, self.rules.match_points)
        corners, weights = _corners(flat, self.nodes)
        found = np.where(over, share, (self.table.reshape(-1)[corners] * weights).sum(axis=0))
        return found.reshape(scores.shape[:-1])

    def chances(self, totals: Sequence[int]) -> tuple[float, ...]:
        """The chances of the four seats of one score; they add up to about 1."""
        turned = [[totals[seat], *(totals[other] for other in range(4) if other != seat)] for seat in range(4)]
        return tuple(self.chance(turned).tolist())


def _ends(scores: NDArray[np.int64], most: int) -> tuple[NDArray[np.bool_], NDArray[np.float64]]:
    """Where a match is over, and the first seat's share in the win if it is: (n,) of scores (n, 4)."""
    least = scores.min(axis=1)
    wins = scores[:, 0] == least
    level = (scores == least[:, None]).sum(axis=1)
    return scores.max(axis=1) >= most, wins / level


def _cell(scores: NDArray[np.int64], nodes: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Between which nodes scores lie, and how far from the lower one to the upper, 0 to 1."""
    inside = np.clip(scores, nodes[0], nodes[-1])
    low = np.clip(np.searchsorted(nodes, inside, side="right") - 1, 0, len(nodes) - 2)
    return low, (inside - nodes[low]) / (nodes[low + 1] - nodes[low])


def _corners(scores: NDArray[np.int64], nodes: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """The sixteen cells of the table around scores (n, 4), as flat places, and their weights: both (16, n)."""
    low, share = _cell(scores, nodes)
    places, weights = [], []
    for corner in itertools.product((0, 1), repeat=4):
        place, weight = np.zeros(len(scores), np.int64), np.ones(len(scores))
        for seat, up in enumerate(corner):
            place = place * len(nodes) + low[:, seat] + up
            weight = weight * (share[:, seat] if up else 1 - share[:, seat])
        places.append(place)
        weights.append(weight)
    return np.array(places), np.array(weights)


def match_values(
    player: str | BuiltIn | Player = "linear",
    rounds: int = 2000,
    rng: "Rng" = 7,
    *,
    rules: Rules | None = None,
    workers: int | None = 1,
) -> MatchValues:
    """Learn the chance to win a match from every score, if four players of one kind play it.

    Rounds are simulated, passing as in a match; then the chance of a score is the mean, over these rounds, of the
    chance after them, on a grid of scores and linear between: a system of equations that is solved by iteration. It
    takes some seconds, and longer where rules give points away.

    Args:
        player: who sits in all four seats.
        rounds: to simulate, 100 to 100,000; each counts four times, turned.
        rng: as in :func:`simulate`; the same seed, the same table.
        rules: default ``Rules()``; ``match_points`` from 20 to 10,000.
        workers: for the simulation.

    Raises:
        OptionError: an argument out of its range.
    """
    rules = check_rules(rules)
    check_count("rounds", rounds, 100, 100_000)
    if not 20 <= rules.match_points <= 10_000:
        raise OptionError(f"rules: match_points has to be from 20 to 10000 here, not {rules.match_points}")
    played = simulate([player] * 4, rounds, rng, rules=rules, passing="cycle", workers=workers)
    nodes, table = _solved(played.points, rules)
    return MatchValues(nodes, table, played.players[0], rules, rounds, played.seed)


def _solved(points: NDArray[np.int8], rules: Rules) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    """Nodes and table: chance = share of the rounds that end the match in a win + chances after all others.

    No round without bonuses takes points from the sum of the scores, and each adds 26, more than the lower corners of a
    cell lie below what is looked up: states of a larger sum are final before they are asked for.
    """
    loses = rules.jack_of_diamonds or rules.avoid_all_tricks_bonus or rules.moon == "shooter"
    step = -(-rules.match_points // _STEPS) * (2 if loses else 1)
    begin = -5 * step if loses else 0
    nodes = np.array([*range(begin, rules.match_points - 1, step), rules.match_points - 1], np.int64)
    k = len(nodes)
    rest = np.array(list(itertools.combinations_with_replacement(range(k), 3)))
    states = np.concatenate([np.insert(rest, 0, first, axis=1) for first in range(k)]).astype(np.int16)
    states = np.ascontiguousarray(states[np.argsort(-nodes[states].sum(axis=1), kind="stable")])
    turned = np.concatenate([np.roll(points, seat, axis=1) for seat in range(4)])  # all seats are alike
    different, counts = np.unique(turned, axis=0, return_counts=True)
    rounds, weights = different.astype(np.int16), (counts / len(turned)).astype(np.float32)
    table = np.full((k, k, k, k), 0.25, np.float32)
    for _ in range(_SWEEPS if loses else 1):
        parts = (states[at : at + _SLICE] for at in range(0, len(states), _SLICE))
        ends = int(rounds.min()), int(rounds.max()), rules.match_points
        if max(_kernel.improve(part, nodes, rounds, weights, *ends, table) for part in parts) < _CHANGE:
            break
    # Somebody wins: what the grid is wrong about that is taken out.
    total = sum(table.transpose(order) for order in ((0, 1, 2, 3), (1, 0, 2, 3), (1, 2, 0, 3), (1, 2, 3, 0)))
    found: NDArray[np.float32] = table / total
    return nodes, found


class MatchPlayer(Player):
    """A player who plays for the match: its card is the one with the best chance to win it, over playouts.

    Its worlds and playouts are those of a built-in player, each of the same worlds for every card; where that one adds
    up its own points, this one looks up the chance of the score that all four seats would have. Outside a match all
    scores are 0. Cards are passed as the built-in player passes them.

    Args:
        base: whose playouts: ``pimc``, ``mc`` or ``search`` with a number of playouts, by text.
        values: as :func:`match_values` learns them.
        name: in results and messages.

    Raises:
        OptionError: another player.
    """

    def __init__(self, base: str | BuiltIn, values: MatchValues, name: str | None = None) -> None:
        spec = base if isinstance(base, BuiltIn) else player(base)
        if spec.name not in ("mc", "pimc", "search") or not spec.playouts:
            raise OptionError(f"base has to be mc, pimc or search with playouts, not {printable(str(spec))}")
        if not isinstance(values, MatchValues):
            raise OptionError(f"values has to be MatchValues (of match_values), not {printable(values)}")
        self._spec, self._values, self._name = spec, values, name or f"match:{spec}"
        self._seed = 0
        self._totals: tuple[int, ...] = NO_TOTALS

    @property
    def name(self) -> str:
        """``match:`` and the built-in player, or as it was given."""
        return self._name

    def begin_round(self, view: View, seed: int, totals: tuple[int, ...]) -> None:
        """Note the score, and the seed of this round's playouts."""
        self._seed, self._totals = seed, tuple(totals)

    def worth(self, seat: int, points: NDArray[np.int8]) -> NDArray[np.float64]:
        """What outcomes of a round are worth for a seat, more is better: here the chance to win the match.

        Args:
            seat: whose. points: (..., 4) of the four seats.
        """
        totals = np.array(self._totals) + points
        return self._values.chance(np.roll(totals, -seat, axis=-1))

    def choose(self, view: View) -> str:
        """The legal card whose outcomes are worth most on average; of equals the first.

        Raises:
            GamecoreError: not a view of the seat to move.
        """
        cards = view.legal_moves()
        if not cards:
            raise GamecoreError(f"seat {view.seat} has no card to play")
        core = core_of(view)
        points = np.empty((self._spec.playouts, len(cards), 4), np.int8)
        seed = (self._seed + core.count()) % (1 << 64)
        with controlled() as control:
            done = kernel.outcomes(core, view.seat, self._spec.numbers, seed, points, control)
        if not done:
            return cards[0]
        return cards[int(self.worth(view.seat, points[:done]).mean(axis=0).argmax())]

    def pass_cards(self, view: View) -> tuple[str, ...]:
        """The cards that the built-in player passes."""
        hands = [0, 0, 0, 0]
        hands[view.seat] = mask_of(view.hand)
        core: Any = kernel.Core(view.rules.flags, hands, self._seed, 0)
        with controlled() as control:
            mask = core.choose_pass(view.seat, self._spec.numbers, DIRECTIONS[view.passing], control, 0)
        return cards_of(mask)
