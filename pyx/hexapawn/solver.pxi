# Hexapawn kernel: exact values of positions.  Python checks boards and positions; the kernel trusts them.
#
# "See the stub" means gamecore/kernels/baseline/hexapawn.pyi.  Threads are Python's: `_search_in_threads` in
# gamecore/search/_solver.py.
#
# The caller's squares are row * columns + column, from the lower left corner; white moves up.
#
# Read the parts in this order: board (layouts, moves), bounds (scores, static bounds), key (packed positions), entry,
# table, order and estimate (move ordering), search, value (values and lines), batch.  Tuned by measurements: sizes of
# the histories and estimates (here, in __cinit__; ESTIMATED_SQUARES in estimate), weights of the move ordering (order),
# the restarts (RESTART_AT in value), and what threads tell each other (SHARED_PLIES, LOOK_UP_EVERY in search).
from cpython.memoryview cimport PyMemoryView_FromMemory
from libc.stdint cimport int8_t, int16_t, int64_t, uint8_t, uint64_t
from libc.stdlib cimport calloc, free

from common.table cimport log2_floor, pages_free
from common.watch cimport INTERRUPTED, TABLE_FULL, Watch, raise_pending, store_flag, watch_open, watch_start
from common.words cimport load_word
from hexapawn.batch cimport Positions, Proofs, solve_positions
from hexapawn.board cimport MAX_MOVES, Geometry, count_sequences, geometry_init, make_canonical, orient, square_of
from hexapawn.bounds cimport LONGEST_8, MATE, longest_game
from hexapawn.entry cimport worth_in
from hexapawn.estimate cimport ESTIMATED_COLUMNS, ESTIMATED_ROWS, ESTIMATED_SQUARES, estimates_init
from hexapawn.key cimport Key, Packing, key_of, packing_init
from hexapawn.order cimport Node
from hexapawn.search cimport BUSY_BITS, Engine
from hexapawn.table cimport (
    BUCKET_BYTES, SLOTS, Table, entry_at, table_grow, table_init, table_probe, table_reserve, table_set_growth
)
from hexapawn.value cimport Proof, Test, list_children, run_test, solve_position


def needs_wide(int rows, int columns, uint64_t white, uint64_t black):
    """True if this position needs the module hexapawn_wide."""
    cdef Geometry g
    if rows > 8 or columns > 8:
        return True
    geometry_init(&g, rows, columns)
    return longest_game(&g, white, black) > LONGEST_8


def perft(int rows, int columns, uint64_t white, uint64_t black, bint black_to_move, int depth):
    """Count the sequences of `depth` moves; a finished game has none.  hexapawn_wide takes any board."""
    cdef Geometry g
    cdef uint64_t own, opp, count
    cdef Watch watch
    geometry_init(&g, rows, columns)
    orient(&g, white, black, black_to_move, &own, &opp)
    watch_open(&watch)
    watch_start(&watch, -1.0, 0)
    with nogil:
        count = count_sequences(&g, &watch, own, opp, depth)
    raise_pending()
    return count


def position_key(int rows, int columns, uint64_t white, uint64_t black, bint black_to_move):
    """Return the two numbers of a position's key, and the bits of the second that entries do not store."""
    cdef Geometry g
    cdef Packing packing
    cdef uint64_t own, opp
    geometry_init(&g, rows, columns)
    packing_init(&packing, &g)
    orient(&g, white, black, black_to_move, &own, &opp)
    make_canonical(&g, &own, &opp)
    cdef Key key = key_of(&packing, &g, own, opp)
    return key.left, key.right, packing.dropped


cdef class Solver:
    """A search with its table, for positions of one board size.  Not reentrant: one call at a time.

    A solver made with `main` is a helper: it shares main's table and weights and may search in another thread.
    """

    cdef Engine engine
    cdef Watch pace                # watch of a whole batch; the engine's watch restarts with each position
    cdef bint helps                # True: main owns table and weights (`main` may be None in __dealloc__)
    cdef Solver main               # keeps the shared table alive

    def __cinit__(self, int rows, int columns, uint64_t table_bytes, Solver main=None):
        cdef Engine* e = &self.engine
        cdef int squares = rows * columns
        cdef int bits = 18 if squares >= 36 else max(8, squares // 2 + 2)
        cdef int i
        self.main = main
        self.helps = main is not None
        watch_open(&e.watch)
        watch_open(&self.pace)
        e.busy = NULL
        e.table.words = NULL
        e.history.pattern_shift = 64 - bits
        # Larger boards have more weights, unless the table is small.
        e.estimates.shift = 64 - (16 if squares < 42 else 18 if squares < 48 else 20 if table_bytes < 64 << 20 else 22)
        e.estimates.rate = 13 if squares < 48 else 4
        e.estimates.is_trained = False
        e.history.codes = 3 * squares + 1
        e.history.patterns = e.history.replies = e.estimates.weights = NULL
        if main is not None:       # threads of one search share the weights
            e.history, e.estimates = main.engine.history, main.engine.estimates
        else:
            e.history.patterns = <int16_t*>calloc(<size_t>1 << bits, sizeof(int16_t))
            e.history.replies = <int16_t*>calloc(e.history.codes * e.history.codes, sizeof(int16_t))
            if squares >= ESTIMATED_SQUARES and rows >= ESTIMATED_ROWS and columns >= ESTIMATED_COLUMNS:
                e.estimates.weights = <int16_t*>calloc(<size_t>1 << (64 - e.estimates.shift), sizeof(int16_t))
                if e.estimates.weights == NULL:
                    raise MemoryError
            if e.history.patterns == NULL or e.history.replies == NULL:
                raise MemoryError
        geometry_init(&e.g, rows, columns)
        estimates_init(&e.estimates, &e.g)
        if main is not None:
            e.table.replacements = 0
            self.join(0)
        else:
            table_init(&e.table, &e.g, table_bytes)
        if e.table.words == NULL:
            raise MemoryError
        e.table.watch = &e.watch
        for i in range(squares):
            e.square[(i // columns) * e.g.stride + i % columns] = <uint8_t>i

    def __dealloc__(self):
        if not self.helps:
            free(self.engine.busy)
            if self.engine.table.words != NULL:
                pages_free(self.engine.table.words, self.engine.table.bytes)
            free(self.engine.history.patterns)
            free(self.engine.history.replies)
            free(self.engine.estimates.weights)

    def reserve(self):
        """Replace the table by an empty one that has all its memory now and never grows; see the stub."""
        if not table_reserve(&self.engine.table):
            raise MemoryError

    def memory(self):
        """Return the table's memory as a writable memoryview; see the stub."""
        return PyMemoryView_FromMemory(<char*>self.engine.table.words, self.table_bytes, 0x200)  # PyBUF_WRITE

    def recount(self):
        """Count the entries again, after something else has written the table's memory."""
        cdef Table* t = &self.engine.table
        cdef uint64_t index
        with nogil:
            t.entries = 0
            for index in range(SLOTS * (t.mask + 1)):
                t.entries += worth_in(t.words[2 * index + 1]) != 0

    def share_growing_table(self, uint64_t most_bytes, list helpers):
        """Share the table with helpers, grown if it is filling up; see the stub."""
        cdef Engine* e = &self.engine
        cdef Table* t = &e.table
        cdef uint64_t most = <uint64_t>1 << log2_floor(most_bytes // BUCKET_BYTES)
        cdef uint64_t part = 0
        cdef Solver helper
        if e.busy == NULL:
            e.busy = <uint64_t*>calloc(<size_t>1 << BUSY_BITS, sizeof(uint64_t))
            if e.busy == NULL:
                raise MemoryError
        for helper in helpers:
            t.entries += helper.engine.table.entries
        t.shared = False
        if most <= t.mask + 1:
            t.most_buckets = t.mask + 1
        elif 4 * t.entries >= SLOTS * (t.mask + 1) and t.mask + 1 < t.most_buckets:
            watch_start(&e.watch, -1.0, 0)
            with nogil:
                table_grow(t)
            raise_pending()
        table_set_growth(t)
        t.shared = True
        if t.mask + 1 < t.most_buckets:
            part = (t.grow_at - min(t.grow_at, t.entries)) // (len(helpers) + 1) + 1
            t.grow_at = t.entries + part
        for helper in helpers:
            helper.join(part)

    cdef void join(self, uint64_t part):
        # Take over the main solver's current table; `part`: entries that this helper may add, 0 for no limit.  Earlier
        # requests to stop are dropped.
        cdef Table* t = &self.engine.table
        cdef uint64_t replaced = t.replacements
        t[0] = self.main.engine.table
        t.entries, t.replacements = 0, replaced
        t.watch = &self.engine.watch
        if part:
            t.grow_at = part
        self.engine.busy = self.main.engine.busy
        watch_open(&self.engine.watch)

    @property
    def full(self):
        """True if the last search ended because the shared table must grow."""
        return self.engine.watch.stop == TABLE_FULL

    def stop(self):
        """Stop the current and all later searches; from any thread, maybe repeatedly."""
        store_flag(&self.engine.watch.asked, 1)
        store_flag(&self.pace.asked, 1)

    def solve(self, uint64_t white, uint64_t black, bint black_to_move, double seconds, uint64_t nodes, int want):
        """Search; see the stub."""
        cdef Proof proof
        cdef Engine* e = &self.engine
        cdef bint done
        with nogil:
            done = solve_position(e, white, black, black_to_move, seconds, nodes, want, &proof)
        if not done:
            raise MemoryError
        try:
            raise_pending()
            line = [(proof.line[i].source, proof.line[i].target) for i in range(proof.plies)]
        finally:
            free(proof.line)
        return (proof.winner, proof.least, proof.most, line, e.watch.nodes)

    def solve_batch(self, const uint64_t[::1] white, const uint64_t[::1] black, const uint8_t[::1] black_to_move,
                    double seconds, uint64_t nodes, int want_line, bint afresh, int8_t[::1] winner,
                    int16_t[::1] least, int16_t[::1] most, int64_t[::1] searched, int64_t[::1] nanoseconds,
                    int64_t[::1] table_bytes, int64_t[::1] replacements, int64_t[::1] line_end) -> bytes:
        """Solve many positions in one call; see the stub."""
        cdef Engine* e = &self.engine
        cdef Positions positions
        cdef Proofs out
        cdef uint64_t* busy = e.busy
        cdef int64_t end
        cdef bint done
        if white.shape[0] == 0:
            return b""
        positions.count = white.shape[0]
        positions.white, positions.black, positions.black_to_move = &white[0], &black[0], &black_to_move[0]
        out.winner, out.least, out.most = &winner[0], &least[0], &most[0]
        out.nodes, out.nanoseconds = &searched[0], &nanoseconds[0]
        out.table_bytes, out.replacements, out.line_end = &table_bytes[0], &replacements[0], &line_end[0]
        out.line, out.line_room = NULL, 0
        e.busy = NULL              # a batch's threads search different positions: marks would be useless
        watch_start(&self.pace, -1.0, 0)
        try:
            with nogil:
                done = solve_positions(e, &self.pace, &positions, seconds, nodes, want_line, afresh, &out)
            if not done:
                raise MemoryError
            if INTERRUPTED in (self.pace.stop, e.watch.stop):
                raise_pending()
            end = line_end[positions.count - 1]
            return (<char*>out.line)[:end] if end else b""
        finally:
            e.busy = busy
            free(out.line)

    # ---- for `gamecore prove`: see the stub

    def test(self, uint64_t white, uint64_t black, bint black_to_move, int least, double seconds, uint64_t nodes):
        """Test whether the mover's score is at least `least`."""
        cdef Engine* e = &self.engine
        cdef Test test
        cdef uint64_t own, opp
        cdef bint enough
        with nogil:
            orient(&e.g, white, black, black_to_move, &own, &opp)
            enough = run_test(e, own, opp, least, seconds, nodes, &test)
        if not enough:
            raise MemoryError
        raise_pending()
        return test.done, test.low, test.high, e.watch.nodes

    def children(self, uint64_t white, uint64_t black, bint black_to_move):
        """Return every legal move: source, target, bounds of the other side's score after it without search, and its
        ordering weight (larger ones are searched first)."""
        cdef Engine* e = &self.engine
        cdef uint64_t own, opp
        cdef int i, n, source, target
        cdef Node* nodes = <Node*>calloc(MAX_MOVES, sizeof(Node))
        if nodes == NULL:
            raise MemoryError
        try:
            orient(&e.g, white, black, black_to_move, &own, &opp)
            n = list_children(e, own, opp, nodes)
            found = []
            for i in range(n):
                source = square_of(&e.g, nodes[i].to - nodes[i].ply, black_to_move)
                target = square_of(&e.g, nodes[i].to, black_to_move)
                found.append((source, target, nodes[i].low, nodes[i].high, nodes[i].order))
            return found
        finally:
            free(nodes)

    # ---- access to the table, for tests

    def stored(self):
        """Return every entry of the table: the two numbers of its key, low and high."""
        cdef Table* t = &self.engine.table
        cdef uint64_t bucket
        cdef Key key
        cdef int slot, low, high
        found = []
        for bucket in range(t.mask + 1):
            for slot in range(SLOTS):
                if entry_at(t, bucket, slot, &key, &low, &high):
                    found.append((key.left, key.right, low, high))
        return found

    def knows(self, uint64_t left, uint64_t right):
        """True if a probe of this key finds an entry."""
        cdef Key key
        cdef int low = -32768, high = 32767
        key.left, key.right = left, right
        return table_probe(&self.engine.table, &key, &low, &high)

    @property
    def mate(self):
        """A score is mate - plies for a win, plies - mate for a loss."""
        return MATE

    @property
    def table_bytes(self):
        """Bytes of the table in use."""
        return (self.engine.table.mask + 1) * BUCKET_BYTES

    @property
    def nodes(self):
        """Nodes of the current or last search so far; also from another thread."""
        return load_word(&self.engine.watch.nodes)

    @property
    def entries(self):
        """Positions stored."""
        return self.engine.table.entries

    @property
    def replacements(self):
        """Entries overwritten because their bucket was full."""
        return self.engine.table.replacements
