"""Rows: two players alternately take the leftmost or the rightmost value of a row.

The opponent maximises its total (``optimal``; *smart* in the coin row), always takes the larger end (``greedy``; the
sister in the card game), or helps me to the largest total (``cooperative``; *dumb* in the coin row).

    >>> from gamecore import rows
    >>> s = rows.solve([5, 7, 9, 1, 4, 2], opponent="greedy", first="me", ties="right")
    >>> s.mine, s.theirs, s.value, s.best_moves, s.line
    (18, 10, 8, ('L',), 'LLLRRL')
    >>> rows.value([5, 7, 9, 1, 4, 2], opponent="cooperative", of="mine")
    21
    >>> position = rows.Position([5, 7, 9, 1, 4, 2], "greedy").play("L")
    >>> position.to_text()
    'greedy:opponent:5:0:7,9,1,4,2'

Integers (8 to 64 bits) are exact. Rows whose totals could overflow int64, and rows that mix integers and floats, raise
an error. Floats are computed in float64 in a fixed order, equal at every CPU level; ``math.fsum`` adds up the totals of
a line of play.
"""

from typing import TYPE_CHECKING

from gamecore.lazy import lazy_names
from gamecore.rows._position import Position, random
from gamecore.rows._results import Analysis, MoveValue, Solution, Start
from gamecore.rows._solve import analyse, solve, value, who_should_start

if TYPE_CHECKING:
    from gamecore.rows._batch import Solutions, solve_iter, solve_many
    from gamecore.rows._game import GAME
    from gamecore.rows._play import Play, deck, decks, play
    from gamecore.rows._plot import plot_table
    from gamecore.rows._table import table

__all__ = [
    "GAME",
    "Analysis",
    "MoveValue",
    "Play",
    "Position",
    "Solution",
    "Solutions",
    "Start",
    "analyse",
    "deck",
    "decks",
    "play",
    "plot_table",
    "random",
    "solve",
    "solve_iter",
    "solve_many",
    "table",
    "value",
    "who_should_start",
]

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "_batch": ("Solutions", "solve_iter", "solve_many"),
        "_game": ("GAME",),
        "_play": ("Play", "deck", "decks", "play"),
        "_plot": ("plot_table",),
        "_table": ("table",),
    },
    __all__,
)
