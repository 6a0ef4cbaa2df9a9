# An independent search of a test, to check the answers of the main search.
#
# It makes no reductions, and its entries hold whole positions instead of hashes.  Entries only merge last cards that
# allow the same cards to follow.
#
#      word 0   mover's hand (52 bits) | suit to match + 1, 0: no card of it (3) | rank to match + 1 likewise (4)
#      word 1   other hand (52 bits) | 1 where the mover is the attacker (1) | 1 where it may play anything (1)
#               | result (2), from bit 52
from libc.stdint cimport uint64_t

from common.bits cimport ctz, popcount
from common.watch cimport Watch, tick
from duel.rules cimport NEIGHBOURS, ROW, points_of
from duel.state cimport LOSES, UNKNOWN, WINS, opposite

cdef enum:
    RESULT_SHIFT = 54

cdef struct Recheck:
    Watch watch
    uint64_t* entries              # two words each
    int shift                      # 64 - log2(number of entries)
    int needed


cdef inline void whole_key(uint64_t mover, uint64_t other, int last, int attacks, uint64_t* key) noexcept nogil:
    cdef uint64_t suit = 0, rank = 0
    if last >= 0 and mover >> (last & 3) & ROW:
        suit = (last & 3) + 1
    if last >= 0 and mover >> (last & ~3) & 15:
        rank = (last >> 2) + 1
    key[0] = mover | suit << 52 | rank << 55
    key[1] = other | <uint64_t>attacks << 52 | <uint64_t>(last < 0) << 53


cdef inline uint64_t* entry_of(Recheck* r, const uint64_t* key) noexcept nogil:
    cdef uint64_t x = (key[0] ^ key[1] * <uint64_t>0xC2B2AE3D27D4EB4F) * <uint64_t>0x9E3779B97F4A7C15
    x ^= x >> 29
    return r.entries + 2 * ((x * <uint64_t>0xBF58476D1CE4E5B9) >> r.shift)


cdef inline int test_again(Recheck* r, uint64_t mover, uint64_t other, int last, int attacks) noexcept nogil:
    # WINS if the mover succeeds (the attacker wins enough points, the defender prevents that), LOSES if it fails,
    # UNKNOWN if the watch stopped.  Both hands are non-empty.
    cdef uint64_t legal = mover if last < 0 else mover & NEIGHBOURS[last], rest
    cdef uint64_t key[2]
    cdef uint64_t* entry
    cdef int cards[52]
    cdef int replies[52]
    cdef int count = 0, i, j, card, result
    if points_of(other if attacks else mover) < r.needed:       # too little is left to pay
        return LOSES if attacks else WINS
    if legal == 0:
        result = test_again(r, other, mover, -1, attacks ^ 1)
        return UNKNOWN if result == UNKNOWN else opposite(result)
    if tick(&r.watch):
        return UNKNOWN
    whole_key(mover, other, last, attacks, key)
    entry = entry_of(r, key)
    if entry[0] == key[0] and entry[1] & ~(<uint64_t>3 << RESULT_SHIFT) == key[1]:
        return entry[1] >> RESULT_SHIFT
    while legal:                                                # cards with few replies first
        card = ctz(legal)
        legal &= legal - 1
        j = count
        while j > 0 and replies[j - 1] > popcount(other & NEIGHBOURS[card]):
            cards[j], replies[j] = cards[j - 1], replies[j - 1]
            j -= 1
        cards[j], replies[j] = card, popcount(other & NEIGHBOURS[card])
        count += 1
    result = LOSES
    for i in range(count):
        rest = mover ^ (<uint64_t>1 << cards[i])
        if rest == 0:                                           # the mover succeeds: the points are tested above
            result = WINS
            break
        j = test_again(r, other, rest, cards[i], attacks ^ 1)
        if j == UNKNOWN:
            return UNKNOWN
        if j == LOSES:
            result = WINS
            break
    entry[0] = key[0]
    entry[1] = key[1] | <uint64_t>result << RESULT_SHIFT
    return result
