"""The segment tree of folded stretches behind IntervalOracle.

Trusts its caller: a row that is not empty, 0 <= i <= j < n.

Level 0 folds blocks of BLOCK values, level l + 1 folds pairs of level l.  A level that is not clearly shorter than the
one below (rows that hardly fold) is not kept, nor any above it: memory stays within a small multiple of the row.

Values are int64 or double: words of eight bytes here, which the functions of the row's Folding read as what they are.
"""
from libc.stdint cimport int64_t
from libc.stdlib cimport free, malloc, realloc

from common.watch cimport INTERRUPTED, Watch, raise_pending, spend, watch_open, watch_start
from rows.element cimport FOLDING_F64, FOLDING_I64, Folding, FoldState, fold_chunks

cdef enum:
    BLOCK = 256
    LEVELS = 48

cdef struct Level:
    int64_t* start                 # node k holds value[start[k]] .. value[start[k + 1]]
    int64_t* value
    int64_t nodes


cdef int64_t fold_level(const Folding* folding, Level* into, const int64_t* source, const int64_t* start,
                        Watch* watch) noexcept nogil:
    # Node k folds the source from start[2k] to start[2k+2]; where there is no start, block k of the row.  The number of
    # values kept; -1 when the watch stops.
    cdef int64_t k, kept, size, used = 0
    cdef FoldState state = FoldState(0.0, 0, 1, 0)
    for k in range(into.nodes):
        into.start[k] = used
        if start == NULL:
            kept = fold_chunks(folding, source + k * BLOCK, BLOCK, into.value + used, 0, &state, watch)
            if kept < 0:
                return -1
        else:
            size = start[2 * k + 2] - start[2 * k]
            if spend(watch, size):
                return -1
            kept = folding.push(into.value + used, 0, source + start[2 * k], size)
        used += kept
    into.start[into.nodes] = used
    return used


cdef class Tree:
    cdef object row
    cdef const Folding* folding
    cdef const int64_t* x
    cdef readonly int64_t size
    cdef readonly int64_t nbytes
    cdef Level level[LEVELS]
    cdef int levels

    def __cinit__(self, row):
        cdef const int64_t[::1] words = row.view("int64")
        self.row = row             # a 1-D contiguous array of int64 or float64 that nobody changes
        self.folding = &FOLDING_F64 if row.dtype.kind == "f" else &FOLDING_I64
        self.x = &words[0]
        self.size = words.shape[0]
        self.build()

    def __dealloc__(self):
        cdef int floor
        for floor in range(self.levels):
            free(self.level[floor].start)
            free(self.level[floor].value)

    @property
    def dtype(self):
        """The type of the row's values."""
        return self.row.dtype

    cdef int build(self) except -1:
        cdef int64_t nodes = self.size // BLOCK, used, before = self.size
        cdef const int64_t* source = self.x
        cdef const int64_t* start = NULL
        cdef Level* into
        cdef int64_t* kept
        cdef Watch watch
        watch_open(&watch)
        watch_start(&watch, -1, 0)
        while nodes and self.levels < LEVELS:
            into = &self.level[self.levels]
            into.nodes = nodes
            into.start = <int64_t*>malloc((nodes + 1) * sizeof(int64_t))
            into.value = <int64_t*>malloc(before * sizeof(int64_t))
            self.levels += 1       # from here on __dealloc__ frees it
            if into.start == NULL or into.value == NULL:
                raise MemoryError
            with nogil:
                used = fold_level(self.folding, into, source, start, &watch)
            if used < 0:
                raise_pending()
            kept = <int64_t*>realloc(into.value, (used if used else 1) * sizeof(int64_t))
            if kept != NULL:
                into.value = kept
            self.nbytes += (used + nodes + 1) * sizeof(int64_t)
            if start != NULL and 4 * used > 3 * before:
                break
            source, start, before = into.value, into.start, used
            nodes //= 2
        return 0

    def query(self, const int64_t[::1] low, const int64_t[::1] high, out) -> None:
        """Differences for the side to move on the intervals low[k] .. high[k], into an array of the row's type."""
        cdef int64_t k, height, longest = 0
        cdef int64_t[::1] words = out.view("int64")
        cdef int64_t* stack
        cdef Watch watch           # of its own: several threads may ask one tree
        for k in range(low.shape[0]):
            longest = max(longest, high[k] - low[k] + 1)
        stack = <int64_t*>malloc((longest + 1) * sizeof(int64_t))
        if stack == NULL:
            raise MemoryError
        try:
            with nogil:
                watch_open(&watch)
                watch_start(&watch, -1, 0)
                for k in range(low.shape[0]):
                    height = self.fold_interval(low[k], high[k] + 1, stack, &watch)
                    if height < 0:
                        break
                    self.folding.valley(stack, height, &words[k])
            if watch.stop == INTERRUPTED:
                raise_pending()
        finally:
            free(stack)

    cdef int64_t fold_interval(self, int64_t i, int64_t end, int64_t* stack, Watch* watch) noexcept nogil:
        # Fold the values from i to before `end`; the height of the stack, or -1 when the watch stops.
        cdef int64_t k, b = (i + BLOCK - 1) // BLOCK, last = end // BLOCK, node, size
        cdef int floor
        cdef Level* level
        cdef FoldState state = FoldState(0.0, 0, 1, 1)
        if b >= last:
            return fold_chunks(self.folding, self.x + i, end - i, stack, 0, &state, watch)
        k = fold_chunks(self.folding, self.x + i, b * BLOCK - i, stack, 0, &state, watch)
        while b < last and k >= 0:
            # the largest node that starts at block b and ends at or before `last`
            floor = 0
            while floor + 1 < self.levels and not (b >> floor) & 1 and b + (<int64_t>2 << floor) <= last:
                floor += 1
            level = &self.level[floor]
            node = b >> floor
            size = level.start[node + 1] - level.start[node]
            if spend(watch, size):
                return -1
            k = self.folding.push(stack, k, level.value + level.start[node], size)
            b += <int64_t>1 << floor
        if k < 0:
            return k
        return fold_chunks(self.folding, self.x + last * BLOCK, end - last * BLOCK, stack, k, &state, watch)
