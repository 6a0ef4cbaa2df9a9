"""Solve and analyse one position of the duel, or several in one table."""

import time
from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar, Final, TypeAlias

from gamecore import contract, search
from gamecore.batch.workers import stoppable
from gamecore.cards import CARD_INDEX, card_text
from gamecore.duel._position import ALICE, BOB, MoveValue, Position, Side, points_of, read
from gamecore.duel.words import PASS, WORDS
from gamecore.kernels import duel as _kernel
from gamecore.limits import Limits

DEFAULT_TABLE_MB: Final = 256
_BEST_MOVE_NODES: Final = 2_000  # at most, to choose a move after an unfinished search
Analysis: TypeAlias = contract.Analysis[MoveValue, Side]

#: Moves by the kernel's number: cards by index, the pass last, so that -1 is the pass.
MOVES: Final = (*map(card_text, range(52)), PASS)


@dataclass(frozen=True)
class Solution(contract.Solution[int, Side]):
    """Proven bounds of a position. Values belong to the side to move: +9 when it wins 9 points, -9 when it pays them.

    ``best_moves`` holds one proven best move: the lowest optimal card (by number, then suit in the order C D H S), or
    ``"pass"``; ``analyse`` finds all optimal moves. ``line`` continues by the same rule for both sides. Both are empty
    if only bounds are known, if ``line=False``, and if the game is over.
    """

    FIELDS: ClassVar[tuple[str, ...]] = ("winner", "points", *contract.Solution.FIELDS)

    @property
    def winner(self) -> Side | None:
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
        return WORDS.solution(self)


def table_bits(cards: int, table_bytes: int) -> int:
    """Return log2 of the table's 8-byte slots: enough for a hard deal of ``cards`` cards, within ``table_bytes``."""
    wanted = max(8, int(0.65 * cards - 2))
    allowed = max(1, (table_bytes // 8).bit_length() - 1)
    return min(wanted, allowed)


def kernel_position(position: Position) -> tuple[int, int, int]:
    """Return the mover's hand, the other hand, and the last card, -1 for none."""
    mover, other = position._alice_mask, position._bob_mask
    if position.to_move == BOB:
        mover, other = other, mover
    return mover, other, -1 if position.last is None else CARD_INDEX[position.last]


class Search(search.Search[Position, Solution, Analysis]):
    """See :class:`gamecore.search.Search`. The kernel's limits hold for all searches, unless the table is kept."""

    default_table_mb = DEFAULT_TABLE_MB
    read = staticmethod(read)
    kernel: _kernel.Solver | None

    def open(self, position: Position, seconds: float, nodes: int) -> _kernel.Solver:
        if self.kernel is None:
            cards = 52 if self.is_kept else (position._alice_mask | position._bob_mask).bit_count()
            self.kernel = _kernel.Solver(table_bits(cards, self.table_bytes), seconds, nodes)
        return self.kernel

    def search(self, position: Position, seconds: float, nodes: int, line: bool) -> Solution:
        begun, (mover, other, last) = time.perf_counter(), kernel_position(position)
        if not mover or not other:
            value = points_of(position.alice + position.bob) * (1 if position.winner == position.to_move else -1)
            return Solution(value, value, position.to_move, (), (), 0, time.perf_counter() - begun, 0)
        solver = self.kernel or self.open(position, seconds, nodes)
        if self.is_kept:
            solver.begin(seconds, nodes)
        before = solver.nodes
        with stoppable(solver.stop):
            lower, upper = solver.value(mover, other, last)
            if lower > upper:
                contract.check_bounds(lower, upper, position)
            played = solver.line(mover, other, last, lower) if line and lower == upper else None
        moves = tuple(map(MOVES.__getitem__, played or ()))
        return Solution._made(
            lower=lower, upper=upper, to_move=position.to_move, best_moves=moves[:1], line=moves,
            nodes=solver.nodes - before, seconds=time.perf_counter() - begun, table_bytes=solver.table_bytes,
        )  # fmt: skip

    def share(self, threads: int, seconds: float, nodes: int) -> list[_kernel.Solver]:
        assert self.kernel is not None
        self.kernel.share(threads, seconds, nodes)
        return [_kernel.Solver(0, seconds, nodes, self.kernel) for _ in range(threads - 1)]

    def best_so_far(self, solution: Solution, position: Position, in_a_hurry: bool) -> str:
        """Return the best move by the bounds in the table.

        Short searches read the bounds: an eighth of the nodes searched before, at most 2,000, which are not counted.
        In a hurry they take at most 5 ms.
        """
        legal = position.legal_moves()
        nodes = min(solution.nodes // 8, _BEST_MOVE_NODES) // len(legal)
        seconds = 0.0 if not nodes else 0.005 / len(legal) if in_a_hurry else -1.0
        entries = []
        assert self.kernel is not None
        self.kernel.begin(-1.0)  # the readers are no threads of the search that has ended
        for move in legal:
            reader = self.by(_kernel.Solver(0, seconds, nodes, self.kernel))
            entries.append(self.value_of(move, reader.search(position.play(move), seconds, nodes, False)))
        return _best_first(position, entries)[0].move

    def analysis(self, position: Position, values: Iterable[MoveValue], nodes: int, seconds: float) -> Analysis:
        return contract.Analysis(_best_first(position, values), position.to_move, nodes, seconds)


class Solver(search.Solver[Position, Solution, Analysis]):
    """A solver that keeps its table: later positions of one game take fewer nodes.

    Answers equal those of :func:`solve` and :func:`analyse`. See :class:`gamecore.search.Solver`.

        >>> from gamecore import duel
        >>> with duel.Solver() as solver:
        ...     position = duel.deal(8, rng=1)
        ...     first = solver.solve(position)
        ...     second = solver.solve(position.play(first.best_move))
        >>> first.value == -second.value, second.nodes < duel.solve(position.play(first.best_move)).nodes
        (True, True)
    """

    kind = Search


def _best_first(position: Position, entries: Iterable[MoveValue]) -> tuple[MoveValue, ...]:
    """Sort moves: wins, then unknown moves, then losses; within these by lower, then upper bound, best first.

    Ties: of exact moves the lowest card comes first; of others the card with the fewest replies, then the highest.
    """
    other = position.bob if position.to_move == ALICE else position.alice

    def key(entry: MoveValue) -> tuple[int, ...]:
        move, lower, upper = entry.move, entry.lower, entry.upper
        card = -1 if move == PASS else CARD_INDEX[move]
        side = (lower > 0) - (upper < 0)
        if entry.exact:
            return side, lower, upper, 0, -card
        return side, lower, upper, -sum(reply[0] == move[0] or reply[1] == move[1] for reply in other), card

    return tuple(sorted(entries, key=key, reverse=True))


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
    return search.solve_once(Search, position, limits, line, threads, shares=_kernel.can_share())


def analyse(position: Position | str, limits: Limits | None = None) -> Analysis:
    """Return every legal move with its value for the side to move, best first, ties by number and suit.

    All moves share one table and the limits; a move that is not finished has bounds. Empty if the game is over.

    Raises:
        ParseError: a malformed text. OptionError: bad limits. MemoryError: no memory for the table.
    """
    return search.analyse_once(Search, position, limits)
