"""Solving one position of the duel."""

import functools
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Final, TypeAlias

from gamecore import contract, kernels
from gamecore.batch.workers import beside, stoppable
from gamecore.cards import card_index, card_text, hand_cards
from gamecore.duel._position import ALICE, BOB, PASS, MoveValue, Player, Position, points_of
from gamecore.duel._text import read
from gamecore.limits import Limits, limits_of
from gamecore.search.threads import check_threads, nodes_alone, search_together

if TYPE_CHECKING:
    from gamecore.kernels.baseline import duel as _kernel
else:
    _kernel = kernels.kernel("duel")

DEFAULT_TABLE_MB: Final = 256
_ASKING_NODES: Final = 2_000
Analysis: TypeAlias = contract.Analysis[MoveValue, Player]

#: Moves as the kernel writes them: cards by index, and a pass as -1, which is the last of them.
MOVES: Final = (*map(card_text, range(52)), PASS)


@dataclass(frozen=True)
class Solution(contract.Solution[int, Player]):
    """What is proven of a position. Values are of the side to move: +9 when it wins 9 points, -9 when it pays them.

    ``best_moves`` holds one proven best move: the lowest card (by number, then suit in the order C D H S) of those that
    keep the value, or ``"pass"`` where no card fits; ``analyse`` finds all of them. ``line`` goes on in the same way
    for both sides. Both are empty when only bounds are known, when ``line=False``, and when the game is over.
    """

    FIELDS: ClassVar[tuple[str, ...]] = ("winner", "points", *contract.Solution.FIELDS)

    @property
    def winner(self) -> Player | None:
        """Who wins, or None when a limit was reached before that was proven."""
        if self.lower > 0:
            return self.to_move
        return (BOB if self.to_move == ALICE else ALICE) if self.upper < 0 else None

    @property
    def points(self) -> int | None:
        """What the loser pays, or None when only bounds are known."""
        return abs(self.lower) if self.exact else None

    def __str__(self) -> str:
        """``Alice wins 9 points``, with the bounds if there are only bounds."""
        if self.exact:
            return f"{self.winner} wins {self.points} point{'' if self.points == 1 else 's'}"
        if self.winner:
            low, high = sorted((abs(self.lower), abs(self.upper)))
            return f"{self.winner} wins {low} to {high} points"
        return f"not decided: value for {self.to_move} from {self.lower:+d} to {self.upper:+d}"


def table_bits(cards: int, table_bytes: int) -> int:
    """log2 of the table's 8-byte slots: about as many as a hard deal of this many cards stores, within the limit."""
    wanted = max(8, int(0.65 * cards - 2))
    allowed = max(1, (table_bytes // 8).bit_length() - 1)
    return min(wanted, allowed)


def start(position: Position, limits: Limits) -> "tuple[_kernel.Solver, int, int, int]":
    """A solver for the position, and the position as the kernel takes it: hands of mover and other, last card."""
    seconds, nodes, table_bytes = limits.for_kernel(DEFAULT_TABLE_MB)
    mover, other, last = kernel_position(position)
    return _kernel.Solver(_table_bits(position, table_bytes), seconds, nodes), mover, other, last


def kernel_position(position: Position) -> tuple[int, int, int]:
    """Hands of mover and other, and the last card, -1 for none."""
    mover, other = position._alice_mask, position._bob_mask
    if position.to_move == BOB:
        mover, other = other, mover
    return mover, other, -1 if position.last is None else card_index(position.last)


def solve(position: Position | str, limits: Limits | None = None, *, line: bool = True, threads: int = 1) -> Solution:
    """Solve a position exactly, or bound its value within limits.

    Boolean tests "does X win by at least K points?" over one Zobrist-hashed table; see ``pyx/duel.pyx``.

    Args:
        position: any position of up to 52 cards in all, or a text of one.
        limits: bounds on time, nodes and table (default: no bounds, a table of at most 256 MiB).
        line: whether to find ``best_moves`` and ``line`` too, which costs about half as much again.
        threads: search in so many threads, which share one table. The answer is the same; nodes (of all threads
            together) differ from run to run. Positions that take less than 100,000 nodes use one thread.

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
    solver = _kernel.Solver(_table_bits(position, table_bytes), seconds, first)
    found = search_once(solver, position, line)
    if first != nodes and not is_done(found, line):
        deadline = None if seconds < 0 else begun + seconds
        leg = functools.partial(_search_leg, solver, position, line, threads)
        found = search_together(
            found, deadline, nodes, threads, leg, lambda later: solver.full and not is_done(later, line)
        )
    if not is_done(found, line):
        found = with_best_so_far(found, solver, position, seconds >= 0)
    return found._changed(seconds=time.perf_counter() - begun)


def finished(position: Position, begun: float) -> Solution:
    """Return the solution of a game that is over; ``begun``: of ``time.perf_counter``."""
    value = points_of(position.alice + position.bob) * (1 if position.winner == position.to_move else -1)
    return Solution(value, value, position.to_move, (), (), 0, time.perf_counter() - begun, 0)


def with_best_so_far(found: Solution, solver: "_kernel.Solver", position: Position, hurry: bool) -> Solution:
    """Return the solution of a search that was cut short with the best move so far; see :func:`_best_so_far`."""
    return found._changed(best_so_far=_best_so_far(solver, position, found.nodes, hurry))


def _best_so_far(solver: "_kernel.Solver", position: Position, searched: int, hurry: bool) -> str:
    """Return the best move by what is known after a search that was cut short; see :func:`best_first`.

    The table is asked with an eighth of the nodes that were searched, 2,000 at most, which are not counted, and in a
    ``hurry`` for a few milliseconds.
    """
    mover, other, _ = kernel_position(position)
    legal = position.legal_moves()
    if len(legal) == 1:
        return legal[0]
    nodes = min(searched // 8, _ASKING_NODES) // len(legal)
    seconds = 0.0 if not nodes else 0.005 / len(legal) if hurry else -1.0
    bounds = {}
    for move in legal:
        card = card_index(move)
        rest = mover ^ (1 << card)
        asked = _kernel.Solver(0, seconds, nodes, solver)  # has the table of that one
        lower, upper = asked.value(other, rest, card) if rest else (-points_of(hand_cards(other)),) * 2
        bounds[move] = -upper, -lower
    return best_first(position, bounds)[0].move


def best_first(position: Position, bounds: Mapping[str, tuple[int, int]]) -> tuple[MoveValue, ...]:
    """Sort moves as an analysis lists them: wins, open moves, losses; each by its worst case, then its best.

    Of equal moves those with the fewest replies come first, then the dearest; of moves of one exact value the lowest.
    """
    other = position.bob if position.to_move == ALICE else position.alice

    def key(entry: MoveValue) -> tuple[int, ...]:
        move, lower, upper = entry.move, entry.lower, entry.upper
        card = -1 if move == PASS else card_index(move)
        side = (lower > 0) - (upper < 0)
        if entry.exact:
            return side, lower, upper, 0, -card
        return side, lower, upper, -sum(reply[0] == move[0] or reply[1] == move[1] for reply in other), card

    return tuple(sorted((MoveValue(*known, move) for move, known in bounds.items()), key=key, reverse=True))


def _table_bits(position: Position, table_bytes: int) -> int:
    return table_bits(position._alice_mask.bit_count() + position._bob_mask.bit_count(), table_bytes)


def search_once(solver: "_kernel.Solver", position: Position, line: bool) -> Solution:
    """What the solver proves within its limits."""
    mover, other, last = kernel_position(position)
    with stoppable(solver.stop):
        lower, upper = solver.value(mover, other, last)
        played = solver.line(mover, other, last, lower) if line and lower == upper else None
    moves = tuple(MOVES[index] for index in played or ())
    return Solution._made(
        lower=lower,
        upper=upper,
        to_move=position.to_move,
        best_moves=moves[:1],
        line=moves,
        nodes=solver.nodes,
        seconds=0.0,
        table_bytes=solver.table_bytes,
        best_so_far=None,
    )


def is_done(found: Solution, line: bool) -> bool:
    """Whether all is there that was asked for."""
    return found.exact and (bool(found.line) or not line)


def _search_leg(
    solver: "_kernel.Solver", position: Position, line: bool, threads: int, found: Solution, seconds: float, nodes: int
) -> Solution:
    """What so many threads prove until the table has to grow; see :func:`gamecore.search.threads.search_together`."""
    solver.share(threads, seconds, nodes)
    helpers = [_kernel.Solver(0, seconds, nodes, solver) for _ in range(threads - 1)]
    with beside([functools.partial(search_once, helper, position, line) for helper in helpers]):
        later = search_once(solver, position, line)
    return later._changed(nodes=found.nodes + solver.nodes + sum(helper.nodes for helper in helpers))


def analyse(position: Position | str, limits: Limits | None = None) -> Analysis:
    """Every legal move with its value for the side to move, best first, equals by number and suit.

    One table serves all moves, and limits hold for all of them together: moves not finished have bounds. Empty when
    the game is over.

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
        bounds[move] = -upper, -lower
    return contract.Analysis(best_first(position, bounds), position.to_move, solver.nodes, time.perf_counter() - begun)
