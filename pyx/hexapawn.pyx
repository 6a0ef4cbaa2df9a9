# Hexapawn kernel: exact values of positions.  It trusts its caller: boards and positions are checked in Python.
#
# Outside, a square is row * cols + column, from the lower left corner; white moves up.
from libc.stdint cimport int8_t, int16_t, int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc, realloc
from libc.string cimport memset

from common.bits cimport bswap, ctz, msb, popcount, prefetch
from common.watch cimport (
    INTERRUPTED, RUNNING, Watch, load_flag, look, now_ns, raise_pending, signals, store_flag, tick, watch_open, watch_start
)
from common.table cimport log2_floor, pages_alloc, pages_free

include "hexapawn/board.pxi"
include "hexapawn/table.pxi"
include "hexapawn/search.pxi"
include "hexapawn/solve.pxi"


def needs_wide(int rows, int cols, uint64_t white, uint64_t black):
    """Whether this position needs the layout for large boards and long games."""
    cdef Geometry g
    cdef int16_t tag = 0
    if rows > 8 or cols > 8:
        return True
    geometry_init(&g, rows, cols, tag)
    return longest_game(&g, white, black, tag) > LONGEST_8


def wide_ones(const int8_t[::1] rows, const int8_t[::1] cols, const uint64_t[::1] white, const uint64_t[::1] black,
              uint8_t[::1] wide):
    """`needs_wide` of many positions."""
    cdef Geometry g
    cdef int16_t tag = 0
    cdef int64_t i
    with nogil:
        g.rows = g.cols = 0
        for i in range(rows.shape[0]):
            wide[i] = rows[i] > 8 or cols[i] > 8
            if not wide[i]:
                if g.rows != rows[i] or g.cols != cols[i]:
                    geometry_init(&g, rows[i], cols[i], tag)
                wide[i] = longest_game(&g, white[i], black[i], tag) > LONGEST_8


def perft(int rows, int cols, uint64_t white, uint64_t black, bint black_to_move, int depth):
    """The number of sequences of `depth` moves from here; a game that is over has none."""
    cdef Geometry g
    cdef int16_t tag = 0
    cdef uint64_t own, opp, count
    cdef Watch watch
    geometry_init(&g, rows, cols, tag)
    orient(&g, white, black, black_to_move, &own, &opp, tag)
    with nogil:
        watch_open(&watch); watch_start(&watch, -1.0, 0)
        count = count_games(&g, &watch, own, opp, depth, tag)
    raise_pending()
    return count


cdef class Solver:
    """A search with its table, for positions of one board size; a solver answers one caller at a time.

    A solver made with `main` helps that one: it has the same table, and may search in another thread meanwhile.
    """

    cdef Engine engine
    cdef bint wide
    cdef bint helps                # the table is not ours to free
    cdef int32_t cancelled         # see stop
    cdef Solver main               # whose table lives as long as we do

    def __cinit__(self, int rows, int cols, bint wide, uint64_t table_bytes, Solver main=None):
        cdef Engine* e = &self.engine
        cdef int squares = rows * cols
        cdef int bits = 18 if squares >= 36 else max(8, squares // 2 + 2)
        cdef int i
        self.wide = wide
        self.cancelled = 0
        self.main = main
        self.helps = main is not None
        e.pattern_shift = 64 - bits
        e.codes = 3 * squares + 1
        e.busy = NULL
        e.table.words = NULL
        e.patterns = <int16_t*>calloc(<size_t>1 << bits, sizeof(int16_t))
        e.replies = <int16_t*>calloc(e.codes * e.codes, sizeof(int16_t))
        if e.patterns == NULL or e.replies == NULL:
            raise MemoryError
        if wide:
            geometry_init(&e.g, rows, cols, <int16_t>0)
        else:
            geometry_init(&e.g, rows, cols, <int8_t>0)
        if main is not None:
            e.table = main.engine.table
            e.table.entries = e.table.replacements = 0
            e.busy = main.engine.busy
        elif wide:
            table_init(&e.table, table_bytes, <int16_t>0)
        else:
            table_init(&e.table, table_bytes, <int8_t>0)
        if e.table.words == NULL:
            raise MemoryError
        e.table.watch = &e.watch
        for i in range(squares):
            e.square[(i // cols) * e.g.stride + i % cols] = <uint8_t>i

    def __dealloc__(self):
        if not self.helps:
            free(self.engine.busy)
            if self.engine.table.words != NULL:
                pages_free(self.engine.table.words, self.engine.table.bytes)
        free(self.engine.patterns)
        free(self.engine.replies)

    def open_up(self, uint64_t most_bytes):
        """Give the table its full size, or this one if it is smaller, so that helpers may join; False where threads
        cannot share a table."""
        cdef Engine* e = &self.engine
        cdef uint64_t most = <uint64_t>1 << log2_floor(most_bytes // BUCKET_BYTES)
        if self.wide or not pairs_are_whole():
            return False
        if e.busy == NULL:
            e.busy = <uint64_t*>calloc(<size_t>1 << BUSY_BITS, sizeof(uint64_t))
            if e.busy == NULL:
                raise MemoryError
        if most < e.table.most_buckets:
            e.table.most_buckets = max(most, e.table.mask + 1)
        with nogil:
            watch_start(&e.watch, -1.0, 0)
            while e.table.mask + 1 < min(e.table.most_buckets, <uint64_t>(2 * HEAP_BUCKETS)):
                if e.watch.stop != RUNNING:
                    break
                table_grow(&e.table, <int8_t>0)
            # The region is there now. In one step, since each reads all that was in use before: the little of now.
            if e.table.mask + 1 < e.table.most_buckets and e.watch.stop == RUNNING:
                table_grow_to(&e.table, e.table.most_buckets, <int8_t>0)
        raise_pending()
        return True

    def stop(self):
        """Ask a search that runs in another thread to end, and a batch to take no further position."""
        store_flag(&self.cancelled, 1)
        store_flag(&self.engine.watch.asked, 1)

    def solve(self, uint64_t white, uint64_t black, bint black_to_move, double seconds, uint64_t nodes, int want_line):
        """Search; see the stub for what comes back."""
        cdef Answer answer
        cdef Engine* e = &self.engine
        cdef bint ran
        with nogil:
            if self.wide:
                ran = run(e, white, black, black_to_move, seconds, nodes, want_line, &answer, <int16_t>0)
            else:
                ran = run(e, white, black, black_to_move, seconds, nodes, want_line, &answer, <int8_t>0)
        if not ran:
            raise MemoryError
        try:
            raise_pending()
            line = [(answer.line[i].source, answer.line[i].target) for i in range(answer.plies)]
        finally:
            free(answer.line)
        return (answer.winner, answer.least, answer.most, line, e.watch.nodes)

    def solve_batch(self, const uint64_t[::1] white, const uint64_t[::1] black, const uint8_t[::1] black_to_move,
                    double seconds, uint64_t nodes, int want_line, bint afresh, int8_t[::1] winner,
                    int16_t[::1] least, int16_t[::1] most, int64_t[::1] searched, int64_t[::1] nanoseconds,
                    int64_t[::1] table_bytes, int64_t[::1] replacements, int64_t[::1] line_end) -> bytes:
        """Search many positions in one call; see the stub."""
        cdef Answer answer
        cdef Engine* e = &self.engine
        cdef int64_t i, k, begun, ended, next_signals, replaced, at = 0, room = 0, count = white.shape[0]
        cdef uint8_t* line = NULL
        cdef void* more
        cdef uint64_t* busy = e.busy
        cdef bint ran = True
        e.busy = NULL              # threads of a batch search different positions: marks would only cost time
        begun = now_ns()
        next_signals = begun + 50_000_000
        try:
            with nogil:
                for i in range(count):
                    if load_flag(&self.cancelled):
                        break
                    if afresh:
                        self.forget()
                    replaced = <int64_t>e.table.replacements
                    if self.wide:
                        ran = run(e, white[i], black[i], black_to_move[i], seconds, nodes, want_line, &answer,
                                  <int16_t>0)
                    else:
                        ran = run(e, white[i], black[i], black_to_move[i], seconds, nodes, want_line, &answer,
                                  <int8_t>0)
                    if not ran:
                        break
                    if at + 2 * answer.plies > room:
                        room = 2 * room + 2 * answer.plies + 4096
                        more = realloc(line, room)
                        if more == NULL:
                            free(answer.line)
                            ran = False
                            break
                        line = <uint8_t*>more
                    for k in range(answer.plies):
                        line[at] = <uint8_t>answer.line[k].source
                        line[at + 1] = <uint8_t>answer.line[k].target
                        at += 2
                    free(answer.line)
                    if e.watch.stop == INTERRUPTED:
                        break
                    winner[i] = <int8_t>answer.winner
                    least[i] = <int16_t>answer.least
                    most[i] = <int16_t>answer.most
                    searched[i] = <int64_t>e.watch.nodes
                    table_bytes[i] = <int64_t>((e.table.mask + 1) * BUCKET_BYTES)
                    replacements[i] = <int64_t>e.table.replacements - replaced
                    line_end[i] = at
                    ended = now_ns()
                    nanoseconds[i] = ended - begun
                    begun = ended
                    if ended >= next_signals:
                        next_signals = ended + 50_000_000
                        if signals() != 0:
                            e.watch.stop = INTERRUPTED
                            break
            if not ran:
                raise MemoryError
            if count and e.watch.stop == INTERRUPTED:
                raise_pending()
            return (<char*>line)[:at] if at else b""
        finally:
            e.busy = busy
            free(line)

    cdef void forget(self) noexcept nogil:
        # What other positions have taught: the table, and what orders the moves.
        cdef Engine* e = &self.engine
        if self.wide:
            table_clear(&e.table, <int16_t>0)
        else:
            table_clear(&e.table, <int8_t>0)
        memset(e.patterns, 0, (<size_t>1 << (64 - e.pattern_shift)) * sizeof(int16_t))
        memset(e.replies, 0, e.codes * e.codes * sizeof(int16_t))

    @property
    def table_bytes(self):
        """Bytes of the table in use."""
        return (self.engine.table.mask + 1) * BUCKET_BYTES

    @property
    def entries(self):
        """Positions stored."""
        return self.engine.table.entries

    @property
    def replacements(self):
        """Positions that went because their bucket was full."""
        return self.engine.table.replacements
