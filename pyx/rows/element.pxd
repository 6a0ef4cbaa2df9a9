# What Cython sees of simd/rows*.h.
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
        CHOICES "ROWS_CHOICES"
        PAD "ROWS_PAD"

    ctypedef struct Element "rows_element":
        int64_t (*begin)(const void* x, void* d, int64_t n, int64_t length) noexcept nogil
        void (*double_step)(int mode, const void* x, void* d, int64_t n, int64_t L) noexcept nogil
        int (*batch)(int mode, const void* source, int64_t rows, int64_t n, bint opponent_first, void* mine,
                     void* total, Watch* watch) noexcept nogil
        int (*table)(int mode, const void* row, int64_t n, void* out, Watch* watch) noexcept nogil
    const Element I16 "rows_i16"
    const Element I32 "rows_i32"
    const Element I64 "rows_i64"
    const Element F64 "rows_f64"

    ctypedef struct Row "rows_row":
        const Element* element
        int mode
        const char* x
        int64_t n

    ctypedef struct Marks "rows_marks":
        char* data
        int64_t used
        int64_t room
    int mark "rows_mark"(Marks* marks, const Row* row, int64_t length, const void* cells) noexcept

    ctypedef struct Team "rows_team":
        int64_t chunks
    void team_start "rows_team_start"(Team* team, int64_t threads) noexcept
    void team_help "rows_team_help"(Team* team) noexcept
    void team_close "rows_team_close"(Team* team) noexcept

    int advance "rows_advance"(const Row* row, void* d, int64_t L, int64_t target, Marks* marks, Watch* watch,
                               Team* team) noexcept
    int trace "rows_trace"(const Row* row, bint late, Marks* marks, uint8_t* moves, uint8_t* choices,
                           int64_t* from_left, Watch* watch) noexcept

    ctypedef struct Folding "rows_folding":
        int64_t (*push)(void* stack, int64_t k, const void* x, int64_t n) noexcept nogil
        void (*valley)(const void* stack, int64_t k, void* difference) noexcept nogil
        void (*line)(const void* x, int64_t n, void* stack, int64_t* start, uint8_t* moves) noexcept nogil
    const Folding FOLDING_I16 "rows_folding_i16"
    const Folding FOLDING_I32 "rows_folding_i32"
    const Folding FOLDING_I64 "rows_folding_i64"
    const Folding FOLDING_F64 "rows_folding_f64"

    ctypedef struct FoldState "rows_fold_state":
        double bound
        int64_t skip
        int64_t patience
        int64_t peaks
    int64_t fold_chunks "rows_fold"(const Folding* folding, const void* x, int64_t n, void* stack, int64_t k,
                                    FoldState* state, Watch* watch) noexcept

ctypedef fused number:
    int16_t
    int32_t
    int64_t
    double

ctypedef fused wide:
    int32_t
    int64_t
    double

ctypedef fused widest:
    int64_t
    double


cdef inline const Element* element_of(const number* x) noexcept nogil:
    if number is int16_t:
        return &I16
    elif number is int32_t:
        return &I32
    elif number is int64_t:
        return &I64
    else:
        return &F64


cdef inline const Folding* folding_of(const number* x) noexcept nogil:
    if number is int16_t:
        return &FOLDING_I16
    elif number is int32_t:
        return &FOLDING_I32
    elif number is int64_t:
        return &FOLDING_I64
    else:
        return &FOLDING_F64
