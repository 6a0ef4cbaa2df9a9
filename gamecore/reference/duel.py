"""Three solvers of the open-hand card duel in plain, readable Python.

The source's exercise starts from the full game tree and gives two hints: memoise, and prune (alpha-beta). Each version
returns the value for the side to move: the points that the loser pays, positive if the mover wins. ``trace`` records
the calls: see :func:`gamecore.trace`.

A hand is a frozenset of cards written suit first (``DT``). ``last`` is the card to match, or None if any card may be
played.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gamecore.draw import Trace

Hand = frozenset[str]
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


def full_search(mover: Hand, other: Hand, last: str | None = None, trace: "Trace | None" = None) -> int:
    """Search the whole game tree (version 1)."""
    cards = legal(mover, last)
    if trace:
        trace.enter(text(mover, other, last), "computed" if cards else "forced")
    if not cards:
        best = -full_search(other, mover, None, trace)  # a pass: now any card may be played
    else:
        best = -MOST
        for card in cards:
            rest = mover - {card}
            value = -full_search(other, rest, card, trace) if rest else points(other)
            best = max(best, value)
    return trace.leave(best) if trace else best


def memoised(mover: Hand, other: Hand, last: str | None = None, trace: "Trace | None" = None) -> int:
    """Search each position once (version 2, the first hint)."""
    known: dict[tuple[Hand, Hand, str | None], int] = {}

    def search(mover: Hand, other: Hand, last: str | None) -> int:
        key = (mover, other, last)
        if key in known:
            return trace.leaf(text(*key), known[key], "remembered") if trace else known[key]
        cards = legal(mover, last)
        if trace:
            trace.enter(text(*key), "computed" if cards else "forced")
        if not cards:
            best = -search(other, mover, None)
        else:
            best = -MOST
            for card in cards:
                rest = mover - {card}
                value = -search(other, rest, card) if rest else points(other)
                best = max(best, value)
        known[key] = best
        return trace.leave(best) if trace else best

    return search(mover, other, last)


class AlphaBeta:
    """Alpha-beta over a dict of bounds (version 3, the second hint).

    A search that a cutoff ends proves only a bound, so the dict keeps a lower and an upper bound of each position.
    Storing the score as if it were exact is a common mistake.

    Attributes:
        nodes: positions searched so far.
    """

    def __init__(self, trace: "Trace | None" = None) -> None:
        self.known: dict[tuple[Hand, Hand, str | None], tuple[int, int]] = {}
        self.nodes = 0
        self.trace = trace

    def search(self, mover: Hand, other: Hand, last: str | None = None, alpha: int = -MOST, beta: int = MOST) -> int:
        """Return the value if it lies between alpha and beta, else a bound on that side."""
        key = (mover, other, last)
        lower, upper = self.known.get(key, (-MOST, MOST))
        if lower >= beta or lower == upper or upper <= alpha:
            bound = upper if upper <= alpha else lower
            return self.trace.leaf(text(*key), bound, "remembered") if self.trace else bound
        alpha, beta = max(alpha, lower), min(beta, upper)
        self.nodes += 1
        cards = legal(mover, last)
        if self.trace:
            self.trace.enter(text(*key), "computed" if cards else "forced")
        if not cards:
            best = -self.search(other, mover, None, -beta, -alpha)
        else:
            best = -MOST
            for place, card in enumerate(cards, start=1):
                rest = mover - {card}
                value = -self.search(other, rest, card, -beta, -max(alpha, best)) if rest else points(other)
                best = max(best, value)
                if best >= beta:
                    if self.trace:
                        self.trace.cut(text(other, mover - {later}, later) for later in cards[place:])
                    break
        self.known[key] = (best, upper) if best >= beta else (lower, best) if best <= alpha else (best, best)
        return self.trace.leave(best) if self.trace else best


def alpha_beta(mover: Hand, other: Hand, last: str | None = None, trace: "Trace | None" = None) -> int:
    """Search by :class:`AlphaBeta` (version 3)."""
    return AlphaBeta(trace).search(mover, other, last)


VERSIONS: dict[str, Search] = {"full": full_search, "memoised": memoised, "alpha-beta": alpha_beta}
