"""Kernel of the open-hand card duel: boolean tests over one transposition table.

Trusts its caller: hands are disjoint 52-bit words (bit 4 * rank + suit), both non-empty; ``last`` is the index of
the card to be matched, in neither hand, or -1.

The value is found by tests "does X win by at least K points?" for K = 1 (who wins), then upward: real deals are
close, so a few tests do.  duel_rules.pxi: the rules; duel_key.pxi: what a test may forget, the hash, the table;
duel_search.pxi: the search; duel_batch.pxi: values, lines, and many positions in one call.
"""

from libc.stdint cimport int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint64_t
from libc.stdlib cimport atoi, free, getenv, realloc
from libc.string cimport memcpy, memset

from common.bits cimport ctz, msb, popcount, prefetch, splitmix64, spread_nibbles
from common.watch cimport (
    INTERRUPTED, RUNNING, Watch, load_flag, now_ns, raise_pending, signals, store_flag, tick, watch_open, watch_start
)
from common.table cimport pages_alloc, pages_free

include "duel/rules.pxi"
include "duel/key.pxi"
include "duel/search.pxi"
include "duel/batch.pxi"

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
    cdef int32_t cancelled

    def __cinit__(self, int table_bits, double seconds, uint64_t nodes):
        cdef size_t slots = <size_t>1 << table_bits
        self.table_size = slots * sizeof(uint64_t)
        store_flag(&self.cancelled, 0)
        set_size(&self.search.table, table_bits)
        self.search.table.collisions = 0
        self.search.table.slots = <uint64_t*> pages_alloc(self.table_size)
        if self.search.table.slots == NULL:
            raise MemoryError(f"no memory for a table of {self.table_size} bytes")
        if FULL_KEYS:
            self.search.table.canonical = <uint16_t*> pages_alloc(slots * CANONICAL * sizeof(uint16_t))
            if self.search.table.canonical == NULL:
                raise MemoryError("no memory for full keys")
        watch_start(&self.search.watch, seconds, nodes)
        self.search.table.deadline = self.search.watch.deadline

    def __dealloc__(self):
        pages_free(self.search.table.slots, self.table_size)
        if FULL_KEYS:
            pages_free(self.search.table.canonical,
                       self.table_size // sizeof(uint64_t) * CANONICAL * sizeof(uint16_t))

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

    def stop(self):
        """Ask a search that runs in another thread to end; nothing can be asked of the solver after that."""
        store_flag(&self.cancelled, 1)
        store_flag(&self.search.watch.asked, 1)

    def value(self, uint64_t mover, uint64_t other, int last) -> tuple[int, int]:
        """Proven bounds (lower, upper) of the mover's value; equal unless a limit was reached."""
        cdef int lower, upper
        with nogil:
            prove(&self.search, mover, other, last, &lower, &upper)
        if self.search.watch.stop == INTERRUPTED:
            raise_pending()
        return lower, upper

    def moves_worth(self, uint64_t mover, uint64_t other, int last, int value, bint all_of_them) -> list[int] | None:
        """Cards (indices, ascending) after which the mover still has ``value``, which is the position's exact value:
        the lowest such card, or all of them.  An empty list means that the mover has to pass; None, stopped."""
        cdef uint64_t legal = mover if last < 0 else mover & NEIGHBOURS[last]
        cdef int card, result
        found = []
        while legal:
            card = ctz(legal)
            legal &= legal - 1
            with nogil:
                result = keeps(&self.search, mover ^ (<uint64_t>1 << card), other, card, value)
            if self.search.watch.stop == INTERRUPTED:
                raise_pending()
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
        cdef int8_t moves[MAX_PLIES]
        cdef int plies
        with nogil:
            plies = play_out(&self.search, mover, other, last, value, moves)
        if self.search.watch.stop == INTERRUPTED:
            raise_pending()
        return None if plies == STOPPED else [moves[i] for i in range(plies)]

    def solve_batch(self, const uint64_t[::1] movers, const uint64_t[::1] others, const int8_t[::1] lasts,
                    const int8_t[::1] table_bits, double seconds, uint64_t nodes, bint want_line,
                    int16_t[::1] lower, int16_t[::1] upper, int64_t[::1] searched, int64_t[::1] nanoseconds,
                    int64_t[::1] table_bytes, int64_t[::1] line_end) -> bytes:
        """Each position by itself, from an empty table and with the whole limits; see the stub."""
        cdef Answers out
        cdef int64_t i, begun, ended, next_signals, count = movers.shape[0]
        cdef bint enough = True
        if count == 0:
            return b""
        out.lower = &lower[0]
        out.upper = &upper[0]
        out.nodes = &searched[0]
        out.nanoseconds = &nanoseconds[0]
        out.table_bytes = &table_bytes[0]
        out.line_end = &line_end[0]
        out.line = NULL
        out.line_room = 0
        begun = now_ns()
        next_signals = begun + 50_000_000
        try:
            with nogil:
                for i in range(count):
                    if load_flag(&self.cancelled):
                        break
                    set_size(&self.search.table, table_bits[popcount(movers[i]) + popcount(others[i])])
                    watch_start(&self.search.watch, seconds, nodes)
                    self.search.table.deadline = self.search.watch.deadline
                    enough = answer(&self.search, movers[i], others[i], lasts[i], want_line, &out, i)
                    if not enough or self.search.watch.stop == INTERRUPTED:
                        break
                    memset(self.search.table.slots, 0, sizeof(uint64_t) << self.search.table.bits)
                    ended = now_ns()
                    out.nanoseconds[i] = ended - begun
                    begun = ended
                    if ended >= next_signals:
                        next_signals = ended + 50_000_000
                        if signals() != 0:
                            self.search.watch.stop = INTERRUPTED
                            break
            if not enough:
                raise MemoryError("no memory for lines of play")
            if self.search.watch.stop == INTERRUPTED:
                raise_pending()
            if out.line == NULL or load_flag(&self.cancelled):
                return b""
            return (<char*>out.line)[:out.line_end[count - 1]]
        finally:
            free(out.line)
