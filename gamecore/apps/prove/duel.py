"""The duel for ``gamecore prove``. :class:`gamecore.apps.prove._plain.PlainDuel` defines the canonical form."""

import functools
from typing import Final

from gamecore.apps.prove._plain import PlainDuel
from gamecore.apps.prove._prover import Answer, Child, Engine, Prover
from gamecore.cards import card_index, card_text, hand_cards, hand_mask
from gamecore.duel import PASS, Position
from gamecore.kernels import duel as _kernel

_RULES: Final = "duel 1"  # the number changes with the rules
_CLUBS: Final = sum(1 << 4 * rank for rank in range(13))

Hands = tuple[int, int, int]  #: the mover's hand and the other hand as bit masks, the last card's index or -1


class DuelProver(Prover):
    """See :class:`gamecore.apps.prove.Prover`."""

    plain = PlainDuel()

    def canonical(self, position: Position) -> str:
        return text_of(*hands_of(position))

    def plies_left(self, key: str) -> int:
        # Each ply shortens this sum: a card leaves a hand (two letters each), or a pass clears the last card.
        mover, other, _, last = key.split(":")
        return 2 * len(mover + other) + (last != "-")

    def test_after(self, test: int) -> int:
        return _test_after(test)

    def next_test(self, key: str, low: int, high: int, question: str) -> int | None:
        """Test who wins, then the loser's possible amounts in ascending order: most deals are won by few points."""
        if low < 0 < high:
            return 1
        if question == "wins" or low == high:
            return None
        mover, other, _ = _parse(key)
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
        result, nodes = _kernel.recheck(*_parse(key), attacks, needed, bits, -1.0, 0)
        return (result == 2) == attacks, nodes

    def fingerprint(self, root: str) -> str:
        return _RULES


class DuelEngine(Engine):
    """See :class:`gamecore.apps.prove.Engine`."""

    def __init__(self, solver: "_kernel.Solver", shared: bool) -> None:
        self.solver, self._shared = solver, shared

    def test(self, key: str, test: int, nodes: int) -> Answer:
        mover, other, last = _parse(key)
        result, searched = self.solver.test(mover, other, last, *_asked(test), -1.0, nodes)
        return Answer(result != 0, *_tightened(-points(mover), points(other), test, result), searched)

    def children(self, key: str, test: int) -> list[Child]:
        position, after = Position.from_text(key), _test_after(test)
        children = []
        for move in position.legal_moves():
            later = position.play(move)
            mover, other, last = hands_of(later)
            low, high, order = -points(mover), points(other), 0
            if later.is_over:
                low = high = low + high
            else:
                low, high = _tightened(low, high, after, self.solver.known(mover, other, last, *_asked(after)))
                replies = sum(reply != PASS for reply in later.legal_moves())
                order = (last // 4 + 1) - 16 * replies  # of a pass it does not matter: there is no other move
            children.append(Child(move, text_of(mover, other, last), low, high, order))
        return children

    def stop(self) -> None:
        self.solver.stop()

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


def hands_of(position: Position) -> Hands:
    """Return the kernel's form of a position."""
    mover, other = hand_mask(position.alice), hand_mask(position.bob)
    if position.to_move != "Alice":
        mover, other = other, mover
    return mover, other, -1 if position.last is None else card_index(position.last)


def _parse(key: str) -> Hands:
    return hands_of(Position.from_text(key))


def text_of(mover: int, other: int, last: int) -> str:
    """Return the canonical notation of a position.

    The suits are sorted: the one whose row of cards is largest as a number becomes clubs, the lowest bit of each rank.
    """
    rows = ((mover >> suit & _CLUBS, other >> suit & _CLUBS, suit == last & 3) for suit in range(4))
    suits = sorted(rows, reverse=True)
    hands = [sum(suit[owner] << name for name, suit in enumerate(suits)) for owner in (0, 1)]
    texts = ["".join(hand_cards(hand)) or "0" for hand in hands]
    named = "-"
    if last >= 0:
        named = next(card_text(last & ~3 | name) for name, suit in enumerate(suits) if suit[2])
    return f"{texts[0]}:{texts[1]}:A:{named}"


def points(hand: int) -> int:
    """Return the points of a hand."""
    return sum((rank + 1) * (hand >> 4 * rank & 15).bit_count() for rank in range(13))


@functools.lru_cache(maxsize=64)
def amounts_of(hand: int) -> tuple[int, ...]:
    """Return the points that the holder of ``hand`` may still hold at the end, at least one card, ascending."""
    sums = 1
    for index in range(52):
        if hand >> index & 1:
            sums |= sums << index // 4 + 1
    return tuple(amount for amount in range(1, sums.bit_length()) if sums >> amount & 1)


PART = DuelProver()
