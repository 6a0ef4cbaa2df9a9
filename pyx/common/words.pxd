# Relaxed atomic access to table words and weights that threads share (see simd/words.h).
from libc.stdint cimport int16_t, uint64_t

cdef extern from "simd/words.h" nogil:
    uint64_t load_word "gc_load_word"(const uint64_t* p) noexcept
    void store_word "gc_store_word"(uint64_t* p, uint64_t word) noexcept
    int load_weight "gc_load_weight"(const int16_t* p) noexcept
    void store_weight "gc_store_weight"(int16_t* p, int weight) noexcept
