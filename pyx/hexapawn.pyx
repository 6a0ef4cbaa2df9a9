# Hexapawn kernel: exact values of positions.  It trusts its caller: boards and positions are checked in Python.
#
# Outside, a square is row * cols + column, from the lower left corner; white moves up.
from libc.stdint cimport int8_t, int16_t, int32_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc

from bits cimport bswap, ctz, msb, popcount, prefetch
from clock cimport LIMIT_REACHED, RUNNING, Watch, look, raise_pending, tick, watch_start
from table cimport log2_floor, pages_alloc, pages_free

include "hexapawn_board.pxi"
include "hexapawn_table.pxi"
include "hexapawn_search.pxi"
include "hexapawn_solve.pxi"


def needs_wide(int rows, int cols, uint64_t white, uint64_t black):
    """Whether this position needs the layout for large boards and long games."""
    cdef Geometry g
    cdef int16_t tag = 0
    if rows > 8 or cols > 8:
        return True
    geometry_init(&g, rows, cols, tag)
    return longest_game(&g, white, black, tag) > LONGEST_8


def perft(int rows, int cols, uint64_t white, uint64_t black, bint black_to_move, int depth):
    """The number of sequences of `depth` moves from here; a game that is over has none."""
    cdef Geometry g
    cdef int16_t tag = 0
    cdef uint64_t own, opp, count
    cdef Watch watch
    geometry_init(&g, rows, cols, tag)
    orient(&g, white, black, black_to_move, &own, &opp, tag)
    with nogil:
        watch_start(&watch, -1.0, 0)
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
    cdef Solver main               # whose table lives as long as we do

    def __cinit__(self, int rows, int cols, bint wide, uint64_t table_bytes, Solver main=None):
        cdef Engine* e = &self.engine
        cdef int squares = rows * cols
        cdef int bits = 18 if squares >= 36 else max(8, squares // 2 + 2)
        cdef int i
        self.wide = wide
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

    def open_up(self):
        """Give the table its full size, so that helpers may join; False where threads cannot share one."""
        cdef Engine* e = &self.engine
        if self.wide or not PAIRS_ARE_WHOLE:
            return False
        if e.busy == NULL:
            e.busy = <uint64_t*>calloc(<size_t>1 << BUSY_BITS, sizeof(uint64_t))
            if e.busy == NULL:
                raise MemoryError
        with nogil:
            watch_start(&e.watch, -1.0, 0)
            while e.table.mask + 1 < e.table.most_buckets and e.watch.stop == RUNNING:
                table_grow(&e.table, <int8_t>0)
        raise_pending()
        return True

    def stop(self):
        """Ask a search that runs in another thread to end."""
        self.engine.watch.stop = LIMIT_REACHED

    def solve(self, uint64_t white, uint64_t black, bint black_to_move, double seconds, uint64_t nodes, bint want_line):
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
