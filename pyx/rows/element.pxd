# The element types of rows, and the vector code of simd/rows*.h for each of them.
from libc.stddef cimport size_t
from libc.stdint cimport int16_t, int32_t, int64_t

cdef extern from "simd/rows.h" nogil:
    enum:
        OPTIMAL "ROWS_OPTIMAL"
        COOPERATIVE "ROWS_COOPERATIVE"
        GREEDY "ROWS_GREEDY"
        MODES "ROWS_MODES"
        K "ROWS_K"
        PAD "ROWS_PAD"
        STAGE_LANES "ROWS_STAGE_LANES"

    ctypedef struct Vectors "rows_vectors":
        int lanes
        void (*stripe)(const void* source, int64_t S, int64_t count, int64_t valid, void* to) noexcept nogil
        void (*unstripe)(const void* source, int64_t S, int64_t count, void* to) noexcept nogil
        void (*part)(int mode, void* D, const void* X, const void* J, int64_t top, int64_t bottom,
                     void* above) noexcept nogil
        void (*shift)(int mode, const void* x, void* d, int64_t n, int64_t L) noexcept nogil
        void (*side_by_side)(int mode, const void* rows, int64_t n, int64_t lanes, int opponent_first, void* mine,
                             void* total, void* room) noexcept nogil
        void (*strip)(int mode, const void* x, const void* backwards, int64_t n, int64_t i, void* table,
                      void* below) noexcept nogil
        int64_t (*round)(const void* source, int64_t n, void* to) noexcept nogil
    void ARMS "ROWS_ARMS"(int modes) noexcept
    const Vectors VECTORS "rows_vectors_of"[3]
    size_t batch_room "rows_batch_room"(int lanes, int64_t n) noexcept

ctypedef fused number:
    int16_t
    int32_t
    int64_t

ctypedef fused wide:               # the elements of tables, and of rounds of folding
    int32_t
    int64_t


cdef inline const Vectors* vectors(const number* _x) noexcept nogil:
    # The vector code for the elements that the argument points to.
    if number is int16_t:
        return &VECTORS[0]
    elif number is int32_t:
        return &VECTORS[1]
    else:
        return &VECTORS[2]
