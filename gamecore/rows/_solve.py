"""Solve and analyse one row."""

from typing import TYPE_CHECKING, Final, Literal, cast

from gamecore.kernels import rows as _kernel
from gamecore.limits import Limits
from gamecore.rows._numbers import checked_bound, integers, widest
from gamecore.rows._position import First, Opponent, Position, Side, Ties, choose, names_of, of_values, read
from gamecore.rows._results import Analysis, MoveValue, Solution, Start
from gamecore.rows._search import Search, best_total, bounds_of, by_move, letters, total_of
from gamecore.rows.opponents import BY_NAME
from gamecore.text import checked_flag

if TYPE_CHECKING:
    import numpy.typing as npt

_SURE: Final = 2.0**62  #: totals fit int64 if a bound, computed in float64, is below this
_QUICK: Final = 1 << 20  # rows up to this length are folded in a few milliseconds
_OF: Final = {"difference": 0, "mine": 1, "theirs": 2}


def value(
    values: "npt.ArrayLike",
    *,
    opponent: Opponent = "optimal",
    first: First = "me",
    ties: Ties = "right",
    of: Literal["difference", "mine", "theirs"] = "difference",
) -> int:
    """Return the difference ``mine - theirs`` (whoever goes first), or one total; faster than :func:`solve`.

    Args:
        values: one row, a list or an array of integers.
        opponent: ``"optimal"`` (O(n), by folding), ``"greedy"`` or ``"cooperative"`` (O(n^2) time, O(n) memory).
        first: the side that goes first, ``"me"`` or ``"opponent"`` (alias ``"sister"``).
        ties: the end that a greedy opponent takes on a tie.
        of: ``"difference"``, ``"mine"`` or ``"theirs"``.

    Raises:
        GamecoreError: an empty row, not integers, masked values, more than one dimension, totals beyond int64.
        OptionError: an unknown name.
    """
    part: int = choose(_OF, "of", of)
    names = name, side, end = names_of(opponent, first, ties)
    totals: tuple[int, int] | None = None
    if type(items := cast(object, values)) is list:
        totals = _kernel.quick(items, BY_NAME[name].mode, side == "opponent", end == "left")
    if totals is None:
        row = integers(values)
        if BY_NAME[name].folds and not part:
            difference, bound = Search(None, len(row)).run(_kernel.fold, row)  # one pass also finds the bound
            if bound >= _SURE:
                checked_bound(row)
            return int(-difference if side == "opponent" else difference)
        position = of_values(row, *names)
        totals = position._totals(total_of(position, Search(None, len(row))))
    return totals[part - 1] if part else totals[0] - totals[1]


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
        GamecoreError: an empty row, not integers, masked values, more than one dimension, totals beyond int64; a
            malformed text.
        OptionError: an unknown name; an option together with a position.
    """
    if line is not True and line is not False:
        line = checked_flag(line, "line")
    return solve_position(read(position, opponent, first, ties), limits, line)


def solve_position(position: Position, limits: Limits | None, line: bool) -> Solution:
    """Solve a position; see :func:`solve`."""
    search = Search(limits, len(position._row))
    moves = memoryview(bytearray(len(position._row))) if line else None
    totals = by_move(position, search, moves)
    known = best_total(position, totals) if totals else None
    lower, upper, mine, theirs = _results(position, known)
    text = letters(moves) if moves and totals and not search.cut_off else ""
    best = [move for move, total in totals.items() if total == known]
    best.sort(key=lambda move: move != text[:1])  # of equal moves, the line's comes first
    more = {"mine": mine, "theirs": theirs, "opponent": position.opponent}
    if not best and not position.is_over:
        more["best_so_far"] = _best_so_far(position)
    return Solution._made(lower, upper, position.to_move, tuple(best), text, search.nodes, search.seconds(), 0, more)


def _results(position: Position, known: int | None = None) -> tuple[int, int, int | None, int | None]:
    """Return the bounds of the value, and both final totals, None if they are unknown.

    Args:
        position: any.
        known: my total of the row, if it is known.
    """
    low, high = bounds_of(position) if known is None else (known, known)
    ends = position._value(low), position._value(high)
    return min(ends), max(ends), *(position._totals(low) if low == high else (None, None))


def _best_so_far(position: Position) -> str:
    """Return the best move of the optimal game, found in linear time.

    For long rows, and when the optimal game itself was stopped, it is the larger end. For a cooperative opponent it is
    the smaller end.
    """
    row, legal = position._row, position.legal_moves()
    left, right = row.item(0), row.item(-1)
    if len(legal) == 1:
        return legal[0]
    if position._is_helping():
        return "R" if left > right else "L"
    if not position.rule.folds and 1 < len(row) <= _QUICK:
        left -= _kernel.fold_plain(widest(row[1:]))
        right -= _kernel.fold_plain(widest(row[:-1]))
    return "R" if right > left else "L"


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
    position = read(position, opponent, first, ties)
    search = Search(limits, len(position._row))
    totals = by_move(position, search)
    entries: list[MoveValue] = []
    for move in position.legal_moves():
        if totals:
            lower, upper, *both = _results(position, totals[move])
            entries.append(MoveValue(lower, upper, move, *both))
        else:
            lower, upper, *both = _results(position.play(move))
            entries.append(MoveValue(-upper, -lower, move, *both))
    entries.sort(key=lambda entry: entry.upper if position._is_helping() else -entry.lower)
    return Analysis(tuple(entries), position.to_move, search.nodes, search.seconds(), position.opponent)


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
    me, other = (
        solve_position(of_values(values, opponent, first, ties), limits, False) for first in ("me", "opponent")
    )
    starter: Side | None = None
    if me.lower >= -other.lower:  # my least lead going first, and my largest lead going second
        starter = "me"
    elif -other.upper > me.upper:
        starter = "opponent"
    return Start(starter, me, other)
