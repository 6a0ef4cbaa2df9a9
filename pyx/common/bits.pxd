# One-instruction bit operations.
from libc.stdint cimport uint64_t

cdef extern from "simd/bits.h" nogil:
    int popcount "gc_popcount64"(uint64_t x) noexcept
    int ctz "gc_ctz64"(uint64_t x) noexcept            # index of the lowest set bit; undefined for 0
    int msb "gc_msb64"(uint64_t x) noexcept            # index of the highest set bit; undefined for 0
    uint64_t bswap "gc_bswap64"(uint64_t x) noexcept
    uint64_t deposit "gc_deposit64"(uint64_t x, uint64_t mask) noexcept   # pdep
    uint64_t extract "gc_extract64"(uint64_t x, uint64_t mask) noexcept   # pext
    void prefetch "gc_prefetch"(const void* p) noexcept


cdef inline uint64_t mix64(uint64_t x) noexcept nogil:
    # The finaliser of splitmix64 (Steele, Lea, Flood 2014): a bijection that spreads every bit over the word.
    x = (x ^ (x >> 30)) * <uint64_t>0xBF58476D1CE4E5B9
    x = (x ^ (x >> 27)) * <uint64_t>0x94D049BB133111EB
    return x ^ (x >> 31)


cdef inline uint64_t splitmix64(uint64_t* state) noexcept nogil:
    # The next word of a splitmix64 stream; any seed works.
    state[0] += <uint64_t>0x9E3779B97F4A7C15
    return mix64(state[0])
