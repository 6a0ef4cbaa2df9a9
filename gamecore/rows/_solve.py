"""Solve and analyse one row."""

from typing import TYPE_CHECKING, Final, Literal

from gamecore.errors import OptionError
from gamecore.limits import Limits
from gamecore.rows._input import (
    COOPERATIVE,
    LEFT,
    ME,
    MODES,
    NAMES,
    OPPONENT,
    OPPONENT_FIRST,
    OPTIMAL,
    RIGHT,
    TIES_LEFT,
    First,
    Number,
    Opponent,
    Rules,
    Side,
    Ties,
    adds_exactly,
    choose,
    letters,
    numbers,
    rules_of,
    sums_of,
    widest,
)
from gamecore.rows._kernel import kernel as _kernel
from gamecore.rows._position import Position
from gamecore.rows._results import Analysis, MoveValue, Solution, Start
from gamecore.rows._search import (
    Search,
    Task,
    bounds_of,
    by_move,
    line_of,
    outcome,
    task_of,
    totals_of,
    totals_of_line,
    totals_of_value,
)
from gamecore.text import printable

if TYPE_CHECKING:
    import numpy.typing as npt

SURE: Final = 2.0**62  #: totals fit int64 if a bound, computed in float64, is below this
_QUICK: Final = 1 << 20  # rows up to this length are folded in a few milliseconds
_OF: Final = ("difference", "mine", "theirs")


def value(
    values: "npt.ArrayLike",
    *,
    opponent: Opponent = "optimal",
    first: First = "me",
    ties: Ties = "right",
    of: Literal["difference", "mine", "theirs"] = "difference",
) -> Number:
    """Return the difference ``mine - theirs`` (whoever goes first), or one total; faster than :func:`solve`.

    Args:
        values: one row, list or array, integers or floats.
        opponent: ``"optimal"`` (O(n), by folding), ``"greedy"`` or ``"cooperative"`` (O(n^2) time, O(n) memory).
        first: the side that goes first, ``"me"`` or ``"opponent"`` (alias ``"sister"``).
        ties: the end that a greedy opponent takes on a tie.
        of: ``"difference"``, ``"mine"`` or ``"theirs"``.

    Floats whose sums are rounded take as long as :func:`solve` with a line, whose totals are returned.

    Raises:
        GamecoreError: an empty row, not numbers, integers mixed with floats, masked values, NaN or infinity, more than
            one dimension, totals beyond int64.
        OptionError: an unknown name.
    """
    mode: int = choose(MODES, "opponent", opponent)
    opponent_first: bool = choose(OPPONENT_FIRST, "first", first)
    ties_left: bool = choose(TIES_LEFT, "ties", ties)
    if of not in _OF:
        raise OptionError(f"of must be one of {_OF}, not {printable(of)}")
    given: object = values
    if type(given) is list:
        totals = _kernel.quick(given, mode, opponent_first, ties_left)
        if totals is not None:
            mine, theirs = totals
            return mine - theirs if of == "difference" else mine if of == "mine" else theirs
    rules = Rules(mode, opponent_first, ties_left)
    row = numbers(values)
    if rules.mode == OPTIMAL and of == "difference" and row.dtype.kind == "i":
        difference, bound = Search(None, len(row)).run(_kernel.fold, row)  # one pass also finds the bound
        if bound >= SURE:
            sums_of(row)
        return int(-difference if rules.opponent_first else difference)
    number: Number = getattr(outcome(Task(row, *sums_of(row), rules)), of)
    return number


def solve(
    position: "Position | str | npt.ArrayLike",
    limits: Limits | None = None,
    *,
    opponent: Opponent | None = None,
    first: First | None = None,
    ties: Ties | None = None,
    line: bool = True,
) -> Solution:
    """Solve a row: the value for the side to move, both totals, all best moves, and a line of best play to the end.

    Args:
        position: a :class:`Position`, its text, or the values of a bare row, list or array.
        limits: limits on time and nodes. If one is reached, the value has bounds, and ``mine`` and ``theirs`` are None.
        opponent: for a bare row: ``"optimal"`` (default; O(n)), ``"greedy"`` or ``"cooperative"`` (O(n^2) time).
        first: for a bare row: the side that goes first, ``"me"`` (default) or ``"opponent"`` (alias ``"sister"``).
        ties: for a bare row: the end that a greedy opponent takes on a tie, ``"right"`` (default) or ``"left"``.
        line: find the line too, which costs little: O(n) memory in every game.

    A cooperative opponent's best move maximises my total, so that it has the least value for the opponent itself. For
    my reply when the opponent goes first, solve ``position.play(line[0])``.

    Raises:
        GamecoreError: an empty row, not numbers, integers mixed with floats, masked values, NaN or infinity, more than
            one dimension, totals beyond int64; a malformed text.
        OptionError: an unknown name; an option together with a position.
    """
    return solve_task(task_of(position, opponent, first, ties), limits, line)


def solve_task(task: Task, limits: Limits | None, line: bool) -> Solution:
    """Solve a task; see :func:`solve`."""
    search = Search(limits, len(task.row))
    best, text, totals = _best_play(task, search, line)
    lower, upper, mine, theirs = _bounds_and_totals(task, totals)
    return Solution._made(
        best_so_far=None if best or not len(task.row) else _best_so_far(task),
        lower=lower,
        upper=upper,
        to_move=task.to_move,
        best_moves=best,
        line=text,
        nodes=search.nodes,
        seconds=search.seconds(),
        table_bytes=0,
        mine=mine,
        theirs=theirs,
        opponent=NAMES[task.rules.mode],
    )


def _best_play(task: Task, search: Search, line: bool) -> tuple[tuple[str, ...], str, tuple[Number, Number] | None]:
    """Return the best moves, the line if requested, and both totals; nothing if the search was stopped."""
    if not len(task.row):
        return (), "", (task.mine, task.theirs)
    if search.cut_off:
        return (), "", None
    exact = adds_exactly(task.row, task.bound)
    if line or not exact:
        moves, totals_by_move = line_of(task, search)
    else:
        moves, totals_by_move = memoryview(b""), by_move(task, search)
    if not totals_by_move or not (exact or moves):
        return (), "", None
    chosen = min if task.rules.opponent_first and task.rules.mode == OPTIMAL else max
    mine = chosen(totals_by_move.values())
    best = tuple(move for move, total in totals_by_move.items() if total == mine)
    text = letters(moves) if line else ""
    if text and best[0] != text[0]:  # a tie, maybe by rounded floats
        best = (text[0], *(move for move in best if move != text[0]))
    return best, text, totals_of(task, mine) if exact else totals_of_line(task, moves)


def _bounds_and_totals(
    task: Task, totals: tuple[Number, Number] | None
) -> tuple[Number, Number, Number | None, Number | None]:
    """Return the bounds of the value, and both totals, None if they are unknown."""
    if totals is not None:
        return (*(task.value(*totals),) * 2, *totals)
    lower, upper = bounds_of(task)
    return lower, upper, *(totals_of_value(task, lower) if lower == upper else (None, None))


def _best_so_far(task: Task) -> str:
    """Return the best move of the optimal game, found in linear time.

    For long rows, and when the optimal game itself was stopped, it is the larger end. For a cooperative opponent it is
    the smaller end.
    """
    row, rules = task.row, task.rules
    legal = rules.legal_moves(row)
    if len(legal) == 1:
        return legal[0]
    left, right = row.item(0), row.item(-1)
    if rules.mode == COOPERATIVE and rules.opponent_first:
        return RIGHT if left > right else LEFT
    if rules.mode != OPTIMAL and 1 < len(row) <= _QUICK:
        left -= _kernel.fold_plain(widest(row[1:]))
        right -= _kernel.fold_plain(widest(row[:-1]))
    return RIGHT if right > left else LEFT


def analyse(
    position: "Position | str | npt.ArrayLike",
    limits: Limits | None = None,
    *,
    opponent: Opponent | None = None,
    first: First | None = None,
    ties: Ties | None = None,
) -> Analysis:
    """Return every legal move with its value, best first (for a cooperative opponent, see :func:`solve`).

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
            totals = totals_of(task, mine)
            entries.append(MoveValue(*(task.value(*totals),) * 2, move, *totals))
    entries = entries or [_move_value(task, move, search) for move in task.rules.legal_moves(task.row)]
    helps = task.rules.mode == COOPERATIVE and task.rules.opponent_first
    entries.sort(key=lambda entry: entry.upper if helps else -entry.lower)
    return Analysis(tuple(entries), task.to_move, search.nodes, search.seconds(), NAMES[task.rules.mode])


def _move_value(task: Task, move: str, search: Search) -> MoveValue:
    """Return a move's value by a line of play from the rest of the row, or its bounds."""
    row, taken = (task.row[1:], task.row.item(0)) if move == LEFT else (task.row[:-1], task.row.item(-1))
    mine, theirs = task.mine, task.theirs
    if task.rules.opponent_first:
        theirs += taken
    else:
        mine += taken
    rest = Task(row, task.bound, task.total - taken, task.rules.after_move(), mine, theirs)
    lower, upper, *totals = _bounds_and_totals(rest, _best_play(rest, search, False)[2])
    return MoveValue(0 - upper, 0 - lower, move, *totals)


def who_should_start(
    values: "npt.ArrayLike", limits: Limits | None = None, *, opponent: Opponent = "greedy", ties: Ties = "right"
) -> Start:
    """Decide whether to go first, by solving both games (the source's LET_SISTER_GO_FIRST).

    Args:
        values: one row.
        limits: limits on each of the two searches.
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
    if me.lower >= -other.lower:  # my least lead going first, and my largest lead going second
        starter = "me"
    elif -other.upper > me.upper:
        starter = "opponent"
    return Start(starter, me, other)
