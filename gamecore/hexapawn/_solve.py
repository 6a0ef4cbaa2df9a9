"""Solve and analyse one position of Hexapawn, or several in one table."""

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from os import PathLike
from typing import TYPE_CHECKING, ClassVar, Final

from gamecore import contract, kernels, search
from gamecore.batch.workers import stoppable
from gamecore.hexapawn._position import BLACK, WHITE, Color, MoveValue, Position, move_name, read
from gamecore.hexapawn.words import WORDS, best_case, worst_case
from gamecore.kernels import hexapawn as _kernel
from gamecore.limits import Limits
from gamecore.text import checked_integer

if TYPE_CHECKING:
    from gamecore.hexapawn._long import Progress

DEFAULT_TABLE_MB: Final = 512
FIRST_LINE: Final = 2  #: the kernel's option for lines that do not depend on the table's contents
WINNER: Final = -1  #: its option for only who wins
_MOST_TABLE: Final = 1 << 62
_DECIDED: Final = 1 << 24  # more than any weight of a move
_CLEARED_A_SECOND: Final = 64 << 20  # table bytes that can be cleared and filled per second


@dataclass(frozen=True)
class Solution(contract.Solution[int, Color]):
    """Proven bounds of a position.

    ``lower`` and ``upper`` bound the value for the side to move: +n if it wins in n plies, -n if it loses in n plies,
    0 if it has lost already. They have one sign once the winner is known. Before, they are minus and plus the length of
    the longest possible game.

    ``best_moves`` holds one proven best move; ``analyse`` finds all of them. ``line`` is best play of both sides to the
    end of the game. Both are empty if only bounds are known, if ``line=False``, and if the game is over.

    The answer to ``question="outcome"`` is ``winner``. Its bounds tell that alone: from one ply to the longest possible
    game. It has no value, line or best moves.

    Attributes:
        winner: the winner, or None if a limit was reached before it was proven.
        distance_lower, distance_upper: bounds of the plies to the end with best play.
        replacements: entries that were overwritten in a full table.
        question: ``"distance"``, or ``"outcome"`` if only the winner was asked for.
    """

    FIELDS: ClassVar[tuple[str, ...]] = (
        "winner", "plies", "distance_lower", "distance_upper", *contract.Solution.FIELDS, "replacements", "question",
    )  # fmt: skip

    winner: Color | None
    distance_lower: int
    distance_upper: int
    replacements: int
    question: str = "distance"

    @property
    def answered(self) -> bool:
        """True if the question is answered: the distance is known, or the winner."""
        return self.exact or (self.question == "outcome" and self.winner is not None)

    @property
    def plies(self) -> int | None:
        """Plies to the end with best play; None if only bounds are known."""
        return self.distance_lower if self.exact else None

    def __str__(self) -> str:
        """Return ``white wins in 3 plies``, or a text with the bounds; ``white wins`` as an outcome."""
        return WORDS.solution(self)


@dataclass(frozen=True)
class Analysis(contract.Analysis[MoveValue, Color]):
    """A sequence of :class:`MoveValue`: every legal move with the bounds of its value, best first.

    The order is quick wins, slow wins, slow losses, quick losses: +3 is better than +5, and -6 is better than -4.
    """

    def _cases(self, entry: contract.MoveValue[float]) -> tuple[float, float]:
        return worst_case(entry), best_case(entry)


class Search(search.Search[Position, Solution, Analysis]):
    """See :class:`gamecore.search.Search`. A position of another size, or of the wide layout, starts a new table."""

    default_table_mb = DEFAULT_TABLE_MB
    questions = "distance", "outcome"
    counts = "nodes", "replacements"
    read = staticmethod(read)
    kernel: "_kernel.Solver | None"
    _size = 0, 0  # the table's board: rows, columns
    _wide = False  # the table's layout; the wide one holds every position
    helpers: "Sequence[_kernel.Solver] | None" = None

    def open(self, position: Position, seconds: float = -1.0, nodes: int = 0) -> "_kernel.Solver":
        """Return the kernel's search for a position's board."""
        size = position.rows, position.columns
        wide = _kernel.needs_wide(*size, position.white, position.black)
        if self.kernel is None or self._size != size or self._wide < wide:
            self.kernel = None  # free the old table before the new one is allocated
            self.kernel, self._size, self._wide = empty_solver(wide, *size, self.table_bytes), size, wide
        return self.kernel

    def search(self, position: Position, seconds: float, nodes: int, line: bool) -> Solution:
        begun, solver, black = time.perf_counter(), self.open(position), position.to_move == BLACK
        want = WINNER if self.question == "outcome" else FIRST_LINE if line and self.is_kept else int(line)
        replaced = solver.replacements
        with stoppable(solver.stop):
            won, least, most, steps, searched = solver.solve(
                position.white, position.black, black, seconds, nodes, want
            )
        lower, upper = -(most & ~1), (most - 1) | 1
        if won:
            lower, upper = (least, most) if won > 0 else (-most, -least)
        if lower > upper:
            contract.check_bounds(lower, upper, position)
        moves = tuple([move_name(source, target, position.columns) for source, target in steps])
        winner = (WHITE if black == (won < 0) else BLACK) if won else None
        return Solution._made(
            lower=lower, upper=upper, to_move=position.to_move, best_moves=moves[:1], line=moves,
            nodes=searched, seconds=time.perf_counter() - begun, table_bytes=solver.table_bytes,
            winner=winner, distance_lower=least, distance_upper=most,
            replacements=solver.replacements - replaced, question=self.question,
        )  # fmt: skip

    def is_done(self, solution: Solution, position: Position, line: bool) -> bool:
        if solution.question == "outcome":
            return solution.winner is not None
        return solution.lower == solution.upper and (not line or len(solution.line) == solution.distance_lower)

    def share(self, threads: int, seconds: float, nodes: int) -> "Sequence[_kernel.Solver]":
        assert self.kernel is not None
        if self.helpers is None:
            self.helpers = [type(self.kernel)(*self._size, 0, self.kernel) for _ in range(threads - 1)]
        if self.helpers:
            most = _MOST_TABLE if seconds < 0 else int(seconds * _CLEARED_A_SECOND)
            self.kernel.share_growing_table(most, list(self.helpers))
        return self.helpers

    def best_so_far(self, solution: Solution, position: Position, in_a_hurry: bool) -> str:
        # A search of one node reads a move's bounds from the table; these nodes are not counted.
        after = {move: self.search(position.play(move), -1.0, 1, False) for move in position.legal_moves()}
        return self._best_first(position, [self.value_of(*item) for item in after.items()])[0].move

    def value_of(self, move: str, after: contract.Bounds[int]) -> MoveValue:
        return MoveValue(_value_of_move(after.upper), _value_of_move(after.lower), move)

    def analysis(self, position: Position, values: Iterable[MoveValue], nodes: int, seconds: float) -> Analysis:
        return Analysis(self._best_first(position, tuple(values)), position.to_move, nodes, seconds)

    def _best_first(self, position: Position, entries: Sequence[MoveValue]) -> tuple[MoveValue, ...]:
        """Sort moves: wins, unknown moves, losses; wins and losses by worst case, then best case.

        Unknown moves are sorted by the weights that the search learnt. Ties keep their order.
        """
        unknown = any(entry.lower <= 0 < entry.upper for entry in entries)
        merits = self._merits(position) if unknown else {}

        def key(entry: MoveValue) -> tuple[float, ...]:
            if entry.lower <= 0 < entry.upper:
                return 0, merits[entry.move]
            return 1 if entry.lower > 0 else -1, worst_case(entry), best_case(entry)

        return tuple(sorted(entries, key=key, reverse=True))

    def _merits(self, position: Position) -> dict[str, int]:
        """Rate each move: its weight in the move ordering minus the weight of the best reply."""
        merits = {}
        for source, target, _, _, order in self.children(position):
            replies = self.children(position._after(source, target))
            merits[move_name(source, target, position.columns)] = order - max(
                (_DECIDED if high < 0 else -_DECIDED if low > 0 else weight for _, _, low, high, weight in replies),
                default=-_DECIDED,
            )
        return merits

    def children(self, position: Position) -> list[tuple[int, int, int, int, int]]:
        """Return each move's squares, the bounds in the table of the other side's score after it, and its weight."""
        return self.open(position).children(position.white, position.black, position.to_move == BLACK)


class Solver(search.Solver[Position, Solution, Analysis]):
    """A solver that keeps its table: later positions of one game take fewer nodes.

    A position of another board size, or one that needs the wide layout, starts a new table. Values equal those of
    :func:`solve` and :func:`analyse`; lines take the first of equal moves, as in batches. See
    :class:`gamecore.search.Solver`.

        >>> from gamecore import hexapawn
        >>> with hexapawn.Solver() as solver:
        ...     start = hexapawn.Position.start(5, 5)
        ...     first = solver.solve(start)
        ...     second = solver.solve(start.play(first.best_move))
        >>> first.distance_lower - second.distance_lower
        1
    """

    kind = Search


def empty_solver(wide: bool, rows: int, columns: int, table_bytes: int) -> "_kernel.Solver":
    """Return a solver for boards of one size; ``wide``: for large boards and long games."""
    module = kernels.kernel("hexapawn_wide") if wide else _kernel
    solver: _kernel.Solver = module.Solver(rows, columns, table_bytes)
    return solver


def _value_of_move(after: int) -> int:
    """Convert a value of the position after a move, which is the other side's, to the move's value."""
    return -(after + 1) if after > 0 else 1 - after


def solve(
    position: Position | str,
    limits: Limits | None = None,
    *,
    line: bool = True,
    threads: int = 1,
    question: str = "distance",
    table_file: "str | PathLike[str] | None" = None,
    progress: "Callable[[Progress], object] | None" = None,
) -> Solution:
    """Solve a position exactly, or bound its value within limits.

    The search first finds the winner, then the distance by MTD(f). Its table of whole positions starts small and grows
    up to ``table_mb``; see ``pyx/hexapawn/``.

    Args:
        position: a position, or its text.
        limits: limits on time, nodes and table (default: a table of at most 512 MiB, no other limit).
        line: find ``best_moves`` and ``line`` too. If a limit is reached after the value is known, the line may end
            early.
        threads: number of threads, which share one table. The value is the same; the node count (of all threads) and
            the choice among equal moves may differ from run to run. Positions that take less than 100,000 nodes use one
            thread.
        question: ``"distance"``, or ``"outcome"``: only who wins, which takes a fifth to three quarters of the nodes.
        table_file: a file that keeps a copy of the table, for searches of hours. A search that was stopped, or killed,
            goes on with it: at most ten minutes are lost. The table has all its memory from the start, as has that of
            a search with ``progress``.
        progress: called with a :class:`Progress` from another thread, after a second, then at intervals that double up
            to a minute, and at the end.

    Raises:
        ParseError: a malformed text. OptionError: bad limits, another question, or ``threads`` is not an integer from 1
        to 64. GamecoreError: the file is of another board, layout or size, or no table. MemoryError: no memory for the
        table.
    """
    if table_file is None and progress is None:
        return search.solve_once(Search, position, limits, line, threads, question)
    from gamecore.hexapawn._long import solve_long

    run = partial(solve_long, table_file, progress)
    return search.solve_once(Search, position, limits, line, threads, question, run=run)


def analyse(position: Position | str, limits: Limits | None = None) -> Analysis:
    """Return every legal move with its value for the side to move, best first, ties in the order of ``legal_moves``.

    All moves share one table and the limits; a move that is not finished has bounds. Empty if the game is over.

    Raises:
        ParseError: a malformed text. OptionError: bad limits. MemoryError: no memory for the table.
    """
    return search.analyse_once(Search, position, limits)


def perft(position: Position | str, depth: int) -> int:
    """Count the sequences of ``depth`` legal moves, as a check of move generators.

    Raises:
        ParseError: a malformed text. OptionError: ``depth`` is not an integer of 0 or more.
    """
    depth, position = checked_integer(depth, "depth", 0), read(position)
    board = position.rows, position.columns, position.white, position.black
    count: int = kernels.kernel("hexapawn_wide").perft(*board, position.to_move == BLACK, min(depth, 4096))
    return count
