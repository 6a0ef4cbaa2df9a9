"""Five solvers of the open-hand card duel in plain, readable Python.

The source's exercise starts from the full game tree and gives two hints: memoise, and prune (alpha-beta). Two more
versions show what the kernel does: it asks questions, and takes positions together (``by_columns``). Each version
returns the value for the side to move: the points that the loser pays, positive if the mover wins. ``trace`` records
the calls: see :func:`gamecore.trace`.

A hand is a frozenset of cards written suit first (``DT``). ``last`` is the card to match, or None if any card may be
played.
"""

from collections.abc import Callable, Hashable
from itertools import takewhile
from typing import TYPE_CHECKING, Any, NamedTuple

from gamecore.reference import Version, Versions, watched

if TYPE_CHECKING:
    from gamecore.draw import How, Trace

Hand = frozenset[str]
Key = tuple[Hand, Hand, str | None]
Search = Callable[..., int]

POINTS = {rank: points for points, rank in enumerate("A23456789TJQK", start=1)}
MOST = sum(POINTS.values()) * 4 + 1


def points(hand: Hand) -> int:
    """Return the points of a hand."""
    return sum(POINTS[card[1]] for card in hand)


def legal(hand: Hand, last: str | None) -> list[str]:
    """Return the cards that share suit or rank with ``last`` (all if it is None), in a fixed order."""
    return sorted(card for card in hand if last is None or card[0] == last[0] or card[1] == last[1])


def text(mover: Hand, other: Hand, last: str | None) -> str:
    """Return the hand to move, the other hand and the card to match, for a trace."""
    return f"{' '.join(sorted(mover))} | {' '.join(sorted(other))} | {last or 'any card'}"


def described(key: Key, is_known: bool) -> tuple[str, "How"]:
    """Return a position and what its search does, for a trace."""
    mover, _, last = key
    return text(*key), "remembered" if is_known else "computed" if legal(mover, last) else "forced"


def full_search(mover: Hand, other: Hand, last: str | None = None, trace: "Trace | None" = None) -> int:
    """Search the whole game tree (version 1)."""
    return solved((mover, other, last), None, trace)


def memoised(mover: Hand, other: Hand, last: str | None = None, trace: "Trace | None" = None) -> int:
    """Search each position once (version 2, the first hint)."""
    return solved((mover, other, last), {}, trace)


def solved(key: Key, known: dict[Key, int] | None, trace: "Trace | None") -> int:
    """Search the whole game tree; with a dict, each position once."""

    @watched(trace, lambda *key: described(key, is_known=known is not None and key in known))
    def search(mover: Hand, other: Hand, last: str | None) -> int:
        key = mover, other, last
        if known is not None and key in known:
            return known[key]
        cards = legal(mover, last)
        best = -MOST if cards else -search(other, mover, None)  # a pass: now any card may be played
        for card in cards:
            rest = mover - {card}
            best = max(best, -search(other, rest, card) if rest else points(other))
        if known is not None:
            known[key] = best
        return best

    return search(*key)


def alpha_beta(mover: Hand, other: Hand, last: str | None = None, trace: "Trace | None" = None) -> int:
    """Search by alpha-beta over a dict of bounds (version 3, the second hint).

    A search that a cutoff ends proves only a bound, so the dict keeps a lower and an upper bound of each position.
    Storing the score as if it were exact is a common mistake.
    """
    bounds: dict[Key, tuple[int, int]] = {}

    def decide(lower: int, upper: int, alpha: int, beta: int) -> bool:
        return lower >= beta or lower == upper or upper <= alpha

    def describe(*key: Any, window: tuple[int, int]) -> tuple[str, "How"]:
        return described(key, decide(*bounds.get(key, (-MOST, MOST)), *window))

    @watched(trace, describe, lambda *key: bounds[key])
    def search(mover: Hand, other: Hand, last: str | None, *, window: tuple[int, int]) -> int:
        """Return the value if it lies in the window, between alpha and beta, else a bound on that side."""
        key, (alpha, beta) = (mover, other, last), window
        lower, upper = bounds.get(key, (-MOST, MOST))
        if decide(lower, upper, alpha, beta):
            return upper if upper <= alpha else lower
        alpha, beta = max(alpha, lower), min(beta, upper)
        cards = legal(mover, last)
        best = -MOST if cards else -search(other, mover, None, window=(-beta, -alpha))
        for place, card in enumerate(cards, start=1):
            rest = mover - {card}
            value = -search(other, rest, card, window=(-beta, -max(alpha, best))) if rest else points(other)
            best = max(best, value)
            if best >= beta:
                if trace:
                    trace.cut(text(other, mover - {later}, later) for later in cards[place:])
                break
        bounds[key] = (best, upper) if best >= beta else (lower, best) if best <= alpha else (best, best)
        return best

    return search(mover, other, last, window=(-MOST, MOST))


class State(NamedTuple):
    """The question whether the attacker wins at least ``needed`` points; ``attacks``: the attacker is to move."""

    attacker: Hand
    defender: Hand
    attacks: bool
    last: str | None
    needed: int

    @property
    def turn(self) -> tuple[Hand, str | None]:
        """The hand to move, and the card to match."""
        return (self.attacker if self.attacks else self.defender), self.last

    def after(self, card: str | None) -> "State":
        """Return the question after a card, or after a pass: then any card may follow."""
        if self.attacks:
            return self._replace(attacker=self.attacker - {card}, attacks=False, last=card)
        return self._replace(defender=self.defender - {card}, attacks=True, last=card)

    def __str__(self) -> str:
        mover, other = (self.attacker, self.defender) if self.attacks else (self.defender, self.attacker)
        return f"{text(mover, other, self.last)}: {'wins' if self.attacks else 'pays'} {self.needed}?"


Look = Callable[[State], tuple[Hashable, list[str]]]


def by_tests(mover: Hand, other: Hand, last: str | None = None, trace: "Trace | None" = None) -> int:
    """Ask "does this side win at least K points?" for growing K, until the answer is no (version 4).

    Such a question has two answers: a move that proves one ends the search of a position.
    """
    return answered(mover, other, last, trace, lambda state: (state, legal(*state.turn)))


def by_columns(mover: Hand, other: Hand, last: str | None = None, trace: "Trace | None" = None) -> int:
    """Ask the same, but take positions that differ in nothing that matters for one (version 5).

    For a question, the attacker's points do not count, the defender's only up to K, and the last card only by the cards
    that may follow it. So a position is its columns, one for each rank, in any order. A column is what the defender
    pays for a card of this rank, and the suits that the attacker has, that the defender has, and that may be played.
    Cards that leave the fewest replies are tried first.
    """

    def look(state: State) -> tuple[object, list[str]]:
        cards = legal(*state.turn)
        fits = frozenset(cards)
        parts = []
        for rank in {card[1] for card in state.attacker | state.defender}:
            suits = ["".join(suit for suit in "CDHS" if suit + rank in hand) for hand in (*state[:2], fits)]
            parts.append((min(POINTS[rank], state.needed) if suits[1] else 0, *suits))
        waiting = state.defender if state.attacks else state.attacker
        cards.sort(key=lambda card: len(legal(waiting, card)))
        return (tuple(sorted(parts)), state.attacks, state.needed), cards

    return answered(mover, other, last, trace, look)


def answered(mover: Hand, other: Hand, last: str | None, trace: "Trace | None", look: Look) -> int:
    """Return the value by questions; ``look`` returns the key of one in the memory, and its cards in their order."""
    known: dict[Hashable, bool] = {}

    def described(state: State) -> tuple[str, "How"]:
        key, cards = look(state)
        return str(state), "remembered" if key in known else "computed" if cards else "forced"

    @watched(trace, described)
    def wins(state: State) -> bool:
        key, cards = look(state)
        if key in known:
            return known[key]
        answer = not state.attacks if cards else wins(state.after(None))
        for place, card in enumerate(cards, start=1):
            after = state.after(card)
            if not after.attacker:
                good = points(after.defender) >= state.needed
            else:
                good = bool(after.defender) and points(after.defender) >= state.needed and wins(after)
            if good == state.attacks:  # the side to move has what it wants
                answer = good
                if trace:
                    trace.cut(str(state.after(later)) for later in cards[place:])
                break
        known[key] = answer
        return answer

    sign = 1 if wins(State(mover, other, True, last, 1)) else -1
    question = State(mover, other, True, last, 1) if sign > 0 else State(other, mover, False, last, 1)
    sums = {0}  # of points that the loser may be left with
    for card in question.defender:
        sums |= {left + POINTS[card[1]] for left in sums}
    _, least, *larger = sorted(sums)
    return sign * max([least, *takewhile(lambda left: wins(question._replace(needed=left)), larger)])


VERSIONS: dict[str, Search] = {
    "full": full_search,
    "memoised": memoised,
    "alpha-beta": alpha_beta,
    "tests": by_tests,
    "columns": by_columns,
}


def _versions_of(position: Any) -> dict[str, Version]:
    hands = frozenset(position.alice), frozenset(position.bob)
    most = {"full": 5, "memoised": 7, "alpha-beta": 9, "tests": 8, "columns": 11}
    arguments = (*(hands if position.to_move == "Alice" else hands[::-1]), position.last)
    size = max(map(len, hands))
    return {name: Version(function, arguments) for name, function in VERSIONS.items() if size <= most[name]}


PART = Versions(tuple(VERSIONS), _versions_of)
