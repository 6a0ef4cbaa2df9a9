"""A solver of one's own, for ``gamecore judge duel -- python3 examples/my_duel.py``: a memoised search."""

import functools
import sys

POINTS = {rank: points for points, rank in enumerate("A23456789TJQK", start=1)}


@functools.cache
def value(mover, other, last):
    """Return the points that the mover wins; negative if it loses."""
    cards = [card for card in mover if last is None or card[0] == last[0] or card[1] == last[1]]
    if not cards:
        return -value(other, mover, None)
    if len(mover) == 1:
        return sum(POINTS[card[1]] for card in other)
    return max(-value(other, mover - {card}, card) for card in cards)


_, alice, bob = (line.split() for line in sys.stdin.read().splitlines()[:3])
points = value(frozenset(alice), frozenset(bob), None)
print("Alice" if points > 0 else "Bob", abs(points), sep="\n")
