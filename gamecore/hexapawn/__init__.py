"""Hexapawn on any board of up to 64 squares: who wins, in how many plies, and how.

White pawns (``P``) move up, black pawns (``p``) move down: one step forward onto an empty square, or one diagonal
step that captures. A player who has reached the far row has won; a player to move who has no move has lost.

The value of a position, for the side to move, is the source's: 0 when the mover has lost already, +n when the mover
wins in n plies, -n when the mover loses in n plies; the winner hurries and the loser delays. So wins are odd and
losses even.

    >>> from gamecore import hexapawn
    >>> position = hexapawn.Position.from_rows(["     ", "pp pp", "PPp  ", "   P ", "    P"])
    >>> solution = hexapawn.solve(position)
    >>> solution.value, solution.winner, solution.best_move
    (3, 'white', 'b3xa4')
"""

import contextlib
import threading
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, Literal

from gamecore import contract, kernels
from gamecore.hexapawn import _text
from gamecore.hexapawn._position import Move, MoveValue, Position, other
from gamecore.hexapawn._text import BLACK, WHITE, Color, shown
from gamecore.batch._signals import Held
from gamecore.errors import OptionError, ParseError
from gamecore.limits import Limits

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from gamecore.kernels.baseline import hexapawn as _kernel
    from gamecore.hexapawn._batch import PositionArray, Solutions
    from gamecore.batch import OnError, Progress
else:
    _kernel = kernels.kernel("hexapawn")

MAX_SQUARES: Final = _text.MAX_SQUARES
DEFAULT_TABLE_MB: Final = 512
MAX_THREADS: Final = 64
ALONE_NODES: Final = 100_000  #: a search shorter than this is done before threads have started
_MOST_TABLE: Final = 1 << 62
_OPENED_A_SECOND: Final = 64 << 20  # bytes of a shared table for each second left: so many can be cleared, and filled

__all__ = [
    "MoveValue",
    "Position",
    "PositionArray",
    "Solution",
    "Solutions",
    "analyse",
    "parse",
    "perft",
    "solve",
    "solve_iter",
    "solve_many",
]


@dataclass(frozen=True)
class Solution(contract.Solution[Move]):
    """What is proven of a position.

    ``lower`` and ``upper`` bound the value (see the module). They are of one sign as soon as the winner is known;
    before that they are minus and plus the longest game that is possible, and say nothing about the winner.

    Attributes:
        winner: who wins, or None when a limit was reached before that was proven. For a position that is over, who
            has won.
        distance_lower, distance_upper: the game lasts at least, and at most, so many plies with best play.
        replacements: entries that a full table gave up.
    """

    winner: Literal["white", "black"] | None
    distance_lower: int
    distance_upper: int
    replacements: int

    def __str__(self) -> str:
        """``white wins in 3``, with the bounds if there are only bounds."""
        plies = f"{self.distance_lower}"
        if not self.exact:
            plies += f" to {self.distance_upper}"
        if self.winner is None:
            return f"not decided: the game lasts {plies} plies"
        return f"{self.winner} wins in {plies} pl{'y' if plies == '1' else 'ies'}"


def _solver(position: Position, limits: Limits | None) -> "_kernel.Solver":
    table_bytes = (limits or Limits()).for_kernel(DEFAULT_TABLE_MB).table_bytes
    wide = _kernel.needs_wide(position.rows, position.cols, position.white, position.black)
    return _kernel.Solver(position.rows, position.cols, wide, table_bytes)


def _search(solver: "_kernel.Solver", position: Position, seconds: float, nodes: int, line: bool) -> Solution:
    start = time.perf_counter()
    replaced = solver.replacements
    won, least, most, steps, searched = solver.solve(
        position.white, position.black, position.to_move == BLACK, seconds, nodes, line
    )
    winner: Color | None = None
    if won > 0:
        lower, upper = least, most
        winner = position.to_move
    elif won < 0:
        lower, upper = -most, -least
        winner = other(position.to_move)
    else:
        lower, upper = -(most & ~1), (most - 1) | 1
    moves = tuple(position._name(source, target) for source, target in steps)
    return Solution(
        lower,
        upper,
        moves[0] if moves else None,
        moves,
        searched,
        time.perf_counter() - start,
        solver.table_bytes,
        winner,
        least,
        most,
        solver.replacements - replaced,
    )


def solve(position: Position, limits: Limits | None = None, *, line: bool = True, threads: int = 1) -> Solution:
    """Solve a position exactly, or bound its value within limits.

    Who wins first, then MTD(f) for the distance: null-window alpha-beta over a table of whole positions that
    starts small and grows up to ``table_mb``; see ``pyx/hexapawn/search.pxi``.

    Args:
        position: any position.
        limits: bounds on time, nodes and table (default: no bounds, a table of at most 512 MiB).
        line: whether to find ``best_move`` and ``line`` too. When a limit is reached after the value is known, the
            line may end early.
        threads: search in so many threads, which share one table of the full ``table_mb``. The value is the same;
            nodes (of all threads together), and which of equally good moves is found, may differ from run to run.
            Positions that take less than 100,000 nodes, boards of more than 8 rows or columns, and processors other
            than x86-64 use one thread.

    Raises:
        OptionError: bad limits, or ``threads`` is not an integer from 1 to 64. MemoryError: no memory for the table.
    """
    seconds, nodes, _ = (limits or Limits()).for_kernel(DEFAULT_TABLE_MB)
    if isinstance(threads, bool) or not isinstance(threads, int) or not 1 <= threads <= MAX_THREADS:
        raise OptionError(f"threads has to be an integer from 1 to {MAX_THREADS}, not {shown(threads)}")
    solver = _solver(position, limits)
    if threads == 1 or 0 < nodes <= ALONE_NODES:
        return _search(solver, position, seconds, nodes, line)
    start = time.perf_counter()
    alone = _search(solver, position, seconds, ALONE_NODES, line)
    used_up = 0 <= seconds <= time.perf_counter() - start
    if used_up or (alone.exact and (not line or len(alone.line) == alone.distance_lower)):
        return alone
    left = seconds - (time.perf_counter() - start)
    if not solver.open_up(_MOST_TABLE if seconds < 0 else int(max(0.0, left) * _OPENED_A_SECOND)):
        threads = 1
    if seconds >= 0:
        seconds = max(0.0, seconds - (time.perf_counter() - start))
    if nodes > 0:
        nodes -= alone.nodes
    found = _together(solver, position, seconds, nodes, line, threads)
    return replace(
        found,
        nodes=alone.nodes + found.nodes,
        replacements=alone.replacements + found.replacements,
        seconds=time.perf_counter() - start,
    )


def _together(
    solver: "_kernel.Solver", position: Position, seconds: float, nodes: int, line: bool, threads: int
) -> Solution:
    """Search in several threads; the first of them, this one, answers."""
    share = nodes // threads
    if nodes > 0 and share == 0:
        threads = 1
    helpers = [_kernel.Solver(position.rows, position.cols, False, 0, solver) for _ in range(threads - 1)]
    counts: list[int] = []

    over: list[bool] = []  # not empty: do not begin any more

    def help_out(helper: "_kernel.Solver") -> None:
        if over:
            return
        with contextlib.suppress(MemoryError):
            counts.append(
                helper.solve(position.white, position.black, position.to_move == BLACK, seconds, share, False)[4]
            )

    workers = [threading.Thread(target=help_out, args=(helper,), daemon=True) for helper in helpers]
    try:
        with Held(), contextlib.suppress(RuntimeError):  # no room for one more thread: fewer will do
            for place in range(len(workers)):  # no name for a thread here: see _end
                workers[place].start()
        found = _search(solver, position, seconds, nodes - share * len(helpers), line)
    finally:
        _end(over, workers, helpers)
    return replace(
        found,
        nodes=found.nodes + sum(counts),
        replacements=found.replacements + sum(helper.replacements for helper in helpers),
    )


def _end(over: list[bool], workers: list[threading.Thread], helpers: "list[_kernel.Solver]") -> None:
    """Have every helper end; a Ctrl-C meanwhile waits the few milliseconds that this takes."""
    worker: threading.Thread | None
    with Held():
        over.append(True)
        for helper in reversed(helpers):
            worker = workers.pop()
            while worker.is_alive():  # again and again: it may not have begun to search yet
                helper.stop()
                worker.join(0.002)
        worker = None  # threads die in weak references' functions, and those lose a Ctrl-C


def analyse(position: Position, limits: Limits | None = None) -> tuple[MoveValue, ...]:
    """Every legal move with its value for the mover, best first, equals in the order of ``legal_moves``.

    The best move's value is the position's value. One table serves all moves; ``limits`` hold for all of them
    together, and moves that were not finished have bounds. ``()`` when the game is over.

    Raises:
        OptionError: bad limits. MemoryError: no memory for the table.
    """
    seconds, nodes, _ = (limits or Limits()).for_kernel(DEFAULT_TABLE_MB)
    deadline = time.perf_counter() + seconds
    solver = _solver(position, limits)
    found = []
    for move in position.legal_moves():
        left = seconds if seconds < 0 else max(0.0, deadline - time.perf_counter())
        after = _search(solver, position.play(move), 0.0 if nodes < 0 else left, max(nodes, 0), False)
        if nodes > 0:
            nodes = nodes - after.nodes or -1  # 0 would be no limit; below 0, all are used up
        found.append(MoveValue(_before(after.upper), _before(after.lower), move))
    return tuple(sorted(found, key=_worst_last))


def _before(value: int) -> int:
    """The value of a move from the value after it: the other side's, one ply longer."""
    return -(value + 1) if value > 0 else 1 - value


def _worst_last(entry: MoveValue) -> tuple[bool, int, bool, int]:
    # Quick wins, slow wins, slow losses, quick losses; what is not known stands by its worst case.
    return entry.lower <= 0, entry.lower, entry.upper <= 0, entry.upper


def solve_many(
    positions: "Iterable[Position | str] | PositionArray",
    limits: Limits | None = None,
    *,
    line: bool = True,
    workers: int | None = 1,
    executor: "Executor | None" = None,
    progress: "Progress" = None,
    on_error: "OnError" = "raise",
) -> "Solutions":
    """Solve positions in order, over threads or any ``concurrent.futures.Executor``.

    Positions of one board size share a table: what is in it from earlier ones saves nodes in later ones. So do our own
    threads; on an executor each task has a table of its own. ``nodes`` (and ``table_bytes``, ``replacements``) depend
    on that; nothing else does. Of equally good moves, lines take the first each time: captures to the left, captures
    to the right, steps, each from the lowest row up as the mover sees it, so that they may differ from those of
    :func:`solve`. With limits on seconds or nodes, which hold for each position by itself, nothing is shared.

    Args:
        positions: any iterable of positions, or of judge's texts (white to move); or a :class:`PositionArray`.
        limits, line: as for :func:`solve`.
        workers, executor, progress, on_error: see :class:`gamecore.batch.Plan`.

    Returns:
        A sequence of :class:`Solution` that holds NumPy columns (``lower``, ``upper``, ``winners``, ``nodes``...).

    Raises:
        OptionError: bad limits or options.
        BatchError: a bad position (the message names its index), an executor that died, no memory for a table;
            ``done`` has the answers before.
    """
    from gamecore import batch
    from gamecore.hexapawn import _batch as _hexapawn_batch

    return _hexapawn_batch.solve_many(positions, limits, line, batch.Plan(workers, executor, progress, on_error))


def solve_iter(
    positions: "Iterable[Position | str] | PositionArray",
    limits: Limits | None = None,
    *,
    line: bool = True,
    workers: int | None = 1,
    executor: "Executor | None" = None,
    progress: "Progress" = None,
    on_error: "OnError" = "raise",
) -> Iterator[Solution]:
    """The same as :func:`solve_many`, one by one as they come: of endless input, only a few chunks are held.

    Raises:
        OptionError, BatchError: as for :func:`solve_many`.
    """
    from gamecore import batch
    from gamecore.hexapawn import _batch as _hexapawn_batch

    return _hexapawn_batch.solve_iter(positions, limits, line, batch.Plan(workers, executor, progress, on_error))


def __getattr__(name: str) -> Any:
    """What needs NumPy is imported when it is first used."""
    if name in ("PositionArray", "Solutions"):
        from gamecore.hexapawn import _batch as _hexapawn_batch

        return getattr(_hexapawn_batch, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def perft(position: Position, depth: int) -> int:
    """The number of sequences of ``depth`` legal moves from here: a check of move generators.

    Raises:
        OptionError: ``depth`` is not an integer of 0 or more.
    """
    if isinstance(depth, bool) or not isinstance(depth, int) or depth < 0:
        raise OptionError(f"depth has to be an integer of at least 0, not {shown(depth)}")
    return _kernel.perft(
        position.rows, position.cols, position.white, position.black, position.to_move == BLACK, min(depth, 4096)
    )


def parse(text: str, to_move: Color = WHITE) -> Position:
    """The position of a judge's text: rows, cols, then the rows, top row first; blanks are empty squares.

    Lines may be shorter than ``cols`` or have blanks after it, end in CRLF, and more lines may follow, as real
    files have it; the text does not say whose turn it is.

    Raises:
        ParseError: a count that is not a number, a board of a forbidden size, missing lines, a pawn beyond ``cols``,
            another character, both sides on their far rows, the mover already on the far row. It names the line and
            the column.
        OptionError: a bad ``to_move``.
    """
    if not isinstance(text, str):
        raise ParseError(f"text has to be a str, not {type(text).__name__}")
    return Position._trusted(*_text.read_judge(text, to_move))
