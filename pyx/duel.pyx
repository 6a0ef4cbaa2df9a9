"""Kernel of the open-hand card duel: boolean tests over one transposition table.

Trusts its caller: hands are disjoint 52-bit words (bit 4 * rank + suit), both non-empty; ``last`` is the index of
the card to be matched, in neither hand, or -1.

The value is found by tests "does X win by at least K points?" for K = 1 (who wins), then upward: real deals are
close, so a few tests do.  duel_rules.pxi: the rules; duel_key.pxi: what a test may forget, the hash, the table;
duel_search.pxi: the search.
"""

from libc.stdint cimport int64_t, uint8_t, uint16_t, uint64_t
from libc.stdlib cimport atoi, getenv
from libc.string cimport memcpy

from bits cimport ctz, msb, popcount, prefetch, splitmix64, spread_nibbles
from clock cimport INTERRUPTED, RUNNING, Watch, raise_pending, tick, watch_start
from table cimport pages_alloc, pages_free

include "duel_rules.pxi"
include "duel_key.pxi"
include "duel_search.pxi"

fill_rule_tables()
fill_key_tables()
if FULL_KEYS:
    if getenv("GAMECORE_DEBUG_SLOW") != NULL:
        debug_slow = atoi(getenv("GAMECORE_DEBUG_SLOW"))
    debug_order = getenv("GAMECORE_DEBUG_ORDER") != NULL


def points(uint64_t hand) -> int:
    """Points of a hand: A=1, 2..9, T=10, J=11, Q=12, K=13 (at most 364)."""
    return points_of(hand)


cdef class Solver:
    """One table and one watch: everything asked of it shares both."""
    cdef Search search
    cdef size_t table_size

    def __cinit__(self, int table_bits, double seconds, uint64_t nodes):
        cdef size_t slots = <size_t>1 << table_bits
        self.table_size = slots * sizeof(uint64_t)
        self.search.table.most_bits = table_bits
        self.search.table.bits = max(table_bits - GROWTH, min(table_bits, 10))
        self.search.table.first_bits = self.search.table.bits
        self.search.table.stores = 0
        self.search.table.grow_at = <uint64_t>1 << (self.search.table.bits - 1)
        self.search.table.collisions = 0
        self.search.table.slots = <uint64_t*> pages_alloc(self.table_size)
        if self.search.table.slots == NULL:
            raise MemoryError(f"no memory for a table of {self.table_size} bytes")
        if FULL_KEYS:
            self.search.table.canonical = <uint16_t*> pages_alloc(slots * CANONICAL * sizeof(uint16_t))
            if self.search.table.canonical == NULL:
                raise MemoryError("no memory for full keys")
        watch_start(&self.search.watch, seconds, nodes)

    def __dealloc__(self):
        pages_free(self.search.table.slots, self.table_size)
        if FULL_KEYS:
            pages_free(self.search.table.canonical,
                       (<size_t>1 << self.search.table.most_bits) * CANONICAL * sizeof(uint16_t))

    @property
    def nodes(self) -> int:
        return self.search.watch.nodes

    @property
    def stores(self) -> int:
        return self.search.table.stores

    @property
    def collisions(self) -> int:
        return self.search.table.collisions

    @property
    def table_bytes(self) -> int:
        """Bytes in use: tables grow with what there is to remember."""
        return sizeof(uint64_t) << self.search.table.bits

    def stopped(self) -> bool:
        """Whether a limit was reached; everything asked after that is answered None or by bounds."""
        return self.search.watch.stop != RUNNING

    cdef int test(self, uint64_t mover, uint64_t other, int last, bint attacks, int needed) except -1:
        cdef int result
        with nogil:
            result = attacker_wins(&self.search, mover, other, last, attacks, needed)
        if self.search.watch.stop == INTERRUPTED:
            raise_pending()
        return result

    def value(self, uint64_t mover, uint64_t other, int last) -> tuple[int, int]:
        """Proven bounds (lower, upper) of the mover's value; equal unless a limit was reached."""
        cdef int result = self.test(mover, other, last, True, 1)
        cdef int low, high, middle, step = 1, tests = 0
        if result == UNKNOWN:
            return -points_of(mover), points_of(other)
        cdef bint wins = result == WINS
        amounts = subset_sums(other if wins else mover)
        low = 0                             # the winner gets amounts[low]; not amounts[high + 1]
        high = len(amounts) - 1
        while low < high:
            middle = min(high, low + step)
            result = self.test(mover, other, last, wins, amounts[middle])
            if result == UNKNOWN:
                break
            tests += 1
            if result == WINS:
                low = middle
                step = 1 if tests < 8 else 2 * step
            else:
                high = middle - 1
                step = max(1, (high - low + 1) // 2)
        if wins:
            return amounts[low], amounts[high]
        return -amounts[high], -amounts[low]

    def moves_worth(self, uint64_t mover, uint64_t other, int last, int value, bint all_of_them) -> list[int] | None:
        """Cards (indices, ascending) after which the mover still has ``value``, which is the position's exact value:
        the lowest such card, or all of them.  An empty list means that the mover has to pass; None, stopped."""
        cdef uint64_t legal = mover if last < 0 else mover & NEIGHBOURS[last]
        cdef uint64_t rest
        cdef int card, result
        found = []
        while legal:
            card = ctz(legal)
            legal &= legal - 1
            rest = mover ^ (<uint64_t>1 << card)
            if rest == 0:
                result = WINS
            elif value > 0:
                result = self.test(other, rest, card, False, value)
            else:
                result = self.test(other, rest, card, True, 1 - value)
                if result != UNKNOWN:
                    result = WINS + LOSES - result
            if result == UNKNOWN:
                return None
            if result == WINS:
                found.append(card)
                if not all_of_them:
                    break
        return found

    def line(self, uint64_t mover, uint64_t other, int last, int value) -> list[int] | None:
        """The principal variation from a position of this exact value: card indices, -1 for a pass; both sides
        play the lowest card that keeps the value.  None when a limit was reached."""
        moves = []
        while mover and other:
            best = self.moves_worth(mover, other, last, value, False)
            if best is None:
                return None
            last = best[0] if best else -1
            moves.append(last)
            if best:
                mover ^= <uint64_t>1 << last
            mover, other = other, mover
            value = -value
        return moves


cdef list subset_sums(uint64_t hand):
    # The amounts that a player holding these cards can be left with, ascending, from 1 card up.
    sums = 1
    while hand:
        sums |= sums << card_points(ctz(hand))
        hand &= hand - 1
    return [amount for amount in range(1, sums.bit_length()) if sums >> amount & 1]
