"""The open-hand card duel three times over, in plain Python, written to be read.

The source's exercise goes from the full game tree to its two hints: remember what was solved, and stop
looking once a move is too good (alpha-beta). Each version returns the value for the player to move: the
points the loser pays, positive when the mover wins.

A hand is a frozenset of cards written suit first (``DT``); ``last`` is the card to be matched, or None when
any card may be played.
"""

from collections.abc import Callable

Hand = frozenset[str]
Search = Callable[[Hand, Hand, str | None], int]

POINTS = {rank: points for points, rank in enumerate("A23456789TJQK", start=1)}
MOST = sum(POINTS.values()) * 4 + 1


def points(hand: Hand) -> int:
    """What a loser pays for the cards left in hand."""
    return sum(POINTS[card[1]] for card in hand)


def legal(hand: Hand, last: str | None) -> list[str]:
    """The cards that share suit or rank with ``last``, in a fixed order; every card when it is None."""
    return sorted(card for card in hand if last is None or card[0] == last[0] or card[1] == last[1])


def full_search(mover: Hand, other: Hand, last: str | None = None) -> int:
    """Version 1: the whole game tree."""
    cards = legal(mover, last)
    if not cards:
        return -full_search(other, mover, None)  # a pass: now any card may be played
    best = -MOST
    for card in cards:
        rest = mover - {card}
        value = -full_search(other, rest, card) if rest else points(other)
        best = max(best, value)
    return best


def memoised(mover: Hand, other: Hand, last: str | None = None) -> int:
    """Version 2 (the first hint): the same, but no position is searched twice."""
    known: dict[tuple[Hand, Hand, str | None], int] = {}

    def search(mover: Hand, other: Hand, last: str | None) -> int:
        key = (mover, other, last)
        if key in known:
            return known[key]
        cards = legal(mover, last)
        if not cards:
            best = -search(other, mover, None)
        else:
            best = -MOST
            for card in cards:
                rest = mover - {card}
                value = -search(other, rest, card) if rest else points(other)
                best = max(best, value)
        known[key] = best
        return best

    return search(mover, other, last)


class AlphaBeta:
    """Version 3 (the second hint): alpha-beta over a dict of *bounds*.

    A search cut short proves only a bound, so the dict keeps a lower and an upper bound for each
    position. Storing the bare score instead is the classic mistake of this exercise.

    Attributes:
        nodes: positions searched so far.
    """

    def __init__(self) -> None:
        self.known: dict[tuple[Hand, Hand, str | None], tuple[int, int]] = {}
        self.nodes = 0

    def search(self, mover: Hand, other: Hand, last: str | None = None, alpha: int = -MOST, beta: int = MOST) -> int:
        """The value if it lies between alpha and beta; otherwise a bound on that side."""
        key = (mover, other, last)
        lower, upper = self.known.get(key, (-MOST, MOST))
        if lower >= beta or lower == upper:
            return lower
        if upper <= alpha:
            return upper
        alpha, beta = max(alpha, lower), min(beta, upper)
        self.nodes += 1
        cards = legal(mover, last)
        if not cards:
            best = -self.search(other, mover, None, -beta, -alpha)
        else:
            best = -MOST
            for card in cards:
                rest = mover - {card}
                value = -self.search(other, rest, card, -beta, -max(alpha, best)) if rest else points(other)
                best = max(best, value)
                if best >= beta:
                    break
        self.known[key] = (best, upper) if best >= beta else (lower, best) if best <= alpha else (best, best)
        return best


def alpha_beta(mover: Hand, other: Hand, last: str | None = None) -> int:
    """Version 3 as a function."""
    return AlphaBeta().search(mover, other, last)


VERSIONS: dict[str, Search] = {"full": full_search, "memoised": memoised, "alpha-beta": alpha_beta}
