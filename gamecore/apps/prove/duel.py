"""The duel for ``gamecore prove``. :class:`gamecore.apps.prove._plain.PlainDuel` defines the canonical form."""

import functools
import itertools
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from gamecore import kernels
from gamecore.apps.prove._plain import PlainDuel
from gamecore.apps.prove._prover import Answer, Child, KernelEngine, Prover
from gamecore.cards import card_index, card_text, hand_mask
from gamecore.duel import PASS, Position
from gamecore.errors import GamecoreError

if TYPE_CHECKING:
    from gamecore.kernels.baseline import duel as _kernel
else:
    _kernel = kernels.kernel("duel")

_CLUBS: Final = sum(1 << 4 * rank for rank in range(13))
_NAMINGS: Final = tuple(itertools.permutations(range(4)))
_POINTS: Final = tuple(index // 4 + 1 for index in range(52))
_NAMES: Final = tuple(map(card_text, range(52)))

Hands = tuple[int, int, int]  #: the mover's hand and the other hand as bit masks, the last card's index or -1


class DuelProver(Prover):
    """See :class:`gamecore.apps.prove.Prover`."""

    plain = PlainDuel()

    def canonical(self, position: Position) -> str:
        mover, other = hand_mask(position.alice), hand_mask(position.bob)
        if position.to_move != "Alice":
            mover, other = other, mover
        return text_of(mover, other, -1 if position.last is None else card_index(position.last))

    def plies_left(self, key: str) -> int:
        # Each ply shortens this sum: a card leaves a hand (two letters each), or a pass clears the last card.
        mover, other, _, last = key.split(":")
        return 2 * len(mover + other) + (last != "-")

    def test_after(self, test: int) -> int:
        return _test_after(test)

    def score_before(self, score: int) -> int:
        return -score

    def next_test(self, key: str, low: int, high: int, question: str) -> int | None:
        """Test who wins, then the loser's possible amounts in ascending order: most deals are won by few points."""
        if low < 0 < high:
            return 1
        if question == "wins" or low == high:
            return None
        mover, other, _ = hands_of(key)
        wins = low >= 0  # a win is at least 1 point
        amounts = amounts_of(other if wins else mover)
        least, most = (low, high) if wins else (-high, -low)
        left = [amount for amount in amounts if least <= amount <= most]
        if len(left) <= 1:
            return None
        far = amounts.index(left[0]) >= 8
        amount = left[len(left) // 2] if far else left[1]
        return amount if wins else 1 - amount

    def question_of(self, test: int) -> str:
        if test == 1:
            return "the mover wins"
        return f"the mover wins {test} points or more" if test > 0 else f"the mover pays {-test} points or less"

    def engine(self, key: str, table_bytes: int, shared: bool) -> "DuelEngine":
        solver = _kernel.Solver(max(10, (table_bytes // 8).bit_length() - 1), -1.0, 0)
        return DuelEngine(solver, shared and solver.reserve())

    def recheck(self, key: str, test: int, table_bytes: int) -> tuple[bool, int]:
        # The search keeps hashes; the recheck keeps whole positions and makes no reductions.
        attacks, needed = _asked(test or 1)
        bits = max(10, (table_bytes // 16).bit_length() - 1)
        result, nodes = _kernel.recheck(*hands_of(key), attacks, needed, bits, -1.0, 0)
        return (result == 2) == attacks, nodes

    def most_score(self, root: str) -> int:
        return max(map(abs, self.plain.most(root)))


class DuelEngine(KernelEngine):
    """See :class:`gamecore.apps.prove.Engine`."""

    def __init__(self, solver: "_kernel.Solver", shared: bool) -> None:
        super().__init__(solver)
        self._shared = shared

    def test(self, key: str, test: int, nodes: int) -> Answer:
        mover, other, last = hands_of(key)
        result, searched = self.solver.test(mover, other, last, *_asked(test), -1.0, nodes)
        return Answer(result != 0, *_tightened(-points(mover), points(other), test, result), searched)

    def children(self, key: str, test: int) -> list[Child]:
        after = _test_after(test)
        children = []
        for move, mover, other, last in moves_of(hands_of(key)):
            low, high = -points(mover), points(other)
            order = 0
            if not mover or not other:
                low = high = low + high
            else:
                result = self.solver.known(mover, other, last, *_asked(after))
                low, high = _tightened(low, high, after, result)
                order = _POINTS[last] - 16 * (mover & _fitting(last)).bit_count()
            children.append(Child(move, text_of(mover, other, last), low, high, order))
        return children

    def helper(self) -> "DuelEngine | None":
        return DuelEngine(_kernel.Solver(10, -1.0, 0, self.solver), True) if self._shared else None


def _test_after(test: int) -> int:
    return 1 - test if test != 1 else 1


def _asked(test: int) -> tuple[bool, int]:
    """Return the kernel's arguments for a test: True if the mover attacks, and the points the attacker needs."""
    return test > 0, test if test > 0 else 1 - test


def _tightened(low: int, high: int, test: int, result: int) -> tuple[int, int]:
    """Tighten bounds by the kernel's result: 0 unknown, 1 the attacker fails, 2 the attacker succeeds."""
    if result == 0:
        return low, high
    if (result == 2) == (test > 0):
        return max(low, test), high
    return low, min(high, -1 if test == 1 else test - 1)


def hands_of(key: str) -> Hands:
    """Return the kernel's form of a canonical position.

    Raises:
        GamecoreError: Bob is to move.
    """
    alice, bob, mover, last = key.split(":")
    if mover != "A":
        raise GamecoreError(f"{key} is not canonical: Bob is to move")
    mover_hand, other_hand = (hand_mask(re.findall("..", cards)) for cards in (alice, bob))
    return mover_hand, other_hand, -1 if last == "-" else card_index(last)


def moves_of(hands: Hands) -> Iterator[tuple[str, int, int, int]]:
    """Yield each legal move's name and the position after it: its mover's hand, other hand, last card."""
    mover, other, last = hands
    if not mover or not other:
        return
    legal = mover & _fitting(last)
    if not legal:
        yield PASS, other, mover, -1
    while legal:
        bit = legal & -legal
        legal ^= bit
        card = bit.bit_length() - 1
        yield _NAMES[card], other, mover ^ bit, card


@functools.cache
def _fitting(card: int) -> int:
    """Return the cards that share suit or number with ``card``; all cards for -1."""
    return (1 << 52) - 1 if card < 0 else (_CLUBS << (card & 3)) | (15 << (card & ~3))


def text_of(mover: int, other: int, last: int) -> str:
    """Return the canonical notation of a position."""
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
    """Return the points of a hand."""
    total = 0
    while hand:
        total += _POINTS[(hand & -hand).bit_length() - 1]
        hand &= hand - 1
    return total


@functools.lru_cache(maxsize=64)
def amounts_of(hand: int) -> tuple[int, ...]:
    """Return the points that the holder of ``hand`` may still hold at the end, at least one card, ascending."""
    sums = 1
    while hand:
        sums |= sums << _POINTS[(hand & -hand).bit_length() - 1]
        hand &= hand - 1
    return tuple(amount for amount in range(1, sums.bit_length()) if sums >> amount & 1)
