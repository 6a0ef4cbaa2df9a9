# An entry of the transposition table: a whole position, its proven bounds and its worth in two words.
#
#   first    lower bits of right | left (LEFT bits)
#   second   upper 32 bits of right | worth (6) | low + MATE (13) | high + MATE (13)
#
# The table keeps `first ^ second` and `second` (Hyatt and Mann 2002).  Both are 0 in a free slot; worth is at least 1.
#
# Threads share the table without locks.  A word is read and written as a whole, but another thread may write between
# the two words, so that a reader sees x.first ^ x.second of one entry and y.second of another.  It takes them for an
# entry of the key k if x.first ^ x.second ^ y.second == k.first and the upper half of y.second is k's:
#
#   x and y of one key     y's bounds are proven for x's key; a match requires x.second == y.second.
#   x of k, y of another   a match requires x.second == y.second: these are bounds of k.
#   y of k, x of another   a match requires x.first ^ k.first == x.second ^ y.second: 64 bits of hashes.
#   neither of k           the same 64 bits, and 32 more.
#
# So only the last two cases can give a wrong answer, with a probability of 2**-64 for each mixed read.  Two writers can
# also leave a mixed entry in the table, with a key that is a position's with the same probability; it is dropped when
# the table grows.
from libc.stdint cimport uint32_t, uint64_t

from common.bits cimport msb
from common.words cimport load_word, store_word
from hexapawn.board cimport WIDE
from hexapawn.bounds cimport MATE
from hexapawn.key cimport LEFT, Key, Packing

cdef enum:
    WORTH = 63
    WORTH_SHIFT = 26
    SCORE_BITS = 13

cdef struct Entry:
    uint64_t first
    uint64_t second

cdef struct Span:
    # Possible scores: losses are odd, since they take an even number of plies; wins are even.
    int low
    int high


cdef inline Span span_of(int low, int high) noexcept nogil:
    # Round proven bounds to possible scores.
    cdef Span span
    span.low = low | 1 if low < 0 else max((low + 1) & ~1, 2)
    span.high = high & ~1 if high > 1 else min((high - 1) | 1, -1)
    return span


cdef inline uint32_t worth_of(uint64_t nodes) noexcept nogil:
    # The worth of an entry by the nodes of its search; full buckets keep the entries of highest worth.
    return min(msb(nodes | 1) + 1, WORTH)


cdef inline uint64_t pack(const Span* span, uint32_t worth) noexcept nogil:
    return <uint64_t>worth << WORTH_SHIFT | (span.low + MATE) << SCORE_BITS | (span.high + MATE)


cdef inline Span unpack(uint64_t second) noexcept nogil:
    cdef Span span
    cdef int most = (1 << SCORE_BITS) - 1
    span.low = <int>(second >> SCORE_BITS & most) - MATE
    span.high = <int>(second & most) - MATE
    return span


cdef inline uint32_t worth_in(uint64_t second) noexcept nogil:
    # 0 if the slot is free.
    return second >> WORTH_SHIFT & WORTH


cdef inline Entry entry_for(const Packing* p, const Key* key) noexcept nogil:
    # An entry of this key, without worth and bounds.
    cdef Entry entry
    cdef uint64_t right = key.right >> p.dropped if WIDE else key.right
    entry.first = key.left | right << LEFT
    entry.second = right >> (64 - LEFT) << 32
    return entry


cdef inline Key key_in(const Packing* p, uint64_t bucket, const Entry* entry) noexcept nogil:
    # The key of an entry; bits that entries do not store are the lowest bits of the bucket's number.
    cdef Key key
    cdef uint64_t right = entry.first >> LEFT | entry.second >> 32 << (64 - LEFT)
    key.left = entry.first & ((<uint64_t>1 << LEFT) - 1)
    key.right = right << p.dropped | bucket & ((<uint64_t>1 << p.dropped) - 1)
    return key


cdef inline Entry read_entry(const uint64_t* bucket, int slot) noexcept nogil:
    cdef Entry entry
    entry.second = load_word(bucket + 2 * slot + 1)
    entry.first = load_word(bucket + 2 * slot) ^ entry.second
    return entry


cdef inline void write_entry(uint64_t* bucket, int slot, const Entry* entry) noexcept nogil:
    store_word(bucket + 2 * slot, entry.first ^ entry.second)
    store_word(bucket + 2 * slot + 1, entry.second)
