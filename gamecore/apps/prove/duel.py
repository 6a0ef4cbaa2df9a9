"""The duel for ``gamecore prove``. :class:`gamecore.apps.prove._plain.PlainDuel` defines the canonical form."""

from typing import Final

from gamecore.apps.prove._plain import PlainDuel
from gamecore.apps.prove._prover import Child, Engine, Prover
from gamecore.cards import ACE_LOW, card_index, hand_mask
from gamecore.duel import PASS, Position
from gamecore.kernels import duel as _kernel

_PLAIN: Final = PlainDuel()
_CLUBS: Final = hand_mask("C" + rank for rank in ACE_LOW)


class DuelProver(Prover):
    """See :class:`gamecore.apps.prove.Prover`."""

    plain = _PLAIN

    def test_after(self, test: int) -> int:
        return 1 - test if test != 1 else 1

    def next_test(self, key: str, low: int, high: int, question: str) -> int | None:
        """Test who wins, then the loser's possible amounts in ascending order: most deals are won by few points."""
        if low < 0 < high:
            return 1
        if question == "wins" or low == high:
            return None
        wins = low >= 0  # a win is at least 1 point
        amounts = _PLAIN.amounts(key, wins)
        least, most = (low, high) if wins else (-high, -low)
        left = [amount for amount in amounts if least <= amount <= most]
        if len(left) <= 1:
            return None
        far = amounts.index(left[0]) >= 8
        amount = left[len(left) // 2] if far else left[1]
        return amount if wins else 1 - amount

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
        return "duel 1"  # the number changes with the rules


class DuelEngine(Engine):
    """See :class:`gamecore.apps.prove.Engine`."""

    def __init__(self, solver: "_kernel.Solver", shared: bool) -> None:
        self.solver, self._shared = solver, shared

    def test(self, key: str, test: int, nodes: int) -> tuple[int, int, int]:
        result, searched = self.solver.test(*_parse(key), *_asked(test), -1.0, nodes)
        return *_tightened(key, test, result), searched

    def children(self, key: str, test: int) -> list[Child]:
        (mover, other, _), after, children = _parse(key), PART.test_after(test), []
        for move, child in _PLAIN.after(key).items():
            low, high = _PLAIN.most(child)
            order = 0  # of a pass it does not matter: there is no other move
            last = -1 if move == PASS else card_index(move)
            if low < high:
                left = mover if last < 0 else mover & ~(1 << last)
                known = self.solver.known(other, left, last, *_asked(after))  # with the suits that the search used
                low, high = _tightened(child, after, known)
                if last >= 0:
                    fits = _CLUBS << last % 4 | 15 << last - last % 4
                    order = last // 4 + 1 - 16 * (other & fits).bit_count()
            children.append(Child(move, child, low, high, order))
        return children

    def stop(self) -> None:
        self.solver.stop()

    def helper(self) -> "DuelEngine | None":
        return DuelEngine(_kernel.Solver(10, -1.0, 0, self.solver), True) if self._shared else None


def _asked(test: int) -> tuple[bool, int]:
    """Return the kernel's arguments for a test: True if the mover attacks, and the points the attacker needs."""
    return test > 0, test if test > 0 else 1 - test


def _tightened(key: str, test: int, result: int) -> tuple[int, int]:
    """Return bounds by the rules and the kernel's result: 0 unknown, 1 the attacker fails, 2 the attacker succeeds."""
    low, high = _PLAIN.most(key)
    if result == 0:
        return low, high
    if (result == 2) == (test > 0):
        return max(low, test), high
    return low, min(high, -1 if test == 1 else test - 1)


def _parse(key: str) -> tuple[int, int, int]:
    """Return the kernel's form of a key: the mover's and the other hand as bit masks, the last card's index or -1."""
    position = Position.from_text(key)
    last = -1 if position.last is None else card_index(position.last)
    return hand_mask(position.alice), hand_mask(position.bob), last


PART = DuelProver()
