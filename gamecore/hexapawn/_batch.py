"""Many Hexapawn positions at once: columns in, columns out."""

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from gamecore.batch.columns import Payload, SolutionColumns, Solved, for_kernel, in_words
from gamecore.batch.spec import BatchSpec
from gamecore.batch.workers import current_run, stoppable
from gamecore.contract import check_columns
from gamecore.hexapawn._position import BLACK, WHITE, Color, Position, move_name
from gamecore.hexapawn._solve import DEFAULT_TABLE_MB, FIRST_LINE, Solution, empty_solver
from gamecore.hexapawn._text import read
from gamecore.kernels import hexapawn as _kernel
from gamecore.limits import KernelLimits, Limits

_KINDS: Final = {"rows": np.int8, "columns": np.int8, "white": np.uint64, "black": np.uint64, "to_move": np.uint8}
_WRITTEN: Final = (  # columns that the kernel fills
    "winner", "distance_lower", "distance_upper", "nodes", "table_bytes", "replacements", "line_end",
)  # fmt: skip
_WINNERS: Final[tuple[Color | None, ...]] = (None, WHITE, BLACK)  # by 0, 1 and -1


class Solutions(SolutionColumns[Solution]):
    """The sequence of :class:`Solution` that ``solve_many`` returns, held as columns.

    ``lower`` and ``upper`` are values for each position's side to move.
    """

    _dtypes = {  # noqa: RUF012
        **SolutionColumns._dtypes,
        "winner": np.int8,
        "distance_lower": np.int16,
        "distance_upper": np.int16,
        "replacements": np.int64,
        "columns": np.int8,
    }

    _sides = WHITE, BLACK

    def _plain(self, name: str) -> "list[Any] | NDArray[Any]":
        if name == "winner":
            return in_words(_WINNERS, self._columns["winner"])
        if name == "question":
            return ["distance"] * len(self)
        return self._known(self._columns["distance_lower"]) if name == "plies" else super()._plain(name)

    def _lines(self) -> list[Any]:
        moves = self._moves.tolist()
        lines = zip(self._ranges(), self._columns["columns"].tolist(), strict=True)
        return [_line_of(moves[start:end], columns) for (start, end), columns in lines]

    def _make(self, row: Any, moves: list[int]) -> Solution:
        to_move, lower, upper, nodes, seconds, table_bytes, winner, least, most, replacements, columns = row
        line = _line_of(moves, columns)
        winner, side = _WINNERS[winner], BLACK if to_move else WHITE
        ends = {"winner": winner, "distance_lower": least, "distance_upper": most, "replacements": replacements}
        return Solution._made(lower, upper, side, line[:1], line, nodes, seconds, table_bytes, ends)

    @property
    def winners(self) -> NDArray[np.int8]:
        """(n,) int8: 1 if white wins, -1 if black wins, 0 if neither is proven."""
        return self._columns["winner"]


def _line_of(squares: list[int], columns: int) -> tuple[str, ...]:
    """Return the moves between squares: the source and the target of each."""
    pairs = zip(squares[::2], squares[1::2], strict=True)
    return tuple([move_name(source, target, columns) for source, target in pairs])


def _pack(positions: list[Position]) -> Payload:
    """Return positions as the kernel's columns."""
    items = [(item.rows, item.columns, item.white, item.black, item.to_move == BLACK) for item in positions]
    return tuple(map(np.array, zip(*items, strict=True), _KINDS.values()))


def solve_chunk(line: bool, total: int | None, payload: Payload, limits: Limits) -> Solved:
    """Solve a chunk of packed positions of a batch of ``total`` (None: unknown); return columns and the lines' squares.

    Positions of one board size share a table. Under limits each gets an empty one: results do not depend on the others.
    """
    rows, columns, white, black, turn = for_kernel(payload)
    wide = np.zeros(len(rows), np.uint8)
    _kernel.need_wide(rows, columns, white, black, wide)
    # One number a board: when NumPy compares whole rows, a Ctrl-C becomes a TypeError.
    boards = rows.astype(np.int32) << 16 | columns.astype(np.int32) << 8 | wide
    order = np.argsort(boards, kind="stable")
    groups = np.split(order, np.flatnonzero(np.diff(boards[order])) + 1)
    within = limits.for_kernel(DEFAULT_TABLE_MB)
    parts = [
        _solve_one_board(int(boards[at[0]]), (white[at], black[at], turn[at]), within, line, total) for at in groups
    ]
    if len(parts) == 1:
        return parts[0]
    places = np.argsort(order)  # of the positions in the parts
    results = {name: np.concatenate([solved[name] for solved, _ in parts])[places] for name in parts[0][0]}
    by_part = [part for solved, squares in parts for part in np.split(squares, solved["line_end"][:-1])]
    lines = [by_part[place] for place in places.tolist()]
    results["line_end"] = np.cumsum([len(squares) for squares in lines], dtype=np.int64)
    return results, np.concatenate(lines)


def _solve_one_board(board: int, payload: Payload, limits: KernelLimits, line: bool, total: int | None) -> Solved:
    """Solve a chunk of one board size and layout, ``board = rows << 16 | columns << 8 | wide``."""
    rows, columns, wide = board >> 16, board >> 8 & 255, bool(board & 255)
    white, black, turn = payload
    limited = limits.seconds >= 0 or limits.nodes > 0
    want_line = FIRST_LINE if line and not limited else line
    solver = _solver(rows, columns, wide, limits.table_bytes, total, limited)
    results = Solutions.zeros(len(white))
    winner, least, most, nodes, table_bytes, replacements, ends = (results[name] for name in _WRITTEN)
    nanoseconds = np.zeros(len(white), np.int64)
    with stoppable(solver.stop):
        moves = solver.solve_batch(
            white, black, turn, limits.seconds, limits.nodes, want_line, limited,
            winner, least, most, nodes, nanoseconds, table_bytes, replacements, ends,
        )  # fmt: skip

    def position_at(index: int) -> Position:
        return Position(rows, columns, int(white[index]), int(black[index]), BLACK if turn[index] else WHITE)

    lower = np.select((winner > 0, winner < 0), (least, -most), -(most & ~1))
    upper = np.select((winner > 0, winner < 0), (most, -least), (most - 1) | 1)
    check_columns(lower, upper, position_at)
    results |= {"to_move": turn, "lower": lower, "upper": upper, "seconds": nanoseconds * 1e-9}
    results["winner"] = np.where(turn == 1, -winner, winner)
    results["columns"][:] = columns
    return results, np.frombuffer(moves, np.uint8)


def _shared_bytes(squares: int, total: int | None) -> int:
    """Return the size of the threads' shared table. It never grows, so it is sized for the batch."""
    if squares > 25:
        return 64 << 20 if squares <= 30 else 256 << 20
    return min(max(64 * (total or 1 << 18), 1 << 20), 64 << 20)


def _solver(rows: int, columns: int, wide: bool, table_bytes: int, total: int | None, alone: bool) -> "_kernel.Solver":
    """Return this thread's solver for a board size; a batch's threads share its table."""
    run = current_run()
    mine: dict[Any, _kernel.Solver] = {} if run is None else vars(run.local)
    key = f"{rows} {columns} {wide} {table_bytes}"
    if key in mine:
        return mine[key]
    if alone or run is None or not run.threads:
        mine[key] = empty_solver(wide, rows, columns, table_bytes)
        return mine[key]
    with run.lock:
        if key in run.shared:
            mine[key] = type(run.shared[key])(rows, columns, 0, run.shared[key])
        else:
            most = _shared_bytes(rows * columns, total)
            solver = empty_solver(wide, rows, columns, min(most, table_bytes))
            solver.share_table(most)
            mine[key] = run.shared[key] = solver
    return mine[key]


BATCH: Final = BatchSpec(solve_chunk, Solutions.of, read=read, pack=_pack, placeholder=Position(2, 1, 0, 0))
solve_many = BATCH.solve_many  #: solve many positions, see [gamecore.batch.spec.Batch.solve_many][]
solve_iter = BATCH.solve_iter  #: yield solutions one by one, see [gamecore.batch.spec.Batch.solve_iter][]
