# The transposition table: results of tests by the hash of their state.
#
# A slot is one word:
#
#      63                                                    8   7  6   5  4   3  2   1  0
#     | check: the top 56 bits of the state's second hash sum | both | other| mover| none |
#
# The low byte holds four results of two bits (UNKNOWN, LOSES, WINS), by who holds isolated cards, which the hash leaves
# out (`State.isolated`).
#
# Two slots are a pair, and a state may stand in either: it goes to the one that a bit of its check says, unless only
# the other is free.  When none is, it replaces what stood in the first.
#
# The pair's number comes from the other hash sum, from its top bits; both sums are independent, so that states that
# share a pair rarely share the check.  Tables start small, because a small one stays in the processor's caches, and
# grow in place.  A state's number then needs further bits, which come from the top of the check: `spread_index` puts
# them below those of the first size.  So an entry can be moved without knowing its state, and 56 - GROWTH bits still
# check.
#
# Threads may share the slots of a table, without locks.  A slot is read and written whole, and what is written is put
# together from what was read once: a check, and results that were proven for the state with this check.  So whatever
# stands in a slot at any time is true.  Of two threads that write to a slot at the same time one may lose its result,
# which is then found again.  A shared table does not grow; `full` asks for a pause in which it can.
from libc.stdint cimport int32_t, int64_t, uint16_t, uint64_t
from libc.string cimport memcpy

from common.watch cimport now_ns, store_flag
from common.words cimport load_word, store_word
from duel.full_keys cimport CANONICAL, FULL_KEYS, same_canonical, write_canonical
from duel.state cimport UNKNOWN, Hash, State

cdef extern from "simd/duel_cards.h" nogil:
    # The low byte of a slot that follows from one result, by result and by the `isolated` of its state.  Isolated cards
    # only ever hurt their owner: a win also holds with fewer of the mover's and more of the other's, a loss with more
    # of the mover's and fewer of the other's.
    const unsigned char IMPLIED "gc_duel_implied"[3][4]

cdef extern from *:
    const uint64_t NEVER "0xffffffffffffffffULL"
    const uint64_t CHECK_BITS "0xffffffffffffff00ULL"

cdef enum:
    GROWTH = 6                     # doublings from the first size of a table to its last
    PAIR_BYTES = 16
    PAIR_SHIFT = 61                # 64, less log2 of the bytes of a slot

cdef struct TranspositionTable:
    uint64_t* slots
    uint16_t* canonical            # debug builds: CANONICAL items for each slot
    int bits                       # log2 of the number of slots in use now
    int pair_shift                 # what takes a key's index to the place of its pair, in bytes
    int first_bits                 # as `bits`, when the table was empty
    uint64_t index_mask            # the bits of an index sum that number the pairs of the first size
    int most_bits                  # log2 of the number of slots that memory was reserved for
    uint64_t stores                # new entries
    uint64_t grow_at               # grow when there have been this many
    int32_t* full                  # where threads share the slots: set in place of growing; else NULL
    int64_t deadline               # of the search, as a Watch has it
    uint64_t collisions            # debug builds: equal hashes of different states


cdef inline void set_size(TranspositionTable* table, int most_bits) noexcept nogil:
    # Begin with an empty table (its slots are zero) that may grow to 2**most_bits slots.
    table.most_bits = most_bits
    table.bits = max(most_bits - GROWTH, min(most_bits, 10))
    table.pair_shift = PAIR_SHIFT - table.bits
    table.first_bits = table.bits
    table.index_mask = ~(NEVER >> (table.bits - 1))
    table.stores = 0
    table.full = NULL
    table.grow_at = <uint64_t>1 << (table.bits - 1)


cdef inline void spread_index(TranspositionTable* table, Hash* key) noexcept nogil:
    # Make the index sum fit for every size: its top bits, as many as the first size has pairs for, then the check from
    # its top.
    key.index = (key.index & table.index_mask) | key.check >> (table.first_bits - 1)


cdef inline uint64_t* pair_of(TranspositionTable* table, const Hash* key) noexcept nogil:
    # Where the state may stand: there and in the slot after it.
    return <uint64_t*>(<char*>table.slots + (key.index >> table.pair_shift & ~<uint64_t>(PAIR_BYTES - 1)))


cdef inline int lookup(TranspositionTable* table, const Hash* key, State* s, int needed) noexcept nogil:
    # The stored result of the state's test, or UNKNOWN.  `key` is that of the test: one of the state's two.
    cdef uint64_t* at = pair_of(table, key)
    cdef uint64_t slot = load_word(at), beside = load_word(at + 1)
    if (slot ^ key.check) & CHECK_BITS:
        if (beside ^ key.check) & CHECK_BITS:
            return UNKNOWN
        slot = beside
        at += 1
    if FULL_KEYS and slot and differs(table, at - table.slots, s, needed):
        return UNKNOWN
    return slot >> (2 * s.isolated) & 3


cdef inline void store(TranspositionTable* table, State* s, int needed, int result) noexcept nogil:
    # Store a result that is not UNKNOWN.
    cdef uint64_t* pair = pair_of(table, &s.key)
    cdef int place = s.key.check >> 8 & 1                   # where the state would rather stand
    cdef uint64_t slot = load_word(pair + place), beside
    if (slot ^ s.key.check) & CHECK_BITS:
        beside = load_word(pair + (place ^ 1))
        if not (beside ^ s.key.check) & CHECK_BITS or (beside == 0 and slot):
            place ^= 1
            slot = beside
    if (slot ^ s.key.check) & CHECK_BITS:
        slot = s.key.check & CHECK_BITS
        table.stores += 1
        if FULL_KEYS:
            write_canonical(&table.canonical[CANONICAL * (pair + place - table.slots)], s, needed)
    elif FULL_KEYS and differs(table, pair + place - table.slots, s, needed):
        return
    store_word(pair + place, slot | IMPLIED[result][s.isolated])
    if table.stores >= table.grow_at:
        grow(table)


cdef inline void grow(TranspositionTable* table) noexcept nogil:
    # Quadruple the slots in use, in place (double them where no more is left).  With two more bits, pair i becomes
    #
    #      4 i,  4 i + 1,  4 i + 2,  4 i + 3
    #
    # by the next two bits of the entry's check; first and second slots of pairs remain what they are.  From the top
    # down, nothing is overwritten before it has moved: the memory above was reserved, is zero, and was never touched.
    #
    # Only one thread may be here, and none elsewhere in the table.
    cdef int64_t i, to
    cdef uint64_t slot
    cdef int grown, doublings = 2 if table.most_bits - table.bits >= 2 else table.most_bits - table.bits
    if table.full != NULL:
        store_flag(table.full, 1)
    if doublings <= 0 or table.full != NULL:
        table.grow_at = NEVER
        return
    # Fresh pages are cleared by the system, which may take it two nanoseconds a byte: not shortly before the end.
    if table.deadline - now_ns() < <int64_t>(2 * sizeof(uint64_t)) << (table.bits + doublings):
        table.grow_at += (table.grow_at >> 3) + 1
        return
    table.grow_at <<= doublings
    grown = table.bits - table.first_bits
    i = (<int64_t>1 << table.bits) - 1
    table.bits += doublings
    table.pair_shift -= doublings
    while i >= 0:
        slot = table.slots[i]
        if slot:
            table.slots[i] = 0
            to = (i >> 1 << doublings | (slot << grown) >> (64 - doublings)) << 1 | (i & 1)
            table.slots[to] = slot
            if FULL_KEYS:
                memcpy(&table.canonical[CANONICAL * to], &table.canonical[CANONICAL * i], CANONICAL * sizeof(uint16_t))
        i -= 1


cdef inline bint differs(TranspositionTable* table, int64_t number, State* s, int needed) noexcept nogil:
    # Debug builds: whether an entry whose hash agrees is of another state.
    if same_canonical(&table.canonical[CANONICAL * number], s, needed):
        return False
    table.collisions += 1
    return True
