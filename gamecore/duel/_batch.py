"""Many duels at once: columns in, columns out."""

import functools
import itertools
from collections.abc import Iterator
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from gamecore.batch.columns import (
    Array,
    Column,
    ColumnSequence,
    Payload,
    SolutionColumns,
    Solved,
    Values,
    checked_columns,
    for_kernel,
    words_at,
)  # fmt: skip
from gamecore.batch.spec import BatchSpec
from gamecore.batch.workers import stoppable
from gamecore.cards import FULL_DECK, hand_cards
from gamecore.contract import check_columns, plain
from gamecore.duel._position import ALICE, BOB, Position, read
from gamecore.duel._solve import DEFAULT_TABLE_MB, MOVES, Solution, table_bits
from gamecore.duel.words import PASS
from gamecore.errors import CardError, GamecoreError, OptionError
from gamecore.kernels import duel as _kernel
from gamecore.limits import Limits

_INDEX: Final[dict[str | None, int]] = {move: index for index, move in enumerate(MOVES) if move != PASS} | {None: -1}
_WRITTEN: Final = "lower", "upper", "nodes", "table_bytes", "line_end"  # columns that the kernel fills
_BITS: Final = np.array([byte.bit_count() for byte in range(256)], np.uint8)


class PositionArray(ColumnSequence[Position]):
    """A sequence of :class:`Position` held as columns, the fastest input of ``solve_many``.

    Args:
        alice, bob: hands as integers of 52 bits (``gamecore.cards``: bit ``4 * rank + suit``, A low, suits C D H S).
        to_move: 0 for Alice, 1 for Bob. last: index of the card to match, -1 for none. A single number fills the
            column.

    Each position is checked when it is used: a bad one raises its own error.

    Raises:
        OptionError: columns differ in length, or hold other than integers in range.
    """

    _items_are = "positions"

    def __init__(self, alice: object, bob: object, to_move: object = 0, last: object = -1) -> None:
        columns = {"alice": alice, "bob": bob, "to_move": to_move, "last": last}
        self._columns: Payload = (*checked_columns(columns, (np.uint64, np.uint64, np.uint8, np.int8)).values(),)

    def __len__(self) -> int:
        return len(self._columns[0])

    def __iter__(self) -> Iterator[Position]:
        return itertools.starmap(_position, zip(*map(np.ndarray.tolist, self._columns), strict=True))

    def _slice(self, part: slice) -> "PositionArray":
        return PositionArray(*(column[part] for column in self._columns))

    def _table(self) -> dict[str, Column]:
        positions = list(self)  # each is made once
        return {name: [plain(getattr(item, name)) for item in positions] for name in self._fields()}

    def packed(self, indices: range) -> tuple[Payload, dict[int, Exception]]:
        """Return the positions at ``indices`` as the kernel's columns, and the errors of bad ones by index there.

        The columns hold a placeholder for each bad position.
        """
        alice, bob, to_move, last = columns = [column[indices.start : indices.stop] for column in self._columns]
        held, card, errors = alice | bob, np.clip(last, 0, 51).astype(np.uint64), dict[int, Exception]()
        bad = (held > FULL_DECK) | ((alice & bob) != 0) | (held == 0) | (to_move > 1) | (last < -1) | (last > 51)
        bad |= (last >= 0) & ((held >> card & np.uint64(1)) != 0)
        for index in np.flatnonzero(bad).tolist():
            try:
                _position(*(column[index].item() for column in columns))
            except GamecoreError as error:
                errors[index] = error
        if errors:
            alice, bob, to_move, last = columns = [column.copy() for column in columns]
            for column, number in zip(columns, (1, 0, 0, -1), strict=True):
                column[list(errors)] = number
        return _by_turn(alice, bob, to_move == 1, last), errors


def _position(alice: int, bob: int, to_move: int, last: int) -> Position:
    """Make a position of numbers.

    Raises:
        GamecoreError: there is no such position.
    """
    for name, hand in (("alice", alice), ("bob", bob)):
        if hand > FULL_DECK:
            raise CardError(f"{name} must be a hand of 52 bits, not {hand:#x}")
    if to_move > 1:
        raise OptionError(f"to_move must be 0 (Alice) or 1 (Bob), not {to_move}", "to_move")
    if not -1 <= last < 52:
        raise OptionError(f"last must be a card from 0 to 51 or -1, not {last}", "last")
    card = None if last < 0 else MOVES[last]
    return Position(hand_cards(alice), hand_cards(bob), BOB if to_move else ALICE, card)


class Solutions(SolutionColumns[Solution]):
    """The sequence of :class:`Solution` that ``solve_many`` returns, held as columns.

    ``lower`` and ``upper`` are values for each position's side to move.
    """

    _moves_dtype = np.int8
    _sides = ALICE, BOB

    @property
    def points(self) -> np.ma.MaskedArray[Any, Any]:
        """(n,): the points that the losers pay, masked where unknown."""
        points: np.ma.MaskedArray[Any, Any] = np.ma.abs(self.value)
        return points

    def _plain(self, name: str) -> Column:
        if name == "winner":
            mover = np.where(self.lower > 0, self.to_move, 1 - self.to_move)
            return words_at((ALICE, BOB, None), np.where((self.lower > 0) | (self.upper < 0), mover, 2))
        return self._known(np.abs(self.lower)) if name == "points" else super()._plain(name)

    def _lines(self) -> Values:
        moves = list(map(MOVES.__getitem__, self._moves.tolist()))
        return [tuple(moves[start:end]) for start, end in self._ranges()]


def _pack(positions: list[Position]) -> Payload:
    """Return positions as the kernel's columns."""
    items = [(item._alice_mask, item._bob_mask, item.to_move == BOB, _INDEX[item.last]) for item in positions]
    alice, bob, turn, last = zip(*items, strict=True)
    return _by_turn(np.array(alice, np.uint64), np.array(bob, np.uint64), np.array(turn), np.array(last, np.int8))


def _by_turn(alice: Array, bob: Array, turn: NDArray[np.bool_], last: NDArray[np.int8]) -> Payload:
    """Return the mover's hands, the other hands, Bob's turns and the last cards."""
    return np.where(turn, bob, alice), np.where(turn, alice, bob), turn, last


def solve_chunk(line: bool, total: int | None, payload: Payload, limits: Limits) -> Solved:
    """Solve a chunk of packed positions; return columns and the moves of all lines."""
    mover, other, turn, last = for_kernel(payload)
    within = limits.for_kernel(DEFAULT_TABLE_MB)
    bits = _bits_by_cards(within.table_bytes)
    columns = Solutions._zeros(len(mover))
    lower, upper, nodes, table_bytes, ends = (columns[name] for name in _WRITTEN)
    nanoseconds = np.zeros(len(mover), np.int64)
    solver = _kernel.Solver(int(bits[_most_cards(mover | other)]), within.seconds, within.nodes)
    with stoppable(solver.stop):
        moves = solver.solve_batch(
            mover, other, last, bits, within.seconds, within.nodes, line,
            lower, upper, nodes, nanoseconds, table_bytes, ends,
        )  # fmt: skip
    check_columns(lower, upper, lambda at: PositionArray(*_by_turn(mover, other, turn, last))[at])
    columns |= {"to_move": turn.astype(np.uint8), "seconds": nanoseconds * 1e-9}
    return columns, np.frombuffer(moves, np.int8)


@functools.cache
def _bits_by_cards(table_bytes: int) -> NDArray[np.int8]:
    """Return log2 of the table's slots by number of cards, as ``duel.solve`` chooses them."""
    return np.array([table_bits(cards, table_bytes) for cards in range(53)], np.int8)


def _most_cards(held: Array) -> int:
    counts = _BITS[held.view(np.uint8).reshape(-1, 8)].sum(axis=1, dtype=np.uint8)
    return int(counts.max())


BATCH: Final = BatchSpec(solve_chunk, Solutions._of, read=read, pack=_pack, placeholder=Position(["CA"], []))
solve_many = BATCH.solve_many  #: solve many positions, see [gamecore.batch.spec.Batch.solve_many][]
solve_iter = BATCH.solve_iter  #: yield solutions one by one, see [gamecore.batch.spec.Batch.solve_iter][]
