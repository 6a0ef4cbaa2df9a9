"""Rows: two players alternately take the leftmost or the rightmost value of a row.

The opponent maximises its total (``optimal``; *smart* in the coin row), always takes the larger end (``greedy``; the
sister in the card game), or helps me to the largest total (``cooperative``; *dumb* in the coin row).

    >>> from gamecore import rows
    >>> s = rows.solve([3, 9, 4, 1, 2], opponent="greedy", first="me", ties="right")
    >>> s.mine, s.theirs, s.value, s.best_moves, s.line
    (12, 7, 5, ('R',), 'RLLLL')
    >>> rows.value([3, 9, 4, 1, 2], opponent="cooperative", of="mine")
    16
    >>> position = rows.Position([3, 9, 4, 1, 2], "greedy").play("R")
    >>> position.to_text()
    'greedy:opponent:2:0:3,9,4,1'

Values are integers of any type, and results are exact. Rows whose totals could overflow int64 raise an error, and so
do floats: scale them to whole numbers.
"""

from typing import TYPE_CHECKING

from gamecore.lazy import lazy_names
from gamecore.rows._game import GAME, parse_many
from gamecore.rows._position import Position, parse, random
from gamecore.rows._solve import Analysis, MoveValue, Solution, Start, analyse, solve, value, who_should_start
from gamecore.rows._sources import Play, deck, decks, play, table, table_picture

if TYPE_CHECKING:
    from gamecore.rows._batch import Solutions, solve_iter, solve_many

__all__ = [
    "GAME", "Analysis", "MoveValue", "Play", "Position", "Solution", "Solutions", "Start", "analyse", "deck", "decks",
    "parse", "parse_many", "play", "random", "solve", "solve_iter", "solve_many", "table", "table_picture", "value",
    "who_should_start",
]  # fmt: skip

__getattr__, __dir__ = lazy_names(__name__, {"_batch": ("Solutions", "solve_iter", "solve_many")}, __all__)
