"""The segment tree of folded stretches behind IntervalOracle.

Trusts its caller: a row that is not empty, 0 <= i <= j < n.

Level 0 folds blocks of BLOCK values, level l + 1 folds pairs of level l.  A level that is not clearly shorter than the
one below (rows that hardly fold) is not kept, nor any above it: memory stays within a small multiple of the row.
"""
from libc.stdint cimport int64_t
from libc.stdlib cimport free, malloc, realloc

from common.watch cimport INTERRUPTED, Watch, raise_pending, spend, watch_open, watch_start
from rows.element cimport Folding, fold_whole, folding_start, push, valley, widest

cdef enum:
    BLOCK = 256
    LEVELS = 48

cdef struct Level:
    int64_t* start                 # node k holds value[start[k]] .. value[start[k + 1]]
    void* value
    int64_t nodes


cdef inline int64_t push_row(widest* stack, int64_t k, const widest* x, int64_t n, Folding* state,
                             Watch* watch) noexcept nogil:
    # Values of the row itself, by vector rounds where they pay; counted, as those of fold_level and `one` are.
    if widest is int64_t:
        return fold_whole(x, n, stack, k, state, watch)
    else:
        return -1 if spend(watch, n) else push(stack, k, x, n)


cdef int64_t fold_level(Level* into, const widest* source, const int64_t* start, widest* room,
                        Watch* watch) noexcept nogil:
    # Node k folds the source from start[2k] to start[2k+2]; where there is no start, block k of the row.  The number of
    # values kept; -1 when the watch stops.
    cdef int64_t k, kept, used = 0
    cdef Folding state
    folding_start(&state)
    for k in range(into.nodes):
        into.start[k] = used
        if start == NULL:
            kept = push_row(room + used, 0, source + k * BLOCK, BLOCK, &state, watch)
        elif spend(watch, start[2 * k + 2] - start[2 * k]):
            return -1
        else:
            kept = push(room + used, 0, source + start[2 * k], start[2 * k + 2] - start[2 * k])
        if kept < 0:
            return -1
        used += kept
    into.start[into.nodes] = used
    return used


cdef class Tree:
    cdef object row
    cdef readonly object dtype
    cdef readonly int64_t size
    cdef readonly int64_t nbytes
    cdef const void* x
    cdef Level level[LEVELS]
    cdef int levels
    cdef Watch watch

    def __cinit__(self, row):
        watch_open(&self.watch)
        self.row = row             # a 1-D contiguous array of int64 or float64 that nobody changes
        self.dtype = row.dtype
        self.size = row.shape[0]
        self.levels = 0
        if row.dtype.kind == "f":
            self.build[double](row)
        else:
            self.build[int64_t](row)

    def __dealloc__(self):
        cdef int floor
        for floor in range(self.levels):
            free(self.level[floor].start)
            free(self.level[floor].value)

    cdef int build(self, const widest[::1] row) except -1:
        cdef int64_t nodes = self.size // BLOCK, used, before = self.size
        cdef Level* into
        cdef Level* under = NULL
        cdef widest* room = NULL
        self.x = &row[0]
        watch_start(&self.watch, -1, 0)
        while nodes and self.levels < LEVELS:
            into = &self.level[self.levels]
            into.nodes = nodes
            into.start = <int64_t*>malloc((nodes + 1) * sizeof(int64_t))
            into.value = malloc(before * sizeof(widest))
            self.levels += 1       # from here on __dealloc__ frees it
            if into.start == NULL or into.value == NULL:
                raise MemoryError
            room = <widest*>into.value
            with nogil:
                if under == NULL:
                    used = fold_level(into, &row[0], NULL, room, &self.watch)
                else:
                    used = fold_level(into, <const widest*>under.value, under.start, room, &self.watch)
            if used < 0:
                raise_pending()
            room = <widest*>realloc(into.value, (used if used else 1) * sizeof(widest))
            if room != NULL:
                into.value = room
            self.nbytes += used * sizeof(widest) + (nodes + 1) * sizeof(int64_t)
            if under != NULL and 4 * used > 3 * before:
                break
            under = into
            before = used
            nodes //= 2
        return 0

    def query(self, const int64_t[::1] low, const int64_t[::1] high, widest[::1] out) -> None:
        """Differences for the side to move on the intervals low[k] .. high[k]."""
        cdef int64_t k, longest = 0
        cdef widest* stack
        cdef Watch watch           # of its own: several threads may ask one tree
        for k in range(low.shape[0]):
            longest = max(longest, high[k] - low[k] + 1)
        stack = <widest*>malloc((longest + 1) * sizeof(widest))
        if stack == NULL:
            raise MemoryError
        try:
            with nogil:
                watch_open(&watch)
                watch_start(&watch, -1, 0)
                for k in range(low.shape[0]):
                    out[k] = self.one(<const widest*>self.x, low[k], high[k] + 1, stack, &watch)
                    if watch.stop:
                        break
            if watch.stop == INTERRUPTED:
                raise_pending()
        finally:
            free(stack)

    cdef widest one(self, const widest* x, int64_t i, int64_t end, widest* stack, Watch* watch) noexcept nogil:
        # The interval from i to before `end`; a number that means nothing when the watch stops.
        cdef int64_t k = 0, b = (i + BLOCK - 1) // BLOCK, last = end // BLOCK, node, size
        cdef int floor
        cdef const int64_t* start
        cdef Folding state
        folding_start(&state)
        state.peaks = 1
        if b >= last:
            k = push_row(stack, 0, x + i, end - i, &state, watch)
            return 0 if k < 0 else valley(stack, k)
        k = push_row(stack, 0, x + i, b * BLOCK - i, &state, watch)
        while b < last and k >= 0:
            # the largest node that starts at block b and ends at or before `last`
            floor = 0
            while floor + 1 < self.levels and not (b >> floor) & 1 and b + (<int64_t>2 << floor) <= last:
                floor += 1
            node = b >> floor
            start = self.level[floor].start
            size = start[node + 1] - start[node]
            if spend(watch, size):
                return 0
            k = push(stack, k, <const widest*>self.level[floor].value + start[node], size)
            b += <int64_t>1 << floor
        if k >= 0:
            k = push_row(stack, k, x + last * BLOCK, end - last * BLOCK, &state, watch)
        return 0 if k < 0 else valley(stack, k)
