"""The segment tree of folded stretches behind IntervalOracle.

Trusts its caller: a row that is not empty, 0 <= i <= j < n.

Level 0 folds blocks of BLOCK values, level l + 1 folds pairs of level l.  A level that is not clearly shorter than the
one below (rows that hardly fold) is not kept, nor any above it: memory stays within a small multiple of the row.
"""
from libc.stdint cimport int64_t
from libc.stdlib cimport free, malloc, realloc

from common.watch cimport raise_pending, signals

cdef extern from "simd/rows.h" nogil:
    int64_t rows_push_i64(int64_t* stack, int64_t k, const int64_t* x, int64_t m) noexcept
    int64_t rows_push_f64(double* stack, int64_t k, const double* x, int64_t m) noexcept
    int64_t rows_valley_i64(const int64_t* s, int64_t k) noexcept
    ctypedef struct rows_fold_state:
        double bound
        int64_t skip
        int64_t patience
        int64_t peaks
    int64_t rows_fold_i64(const int64_t* x, int64_t n, int64_t* stack, int64_t k, rows_fold_state* state) noexcept
    double rows_valley_f64(const double* s, int64_t k) noexcept

ctypedef fused exact:
    int64_t
    double

cdef enum:
    BLOCK = 256
    LEVELS = 48
    SLICE = 1 << 22               # values pushed between looks at the signals

cdef struct Level:
    int64_t* start                 # node k holds value[start[k]] .. value[start[k + 1]]
    void* value
    int64_t nodes


cdef inline int64_t push(exact* stack, int64_t k, const exact* x, int64_t m) noexcept nogil:
    if exact is int64_t:
        return rows_push_i64(stack, k, x, m)
    else:
        return rows_push_f64(stack, k, x, m)


cdef inline exact valley(const exact* s, int64_t k) noexcept nogil:
    if exact is int64_t:
        return rows_valley_i64(s, k)
    else:
        return rows_valley_f64(s, k)


cdef inline int64_t push_raw(exact* stack, int64_t k, const exact* x, int64_t m, rows_fold_state* state) noexcept nogil:
    # values of the row itself, by vector rounds where they pay
    if exact is int64_t:
        return rows_fold_i64(x, m, stack, k, state)
    else:
        return rows_push_f64(stack, k, x, m)


cdef int64_t fold_level(Level* into, const exact* source, const int64_t* start, int64_t each, int64_t n, exact* room,
                        int64_t* work) noexcept nogil:
    # Node k folds the source from start[2k] to start[2k+2], or from k*each on where there is no start.  The
    # number of values kept; -1 when a signal handler raised.
    cdef int64_t k, used = 0, low, high
    cdef rows_fold_state state
    state.bound = 0.0
    state.skip = state.peaks = 0
    state.patience = 1
    for k in range(into.nodes):
        low = start[2 * k] if start != NULL else k * each
        high = start[2 * k + 2] if start != NULL else low + each
        into.start[k] = used
        if start == NULL:
            used += push_raw(room + used, 0, source + low, high - low, &state)
        else:
            used += push(room + used, 0, source + low, high - low)
        work[0] += high - low
        if work[0] > SLICE:
            work[0] = 0
            if signals() != 0:
                return -1
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

    def __cinit__(self, row):
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

    cdef int build(self, const exact[::1] row) except -1:
        cdef int64_t nodes = self.size // BLOCK, used, before = self.size, work = 0
        cdef Level* into
        cdef Level* under = NULL
        cdef exact* room = NULL
        self.x = &row[0]
        while nodes and self.levels < LEVELS:
            into = &self.level[self.levels]
            into.nodes = nodes
            into.start = <int64_t*>malloc((nodes + 1) * sizeof(int64_t))
            into.value = malloc(before * sizeof(exact))
            self.levels += 1       # from here on __dealloc__ frees it
            if into.start == NULL or into.value == NULL:
                raise MemoryError
            room = <exact*>into.value
            with nogil:
                if under == NULL:
                    used = fold_level(into, &row[0], NULL, BLOCK, self.size, room, &work)
                else:
                    used = fold_level(into, <const exact*>under.value, under.start, 0, self.size, room, &work)
            if used < 0:
                raise_pending()
            room = <exact*>realloc(into.value, (used if used else 1) * sizeof(exact))
            if room != NULL:
                into.value = room
            self.nbytes += used * sizeof(exact) + (nodes + 1) * sizeof(int64_t)
            if under != NULL and 4 * used > 3 * before:
                break
            under = into
            before = used
            nodes //= 2
        return 0

    def query(self, const int64_t[::1] low, const int64_t[::1] high, exact[::1] out) -> None:
        """Differences for the side to move on the intervals low[k] .. high[k]."""
        cdef int64_t k, longest = 0, work = 0
        cdef int status = 0
        cdef exact* stack
        for k in range(low.shape[0]):
            longest = max(longest, high[k] - low[k] + 1)
        stack = <exact*>malloc((longest + 1) * sizeof(exact))
        if stack == NULL:
            raise MemoryError
        try:
            with nogil:
                for k in range(low.shape[0]):
                    out[k] = self.one(<const exact*>self.x, low[k], high[k] + 1, stack, &work)
                    if work > SLICE:
                        work = 0
                        if signals() != 0:
                            status = -1
                            break
            if status:
                raise_pending()
        finally:
            free(stack)

    cdef exact one(self, const exact* x, int64_t i, int64_t end, exact* stack, int64_t* work) noexcept nogil:
        cdef int64_t k = 0, b = (i + BLOCK - 1) // BLOCK, last = end // BLOCK, node
        cdef int floor
        cdef const int64_t* start
        cdef rows_fold_state state
        state.bound = 0.0
        state.skip = 0
        state.peaks = state.patience = 1
        if b >= last:
            k = push_raw(stack, 0, x + i, end - i, &state)
            work[0] += end - i
            return valley(stack, k)
        k = push_raw(stack, 0, x + i, b * BLOCK - i, &state)
        while b < last:
            # the largest node that starts at block b and ends at or before `last`
            floor = 0
            while floor + 1 < self.levels and not (b >> floor) & 1 and b + (<int64_t>2 << floor) <= last:
                floor += 1
            node = b >> floor
            start = self.level[floor].start
            k = push(stack, k, <const exact*>self.level[floor].value + start[node], start[node + 1] - start[node])
            work[0] += 64 + start[node + 1] - start[node]
            b += <int64_t>1 << floor
        k = push_raw(stack, k, x + last * BLOCK, end - last * BLOCK, &state)
        work[0] += k
        return valley(stack, k)
