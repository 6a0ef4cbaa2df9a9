# The key of a position: the whole position, in two numbers of as few bits as a short entry has room for.
#
# Squares are digits in base 3 (empty, own, opp), as many as fill 26 bits or fewer in each part:
#
#   int8_t   a part for every two rows between the first and the last, and the bits of these two: the first row of a
#            position that is stored has no `opp`, and the last one no `own`, since the game would be over.
#   int16_t  a part for every 16 squares, from the first on.
#
# Then the two numbers are mixed, each with a hash of the other (a Feistel network of two rounds).  Packing and mixing
# can both be undone, so that different positions always have different keys: nothing is left to chance, however the
# bits of a key are shared out between the place of an entry and the entry itself.
#
#              left      right    (bits)
#   int8_t      47         36     but 47 for 8x8 boards
#   int16_t     52         44     but 46 to 52 for boards of 60 to 64 squares
#
# The lower bits of `right` number the bucket.  The extra ones stand in no entry, so that the tables of these boards
# have so many buckets that the bucket's number tells them: 128 kB for 8x8, 256 bytes to 16 kB for the others.
from libc.stdint cimport int8_t, int16_t, uint64_t

from common.bits cimport bswap
from hexapawn.board cimport WIDE, Geometry, geometry_init, make_canonical, orient

cdef extern from "simd/hexapawn.h" nogil:
    void ternary_rows "gc_ternary_rows"(uint64_t a, uint64_t b, int base, uint64_t* low, uint64_t* high) noexcept

cdef extern from *:
    const uint64_t HALF "0xffffffffULL"

cdef enum:
    LEFT_8 = 47
    RIGHT_8 = 36                   # bits of `right` in an entry
    LEFT_16 = 52
    RIGHT_16 = 44

cdef struct Packing:
    int base                       # what the upper one of two rows is multiplied with
    int first                      # bits of the first part; the second has no more
    int third                      # bits of the third
    int to_ends                    # from the last row to where its bits follow those of the first
    int dropped                    # bits of `right` beyond those of an entry
    uint64_t right_mask

cdef struct Key:
    uint64_t left
    uint64_t right


cdef inline int bits_for(int squares) noexcept nogil:
    # Bits of so many digits in base 3.
    cdef uint64_t values = 1
    cdef int bits = 0
    while squares > 0:
        values *= 3
        squares -= 1
    while values > <uint64_t>1 << bits:
        bits += 1
    return bits


cdef inline void packing_init(Packing* p, const Geometry* g) noexcept nogil:
    cdef int _, kept, bits
    if not WIDE:
        p.base = 1
        for _ in range(g.columns):
            p.base *= 3
        p.first = bits_for(2 * g.columns)
        p.third = bits_for(g.columns * max(g.rows - 6, 0))
        p.to_ends = 8 * (g.rows - 1) - g.columns
        kept = RIGHT_8
        bits = p.first + max(p.third + 2 * g.columns - (LEFT_8 - p.first), 0)
    else:
        p.base = 6561
        p.first = p.third = 26
        p.to_ends = 0
        kept = RIGHT_16
        bits = 26 + bits_for(max(g.rows * g.columns - 48, 0))
    p.dropped = max(bits - kept, 0)
    p.right_mask = (<uint64_t>1 << (kept + p.dropped)) - 1


cdef inline Key key_of(const Packing* p, const Geometry* g, uint64_t own, uint64_t opp) noexcept nogil:
    # Of a position that is as make_canonical leaves it.
    cdef Key key
    cdef uint64_t low, high, rest
    if not WIDE:
        ternary_rows(own >> 8, (opp & ~g.goal) >> 8, p.base, &low, &high)
        rest = high | ((own & g.home) | (opp & g.goal) >> p.to_ends) << p.third
        key.left = ((low & HALF) | rest << p.first) & ((<uint64_t>1 << LEFT_8) - 1)
        key.right = low >> 32 | rest >> (LEFT_8 - p.first) << p.first
        key.left ^= (key.right * <uint64_t>0x9E3779B97F4A7C15) >> (64 - LEFT_8)
    else:
        ternary_rows(own, opp, p.base, &low, &high)
        key.left = (low & HALF) | low >> 32 << 26
        key.right = (high & HALF) | high >> 32 << 26
        key.left ^= (key.right * <uint64_t>0x9E3779B97F4A7C15) >> (64 - LEFT_16)
    # The upper bits of a product depend on all of its factor: they become the lower ones, which number the bucket.
    key.right ^= bswap(key.left * <uint64_t>0xC2B2AE3D27D4EB4F) & p.right_mask
    return key


cdef inline Key find_key(Geometry* g, Packing* p, int rows, int columns, uint64_t white, uint64_t black,
                         bint black_to_move) noexcept nogil:
    # Of a position as the caller knows it.
    cdef uint64_t own, opp
    geometry_init(g, rows, columns)
    packing_init(p, g)
    orient(g, white, black, black_to_move, &own, &opp)
    make_canonical(g, &own, &opp)
    return key_of(p, g, own, opp)
