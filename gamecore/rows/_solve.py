"""One row: its value, who takes what, the best moves and a line of best play."""

import functools
import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Final, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from gamecore import contract, kernels
from gamecore.batch import _workers
from gamecore.errors import OptionError
from gamecore.limits import Limits
from gamecore.rows._input import (
    COOPERATIVE,
    GREEDY,
    LEFT,
    ME,
    MODES,
    NAMES,
    OPPONENT,
    OPPONENT_FIRST,
    OPTIMAL,
    RIGHT,
    TIES_LEFT,
    Array,
    First,
    Number,
    Opponent,
    Rules,
    Side,
    Ties,
    adds_exactly,
    choose,
    letters,
    narrow,
    numbers,
    rules_of,
    sums_of,
    widest,
)
from gamecore.rows._position import Position
from gamecore.text import printable

if TYPE_CHECKING:
    from gamecore.kernels.baseline import rows as _kernel
else:
    _kernel = kernels.kernel("rows")

SURE: Final = 2.0**62  #: bounds below this prove, rounding included, that totals fit int64
MAX_THREADS: Final = 64
_SHORT: Final = 4096  # values of a row that is solved before anybody could want to stop it
_SHARED: Final = 10_000  # values of a row whose cells are worth more than one thread
_OF: Final = ("difference", "mine", "theirs")


@dataclass(frozen=True, slots=True)
class Outcome(contract.Result):
    """What both sides take.

    Attributes:
        mine, theirs: totals; int for rows of integers, float otherwise.
    """

    FIELDS: ClassVar[tuple[str, ...]] = ("mine", "theirs", "difference")

    mine: Number
    theirs: Number

    @property
    def difference(self) -> Number:
        """``mine - theirs``."""
        return self.mine - self.theirs


@dataclass(frozen=True)
class Solution(contract.Solution[float, Side]):
    """A solved row: :class:`gamecore.contract.Solution`, and who takes what.

    The value is what the side to move takes in all minus what the other does, so that along a line of best play only
    its sign flips.

    Attributes:
        to_move: ``"me"`` or ``"opponent"``.
        best_moves: all best moves of the side to move, of ``"L"`` and ``"R"``, the one that ``line`` begins with first.
            A greedy opponent has one, its forced move; a cooperative one chooses what leaves me most.
        line: best play to the end, one letter a value taken, both sides'; free choices between equals go left (in the
            optimal game: between equal ends of the folded row), and so does the last value. Empty when it was not
            asked for, or not found within the limits.
        nodes: intervals of the row whose value was computed; in the optimal game, values folded.
        mine, theirs: totals at the end, with what both had before; None while only bounds are known. Of floats: those
            of the line, added up by :func:`math.fsum`.
        opponent: ``"optimal"``, ``"greedy"`` or ``"cooperative"``.
    """

    FIELDS = (*contract.Solution.FIELDS, "mine", "theirs", "difference", "opponent")

    line: str
    mine: Number | None
    theirs: Number | None
    opponent: str

    @property
    def difference(self) -> Number | None:
        """``mine - theirs``, whoever is to move; None while only bounds are known."""
        return None if self.mine is None or self.theirs is None else self.mine - self.theirs

    @property
    def first(self) -> Side:
        """``to_move`` under the name of the argument."""
        return self.to_move

    def __str__(self) -> str:
        """``+8 for me (18 to 10), best L``."""
        totals = "" if self.mine is None else f" ({self.mine} to {self.theirs})"
        best = f", best {' or '.join(self.best_moves)}" if self.best_moves else ""
        return f"{contract.Bounds.__str__(self)} for {whose(self.to_move)}{totals}{best}"


@dataclass(frozen=True)
class MoveValue(contract.MoveValue[float]):
    """A move with its value for the side that makes it, and what both take in all when it is made.

    Attributes:
        mine, theirs: totals as in :class:`Solution`; None while only bounds are known.
    """

    FIELDS = (*contract.MoveValue.FIELDS, "mine", "theirs")

    mine: Number | None
    theirs: Number | None


@dataclass(frozen=True)
class Analysis(contract.Analysis[MoveValue, Side]):
    """The legal moves with their values, best first; of a cooperative opponent, the best leaves me most.

    Attributes:
        opponent: ``"optimal"``, ``"greedy"`` or ``"cooperative"``.
    """

    FIELDS = (*contract.Analysis.FIELDS, "opponent")

    opponent: str

    @property
    def best_moves(self) -> tuple[str, ...]:
        """The moves that are proven best, as in :class:`Solution`."""
        if self.opponent != "cooperative" or self.to_move == ME or not self.exact:
            return super().best_moves
        least = min((entry.lower for entry in self.moves), default=0)
        return tuple(entry.move for entry in self.moves if entry.lower == least)


@dataclass(frozen=True, slots=True)
class Start(contract.Result):
    """Whether to go first, with both ways solved.

    Attributes:
        starter: ``"me"`` or ``"opponent"``; ``"me"`` when it makes no difference (the source leaves that open); None
            when the bounds that a limit has left do not tell.
        me_first, opponent_first: what happens either way, without lines of play.
    """

    FIELDS = ("starter", "me_first", "opponent_first")

    starter: Side | None
    me_first: Solution
    opponent_first: Solution

    @property
    def let_opponent_start(self) -> bool:
        """The source's LET_SISTER_GO_FIRST."""
        return self.starter == OPPONENT


def whose(side: Side) -> str:
    """A side in a sentence: ``me`` or ``the opponent``."""
    return "me" if side == ME else "the opponent"


# --- what a call has found -------------------------------------------------------------------------------------------


class Task(NamedTuple):
    """A row to be solved.

    Attributes:
        row: what is left, as :func:`numbers` makes it; empty when the game is over.
        bound, total: of the sum of its absolute values, and its sum (:func:`sums_of`).
        rules: the game.
        mine, theirs: what both have already.
    """

    row: Array
    bound: Number
    total: Number
    rules: Rules
    mine: Number = 0
    theirs: Number = 0

    @property
    def to_move(self) -> Side:
        """Whose turn it is."""
        return OPPONENT if self.rules.opponent_first else ME

    def value(self, mine: Number, theirs: Number) -> Number:
        """The difference from the side of whoever is to move."""
        return theirs - mine if self.rules.opponent_first else mine - theirs


def task_of(given: Any, opponent: object, first: object, ties: object) -> Task:
    """The row that stands for what was given: a position, a text of one, or values with options.

    Raises:
        GamecoreError: a bad row, or text. OptionError: an unknown name; an option beside a position.
    """
    if isinstance(given, str):
        given = Position.from_text(given)
    if isinstance(given, Position):
        for name, option in (("opponent", opponent), ("first", first), ("ties", ties)):
            if option is not None:
                raise OptionError(f"{name} is {printable(option)}: a position says that itself")
        row = np.array(given.values, np.float64 if isinstance(given.mine, float) else np.int64)
        return Task(row, *(_kernel.sums(row) if len(row) else (0, 0)), given.rules, given.mine, given.theirs)
    row = numbers(given)
    return Task(row, *sums_of(row), rules_of(opponent or "optimal", first or ME, ties or "right"))


class Search:
    """The limits of one call over all its kernel calls, and the work that they have done.

    Args:
        limits: of all of them together; None: no limits.
        size: values of the row: the calls on short ones are not worth being stopped.
        threads: to compute the cells of long rows in.

    Attributes:
        nodes: computed so far.
        cut_off: whether the last kernel call was stopped.
    """

    def __init__(self, limits: Limits | None, size: int, threads: int = 1) -> None:
        self.nodes = 0
        self.threads = threads
        self.cut_off = False
        self.begun = time.perf_counter()
        self._seconds, self._limit, _ = limits.for_kernel(0) if limits is not None else _NO_LIMITS
        self._stoppable = size > _SHORT

    def run(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """What a kernel's function answers within what is left of the limits; None when it was stopped."""
        seconds = self._seconds
        if seconds > 0:
            seconds = max(0.0, seconds - (time.perf_counter() - self.begun))
        left = self._limit - self.nodes if self._limit else 0
        if self._limit and left <= 0:
            self.cut_off = True
            return None
        control = _kernel.Control(seconds, left)
        if self._stoppable:
            with _workers.stoppable(control.stop):
                found = function(*arguments, control=control)
        else:
            found = function(*arguments, control=control)
        self.nodes += control.nodes
        self.cut_off = control.stopped
        return found

    def run_cells(self, function: Callable[..., Any], row: Array, *arguments: Any) -> Any:
        """:meth:`run` of a function that computes the cells of a row, ``function(*arguments)``, in all threads."""
        if self.threads == 1 or len(row) < _SHARED:
            return self.run(function, *arguments)
        crew = _kernel.Crew(self.threads)
        helper = functools.partial(_kernel.help_out, row, crew)
        with _workers.beside([helper] * (self.threads - 1)):
            try:
                return self.run(functools.partial(function, crew=crew), *arguments)
            finally:
                crew.close()

    def seconds(self) -> float:
        """Since the call began."""
        return time.perf_counter() - self.begun


_NO_LIMITS: Final = Limits().for_kernel(0)


# --- the value alone -------------------------------------------------------------------------------------------------


def value(
    values: npt.ArrayLike,
    *,
    opponent: Opponent = "optimal",
    first: First = "me",
    ties: Ties = "right",
    of: Literal["difference", "mine", "theirs"] = "difference",
) -> Number:
    """The difference ``mine - theirs`` (also when the opponent goes first), or one total alone: the fast path.

    Args:
        values: one row, list or array, integers or floats.
        opponent: ``"optimal"`` (O(n), by folding), ``"greedy"`` or ``"cooperative"`` (O(n^2) time, O(n) memory).
        first: who takes first, ``"me"`` or ``"opponent"`` (alias ``"sister"``).
        ties: the end that a greedy opponent takes on a tie.
        of: ``"difference"``, ``"mine"`` or ``"theirs"``.

    Floats whose sums are rounded take the time of :func:`solve` with a line: the totals are those of its line.

    Raises:
        GamecoreError: an empty row, not numbers, integers and floats mixed, masked values, NaN or infinity, more than
            one dimension, totals beyond int64.
        OptionError: an unknown name.
    """
    mode: int = choose(MODES, "opponent", opponent)
    opponent_first: bool = choose(OPPONENT_FIRST, "first", first)
    ties_left: bool = choose(TIES_LEFT, "ties", ties)
    if of not in _OF:
        raise OptionError(f"of has to be one of {_OF}, not {printable(of)}")
    given: object = values
    if type(given) is list:
        totals = _kernel.quick(given, mode, opponent_first, ties_left)
        if totals is not None:
            mine, theirs = totals
            return mine - theirs if of == "difference" else mine if of == "mine" else theirs
    rules = Rules(mode, opponent_first, ties_left)
    row = numbers(values)
    if rules.mode == OPTIMAL and of == "difference" and row.dtype.kind == "i":
        difference, bound = Search(None, len(row)).run(_kernel.fold, row)  # one pass over the row, its range included
        if bound >= SURE:
            sums_of(row)
        return int(-difference if rules.opponent_first else difference)
    number: Number = getattr(outcome(Task(row, *sums_of(row), rules)), of)
    return number


def outcome(task: Task) -> Outcome:
    """The totals of a row alone, which is not empty."""
    search = Search(None, len(task.row))
    if not adds_exactly(task.row, task.bound):
        return Outcome(*totals_of_line(task, line_of(task, search)[0]))
    if task.rules.mode == OPTIMAL:
        difference = search.run(_kernel.fold, task.row)[0]
        mine = _half(task.total, -difference if task.rules.opponent_first else difference)
    else:
        mine = max(by_move(task, search).values())
    return Outcome(mine, task.total - mine)


def _half(total: Number, difference: Number) -> Number:
    """Who takes ``difference`` more takes so much of a total."""
    return (total + difference) / 2 if isinstance(total, float) else (total + difference) // 2


# --- moves and lines -------------------------------------------------------------------------------------------------


def by_move(task: Task, search: Search, moves: Array | None = None) -> dict[str, Number]:
    """My total of the row after each legal move of the side to move, as the kernels add it up; empty when stopped.

    Args:
        task: not over.
        search: the limits.
        moves: if given, filled with a line of best play, 0 for left and 1 for right. ``search.cut_off`` tells that it
            was not finished.
    """
    rules = task.rules
    if rules.mode == OPTIMAL:
        return _by_move_optimal(task, search, moves)
    row = narrow(np.ascontiguousarray(task.row[::-1]) if rules.turned else task.row, task.bound)
    if not rules.opponent_first:
        found = _my_moves(row, rules, search, moves)
    elif rules.mode == GREEDY:
        found = _greedy_moves(row, rules, search, moves)
    else:
        found = _helping_moves(row, rules, search, moves)
    if rules.turned:
        if moves is not None:
            moves ^= 1
        found = {RIGHT if move == LEFT else LEFT: mine for move, mine in reversed(found.items())}
    return found


def _by_move_optimal(task: Task, search: Search, moves: Array | None) -> dict[str, Number]:
    row = task.row
    if moves is not None:
        _kernel.fold_line(widest(row), moves)
        moves[-1] = 0
    found: dict[str, Number] = {}
    for move, end, rest in ((LEFT, row[0], row[1:]), (RIGHT, row[-1], row[:-1])):
        folded = search.run(_kernel.fold, rest)
        if folded is None:
            return {}
        difference = end.item() - folded[0]
        found[move] = _half(task.total, -difference if task.rules.opponent_first else difference)
    return found


def _my_moves(row: Array, rules: Rules, search: Search, moves: Array | None) -> dict[str, Number]:
    """I am to move, in an O(n^2) game."""
    if moves is None:
        cells = search.run_cells(_kernel.cells, row, rules.mode, row, len(row) - 2, False)
    else:
        cells = search.run_cells(_kernel.line, row, rules.mode, rules.turned, row, moves)
    if cells is None:
        return {}
    n = len(row)
    ends = row[0].item(), row[-1].item()
    if n == 1:
        return dict.fromkeys((LEFT, RIGHT), ends[0])

    def after(start: int) -> Any:
        """My total once the opponent has moved on the n - 1 values from ``start``."""
        low, high = cells[start], cells[start + 1]
        if rules.mode == GREEDY:
            return high if row[start] > row[start + n - 2] else low
        return max(low, high)

    return {LEFT: ends[0] + after(1), RIGHT: ends[1] + after(0)}


def _greedy_moves(row: Array, rules: Rules, search: Search, moves: Array | None) -> dict[str, Number]:
    """The greedy opponent's one move, to the right on a tie."""
    zero = row[0].item() * 0
    if len(row) == 1:
        if moves is not None:
            moves[0] = rules.turned
        return {RIGHT if rules.turned else LEFT: zero}  # a last value is taken from the left, also of a turned row
    takes_left = row[0] > row[-1]
    rest = row[1:] if takes_left else row[:-1]
    if moves is not None:
        moves[0] = not takes_left
    found = _my_moves(rest, rules, search, None if moves is None else moves[1:])
    if not found:
        return {}
    move = LEFT if takes_left else RIGHT
    return {move: max(found.values())}


def _helping_moves(row: Array, rules: Rules, search: Search, moves: Array | None) -> dict[str, Number]:
    """The cooperative opponent's moves; on a tie its line goes left."""
    if len(row) == 1:
        if moves is not None:
            moves[0] = 0
        return dict.fromkeys((LEFT, RIGHT), row[0].item() * 0)
    cells = search.run_cells(_kernel.cells, row, COOPERATIVE, row, len(row) - 1, False)
    if cells is None:
        return {}
    if moves is not None:
        takes_right = cells[0] > cells[1]
        moves[0] = takes_right
        rest = row[:-1] if takes_right else row[1:]
        search.run_cells(_kernel.line, rest, COOPERATIVE, False, rest, moves[1:])
    return {LEFT: cells[1], RIGHT: cells[0]}


def line_of(task: Task, search: Search) -> tuple[Array, dict[str, Number]]:
    """A line of best play, and my totals by move as :func:`by_move` has them; no moves where it was stopped."""
    moves = np.zeros(len(task.row), dtype=np.uint8)
    found = by_move(task, search, moves)
    return (moves[:0] if search.cut_off or not found else moves), found


def totals_of_line(task: Task, moves: Array) -> tuple[Number, Number]:
    """What both have at the end of a line of play."""
    row = widest(task.row)
    taken = np.empty_like(row)
    _kernel.taken(row, moves, taken)
    mine, theirs = (taken[1::2], taken[0::2]) if task.rules.opponent_first else (taken[0::2], taken[1::2])
    if row.dtype.kind == "f":
        return math.fsum((task.mine, *mine.tolist())), math.fsum((task.theirs, *theirs.tolist()))
    return task.mine + int(mine.sum()), task.theirs + int(theirs.sum())


def _totals(task: Task, mine: Number) -> tuple[Number, Number]:
    """Totals at the end from mine of the row, where sums are exact."""
    return task.mine + mine, task.theirs + task.total - mine


# --- bounds ----------------------------------------------------------------------------------------------------------


def bounds_of(task: Task) -> tuple[Number, Number]:
    """Sound bounds of the value without a search of the triangle.

    I take no more than the largest values for as many turns as I have, and no less than the smallest; against the
    opponents that do not look ahead no less than against the one who does, which folding tells in linear time.
    """
    row, rules = widest(task.row), task.rules
    n = len(row)
    turns = n // 2 if rules.opponent_first else (n + 1) // 2
    ordered = np.sort(row)
    low, high = ordered[:turns].sum().item(), ordered[n - turns :].sum().item()
    total = task.total
    if rules.mode != OPTIMAL and n:
        difference = _kernel.fold_plain(row)
        low = max(low, _half(total, -difference if rules.opponent_first else difference))
    if row.dtype.kind == "f":  # and every sum may be rounded
        slack = 4 * (n + 2) * float(np.finfo(np.float64).eps) * (float(task.bound) + abs(task.mine) + abs(task.theirs))
        low, high = low - slack, high + slack
    ends = [task.value(task.mine + mine, task.theirs + total - mine) for mine in (low, high)]
    return min(ends), max(ends)


# --- the public functions --------------------------------------------------------------------------------------------


def solve(
    position: "Position | str | npt.ArrayLike",
    limits: Limits | None = None,
    *,
    opponent: Opponent | None = None,
    first: First | None = None,
    ties: Ties | None = None,
    line: bool = True,
    threads: int = 1,
) -> Solution:
    """Solve a row: the value for the side to move, both totals, all best moves, and a whole line of best play.

    Args:
        position: a :class:`Position`, a text of one, or the values of a row, list or array, with the options below.
        limits: when one is reached, the value is bounded: ``mine`` and ``theirs`` are None.
        opponent: of a bare row: ``"optimal"`` (default; O(n)), ``"greedy"`` or ``"cooperative"`` (O(n^2) time).
        first: of a bare row: who takes first, ``"me"`` (default) or ``"opponent"`` (alias ``"sister"``).
        ties: of a bare row: the end that a greedy opponent takes on a tie, ``"right"`` (default) or ``"left"``.
        line: False leaves the line out. Its cost beside the value is small: O(n) memory in every game.
        threads: compute the cells of the O(n^2) games in so many threads, on rows of 10,000 values and more; the
            answer is the same to the last bit. The line is traced in one thread.

    A cooperative opponent has the same aim as I: of its moves the best is the one that leaves me most, which is the one
    of least value to itself. To see my reply where the opponent goes first, solve what ``position.play(line[0])``
    leaves.

    Raises:
        GamecoreError: an empty row, not numbers, integers and floats mixed, masked values, NaN or infinity, more than
            one dimension, totals beyond int64; a bad text.
        OptionError: an unknown name; an option beside a position, which says it itself; ``threads`` is not an integer
            from 1 to 64.
    """
    if isinstance(threads, bool) or not isinstance(threads, int) or not 1 <= threads <= MAX_THREADS:
        raise OptionError(f"threads has to be an integer from 1 to {MAX_THREADS}, not {printable(threads)}")
    return solve_task(task_of(position, opponent, first, ties), limits, line, threads)


def solve_task(task: Task, limits: Limits | None, line: bool, threads: int = 1) -> Solution:
    """:func:`solve` of a row that was checked."""
    search = Search(limits, len(task.row), threads)
    if not len(task.row):
        return solution_of(task, search, (), "", (task.mine, task.theirs))
    exact = adds_exactly(task.row, task.bound)
    if line or not exact:
        moves, found = line_of(task, search)
    else:
        moves, found = task.row[:0], by_move(task, search)
    if not found or not (exact or len(moves)):
        return solution_of(task, search, (), "", None)
    chosen = min if task.rules.opponent_first and task.rules.mode == OPTIMAL else max
    mine = chosen(found.values())
    best = tuple(move for move, total in found.items() if total == mine)
    text = letters(moves) if line else ""
    if text and best[0] != text[0]:  # a tie, in floats perhaps a rounded one
        best = (text[0], *(move for move in best if move != text[0]))
    return solution_of(task, search, best, text, _totals(task, mine) if exact else totals_of_line(task, moves))


def solution_of(
    task: Task, search: Search, best: tuple[str, ...], line: str, totals: tuple[Number, Number] | None
) -> Solution:
    """The Solution of a row, from both totals or, without them, from bounds."""
    mine, theirs = totals or (None, None)
    lower, upper = bounds_of(task) if totals is None else (task.value(*totals),) * 2
    solution = object.__new__(Solution)  # three times as fast as through the frozen dataclass
    vars(solution).update(
        lower=lower,
        upper=upper,
        to_move=task.to_move,
        best_moves=best,
        line=line,
        nodes=search.nodes,
        seconds=search.seconds(),
        table_bytes=0,
        mine=mine,
        theirs=theirs,
        opponent=NAMES[task.rules.mode],
    )
    return solution


def analyse(
    position: "Position | str | npt.ArrayLike",
    limits: Limits | None = None,
    *,
    opponent: Opponent | None = None,
    first: First | None = None,
    ties: Ties | None = None,
) -> Analysis:
    """What each legal move leads to, best first (see :func:`solve` for a cooperative opponent's).

    Args:
        position, limits, opponent, first, ties: as for :func:`solve`.

    Raises:
        GamecoreError, OptionError: as for :func:`solve`.
    """
    task = task_of(position, opponent, first, ties)
    search = Search(limits, len(task.row))
    entries: list[MoveValue] = []
    if len(task.row) and adds_exactly(task.row, task.bound):
        for move, mine in by_move(task, search).items():
            totals = _totals(task, mine)
            entries.append(MoveValue(*(task.value(*totals),) * 2, move, *totals))
    if not entries and len(task.row):
        entries = [_move_value(task, move, search) for move in task.rules.legal_moves(task.row)]
    helps = task.rules.mode == COOPERATIVE and task.rules.opponent_first
    entries.sort(key=lambda entry: entry.upper if helps else -entry.lower)
    return Analysis(tuple(entries), task.to_move, search.nodes, search.seconds(), NAMES[task.rules.mode])


def _move_value(task: Task, move: str, search: Search) -> MoveValue:
    """A move's value by a line of play from what it leaves, or its bounds."""
    row, taken = (task.row[1:], task.row[0]) if move == LEFT else (task.row[:-1], task.row[-1])
    mine, theirs = task.mine, task.theirs
    if task.rules.opponent_first:
        theirs += taken.item()
    else:
        mine += taken.item()
    rest = Task(row, task.bound, task.total - taken.item(), task.rules.after_move(), mine, theirs)
    if not len(row):
        return MoveValue(*(task.value(mine, theirs),) * 2, move, mine, theirs)
    moves = row[:0] if search.cut_off else line_of(rest, search)[0]
    if not len(moves):
        lower, upper = bounds_of(rest)
        return MoveValue(-upper, -lower, move, None, None)
    totals = totals_of_line(rest, moves)
    return MoveValue(*(task.value(*totals),) * 2, move, *totals)


def who_should_start(
    values: npt.ArrayLike, limits: Limits | None = None, *, opponent: Opponent = "greedy", ties: Ties = "right"
) -> Start:
    """Should I go first or let the opponent? The source's LET_SISTER_GO_FIRST, with both ways solved.

    Args:
        values: one row.
        limits: of each of the two searches.
        opponent, ties: as for :func:`solve`.

    Raises:
        GamecoreError, OptionError: as for :func:`solve`.
    """
    row = numbers(values)
    sums = sums_of(row)
    me, other = (
        solve_task(Task(row, *sums, rules_of(opponent, first, ties)), limits, False) for first in (ME, OPPONENT)
    )
    starter: Side | None = None
    if me.lower >= -other.lower:  # what I am ahead at least, against at most when the opponent begins
        starter = "me"
    elif -other.upper > me.upper:
        starter = "opponent"
    return Start(starter, me, other)
