"""Play one strategy against another; shuffled decks."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Final, Literal, TypeAlias

from gamecore.cards import ACE_HIGH, DECK_SIZE, shuffled_deck
from gamecore.contract import Result
from gamecore.kernels import rows as _kernel
from gamecore.rng import generator
from gamecore.rows._numbers import widest
from gamecore.rows._position import First, Position, Side, Ties, choose, of_values
from gamecore.rows._solve import letters, solve_position
from gamecore.text import checked_integer

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from gamecore.rng import Rng

Strategy: TypeAlias = Literal["greedy", "dp"]
_STRATEGIES: Final = {"greedy": "greedy", "dp": "dp"}
_SUITS: Final = DECK_SIZE // len(ACE_HIGH)
_MOST_DECKS: Final = 1 << 40  # more than any memory holds


@dataclass(frozen=True, slots=True)
class Play(Result):
    """A finished game.

    Attributes:
        mine, theirs: totals.
        line: all moves of both sides, L or R.
        first: the side that moved first, ``"me"`` or ``"opponent"``.
    """

    FIELDS: ClassVar[tuple[str, ...]] = ("mine", "theirs", "difference", "line", "first")

    mine: int
    theirs: int
    line: str
    first: Side

    @property
    def difference(self) -> int:
        """``mine - theirs``."""
        return self.mine - self.theirs


def play(
    values: "npt.ArrayLike",
    *,
    me: Strategy = "dp",
    opponent: Strategy = "greedy",
    first: First = "me",
    ties: Ties = "right",
) -> Play:
    """Play a row to its end, strategy against strategy (the source's play_game).

    ``"greedy"`` takes the larger end, on a tie the end that ``ties`` names. ``"dp"`` plays best against the other
    strategy: by the greedy table against greedy, by the optimal game against ``"dp"``.

    Raises:
        GamecoreError: a bad row, as for ``solve``.
        OptionError: an unknown name.
    """
    strategies = choose(_STRATEGIES, "me", me), choose(_STRATEGIES, "opponent", opponent)
    position = of_values(values, "greedy" if "greedy" in strategies else "optimal", first, ties)
    row, side = position._row, position.to_move
    is_swapped = strategies == ("greedy", "dp")  # the opponent is the solver's "me"
    if strategies == ("greedy", "greedy"):
        moves = memoryview(bytearray(len(row)))
        total = _kernel.greedy_line(widest(row), position.ties == "left", moves)
        moves[-1] = 0
        mine, line = total if side == "me" else position._total - total, letters(moves)
    else:
        solver_side = side if not is_swapped else "me" if side == "opponent" else "opponent"
        solution = solve_position(Position._unchecked(row, position.opponent, solver_side, position.ties), None, True)
        mine, line = (solution.theirs if is_swapped else solution.mine) or 0, solution.line
    return Play(mine, position._total - mine, line, side)


def deck(rng: "Rng" = None) -> "npt.NDArray[np.int64]":
    """Return a uniformly shuffled deck of 52 cards, 2 to 14, four of each. (The source's shuffle is not uniform.)

    Args:
        rng: see :func:`gamecore.rng.generator`.

    Raises:
        OptionError: a bad ``rng``.
    """
    return decks(1, rng).ravel().astype("i8")


def decks(count: int, rng: "Rng" = None) -> "npt.NDArray[np.int16]":
    """Return ``count`` shuffled decks as an int16 array of shape (count, 52).

    Raises:
        OptionError: a ``count`` below 0 or a bad ``rng``.
    """
    shuffled = shuffled_deck(generator(rng), checked_integer(count, "count", 0, _MOST_DECKS))
    return (shuffled // _SUITS + 2).astype("i2")  # of the cards' indices, ace high
