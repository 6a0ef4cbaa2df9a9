# The functions of simd/rows*.h: one name for each, whatever the element type.
from libc.stddef cimport size_t
from libc.stdint cimport int16_t, int32_t, int64_t, uint8_t

from common.watch cimport Watch

cdef extern from "simd/rows.h" nogil:
    enum:
        OPTIMAL "ROWS_OPTIMAL"
        COOPERATIVE "ROWS_COOPERATIVE"
        GREEDY "ROWS_GREEDY"
        DONE "ROWS_DONE"
        STOPPED "ROWS_STOPPED"
        NO_MEMORY "ROWS_NO_MEMORY"
        TRIANGLE "ROWS_TRIANGLE"
        PAD "ROWS_PAD"

    ctypedef struct Marks "rows_marks":
        pass
    int marks_start "rows_marks_start"(Marks* marks, size_t bytes) noexcept
    int mark "rows_mark"(Marks* marks, int64_t length, const void* cells, size_t bytes) noexcept
    void marks_free "rows_marks_free"(Marks* marks) noexcept

    ctypedef struct Folding "rows_fold_state":
        double bound
        int64_t skip
        int64_t patience
        int64_t peaks

    int64_t begin_i16(const int16_t* x, int16_t* d, int64_t n, int64_t length) noexcept
    int64_t begin_i32(const int32_t* x, int32_t* d, int64_t n, int64_t length) noexcept
    int64_t begin_i64(const int64_t* x, int64_t* d, int64_t n, int64_t length) noexcept
    int64_t begin_f64(const double* x, double* d, int64_t n, int64_t length) noexcept
    int advance_i16(int, const int16_t*, int16_t*, int64_t, int64_t, int64_t, Marks*, Watch*) noexcept
    int advance_i32(int, const int32_t*, int32_t*, int64_t, int64_t, int64_t, Marks*, Watch*) noexcept
    int advance_i64(int, const int64_t*, int64_t*, int64_t, int64_t, int64_t, Marks*, Watch*) noexcept
    int advance_f64(int, const double*, double*, int64_t, int64_t, int64_t, Marks*, Watch*) noexcept
    void advance_plain_i16(int, const int16_t*, int16_t*, int64_t, int64_t, int64_t) noexcept
    void advance_plain_i32(int, const int32_t*, int32_t*, int64_t, int64_t, int64_t) noexcept
    void advance_plain_i64(int, const int64_t*, int64_t*, int64_t, int64_t, int64_t) noexcept
    void advance_plain_f64(int, const double*, double*, int64_t, int64_t, int64_t) noexcept
    int line_i16(int, int, const int16_t*, int16_t*, int64_t, int64_t, uint8_t*, uint8_t*, int64_t*, Marks*,
                 Watch*) noexcept
    int line_i32(int, int, const int32_t*, int32_t*, int64_t, int64_t, uint8_t*, uint8_t*, int64_t*, Marks*,
                 Watch*) noexcept
    int line_i64(int, int, const int64_t*, int64_t*, int64_t, int64_t, uint8_t*, uint8_t*, int64_t*, Marks*,
                 Watch*) noexcept
    int line_f64(int, int, const double*, double*, int64_t, int64_t, uint8_t*, uint8_t*, int64_t*, Marks*,
                 Watch*) noexcept
    int batch_i16(int, const int16_t*, int64_t, int64_t, int, int16_t*, int16_t*, Watch*) noexcept
    int batch_i32(int, const int32_t*, int64_t, int64_t, int, int32_t*, int32_t*, Watch*) noexcept
    int batch_i64(int, const int64_t*, int64_t, int64_t, int, int64_t*, int64_t*, Watch*) noexcept
    int batch_f64(int, const double*, int64_t, int64_t, int, double*, double*, Watch*) noexcept
    int table_i32(int, const int32_t*, int64_t, int32_t*, Watch*) noexcept
    int table_i64(int, const int64_t*, int64_t, int64_t*, Watch*) noexcept
    int table_f64(int, const double*, int64_t, double*, Watch*) noexcept

    int64_t push_i64(int64_t* stack, int64_t k, const int64_t* x, int64_t n) noexcept
    int64_t push_f64(double* stack, int64_t k, const double* x, int64_t n) noexcept
    int64_t valley_i64(const int64_t* stack, int64_t k) noexcept
    double valley_f64(const double* stack, int64_t k) noexcept
    void fold_line_i64(const int64_t* x, int64_t n, int64_t* stack, int64_t* start, uint8_t* moves) noexcept
    void fold_line_f64(const double* x, int64_t n, double* stack, int64_t* start, uint8_t* moves) noexcept
    int64_t fold_i16(const int16_t* x, int64_t n, int64_t* stack, int64_t k, Folding*, Watch*) noexcept
    int64_t fold_i32(const int32_t* x, int64_t n, int64_t* stack, int64_t k, Folding*, Watch*) noexcept
    int64_t fold_i64(const int64_t* x, int64_t n, int64_t* stack, int64_t k, Folding*, Watch*) noexcept

ctypedef fused number:
    int16_t
    int32_t
    int64_t
    double

ctypedef fused whole:
    int16_t
    int32_t
    int64_t

ctypedef fused wide:
    int32_t
    int64_t
    double

ctypedef fused widest:
    int64_t
    double


cdef inline int64_t begin(const number* x, number* d, int64_t n, int64_t length) noexcept nogil:
    if number is int16_t:
        return begin_i16(x, d, n, length)
    elif number is int32_t:
        return begin_i32(x, d, n, length)
    elif number is int64_t:
        return begin_i64(x, d, n, length)
    else:
        return begin_f64(x, d, n, length)


cdef inline int advance(int mode, const number* x, number* d, int64_t n, int64_t L, int64_t target, Marks* marks,
                        Watch* watch) noexcept nogil:
    if number is int16_t:
        return advance_i16(mode, x, d, n, L, target, marks, watch)
    elif number is int32_t:
        return advance_i32(mode, x, d, n, L, target, marks, watch)
    elif number is int64_t:
        return advance_i64(mode, x, d, n, L, target, marks, watch)
    else:
        return advance_f64(mode, x, d, n, L, target, marks, watch)


cdef inline void advance_plain(int mode, const number* x, number* d, int64_t n, int64_t L,
                               int64_t target) noexcept nogil:
    if number is int16_t:
        advance_plain_i16(mode, x, d, n, L, target)
    elif number is int32_t:
        advance_plain_i32(mode, x, d, n, L, target)
    elif number is int64_t:
        advance_plain_i64(mode, x, d, n, L, target)
    else:
        advance_plain_f64(mode, x, d, n, L, target)


cdef inline int trace(int mode, int late, const number* x, number* d, int64_t n, int64_t L, uint8_t* moves,
                      uint8_t* choices, int64_t* from_left, Marks* marks, Watch* watch) noexcept nogil:
    if number is int16_t:
        return line_i16(mode, late, x, d, n, L, moves, choices, from_left, marks, watch)
    elif number is int32_t:
        return line_i32(mode, late, x, d, n, L, moves, choices, from_left, marks, watch)
    elif number is int64_t:
        return line_i64(mode, late, x, d, n, L, moves, choices, from_left, marks, watch)
    else:
        return line_f64(mode, late, x, d, n, L, moves, choices, from_left, marks, watch)


cdef inline int solve_side_by_side(int mode, const number* source, int64_t rows, int64_t n, bint opponent_first,
                                   number* mine, number* total, Watch* watch) noexcept nogil:
    if number is int16_t:
        return batch_i16(mode, source, rows, n, opponent_first, mine, total, watch)
    elif number is int32_t:
        return batch_i32(mode, source, rows, n, opponent_first, mine, total, watch)
    elif number is int64_t:
        return batch_i64(mode, source, rows, n, opponent_first, mine, total, watch)
    else:
        return batch_f64(mode, source, rows, n, opponent_first, mine, total, watch)


cdef inline int fill_table(int mode, const wide* row, int64_t n, wide* out, Watch* watch) noexcept nogil:
    if wide is int32_t:
        return table_i32(mode, row, n, out, watch)
    elif wide is int64_t:
        return table_i64(mode, row, n, out, watch)
    else:
        return table_f64(mode, row, n, out, watch)


cdef inline int64_t push(widest* stack, int64_t k, const widest* x, int64_t n) noexcept nogil:
    if widest is int64_t:
        return push_i64(stack, k, x, n)
    else:
        return push_f64(stack, k, x, n)


cdef inline widest valley(const widest* stack, int64_t k) noexcept nogil:
    if widest is int64_t:
        return valley_i64(stack, k)
    else:
        return valley_f64(stack, k)


cdef inline void line_of_fold(const widest* x, int64_t n, widest* stack, int64_t* start,
                              uint8_t* moves) noexcept nogil:
    if widest is int64_t:
        fold_line_i64(x, n, stack, start, moves)
    else:
        fold_line_f64(x, n, stack, start, moves)


cdef inline void folding_start(Folding* state) noexcept nogil:
    state.bound = 0.0
    state.skip = state.peaks = 0
    state.patience = 1


cdef inline int64_t fold_whole(const whole* x, int64_t n, int64_t* stack, int64_t k, Folding* state,
                               Watch* watch) noexcept nogil:
    if whole is int16_t:
        return fold_i16(x, n, stack, k, state, watch)
    elif whole is int32_t:
        return fold_i32(x, n, stack, k, state, watch)
    else:
        return fold_i64(x, n, stack, k, state, watch)
