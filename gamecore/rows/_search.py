"""Search one row within limits: totals by move, lines of play, bounds."""

import math
import time
from collections.abc import Callable
from typing import Any, Final, NamedTuple

import numpy as np

from gamecore.batch import workers
from gamecore.errors import OptionError
from gamecore.limits import Limits, limits_of
from gamecore.rows._input import (
    COOPERATIVE,
    GREEDY,
    LEFT,
    ME,
    OPPONENT,
    OPTIMAL,
    RIGHT,
    Array,
    Number,
    Rules,
    Side,
    adds_exactly,
    narrow,
    numbers,
    rules_of,
    sums_of,
    widest,
)
from gamecore.rows._kernel import kernel as _kernel
from gamecore.rows._position import Position
from gamecore.rows._results import Outcome
from gamecore.text import printable

_SHORT: Final = 4096  # rows up to this length are solved too quickly to be stopped


class Task(NamedTuple):
    """A row to solve.

    Attributes:
        row: the remaining values, from :func:`numbers`; empty if the game is over.
        bound, total: the sum of absolute values, and the sum (:func:`sums_of`).
        rules: the game.
        mine, theirs: the totals so far.
    """

    row: Array
    bound: Number
    total: Number
    rules: Rules
    mine: Number = 0
    theirs: Number = 0

    @property
    def to_move(self) -> Side:
        """The side to move."""
        return OPPONENT if self.rules.opponent_first else ME

    def value(self, mine: Number, theirs: Number) -> Number:
        """Return the difference of the totals for the side to move."""
        return theirs - mine if self.rules.opponent_first else mine - theirs

    def my_part(self, value: Number) -> Number:
        """Return my total of the row if the side to move takes ``value`` more of it than the other."""
        twice = self.total - value if self.rules.opponent_first else self.total + value
        return twice / 2 if isinstance(twice, float) else twice // 2


def task_of(position: Any, opponent: object, first: object, ties: object) -> Task:
    """Make a task from a position, its text, or values with options."""
    if isinstance(position, str):
        position = Position.from_text(position)
    if isinstance(position, Position):
        for name, option in (("opponent", opponent), ("first", first), ("ties", ties)):
            if option is not None:
                raise OptionError(f"{name} is {printable(option)}: a position says that itself")
        row = np.array(position.values, np.float64 if isinstance(position.mine, float) else np.int64)
        return Task(row, *(_kernel.sums(row) if len(row) else (0, 0)), position.rules, position.mine, position.theirs)
    row = numbers(position)
    return Task(row, *sums_of(row), rules_of(opponent or "optimal", first or ME, ties or "right"))


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


def outcome(task: Task) -> Outcome:
    """Return the totals of a row that is not empty, without the totals so far."""
    search = Search(None, len(task.row))
    if not adds_exactly(task.row, task.bound):
        return Outcome(*totals_of_line(task, line_of(task, search)[0]))
    if task.rules.mode == OPTIMAL:
        mine = task.my_part(search.run(_kernel.fold, task.row)[0])
    else:
        mine = max(by_move(task, search).values())
    return Outcome(mine, task.total - mine)


# --- moves and lines -------------------------------------------------------------------------------------------------


def by_move(task: Task, search: Search, moves: memoryview | None = None) -> dict[str, Number]:
    """Return my total of the row after each legal move, as the kernels add it up; empty if the search was stopped.

    Args:
        task: a row that is not empty.
        search: the limits.
        moves: an array of zeros to fill with a line of best play, 0 for left and 1 for right. The line is incomplete
            if ``search.cut_off``.
    """
    rules = task.rules
    if rules.mode == OPTIMAL:
        return _by_move_optimal(task, search, moves)
    if rules.opponent_first and len(task.row) == 1:  # nothing is left for me
        return dict.fromkeys(rules.legal_moves(task.row), task.row.item(0) * 0)
    row = narrow(np.ascontiguousarray(task.row[::-1]) if rules.turned else task.row, task.bound)
    if not rules.opponent_first:
        totals = _my_moves(row, rules, search, moves)
    elif rules.mode == GREEDY:
        totals = _greedy_moves(row, rules, search, moves)
    else:
        totals = _helping_moves(row, rules, search, moves)
    if rules.turned:
        if moves is not None:
            moves[:] = bytes(1 - move for move in moves)
        totals = {RIGHT if move == LEFT else LEFT: mine for move, mine in reversed(totals.items())}
    return totals


def _by_move_optimal(task: Task, search: Search, moves: memoryview | None) -> dict[str, Number]:
    row = task.row
    if moves is not None:
        _kernel.fold_line(widest(row), moves)
        moves[-1] = 0
    totals: dict[str, Number] = {}
    for move, end, rest in ((LEFT, row.item(0), row[1:]), (RIGHT, row.item(-1), row[:-1])):
        folded = search.run(_kernel.fold, rest)
        if folded is None:
            return {}
        totals[move] = task.my_part(end - folded[0])
    return totals


def _my_moves(row: Array, rules: Rules, search: Search, moves: memoryview | None) -> dict[str, Number]:
    """Return my total by move in an O(n^2) game when I am to move."""
    if moves is None:
        cells = search.run(_kernel.cells, rules.mode, row, len(row) - 2, False)
    else:
        cells = search.run(_kernel.line, rules.mode, rules.turned, row, moves)
    if cells is None:
        return {}
    n = len(row)
    ends = row.item(0), row.item(-1)
    if n == 1:
        return dict.fromkeys((LEFT, RIGHT), ends[0])

    def after(start: int) -> Any:
        """Return my total after the opponent's move on the n - 1 values from ``start``."""
        low, high = cells[start], cells[start + 1]
        if rules.mode == GREEDY:
            return high if row[start] > row[start + n - 2] else low
        return max(low, high)

    return {LEFT: ends[0] + after(1), RIGHT: ends[1] + after(0)}


def _greedy_moves(row: Array, rules: Rules, search: Search, moves: memoryview | None) -> dict[str, Number]:
    """Return my total after the greedy opponent's move, which goes right on a tie."""
    takes_left = row[0] > row[-1]
    rest = row[1:] if takes_left else row[:-1]
    if moves is not None:
        moves[0] = not takes_left
    totals = _my_moves(rest, rules, search, None if moves is None else moves[1:])
    return {LEFT if takes_left else RIGHT: max(totals.values())} if totals else {}


def _helping_moves(row: Array, rules: Rules, search: Search, moves: memoryview | None) -> dict[str, Number]:
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


def line_of(task: Task, search: Search) -> tuple[memoryview, dict[str, Number]]:
    """Return a line of best play and the result of :func:`by_move`; the line is empty if the search was stopped."""
    moves = memoryview(bytearray(len(task.row)))
    totals = by_move(task, search, moves)
    return (moves[:0] if search.cut_off or not totals else moves), totals


def totals_of_line(task: Task, moves: memoryview) -> tuple[Number, Number]:
    """Return both final totals of a line of play."""
    row = widest(task.row)
    taken = np.empty_like(row)
    _kernel.taken(row, moves, taken)
    mine, theirs = (taken[1::2], taken[0::2]) if task.rules.opponent_first else (taken[0::2], taken[1::2])
    if row.dtype.kind == "f":
        return math.fsum((task.mine, *mine.tolist())), math.fsum((task.theirs, *theirs.tolist()))
    return task.mine + mine.sum().item(), task.theirs + theirs.sum().item()


def totals_of(task: Task, mine: Number) -> tuple[Number, Number]:
    """Return both final totals from my total of the row, for exact sums."""
    return task.mine + mine, task.theirs + task.total - mine


def totals_of_value(task: Task, value: Number) -> tuple[Number, Number]:
    """Return both final totals from the value for the side to move."""
    return totals_of(task, task.my_part(value - task.value(task.mine, task.theirs)))


# --- bounds ----------------------------------------------------------------------------------------------------------


def bounds_of(task: Task) -> tuple[Number, Number]:
    """Bound the value in linear time, without the O(n^2) table.

    My total is at most the sum of the largest values, one for each of my turns, and at least the sum of the smallest.
    Against greedy and cooperative opponents it is at least my total against the optimal one, found by folding.
    """
    row, rules = widest(task.row), task.rules
    n = len(row)
    turns = n // 2 if rules.opponent_first else (n + 1) // 2
    ordered = np.sort(row)
    low, high = ordered[:turns].sum().item(), ordered[n - turns :].sum().item()
    if rules.mode != OPTIMAL and n:
        low = max(low, task.my_part(_kernel.fold_plain(row)))
    if row.dtype.kind == "f":  # sums may be rounded
        slack = 4 * (n + 2) * float(np.finfo(np.float64).eps) * (float(task.bound) + abs(task.mine) + abs(task.theirs))
        low, high = low - slack, high + slack
    ends = [task.value(*totals_of(task, mine)) for mine in (low, high)]
    return min(ends), max(ends)
