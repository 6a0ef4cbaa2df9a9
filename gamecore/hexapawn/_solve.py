"""Solving one position of Hexapawn."""

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
FIRST_LINE: Final = 2  #: of the kernel: lines that do not depend on what the table holds
_MOST_TABLE: Final = 1 << 62
_DECIDED: Final = 1 << 24  # more than any weight of a move
_CLEARED_A_SECOND: Final = 64 << 20  # bytes of a shared table for each second left: so many can be cleared, and filled


@dataclass(frozen=True)
class Solution(contract.Solution[int, Color]):
    """What is proven of a position.

    ``lower`` and ``upper`` bound the value for the side to move: +n when it wins in n plies, -n when it loses in n
    plies, 0 when it has lost already. They are of one sign as soon as the winner is known; before that they are minus
    and plus the longest game that is possible, and say nothing about the winner.

    ``best_moves`` holds one proven best move; ``analyse`` finds all of them. ``line`` goes on with best play of both
    sides to the end of the game. Both are empty when only bounds are known, when ``line=False``, and when the game is
    over.

    Attributes:
        winner: who wins, or None when a limit was reached before that was proven. For a position that is over, who
            has won.
        distance_lower, distance_upper: the game lasts at least, and at most, so many plies with best play.
        replacements: entries that a full table gave up.
    """

    FIELDS: ClassVar[tuple[str, ...]] = (
        "winner", "distance_lower", "distance_upper", *contract.Solution.FIELDS, "replacements",
    )  # fmt: skip

    winner: Color | None
    distance_lower: int
    distance_upper: int
    replacements: int

    def __str__(self) -> str:
        """``white wins in 3 plies``, with the bounds if there are only bounds."""
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
    """Every legal move with what is proven of its value, best first: a sequence of :class:`MoveValue`.

    Best first is quick wins, slow wins, slow losses, quick losses: values are distances, so that +3 is better than +5
    and -6 better than -4.
    """

    @property
    def best_moves(self) -> tuple[str, ...]:
        """The moves that are proven best: no other move can be better than the worst case of these."""
        best = max((worst_case(entry) for entry in self.moves), default=0)
        exact = [entry for entry in self.moves if entry.exact and _rank(entry.lower) == best]
        if any(best_case(entry) > best for entry in self.moves):
            return ()
        return tuple(entry.move for entry in exact)


def _rank(value: int) -> int:
    """A number that is larger for a better value."""
    return (1 << 16) - value if value > 0 else -(1 << 16) - value


def worst_case(entry: contract.Bounds[int]) -> int:
    """The rank of the worst value that the bounds allow: of bounds of both signs, a loss at once."""
    return _rank(0) if entry.lower <= 0 < entry.upper else _rank(entry.upper)


def best_case(entry: contract.Bounds[int]) -> int:
    """The rank of the best value that the bounds allow: of bounds of both signs, a win at once."""
    return _rank(1) if entry.lower <= 0 < entry.upper else _rank(entry.lower)


def solve(position: Position | str, limits: Limits | None = None, *, line: bool = True, threads: int = 1) -> Solution:
    """Solve a position exactly, or bound its value within limits.

    Who wins first, then MTD(f) for the distance: null-window alpha-beta over a table of whole positions that
    starts small and grows up to ``table_mb``; see ``pyx/hexapawn/``.

    Args:
        position: any position, or a text of one.
        limits: bounds on time, nodes and table (default: no bounds, a table of at most 512 MiB).
        line: whether to find ``best_moves`` and ``line`` too. When a limit is reached after the value is known, the
            line may end early.
        threads: search in so many threads, which share one table. The value is the same; nodes (of all threads
            together), and which of equally good moves is found, may differ from run to run. Positions that take less
            than 100,000 nodes, and boards of more than 8 rows or columns use one thread.

    Raises:
        ParseError: a malformed text. OptionError: bad limits, or ``threads`` is not an integer from 1 to 64.
        MemoryError: no memory for the table.
    """
    seconds, nodes, _ = limits_of(limits).for_kernel(DEFAULT_TABLE_MB)
    check_threads(threads)
    position = read(position)
    solver = new_solver(position, limits)
    found = _search_in_threads(solver, position, seconds, nodes, line, threads)
    return with_best_so_far(found, solver, position, line)


def with_best_so_far(found: Solution, solver: "_kernel.Solver", position: Position, line: bool) -> Solution:
    """Return the solution, with the best move so far if the search was cut short.

    Args:
        solver: of that search, with its table.
        line: whether a line was asked for.
    """
    if position.is_over or (found.exact and (found.line or not line)):
        return found
    # One node for each move asks the table; nobody counts them.
    known = [
        move_value(move, search_once(solver, position.play(move), -1.0, 1, False)) for move in position.legal_moves()
    ]
    return found._changed(best_so_far=best_first(solver, position, known)[0].move)


def _search_in_threads(
    solver: "_kernel.Solver", position: Position, seconds: float, nodes: int, line: bool, threads: int
) -> Solution:
    """What so many threads prove; a short search takes one."""
    start = time.perf_counter()
    first = nodes_alone(nodes, threads)
    alone = search_once(solver, position, seconds, first, line)
    if first == nodes or _is_done(alone, line):
        return alone
    deadline = start + seconds if seconds >= 0 else None
    helping = threads - 1 if solver.can_share else 0
    helpers = [_kernel.Solver(position.rows, position.columns, 0, solver) for _ in range(helping)]
    leg = functools.partial(_search_leg, solver, helpers, position, line)
    found = search_together(
        alone, deadline, nodes, helping + 1, leg, lambda later: solver.full and not _is_done(later, line)
    )
    return found._changed(seconds=time.perf_counter() - start)


def _is_done(found: Solution, line: bool) -> bool:
    """Whether all is there that was asked for."""
    return found.exact and (not line or len(found.line) == found.distance_lower)


def _search_leg(
    solver: "_kernel.Solver",
    helpers: list["_kernel.Solver"],
    position: Position,
    line: bool,
    found: Solution,
    seconds: float,
    nodes: int,
) -> Solution:
    """What this thread and the helpers prove until the table has to grow; see
    :func:`gamecore.search.threads.search_together`.
    """
    if helpers:
        most = _MOST_TABLE if seconds < 0 else int(seconds * _CLEARED_A_SECOND)
        solver.share_growing_table(most, helpers)
    helped = sum(helper.replacements for helper in helpers)
    counts: list[int] = []
    with beside([functools.partial(_help, helper, position, seconds, nodes, counts) for helper in helpers]):
        later = search_once(solver, position, seconds, nodes, line)
    tighter = min(later, found, key=lambda solution: solution.distance_upper - solution.distance_lower)
    return tighter._changed(
        nodes=found.nodes + later.nodes + sum(counts),
        replacements=found.replacements + later.replacements + sum(helper.replacements for helper in helpers) - helped,
        table_bytes=later.table_bytes,
    )


def _help(helper: "_kernel.Solver", position: Position, seconds: float, nodes: int, counts: list[int]) -> None:
    """Search the position in this thread for the sake of the table, and tell how many nodes that took."""
    with stoppable(helper.stop), contextlib.suppress(MemoryError):  # without it, the others go on
        counts.append(helper.solve(position.white, position.black, position.to_move == BLACK, seconds, nodes, False)[4])


def new_solver(position: Position, limits: Limits | None) -> "_kernel.Solver":
    """A solver for the position's board, with an empty table."""
    table_bytes = limits_of(limits).for_kernel(DEFAULT_TABLE_MB).table_bytes
    wide = _kernel.needs_wide(position.rows, position.columns, position.white, position.black)
    return empty_solver(wide, position.rows, position.columns, table_bytes)


def empty_solver(wide: bool, rows: int, columns: int, table_bytes: int) -> "_kernel.Solver":
    """Return a solver for boards of one size; ``wide``: for large boards and long games."""
    module = kernels.kernel("hexapawn_wide") if wide else _kernel
    solver: _kernel.Solver = module.Solver(rows, columns, table_bytes)
    return solver


def search_once(solver: "_kernel.Solver", position: Position, seconds: float, nodes: int, line: int) -> Solution:
    """What one search in this thread proves; the solver keeps its table.

    Args:
        seconds: below 0: no limit.
        nodes: 0: no limit.
        line: whether to find the line too; 2: of equally good moves always the first.
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
    moves = tuple(move_name(source, target, position.columns) for source, target in steps)
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
    """Every legal move with its value for the side to move, best first, equals in the order of ``legal_moves``.

    The best move's value is the position's value. One table serves all moves; ``limits`` hold for all of them
    together, and moves that were not finished have bounds. Empty when the game is over.

    Raises:
        ParseError: a malformed text. OptionError: bad limits. MemoryError: no memory for the table.
    """
    seconds, nodes, _ = limits_of(limits).for_kernel(DEFAULT_TABLE_MB)
    start = time.perf_counter()
    position = read(position)
    solver = new_solver(position, limits)
    after = search_moves(position, seconds, nodes, functools.partial(search_once, solver))
    searched = sum(found.nodes for found in after.values())
    known = [move_value(move, found) for move, found in after.items()]
    return Analysis(best_first(solver, position, known), position.to_move, searched, time.perf_counter() - start)


def best_first(solver: "_kernel.Solver", position: Position, entries: Iterable[MoveValue]) -> tuple[MoveValue, ...]:
    """Sort moves as an analysis lists them: wins, open moves, losses; each by its worst case.

    Open moves stand in the order of what the solver has learnt; equal moves keep their order.
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
    """Rate each move: its weight in the search's order of moves, less the weight of the best reply."""
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
    """The value of a move, from the bounds of the position after it: they are the other side's, one ply shorter."""
    return MoveValue(_value_of_move(after.upper), _value_of_move(after.lower), move)


def _value_of_move(after: int) -> int:
    return -(after + 1) if after > 0 else 1 - after


def perft(position: Position | str, depth: int) -> int:
    """The number of sequences of ``depth`` legal moves from here: a check of move generators.

    Raises:
        ParseError: a malformed text. OptionError: ``depth`` is not an integer of 0 or more.
    """
    if isinstance(depth, bool) or not isinstance(depth, int) or depth < 0:
        raise OptionError(f"depth must be an integer of at least 0, not {printable(depth)}")
    position = read(position)
    board = position.rows, position.columns, position.white, position.black
    count: int = kernels.kernel("hexapawn_wide").perft(*board, position.to_move == BLACK, min(depth, 4096))
    return count
