"""Batches of rows, in threads or in any ``concurrent.futures.Executor``."""

import contextlib
import functools
import itertools
import time
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

import numpy as np

from gamecore.batch.columns import Column, SolutionColumns, Solved, Values, words_at
from gamecore.batch.spec import Batch
from gamecore.batch.stream import MOST_ITEMS, Errors, Items, Parts, Plan, stream
from gamecore.errors import GamecoreError
from gamecore.kernels import rows as _kernel
from gamecore.limits import Limits, limits_of
from gamecore.rows._position import First, Opponent, Position, Side, Ties, names_of, of_values, read
from gamecore.rows._solve import Solution, control_of, solve, solve_position, stoppable, total_of
from gamecore.rows._values import Array, integers, narrowest
from gamecore.rows.opponents import BY_NAME, NAMES
from gamecore.text import checked_flag

if TYPE_CHECKING:
    import numpy.typing as npt

_BYTES: Final = 1 << 25, 1 << 23  # bytes of an array's chunk: in threads, and when an executor copies it
_PIECE: Final = 1 << 18  # values converted for the kernel at once, which stay in the cache
_FIRST: Final = 4096  # rows in the first chunks of an array: decks take 50 ns
_BEST: Final = ((), ("L",), ("R",), ("L", "R"), ("R", "L"))  # best moves by their code in the columns
# Longer rows are solved one by one: by folding, or by the kernel for one long row.
_LANES_OPTIMAL: Final = 200
_LANES_OTHER: Final = 2000


class Solutions(SolutionColumns[Solution]):
    """The sequence of :class:`Solution` that ``solve_many`` returns, held as columns.

    Without ``line``, solutions have totals and no moves. Columns hold zeros for errors. If a limit left only bounds,
    totals are unknown: None in the solution, masked in the columns.
    """

    _dtypes = {  # noqa: RUF012
        "lower": "i8", "upper": "i8", "mine": "i8", "theirs": "i8", "opponent": "u1", "to_move": "u1", "best": "u1",
        "nodes": "i8", "seconds": "f8",
    }  # fmt: skip
    _sides = "me", "opponent"
    _more = "mine", "theirs", "opponent"

    def _plain(self, name: str) -> Column:
        if name in ("mine", "theirs", "difference"):
            return self._known(np.asarray(getattr(self, name)))
        if name == "opponent":
            return words_at(NAMES, self._columns["opponent"])
        return np.zeros(len(self), np.int64) if name == "table_bytes" else super()._plain(name)

    def _lines(self) -> Values:
        moves = bytes(self._moves).decode()
        return [moves[start:end] for start, end in self._ranges()]

    def _best(self, lines: Values) -> Values:
        return words_at(_BEST, self._columns["best"])

    @property
    def mine(self) -> Array:
        """(n,) int64: my totals; masked if only bounds are known."""
        return self._totals("mine")

    @property
    def theirs(self) -> Array:
        """(n,) int64: the opponents' totals; masked if only bounds are known."""
        return self._totals("theirs")

    @property
    def difference(self) -> Array:
        """(n,) int64: ``mine - theirs``, whoever is to move; masked if only bounds are known."""
        result: Array = self.mine - self.theirs
        return result

    def _totals(self, name: str) -> Array:
        unknown = self.lower < self.upper
        return np.ma.masked_array(self._columns[name], unknown) if unknown.any() else self._columns[name]


_Game: TypeAlias = tuple[str, Side, Ties]  #: the opponent, the side to move, ties: as in Position


class _Group(NamedTuple):
    """Rows of one length and one game."""

    places: list[int] | slice  #: in the chunk
    values: Array  #: (count, n) integers of any native type
    game: _Game
    taken: Array  #: (count, 2) both totals so far; (1, 2) if they are equal


_NOTHING: Final = np.zeros((1, 2), np.int64)


class _Batch(Batch[Solutions]):
    """Batches of rows: arrays, rows of any length, positions."""

    def parts(
        self,
        positions: "npt.ArrayLike | Iterable[object]",
        limits: Limits | None,
        plan: Plan,
        *,
        opponent: Opponent | None = None,
        first: First | None = None,
        ties: Ties | None = None,
        line: bool = False,
    ) -> Parts:
        """See :meth:`gamecore.batch.spec.Batch.parts`. ``opponent``, ``first`` and ``ties`` apply to bare rows.

        With limits or ``line``, rows are solved one by one.
        """
        line, game, limits = checked_flag(line, "line"), names_of(opponent, first, ties), limits_of(limits)
        is_limited = (limits.seconds, limits.nodes, limits.deadline) != (None, None, None)
        first_size, most = 64, MOST_ITEMS
        if hasattr(positions, "columns") and hasattr(positions, "to_numpy"):  # a data frame, which yields no rows
            positions = positions.to_numpy()
        if isinstance(positions, np.ndarray) and positions.dtype != object:
            if positions.ndim != 2 or not positions.size or positions.dtype.kind not in "iu":
                integers(positions, "rows", 2)  # raises the error
            source = Items(range(len(positions)), functools.partial(_pack_array, positions, game), plan, "rows")
            width = positions.shape[1]
            most = max(1, _BYTES[plan.executor is not None] // (width * positions.itemsize))
            first_size = min(most, max(1, _FIRST * 52 // width))
        elif isinstance(positions, (str, bytes, Position)) or not isinstance(positions, Iterable):
            raise GamecoreError("rows: a 2-D array or a sequence of rows is meant")
        else:
            source = Items(positions, functools.partial(_pack, game, (opponent, first, ties)), plan, "rows")
        if not (line or is_limited):
            return stream(_solve_together, source, first=first_size, most=most)
        task = functools.partial(_solve_one_by_one, line)
        return stream(task, source, first=1 if is_limited else 64, limits=limits if is_limited else None)


BATCH: Final = _Batch(solve, Solutions._of)
solve_many = BATCH.solve_many  #: solve many positions, see [gamecore.batch.spec.Batch.solve_many][]
solve_iter = BATCH.solve_iter  #: yield solutions one by one, see [gamecore.batch.spec.Batch.solve_iter][]


# --- packing: a chunk is a list of groups ----------------------------------------------------------------------------


def _pack_array(rows: Array, game: _Game, places: range) -> tuple[list[_Group], Errors]:
    """Return rows of a 2-D array, perhaps masked, and the errors of bad rows by place, which are zeros."""
    part = rows[places.start : places.stop]
    errors, part = _row_errors(part), np.asarray(part)
    if errors:
        part = part.copy()
        part[list(errors)] = 0
    return [_Group(slice(None), part, game, _NOTHING)], errors


def _row_errors(rows: Array) -> Errors:
    """Return the errors of rows by index: values that are masked, totals that overflow."""
    suspect = np.zeros(len(rows), np.bool_)
    if isinstance(rows, np.ma.MaskedArray):
        suspect |= np.ma.getmaskarray(rows).any(axis=1)
    if rows.itemsize > 2 and _crude_bound(np.asarray(rows)) >= 1 << 62:
        suspect |= np.abs(np.asarray(rows, np.float64)).sum(axis=1) >= 1 << 62
    errors = Errors()
    for place in np.flatnonzero(suspect).tolist():
        try:
            of_values(rows[place], None, None, None)
        except GamecoreError as error:
            errors[place] = error
    return errors


def _crude_bound(rows: Array) -> int:
    """Bound every row's sum of absolute integers: n times the largest one."""
    return int(rows.shape[1]) * max(abs(int(rows.max())), abs(int(rows.min())))


def _pack(game: _Game, options: tuple[object, ...], items: list[object]) -> tuple[list[_Group], Errors]:
    """Return positions, texts and bare rows, and the errors of bad items by index; ``options``: of bare rows."""
    table = _table_of(items)
    if table is not None:
        return [_Group(slice(None), table, game, _NOTHING)], {}
    errors = Errors()
    groups: dict[tuple[int, _Game], list[tuple[int, Position]]] = {}
    for place, item in enumerate(items):
        try:
            if isinstance(item, GamecoreError):
                raise item
            position = read(item, *options)
        except GamecoreError as error:
            errors[place], position = error, of_values([0], None, None, None)
        key = len(position._row), (position.opponent, position.to_move, position.ties)
        groups.setdefault(key, []).append((place, position))
    return [_group(game, members) for (_, game), members in groups.items()], errors


def _group(game: _Game, members: list[tuple[int, Position]]) -> _Group:
    values = np.stack([position._row for _, position in members])
    taken = np.array([(position.mine, position.theirs) for _, position in members])
    return _Group([place for place, _ in members], values, game, taken)


def _table_of(items: list[object]) -> Array | None:
    """Convert lists of one length together, which is several times as fast; None if one of them is no good row."""
    rows = [item for item in items if isinstance(item, (list, tuple))]
    if len(rows) < len(items) or len(set(map(len, rows))) != 1:
        return None
    with contextlib.suppress(GamecoreError):
        table: Array = integers(list(itertools.chain.from_iterable(rows))).reshape(len(rows), -1)
        return None if _row_errors(table) else table
    return None


# --- solving ---------------------------------------------------------------------------------------------------------


def _solve_one_by_one(line: bool, groups: list[_Group], limits: Limits | None = None) -> Solved:
    """Solve rows with lines or within limits."""
    count = sum(len(group.values) for group in groups)
    solutions: Any = np.empty(count, object)
    for places, values, game, taken in groups:
        rows = integers(values, "rows", 2) if values.size else values
        taken = np.broadcast_to(taken, (len(rows), 2))
        positions = [Position._unchecked(row, *game, *both) for row, both in zip(rows, taken.tolist(), strict=True)]
        solutions[places] = [solve_position(position, limits, line) for position in positions]
    columns = Solutions._zeros(count)
    for name, column in columns.items():
        if name in ("lower", "upper", "mine", "theirs", "nodes", "seconds"):
            column[:] = [getattr(solution, name) or 0 for solution in solutions]
    columns["opponent"][:] = [NAMES.index(solution.opponent) for solution in solutions]
    columns["to_move"][:] = [solution.to_move == "opponent" for solution in solutions]
    columns["best"][:] = [_BEST.index(solution.best_moves) for solution in solutions]
    columns["line_end"][:] = np.cumsum([len(solution.line) for solution in solutions])
    return columns, np.frombuffer("".join(solution.line for solution in solutions).encode(), np.uint8)


def _solve_together(groups: list[_Group]) -> Solved:
    """Solve the totals of rows; rows of one length and game are solved together."""
    count = sum(len(group.values) for group in groups)
    begun, control = time.perf_counter(), control_of(None)
    columns = Solutions._zeros(count)
    for places, values, game, taken in groups:
        before = control.nodes
        with stoppable(control, values.size):
            mine, theirs = _totals(values, game, control)
        if taken is not _NOTHING:
            mine, theirs = mine + taken[:, 0], theirs + taken[:, 1]
        value = mine - theirs if game[1] == "me" else theirs - mine
        numbers = {
            "lower": value, "upper": value, "mine": mine, "theirs": theirs, "opponent": NAMES.index(game[0]),
            "to_move": game[1] == "opponent", "nodes": (control.nodes - before) // len(values),
        }  # fmt: skip
        for name, column in numbers.items():
            columns[name][places] = column
    columns["seconds"][:] = (time.perf_counter() - begun) / max(count, 1)
    return columns, np.empty(0, np.uint8)


def _totals(rows: Array, game: _Game, control: "_kernel.Control") -> tuple[Array, Array]:
    """Return both totals of valid rows of one length."""
    (count, n), (opponent, to_move, ties) = rows.shape, game
    rule = BY_NAME[opponent]
    mine, theirs = np.zeros(count, np.int64), np.zeros(count, np.int64)
    if not n:
        return mine, theirs
    if n > (_LANES_OPTIMAL if rule.folds else _LANES_OTHER):
        positions = [Position._unchecked(row, *game) for row in integers(rows, "rows", 2)]
        mine[:] = [total_of(position) for position in positions]
        theirs[:] = [position._total for position in positions]
        return mine, theirs - mine
    kind = narrowest(_crude_bound(rows))
    step = min(max(1, _PIECE // n), count)
    cards, some, total = np.empty((step, n), kind), np.empty(step, kind), np.empty(step, kind)
    for start in range(0, count, step):
        part = rows[start : start + step]
        cards, some, total = cards[: len(part)], some[: len(part)], total[: len(part)]
        cards[:] = part[:, ::-1] if ties == "left" else part
        _kernel.batch(rule.mode, cards, to_move == "opponent", some, total, control)
        mine[start : start + step] = some
        np.subtract(total, some, out=theirs[start : start + step])
    return mine, theirs
