"""Rows: two players in turn take the leftmost or the rightmost value of a row.

The opponent may play the same game as I (``optimal``: the coin row's *smart*), take the larger end every time
(``greedy``: the card game's sister), or help me (``cooperative``, also ``dumb``: the largest total of any play).

    >>> from gamecore import rows
    >>> s = rows.solve([5, 7, 9, 1, 4, 2], opponent="greedy", first="me", ties="right")
    >>> s.mine, s.theirs, s.difference, s.best_moves
    (18, 10, 8, ('left',))
    >>> rows.value([5, 7, 9, 1, 4, 2], opponent="cooperative", of="mine")
    21

Integers (8 to 64 bits) are exact: rows whose totals could overflow int64 are refused. Floats are computed in float64 in
a fixed order, the same at every CPU level; algorithms that add in another order differ in the last bits.
"""

from gamecore.rows._batch import solve_iter, solve_many
from gamecore.rows._many import PilesSolution, RowBatch, solve_piles
from gamecore.rows._oracle import IntervalOracle
from gamecore.rows._play import Play, deck, decks, play
from gamecore.rows._solve import (
    MoveOutcome,
    Outcome,
    RowSolution,
    Start,
    analyse,
    solve,
    table,
    value,
    who_should_start,
)

__all__ = [
    "IntervalOracle",
    "MoveOutcome",
    "Outcome",
    "PilesSolution",
    "Play",
    "RowBatch",
    "RowSolution",
    "Start",
    "analyse",
    "deck",
    "decks",
    "play",
    "solve",
    "solve_iter",
    "solve_many",
    "solve_piles",
    "table",
    "value",
    "who_should_start",
]
