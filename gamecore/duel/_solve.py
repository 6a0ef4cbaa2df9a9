"""Solving one position of the duel."""

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Final, TypeAlias

from gamecore import contract, kernels
from gamecore.cards import card_index, card_text
from gamecore.duel._position import ALICE, BOB, PASS, MoveValue, Player, Position, points_of
from gamecore.duel._text import read
from gamecore.limits import Limits

if TYPE_CHECKING:
    from gamecore.kernels.baseline import duel as _kernel
else:
    _kernel = kernels.kernel("duel")

DEFAULT_TABLE_MB: Final = 256
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


def start(position: Position, limits: Limits | None) -> "tuple[_kernel.Solver, int, int, int]":
    """A solver for the position, and the position as the kernel takes it: hands of mover and other, last card."""
    seconds, nodes, table_bytes = (limits or Limits()).for_kernel(DEFAULT_TABLE_MB)
    mover, other = position._alice_mask, position._bob_mask
    if position.to_move == BOB:
        mover, other = other, mover
    bits = table_bits(mover.bit_count() + other.bit_count(), table_bytes)
    last = -1 if position.last is None else card_index(position.last)
    return _kernel.Solver(bits, seconds, nodes), mover, other, last


def solve(position: Position | str, limits: Limits | None = None, *, line: bool = True) -> Solution:
    """Solve a position exactly, or bound its value within limits.

    Boolean tests "does X win by at least K points?" over one Zobrist-hashed table; see ``pyx/duel.pyx``.

    Args:
        position: any position of up to 52 cards in all, or a text of one.
        limits: bounds on time, nodes and table (default: no bounds, a table of at most 256 MiB).
        line: whether to find ``best_moves`` and ``line`` too, which costs about half as much again.

    Raises:
        ParseError: a text that is none. OptionError: bad limits. MemoryError: no memory for the table.
    """
    begun = time.perf_counter()
    position = read(position)
    if position.is_over:
        value = points_of(position.alice + position.bob) * (1 if position.winner == position.to_move else -1)
        return Solution(value, value, position.to_move, (), (), 0, time.perf_counter() - begun, 0)
    solver, mover, other, last = start(position, limits)
    lower, upper = solver.value(mover, other, last)
    played = solver.line(mover, other, last, lower) if line and lower == upper else None
    moves = tuple(MOVES[index] for index in played or ())
    return Solution(
        lower,
        upper,
        position.to_move,
        best_moves=moves[:1],
        line=moves,
        nodes=solver.nodes,
        seconds=time.perf_counter() - begun,
        table_bytes=solver.table_bytes,
    )


def analyse(position: Position | str, limits: Limits | None = None) -> Analysis:
    """Every legal move with its value for the side to move, best first, equals by number and suit.

    One table serves all moves, and limits hold for all of them together: moves not finished have bounds. Empty when
    the game is over.

    Raises:
        ParseError: a text that is none. OptionError: bad limits. MemoryError: no memory for the table.
    """
    begun = time.perf_counter()
    position = read(position)
    if position.is_over:
        return contract.Analysis((), position.to_move, 0, time.perf_counter() - begun)
    solver, mover, other, _ = start(position, limits)
    won = points_of(position.bob if position.to_move == ALICE else position.alice)
    found = []
    for move in position.legal_moves():
        card = -1 if move == PASS else card_index(move)
        rest = mover if card < 0 else mover ^ (1 << card)
        lower, upper = solver.value(other, rest, card) if rest else (-won, -won)
        found.append(((upper, lower, card), MoveValue(-upper, -lower, move)))
    moves = tuple(entry for _, entry in sorted(found, key=lambda pair: pair[0]))
    return contract.Analysis(moves, position.to_move, solver.nodes, time.perf_counter() - begun)
