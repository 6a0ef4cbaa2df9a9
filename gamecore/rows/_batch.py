"""Batches of rows, in threads or in any ``concurrent.futures.Executor``."""

import functools
import itertools
import math
from collections.abc import Iterable, Sequence
from typing import Any, Final, Self, TypeAlias

import numpy as np
import numpy.typing as npt

from gamecore.batch.columns import Columns, SolutionColumns, Solved
from gamecore.batch.plan import Plan, limits_of_chunk
from gamecore.batch.spec import Batch
from gamecore.batch.stream import Items, Part, Parts, stream
from gamecore.errors import GamecoreError
from gamecore.limits import Limits, limits_of
from gamecore.rows._kernel import kernel as _kernel
from gamecore.rows._numbers import Array, Number, adds_exactly, check_bound, narrow, numbers, sums_of
from gamecore.rows._position import ME, MODES, NAMES, OPPONENT, First, Opponent, Position, Side, Ties, names_of, read
from gamecore.rows._results import Solution
from gamecore.rows._search import Search, totals_of
from gamecore.rows._solve import solve, solve_position

Game: TypeAlias = tuple[str, Side, Ties]  # the opponent, the side to move, ties: as in Position
_BYTES: Final = 1 << 25, 1 << 23  # bytes of an array's chunk: in threads, and when an executor copies it
_FIRST: Final = 4096  # rows in the first chunks of an array: decks take 50 ns
_BEST: Final = ((), ("L",), ("R",), ("L", "R"), ("R", "L"))  # best moves by their code in the columns
_SAFE: Final = ("i1", "u1", "i2", "u2")  # totals of these types never overflow
# Longer rows are solved one by one: by folding, or by the kernel for one long row.
_LANES_OPTIMAL: Final = 200
_LANES_OTHER: Final = 2000
_BLOCK: Final = 1 << 18  # values converted together; a block fits in the caches


class Solutions(SolutionColumns[Solution]):
    """The sequence of :class:`Solution` that ``solve_many`` returns, held as columns.

    Without ``line``, solutions have totals and no moves. Columns hold zeros for errors. If a limit left only bounds,
    totals are unknown: None in the solution, masked in the columns.
    """

    __slots__ = ()

    @classmethod
    def of(cls, parts: Sequence[Part]) -> Self:
        """Join parts whose results are (columns, letters of all lines).

        A 0-d column holds one number for all rows of its part. Parts without limits have no columns ``lower`` and
        ``upper``.
        """
        parts = parts or [Part(0, 0, _columns_of_solutions([]), {})]
        counts = [part.count for part in parts]
        begun = [0, *itertools.accumulate(counts)]
        moves = [0, *itertools.accumulate(len(part.result[1]) for part in parts)]
        tables = [part.result[0] for part in parts]
        if moves[-1]:
            for part, before in zip(tables, moves, strict=False):
                part |= {name: part[name] + before for name in ("line_start", "line_end")}
        columns = {name: _joined([part[name] for part in tables], counts) for name in tables[0]}
        errors = {
            at + place: error for at, part in zip(begun, parts, strict=False) for place, error in part.errors.items()
        }
        for name in columns.keys() & {"mine", "theirs", "lower", "upper"} if errors else ():
            columns[name][list(errors)] = 0
        if "lower" not in columns:
            value = columns["mine"] - columns["theirs"]
            np.negative(value, out=value, where=columns["opponent_first"])
            columns = {"lower": value, "upper": value, **columns}
        return cls(columns, np.concatenate([part.result[1] for part in parts]), errors)

    def _make(self, row: Any, moves: list[int]) -> Solution:
        lower, upper, mine, theirs, mode, opponent_first, best, nodes, seconds, _, _ = row
        exact = lower == upper
        return Solution._made(
            lower=lower,
            upper=upper,
            to_move=OPPONENT if opponent_first else ME,
            best_moves=_BEST[best],
            best_so_far=None,
            line=bytes(moves).decode() if moves else "",
            nodes=nodes,
            seconds=seconds,
            table_bytes=0,
            mine=mine if exact else None,
            theirs=theirs if exact else None,
            opponent=NAMES[mode],
        )

    @property
    def mine(self) -> Array:
        """(n,) int64 or float64: my totals; masked if only bounds are known."""
        return self._totals("mine")

    @property
    def theirs(self) -> Array:
        """(n,) int64 or float64: the opponents' totals; masked if only bounds are known."""
        return self._totals("theirs")

    def _totals(self, name: str) -> Array:
        unknown = self.lower < self.upper
        return np.ma.masked_array(self._columns[name], unknown) if unknown.any() else self._columns[name]

    @property
    def difference(self) -> Array:
        """(n,) int64 or float64: ``mine - theirs``, whoever is to move; masked if only bounds are known."""
        result: Array = self.mine - self.theirs
        return result


def _joined(columns: list[Array], counts: list[int]) -> Array:
    """Join a column's parts; equal 0-d parts are repeated without a copy."""
    if all(column.ndim == 0 and column.item() == columns[0].item() for column in columns):
        return _repeated(columns[0], sum(counts))
    return np.concatenate([_repeated(column, count) for column, count in zip(columns, counts, strict=True)])


def _repeated(column: Array, count: int) -> Array:
    """Broadcast a 0-d column, ten times as fast as ``np.broadcast_to``, which small batches would notice."""
    if column.ndim:
        return column
    repeated: Array = np.ndarray(count, column.dtype, buffer=column, strides=(0,))
    repeated.flags.writeable = False
    return repeated


class _Batch(Batch[Solutions]):
    """Batches of rows: arrays, rows of any length, positions."""

    def parts(
        self,
        positions: "npt.ArrayLike | Iterable[Any]",
        limits: Limits | None,
        plan: Plan,
        total: int | None = None,
        *,
        opponent: Opponent | None = None,
        first: First | None = None,
        ties: Ties | None = None,
        line: bool = False,
    ) -> Parts:
        """See :meth:`gamecore.batch.spec.Batch.parts`. ``opponent``, ``first`` and ``ties`` apply to bare rows.

        With limits or ``line``, rows are solved one by one.
        """
        options = opponent, first, ties
        game = names_of(opponent or "optimal", first or ME, ties or "right")
        limits = limits_of(limits)
        limited = (limits.seconds, limits.nodes, limits.deadline) != (None, None, None)
        one_by_one = line or limited
        if isinstance(positions, np.ndarray) and positions.dtype != object:
            if positions.ndim != 2 or not positions.size or positions.dtype.kind not in "iuf":
                numbers(positions, "rows", 2)  # raises the error
            if not one_by_one:
                most = max(1, _BYTES[plan.executor is not None] // (positions.shape[1] * positions.itemsize))
                few = min(most, max(1, _FIRST * 52 // positions.shape[1]))
                source = _array_source(positions, plan.keeps_errors)
                return stream(functools.partial(_solve_array, game), source, plan, name="rows", first=few, most=most)
        if isinstance(positions, (str, bytes, Position)) or not isinstance(positions, Iterable):
            raise GamecoreError("rows: a 2-D array or a sequence of rows is meant")
        items = Items(positions, _Packer(options, game).pack, plan.keeps_errors, "rows", total)
        if one_by_one:
            task = functools.partial(_solve_one_by_one, game, limits if limited else None, line)
            in_turn = limits.deadline is not None
            return stream(task, items, plan, name="rows", first=1 if limited else 64, in_turn=in_turn)
        return stream(functools.partial(_solve_ragged, game), items, plan, name="rows", first=64)


BATCH: Final = _Batch(solve, Solutions.of)
solve_many = BATCH.solve_many  #: solve many positions, see [gamecore.batch.spec.Batch.solve_many][]
solve_iter = BATCH.solve_iter  #: yield solutions one by one, see [gamecore.batch.spec.Batch.solve_iter][]


# --- rows of any length ----------------------------------------------------------------------------------------------

_NOTHING: Final = Position([0])  # replaces a bad row
Rows: TypeAlias = "list[Position] | Array"  # a 2-D array holds bare rows of one length


class _Packer:
    """Reads positions, texts and bare rows; all must hold integers, or all floats.

    Args:
        options: opponent, first and ties of the call, for bare rows.
        game: what they name.
    """

    def __init__(self, options: tuple[object, object, object], game: Game) -> None:
        self._options, self._game = options, game
        self._kind = ""
        self._packed = 0
        self._first = 0

    def pack(self, items: list[Any]) -> tuple[Rows, dict[int, Exception]]:
        """Return the rows, and the errors of bad items by index."""
        begun = self._packed
        self._packed += len(items)
        errors: dict[int, Exception] = {}
        table = None if self._kind == "f" else _table_of(items)
        if table is not None:
            if not self._kind:
                self._kind, self._first = "i", begun
            return table, errors
        positions: list[Position] = []
        for place, item in enumerate(items):
            try:
                positions.append(self._position(item, begun + place))
            except GamecoreError as error:
                errors[place] = error
                positions.append(_NOTHING)
        return positions, errors

    def _position(self, item: Any, index: int) -> Position:
        if isinstance(item, GamecoreError):
            raise item
        if isinstance(item, (str, Position)):
            position = read(item, *self._options)
        else:
            position = Position._unchecked(numbers(item), *self._game)
            check_bound(position._bound)
        kind = position._row.dtype.kind
        if not self._kind:
            self._kind, self._first = kind, index
        if kind != self._kind:
            names = {"i": "integers", "f": "floats"}
            raise GamecoreError(
                f"a row of {names[kind]}, where rows[{self._first}] has {names[self._kind]}: a batch has one kind"
            )
        return position


def _table_of(items: list[Any]) -> Array | None:
    """Convert lists of integers of one length together, which is several times as fast; None for other items."""
    if not set(map(type, items)) <= {list, tuple} or len(set(map(len, items))) != 1 or not len(items[0]):
        return None
    if set(map(type, itertools.chain.from_iterable(items))) != {int}:
        return None
    try:
        table = np.array(items, np.int64)
    except OverflowError:
        return None
    return None if _row_errors(table) else table


def _solve_ragged(game: Game, rows: Rows) -> Solved:
    """Solve the totals of rows of any length; rows of one length and game are solved together."""
    if isinstance(rows, np.ndarray):
        return _solve_array(game, rows)
    search = Search(None, sum(len(position._row) for position in rows))
    groups: dict[tuple[int, Game], list[int]] = {}
    for k, position in enumerate(rows):
        groups.setdefault((len(position._row), _game_of(position)), []).append(k)
    wide = np.float64 if any(position._row.dtype.kind == "f" for position in rows) else np.int64
    mine, theirs, nodes = np.empty(len(rows), wide), np.empty(len(rows), wide), np.empty(len(rows), np.int64)
    for (_, one_game), members in groups.items():
        before = search.nodes
        table = np.stack([rows[k]._row for k in members])
        mine[members], theirs[members] = _same_length(table, one_game, search)
        nodes[members] = (search.nodes - before) // len(members)
    if any(position.mine or position.theirs for position in rows):
        mine += np.array([position.mine for position in rows], wide)
        theirs += np.array([position.theirs for position in rows], wide)
    columns = _columns_of(mine, theirs, _game_of(rows[0]), search) | {"nodes": nodes}
    if len({one_game for _, one_game in groups}) > 1:
        columns["opponent"] = np.array([MODES[position.opponent] for position in rows], np.uint8)
        columns["opponent_first"] = np.array([position.to_move == OPPONENT for position in rows])
    return columns, _NO_LINES


def _game_of(position: Position) -> Game:
    return position.opponent, position.to_move, position.ties


def _solve_one_by_one(game: Game, limits: Limits | None, line: bool, rows: Rows, turns: float = 1) -> Solved:
    """Solve rows with lines or within limits."""
    limits = None if limits is None else limits_of_chunk(limits, turns)
    positions = (Position._unchecked(row, *game) for row in rows) if isinstance(rows, np.ndarray) else rows
    return _columns_of_solutions([solve_position(position, limits, line) for position in positions])


def _columns_of_solutions(solutions: list[Solution]) -> Solved:
    """Return the columns of solutions, in the order of ``Solutions._make``, and the letters of all lines."""
    wide = np.float64 if any(isinstance(solution.lower, float) for solution in solutions) else np.int64
    lengths = np.array([len(solution.line) for solution in solutions], np.int64)
    ends = lengths.cumsum()
    columns: Columns = {
        "lower": np.array([solution.lower for solution in solutions], wide),
        "upper": np.array([solution.upper for solution in solutions], wide),
        "mine": np.array([solution.mine or 0 for solution in solutions], wide),
        "theirs": np.array([solution.theirs or 0 for solution in solutions], wide),
        "opponent": np.array([NAMES.index(solution.opponent) for solution in solutions], np.uint8),
        "opponent_first": np.array([solution.to_move == OPPONENT for solution in solutions], np.bool_),
        "best": np.array([_BEST.index(solution.best_moves) for solution in solutions], np.uint8),
        "nodes": np.array([solution.nodes for solution in solutions], np.int64),
        "seconds": np.array([solution.seconds for solution in solutions], np.float64),
        "line_start": ends - lengths,
        "line_end": ends,
    }
    return columns, np.frombuffer("".join(solution.line for solution in solutions).encode(), np.uint8)


# --- rows of one length ----------------------------------------------------------------------------------------------

_NO_LINES: Final = np.empty(0, np.uint8)


def _array_source(rows: Array, keep_errors: bool) -> Items:
    """Return a batch's source over the rows of a 2-D array, perhaps masked: chunks are slices."""
    mask = np.ma.getmaskarray(rows) if isinstance(rows, np.ma.MaskedArray) else None
    safe = rows.dtype.str[1:] in _SAFE and rows.shape[1] < 1 << 16
    table = np.asarray(rows)

    def pack(places: range) -> tuple[Array, dict[int, Exception]]:
        chosen = slice(places.start, places.stop)
        part = table[chosen]
        errors = {} if safe else _row_errors(part)
        for place, masked in enumerate(() if mask is None else mask[chosen]):
            if masked.any():
                errors[place] = GamecoreError(f"values[{int(masked.argmax())}] is masked")
        if errors:
            part = part.copy()
            part[list(errors)] = 0
        return part, errors

    return Items(range(len(rows)), pack, keep_errors)


def _row_errors(rows: Array) -> dict[int, Exception]:
    """Return the errors of rows by index: values that are not finite, totals that overflow."""
    if _crude_bound(rows) < 1 << 62:
        return {}
    errors: dict[int, Exception] = {}
    for place, row in enumerate(rows):
        try:
            sums_of(numbers(row))
        except GamecoreError as error:
            errors[place] = error
    return errors


def _solve_array(game: Game, rows: Array) -> Solved:
    """Solve an array of valid rows."""
    search = Search(None, rows.size)
    mine, theirs = _same_length(numbers(rows, "rows", 2), game, search)
    return _columns_of(mine, theirs, game, search), _NO_LINES


def _columns_of(mine: Array, theirs: Array, game: Game, search: Search) -> Columns:
    """Return the columns of rows solved together, in one game and without moves."""
    return {
        "mine": mine,
        "theirs": theirs,
        "opponent": np.array(MODES[game[0]], np.uint8),
        "opponent_first": np.array(game[1] == OPPONENT),
        "best": np.array(0, np.uint8),
        "nodes": np.array(search.nodes // max(len(mine), 1)),
        "seconds": np.array(search.seconds() / max(len(mine), 1)),
        "line_start": np.array(0),
        "line_end": np.array(0),
    }


def _same_length(rows: Array, game: Game, search: Search) -> tuple[Array, Array]:
    """Return both totals of valid rows of one length."""
    count, n = rows.shape
    wide = np.float64 if rows.dtype.kind == "f" else np.int64
    mine, theirs = np.empty(count, dtype=wide), np.empty(count, dtype=wide)
    if not n:
        mine[:] = theirs[:] = 0
        return mine, theirs
    bound: Number = _crude_bound(rows)
    if not bound < 1 << 31:
        bound = max(sums_of(row)[0] for row in rows)
    opponent, to_move, ties = game
    if n > (_LANES_OPTIMAL if opponent == "optimal" else _LANES_OTHER) or not adds_exactly(rows, bound):
        for k, row in enumerate(rows):
            mine[k], theirs[k] = totals_of(Position._unchecked(row, *game), Search(None, n))
        return mine, theirs
    step = max(1, _BLOCK // n)
    for start in range(0, count, step):
        block = rows[start : start + step]
        cards = np.ascontiguousarray(narrow(block[:, ::-1] if ties == "left" else block, bound))
        got, total = np.empty(len(cards), cards.dtype), np.empty(len(cards), cards.dtype)
        search.run(_kernel.batch, MODES[opponent], cards, to_move == OPPONENT, got, total)
        mine[start : start + step] = got
        np.subtract(total, got, out=theirs[start : start + step], dtype=wide)
    return mine, theirs


def _crude_bound(rows: Array) -> float:
    """Bound every row's sum of absolute values: n times the largest absolute value; infinity for floats."""
    return math.inf if rows.dtype.kind == "f" else rows.shape[1] * max(abs(int(rows.max())), abs(int(rows.min())))
