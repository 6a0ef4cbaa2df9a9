"""Search one row within limits: my totals by move, lines of play, bounds."""

import time
from collections.abc import Callable
from typing import Any, Final

import numpy as np

from gamecore.batch import workers
from gamecore.kernels import rows as _kernel
from gamecore.limits import Limits, limits_of
from gamecore.rows._numbers import narrow, widest
from gamecore.rows._position import Position, greedy_move

_LETTERS: Final = b"LR" + bytes(254)
_SHORT: Final = 4096  # rows up to this length are solved too quickly to be stopped
_NO_LIMITS: Final = Limits().for_kernel(0)


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
        self._begun = time.perf_counter()
        self._seconds, self._limit, _ = _NO_LIMITS if limits is None else limits_of(limits).for_kernel(0)
        self._stoppable = size > _SHORT

    def run(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """Call a kernel's function within the remaining limits; None if it was stopped."""
        seconds = max(0.0, self._seconds - self.seconds()) if self._seconds > 0 else self._seconds
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
        return time.perf_counter() - self._begun


def by_move(position: Position, search: Search, moves: memoryview | None = None) -> dict[str, int]:
    """Return my total of the row after each legal move; empty if the search was stopped, or the game is over.

    ``moves``: zeros to fill with a line of best play, 1 for right; it is incomplete if ``search.cut_off``.
    """
    row, rule = position._row, position.rule
    if search.cut_off or not len(row):
        return {}
    if rule.folds:
        return _by_folding(position, search, moves)
    if position.to_move == "me":
        return _my_moves(position, search, moves)
    if len(row) == 1:  # nothing is left for me
        return dict.fromkeys(position.legal_moves(), 0)
    if rule.is_forced:
        move = greedy_move(position)
        if moves is not None:
            moves[0] = move == "R"
        replies = _my_moves(position.play(move), search, None if moves is None else moves[1:])
        return {move: max(replies.values())} if replies else {}
    if not rule.helps:
        raise rule.unknown("search")
    row = narrow(row, position._bound)
    cells = search.run(_kernel.cells, rule.mode, row, len(row) - 1, False)
    if cells is None:
        return {}
    if moves is not None:
        moves[0] = cells[0] > cells[1]
        search.run(_kernel.line, rule.mode, False, row[:-1] if moves[0] else row[1:], moves[1:])
    return {"L": cells[1], "R": cells[0]}


def _by_folding(position: Position, search: Search, moves: memoryview | None) -> dict[str, int]:
    row = position._row
    if moves is not None:
        _kernel.fold_line(widest(row), moves)
        moves[-1] = 0
    totals: dict[str, int] = {}
    for move, end, rest in (("L", row.item(0), row[1:]), ("R", row.item(-1), row[:-1])):
        folded = search.run(_kernel.fold, rest)
        if folded is None:
            return {}
        totals[move] = position._my_part(end - folded[0])
    return totals


def _my_moves(position: Position, search: Search, moves: memoryview | None) -> dict[str, int]:
    """Return my total by move in an O(n^2) game when I am to move."""
    is_left = position.ties == "left"  # the kernel's greedy opponent takes the right end: it is given the reversed row
    row, rule = narrow(position._row[:: -1 if is_left else 1], position._bound), position.rule
    n, mode = len(row), rule.mode
    if moves is None:
        cells = search.run(_kernel.cells, mode, row, n - 2, False)
    else:
        cells = search.run(_kernel.line, mode, is_left, row, moves)
    if cells is None:
        return {}
    if is_left and moves is not None:
        moves[:] = bytes(1 - move for move in moves)
    if n == 1:
        return dict.fromkeys(("L", "R"), row.item(0))
    # My totals after both moves: the opponent moves on the values from 1 to n - 1, or from 0 to n - 2.
    if rule.is_forced:
        after = [cells[start + 1] if row[start] > row[start + n - 2] else cells[start] for start in (1, 0)]
    elif rule.helps:
        after = [max(cells[start], cells[start + 1]) for start in (1, 0)]
    else:
        raise rule.unknown("search")
    totals = [row.item(0) + after[0], row.item(-1) + after[1]]
    return {"L": totals[is_left], "R": totals[not is_left]}


def best_total(position: Position, totals: dict[str, int]) -> int:
    """Return my total after a best move; ``totals``: of :func:`by_move`."""
    choose = min if position.to_move == "opponent" and position.rule.folds else max
    return choose(totals.values())


def total_of(position: Position, search: Search) -> int:
    """Return my total of a row that is not empty, without limits."""
    if position.rule.folds:  # one folding instead of two
        return position._my_part(search.run(_kernel.fold, position._row)[0])
    return max(by_move(position, search).values())


def letters(moves: memoryview) -> str:
    """Write moves 0 and 1 as L and R."""
    return moves.tobytes().translate(_LETTERS).decode("ascii")


def bounds_of(position: Position) -> tuple[int, int]:
    """Bound my total of the row in linear time, without the O(n^2) table.

    It is at most the sum of the largest values, one for each of my turns, and at least the sum of the smallest.
    Against any opponent it is at least my total against the optimal one, found by folding.
    """
    row = widest(position._row)
    n = len(row)
    turns = n // 2 if position.to_move == "opponent" else (n + 1) // 2
    ordered = np.sort(row)
    low, high = ordered[:turns].sum().item(), ordered[n - turns :].sum().item()
    if n and not position.rule.folds:
        low = max(low, position._my_part(_kernel.fold_plain(row)))
    return low, high
