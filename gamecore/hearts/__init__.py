"""Hearts: every rule as a flag, millions of rounds a second, players from random to learned search.

Four seats, 13 cards each; three cards may be passed first, then the two of clubs leads. Suit must be followed, the
highest card of the suit led takes the trick, and each heart in it costs a point, the queen of spades 13. A seat that
takes all 26 shoots the moon: the others get 26 each. Rules and flags are those of OpenSpiel's ``hearts``; the players
greedy, intelligent and literal are those of the course project that this game comes from. A card is written suit first
(``C2``, ``SQ``); ``2C`` is accepted, too.

Fewer points are better. A *value* is minus the points of the seat to move: larger is better.

    >>> from gamecore import hearts
    >>> hearts.simulate(["greedy", "random", "random", "random"], rounds=1000, rng=7).rounds
    1000
    >>> round_ = hearts.Round.deal(rng=7, passing="left")
    >>> moves = hearts.evaluate_moves(round_.view(round_.to_move), playouts=100, rng=7)
"""

from typing import TYPE_CHECKING

from gamecore.hearts._players import BuiltIn, Player, PlayerError, player
from gamecore.hearts._position import Round, random
from gamecore.hearts._rules import Rules
from gamecore.hearts._solve import Analysis, Evaluation, MoveValue, Solution, analyse, evaluate_moves, solve
from gamecore.hearts._view import Trick, View
from gamecore.lazy import lazy_names

if TYPE_CHECKING:
    from gamecore.hearts._game import GAME, Solutions, parse, parse_many, solve_iter, solve_many
    from gamecore.hearts._picture import AROUND
    from gamecore.hearts._results import Comparison, Difference, Match, Record, Simulation, plot_strength
    from gamecore.hearts._simulate import compare, match, record, simulate

Position = Round  #: the name that positions have in every game

__all__ = [
    "AROUND", "GAME", "Analysis", "BuiltIn", "Comparison", "Difference", "Evaluation", "Match", "MoveValue", "Player",
    "PlayerError", "Position", "Record", "Round", "Rules", "Simulation", "Solution", "Solutions", "Trick", "View",
    "analyse", "compare", "evaluate_moves", "match", "parse", "parse_many", "player", "plot_strength", "random",
    "record", "simulate", "solve", "solve_iter", "solve_many",
]  # fmt: skip

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "_game": ("GAME", "Solutions", "parse", "parse_many", "solve_iter", "solve_many"),
        "_picture": ("AROUND",),
        "_results": ("Comparison", "Difference", "Match", "Record", "Simulation", "plot_strength"),
        "_simulate": ("compare", "match", "record", "simulate"),
    },
    __all__,
)
