"""Detailed estimates for a seat: distributions of points, holders of unseen cards, reviewed decisions, passes.

``evaluate_moves`` returns mean points. Here every playout is kept, which gives distributions and the errors of
*differences* between cards. Work is done in portions that can be shown and cancelled.
"""

import itertools
import math
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import ClassVar, Final

from gamecore.batch.workers import is_cancelled
from gamecore.contract import Result
from gamecore.errors import GamecoreError
from gamecore.hearts._cards import JOINT, TEXTS, cards_of, mask_of
from gamecore.hearts._evaluate import Evaluation
from gamecore.hearts._kernel import controlled, kernel
from gamecore.hearts._players import danger, player
from gamecore.hearts._position import Round
from gamecore.hearts._results import mean_and_error
from gamecore.hearts._rules import DIRECTIONS, SEATS
from gamecore.rng import generator

_SEEDS: Final = (1 << 64) - 1
_DANGEROUS: Final = 6  # dangerous cards whose triples are candidates for passing
_SHARE_KEPT: Final = 0.5  # share of the passing candidates kept after each stage


@dataclass(frozen=True, slots=True)
class Prospect(Result):
    """Estimate of one card by playouts.

    Attributes:
        move: a legal card.
        mean, stderr: mean of the seat's final points, and its standard error.
        playouts: number of playouts.
        histogram: (points, number of playouts), by rising points.
        behind, behind_stderr: mean points more than after the best card, and the standard error, which pairing by
            deals makes small; 0 for the best card.
    """

    move: str
    mean: float
    stderr: float
    playouts: int
    histogram: tuple[tuple[int, int], ...]
    behind: float
    behind_stderr: float


class Outlook:
    """Playouts of a decision: the points after each legal card, world by world.

    World k of a seed is that of ``evaluate_moves(view, playouts=1, rng=seed + k)``.

    Args:
        round_: a round in play; only what the seat to move may see is used.
        policy: of all four seats: ``random``, ``greedy`` or ``duck``.
        seed: of the first world.

    Raises:
        GamecoreError: cards are still being passed, or the round is over. OptionError: an unknown policy.
    """

    def __init__(self, round_: Round, policy: str = "greedy", seed: int = 0) -> None:
        if round_.is_over or round_.passing_seats:
            why = "the round is over" if round_.is_over else "cards are still being passed"
            raise GamecoreError(f"no card is to be played now: {why}")
        self.moves = round_.legal_moves()
        self.worlds = 0
        self._core, self._seat = round_._core, round_.to_move
        self._spec = player("pimc", playouts=1, policy=policy).numbers
        self._seed = seed
        self._points: dict[str, list[int]] = {move: [] for move in self.moves}

    def add(self, worlds: int) -> None:
        """Play each card out in this many more deals."""
        with controlled() as control:
            for number in range(self.worlds, self.worlds + worlds):
                found = self._core.evaluate(self._seat, self._spec, self._seed + number & _SEEDS, control)
                if any(not played for *_, played in found):  # stopped
                    return
                for card, total, _, _ in found:
                    self._points[TEXTS[card]].append(int(total))
                self.worlds += 1

    def prospects(self) -> tuple[Prospect, ...]:
        """The estimate of each card so far, best (fewest points) first."""
        means = {move: sum(points) / max(1, len(points)) for move, points in self._points.items()}
        best = min(self.moves, key=means.__getitem__)
        return tuple(self._prospect(move, best) for move in sorted(self.moves, key=means.__getitem__))

    def _prospect(self, move: str, best: str) -> Prospect:
        points = self._points[move]
        behind = [mine - other for mine, other in zip(points, self._points[best], strict=True)]
        return Prospect(
            move, *_of(points), len(points), tuple(sorted(Counter(points).items())), *_of(behind)
        )  # fmt: skip


def _of(numbers: list[int]) -> tuple[float, float]:
    return mean_and_error(sum(numbers), sum(number * number for number in numbers), len(numbers))


# --- the unseen cards ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Marginals(Result):
    """Chances of the other seats to hold each unseen card.

    Attributes:
        seat: of the view.
        worlds: number of deals, drawn uniformly from all that are consistent with the view; 0 if chances are exact.
        cards: for each unseen card, in the order of a hand, the chance of each seat to hold it.
    """

    seat: int
    worlds: int
    cards: Mapping[str, tuple[float, ...]]

    def stderr(self, card: str) -> tuple[float, ...]:
        """The standard errors of a card's chances; 0 where they are exact."""
        if not self.worlds:
            return (0.0,) * 4
        return tuple(math.sqrt(chance * (1 - chance) / self.worlds) for chance in self.cards[card])


def marginals(round_: Round, seat: int, worlds: int = 1000, seed: int = 0) -> Marginals:
    """Chances of the other seats to hold each unseen card, given shown voids, passed cards and forced plays.

    Args:
        round_: only what the seat may see is used.
        seat: of the view.
        worlds: deals to draw; none during the pass, when each other seat holds a card with chance 1/3.
        seed: of the deals.

    Raises:
        OptionError: not a seat.
    """
    view = round_.view(seat)
    seen = mask_of((*view.hand, *view.played))
    unseen = [card for card in cards_of((1 << len(TEXTS)) - 1) if not seen >> TEXTS.index(card) & 1]
    if view.is_passing or not unseen:
        third = tuple(0.0 if one == seat else 1 / 3 for one in SEATS)
        return Marginals(seat, 0, dict.fromkeys(unseen, third))
    counts: dict[str, list[int]] = {card: [0, 0, 0, 0] for card in unseen}
    drawn = round_._core.worlds(seat, worlds, seed)
    for hands in drawn:
        for holder in SEATS:
            if holder != seat:
                for card in cards_of(hands[holder]):
                    if card in counts:
                        counts[card][holder] += 1
    chances = {card: tuple(count / len(drawn) for count in held) for card, held in counts.items()}
    return Marginals(seat, len(drawn), chances)


# --- a round in review -----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Decision(Result):
    """A card played where its seat had a choice, evaluated from the view of its seat.

    Attributes:
        ply: number of the card in the round, from 0.
        trick: from 1.
        seat, played: the seat and its card.
        position: the round before the card.
        prospects: every legal card, best first.
    """

    FIELDS: ClassVar[tuple[str, ...]] = ("ply", "trick", "seat", "played", "prospects")

    ply: int
    trick: int
    seat: int
    played: str
    position: Round = field(repr=False)
    prospects: tuple[Prospect, ...]

    @property
    def chosen(self) -> Prospect:
        """The estimate of the card played; ``behind`` is its cost."""
        return next(one for one in self.prospects if one.move == self.played)


def review(round_: Round, playouts: int = 200, policy: str = "greedy", seed: int = 0) -> Iterator[Decision]:
    """The decisions of a round in the order of play, without forced cards.

    Args:
        round_: finished or in play.
        playouts: deals per decision.
        policy, seed: as for :class:`Outlook`.

    Raises:
        GamecoreError: no card was played yet. OptionError: an unknown policy.
    """
    played = round_.played
    if not played:
        raise GamecoreError("nothing was played yet: there is no decision to review")
    state = Round(round_.dealt, round_.rules, round_.passing, round_.passed, (), round_.seed, round_.index)
    for ply, card in enumerate(played):
        if len(state.legal_moves()) > 1:
            outlook = Outlook(state, policy, seed)
            outlook.add(playouts)
            yield Decision(ply, ply // 4 + 1, state.to_move, card, state, outlook.prospects())
        state = state.play(card)


# --- passing ---------------------------------------------------------------------------------------------------------


def passes(round_: Round, seat: int, playouts: int = 400, seed: int = 0) -> Iterator[tuple[Evaluation, ...]]:
    """Estimate sets of three cards to pass by playouts over random deals of the other hands.

    The others pass as greedy, and all play as greedy. Candidates are triples of the most dangerous cards and triples
    that empty a suit; after each stage the worse half is dropped.

    Args:
        round_: during the pass, before this seat's choice; only this seat's hand is used.
        seat: the seat that passes.
        playouts: of the last candidates.
        seed: of the deals.

    Yields:
        The estimates so far, the most played candidates first, best first among equals.

    Raises:
        GamecoreError: this seat has nothing to pass now. OptionError: not a seat.
    """
    hand = round_.view(seat).hand
    if seat not in round_.passing_seats:
        raise GamecoreError(f"seat {seat} has nothing to pass now")
    sums = {cards: [0.0, 0.0, 0.0] for cards in _candidates(hand)}
    alive, world, stage = list(sums), 0, max(10, playouts // 8)
    while world < playouts:
        until = min(playouts, world + stage)
        deals = [_others(hand, seat, seed, number) for number in range(world, until)]
        for cards in alive:
            if is_cancelled():
                return
            _play_out(round_, seat, cards, deals, seed + world, sums[cards])
        world, stage = until, 2 * stage
        known = sorted(
            (Evaluation(JOINT.join(cards), *mean_and_error(a, b, int(n)), int(n)) for cards, (a, b, n) in sums.items()),
            key=lambda one: (-one.playouts, one.mean),
        )
        yield tuple(known)
        alive.sort(key=lambda cards: sums[cards][0])
        del alive[max(2, math.ceil(_SHARE_KEPT * len(alive))) :]


def _candidates(hand: tuple[str, ...]) -> list[tuple[str, ...]]:
    """Candidate triples, in the order of the hand."""
    dangerous = danger(hand, _DANGEROUS)
    found = {tuple(sorted(three, key=hand.index)) for three in itertools.combinations(dangerous, 3)}
    for suit in "CDHS":
        short = [card for card in hand if card[0] == suit]
        if 0 < len(short) <= 3:
            rest = [card for card in dangerous if card not in short][: 3 - len(short)]
            found.add(tuple(sorted((*short, *rest), key=hand.index)))
    return sorted((three for three in found if len(three) == 3), key=lambda three: [hand.index(card) for card in three])


def _others(hand: tuple[str, ...], seat: int, seed: int, number: int) -> tuple[int, ...]:
    """The four hands as 52-bit masks; the other three are random."""
    held = mask_of(hand)
    rest = [index for index in range(len(TEXTS)) if not held >> index & 1]
    drawn = [int(index) for index in generator([seed, number]).permutation(rest)]
    parts = iter(sum(1 << index for index in drawn[13 * k : 13 * k + 13]) for k in range(3))
    return tuple(held if one == seat else next(parts) for one in SEATS)


def _play_out(
    round_: Round, seat: int, cards: tuple[str, ...], deals: list[tuple[int, ...]], seed: int, sums: list[float]
) -> None:
    """Play one round per deal in which the seat passes these cards, and add its points to the sums."""
    direction, passed_on, greedy = DIRECTIONS[round_.passing], mask_of(cards), player("greedy").numbers
    with controlled() as control:
        for number, hands in enumerate(deals, seed):
            core = kernel.Core(round_.rules.flags, hands, number & _SEEDS, 0)
            passed = [passed_on if one == seat else core.choose_pass(one, greedy, direction, control) for one in SEATS]
            core.start(passed, direction)
            while core.count() < len(TEXTS):
                core.play(core.choose(greedy, control))
            points = core.score()[seat]
            for place, amount in enumerate((points, points * points, 1)):
                sums[place] += amount
