"""Solve and analyse one position of the duel."""

import functools
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Final, TypeAlias

from gamecore import contract, kernels
from gamecore.batch.workers import beside, stoppable
from gamecore.cards import CARD_INDEX, card_index, card_text, hand_cards
from gamecore.duel._position import ALICE, BOB, PASS, MoveValue, Player, Position, points_of
from gamecore.duel._text import read
from gamecore.limits import Limits, limits_of
from gamecore.search.threads import check_threads, nodes_alone, search_together

if TYPE_CHECKING:
    from gamecore.kernels.baseline import duel as _kernel
else:
    _kernel = kernels.kernel("duel")

DEFAULT_TABLE_MB: Final = 256
_BEST_MOVE_NODES: Final = 2_000  # at most, to choose a move after an unfinished search
Analysis: TypeAlias = contract.Analysis[MoveValue, Player]

#: Moves by the kernel's number: cards by index, the pass last, so that -1 is the pass.
MOVES: Final = (*map(card_text, range(52)), PASS)


@dataclass(frozen=True)
class Solution(contract.Solution[int, Player]):
    """Proven bounds of a position. Values belong to the side to move: +9 when it wins 9 points, -9 when it pays them.

    ``best_moves`` holds one proven best move: the lowest optimal card (by number, then suit in the order C D H S), or
    ``"pass"``; ``analyse`` finds all optimal moves. ``line`` continues by the same rule for both sides. Both are empty
    if only bounds are known, if ``line=False``, and if the game is over.
    """

    FIELDS: ClassVar[tuple[str, ...]] = ("winner", "points", *contract.Solution.FIELDS)

    @property
    def winner(self) -> Player | None:
        """The winner, or None if a limit was reached before it was proven."""
        if self.lower > 0:
            return self.to_move
        return (BOB if self.to_move == ALICE else ALICE) if self.upper < 0 else None

    @property
    def points(self) -> int | None:
        """The points that the loser pays, or None if only bounds are known."""
        return abs(self.lower) if self.exact else None

    def __str__(self) -> str:
        """Return ``Alice wins 9 points``, or a text with the bounds."""
        if self.exact:
            return f"{self.winner} wins {self.points} point{'' if self.points == 1 else 's'}"
        if self.winner:
            low, high = sorted((abs(self.lower), abs(self.upper)))
            return f"{self.winner} wins {low} to {high} points"
        return f"not decided: value for {self.to_move} from {self.lower:+d} to {self.upper:+d}"


def table_bits(cards: int, table_bytes: int) -> int:
    """Return log2 of the table's 8-byte slots: enough for a hard deal of ``cards`` cards, within ``table_bytes``."""
    wanted = max(8, int(0.65 * cards - 2))
    allowed = max(1, (table_bytes // 8).bit_length() - 1)
    return min(wanted, allowed)


def start(position: Position, limits: Limits) -> "tuple[_kernel.Solver, int, int, int]":
    """Return a solver for the position and its :func:`kernel_position`."""
    seconds, nodes, table_bytes = limits.for_kernel(DEFAULT_TABLE_MB)
    mover, other, last = kernel_position(position)
    bits = table_bits(mover.bit_count() + other.bit_count(), table_bytes)
    return _kernel.Solver(bits, seconds, nodes), mover, other, last


def kernel_position(position: Position) -> tuple[int, int, int]:
    """Return the mover's hand, the other hand, and the last card, -1 for none."""
    mover, other = position._alice_mask, position._bob_mask
    if position.to_move == BOB:
        mover, other = other, mover
    return mover, other, -1 if position.last is None else CARD_INDEX[position.last]


def solve(position: Position | str, limits: Limits | None = None, *, line: bool = True, threads: int = 1) -> Solution:
    """Solve a position exactly, or bound its value within limits.

    The search answers boolean tests "does X win by at least K points?" over one Zobrist-hashed table; see
    ``pyx/duel.pyx``.

    Args:
        position: a position, or its text.
        limits: limits on time, nodes and table (default: a table of at most 256 MiB, no other limit).
        line: find ``best_moves`` and ``line`` too, which takes about half as long again.
        threads: number of threads, which share one table. The answer is the same; the node count (of all threads)
            differs from run to run. Positions that take less than 100,000 nodes use one thread.

    Raises:
        ParseError: a malformed text. OptionError: bad limits, or ``threads`` is not an integer from 1 to 64.
        MemoryError: no memory for the table.
    """
    begun = time.perf_counter()
    check_threads(threads)
    position = read(position)
    seconds, nodes, table_bytes = limits_of(limits).for_kernel(DEFAULT_TABLE_MB)
    if position.is_over:
        return finished(position, begun)
    first = nodes_alone(nodes, threads if _kernel.can_share() else 1)
    cards = position._alice_mask.bit_count() + position._bob_mask.bit_count()
    solver = _kernel.Solver(table_bits(cards, table_bytes), seconds, first)
    solution = search_once(solver, position, line, begun)
    if is_done(solution, line):
        return solution
    if first != nodes:
        deadline = None if seconds < 0 else begun + seconds
        leg = functools.partial(_search_leg, solver, position, line, threads)
        solution = search_together(
            solution, deadline, nodes, threads, leg, lambda later: solver.full and not is_done(later, line)
        )
    if not is_done(solution, line):
        solution = with_best_so_far(solution, solver, position, seconds >= 0)
    return solution._changed(seconds=time.perf_counter() - begun)


def finished(position: Position, begun: float) -> Solution:
    """Return the solution of a finished game; ``begun``: the start by ``time.perf_counter``."""
    value = points_of(position.alice + position.bob) * (1 if position.winner == position.to_move else -1)
    return Solution(value, value, position.to_move, (), (), 0, time.perf_counter() - begun, 0)


def with_best_so_far(solution: Solution, solver: "_kernel.Solver", position: Position, hurry: bool) -> Solution:
    """Add the best move so far to the solution of an unfinished search."""
    return solution._changed(best_so_far=_best_so_far(solver, position, solution.nodes, hurry))


def _best_so_far(solver: "_kernel.Solver", position: Position, searched: int, hurry: bool) -> str:
    """Return the best move by the bounds in the table, ordered by :func:`best_first`.

    Short searches read the bounds: an eighth of the nodes searched before, at most 2,000, which are not counted. In a
    ``hurry`` they take at most 5 ms.
    """
    mover, other, _ = kernel_position(position)
    legal = position.legal_moves()
    if len(legal) == 1:
        return legal[0]
    nodes = min(searched // 8, _BEST_MOVE_NODES) // len(legal)
    seconds = 0.0 if not nodes else 0.005 / len(legal) if hurry else -1.0
    bounds = {}
    for move in legal:
        card = card_index(move)
        rest = mover ^ (1 << card)
        reader = _kernel.Solver(0, seconds, nodes, solver)  # shares the table of `solver`
        lower, upper = reader.value(other, rest, card) if rest else (-points_of(hand_cards(other)),) * 2
        bounds[move] = -upper, -lower
    return best_first(position, bounds)[0].move


def best_first(position: Position, bounds: Mapping[str, tuple[int, int]]) -> tuple[MoveValue, ...]:
    """Sort moves: wins, then unknown moves, then losses; within these by lower, then upper bound, best first.

    Ties: of exact moves the lowest card comes first; of others the card with the fewest replies, then the highest.
    """
    other = position.bob if position.to_move == ALICE else position.alice

    def key(entry: MoveValue) -> tuple[int, ...]:
        move, lower, upper = entry.move, entry.lower, entry.upper
        card = -1 if move == PASS else card_index(move)
        side = (lower > 0) - (upper < 0)
        if entry.exact:
            return side, lower, upper, 0, -card
        return side, lower, upper, -sum(reply[0] == move[0] or reply[1] == move[1] for reply in other), card

    return tuple(sorted((MoveValue(*pair, move) for move, pair in bounds.items()), key=key, reverse=True))


def search_once(solver: "_kernel.Solver", position: Position, line: bool, begun: float) -> Solution:
    """Search within the solver's limits; ``begun``: the start by ``time.perf_counter``."""
    mover, other, last = kernel_position(position)
    with stoppable(solver.stop):
        lower, upper = solver.value(mover, other, last)
        if lower > upper:
            contract.check_bounds(lower, upper, position)
        played = solver.line(mover, other, last, lower) if line and lower == upper else None
    moves = tuple(map(MOVES.__getitem__, played or ()))
    return Solution._made(
        lower=lower,
        upper=upper,
        to_move=position.to_move,
        best_moves=moves[:1],
        line=moves,
        nodes=solver.nodes,
        seconds=time.perf_counter() - begun,
        table_bytes=solver.table_bytes,
        best_so_far=None,
    )


def is_done(solution: Solution, line: bool) -> bool:
    """True if the value is exact and the line, if requested, is known."""
    return solution.lower == solution.upper and (bool(solution.line) or not line)


def _search_leg(
    solver: "_kernel.Solver", position: Position, line: bool, threads: int, so_far: Solution, seconds: float, nodes: int
) -> Solution:
    """Search with ``threads`` threads until the table is full; see :func:`gamecore.search.threads.search_together`."""
    solver.share(threads, seconds, nodes)
    helpers = [_kernel.Solver(0, seconds, nodes, solver) for _ in range(threads - 1)]
    begun = time.perf_counter()
    with beside([functools.partial(search_once, helper, position, line, begun) for helper in helpers]):
        later = search_once(solver, position, line, begun)
    return later._changed(nodes=so_far.nodes + solver.nodes + sum(helper.nodes for helper in helpers))


def analyse(position: Position | str, limits: Limits | None = None) -> Analysis:
    """Return every legal move with its value for the side to move, best first, ties by number and suit.

    All moves share one table and the limits; a move that is not finished has bounds. Empty if the game is over.

    Raises:
        ParseError: a malformed text. OptionError: bad limits. MemoryError: no memory for the table.
    """
    begun = time.perf_counter()
    position, limits = read(position), limits_of(limits)
    if position.is_over:
        return contract.Analysis((), position.to_move, 0, time.perf_counter() - begun)
    solver, mover, other, _ = start(position, limits)
    won = points_of(position.bob if position.to_move == ALICE else position.alice)
    bounds = {}
    for move in position.legal_moves():
        card = -1 if move == PASS else card_index(move)
        rest = mover if card < 0 else mover ^ (1 << card)
        lower, upper = solver.value(other, rest, card) if rest else (-won, -won)
        contract.check_bounds(lower, upper, position)
        bounds[move] = -upper, -lower
    return contract.Analysis(best_first(position, bounds), position.to_move, solver.nodes, time.perf_counter() - begun)
