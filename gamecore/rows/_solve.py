"""Solve and analyse one row."""

from typing import TYPE_CHECKING, Final, Literal, cast

from gamecore.kernels import rows as _kernel
from gamecore.limits import Limits
from gamecore.rows._numbers import Number, adds_exactly, checked_bound, numbers, widest
from gamecore.rows._position import First, Opponent, Position, Side, Ties, choose, names_of, of_values, read
from gamecore.rows._results import Analysis, MoveValue, Solution, Start
from gamecore.rows._search import Search, bounds_of, by_move, letters, line_of, totals_of, totals_of_line
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
    part: int = choose(_OF, "of", of)
    names = name, side, end = names_of(opponent, first, ties)
    totals: tuple[Number, Number] | None = None
    if type(items := cast(object, values)) is list:
        totals = _kernel.quick(items, BY_NAME[name].mode, side == "opponent", end == "left")
    if totals is None:
        row = numbers(values)
        if BY_NAME[name].folds and not part and row.dtype.kind == "i":
            difference, bound = Search(None, len(row)).run(_kernel.fold, row)  # one pass also finds the bound
            if bound >= _SURE:
                checked_bound(row)
            return int(-difference if side == "opponent" else difference)
        totals = totals_of(of_values(row, *names), Search(None, len(row)))
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
        GamecoreError: an empty row, not numbers, integers mixed with floats, masked values, NaN or infinity, more than
            one dimension, totals beyond int64; a malformed text.
        OptionError: an unknown name; an option together with a position.
    """
    if line is not True and line is not False:
        line = checked_flag(line, "line")
    return solve_position(read(position, opponent, first, ties), limits, line)


def solve_position(position: Position, limits: Limits | None, line: bool) -> Solution:
    """Solve a position; see :func:`solve`."""
    search = Search(limits, len(position._row))
    best, text, totals = _best_play(position, search, line)
    lower, upper, mine, theirs = _bounds_and_totals(position, totals)
    more = {"mine": mine, "theirs": theirs, "opponent": position.opponent}
    if not best and not position.is_over:
        more["best_so_far"] = _best_so_far(position)
    return Solution._made(lower, upper, position.to_move, best, text, search.nodes, search.seconds(), 0, more)


def _best_play(
    position: Position, search: Search, line: bool
) -> tuple[tuple[str, ...], str, tuple[Number, Number] | None]:
    """Return the best moves, the line if requested, and both totals; nothing if the search was stopped."""
    if position.is_over:
        return (), "", (position.mine, position.theirs)
    if search.cut_off:
        return (), "", None
    exact = adds_exactly(position._row, position._bound)
    moves = memoryview(b"")
    if line or not exact:
        moves, by_first = line_of(position, search)
    else:
        by_first = by_move(position, search)
    if not by_first or not (exact or moves):
        return (), "", None
    choice = min if position.to_move == "opponent" and position.rule.folds else max
    mine = choice(by_first.values())
    best = [move for move, total in by_first.items() if total == mine]
    text = letters(moves) if line else ""
    if text and best[0] != text[0]:  # a tie, maybe by rounded floats
        best = [text[0], *(move for move in best if move != text[0])]
    return tuple(best), text, position._totals(mine) if exact else totals_of_line(position, moves)


def _bounds_and_totals(
    position: Position, totals: tuple[Number, Number] | None
) -> tuple[Number, Number, Number | None, Number | None]:
    """Return the bounds of the value, and both totals, None if they are unknown."""
    if totals is not None:
        return (*(position._difference(*totals),) * 2, *totals)
    lower, upper = bounds_of(position)
    if lower < upper:
        return lower, upper, None, None
    ahead = position._difference(position.mine, position.theirs)
    return lower, upper, *position._totals(position._my_part(lower - ahead))


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
    entries: list[MoveValue] = []
    if not position.is_over and adds_exactly(position._row, position._bound):
        for move, mine in by_move(position, search).items():
            totals = position._totals(mine)
            entries.append(MoveValue(*(position._difference(*totals),) * 2, move, *totals))
    entries = entries or [_move_value(position, move, search) for move in position.legal_moves()]
    entries.sort(key=lambda entry: entry.upper if position._is_helping() else -entry.lower)
    return Analysis(tuple(entries), position.to_move, search.nodes, search.seconds(), position.opponent)


def _move_value(position: Position, move: str, search: Search) -> MoveValue:
    """Return a move's value by a line of play from the rest of the row, or its bounds."""
    rest = position.play(move)
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
    me, other = (
        solve_position(of_values(values, opponent, first, ties), limits, False) for first in ("me", "opponent")
    )
    starter: Side | None = None
    if me.lower >= -other.lower:  # my least lead going first, and my largest lead going second
        starter = "me"
    elif -other.upper > me.upper:
        starter = "opponent"
    return Start(starter, me, other)
