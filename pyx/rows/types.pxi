# One name for each C function of simd/rows*.h, whatever the element type: included by rows.pyx.

cdef extern from "simd/rows.h" nogil:
    int64_t begin_i16(const int16_t* x, int16_t* d, int64_t n, int64_t length) noexcept
    int advance_i16(int mode, const int16_t* x, int16_t* d, int64_t n, int64_t L, int64_t target,
                    rows_marks* marks, rows_poll* poll) noexcept
    void advance_plain_i16(int mode, const int16_t* x, int16_t* d, int64_t n, int64_t L, int64_t target) noexcept
    int line_i16(int mode, int late, const int16_t* x, int16_t* d, int64_t n, int64_t L, uint8_t* moves,
                 uint8_t* choices, int64_t* from_left, rows_marks* have, rows_poll* poll) noexcept
    int batch_i16(int mode, const int16_t* src, int64_t rows, int64_t n, int opponent_first, int16_t* mine,
                  int16_t* total, rows_poll* poll) noexcept
    int64_t begin_i32(const int32_t* x, int32_t* d, int64_t n, int64_t length) noexcept
    int advance_i32(int mode, const int32_t* x, int32_t* d, int64_t n, int64_t L, int64_t target,
                    rows_marks* marks, rows_poll* poll) noexcept
    void advance_plain_i32(int mode, const int32_t* x, int32_t* d, int64_t n, int64_t L, int64_t target) noexcept
    int line_i32(int mode, int late, const int32_t* x, int32_t* d, int64_t n, int64_t L, uint8_t* moves,
                 uint8_t* choices, int64_t* from_left, rows_marks* have, rows_poll* poll) noexcept
    int batch_i32(int mode, const int32_t* src, int64_t rows, int64_t n, int opponent_first, int32_t* mine,
                  int32_t* total, rows_poll* poll) noexcept
    int table_i32(int mode, const int32_t* row, int64_t n, int32_t* table, rows_poll* poll) noexcept
    int64_t begin_i64(const int64_t* x, int64_t* d, int64_t n, int64_t length) noexcept
    int advance_i64(int mode, const int64_t* x, int64_t* d, int64_t n, int64_t L, int64_t target,
                    rows_marks* marks, rows_poll* poll) noexcept
    void advance_plain_i64(int mode, const int64_t* x, int64_t* d, int64_t n, int64_t L, int64_t target) noexcept
    int line_i64(int mode, int late, const int64_t* x, int64_t* d, int64_t n, int64_t L, uint8_t* moves,
                 uint8_t* choices, int64_t* from_left, rows_marks* have, rows_poll* poll) noexcept
    int batch_i64(int mode, const int64_t* src, int64_t rows, int64_t n, int opponent_first, int64_t* mine,
                  int64_t* total, rows_poll* poll) noexcept
    int table_i64(int mode, const int64_t* row, int64_t n, int64_t* table, rows_poll* poll) noexcept
    int64_t rows_push_i64(int64_t* stack, int64_t k, const int64_t* x, int64_t m) noexcept
    int64_t rows_valley_i64(const int64_t* s, int64_t k) noexcept
    void rows_fold_line_i64(const int64_t* x, int64_t n, int64_t* stack, int64_t* start, uint8_t* moves) noexcept
    int64_t begin_f64(const double* x, double* d, int64_t n, int64_t length) noexcept
    int advance_f64(int mode, const double* x, double* d, int64_t n, int64_t L, int64_t target,
                    rows_marks* marks, rows_poll* poll) noexcept
    void advance_plain_f64(int mode, const double* x, double* d, int64_t n, int64_t L, int64_t target) noexcept
    int line_f64(int mode, int late, const double* x, double* d, int64_t n, int64_t L, uint8_t* moves,
                 uint8_t* choices, int64_t* from_left, rows_marks* have, rows_poll* poll) noexcept
    int batch_f64(int mode, const double* src, int64_t rows, int64_t n, int opponent_first, double* mine,
                  double* total, rows_poll* poll) noexcept
    int table_f64(int mode, const double* row, int64_t n, double* table, rows_poll* poll) noexcept
    int64_t rows_push_f64(double* stack, int64_t k, const double* x, int64_t m) noexcept
    double rows_valley_f64(const double* s, int64_t k) noexcept
    void rows_fold_line_f64(const double* x, int64_t n, double* stack, int64_t* start, uint8_t* moves) noexcept
    ctypedef struct rows_fold_state:
        double bound
        int64_t skip
        int64_t patience
        int64_t peaks
    int64_t rows_fold_i16(const int16_t* x, int64_t n, int64_t* stack, int64_t k, rows_fold_state* state) noexcept
    int64_t rows_fold_i32(const int32_t* x, int64_t n, int64_t* stack, int64_t k, rows_fold_state* state) noexcept
    int64_t rows_fold_i64(const int64_t* x, int64_t n, int64_t* stack, int64_t k, rows_fold_state* state) noexcept
    int rows_mark(rows_marks* marks, int64_t length, const void* cells, size_t size) noexcept
    void rows_marks_start(rows_marks* marks) noexcept

ctypedef fused number:
    int16_t
    int32_t
    int64_t
    double

ctypedef fused wide:
    int32_t
    int64_t
    double

ctypedef fused exact:
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


cdef inline int advance(int mode, const number* x, number* d, int64_t n, int64_t L, int64_t target,
                        rows_marks* marks, rows_poll* poll) noexcept nogil:
    if number is int16_t:
        return advance_i16(mode, x, d, n, L, target, marks, poll)
    elif number is int32_t:
        return advance_i32(mode, x, d, n, L, target, marks, poll)
    elif number is int64_t:
        return advance_i64(mode, x, d, n, L, target, marks, poll)
    else:
        return advance_f64(mode, x, d, n, L, target, marks, poll)


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
                      uint8_t* choices, int64_t* from_left, rows_marks* have, rows_poll* poll) noexcept nogil:
    if number is int16_t:
        return line_i16(mode, late, x, d, n, L, moves, choices, from_left, have, poll)
    elif number is int32_t:
        return line_i32(mode, late, x, d, n, L, moves, choices, from_left, have, poll)
    elif number is int64_t:
        return line_i64(mode, late, x, d, n, L, moves, choices, from_left, have, poll)
    else:
        return line_f64(mode, late, x, d, n, L, moves, choices, from_left, have, poll)


cdef inline int fill_batch(int mode, const number* src, int64_t rows, int64_t n, bint opponent_first, number* mine,
                           number* total, rows_poll* poll) noexcept nogil:
    if number is int16_t:
        return batch_i16(mode, src, rows, n, opponent_first, mine, total, poll)
    elif number is int32_t:
        return batch_i32(mode, src, rows, n, opponent_first, mine, total, poll)
    elif number is int64_t:
        return batch_i64(mode, src, rows, n, opponent_first, mine, total, poll)
    else:
        return batch_f64(mode, src, rows, n, opponent_first, mine, total, poll)


cdef inline int fill_table(int mode, const wide* row, int64_t n, wide* out, rows_poll* poll) noexcept nogil:
    if wide is int32_t:
        return table_i32(mode, row, n, out, poll)
    elif wide is int64_t:
        return table_i64(mode, row, n, out, poll)
    else:
        return table_f64(mode, row, n, out, poll)


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


cdef inline void line_of_fold(const exact* x, int64_t n, exact* stack, int64_t* start, uint8_t* moves) noexcept nogil:
    if exact is int64_t:
        rows_fold_line_i64(x, n, stack, start, moves)
    else:
        rows_fold_line_f64(x, n, stack, start, moves)
