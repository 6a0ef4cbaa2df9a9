"""Batches of rows, in threads or in any ``concurrent.futures.Executor``."""

import contextlib
import functools
import itertools
from collections.abc import Iterable
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from gamecore.batch.columns import Columns, SolutionColumns, Solved, in_words
from gamecore.batch.spec import Batch
from gamecore.batch.stream import Items, Parts, Plan, stream
from gamecore.errors import GamecoreError
from gamecore.kernels import rows as _kernel
from gamecore.limits import Limits, limits_of
from gamecore.rows._numbers import Array, Number, adds_exactly, checked_bound, narrowest, numbers
from gamecore.rows._position import First, Opponent, Position, Side, Ties, names_of, read, with_defaults
from gamecore.rows._results import Solution
from gamecore.rows._search import Search, totals_of
from gamecore.rows._solve import solve, solve_position
from gamecore.rows.opponents import BY_MODE, BY_NAME
from gamecore.text import checked_flag

Game: TypeAlias = tuple[str, Side, Ties]  # the opponent, the side to move, ties: as in Position
Rows: TypeAlias = "list[Position] | Array"  # a 2-D array holds bare rows of one length
_BYTES: Final = 1 << 25, 1 << 23  # bytes of an array's chunk: in threads, and when an executor copies it
_PIECE: Final = 1 << 18  # values converted for the kernel at once, which stay in the cache
_FIRST: Final = 4096  # rows in the first chunks of an array: decks take 50 ns
_BEST: Final = ((), ("L",), ("R",), ("L", "R"), ("R", "L"))  # best moves by their code in the columns
# Longer rows are solved one by one: by folding, or by the kernel for one long row.
_LANES_OPTIMAL: Final = 200
_LANES_OTHER: Final = 2000
_KINDS: Final = {  # of the columns, in the order of ``Solutions._make``
    "lower": "i8", "upper": "i8", "mine": "i8", "theirs": "i8", "opponent": "u1", "to_move": "u1", "best": "u1",
    "nodes": "i8", "seconds": "f8",
}  # fmt: skip
_VALUES: Final = "lower", "upper", "mine", "theirs"  # columns that are float64 in a batch of floats
_NOTHING: Final = Position([0])  # replaces a bad row; its columns hold zeros


class Solutions(SolutionColumns[Solution]):
    """The sequence of :class:`Solution` that ``solve_many`` returns, held as columns.

    Without ``line``, solutions have totals and no moves. Columns hold zeros for errors. If a limit left only bounds,
    totals are unknown: None in the solution, masked in the columns.
    """

    _dtypes = _KINDS
    _sides = "me", "opponent"

    def _plain(self, name: str) -> "list[Any] | Array":
        if name in ("mine", "theirs"):
            return self._known(self._columns[name])
        if name == "difference":
            return self._known(self._columns["mine"] - self._columns["theirs"])
        if name == "opponent":
            return in_words([BY_MODE.get(mode, "") for mode in range(max(BY_MODE) + 1)], self._columns["opponent"])
        return np.zeros(len(self), np.int64) if name == "table_bytes" else super()._plain(name)

    def _lines(self) -> list[Any]:
        moves = bytes(self._moves).decode()
        return [moves[start:end] for start, end in self._ranges()]

    def _best(self) -> list[Any]:
        return in_words(_BEST, self._columns["best"])

    def _make(self, row: Any, moves: list[int]) -> Solution:
        lower, upper, mine, theirs, mode, to_move, best, nodes, seconds = row
        if lower < upper:
            mine = theirs = None
        side, line = "opponent" if to_move else "me", bytes(moves).decode()
        totals = {"mine": mine, "theirs": theirs, "opponent": BY_MODE[mode]}
        return Solution._made(lower, upper, side, _BEST[best], line, nodes, seconds, 0, totals)

    @property
    def mine(self) -> Array:
        """(n,) int64 or float64: my totals; masked if only bounds are known."""
        return self._totals("mine")

    @property
    def theirs(self) -> Array:
        """(n,) int64 or float64: the opponents' totals; masked if only bounds are known."""
        return self._totals("theirs")

    @property
    def difference(self) -> Array:
        """(n,) int64 or float64: ``mine - theirs``, whoever is to move; masked if only bounds are known."""
        result: Array = self.mine - self.theirs
        return result

    def _totals(self, name: str) -> Array:
        unknown = self.lower < self.upper
        return np.ma.masked_array(self._columns[name], unknown) if unknown.any() else self._columns[name]


class _Batch(Batch[Solutions]):
    """Batches of rows: arrays, rows of any length, positions."""

    def parts(
        self,
        positions: "npt.ArrayLike | Iterable[Any]",
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
        line, game = checked_flag(line, "line"), names_of(*with_defaults(opponent, first, ties))
        limits = limits_of(limits)
        limited = (limits.seconds, limits.nodes, limits.deadline) != (None, None, None)
        task = functools.partial(_solve_together, game)
        sizes = {"first": 64}
        if isinstance(positions, np.ndarray) and positions.dtype != object:
            if positions.ndim != 2 or not positions.size or positions.dtype.kind not in "iuf":
                numbers(positions, "rows", 2)  # raises the error
            source = Items(range(len(positions)), functools.partial(_packed, positions), plan, "rows")
            width = positions.shape[1]
            most = max(1, _BYTES[plan.executor is not None] // (width * positions.itemsize))
            sizes = {"first": min(most, max(1, _FIRST * 52 // width)), "most": most}
        elif isinstance(positions, (str, bytes, Position)) or not isinstance(positions, Iterable):
            raise GamecoreError("rows: a 2-D array or a sequence of rows is meant")
        else:
            source = Items(positions, _Packer(opponent, first, ties).pack, plan, "rows")
        if line or limited:
            task = functools.partial(_solve_one_by_one, game, line)
            sizes = {"first": 1 if limited else 64}
        return stream(task, source, limits=limits if limited else None, **sizes)


BATCH: Final = _Batch(solve, Solutions.of)
solve_many = BATCH.solve_many  #: solve many positions, see [gamecore.batch.spec.Batch.solve_many][]
solve_iter = BATCH.solve_iter  #: yield solutions one by one, see [gamecore.batch.spec.Batch.solve_iter][]


# --- packing ---------------------------------------------------------------------------------------------------------


def _packed(rows: Array, places: range) -> tuple[Array, dict[int, Exception]]:
    """Return rows of a 2-D array, perhaps masked, and the errors of bad rows by place."""
    part = rows[places.start : places.stop]
    part = part.astype(part.dtype.newbyteorder("="), copy=False)
    errors, part = _row_errors(part), np.asarray(part)
    if errors:
        part = part.copy()
        part[list(errors)] = 0
    return part, errors


def _row_errors(rows: Array) -> dict[int, Exception]:
    """Return the errors of rows by index: values that are masked, not finite or not exact, totals that overflow."""
    values = np.asarray(rows)
    suspect = np.full(len(rows), values.itemsize > 8)
    if isinstance(rows, np.ma.MaskedArray):
        suspect |= np.ma.getmaskarray(rows).any(axis=1)
    if values.dtype.kind == "f" or (values.itemsize > 2 and _crude_bound(values) >= 1 << 62):
        with np.errstate(invalid="ignore", over="ignore"):
            suspect |= ~(np.abs(values, dtype=np.float64, casting="same_kind").sum(axis=1) < 1 << 62)
    errors: dict[int, Exception] = {}
    for place in np.flatnonzero(suspect).tolist():
        try:
            checked_bound(numbers(rows[place]))
        except GamecoreError as error:
            errors[place] = error
    return errors


def _crude_bound(rows: Array) -> int:
    """Bound every row's sum of absolute integers: n times the largest one."""
    return int(rows.shape[1]) * max(abs(int(rows.max())), abs(int(rows.min())))


class _Packer:
    """Reads positions, texts and bare rows; all must hold integers, or all floats.

    Args:
        options: opponent, first and ties of the call, for bare rows.
    """

    def __init__(self, *options: object) -> None:
        self._options = options
        self._kind = ""  # of the batch: "i" or "f", unknown at first

    def pack(self, items: list[Any]) -> tuple[Rows, dict[int, Exception]]:
        """Return the rows, and the errors of bad items by index."""
        errors: dict[int, Exception] = {}
        table = _table_of(items)
        if table is not None and table.dtype.kind in (self._kind or "if"):
            self._kind = table.dtype.kind
            return table, errors
        positions = [_NOTHING] * len(items)
        for place, item in enumerate(items):
            try:
                positions[place] = self._position(item)
            except GamecoreError as error:
                errors[place] = error
        return positions, errors

    def _position(self, item: Any) -> Position:
        if isinstance(item, GamecoreError):
            raise item
        position = read(item, *self._options)
        kind = position._row.dtype.kind
        self._kind = self._kind or kind
        if kind != self._kind:
            names = {"i": "integers", "f": "floats"}
            raise GamecoreError(f"a row of {names[kind]} in a batch of {names[self._kind]}: a batch has one kind")
        return position


def _table_of(items: list[Any]) -> Array | None:
    """Convert lists of one length together, which is several times as fast; None if one of them is no good row."""
    if not set(map(type, items)) <= {list, tuple} or len(set(map(len, items))) != 1:
        return None
    with contextlib.suppress(GamecoreError):
        table: Array = numbers(list(itertools.chain.from_iterable(items))).reshape(len(items), -1)
        return None if _row_errors(table) else table
    return None


# --- solving ---------------------------------------------------------------------------------------------------------


def _solve_one_by_one(game: Game, line: bool, rows: Rows, limits: Limits | None = None) -> Solved:
    """Solve rows with lines or within limits."""
    if isinstance(rows, np.ndarray):
        rows = [Position._unchecked(row, *game) for row in numbers(rows, "rows", 2)]
    return _columns([solve_position(position, limits, line) for position in rows])


def _columns(solutions: list[Solution]) -> Solved:
    """Return the columns of solutions and the letters of all lines."""
    columns = _empty_columns(len(solutions), any(isinstance(solution.lower, float) for solution in solutions))
    table = [
        (
            solution.lower, solution.upper, solution.mine or 0, solution.theirs or 0, BY_NAME[solution.opponent].mode,
            solution.to_move == "opponent", _BEST.index(solution.best_moves), solution.nodes, solution.seconds,
        )
        for solution in solutions
    ]  # fmt: skip
    for name, values in zip(_KINDS, zip(*table, strict=True), strict=True):
        columns[name][:] = values
    columns["line_end"] = np.cumsum([len(solution.line) for solution in solutions], dtype=np.int64)
    return columns, np.frombuffer("".join(solution.line for solution in solutions).encode(), np.uint8)


def _empty_columns(count: int, is_real: bool) -> Columns:
    """Return columns of zeros; ``is_real``: of a batch of floats."""
    columns = Solutions.zeros(count)
    return columns | {name: np.zeros(count) for name in _VALUES} if is_real else columns


def _solve_together(game: Game, rows: Rows) -> Solved:
    """Solve the totals of rows of any length; rows of one length and game are solved together."""
    tables: list[tuple[Game, Any, Array]] = []  # the game, the places, the values
    if isinstance(rows, list):
        groups: dict[tuple[int, Game], list[int]] = {}
        for place, position in enumerate(rows):
            key = len(position._row), (position.opponent, position.to_move, position.ties)
            groups.setdefault(key, []).append(place)
        for (_, group), members in groups.items():
            tables.append((group, members, np.stack([rows[place]._row for place in members])))
    else:
        tables.append((game, slice(None), numbers(rows, "rows", 2) if rows.dtype.kind == "f" else rows))
    search = Search(None, sum(table.size for *_, table in tables))
    columns = _empty_columns(len(rows), any(table.dtype.kind == "f" for *_, table in tables))
    mine, theirs, to_move = columns["mine"], columns["theirs"], columns["to_move"]
    for group, members, table in tables:
        before = search.nodes
        mine[members], theirs[members] = _totals(table, group, search)
        columns["nodes"][members] = (search.nodes - before) // len(table)
        columns["opponent"][members], to_move[members] = BY_NAME[group[0]].mode, group[1] == "opponent"
    if isinstance(rows, list) and any(position.mine or position.theirs for position in rows):
        mine += np.array([position.mine for position in rows], mine.dtype)
        theirs += np.array([position.theirs for position in rows], mine.dtype)
    value = mine - theirs
    if to_move.any():
        value = np.where(to_move, theirs - mine, value)
    columns["lower"] = columns["upper"] = value
    columns["seconds"][:] = search.seconds() / max(len(rows), 1)
    return columns, np.empty(0, np.uint8)


def _totals(rows: Array, game: Game, search: Search) -> tuple[Array, Array]:
    """Return both totals of valid rows of one length."""
    (count, n), (opponent, to_move, ties) = rows.shape, game
    rule = BY_NAME[opponent]
    if not n:
        return np.zeros(count, rows.dtype), np.zeros(count, rows.dtype)
    bound: Number = 0 if rows.dtype.kind == "f" else _crude_bound(rows)
    if rows.dtype.kind == "f" or bound >= 1 << 31:
        bound = np.abs(rows, dtype=rows.dtype if rows.itemsize == 8 else np.int64).sum(axis=1).max().item()
    if n > (_LANES_OPTIMAL if rule.folds else _LANES_OTHER) or not adds_exactly(rows, bound):
        valid = numbers(rows, "rows", 2)
        totals = np.array([totals_of(Position._unchecked(row, *game), Search(None, n)) for row in valid])
        return totals[:, 0], totals[:, 1]
    wide, kind = np.float64 if rows.dtype.kind == "f" else np.int64, narrowest(rows, bound)
    mine, theirs = np.empty(count, wide), np.empty(count, wide)
    step = min(max(1, _PIECE // n), count)
    cards, some, total = np.empty((step, n), kind), np.empty(step, kind), np.empty(step, kind)
    for start in range(0, count, step):
        part = rows[start : start + step]
        cards, some, total = cards[: len(part)], some[: len(part)], total[: len(part)]
        cards[:] = part[:, ::-1] if ties == "left" else part
        search.run(_kernel.batch, rule.mode, cards, to_move == "opponent", some, total)
        mine[start : start + step] = some
        np.subtract(total, some, out=theirs[start : start + step])
    return mine, theirs
