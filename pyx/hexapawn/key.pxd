# The key of a position: the whole position, packed into two short numbers.
#
# Squares are digits in base 3 (empty, own, opp), packed into parts of at most 26 bits:
#
#   hexapawn        one part for every two rows between the first and the last.  The first and the last row are bits:
#                   the first has no `opp` and the last no `own`, or the game would be over.
#   hexapawn_wide   one part for every 16 squares.
#
# Then each number is mixed with a hash of the other (a Feistel network of two rounds).  Packing and mixing are
# invertible: different positions have different keys, without collisions.
#
#                     left      right    (bits)
#   hexapawn           47         49
#   hexapawn_wide      52         44     but 46 to 52 for boards of 60 to 64 squares
#
# The lower bits of `right` are the bucket's number.  Bits of `right` beyond 44 are not stored in entries: the table of
# hexapawn_wide always has enough buckets (up to 16 kB) for the bucket's number to contain them.
from libc.stdint cimport uint64_t

from common.bits cimport bswap
from hexapawn.board cimport WIDE, Geometry

cdef extern from *:
    """
    #define GC_LEFT (GC_WIDE ? 52 : 47)
    """
    enum:
        LEFT "GC_LEFT"             # bits of `left`

cdef extern from "simd/hexapawn.h" nogil:
    void ternary_rows "gc_ternary_rows"(uint64_t a, uint64_t b, int base, uint64_t* low, uint64_t* high) noexcept

cdef extern from *:
    const uint64_t HALF "0xffffffffULL"

cdef enum:
    STORED = 96                    # bits of a key in an entry

cdef struct Packing:
    int base                       # factor of the upper of two rows
    int first                      # bits of the first part, at least as many as of the second
    int third                      # bits of the third part
    int to_ends                    # shift that puts the last row's bits after the first row's
    int dropped                    # bits of `right` that entries do not store
    uint64_t right_mask

cdef struct Key:
    uint64_t left
    uint64_t right


cdef inline int bits_for(int squares) noexcept nogil:
    # The number of bits for `squares` digits in base 3.
    cdef uint64_t values = 1
    cdef int bits = 0
    while squares > 0:
        values *= 3
        squares -= 1
    while values > <uint64_t>1 << bits:
        bits += 1
    return bits


cdef inline void packing_init(Packing* p, const Geometry* g) noexcept nogil:
    cdef int _, bits, kept = STORED - LEFT
    if not WIDE:
        p.base = 1
        for _ in range(g.columns):
            p.base *= 3
        p.first = bits_for(2 * g.columns)
        p.third = bits_for(g.columns * max(g.rows - 6, 0))
        p.to_ends = 8 * (g.rows - 1) - g.columns
        bits = p.first + max(p.third + 2 * g.columns - (LEFT - p.first), 0)
    else:
        p.base = 6561
        p.first = p.third = 26
        p.to_ends = 0
        bits = 26 + bits_for(max(g.rows * g.columns - 48, 0))
    p.dropped = max(bits - kept, 0)
    p.right_mask = (<uint64_t>1 << (kept + p.dropped)) - 1


cdef inline Key key_of(const Packing* p, const Geometry* g, uint64_t own, uint64_t opp) noexcept nogil:
    # The key of a canonical position (make_canonical).
    cdef Key key
    cdef uint64_t low, high, rest
    if not WIDE:
        ternary_rows(own >> 8, (opp & ~g.goal) >> 8, p.base, &low, &high)
        rest = high | ((own & g.home) | (opp & g.goal) >> p.to_ends) << p.third
        key.left = ((low & HALF) | rest << p.first) & ((<uint64_t>1 << LEFT) - 1)
        key.right = low >> 32 | rest >> (LEFT - p.first) << p.first
    else:
        ternary_rows(own, opp, p.base, &low, &high)
        key.left = (low & HALF) | low >> 32 << 26
        key.right = (high & HALF) | high >> 32 << 26
    key.left ^= (key.right * <uint64_t>0x9E3779B97F4A7C15) >> (64 - LEFT)
    # The upper bits of a product depend on all bits of its factors; bswap moves them to the bucket's number.
    key.right ^= bswap(key.left * <uint64_t>0xC2B2AE3D27D4EB4F) & p.right_mask
    return key
