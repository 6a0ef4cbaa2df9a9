"""Solve and analyse one row, within limits."""

import time
from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal, cast

import numpy as np

from gamecore import contract
from gamecore.batch import workers
from gamecore.kernels import rows as _kernel
from gamecore.limits import Limits, limits_of
from gamecore.rows._position import First, Opponent, Position, Side, Ties, names_of, of_values, read
from gamecore.rows._values import Array, integers, narrowest, widest
from gamecore.rows.opponents import BY_NAME
from gamecore.rows.words import WORDS
from gamecore.text import checked_flag, checked_word

if TYPE_CHECKING:
    import numpy.typing as npt

_SURE: Final = 2.0**62  # totals fit int64 if a bound, computed in float64, is below this
_SHORT: Final = 4096  # rows up to this length are solved too quickly to be stopped
_NEVER: Final = nullcontext()
_LETTERS: Final = b"LR" + bytes(254)  # of moves 0 and 1
_NO_LIMITS: Final = Limits().for_kernel(0)
_OF: Final[Mapping[object, int]] = {"difference": 0, "mine": 1, "theirs": 2}


@dataclass(frozen=True)
class Solution(contract.Solution[int, Side]):
    """A solved row: a :class:`gamecore.contract.Solution` with both totals.

    The value is the final total of the side to move minus the other's, so that it only changes sign along a line of
    best play.

    Attributes:
        to_move: ``"me"`` or ``"opponent"``.
        best_moves: all best moves of the side to move, ``"L"`` or ``"R"``, the line's first move first. A greedy
            opponent has only its forced move; a cooperative opponent's best move maximises my total.
        line: best play of both sides to the end, one letter a move. Ties go left (in the optimal game, ties between
            the ends of the folded row), and so does the last value. Empty if not requested, or not found within the
            limits.
        nodes: intervals whose value was computed; in the optimal game, values folded.
        mine, theirs: final totals, including the totals so far; None if only bounds are known.
        opponent: ``"optimal"``, ``"greedy"`` or ``"cooperative"``.
    """

    FIELDS = (*contract.Solution.FIELDS, "mine", "theirs", "difference", "opponent")

    line: str
    mine: int | None
    theirs: int | None
    opponent: str

    @property
    def difference(self) -> int | None:
        """``mine - theirs``, whoever is to move; None if only bounds are known."""
        return None if self.mine is None or self.theirs is None else self.mine - self.theirs

    def __str__(self) -> str:
        """Return a text such as ``+8 for me (18 to 10), best L``."""
        return WORDS.solution(self)


@dataclass(frozen=True)
class MoveValue(contract.MoveValue[int]):
    """A move with its value for the side that makes it, and both final totals.

    Attributes:
        mine, theirs: totals as in :class:`Solution`; None if only bounds are known.
    """

    FIELDS = (*contract.MoveValue.FIELDS, "mine", "theirs")

    mine: int | None
    theirs: int | None


@dataclass(frozen=True)
class Analysis(contract.Analysis[MoveValue, Side]):
    """The legal moves with their values, best first; a cooperative opponent's best move maximises my total.

    Attributes:
        opponent: ``"optimal"``, ``"greedy"`` or ``"cooperative"``.
    """

    FIELDS = (*contract.Analysis.FIELDS, "opponent")

    opponent: str

    def _cases(self, entry: contract.MoveValue[float]) -> tuple[float, float]:
        helps = BY_NAME[self.opponent].helps and self.to_move == "opponent"
        return (-entry.upper, -entry.lower) if helps else (entry.lower, entry.upper)


@dataclass(frozen=True, slots=True)
class Start(contract.Result):
    """The better side to go first, with the solutions of both.

    Attributes:
        starter: ``"me"`` or ``"opponent"``; ``"me"`` if both are equal (the source does not define this case); None
            if a limit left bounds that do not decide.
        me_first, opponent_first: the two solutions, without lines of play.
    """

    starter: Side | None
    me_first: Solution
    opponent_first: Solution

    @property
    def let_opponent_start(self) -> bool:
        """The source's LET_SISTER_GO_FIRST."""
        return self.starter == "opponent"


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
    part = _OF[checked_word(of, "of", _OF)]
    name, side, end = names_of(opponent, first, ties)
    totals: tuple[int, int] | None = None
    if type(items := cast(object, values)) is list:
        totals = _kernel.quick(items, BY_NAME[name].mode, side == "opponent", end == "left")
    if totals is None:
        row = integers(values)
        if BY_NAME[name].folds and not part:  # one pass finds the value, and a bound of the sum
            difference, bound = _fold(row)
            if bound < _SURE:
                return int(-difference if side == "opponent" else difference)
        position = of_values(row, name, side, end)
        totals = position._totals(total_of(position))
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
    begun, control = time.perf_counter(), control_of(limits)
    moves = memoryview(bytearray(len(position._row))) if line else None
    totals = by_move(position, control, moves)
    choose_total = min if position.to_move == "opponent" and position.rule.folds else max
    known = choose_total(totals.values()) if totals else None
    lower, upper, mine, theirs = _results(position, known)
    text = ""
    if moves and totals and not control.stopped:
        text = moves.tobytes().translate(_LETTERS).decode("ascii")
    best = [move for move, total in totals.items() if total == known]
    best.sort(key=lambda move: move != text[:1])  # of equal moves, the line's comes first
    so_far = None if best or position.is_over else _entries(position, {})[0].move
    return Solution._made(
        lower=lower, upper=upper, to_move=position.to_move, best_moves=tuple(best), best_so_far=so_far, line=text,
        nodes=control.nodes, seconds=time.perf_counter() - begun, table_bytes=0,
        mine=mine, theirs=theirs, opponent=position.opponent,
    )  # fmt: skip


def _results(position: Position, known: int | None = None) -> tuple[int, int, int | None, int | None]:
    """Return the bounds of the value, and both final totals, None if they are unknown.

    Args:
        position: any.
        known: my total of the row, if it is known.
    """
    low, high = bounds_of(position) if known is None else (known, known)
    ends = position._value(low), position._value(high)
    return min(ends), max(ends), *(position._totals(low) if low == high else (None, None))


def _entries(position: Position, totals: Mapping[str, int]) -> list[MoveValue]:
    """Return the legal moves, best first; ``totals``: my total of the row after each, empty if it is not known."""
    entries: list[MoveValue] = []
    for move in position.legal_moves():
        if totals:
            lower, upper, *both = _results(position, totals[move])
            entries.append(MoveValue(lower, upper, move, *both))
        else:
            lower, upper, *both = _results(position.play(move))
            entries.append(MoveValue(-upper, -lower, move, *both))
    entries.sort(key=lambda entry: entry.upper if position._is_helping() else -entry.lower)
    return entries


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
    begun, control = time.perf_counter(), control_of(limits)
    entries = tuple(_entries(position, by_move(position, control)))
    return Analysis(entries, position.to_move, control.nodes, time.perf_counter() - begun, position.opponent)


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


# --- the search ------------------------------------------------------------------------------------------------------


def control_of(limits: Limits | None) -> "_kernel.Control":
    """Return the limits of one API call, for all its kernel calls together."""
    seconds, nodes, _ = _NO_LIMITS if limits is None else limits_of(limits).for_kernel(0)
    return _kernel.Control(seconds, nodes)


def stoppable(control: "_kernel.Control", values: int) -> AbstractContextManager[None]:
    """While active, cancelling the batch stops kernel calls on rows of so many values, unless these are short."""
    return workers.stoppable(control.stop) if values > _SHORT else _NEVER


def by_move(position: Position, control: "_kernel.Control", moves: memoryview | None = None) -> dict[str, int]:
    """Return my total of the row after each legal move; empty if the search was stopped, or the game is over.

    ``moves``: zeros to fill with a line of best play, 1 for right; it is incomplete if ``control.stopped``.
    """
    with stoppable(control, len(position._row)):
        return _by_move(position, control, moves) if len(position._row) else {}


def _by_move(position: Position, control: "_kernel.Control", moves: memoryview | None) -> dict[str, int]:
    row, rule = position._row, position.rule
    if rule.folds:
        return _by_folding(position, control, moves)
    if position.to_move == "me":
        return _my_moves(position, control, moves)
    if len(row) == 1:  # nothing is left for me
        return dict.fromkeys(position.legal_moves(), 0)
    if rule.forced_end:
        move = position._end(rule)
        if moves is not None:
            moves[0] = move == "R"
        replies = _my_moves(position.play(move), control, None if moves is None else moves[1:])
        return {move: max(replies.values())} if replies else {}
    if not rule.helps:
        raise rule.unknown("search")
    row = np.ascontiguousarray(row, narrowest(position._bound))
    cells = _kernel.cells(rule.mode, row, len(row) - 1, control=control)
    if cells is None:
        return {}
    if moves is not None:
        moves[0] = cells[0] > cells[1]
        _kernel.line(rule.mode, False, row[:-1] if moves[0] else row[1:], moves[1:], control)
    return {"L": cells[1], "R": cells[0]}


def _by_folding(position: Position, control: "_kernel.Control", moves: memoryview | None) -> dict[str, int]:
    row = position._row
    if moves is not None:
        _kernel.fold_line(widest(row), moves)
        moves[-1] = 0
    totals: dict[str, int] = {}
    for move, end, rest in (("L", row.item(0), row[1:]), ("R", row.item(-1), row[:-1])):
        folded = _kernel.fold(rest, control)
        if folded is None:
            return {}
        totals[move] = position._my_part(end - folded[0])
    return totals


def _my_moves(position: Position, control: "_kernel.Control", moves: memoryview | None) -> dict[str, int]:
    """Return my total by move in an O(n^2) game when I am to move."""
    is_left = position.ties == "left"  # the kernel's greedy opponent takes the right end: it is given the reversed row
    rule, kind = position.rule, narrowest(position._bound)
    row = np.ascontiguousarray(position._row[:: -1 if is_left else 1], kind)
    n, mode = len(row), rule.mode
    if moves is None:
        cells = _kernel.cells(mode, row, n - 2, control=control)
    else:
        cells = _kernel.line(mode, is_left, row, moves, control)
    if cells is None:
        return {}
    if is_left and moves is not None:
        moves[:] = bytes(1 - move for move in moves)
    if n == 1:
        return dict.fromkeys(("L", "R"), row.item(0))
    # My totals after both moves: the opponent moves on the values from 1 to n - 1, or from 0 to n - 2.
    if rule.forced_end:
        after = [cells[start + rule.takes_left(row[start], row[start + n - 2])] for start in (1, 0)]
    elif rule.helps:
        after = [max(cells[start], cells[start + 1]) for start in (1, 0)]
    else:
        raise rule.unknown("search")
    totals = [row.item(0) + after[0], row.item(-1) + after[1]]
    return {"L": totals[is_left], "R": totals[not is_left]}


def total_of(position: Position) -> int:
    """Return my total of a row that is not empty, without limits."""
    if position.rule.folds:  # one folding instead of two
        return position._my_part(_fold(position._row)[0])
    return max(by_move(position, control_of(None)).values())


def _fold(row: Array) -> Any:
    """Return the difference of a row when both maximise, and a bound of its sum, without limits."""
    control = control_of(None)
    with stoppable(control, len(row)):
        return _kernel.fold(row, control)


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
