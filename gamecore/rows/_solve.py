"""One row: its value, who takes what, the line of play, the table."""

import os
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Literal

import numpy as np
import numpy.typing as npt

from gamecore.text import printable
from gamecore.errors import GamecoreError, OptionError
from gamecore.rows._input import (
    COOPERATIVE,
    GREEDY,
    MODES,
    NAMES,
    OPTIMAL,
    SIDES,
    TIES,
    Array,
    Move,
    Opponent,
    Side,
    Ties,
    bound_of,
    choose,
    kernel,
    narrow,
    numbers,
    total_of,
    widest,
)

if TYPE_CHECKING:
    from gamecore.draw import Picture

_BOTH: tuple[Move, ...] = ("left", "right")
_SHOWN: Final = 64  #: rows up to this length stay with their solution, for its picture
SURE = 2.0**62  #: bounds below this prove, rounding included, that totals fit int64
_OF = ("difference", "mine", "theirs")


@dataclass(frozen=True, slots=True)
class Outcome:
    """What both sides take.

    Attributes:
        mine, theirs: totals; int for integer rows, float otherwise.
    """

    mine: int | float
    theirs: int | float

    @property
    def difference(self) -> int | float:
        """``mine - theirs``."""
        return self.mine - self.theirs


@dataclass(frozen=True, slots=True)
class RowSolution(Outcome):
    """A solved row.

    Attributes:
        mine, theirs: totals of best play.
        best_moves: all my best first moves, of ``"left"`` and ``"right"``: at the start, or after the opponent's
            first move in ``line`` when the opponent goes first; both for a last value, none when nothing is left.
        line: best play from the start to the end, one letter L or R a value taken, both sides'; free choices between
            equals go left (in the optimal game: between equal ends of the folded row), and so does
            the last value. Empty when it was not asked for.
        opponent, first: the game that was solved, ``"optimal"``, ``"cooperative"`` or ``"greedy"``; ``"me"`` or
            ``"opponent"``.
        values: the row itself if it has at most 64 values and a line was asked for, else empty; equality ignores it.
    """

    best_moves: tuple[Move, ...]
    line: str
    opponent: str
    first: str
    values: tuple[int | float, ...] = field(default=(), repr=False, compare=False)

    def picture(self, values: npt.ArrayLike | None = None) -> "Picture":
        """The row with who takes what, and when: see :func:`gamecore.draw.rows`.

        Args:
            values: the row, where it is not kept in ``values``.

        Raises:
            OptionError: no line was asked for, the row is needed and not given, or has another length.
        """
        from gamecore import draw

        if values is None and not self.values:
            raise OptionError("values: give the row; a solution keeps at most 64 values, and none without a line")
        return draw.rows(self.values if values is None else np.asarray(values).tolist(), self)

    def draw(self, values: npt.ArrayLike | None = None, *, color: bool | None = None) -> str:
        """The same as text, by default coloured if stdout is a terminal that has colours.

        Raises:
            OptionError: as for :meth:`picture`.
        """
        return self.picture(values).text(color=color)

    def _repr_svg_(self) -> str | None:
        """The picture, for notebooks; None (they show the repr) for a row that was not kept."""
        return self.picture().svg if self.values else None


@dataclass(frozen=True, slots=True)
class MoveOutcome(Outcome):
    """One of my two first moves, and what both sides take in the end after it.

    Attributes:
        move: ``"left"`` or ``"right"``.
        mine, theirs: totals.
    """

    move: Move


@dataclass(frozen=True, slots=True)
class Start:
    """Whether to go first, with both outcomes.

    Attributes:
        starter: ``"me"`` or ``"opponent"``; ``"me"`` when it makes no difference (the source leaves that open).
        me_first, opponent_first: what happens either way.
    """

    starter: str
    me_first: Outcome
    opponent_first: Outcome

    @property
    def let_opponent_start(self) -> bool:
        """The source's LET_SISTER_GO_FIRST."""
        return self.starter == "opponent"


def value(
    values: npt.ArrayLike,
    *,
    opponent: Opponent = "optimal",
    first: Side = "me",
    ties: Ties = "right",
    of: Literal["difference", "mine", "theirs"] = "difference",
) -> int | float:
    """The difference (mine - theirs) or one total alone: the fast path.

    Args:
        values: one row, list or array, integers or floats.
        opponent: ``"optimal"`` (O(n), by folding), ``"greedy"`` or ``"cooperative"`` (O(n^2) time, O(n) memory).
        first: who takes first, ``"me"`` or ``"opponent"`` (alias ``"sister"``).
        ties: the end that a greedy opponent takes on a tie.
        of: ``"difference"``, ``"mine"`` or ``"theirs"``.

    Raises:
        GamecoreError: an empty row, not numbers, NaN or infinity, more than one dimension, totals beyond int64.
        OptionError: an unknown name.
    """
    mode: int = choose(MODES, "opponent", opponent)
    last: bool = choose(SIDES, "first", first)
    left: bool = choose(TIES, "ties", ties)
    if of not in _OF:
        raise OptionError(f"of has to be one of {_OF}, not {printable(of)}")
    given: object = values
    if type(given) is list:
        totals = kernel.quick(given, mode, last, left)
        if totals is not None:
            mine, theirs = totals
            return mine - theirs if of == "difference" else mine if of == "mine" else theirs
    row = numbers(values)
    if mode == OPTIMAL and of == "difference" and row.dtype.kind == "i":
        difference, bound = kernel.fold(row)  # one pass over the row, its range included
        if bound >= SURE:
            bound_of(row)
        return int(-difference if last else difference)
    result = outcome(row, bound_of(row), mode, last, left)
    number: int | float = getattr(result, of)
    return number


def outcome(row: Array, bound: int | float, mode: int, last: bool, left: bool) -> Outcome:
    """Totals of a checked row; ``last``: the opponent goes first; ``left``: ties go left."""
    total = total_of(row)
    if mode == OPTIMAL:
        difference = kernel.fold(row)[0]
        return _split(total, -difference if last else difference)
    row = narrow(_oriented(row, mode, left), bound)
    n = len(row)
    mine: int | float
    if not last:
        mine = kernel.cells(mode, row, n)[0]
    elif mode == GREEDY:
        row = _after_greedy(row)[1]
        mine = kernel.cells(mode, row, n - 1)[0] if n > 1 else 0
    else:
        mine = max(kernel.cells(mode, row, n - 1))
    return Outcome(mine, total - mine)


def _split(total: int | float, difference: int | float) -> Outcome:
    if isinstance(total, int) and isinstance(difference, int):
        return Outcome((total + difference) // 2, (total - difference) // 2)
    return Outcome((total + difference) / 2, (total - difference) / 2)


def _oriented(row: Array, mode: int, left: bool) -> Array:
    """The kernel's greedy opponent takes right on ties: for ties to the left the row is turned round."""
    return np.ascontiguousarray(row[::-1]) if left and mode == GREEDY else row


def _after_greedy(row: Array) -> tuple[int, Array]:
    """The greedy opponent's move (0 left, 1 right on a tie) and what it leaves."""
    return (0, row[1:]) if row[0] > row[-1] else (1, row[:-1])


def solve(
    values: npt.ArrayLike,
    *,
    opponent: Opponent = "optimal",
    first: Side = "me",
    ties: Ties = "right",
    line: bool = True,
) -> RowSolution:
    """Solve a row: totals, my best first moves, and a whole line of best play.

    Args:
        values, opponent, first, ties: as for ``value``.
        line: False leaves the line out. Its cost beside the value is small: O(n) memory in every game.

    Raises:
        GamecoreError: an empty row, not numbers, NaN or infinity, more than one dimension, totals beyond int64.
        OptionError: an unknown name.

    The line of the O(n^2) games is replayed from checkpoints of the pass over the triangle; for ``optimal`` it is
    read off the folded row.
    """
    mode: int = choose(MODES, "opponent", opponent)
    last: bool = choose(SIDES, "first", first)
    left: bool = choose(TIES, "ties", ties)
    row = numbers(values)
    bound = bound_of(row)
    names = (NAMES[mode], "opponent" if last else "me")
    kept = tuple(row.tolist()) if line and len(row) <= _SHOWN else ()
    if mode == OPTIMAL:
        return _solve_optimal(widest(row), last, line, names, kept)
    turned = left and mode == GREEDY
    row = narrow(_oriented(row, mode, left), bound)
    n = len(row)
    opening: list[int] = []
    rest = row
    if last:
        move = _after_greedy(row)[0] if mode == GREEDY else _helping_move(row)
        opening = [move]
        rest = row[:-1] if move else row[1:]
    mine: int | float = 0 if bound.__class__ is int else 0.0
    best: tuple[Move, ...] = ()
    moves = np.empty(n, dtype=np.uint8)
    moves[: len(opening)] = opening
    if len(rest):
        tail = moves[len(opening) :]
        cells = kernel.line(mode, turned, rest, tail) if line else kernel.cells(mode, rest, len(rest) - 2)
        mine, best = _first_step(mode, rest, cells)
    elif turned:
        moves[0] = 1  # the last value counts as taken from the left
    if turned:
        moves ^= 1
        best = tuple(m for m in _BOTH if ("right" if m == "left" else "left") in best)
    text = _letters(moves) if line else ""
    return RowSolution(mine, total_of(row) - mine, best, text, *names, kept)


def _helping_move(row: Array) -> int:
    """The cooperative opponent's first move, left on a tie."""
    if len(row) == 1:
        return 0
    after_right, after_left = kernel.cells(COOPERATIVE, row, len(row) - 1)
    return int(after_right > after_left)


def _first_step(mode: int, row: Array, cells: list[Any]) -> tuple[int | float, tuple[Move, ...]]:
    """My total and best moves on ``row``, from the cells of the intervals of n - 2 values."""
    totals = _move_totals(mode, row, cells)
    best = max(totals)
    return best, tuple(move for move, total in zip(_BOTH, totals, strict=True) if total == best)


def _move_totals(mode: int, row: Array, cells: list[Any]) -> tuple[int | float, int | float]:
    """My totals after taking the left and the right end."""
    n = len(row)
    ends = row[0].item(), row[-1].item()
    if n == 1:
        return ends

    def after(start: int) -> Any:
        """My total once the opponent has moved on the n - 1 values from ``start``."""
        low, high = cells[start], cells[start + 1]
        if mode == GREEDY:
            return high if row[start] > row[start + n - 2] else low
        return max(low, high)

    return ends[0] + after(1), ends[1] + after(0)


def _solve_optimal(
    row: Array, last: bool, line: bool, names: tuple[str, str], kept: tuple[int | float, ...]
) -> RowSolution:
    difference = kernel.fold(row)[0]
    result = _split(total_of(row), -difference if last else difference)
    moves = np.empty(len(row), dtype=np.uint8)
    if line or last:
        kernel.fold_line(row, moves)
        moves[-1] = 0
    rest = row
    if last:
        rest = row[:-1] if moves[0] else row[1:]
    best: tuple[Move, ...] = ()
    if len(rest):
        after = _fold_moves(rest)
        best = tuple(move for move, total in zip(_BOTH, after, strict=True) if total == max(after))
    return RowSolution(result.mine, result.theirs, best, _letters(moves) if line else "", *names, kept)


def _fold_moves(row: Array) -> tuple[int | float, int | float]:
    """The differences after taking the left and the right end, by two folds."""
    return row[0].item() - kernel.fold(row[1:])[0], row[-1].item() - kernel.fold(row[:-1])[0]


def _letters(moves: Array) -> str:
    """Moves 0 and 1 as L and R."""
    return np.where(moves, np.uint8(ord("R")), np.uint8(ord("L"))).tobytes().decode("ascii")


def analyse(
    values: npt.ArrayLike, *, opponent: Opponent = "optimal", ties: Ties = "right"
) -> tuple[MoveOutcome, MoveOutcome]:
    """What each of my two first moves leads to, left before right; I go first.

    Raises:
        GamecoreError: as for ``solve``.
        OptionError: an unknown name.
    """
    mode: int = choose(MODES, "opponent", opponent)
    turned: bool = choose(TIES, "ties", ties) and mode == GREEDY
    row = numbers(values)
    bound = bound_of(row)
    total = total_of(row)
    if mode == OPTIMAL:
        left, right = (_split(total, difference) for difference in _fold_moves(widest(row)))
        return MoveOutcome(left.mine, left.theirs, "left"), MoveOutcome(right.mine, right.theirs, "right")
    row = narrow(_oriented(row, mode, turned), bound)
    mine = _move_totals(mode, row, kernel.cells(mode, row, len(row) - 2))
    if turned:
        mine = mine[1], mine[0]
    return MoveOutcome(mine[0], total - mine[0], "left"), MoveOutcome(mine[1], total - mine[1], "right")


def who_should_start(values: npt.ArrayLike, *, opponent: Opponent = "greedy", ties: Ties = "right") -> Start:
    """Should I go first or let the opponent? The source's LET_SISTER_GO_FIRST, with both outcomes.

    Raises:
        GamecoreError: as for ``solve``.
        OptionError: an unknown name.
    """
    mode: int = choose(MODES, "opponent", opponent)
    left: bool = choose(TIES, "ties", ties)
    row = numbers(values)
    bound = bound_of(row)
    me = outcome(row, bound, mode, False, left)
    other = outcome(row, bound, mode, True, left)
    return Start("opponent" if other.mine > me.mine else "me", me, other)


def table(
    values: npt.ArrayLike,
    *,
    opponent: Opponent = "optimal",
    ties: Ties = "right",
    dtype: npt.DTypeLike | None = None,
    out: Array | None = None,
) -> Array:
    """The n x n table of the sources: cell (i, j), i <= j, speaks of the interval from i to j; zero below the diagonal.

    ``"optimal"`` (*smart*): what the side to move takes. ``"greedy"`` (*Best*): what I take, with me to move.
    ``"cooperative"`` (*dumb*): what the first player of the whole row takes, or, in cells where n - 1 - (j - i) is odd,
    the smallest total of the second player who is to move there.

    Args:
        values, opponent, ties: as for ``value``.
        dtype: int32, int64 or float64; default int64 for integers, float64 for floats.
        out: a C-contiguous n x n array to be filled and returned (its dtype counts); a warm array saves much time.

    Raises:
        GamecoreError: a bad row, totals beyond the dtype, a table larger than memory (the message says how large).
        OptionError: a bad dtype or ``out``, an unknown name.
    """
    mode: int = choose(MODES, "opponent", opponent)
    turned: bool = choose(TIES, "ties", ties) and mode == GREEDY
    row = numbers(values)
    bound = bound_of(row)
    n = len(row)
    kind = _table_dtype(row, bound, out.dtype if isinstance(out, np.ndarray) else dtype)
    if out is None:
        out = _new_table(n, kind)
    elif not isinstance(out, np.ndarray) or out.shape != (n, n) or not out.flags.carray:
        raise OptionError(f"out has to be a writable, aligned, C-contiguous array of shape ({n}, {n})")
    work = _new_table(n, kind) if turned else out
    kernel.table(mode, _oriented(row, mode, turned).astype(kind, copy=False), work)
    if turned:
        out[...] = work[::-1, ::-1].T
    return out


def _table_dtype(row: Array, bound: int | float, dtype: npt.DTypeLike | None) -> np.dtype[Any]:
    whole = row.dtype.kind != "f"
    try:
        kind = np.dtype(dtype if dtype is not None else np.int64 if whole else np.float64)
    except TypeError:
        raise OptionError(f"dtype: {printable(dtype)} is not a type") from None
    allowed = (np.dtype(np.int32), np.dtype(np.int64), np.dtype(np.float64)) if whole else (np.dtype(np.float64),)
    if kind not in allowed:
        raise OptionError(f"dtype has to be one of {', '.join(map(str, allowed))} for this row, not {kind}")
    limit = {"i4": (1 << 31) - 1, "i8": (1 << 63) - 1, "f8": 1 << 53}[kind.str[1:]]
    if whole and bound > limit:
        raise GamecoreError(f"values: totals may reach {bound}, beyond {kind}")
    return kind


def _new_table(n: int, kind: np.dtype[Any]) -> Array:
    size = n * n * kind.itemsize
    text = f"a table of {n} x {n} {kind} takes {size / 1e9:.3g} GB"
    try:
        free = os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (ValueError, OSError, AttributeError):
        free = size  # not known here: let the allocation decide
    if size > free:
        raise GamecoreError(f"values: {text}; only {free / 1e9:.3g} GB of memory are free")
    try:
        return np.empty((n, n), dtype=kind)
    except MemoryError:
        raise GamecoreError(f"values: {text}, more than there is") from None
