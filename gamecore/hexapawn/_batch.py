"""Many Hexapawn positions at once: ``gamecore.hexapawn`` offers what is here."""

import functools
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, Final, overload

import numpy as np
from numpy.typing import NDArray

from gamecore import batch, kernels
from gamecore.batch import _workers
from gamecore.batch._columns import Answers, Columnar, Columns, ColumnSource, positions_of
from gamecore.hexapawn._position import Move, Position
from gamecore.hexapawn._text import BLACK, WHITE, Color, move_name
from gamecore.errors import GamecoreError, OptionError
from gamecore.hexapawn import DEFAULT_TABLE_MB, Solution, parse
from gamecore.limits import KernelLimits, Limits

if TYPE_CHECKING:
    from gamecore.kernels.baseline import hexapawn as _kernel
else:
    _kernel = kernels.kernel("hexapawn")

Payload = tuple[NDArray[np.int8], NDArray[np.int8], NDArray[np.uint64], NDArray[np.uint64], NDArray[np.uint8]]

_FIRST_LINE: Final = 2  # of the kernel: lines that do not depend on what the table holds
_KINDS = {"rows": np.int8, "cols": np.int8, "white": np.uint64, "black": np.uint64, "to_move": np.uint8}


class PositionArray(Columnar[Position]):
    """Positions as columns: what ``solve_many`` reads fastest. A sequence of :class:`Position`.

    Args:
        rows, cols, white, black: as for :class:`Position`. to_move: 0 for white, 1 for black. A number stands for a
            whole column.

    Positions are checked one by one when they are used, so that a bad one is its own error.

    Raises:
        OptionError: columns of different lengths, or not of integers that fit.
    """

    __slots__ = ()

    def __init__(self, rows: Any, cols: Any, white: Any, black: Any, to_move: Any = 0) -> None:
        """Keep the columns."""
        super().__init__({"rows": rows, "cols": cols, "white": white, "black": black, "to_move": to_move}, _KINDS)

    @overload
    def __getitem__(self, index: int) -> Position: ...
    @overload
    def __getitem__(self, index: slice) -> "PositionArray": ...
    def __getitem__(self, index: int | slice) -> "Position | PositionArray":
        """One position, or a slice."""
        if isinstance(index, slice):
            return self._take(index)
        at = range(len(self))[index]
        return _checked(*(column[at].item() for column in self._columns.values()))


def _checked(rows: int, cols: int, white: int, black: int, to_move: int) -> Position:
    if to_move > 1:
        raise OptionError(f"to_move has to be 0 (white) or 1 (black), not {to_move}")
    return Position(rows, cols, white, black, BLACK if to_move else WHITE)


class Solutions(Answers[Solution]):
    """The answers of ``solve_many``: a sequence of :class:`Solution` that holds columns."""

    __slots__ = ()

    _dtypes = {  # noqa: RUF012
        "lower": np.int16,
        "upper": np.int16,
        "nodes": np.int64,
        "seconds": np.float64,
        "table_bytes": np.int64,
        "winner": np.int8,
        "distance_lower": np.int16,
        "distance_upper": np.int16,
        "replacements": np.int64,
        "cols": np.int8,
        "line_start": np.int64,
        "line_end": np.int64,
    }
    _moves_dtype = np.uint8

    def _make(self, row: Any, moves: list[int]) -> Solution:
        lower, upper, nodes, seconds, table_bytes, winner, least, most, replacements, cols, _, _ = row
        line = tuple([move_name(source, target, cols) for source, target in zip(moves[::2], moves[1::2], strict=True)])
        solution = object.__new__(Solution)
        vars(solution).update(
            lower=lower,
            upper=upper,
            best_move=line[0] if line else None,
            line=line,
            nodes=nodes,
            seconds=seconds,
            table_bytes=table_bytes,
            winner=_WINNERS[winner],
            distance_lower=least,
            distance_upper=most,
            replacements=replacements,
        )
        return solution

    @property
    def winners(self) -> NDArray[np.int8]:
        """(n,) int8: 1 where white wins, -1 where black does, 0 where that is not proven."""
        return self._columns["winner"]

    @property
    def best_moves(self) -> list[Move | None]:
        """The best moves, as ``Solution.best_move``."""
        starts, ends, cols = (self._columns[name].tolist() for name in ("line_start", "line_end", "cols"))
        moves = self._moves
        return [
            move_name(int(moves[start]), int(moves[start + 1]), width) if end > start else None
            for start, end, width in zip(starts, ends, cols, strict=True)
        ]


_WINNERS: Final[tuple[Color | None, ...]] = (None, WHITE, BLACK)  # by 0, 1 and -1


_NOTHING: Final = Position(2, 1, 0, 0)  # in the place of a bad item


def _pack(items: list[Any]) -> tuple[Payload, dict[int, Exception]]:
    """Positions, or judge's texts of them, as the kernel's columns."""
    items, errors = positions_of(items, _NOTHING, parse, "hexapawn")
    count = len(items)
    return (
        np.fromiter([position.rows for position in items], np.int8, count),
        np.fromiter([position.cols for position in items], np.int8, count),
        np.fromiter([position.white for position in items], np.uint64, count),
        np.fromiter([position.black for position in items], np.uint64, count),
        np.fromiter([position.to_move == BLACK for position in items], np.uint8, count),
    ), errors


def _pack_columns(
    rows: NDArray[np.int8],
    cols: NDArray[np.int8],
    white: NDArray[np.uint64],
    black: NDArray[np.uint64],
    to_move: NDArray[np.uint8],
) -> tuple[Payload, dict[int, Exception]]:
    size = rows.astype(np.uint64) * cols.astype(np.uint64)
    # A shift by 64 or more, or of a bad size, means nothing, but those are found by the size.
    line = (np.uint64(1) << np.clip(cols, 0, 63).astype(np.uint64)) - np.uint64(1)
    top = np.clip(size - cols.astype(np.uint64), 0, 63)
    outside = np.where(size < 64, (white | black) >> np.minimum(size, np.uint64(63)), np.uint64(0))
    white_there, black_there = (white >> top) != 0, (black & line) != 0
    bad = (rows < 2) | (cols < 1) | (cols > 64) | (size > 64) | (to_move > 1)
    bad |= ((white & black) != 0) | (outside != 0) | (white_there & black_there)
    bad |= (white_there & (to_move == 0)) | (black_there & (to_move == 1))
    errors: dict[int, Exception] = {}
    columns: Columns = {"rows": rows, "cols": cols, "white": white, "black": black, "to_move": to_move}
    for place in np.flatnonzero(bad).tolist():
        try:
            _checked(*(column[place].item() for column in columns.values()))
        except GamecoreError as error:
            errors[place] = error
    if not errors:
        return (rows, cols, white, black, to_move), errors
    wrong = np.zeros(len(rows), np.bool_)
    wrong[list(errors)] = True
    fill = {"rows": 2, "cols": 1, "white": 0, "black": 0, "to_move": 0}
    for name, value in fill.items():
        columns[name] = np.where(wrong, columns[name].dtype.type(value), columns[name])
    return (columns["rows"], columns["cols"], columns["white"], columns["black"], columns["to_move"]), errors


def solve_chunk(
    limits: KernelLimits, line: bool, total: int | None, payload: Payload
) -> tuple[Columns, NDArray[np.uint8]]:
    """The task of a batch (of ``total`` positions, if known): packed positions in, columns and squares of lines out.

    Positions of one board size share a table. Under limits each has an empty one, so that what is proven of it does
    not depend on what came before.
    """
    rows, cols, white, black, turn = payload
    wide = np.zeros(len(rows), np.uint8)
    _kernel.wide_ones(rows, cols, white, black, wide)
    kinds = np.stack((rows, cols, wide.view(np.int8)), axis=1)
    if (kinds == kinds[0]).all():
        return _solve_alike(kinds[0], limits, line, total, white, black, turn)
    columns: Columns = {}
    moves: dict[int, NDArray[np.uint8]] = {}
    # As one number each: comparing whole rows, NumPy makes a TypeError of a Ctrl-C that comes just then.
    codes = rows.astype(np.int32) << 16 | cols.astype(np.int32) << 8 | wide
    for code in np.unique(codes):
        members = np.flatnonzero(codes == code)
        some = white[members], black[members], turn[members]
        found, played = _solve_alike(kinds[members[0]], limits, line, total, *some)
        for name, column in found.items():
            columns.setdefault(name, np.zeros(len(rows), column.dtype))[members] = column
        ends = found["line_end"]
        starts = np.concatenate(([0], ends[:-1]))
        for at, begin, end in zip(members.tolist(), starts.tolist(), ends.tolist(), strict=True):
            moves[at] = played[begin:end]
    lines = [moves[at] for at in range(len(rows))]
    columns["line_end"] = np.cumsum([len(played) for played in lines], dtype=np.int64)
    return columns, np.concatenate(lines)


def _solve_alike(
    kind: NDArray[np.int8],
    limits: KernelLimits,
    line: bool,
    total: int | None,
    white: NDArray[np.uint64],
    black: NDArray[np.uint64],
    turn: NDArray[np.uint8],
) -> tuple[Columns, NDArray[np.uint8]]:
    """``solve_chunk`` for positions of one board size and layout."""
    rows, cols, wide = kind.tolist()
    count = len(white)
    limited = limits.seconds >= 0 or limits.nodes > 0
    solver = _solver(rows, cols, bool(wide), limits.table_bytes, total, limited)
    winner = np.zeros(count, np.int8)
    least, most = np.zeros(count, np.int16), np.zeros(count, np.int16)
    nodes, nanoseconds, table_bytes, replacements, line_end = (np.zeros(count, np.int64) for _ in range(5))
    with _workers.stoppable(solver.stop):
        moves = solver.solve_batch(
            white, black, turn, limits.seconds, limits.nodes, _FIRST_LINE if line else 0, limited,
            winner, least, most, nodes, nanoseconds, table_bytes, replacements, line_end,
        )  # fmt: skip
    columns: Columns = {
        "lower": np.select((winner > 0, winner < 0), (least, -most), -(most & ~1)),
        "upper": np.select((winner > 0, winner < 0), (most, -least), (most - 1) | 1),
        "nodes": nodes,
        "seconds": nanoseconds * 1e-9,
        "table_bytes": table_bytes,
        "winner": np.where(turn == 1, -winner, winner),
        "distance_lower": least,
        "distance_upper": most,
        "replacements": replacements,
        "cols": np.full(count, cols, np.int8),
        "line_end": line_end,
    }
    return columns, np.frombuffer(moves, np.uint8)


def _shared_bytes(squares: int, total: int | None) -> int:
    """The table that threads share, which has its full size from the start: no larger than a batch can use."""
    if squares > 25:
        return 64 << 20 if squares <= 30 else 256 << 20
    return min(max(64 * (total or 1 << 18), 1 << 20), 64 << 20)


def _solver(rows: int, cols: int, wide: bool, table_bytes: int, total: int | None, alone: bool) -> "_kernel.Solver":
    """The solver of this thread for a board size; threads of one batch share its table where the processor can."""
    mine: dict[Any, _kernel.Solver] = _workers.kept()
    key = rows, cols, wide, table_bytes
    if key in mine:
        return mine[key]
    common = None if alone or wide else _workers.common()
    if common is None:
        mine[key] = _kernel.Solver(rows, cols, wide, table_bytes)
        return mine[key]
    with common.lock:
        main = common.things.get(key)
        if main is not None:
            mine[key] = _kernel.Solver(rows, cols, False, 0, main)
        else:
            most = _shared_bytes(rows * cols, total)
            mine[key] = _kernel.Solver(rows, cols, False, min(most, table_bytes))
            if mine[key].open_up(most):
                common.things[key] = mine[key]
    return mine[key]


def parts(
    positions: Iterable[Any], limits: Limits | None, line: bool, plan: batch.Plan, total: int | None = None
) -> batch.Parts:
    """The parts of a batch; ``Solutions.of`` makes answers of them. Positions that are errors are bad ones."""
    source: batch.Source
    if isinstance(positions, PositionArray):
        source = ColumnSource(positions, _pack_columns, plan.keeps_errors)
    else:
        source = batch.Items(positions, _pack, np.concatenate, plan.keeps_errors, "positions", total)
    task = functools.partial(solve_chunk, (limits or Limits()).for_kernel(DEFAULT_TABLE_MB), line, source.total)
    return batch.stream(task, source, plan, name="positions")


def solve_many(positions: Iterable[Any], limits: Limits | None, line: bool, plan: batch.Plan) -> Solutions:
    """See ``hexapawn.solve_many``."""
    return batch.gather(parts(positions, limits, line, plan), Solutions.of)


def solve_iter(positions: Iterable[Any], limits: Limits | None, line: bool, plan: batch.Plan) -> Iterator[Solution]:
    """See ``hexapawn.solve_iter``."""
    return batch.flattened(parts(positions, limits, line, plan), lambda part: Solutions.of([part]))
