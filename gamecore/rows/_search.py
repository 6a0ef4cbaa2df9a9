"""Search one row within limits: totals by move, lines of play, bounds."""

import math
import time
from collections.abc import Callable
from typing import Any, Final

import numpy as np

from gamecore.batch import workers
from gamecore.limits import Limits, limits_of
from gamecore.rows._kernel import kernel as _kernel
from gamecore.rows._numbers import Array, Number, adds_exactly, narrow, widest
from gamecore.rows._position import COOPERATIVE, GREEDY, LEFT, MODES, NAMES, OPPONENT, OPTIMAL, RIGHT, Position

_LETTERS: Final = b"LR" + bytes(254)
_SHORT: Final = 4096  # rows up to this length are solved too quickly to be stopped


class Search:
    """The limits and the work of one API call, shared by its kernel calls.

    Args:
        limits: limits on all kernel calls together; None: no limits.
        size: values of the row; kernel calls on short rows cannot be stopped.

    Attributes:
        nodes: nodes computed so far.
        cut_off: True if the last kernel call was stopped.
    """

    def __init__(self, limits: Limits | None, size: int) -> None:
        self.nodes = 0
        self.cut_off = False
        self.begun = time.perf_counter()
        self._seconds, self._limit, _ = limits_of(limits).for_kernel(0) if limits is not None else _NO_LIMITS
        self._stoppable = size > _SHORT

    def run(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """Call a kernel's function within the remaining limits; None if it was stopped."""
        seconds = self._seconds
        if seconds > 0:
            seconds = max(0.0, seconds - (time.perf_counter() - self.begun))
        left = self._limit - self.nodes if self._limit else 0
        if self._limit and left <= 0:
            self.cut_off = True
            return None
        control = _kernel.Control(seconds, left)
        if self._stoppable:
            with workers.stoppable(control.stop):
                result = function(*arguments, control=control)
        else:
            result = function(*arguments, control=control)
        self.nodes += control.nodes
        self.cut_off = control.stopped
        return result

    def seconds(self) -> float:
        """Return the time since the call began."""
        return time.perf_counter() - self.begun


_NO_LIMITS: Final = Limits().for_kernel(0)


# --- moves and lines -------------------------------------------------------------------------------------------------


def by_move(position: Position, search: Search, moves: memoryview | None = None) -> dict[str, Number]:
    """Return my total of the row after each legal move, as the kernels add it up; empty if the search was stopped.

    Args:
        position: a game that is not over.
        search: the limits.
        moves: an array of zeros to fill with a line of best play, 0 for left and 1 for right. The line is incomplete
            if ``search.cut_off``.
    """
    row, mode, is_theirs = position._row, MODES[position.opponent], position.to_move == OPPONENT
    if mode == OPTIMAL:
        return _optimal_moves(position, search, moves)
    if is_theirs and len(row) == 1:  # nothing is left for me
        return dict.fromkeys(position.legal_moves(), row.item(0) * 0)
    is_reversed = position.ties == "left"  # the kernel's greedy opponent takes the right end
    row = narrow(np.ascontiguousarray(row[::-1]) if is_reversed else row, position._bound)
    if not is_theirs:
        totals = _my_moves(row, mode, search, moves, is_reversed)
    elif mode == GREEDY:
        totals = _greedy_moves(row, search, moves, is_reversed)
    else:
        totals = _helping_moves(row, search, moves)
    if is_reversed:
        if moves is not None:
            moves[:] = bytes(1 - move for move in moves)
        totals = {RIGHT if move == LEFT else LEFT: mine for move, mine in reversed(totals.items())}
    return totals


def _optimal_moves(position: Position, search: Search, moves: memoryview | None) -> dict[str, Number]:
    """Return my total by move in the optimal game, by folding the rest."""
    row = position._row
    if moves is not None:
        _kernel.fold_line(widest(row), moves)
        moves[-1] = 0
    totals: dict[str, Number] = {}
    for move, end, rest in ((LEFT, row.item(0), row[1:]), (RIGHT, row.item(-1), row[:-1])):
        folded = search.run(_kernel.fold, rest)
        if folded is None:
            return {}
        totals[move] = position._my_part(end - folded[0])
    return totals


def _my_moves(row: Array, mode: int, search: Search, moves: memoryview | None, late: bool) -> dict[str, Number]:
    """Return my total by move in an O(n^2) game when I am to move; ``late``: ties of the line go right."""
    if moves is None:
        cells = search.run(_kernel.cells, mode, row, len(row) - 2, False)
    else:
        cells = search.run(_kernel.line, mode, late, row, moves)
    if cells is None:
        return {}
    n = len(row)
    ends = row.item(0), row.item(-1)
    if n == 1:
        return dict.fromkeys((LEFT, RIGHT), ends[0])

    def after(start: int) -> Any:
        """Return my total after the opponent's move on the n - 1 values from ``start``."""
        low, high = cells[start], cells[start + 1]
        if mode == GREEDY:
            return high if row[start] > row[start + n - 2] else low
        return max(low, high)

    return {LEFT: ends[0] + after(1), RIGHT: ends[1] + after(0)}


def _greedy_moves(row: Array, search: Search, moves: memoryview | None, late: bool) -> dict[str, Number]:
    """Return my total after the greedy opponent's move, which goes right on a tie."""
    takes_left = row[0] > row[-1]
    rest = row[1:] if takes_left else row[:-1]
    if moves is not None:
        moves[0] = not takes_left
    totals = _my_moves(rest, GREEDY, search, None if moves is None else moves[1:], late)
    return {LEFT if takes_left else RIGHT: max(totals.values())} if totals else {}


def _helping_moves(row: Array, search: Search, moves: memoryview | None) -> dict[str, Number]:
    """Return my total by move of the cooperative opponent, whose line goes left on a tie."""
    cells = search.run(_kernel.cells, COOPERATIVE, row, len(row) - 1, False)
    if cells is None:
        return {}
    if moves is not None:
        takes_right = cells[0] > cells[1]
        moves[0] = takes_right
        rest = row[:-1] if takes_right else row[1:]
        search.run(_kernel.line, COOPERATIVE, False, rest, moves[1:])
    return {LEFT: cells[1], RIGHT: cells[0]}


def line_of(position: Position, search: Search) -> tuple[memoryview, dict[str, Number]]:
    """Return a line of best play and the result of :func:`by_move`; the line is empty if the search was stopped."""
    moves = memoryview(bytearray(len(position._row)))
    totals = by_move(position, search, moves)
    return (moves[:0] if search.cut_off or not totals else moves), totals


def letters(moves: memoryview) -> str:
    """Write moves 0 and 1 as L and R."""
    return moves.tobytes().translate(_LETTERS).decode("ascii")


def totals_of_line(position: Position, moves: memoryview) -> tuple[Number, Number]:
    """Return both final totals of a line of play."""
    row = widest(position._row)
    taken = np.empty_like(row)
    _kernel.taken(row, moves, taken)
    mine, theirs = (taken[1::2], taken[0::2]) if position.to_move == OPPONENT else (taken[0::2], taken[1::2])
    if row.dtype.kind == "f":
        return math.fsum((position.mine, *mine.tolist())), math.fsum((position.theirs, *theirs.tolist()))
    return position.mine + mine.sum().item(), position.theirs + theirs.sum().item()


def totals_of(position: Position, search: Search) -> tuple[Number, Number]:
    """Return both final totals of a game that is not over, without limits."""
    if not adds_exactly(position._row, position._bound):
        return totals_of_line(position, line_of(position, search)[0])
    if position.opponent == NAMES[OPTIMAL]:
        return position._totals(position._my_part(search.run(_kernel.fold, position._row)[0]))
    return position._totals(max(by_move(position, search).values()))


def bounds_of(position: Position) -> tuple[Number, Number]:
    """Bound the value in linear time, without the O(n^2) table.

    My total is at most the sum of the largest values, one for each of my turns, and at least the sum of the smallest.
    Against greedy and cooperative opponents it is at least my total against the optimal one, found by folding.
    """
    row = widest(position._row)
    n = len(row)
    turns = n // 2 if position.to_move == OPPONENT else (n + 1) // 2
    ordered = np.sort(row)
    low, high = ordered[:turns].sum().item(), ordered[n - turns :].sum().item()
    if position.opponent != NAMES[OPTIMAL] and n:
        low = max(low, position._my_part(_kernel.fold_plain(row)))
    if row.dtype.kind == "f":  # sums may be rounded
        magnitude = float(position._bound) + abs(position.mine) + abs(position.theirs)
        slack = 4 * (n + 2) * float(np.finfo(np.float64).eps) * magnitude
        low, high = low - slack, high + slack
    ends = [position._difference(*position._totals(mine)) for mine in (low, high)]
    return min(ends), max(ends)
