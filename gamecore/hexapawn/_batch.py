"""Many Hexapawn positions at once: columns in, columns out."""

from typing import Any, Final

import numpy as np

from gamecore.batch.columns import Array, Column, Payload, SolutionColumns, Solved, Values, for_kernel, words_at
from gamecore.batch.spec import BatchSpec
from gamecore.batch.workers import Run, current_run, stoppable
from gamecore.contract import check_columns
from gamecore.hexapawn._position import BLACK, WHITE, Color, Position, move_name, read
from gamecore.hexapawn._solve import DEFAULT_TABLE_MB, FIRST_LINE, Solution, empty_solver
from gamecore.kernels import hexapawn as _kernel
from gamecore.limits import Limits

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
    _more = "winner", "distance_lower", "distance_upper", "replacements"

    def _plain(self, name: str) -> Column:
        if name == "winner":
            return words_at(_WINNERS, self._columns["winner"])
        if name == "question":
            return ["distance"] * len(self)
        return self._known(self._columns["distance_lower"]) if name == "plies" else super()._plain(name)

    def _lines(self) -> Values:
        moves = self._moves.tolist()
        lines = zip(self._ranges(), self._columns["columns"].tolist(), strict=True)
        return [_line_of(moves[start:end], columns) for (start, end), columns in lines]


def _line_of(squares: list[int], columns: int) -> tuple[str, ...]:
    """Return the moves between squares: the source and the target of each."""
    pairs = zip(squares[::2], squares[1::2], strict=True)
    return tuple([move_name(source, target, columns) for source, target in pairs])


def _pack(positions: list[Position]) -> Payload:
    """Return positions as the kernel's columns; the first is a number for each board and layout."""
    wide = _kernel.needs_wide
    items = [
        (
            item.rows << 16 | item.columns << 8 | wide(item.rows, item.columns, item.white, item.black),
            item.white, item.black, item.to_move == BLACK,
        )
        for item in positions
    ]  # fmt: skip
    return tuple(map(np.array, zip(*items, strict=True), (np.int32, np.uint64, np.uint64, np.uint8)))


def solve_chunk(line: bool, total: int | None, payload: Payload, limits: Limits) -> Solved:
    """Solve a chunk of packed positions of a batch of ``total`` (None: unknown); return columns and the lines' squares.

    Positions of one board share a table. Under limits each gets an empty one: results do not depend on the others.
    """
    payload, run = for_kernel(payload), current_run()
    solvers = {} if run is None else vars(run.local)
    ends = np.flatnonzero(np.diff(payload[0])) + 1  # where the board changes
    columns, lines = list[dict[str, Array]](), list[Array]()
    for board, *positions in zip(*(np.split(column, ends) for column in payload), strict=True):
        results, squares = _solve_one_board(int(board[0]), positions, limits, line, total, solvers)
        results["line_end"] += sum(map(len, lines))
        columns.append(results)
        lines.append(squares)
    return {name: np.concatenate([part[name] for part in columns]) for name in columns[0]}, np.concatenate(lines)


def _solve_one_board(
    board: int, positions: list[Array], limits: Limits, line: bool, total: int | None, solvers: dict[str, Any]
) -> Solved:
    """Solve positions of one board; ``board``: as in :func:`_pack`; ``solvers``: this thread's."""
    rows, columns = board >> 16, board >> 8 & 255
    white, black, turn = positions
    seconds, nodes_each, table_bytes_each = limits.for_kernel(DEFAULT_TABLE_MB)
    limited = seconds >= 0 or nodes_each > 0
    want_line = FIRST_LINE if line and not limited else line
    key = f"{board} {table_bytes_each}"
    if key not in solvers:
        solvers[key] = _solver(board, key, table_bytes_each, None if limited else current_run(), total)
    solver = solvers[key]
    results = Solutions._zeros(len(white))
    winner, least, most, nodes, table_bytes, replacements, ends = (results[name] for name in _WRITTEN)
    nanoseconds = np.zeros(len(white), np.int64)
    with stoppable(solver.stop):
        moves = solver.solve_batch(
            white, black, turn, seconds, nodes_each, want_line, limited,
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


def _solver(board: int, key: str, table_bytes: int, run: Run | None, total: int | None) -> "_kernel.Solver":
    """Return a new solver for a board, in the table that a batch's threads share, if there are any.

    A shared table never grows: it is sized for the board, or the batch.
    """
    size, wide = (board >> 16, board >> 8 & 255), bool(board & 255)
    if run is None or not run.threads:
        return empty_solver(wide, *size, table_bytes)
    with run.lock:
        solver: _kernel.Solver
        if key in run.shared:
            solver = type(run.shared[key])(*size, 0, run.shared[key])
            return solver
        squares = size[0] * size[1]
        most = min(max(64 * (total or 1 << 18), 1 << 20), 64 << 20) if squares <= 25 else 64 << 20
        solver = run.shared[key] = empty_solver(wide, *size, min(most if squares <= 30 else 256 << 20, table_bytes))
        solver.reserve()
        return solver


BATCH: Final = BatchSpec(solve_chunk, Solutions._of, read=read, pack=_pack, placeholder=Position(2, 1, 0, 0))
solve_many = BATCH.solve_many  #: solve many positions, see [gamecore.batch.spec.Batch.solve_many][]
solve_iter = BATCH.solve_iter  #: yield solutions one by one, see [gamecore.batch.spec.Batch.solve_iter][]
