"""Estimates of moves whose outcome is not proven: the share of random playouts that each of them wins."""

import time
from typing import Any, Final

from gamecore.apps.explore._searches import Search
from gamecore.game import Game, random_move
from gamecore.limits import Limits
from gamecore.rng import generator

_PLAYOUTS: Final = 1000  # of each move
_PLIES: Final = 500  # of a playout; a longer one counts as a draw, for a game with cycles may have no end
_LIMITS: Final = Limits()


class Estimates:
    """Playouts of every move of a position, in portions.

    Args:
        game: of two sides. position: not over.
    """

    def __init__(self, game: Game, position: Any) -> None:
        self._game, self._position = game, position
        self._rng = generator(0)
        self._won = dict.fromkeys(position.legal_moves(), 0.0)
        self.playouts = 0  # of each move

    def add(self, search: Search, seconds: float) -> bool:
        """Play for some time. Return True if there are more playouts than before."""
        before, deadline = self.playouts, time.perf_counter() + seconds
        while self.playouts < _PLAYOUTS and time.perf_counter() < deadline and not search.stopped:
            for move in self._won:
                self._won[move] += self._playout(move)
            self.playouts += 1
        return self.playouts > before

    @property
    def shares(self) -> dict[str, float]:
        """The share of playouts that each move won; a draw counts a half."""
        return {move: won / self.playouts for move, won in self._won.items()}

    def _playout(self, move: str) -> float:
        end = self._position.play(move)
        for _ in range(_PLIES):
            if end.is_over:
                break
            end = end.play(random_move(end, _LIMITS, self._rng).move)
        else:
            return 0.5
        value = self._game.words.order(self._game.solve(end), end)[0]
        if end.to_move != self._position.to_move:
            value = -value
        return 1.0 if value > 0 else 0.5 if value == 0 else 0.0
