"""What the sources compute besides: n x n tables and their picture, strategy against strategy, shuffled decks."""

from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Final, Literal, TypeAlias, get_args

import numpy as np
import numpy.typing as npt

from gamecore.cards import ACE_HIGH, DECK_SIZE, shuffled_deck
from gamecore.contract import Result
from gamecore.errors import GamecoreError, OptionError
from gamecore.kernels import rows as _kernel
from gamecore.rng import generator
from gamecore.rows._position import First, Opponent, Position, Side, Ties, of_values
from gamecore.rows._solve import solve, solve_position
from gamecore.rows._values import Array
from gamecore.text import checked_integer, checked_word, printable

if TYPE_CHECKING:
    from gamecore.draw import Picture
    from gamecore.rng import Rng

Cell: TypeAlias = tuple[int, int]  # the values from i to j
MOST_VALUES: Final = 200  #: values of the longest row whose table is drawn
_LIMITS: Final = {np.dtype(np.int32): (1 << 31) - 1, np.dtype(np.int64): (1 << 63) - 1}  # of totals
Strategy: TypeAlias = Literal["greedy", "dp"]
_STRATEGIES: Final = get_args(Strategy)
_SUITS: Final = DECK_SIZE // len(ACE_HIGH)
_MOST_DECKS: Final = 1 << 40  # more than any memory holds


def table(
    values: npt.ArrayLike,
    *,
    opponent: Opponent = "optimal",
    ties: Ties = "right",
    dtype: npt.DTypeLike | None = None,
    out: Array | None = None,
) -> Array:
    """Return the n x n table of the sources: cell (i, j) is a total on the values from i to j; zero below the diagonal.

    ``"optimal"`` (*smart*): the total of the side to move. ``"greedy"`` (*Best*): my total when I am to move.
    ``"cooperative"`` (*dumb*): the largest total of the whole row's first player, or, if n - 1 - (j - i) is odd, the
    smallest total of the second player, who is to move in that cell.

    Args:
        values, opponent, ties: as for ``value``.
        dtype: int32 or int64, the default.
        out: a C-contiguous n x n array to fill and return; its dtype replaces ``dtype``. Reusing an array saves time.

    Raises:
        GamecoreError: a bad row, totals beyond the dtype, a table larger than memory (the message names its size).
        OptionError: a bad ``dtype`` or ``out``, an unknown name.
    """
    start = of_values(values, opponent, "me", ties)
    row, mode, n = start._row, start.rule.mode, len(start._row)
    asked = out.dtype if isinstance(out, np.ndarray) else dtype
    try:
        kind: np.dtype[np.generic] = np.dtype(np.int64 if asked is None else asked)
    except (TypeError, ValueError):
        raise OptionError(f"dtype: {printable(dtype)} is not a type") from None
    if kind not in _LIMITS:
        raise OptionError(f"dtype must be int32 or int64, not {kind}", "dtype")
    if start._bound > _LIMITS[kind]:
        raise GamecoreError(f"values: totals may reach {start._bound}, beyond {kind}")
    if out is None:
        try:
            out = np.empty((n, n), kind)
        except MemoryError:
            size = f"{n * n * kind.itemsize / 1e9:.3g} GB"
            what = f"a table of {n} x {n} {kind} takes {size}, more than the free memory"
            raise GamecoreError(f"values: {what}") from None
    elif not isinstance(out, np.ndarray) or out.shape != (n, n) or not out.flags.carray:
        raise OptionError(f"out must be a writable, aligned, C-contiguous array of shape ({n}, {n})", "out")
    if start.ties == "right":
        _kernel.table(mode, np.ascontiguousarray(row, kind), out)
    else:  # the kernel's greedy opponent takes the right end
        out[...] = table(row[::-1], opponent=opponent, dtype=kind)[::-1, ::-1].T
    return out


def table_picture(
    values: npt.ArrayLike, *, opponent: Opponent = "optimal", ties: Ties = "right", diagonals: int | None = None
) -> "Picture":
    """Return a picture of :func:`table`, with the line of play when I go first.

    Marked cells are the intervals that the line leaves to me: each is the value that I take there plus the marked cell
    after it. From a marked cell two arrows lead to the cells that it used: what is left after either move of mine and
    the opponent's answer. The numbers on the right are the order in which the diagonals are filled.

    Args:
        values: a row of 1 to 200 values.
        opponent, ties: as for ``value``.
        diagonals: show the table when so many of its diagonals have been filled; None: all.

    Raises:
        OptionError: more than 200 values, an unknown name, bad ``diagonals``. GamecoreError: a bad row.
    """
    from gamecore.draw.triangle import triangle

    start = Position(values, opponent, ties=ties)
    n = len(start.values)
    if n > MOST_VALUES:
        raise OptionError(f"values: a table is drawn for at most {MOST_VALUES} values, not {n}")
    filled = n if diagonals is None else checked_integer(diagonals, "diagonals", 1, n)
    rows = enumerate(table(values, opponent=opponent, ties=ties).tolist())
    cells = [[str(total) if j - i < filled else "" for j, total in enumerate(row)] for i, row in rows]
    solution = solve(start)
    marked, arrows = _line_of_cells(start, solution.line)
    marked = [(i, j) for i, j in marked if j - i < filled]
    arrows = [arrow for arrow in arrows if arrow[0] in marked]
    captions = (
        f"{start.opponent} opponent, I go first: I take {solution.mine}, the opponent {solution.theirs}",
        start.rule.cell,
        "Marked are my turns: the value that I take plus the next marked cell.",
    )
    return triangle(list(map(str, start.values)), cells, marked, arrows, captions)


def _line_of_cells(start: Position, line: str) -> tuple[list[Cell], list[tuple[Cell, Cell, bool]]]:
    """Return the cells of my turns along a line of play, and the arrows to the cells that they used."""
    i, j = 0, len(start.values) - 1
    marked: list[Cell] = []
    arrows: list[tuple[Cell, Cell, bool]] = []
    while i <= j:
        marked.append((i, j))
        part = Position(start.values[i : j + 1], start.opponent, ties=start.ties)  # type: ignore[arg-type]
        played = line[2 * len(marked) - 2 : 2 * len(marked)]
        for move in part.legal_moves():
            is_played = move == played[0]
            moves = played if is_played else move + solve(part.play(move)).line[:1]
            after = i + moves.count("L"), j - moves.count("R")
            if after[0] <= after[1]:
                arrows.append((marked[-1], after, is_played))
        i, j = i + played.count("L"), j - played.count("R")
    return marked, arrows


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
    values: npt.ArrayLike,
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
    strategies = checked_word(me, "me", _STRATEGIES), checked_word(opponent, "opponent", _STRATEGIES)
    position = of_values(values, "greedy" if "greedy" in strategies else "optimal", first, ties)
    row, side = position._row, position.to_move
    is_swapped = strategies == ("greedy", "dp")  # the opponent is the solver's "me"
    if strategies == ("greedy", "greedy"):
        line, left, taken = "", deque(position.values), [0, 0]
        while left:
            is_left = len(left) == 1 or left[0] > left[-1] or (left[0] == left[-1] and position.ties == "left")
            taken[len(line) % 2] += left.popleft() if is_left else left.pop()
            line += "L" if is_left else "R"
        mine = taken[side != "me"]
    else:
        solver_side = side if not is_swapped else "me" if side == "opponent" else "opponent"
        solution = solve_position(Position._unchecked(row, position.opponent, solver_side, position.ties), None, True)
        mine, line = (solution.theirs if is_swapped else solution.mine) or 0, solution.line
    return Play(mine, position._total - mine, line, side)


def deck(rng: "Rng" = None) -> npt.NDArray[np.int64]:
    """Return a uniformly shuffled deck of 52 cards, 2 to 14, four of each. (The source's shuffle is not uniform.)

    Args:
        rng: see :func:`gamecore.rng.generator`.

    Raises:
        OptionError: a bad ``rng``.
    """
    return decks(1, rng).ravel().astype("i8")


def decks(count: int, rng: "Rng" = None) -> npt.NDArray[np.int16]:
    """Return ``count`` shuffled decks as an int16 array of shape (count, 52).

    Raises:
        OptionError: a ``count`` below 0 or a bad ``rng``.
    """
    shuffled = shuffled_deck(generator(rng), checked_integer(count, "count", 0, _MOST_DECKS))
    return (shuffled // _SUITS + 2).astype("i2")  # of the cards' indices, ace high
