"""Solve and analyse one position of Hexapawn."""

import contextlib
import functools
import time
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Final

from gamecore import contract, kernels
from gamecore.batch.workers import beside, stoppable
from gamecore.errors import OptionError
from gamecore.hexapawn._position import BLACK, Color, MoveValue, Position, other
from gamecore.hexapawn._squares import move_name
from gamecore.hexapawn._text import read
from gamecore.limits import Limits, limits_of
from gamecore.search import search_moves
from gamecore.search.threads import check_threads, nodes_alone, search_together
from gamecore.text import printable

if TYPE_CHECKING:
    from gamecore.kernels.baseline import hexapawn as _kernel
else:
    _kernel = kernels.kernel("hexapawn")

DEFAULT_TABLE_MB: Final = 512
FIRST_LINE: Final = 2  #: the kernel's option for lines that do not depend on the table's contents
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

    Attributes:
        winner: the winner, or None if a limit was reached before it was proven.
        distance_lower, distance_upper: bounds of the plies to the end with best play.
        replacements: entries that were overwritten in a full table.
    """

    FIELDS: ClassVar[tuple[str, ...]] = (
        "winner", "distance_lower", "distance_upper", *contract.Solution.FIELDS, "replacements",
    )  # fmt: skip

    winner: Color | None
    distance_lower: int
    distance_upper: int
    replacements: int

    def __str__(self) -> str:
        """Return ``white wins in 3 plies``, or a text with the bounds."""
        if self.distance_upper == 0:
            return f"{self.winner} has won"
        plies = f"{self.distance_lower}"
        if not self.exact:
            plies += f" to {self.distance_upper}"
        if self.winner is None:
            return f"not decided: the game lasts {plies} plies"
        return f"{self.winner} wins in {plies} pl{'y' if plies == '1' else 'ies'}"


@dataclass(frozen=True)
class Analysis(contract.Analysis[MoveValue, Color]):
    """A sequence of :class:`MoveValue`: every legal move with the bounds of its value, best first.

    The order is quick wins, slow wins, slow losses, quick losses: +3 is better than +5, and -6 is better than -4.
    """

    @property
    def best_moves(self) -> tuple[str, ...]:
        """The moves proven best: no other move can be better than their worst case."""
        best = max((worst_case(entry) for entry in self.moves), default=0)
        exact = [entry for entry in self.moves if entry.exact and _rank(entry.lower) == best]
        if any(best_case(entry) > best for entry in self.moves):
            return ()
        return tuple(entry.move for entry in exact)


def _rank(value: int) -> int:
    """Map a value to a number that is larger for better values."""
    return (1 << 16) - value if value > 0 else -(1 << 16) - value


def worst_case(entry: contract.Bounds[int]) -> int:
    """Return the rank of the worst value within bounds; an immediate loss if the winner is unknown."""
    return _rank(0) if entry.lower <= 0 < entry.upper else _rank(entry.upper)


def best_case(entry: contract.Bounds[int]) -> int:
    """Return the rank of the best value within bounds; an immediate win if the winner is unknown."""
    return _rank(1) if entry.lower <= 0 < entry.upper else _rank(entry.lower)


def solve(position: Position | str, limits: Limits | None = None, *, line: bool = True, threads: int = 1) -> Solution:
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

    Raises:
        ParseError: a malformed text. OptionError: bad limits, or ``threads`` is not an integer from 1 to 64.
        MemoryError: no memory for the table.
    """
    seconds, nodes, table_bytes = limits_of(limits).for_kernel(DEFAULT_TABLE_MB)
    check_threads(threads)
    position = read(position)
    solver = new_solver(position, table_bytes)
    first = nodes_alone(nodes, threads)
    solution = search_once(solver, position, seconds, first, line)
    if _is_done(solution, line):
        return solution
    if first != nodes:
        solution = _search_in_threads(solution, solver, position, seconds, nodes, line, threads)
    return with_best_so_far(solution, solver, position, line)


def with_best_so_far(solution: Solution, solver: "_kernel.Solver", position: Position, line: bool) -> Solution:
    """Return the solution, with the best move so far if the search did not finish.

    Args:
        solver: the search's solver, with its table.
        line: True if a line was requested.
    """
    if position.is_over or (solution.exact and (solution.line or not line)):
        return solution
    # A search of one node reads a move's bounds from the table; these nodes are not counted.
    entries = [
        move_value(move, search_once(solver, position.play(move), -1.0, 1, False)) for move in position.legal_moves()
    ]
    return solution._changed(best_so_far=best_first(solver, position, entries)[0].move)


def _search_in_threads(
    alone: Solution,
    solver: "_kernel.Solver",
    position: Position,
    seconds: float,
    nodes: int,
    line: bool,
    threads: int,
) -> Solution:
    """Continue the search that one thread began with ``threads``."""
    start = time.perf_counter() - alone.seconds
    deadline = start + seconds if seconds >= 0 else None
    helpers = [type(solver)(position.rows, position.columns, 0, solver) for _ in range(threads - 1)]
    leg = functools.partial(_search_leg, solver, helpers, position, line)
    solution = search_together(
        alone, deadline, nodes, threads, leg, lambda later: solver.full and not _is_done(later, line)
    )
    return solution._changed(seconds=time.perf_counter() - start)


def _is_done(solution: Solution, line: bool) -> bool:
    """True if the value is exact and the line, if requested, is complete."""
    return solution.lower == solution.upper and (not line or len(solution.line) == solution.distance_lower)


def _search_leg(
    solver: "_kernel.Solver",
    helpers: list["_kernel.Solver"],
    position: Position,
    line: bool,
    so_far: Solution,
    seconds: float,
    nodes: int,
) -> Solution:
    """Search with the helpers until the table is full; see :func:`gamecore.search.threads.search_together`."""
    if helpers:
        most = _MOST_TABLE if seconds < 0 else int(seconds * _CLEARED_A_SECOND)
        solver.share_growing_table(most, helpers)
    helped = sum(helper.replacements for helper in helpers)
    counts: list[int] = []
    with beside([functools.partial(_help, helper, position, seconds, nodes, counts) for helper in helpers]):
        later = search_once(solver, position, seconds, nodes, line)
    tighter = min(later, so_far, key=lambda solution: solution.distance_upper - solution.distance_lower)
    return tighter._changed(
        nodes=so_far.nodes + later.nodes + sum(counts),
        replacements=so_far.replacements + later.replacements + sum(helper.replacements for helper in helpers) - helped,
        table_bytes=later.table_bytes,
    )


def _help(helper: "_kernel.Solver", position: Position, seconds: float, nodes: int, counts: list[int]) -> None:
    """Search the position to fill the shared table, and append the node count."""
    with stoppable(helper.stop), contextlib.suppress(MemoryError):  # the other threads continue
        counts.append(helper.solve(position.white, position.black, position.to_move == BLACK, seconds, nodes, False)[4])


def new_solver(position: Position, table_bytes: int) -> "_kernel.Solver":
    """Return a solver for the position's board, with an empty table."""
    wide = _kernel.needs_wide(position.rows, position.columns, position.white, position.black)
    return empty_solver(wide, position.rows, position.columns, table_bytes)


def empty_solver(wide: bool, rows: int, columns: int, table_bytes: int) -> "_kernel.Solver":
    """Return a solver for boards of one size; ``wide``: for large boards and long games."""
    module = kernels.kernel("hexapawn_wide") if wide else _kernel
    solver: _kernel.Solver = module.Solver(rows, columns, table_bytes)
    return solver


def search_once(solver: "_kernel.Solver", position: Position, seconds: float, nodes: int, line: int) -> Solution:
    """Search once in this thread; the solver keeps its table.

    Args:
        seconds: below 0: no limit.
        nodes: 0: no limit.
        line: 1: find the line too; 2: with the first of equal moves.
    """
    start = time.perf_counter()
    replaced = solver.replacements
    with stoppable(solver.stop):
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
    if lower > upper:
        contract.check_bounds(lower, upper, position)
    columns = position.columns
    moves = tuple([move_name(source, target, columns) for source, target in steps])
    return Solution._made(
        lower=lower,
        upper=upper,
        to_move=position.to_move,
        best_moves=moves[:1],
        line=moves,
        nodes=searched,
        seconds=time.perf_counter() - start,
        table_bytes=solver.table_bytes,
        winner=winner,
        distance_lower=least,
        distance_upper=most,
        replacements=solver.replacements - replaced,
        best_so_far=None,
    )


def analyse(position: Position | str, limits: Limits | None = None) -> Analysis:
    """Return every legal move with its value for the side to move, best first, ties in the order of ``legal_moves``.

    All moves share one table and the limits; a move that is not finished has bounds. Empty if the game is over.

    Raises:
        ParseError: a malformed text. OptionError: bad limits. MemoryError: no memory for the table.
    """
    seconds, nodes, table_bytes = limits_of(limits).for_kernel(DEFAULT_TABLE_MB)
    start = time.perf_counter()
    position = read(position)
    solver = new_solver(position, table_bytes)
    after = search_moves(position, seconds, nodes, functools.partial(search_once, solver))
    searched = sum(solution.nodes for solution in after.values())
    entries = [move_value(move, solution) for move, solution in after.items()]
    return Analysis(best_first(solver, position, entries), position.to_move, searched, time.perf_counter() - start)


def best_first(solver: "_kernel.Solver", position: Position, entries: Iterable[MoveValue]) -> tuple[MoveValue, ...]:
    """Sort moves: wins, unknown moves, losses; wins and losses by worst case, then best case.

    Unknown moves are sorted by the weights that the search learnt. Ties keep their order.
    """
    entries = tuple(entries)
    merits = {} if all(map(_winner_known, entries)) else _merits(solver, position)

    def key(entry: MoveValue) -> tuple[int, ...]:
        if not _winner_known(entry):
            return 0, merits[entry.move]
        return 1 if entry.lower > 0 else -1, worst_case(entry), best_case(entry)

    return tuple(sorted(entries, key=key, reverse=True))


def _winner_known(entry: contract.Bounds[int]) -> bool:
    return entry.lower > 0 or entry.upper <= 0


def _merits(solver: "_kernel.Solver", position: Position) -> dict[str, int]:
    """Rate each move: its weight in the move ordering minus the weight of the best reply."""
    merits = {}
    for source, target, _, _, order in _children(solver, position):
        replies = _children(solver, position._after(source, target))
        merits[move_name(source, target, position.columns)] = order - max(
            (_DECIDED if high < 0 else -_DECIDED if low > 0 else weight for _, _, low, high, weight in replies),
            default=-_DECIDED,
        )
    return merits


def _children(solver: "_kernel.Solver", position: Position) -> list[tuple[int, int, int, int, int]]:
    return solver.children(position.white, position.black, position.to_move == BLACK)


def move_value(move: str, after: contract.Bounds[int]) -> MoveValue:
    """Convert the bounds of the position after a move, which are the other side's, to the move's value."""
    return MoveValue(_value_of_move(after.upper), _value_of_move(after.lower), move)


def _value_of_move(after: int) -> int:
    return -(after + 1) if after > 0 else 1 - after


def perft(position: Position | str, depth: int) -> int:
    """Count the sequences of ``depth`` legal moves, as a check of move generators.

    Raises:
        ParseError: a malformed text. OptionError: ``depth`` is not an integer of 0 or more.
    """
    if isinstance(depth, bool) or not isinstance(depth, int) or depth < 0:
        raise OptionError(f"depth must be an integer of at least 0, not {printable(depth)}")
    position = read(position)
    board = position.rows, position.columns, position.white, position.black
    count: int = kernels.kernel("hexapawn_wide").perft(*board, position.to_move == BLACK, min(depth, 4096))
    return count
