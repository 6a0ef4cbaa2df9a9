"""Hearts in plain Python: the source's classes, completed, with every rule as a flag.

It is the oracle of the engine's round logic and the baseline of its benchmarks. The players come from the source, a
course project; :class:`LiteralPlayer` follows its printed pseudo-code literally.
"""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from gamecore.reference import Version, Versions, watched
from gamecore.text import checked_word

if TYPE_CHECKING:
    from gamecore.draw import Trace

SUITS = "CDSH"
RANKS = "23456789TJQKA"
DECK = tuple(suit + rank for suit in SUITS for rank in RANKS)


@dataclass(frozen=True)
class Rules:
    """The rules' flags; see ``gamecore.hearts.Rules``. OptionError: an unknown ``moon``."""

    no_pts_on_first_trick: bool = True
    can_lead_any_club: bool = False
    must_break_hearts: bool = True
    qs_breaks_hearts: bool = True
    can_lead_hearts_instead_of_qs: bool = False
    jack_of_diamonds: bool = False
    avoid_all_tricks_bonus: bool = False
    moon: str = "others"

    def __post_init__(self) -> None:
        checked_word(self.moon, "moon", ("others", "shooter", "none"))


def rank(card: str) -> int:
    """Return 0 for a two to 12 for an ace."""
    return RANKS.index(card[1])


def is_point(card: str) -> bool:
    """True if a card costs points: hearts and the queen of spades."""
    return card[0] == "H" or card == "SQ"


def points_of(cards: Sequence[str]) -> int:
    """Return a card's points: a heart 1, the queen of spades 13."""
    return sum(13 if card == "SQ" else 1 if card[0] == "H" else 0 for card in cards)


def winner_of(cards: Sequence[str]) -> int:
    """Return the index of the card that takes a trick: the highest of the suit led."""
    return max(range(len(cards)), key=lambda place: rank(cards[place]) if cards[place][0] == cards[0][0] else -1)


@dataclass
class State:
    """A round in progress. ``hands`` and ``taken`` are lists of cards by seat."""

    hands: list[list[str]]
    rules: Rules = field(default_factory=Rules)
    leader: int = -1
    trick: list[str] = field(default_factory=list)
    played: list[str] = field(default_factory=list)
    taken: list[list[str]] = field(default_factory=lambda: [[], [], [], []])
    broken: bool = False

    def __post_init__(self) -> None:
        if self.leader < 0:  # the holder of the two of clubs leads
            self.leader = next(seat for seat in range(4) if "C2" in self.hands[seat])
        self.broken = self.broken or not self.rules.must_break_hearts

    @property
    def to_move(self) -> int:
        """The seat to move."""
        return (self.leader + len(self.trick)) % 4

    @property
    def is_over(self) -> bool:
        """True if every card has been played."""
        return not any(self.hands)

    def legal_moves(self) -> list[str]:
        """Return the legal cards, sorted by suit (C D S H) and rank."""
        hand = sorted(self.hands[self.to_move], key=DECK.index)
        if self.trick:
            following = [card for card in hand if card[0] == self.trick[0][0]]
            if following:
                return following
            if len(self.played) < 4 and self.rules.no_pts_on_first_trick:
                return [card for card in hand if not is_point(card)] or hand
            return hand
        if not self.played:
            return [card for card in hand if card == "C2" or (self.rules.can_lead_any_club and card[0] == "C")]
        if self.broken:
            return hand
        others = [card for card in hand if card[0] != "H"]
        if others == ["SQ"] and self.rules.can_lead_hearts_instead_of_qs:
            return hand
        return others or hand

    def play(self, card: str) -> None:
        """Play a legal card; the fourth one ends the trick."""
        self.hands[self.to_move].remove(card)
        self.trick.append(card)
        self.played.append(card)
        self.broken = self.broken or card[0] == "H" or (card == "SQ" and self.rules.qs_breaks_hearts)
        if len(self.trick) == 4:
            self.leader = (self.leader + winner_of(self.trick)) % 4
            self.taken[self.leader] += self.trick
            self.trick = []

    def score(self) -> tuple[int, ...]:
        """Return the points of the four seats as scored at the end of a round."""
        points = [points_of(cards) for cards in self.taken]
        if 26 in points and self.rules.moon != "none":
            shooter = points.index(26)
            if self.rules.moon == "others":
                points = [0 if seat == shooter else 26 for seat in range(4)]
            else:
                points[shooter] = -26
        elif self.rules.avoid_all_tricks_bonus:
            points = [got if cards else got - 5 for got, cards in zip(points, self.taken, strict=True)]
        if self.rules.jack_of_diamonds:
            points = [got - 10 * ("DJ" in cards) for got, cards in zip(points, self.taken, strict=True)]
        return tuple(points)

    def copy(self) -> "State":
        """Return an independent copy."""
        hands, taken = [list(hand) for hand in self.hands], [list(cards) for cards in self.taken]
        return State(hands, self.rules, self.leader, list(self.trick), list(self.played), taken, self.broken)


class Player(Protocol):
    """A player chooses a legal card; a fair player uses only its own hand."""

    def choose(self, state: State) -> str:
        """Return a card of ``state.legal_moves()``."""


@dataclass
class RandomPlayer:
    """A player of random legal cards, drawn from ``rng``."""

    rng: random.Random

    def choose(self, state: State) -> str:
        """Return a uniformly random legal card."""
        return self.rng.choice(state.legal_moves())


class GreedyPlayer:
    """The source's logic tree, branch by branch."""

    def choose(self, state: State) -> str:
        """Lead low; when void, discard the worst card; follow below the first card if possible."""
        moves = state.legal_moves()
        if not state.trick:
            return min(moves, key=rank)  # the first in the order C D S H among equals
        first = state.trick[0]
        if moves[0][0] != first[0]:
            if "SQ" in moves:
                return "SQ"
            hearts = [card for card in moves if card[0] == "H"]
            return max(hearts or moves, key=rank)
        # "Below" is below the first card of the trick, not below the one that is winning.
        below = [card for card in moves if rank(card) < rank(first)]
        if below:
            return below[-1]
        return moves[-1] if len(state.trick) == 3 else moves[0]


@dataclass
class IntelligentPlayer:
    """A player that makes one playout for each legal card and plays the card with the fewest points."""

    rng: random.Random

    def choose(self, state: State) -> str:
        """Return the card of the best playout, the first on ties."""
        return min(state.legal_moves(), key=lambda card: self.playout(state, card))

    def playout(self, state: State, card: str) -> int:
        """Return the seat's points in a random playout; other seats play any card that the seat has not seen."""
        seat, after = state.to_move, state.copy()
        unseen = [other for other in DECK if other not in state.played and other not in state.hands[seat]]
        self.rng.shuffle(unseen)
        after.hands = [hand if place == seat else [] for place, hand in enumerate(after.hands)]
        after.play(card)
        while unseen or after.hands[seat]:
            if after.to_move == seat:
                after.play(self.rng.choice(after.legal_moves()))
            else:
                after.hands[after.to_move].append(unseen[-1])
                after.play(unseen.pop())
        return points_of(after.taken[seat])


class LiteralPlayer(IntelligentPlayer):
    """The printed pseudo-code: the best result starts at 0 and only smaller results replace it.

    No playout gives fewer than 0 points, so that it never changes its mind: the first legal card.
    """

    def choose(self, state: State) -> str:
        """Return the card of the printed loop."""
        moves = state.legal_moves()
        best, choice = 0, moves[0]
        for card in moves:
            result = self.playout(state, card)
            if result < best:
                best, choice = result, card
        return choice


def deal(rng: random.Random) -> list[list[str]]:
    """Deal four hands of 13 cards."""
    deck = list(DECK)
    rng.shuffle(deck)
    return [deck[13 * seat : 13 * seat + 13] for seat in range(4)]


def play_round(players: Sequence[Player], hands: list[list[str]], rules: Rules | None = None) -> tuple[int, ...]:
    """Play a round without passing; return the points of the four seats."""
    state = State([list(hand) for hand in hands], rules or Rules())
    while not state.is_over:
        state.play(players[state.to_move].choose(state))
    return state.score()


def text(state: State) -> str:
    """Return the trick, the seat to move and all hands, for a trace."""
    hands = " / ".join(" ".join(hand) or "-" for hand in state.hands)
    return f"{' '.join(state.trick) or 'lead'}, seat {state.to_move}: {hands}"


def brute_max_n(state: State, trace: "Trace | None" = None) -> tuple[int, ...]:
    """Return the final points of the four seats if all see all hands and each minimises its own points.

    Among cards that are equally good for the mover, the first in the order C D S H and by rank is played. ``trace``
    records the calls: see :func:`gamecore.trace`.
    """
    best: Any = _brute(state, State.score, lambda mover, values: min(values, key=lambda points: points[mover]), trace)
    return tuple(best)


def brute_paranoid(state: State, seat: int, trace: "Trace | None" = None) -> int:
    """Return a seat's final points if all see all hands and the other three play against it."""
    choose = {mover: min if mover == seat else max for mover in range(4)}
    return int(_brute(state, lambda end: end.score()[seat], lambda mover, values: choose[mover](values), trace))


def _brute(
    state: State, score: Callable[[State], Any], choose: Callable[[int, list[Any]], Any], trace: "Trace | None"
) -> Any:
    """Return the score of the end that play leads to if ``choose(mover, values)`` chooses among the values of cards."""

    @watched(trace, lambda state: (text(state), "forced" if len(state.legal_moves()) == 1 else "computed"))
    def search(state: State) -> Any:
        values = []
        for card in state.legal_moves():
            after = state.copy()
            after.play(card)
            values.append(search(after))
        return choose(state.to_move, values) if values else score(state)

    return search(state)


def _versions_of(round_: Any) -> dict[str, Version]:
    if round_.passing_seats or sum(map(len, round_.hands)) > 12:
        return {}
    state = State(
        [list(hand) for hand in round_.hands],
        Rules(**{name: getattr(round_.rules, name) for name in Rules.__dataclass_fields__}),
        round_.trick[0][0] if round_.trick else round_.to_move,
        [card for _, card in round_.trick],
        list(round_.played),
        [[card for trick in round_.tricks if trick.winner == seat for card in trick.cards] for seat in range(4)],
        any(card[0] == "H" or (card == "SQ" and round_.rules.qs_breaks_hearts) for card in round_.played),
    )
    return {"max_n": Version(brute_max_n, (state,)), "paranoid": Version(brute_paranoid, (state, round_.to_move))}


PART = Versions(("max_n", "paranoid"), _versions_of)
