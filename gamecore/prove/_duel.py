"""The duel for the prover. Canonical: Alice to move, and of all ways to name the suits the one with the least hands."""

import functools
import itertools
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from gamecore import duel, kernels
from gamecore.cards import card_index, card_text
from gamecore.errors import GamecoreError
from gamecore.prove._rules import Answer, Child

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from gamecore.kernels.baseline import duel as _kernel
else:
    _kernel = kernels.kernel("duel")

_ROOM: Final = 1 << 17  # entries that an engine keeps for others, at most
_CLUBS: Final = sum(1 << 4 * rank for rank in range(13))
_NAMINGS: Final = tuple(itertools.permutations(range(4)))
_POINTS: Final = tuple(index // 4 + 1 for index in range(52))
_NAMES: Final = tuple(map(card_text, range(52)))

Hands = tuple[int, int, int]  #: mover's and other hand of one bit a card, and the index of the last card, -1 for none


class DuelRules:
    """See :class:`gamecore.prove._rules.Rules`."""

    name = "duel"

    def read(self, text: str) -> duel.Position:
        """A position of its notation."""
        return duel.Position.from_text(text)

    def canonical(self, position: duel.Position) -> str:
        """See :class:`Rules`."""
        mover, other = position._alice_mask, position._bob_mask
        if position.to_move != "Alice":
            mover, other = other, mover
        return text_of(mover, other, -1 if position.last is None else card_index(position.last))

    def bounds(self, key: str) -> tuple[int, int]:
        """See :class:`Rules`."""
        mover, other, _ = hands_of(key)
        if not mover or not other:
            score = points(other) - points(mover)
            return score, score
        return -points(mover), points(other)

    def test_after(self, test: int) -> int:
        """See :class:`Rules`."""
        return 1 - test if test != 1 else 1

    def score_before(self, score: int) -> int:
        """See :class:`Rules`."""
        return -score

    def next_test(self, key: str, low: int, high: int, question: str) -> int | None:
        """Who wins, then the amounts that the loser can be left with, ascending by single steps: deals are close."""
        if low < 0 < high:
            return 1
        if question == "wins" or low == high:
            return None
        mover, other, _ = hands_of(key)
        wins = low >= 0  # nobody wins by nothing
        amounts = amounts_of(other if wins else mover)
        left = amounts_within(amounts, low, high)
        if len(left) <= 1:
            return None
        far = amounts.index(left[0]) >= 8
        amount = left[len(left) // 2] if far else left[1]
        return amount if wins else 1 - amount

    def value_of(self, key: str, low: int, high: int) -> tuple[int, int]:
        """See :class:`Rules`."""
        mover, other, _ = hands_of(key)
        if low < 0 < high or low == high != 0:
            return low, high
        wins = low >= 0  # nobody wins by nothing
        left = amounts_within(amounts_of(other if wins else mover), low, high)
        if low > high or not left:
            raise GamecoreError(f"{key}: no result is from {low} to {high}")
        return (left[0], left[-1]) if wins else (-left[-1], -left[0])

    def question_of(self, test: int) -> str:
        """See :class:`Rules`."""
        if test == 1:
            return "the mover wins"
        return f"the mover wins {test} points or more" if test > 0 else f"the mover pays {-test} points or less"

    def engine(self, key: str, table_bytes: int, shared: bool) -> "DuelEngine":
        """See :class:`Rules`."""
        solver = _kernel.Solver(max(10, (table_bytes // 8).bit_length() - 1), -1.0, 0)
        return DuelEngine(solver, shared and solver.reserve())


class DuelEngine:
    """See :class:`gamecore.prove._rules.Engine`."""

    weights = 0  # the order of moves is not learnt

    def __init__(self, solver: "_kernel.Solver", shared: bool) -> None:
        self._solver, self._shared = solver, shared
        self.stop = solver.stop
        self.take_entries = solver.take_entries

    def test(self, key: str, test: int, seconds: float, nodes: int) -> Answer:
        """See :class:`Engine`."""
        mover, other, last = hands_of(key)
        low, high = -points(mover), points(other)
        attacks, needed = test > 0, test if test > 0 else 1 - test
        result, searched = self._solver.test(mover, other, last, attacks, needed, seconds, nodes)
        return Answer(result != 0, *_tightened(low, high, test, result), searched)

    def children(self, key: str, test: int) -> list[Child]:
        """See :class:`Engine`."""
        hands = hands_of(key)
        after = DuelRules().test_after(test)
        attacks, needed = after > 0, after if after > 0 else 1 - after
        found = []
        for move, mover, other, last in moves_of(hands):
            low, high = -points(mover), points(other)
            order = 0
            if not mover or not other:
                low = high = low + high
            else:
                result = self._solver.known(mover, other, last, attacks, needed)
                low, high = _tightened(low, high, after, result)
                order = _POINTS[last] - 16 * (mover & _fitting(last)).bit_count()
            found.append(Child(move, text_of(mover, other, last), low, high, order))
        return found

    def helper(self) -> "DuelEngine | None":
        """See :class:`Engine`."""
        return DuelEngine(_kernel.Solver(10, -1.0, 0, self._solver), True) if self._shared else None

    def export_from(self, least: int) -> None:
        """See :class:`Engine`."""
        self._solver.export_from(least, _ROOM)

    def put_entries(self, words: "NDArray[np.uint64]") -> int:
        """See :class:`Engine`."""
        return self._solver.put_entries(words)

    def take_changes(self) -> bytes:
        """See :class:`Engine`."""
        return b""

    def put_changes(self, words: "NDArray[np.uint64]", away: bool) -> int:
        """See :class:`Engine`."""
        return 0


def _tightened(low: int, high: int, test: int, result: int) -> tuple[int, int]:
    """Bounds after the kernel's answer to a test; it is of the attacker, who is the mover where the test is above 0."""
    if result == 0:
        return low, high
    if (result == 2) == (test > 0):
        return max(low, test), high
    return low, min(high, -1 if test == 1 else test - 1)


def hands_of(key: str) -> Hands:
    """A canonical position as the kernel takes it.

    Raises:
        GamecoreError: Bob is to move.
    """
    alice, bob, mover, last = key.split(":")
    if mover != "A":
        raise GamecoreError(f"{key} is not canonical: Bob is to move")
    return _mask(alice), _mask(bob), -1 if last == "-" else card_index(last)


def _mask(cards: str) -> int:
    return 0 if cards == "0" else sum(1 << _INDEX[cards[at : at + 2]] for at in range(0, len(cards), 2))


_INDEX: Final = {name: index for index, name in enumerate(_NAMES)}


def moves_of(hands: Hands) -> Iterator[tuple[str, int, int, int]]:
    """Every legal move: its name, then the position after it, its mover first."""
    mover, other, last = hands
    if not mover or not other:
        return
    legal = mover if last < 0 else mover & _fitting(last)
    if not legal:
        yield duel.PASS, other, mover, -1
    while legal:
        bit = legal & -legal
        legal ^= bit
        card = bit.bit_length() - 1
        yield _NAMES[card], other, mover ^ bit, card


@functools.cache
def _fitting(card: int) -> int:
    """The cards that share suit or number with one; -1: all."""
    return (1 << 52) - 1 if card < 0 else (_CLUBS << (card & 3)) | (15 << (card & ~3))


def text_of(mover: int, other: int, last: int) -> str:
    """The canonical notation of a position."""
    least: tuple[int, int, int] | None = None
    rows = [((mover >> suit) & _CLUBS, (other >> suit) & _CLUBS) for suit in range(4)]
    for names in _NAMINGS:
        mine = theirs = 0
        for (row, other_row), name in zip(rows, names, strict=True):
            mine |= row << name
            theirs |= other_row << name
        if least is None or (mine, theirs) <= least[:2]:
            named = (mine, theirs, -1 if last < 0 else (last & ~3) | names[last & 3])
            least = named if least is None or named < least else least
    assert least is not None
    hands = ["".join(_NAMES[card] for card in range(52) if hand >> card & 1) or "0" for hand in least[:2]]
    return f"{hands[0]}:{hands[1]}:A:{'-' if least[2] < 0 else _NAMES[least[2]]}"


def points(hand: int) -> int:
    """What a loser pays for a hand."""
    total = 0
    while hand:
        total += _POINTS[(hand & -hand).bit_length() - 1]
        hand &= hand - 1
    return total


@functools.lru_cache(maxsize=64)
def amounts_of(hand: int) -> tuple[int, ...]:
    """The amounts that a player with these cards can be left with, ascending, from one card up."""
    sums = 1
    while hand:
        sums |= sums << _POINTS[(hand & -hand).bit_length() - 1]
        hand &= hand - 1
    return tuple(amount for amount in range(1, sums.bit_length()) if sums >> amount & 1)


def amounts_within(amounts: tuple[int, ...], low: int, high: int) -> list[int]:
    """Those of the amounts that results from ``low`` to ``high``, of one winner, leave the loser with."""
    least, most = (low, high) if low >= 0 else (-high, -low)
    return [amount for amount in amounts if least <= amount <= most]
