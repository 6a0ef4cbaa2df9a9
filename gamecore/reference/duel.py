"""Three solvers of the open-hand card duel in plain, readable Python.

The source's exercise starts from the full game tree and gives two hints: memoise, and prune (alpha-beta). Each version
returns the value for the side to move: the points that the loser pays, positive if the mover wins. ``trace`` records
the calls: see :func:`gamecore.trace`.

A hand is a frozenset of cards written suit first (``DT``). ``last`` is the card to match, or None if any card may be
played.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from gamecore.reference import watched
from gamecore.reference._versions import Version, Versions

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

    @watched(trace, lambda *key, window: described(key, decide(*bounds.get(key, (-MOST, MOST)), *window)))
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


VERSIONS: dict[str, Search] = {"full": full_search, "memoised": memoised, "alpha-beta": alpha_beta}


def _versions_of(position: Any) -> dict[str, Version]:
    hands = frozenset(position.alice), frozenset(position.bob)
    most = {"full": 5, "memoised": 7, "alpha-beta": 9}
    arguments = (*(hands if position.to_move == "Alice" else hands[::-1]), position.last)
    size = max(map(len, hands))
    return {name: Version(function, arguments) for name, function in VERSIONS.items() if size <= most[name]}


PART = Versions(tuple(VERSIONS), _versions_of)
