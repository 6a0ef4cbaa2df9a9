"""Kernel of the open-hand card duel: boolean tests over one transposition table.

The kernel trusts its caller: hands are disjoint 52-bit words (bit 4 * rank + suit), both non-empty; ``last`` is the
index of the card to match, in neither hand, or -1.

The search answers tests "does X win by at least K points?" for K = 1 (who wins), then for larger K. Most deals are won
by few points, so that a few tests suffice. Read the parts in this order:

    duel/rules.pxd      hands and the rules
    duel/state.pxd      tests and their states
    duel/key.pxi        reductions of a state, and its hash
    duel/suits.pxi      ... renaming of suits
    duel/points.pxi     ... and the defender's points
    duel/table.pxd      the transposition table
    duel/search.pxi     the search of one test
    duel/together.pxi   ... by several threads
    duel/value.pxi      values and lines of play by tests
    duel/batch.pxi      many positions in one call
    duel/known.pxi      results that are known without search
    duel/recheck.pxd    an independent search of a test, without reductions
    duel/full_keys.pxd  whole keys, in debug builds only

The .pxi parts are one module: their names come from the imports below and from one another.

Tuned by measurements: the weights of the move ordering (score_of in search.pxi), ORDER_CARDS (key.pxi), MOST_REDUCED
(points.pxi), GROWTH (table.pxd), what threads tell each other (LOOK_EVERY, SHARED_CARDS, MARK_BITS in together.pxi),
and gcc's limits of inlining (setup.py).
"""

from libc.stdint cimport INT64_MAX, int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint64_t
from libc.stdlib cimport calloc, free, malloc, realloc
from libc.string cimport memset

from common.bits cimport ctz, msb, popcount, prefetch, splitmix64
from common.table cimport pages_alloc, pages_free
from common.watch cimport (
    INTERRUPTED, RUNNING, Watch, load_flag, look, now_ns, raise_pending, store_flag, tick, watch_open, watch_start
)
from common.words cimport load_word, store_word
from duel.full_keys cimport CANONICAL, FULL_KEYS
from duel.recheck cimport Recheck, test_again
from duel.rules cimport (
    NEIGHBOURS, SUITS_FILLED, at_most_one, card_points, cards_below, fill_columns, neighbours_of, points_of,
    suits_of, without_twins
)
from duel.state cimport LOSES, UNKNOWN, WINS, Hash, State, add, opposite
from duel.table cimport NEVER, TranspositionTable, grow, lookup, pair_of, set_size, spread_index, store

include "duel/suits.pxi"
include "duel/points.pxi"
include "duel/key.pxi"
include "duel/together.pxi"
include "duel/search.pxi"
include "duel/known.pxi"
include "duel/value.pxi"
include "duel/batch.pxi"

fill_key_tables()


def recheck(uint64_t mover, uint64_t other, int last, bint attacks, int needed, int table_bits, double seconds,
            uint64_t nodes) -> tuple[int, int]:
    """Test whether the attacker wins at least `needed` points, by a search without reductions; see the stub."""
    cdef Recheck r
    cdef size_t size = <size_t>16 << table_bits
    cdef int result
    r.entries = <uint64_t*> pages_alloc(size)
    if r.entries == NULL:
        raise MemoryError
    r.shift, r.needed = 64 - table_bits, needed
    try:
        watch_open(&r.watch)
        watch_start(&r.watch, seconds, nodes)
        with nogil:
            result = test_again(&r, mover, other, last, attacks)
        if r.watch.stop == INTERRUPTED:
            raise_pending()
        if result != UNKNOWN and not attacks:
            result = opposite(result)
        return result, r.watch.nodes
    finally:
        pages_free(r.entries, size)


def can_share() -> bool:
    """True if threads can share a table; False in debug builds, which keep whole states beside the entries."""
    return not FULL_KEYS


cdef class Solver:
    """A table and a watch, shared by all calls.

    Args:
        table_bits: log2 of the most slots, of 8 bytes each.
        seconds: limit for all calls together; below 0: no limit.
        nodes: limit for all calls together; 0: no limit.
        main: a solver to help, after its `share`: this one uses main's table and makes the same calls in the same
            order in another thread.
    """
    cdef Search search
    cdef Watch pace                # watch of a batch
    cdef size_t table_size
    cdef Solver main               # owner of a shared table; None: this solver

    def __cinit__(self, int table_bits, double seconds, uint64_t nodes, Solver main=None):
        cdef size_t slots = <size_t>1 << table_bits
        watch_open(&self.search.watch)
        watch_open(&self.pace)
        self.search.shared = NULL
        self.search.test = 0
        self.search.children = <State*> malloc(MOST_CHILDREN * sizeof(State))
        self.table_size = slots * sizeof(uint64_t)
        if main is not None:
            self.main = main
            self.table_size = 0
            self.search.table = main.search.table
            self.search.shared = main.search.shared
        else:
            set_size(&self.search.table, table_bits)
            self.search.table.collisions = 0
            self.search.table.slots = <uint64_t*> pages_alloc(self.table_size)
        if self.search.table.slots == NULL or self.search.children == NULL:
            raise MemoryError(f"no memory for a table of {self.table_size} bytes")
        if FULL_KEYS and main is None:
            self.search.table.canonical = <uint16_t*> pages_alloc(slots * CANONICAL * sizeof(uint16_t))
            if self.search.table.canonical == NULL:
                raise MemoryError("no memory for full keys")
        self.start(seconds, nodes)

    cdef void start(self, double seconds, uint64_t nodes):
        watch_start(&self.search.watch, seconds, nodes)
        self.search.table.deadline = self.search.watch.deadline

    def __dealloc__(self):
        free(self.search.children)
        if self.table_size == 0:                # main owns the table
            return
        free(self.search.shared)
        pages_free(self.search.table.slots, self.table_size)
        if FULL_KEYS:
            pages_free(self.search.table.canonical,
                       self.table_size // sizeof(uint64_t) * CANONICAL * sizeof(uint16_t))

    def share(self, int threads, double seconds, uint64_t nodes) -> None:
        """Share the table among `threads` threads, helpers included, with new limits; then create the helpers.

        All threads stop without an answer when the table is `full`; call this again to grow it. No search may run
        during the call. Needs `can_share()`.
        """
        cdef TranspositionTable* table = &self.search.table
        cdef Shared* shared = self.search.shared
        cdef int bits = -1
        if FULL_KEYS:
            raise ValueError("threads cannot share the whole states of debug builds")
        self.start(seconds, nodes)
        table.full = NULL
        if shared != NULL and load_flag(&shared.full):
            bits = table.bits
            with nogil:
                grow(table)
        free(shared)
        self.search.shared = shared = <Shared*> calloc(1, sizeof(Shared))
        if shared == NULL:
            raise MemoryError
        self.search.test = 0
        table.full = &shared.full
        # A quarter of the entries that make a table grow were there when it grew last.  Near the deadline it stays.
        table.stores = 0
        table.grow_at = (<uint64_t>3 << table.bits) // (8 * threads)
        if table.bits == table.most_bits or bits == table.bits:
            table.grow_at = NEVER

    @property
    def full(self) -> bool:
        """True if threads stopped because the shared table must grow; see `share`."""
        return self.search.shared != NULL and load_flag(&self.search.shared.full)

    @property
    def nodes(self) -> int:
        """States searched so far."""
        return self.search.watch.nodes

    @property
    def stores(self) -> int:
        """Entries written so far."""
        return self.search.table.stores

    @property
    def collisions(self) -> int:
        """Debug builds: different states found with equal hashes."""
        return self.search.table.collisions

    @property
    def table_bytes(self) -> int:
        """Bytes of the table in use, which grows with its entries."""
        return sizeof(uint64_t) << self.search.table.bits

    def stop(self):
        """Stop a search in another thread; all later calls stop too."""
        store_flag(&self.pace.asked, 1)
        store_flag(&self.search.watch.asked, 1)

    def begin(self, double seconds, uint64_t nodes=0):
        """Set the limits of later calls, and count nodes from 0; the table is kept, and may grow near the deadline.

        No thread shares the table from then on.
        """
        self.start(seconds, nodes)
        free(self.search.shared)
        self.search.shared = NULL
        self.search.table.full = NULL
        self.search.table.deadline = INT64_MAX

    # --- for `gamecore prove`: see the stub

    def reserve(self) -> bool:
        """Grow the table to its full size, so that helpers may join; False in debug builds."""
        cdef TranspositionTable* table = &self.search.table
        if FULL_KEYS:
            return False
        self.start(-1.0, 0)
        with nogil:
            while table.bits < table.most_bits:
                grow(table)
        table.grow_at = NEVER
        return True

    def test(self, uint64_t mover, uint64_t other, int last, bint attacks, int needed, double seconds,
             uint64_t nodes) -> tuple[int, int]:
        """Test whether the attacker wins at least `needed` points."""
        cdef int result
        self.start(seconds, nodes)
        with nogil:
            result = attacker_wins(&self.search, mover, other, last, attacks, needed)
        if self.search.watch.stop == INTERRUPTED:
            raise_pending()
        return result, self.search.watch.nodes

    def known(self, uint64_t mover, uint64_t other, int last, bint attacks, int needed) -> int:
        """Return the result of `test` if it is known without search, else UNKNOWN."""
        return known_outcome(&self.search, mover, other, last, attacks, needed)

    def value(self, uint64_t mover, uint64_t other, int last) -> tuple[int, int]:
        """Return proven bounds (lower, upper) of the mover's value; equal unless a limit was reached."""
        cdef int lower, upper
        with nogil:
            prove_bounds(&self.search, mover, other, last, &lower, &upper)
        if self.search.watch.stop == INTERRUPTED:
            raise_pending()
        return lower, upper

    def line(self, uint64_t mover, uint64_t other, int last, int value) -> list[int] | None:
        """Return the principal variation of a position of this exact value: card indices, -1 for a pass; both sides
        play the lowest optimal card.  None if a limit was reached."""
        cdef int8_t moves[MAX_PLIES]
        cdef int plies
        with nogil:
            plies = principal_variation(&self.search, mover, other, last, value, moves)
        if self.search.watch.stop == INTERRUPTED:
            raise_pending()
        return None if plies == STOPPED else [moves[i] for i in range(plies)]

    def solve_batch(self, const uint64_t[::1] movers, const uint64_t[::1] others, const int8_t[::1] lasts,
                    const int8_t[::1] table_bits, double seconds, uint64_t nodes, bint want_lines,
                    int16_t[::1] lower, int16_t[::1] upper, int64_t[::1] searched, int64_t[::1] nanoseconds,
                    int64_t[::1] table_bytes, int64_t[::1] line_end) -> bytes:
        """Solve each position from an empty table, within the whole limits; see the stub."""
        cdef Batch batch
        cdef bint enough
        if movers.shape[0] == 0:
            return b""
        batch.movers, batch.others, batch.lasts = &movers[0], &others[0], &lasts[0]
        batch.table_bits = &table_bits[0]
        batch.seconds, batch.nodes, batch.want_lines = seconds, nodes, want_lines
        batch.lower, batch.upper, batch.searched = &lower[0], &upper[0], &searched[0]
        batch.nanoseconds, batch.table_bytes, batch.line_end = &nanoseconds[0], &table_bytes[0], &line_end[0]
        batch.lines = NULL
        batch.lines_used = batch.lines_room = 0
        watch_start(&self.pace, -1.0, 0)
        try:
            with nogil:
                enough = solve_positions(&self.search, &self.pace, &batch, movers.shape[0])
            if not enough:
                raise MemoryError("no memory for lines of play")
            if self.search.watch.stop == INTERRUPTED or self.pace.stop == INTERRUPTED:
                raise_pending()
            return b"" if batch.lines == NULL else (<char*>batch.lines)[:batch.lines_used]
        finally:
            free(batch.lines)
