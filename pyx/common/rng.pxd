# Streams of random numbers for playouts: xorshift128+ (Vigna 2017, shifts 23, 18, 5), which vectorises by lanes.
#
# Every round has its own stream, seeded by (seed, index), so that results do not depend on threads, chunks or vectors.
# A word gives two halves of 32 bits.  A half gives several bounded numbers: `bounded` keeps the fraction.
from libc.stdint cimport uint32_t, uint64_t

from common.bits cimport mix64

cdef struct Stream:
    uint64_t a
    uint64_t b


cdef inline uint64_t stream_key(uint64_t seed) noexcept nogil:
    # Mix the seed, so that seeds such as 0, 1, 2 give unrelated streams.
    return mix64(seed ^ <uint64_t>0x6A09E667F3BCC909)


cdef inline void stream_start(Stream* g, uint64_t key, uint64_t index) noexcept nogil:
    # mix64 is a bijection, so that the words are never both zero, the state that xorshift cannot leave.
    cdef uint64_t k = key + index * <uint64_t>0x9E3779B97F4A7C15
    g.a = mix64(k)
    g.b = mix64(k ^ <uint64_t>0xD1B54A32D192ED03)


cdef inline uint64_t stream_next(Stream* g) noexcept nogil:
    cdef uint64_t s1 = g.a
    cdef uint64_t s0 = g.b
    cdef uint64_t word = s0 + s1
    g.a = s0
    s1 ^= s1 << 23
    g.b = s1 ^ s0 ^ (s1 >> 18) ^ (s0 >> 5)
    return word


cdef inline uint32_t bounded(uint32_t* half, uint32_t n) noexcept nogil:
    # A number below n; `half` keeps the unused fraction for the next draw (n == 1 does not change it).  The bias is
    # n / 2**32, for a second draw n1 * n2 / 2**32: far below any sampling error.
    cdef uint64_t t = <uint64_t>half[0] * n
    half[0] = <uint32_t>t
    return <uint32_t>(t >> 32)
