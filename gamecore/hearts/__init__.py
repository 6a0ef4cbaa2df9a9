"""Hearts: every rule as a flag, playouts by the million, players from random to perfect information.

    from gamecore import hearts
    result = hearts.simulate(["greedy", "random", "random", "random"], rounds=100_000, rng=7)
    result.mean                       # points a round, seat by seat
    round_ = hearts.Round.deal(rng=7, passing="left")
    hearts.evaluate_moves(round_.view(round_.to_move), playouts=1000, rng=7)

Rules and flags are those of OpenSpiel's ``hearts``; the players greedy, intelligent and literal are those of the
course project that this game comes from. A card is written suit first (``C2``, ``SQ``); ``2C`` is read too.
"""

from gamecore.hearts._batch import solve_iter, solve_many
from gamecore.hearts._players import BuiltIn, Player, PlayerError, player
from gamecore.hearts._position import Round, Trick, View
from gamecore.hearts._rules import Rules
from gamecore.hearts._evaluate import Evaluation, OpenMove, OpenSolution, evaluate_moves, solve
from gamecore.hearts._simulate import Match, Simulation, match, simulate

__all__ = [
    "BuiltIn",
    "Evaluation",
    "Match",
    "OpenMove",
    "OpenSolution",
    "Player",
    "PlayerError",
    "Round",
    "Rules",
    "Simulation",
    "Trick",
    "View",
    "evaluate_moves",
    "match",
    "player",
    "simulate",
    "solve",
    "solve_iter",
    "solve_many",
]
