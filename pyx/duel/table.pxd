# The transposition table: results of tests by the hash of their state.
#
# A slot is one word:
#
#      63                                                    8   7  6   5  4   3  2   1  0
#     | check: the top 56 bits of the state's second hash sum | both | other| mover| none |
#
# The low byte holds four results of two bits (UNKNOWN, LOSES, WINS), by who holds isolated cards, which the hash leaves
# out (`State.isolated`).  A new state replaces whatever stood in its slot.
#
# The slot's number comes from the other hash sum, from its top bits; both sums are independent, so that states that
# share a slot seldom share the check.  Tables start small, because a small one stays in the processor's caches, and
# grow in place.  A state's number then needs further bits, which come from the top of the check: `spread_index` puts
# them below those of the first size.  So an entry can be moved without knowing its state, and 56 - GROWTH bits still
# check.
from libc.stdint cimport int64_t, uint16_t, uint64_t
from libc.string cimport memcpy

from common.watch cimport now_ns
from duel.full_keys cimport CANONICAL, FULL_KEYS, same_canonical, write_canonical
from duel.state cimport UNKNOWN, Hash, State

cdef extern from "simd/duel_cards.h" nogil:
    # The low byte of a slot that follows from one result, by result and by the `isolated` of its state.  Isolated cards
    # only ever hurt their owner: a win also holds with fewer of the mover's and more of the other's, a loss with more
    # of the mover's and fewer of the other's.
    const unsigned char IMPLIED "gc_duel_implied"[3][4]

cdef extern from *:
    const uint64_t CHECK_BITS "0xffffffffffffff00ULL"

cdef enum:
    GROWTH = 6                     # doublings from the first size of a table to its last

cdef struct TranspositionTable:
    uint64_t* slots
    uint16_t* canonical            # debug builds: CANONICAL items for each slot
    int bits                       # log2 of the number of slots in use now
    int first_bits                 # the same when the table was empty
    int most_bits                  # log2 of the number of slots that memory was reserved for
    uint64_t stores                # new entries
    uint64_t grow_at               # grow when there have been this many
    int64_t deadline               # of the search, as a Watch has it
    uint64_t collisions            # debug builds: equal hashes of different states


cdef inline void set_size(TranspositionTable* table, int most_bits) noexcept nogil:
    # Begin with an empty table (its slots are zero) that may grow to 2**most_bits slots.
    table.most_bits = most_bits
    table.bits = max(most_bits - GROWTH, min(most_bits, 10))
    table.first_bits = table.bits
    table.stores = 0
    table.grow_at = <uint64_t>1 << (table.bits - 1)


cdef inline void spread_index(TranspositionTable* table, Hash* key) noexcept nogil:
    # Make the index sum fit for every size: its top bits, as many as the first size needs, then the check from its top.
    key.index = (key.index & ~(<uint64_t>0xFFFFFFFFFFFFFFFF >> table.first_bits)) | key.check >> table.first_bits


cdef inline uint64_t slot_number(TranspositionTable* table, const Hash* key) noexcept nogil:
    return key.index >> (64 - table.bits)


cdef inline uint64_t* slot_of(TranspositionTable* table, const Hash* key) noexcept nogil:
    return &table.slots[slot_number(table, key)]


cdef inline int lookup(TranspositionTable* table, const Hash* key, State* s, int needed) noexcept nogil:
    # The stored result of the state's test, or UNKNOWN.  `key` is that of the test: one of the state's two.
    cdef uint64_t slot = slot_of(table, key)[0]
    if (slot ^ key.check) & CHECK_BITS:
        return UNKNOWN
    if FULL_KEYS and slot and differs(table, key, s, needed):
        return UNKNOWN
    return slot >> (2 * s.isolated) & 3


cdef inline void store(TranspositionTable* table, State* s, int needed, int result) noexcept nogil:
    # Store a result that is not UNKNOWN.
    cdef uint64_t* slot = slot_of(table, &s.key)
    if (slot[0] ^ s.key.check) & CHECK_BITS:
        slot[0] = s.key.check & CHECK_BITS
        table.stores += 1
        if FULL_KEYS:
            write_canonical(&table.canonical[CANONICAL * slot_number(table, &s.key)], s, needed)
    elif FULL_KEYS and differs(table, &s.key, s, needed):
        return
    slot[0] |= IMPLIED[result][s.isolated]
    if table.stores >= table.grow_at:
        grow(table)


cdef inline void grow(TranspositionTable* table) noexcept nogil:
    # Quadruple the slots in use, in place (double them where no more is left).  With two more bits, slot i becomes
    #
    #      4 i,  4 i + 1,  4 i + 2,  4 i + 3
    #
    # by the next two bits of the entry's check.  From the top down, nothing is overwritten before it has moved: the
    # memory above was reserved, is zero, and was never touched.
    cdef int64_t i, to
    cdef uint64_t slot
    cdef int grown, doublings = 2 if table.most_bits - table.bits >= 2 else table.most_bits - table.bits
    if doublings <= 0:
        table.grow_at = <uint64_t>0xFFFFFFFFFFFFFFFF
        return
    # Fresh pages are cleared by the system, which may take it two nanoseconds a byte: not shortly before the end.
    if table.deadline - now_ns() < <int64_t>(2 * sizeof(uint64_t)) << (table.bits + doublings):
        table.grow_at += (table.grow_at >> 3) + 1
        return
    table.grow_at <<= doublings
    grown = table.bits - table.first_bits
    i = (<int64_t>1 << table.bits) - 1
    table.bits += doublings
    while i >= 0:
        slot = table.slots[i]
        if slot:
            table.slots[i] = 0
            to = i << doublings | (slot << grown) >> (64 - doublings)
            table.slots[to] = slot
            if FULL_KEYS:
                memcpy(&table.canonical[CANONICAL * to], &table.canonical[CANONICAL * i], CANONICAL * sizeof(uint16_t))
        i -= 1


cdef inline bint differs(TranspositionTable* table, const Hash* key, State* s, int needed) noexcept nogil:
    # Debug builds: whether an entry whose hash agrees is of another state.
    if same_canonical(&table.canonical[CANONICAL * slot_number(table, key)], s, needed):
        return False
    table.collisions += 1
    return True
