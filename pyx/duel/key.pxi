# States of the boolean tests, what makes two of them the same, and the table that remembers results.
#
# A test asks: does the *attacker* win with at least `needed` points left in the *defender's* hand?  For that
# question many positions are one:
#
#  1. The attacker's points do not matter at all, the defender's only as min(points, needed).  So ranks of equal
#     capped points are interchangeable, and a state is a multiset of columns (who holds which suits of a rank).
#  2. Of the last card only the set of cards that may follow matters: a row and a column of the mover's hand.
#  3. Isolated cards (none of the other hand shares suit or number) are played when their owner is free to play
#     anything, at no cost: the other passes.  A free mover's are dropped at once; for the rest it matters only
#     whether there are any, for each side, and for the defender their capped points.
#  4. In a rank that only one side holds, cards count by suit alone, one by one.
#  5. Suits that the other hand lacks are interchangeable within a rank: push such cards to the lowest of them.
#  6. At needed = 1 no points matter, so attacker and defender are one question: does the mover win?
#
# The hash is a sum of random words, one for each column by its content (Zobrist's idea with + in place of xor, since
# equal columns repeat).  Two sums are kept: the top bits of one are the index, the top 56 bits of the other the
# check; a table that has grown (at most GROWTH doublings) takes its further index bits from the check, so that it
# can be spread out in place, and 56 - GROWTH bits still check.  Two different states differ in their check sum by
# sum(c_i * W_i)  with random words W_i and |c_i| <= 39, not all zero; as c_i may be divisible by 32, a random pair
# agrees with probability at most 2**-(56 - GROWTH - 5) = 2**-45, and nearly always 2**-50.  A lookup meets one stranger
# at most: a search of 10**6 lookups (n=17) is wrong somewhere with probability below 1e-9, one of 10**9 (a hard n=20)
# below 1e-6.  Debug builds keep the whole canonical state beside every entry and count disagreements (`collisions`);
# the tests see none over 1,000 deals.

cdef extern from "simd/duel_sum.h" nogil:
    ctypedef struct Hash "gc_duel_hash":
        uint64_t index
        uint64_t check
    Hash sum_columns "gc_duel_sum"(const Hash* words, const uint8_t* columns) noexcept     # of 13 columns

cdef struct State:
    uint64_t mover
    uint64_t other
    Hash key
    Hash key1                      # the key of the same position in the test needed = 1
    int last                       # index of the card to be matched; -1: the mover is free
    int points                     # in the defender's hand
    int attacks                    # 1 when the mover is the attacker
    int isolated                   # bit 0: the mover holds isolated cards, bit 1: the other does

cdef enum:
    GROWTH = 6                     # doublings from the first size of a table to its last
    CANONICAL = 64                 # 16-bit items of a canonical state, debug builds only

cdef struct Table:
    uint64_t* slots                # top 56 bits: check; low byte: four results of two bits, by `isolated`
    uint16_t* canonical            # debug builds: CANONICAL items for each slot
    int bits                       # log2 of the number of slots in use now
    int first_bits                 # the same when the table was new
    int most_bits                  # log2 of the number of slots that memory was reserved for
    uint64_t stores                # new entries
    uint64_t grow_at               # double when there have been this many
    int64_t deadline               # of the search, as a Watch has it
    uint64_t collisions            # debug builds: equal hashes of different states

cdef extern from *:
    """
    #ifdef GAMECORE_DEBUG
    #define DUEL_FULL_KEYS 1
    #else
    #define DUEL_FULL_KEYS 0
    #endif
    """
    const bint FULL_KEYS "DUEL_FULL_KEYS"

# Debug builds can be made worse on purpose, to see that the gates on benchmarks and signatures bite.
cdef int debug_slow = 0            # GAMECORE_DEBUG_SLOW=n: n times more work at each node, for the same answer
cdef bint debug_order = False      # GAMECORE_DEBUG_ORDER=1: children in the opposite order

cdef enum:
    UNKNOWN = 0
    LOSES = 1                      # the mover does not get his way in the test
    WINS = 2

cdef Hash COLUMN[256]              # by content: mover's suits in the low nibble, the other's in the high one
cdef Hash COLUMN_TO_MATCH[256]     # the same where the last card has this rank
cdef Hash ROW_TO_MATCH[4]          # the suit of the last card
cdef Hash CHEAP_COLUMN[13 * 256]   # by rank and content, when the defender's cards are worth less than `needed`
cdef Hash NEEDED[512]
cdef Hash ISOLATED_POINTS[512]
cdef uint64_t IMPLIED[3][4]        # low byte of a slot: all that a result says, by result and `isolated`
cdef Hash FREE
cdef Hash ATTACKER


cdef inline void add(Hash* h, const Hash* w) noexcept nogil:
    h.index += w.index
    h.check += w.check


cdef Hash random_hash(uint64_t* state) noexcept nogil:
    cdef Hash h
    h.index = splitmix64(state)
    h.check = splitmix64(state)
    return h


cdef void fill_key_tables() noexcept:
    cdef uint64_t state = 20260101
    cdef Hash one_card[8]
    cdef int content, i
    for i in range(8):
        one_card[i] = random_hash(&state)
    for content in range(256):
        COLUMN[content] = random_hash(&state)
        COLUMN_TO_MATCH[content] = random_hash(&state)
        if not content & 15 or not content >> 4:        # one side only: card by card
            COLUMN[content].index = 0
            COLUMN[content].check = 0
            for i in range(8):
                if content >> i & 1:
                    add(&COLUMN[content], &one_card[i])
    for i in range(4):
        ROW_TO_MATCH[i] = random_hash(&state)
    for i in range(13 * 256):
        CHEAP_COLUMN[i] = random_hash(&state)
    for i in range(512):
        NEEDED[i] = random_hash(&state)
        ISOLATED_POINTS[i] = random_hash(&state)
    # Isolated cards only ever hurt their owner, so a win also holds with fewer of the mover's and more of the
    # other's, a loss the other way round: `isolated` 0: none, 1: the mover's, 2: the other's, 3: both.
    for i in range(4):
        for content in range(4):
            if (content & 1) <= (i & 1) and content >> 1 >= i >> 1:
                IMPLIED[WINS][i] |= <uint64_t>WINS << (2 * content)
            if (content & 1) >= (i & 1) and content >> 1 <= i >> 1:
                IMPLIED[LOSES][i] |= <uint64_t>LOSES << (2 * content)
    FREE.index, FREE.check = splitmix64(&state), splitmix64(&state)
    ATTACKER.index, ATTACKER.check = splitmix64(&state), splitmix64(&state)


cdef inline uint64_t push_down(uint64_t hand, int suits) noexcept nogil:
    # Within each rank, move the cards of these (interchangeable) suits to the lowest of them: a sorting network.
    cdef int low, high
    cdef uint64_t a, b
    for low in range(3):
        if not suits >> low & 1:
            continue
        for high in range(low + 1, 4):
            if suits >> high & 1:
                a = hand >> low & ROW
                b = hand >> high & ROW
                hand ^= (a ^ (a | b)) << low ^ (b ^ (a & b)) << high
    return hand


cdef inline void make_key(Table* table, State* s, int needed, bint first) noexcept nogil:
    # `first` is needed == 1, given as a constant so that the compiler writes that simpler case out.
    cdef int mover_suits = suits_of(s.mover), other_suits = suits_of(s.other)
    cdef uint64_t mover_alone = s.mover & ~(SUITS_FILLED[other_suits] | fill_columns(s.other))
    cdef uint64_t other_alone = s.other & ~(SUITS_FILLED[mover_suits] | fill_columns(s.mover))
    cdef uint64_t mover = s.mover ^ mover_alone, other = s.other ^ other_alone
    cdef int mover_dead = mover_suits & ~other_suits, other_dead = other_suits & ~mover_suits
    cdef int row = -1, column = -1
    cdef uint64_t columns[2]
    cdef uint8_t* content = <uint8_t*> columns
    cdef Hash h
    if s.last >= 0:
        if mover >> (s.last & 3) & ROW:
            row = s.last & 3
            mover_dead &= ~(1 << row)
        if mover >> (s.last & ~3) & 15:
            column = s.last >> 2
    if mover_dead & (mover_dead - 1):
        mover = push_down(mover, mover_dead)
    if other_dead & (other_dead - 1):
        other = push_down(other, other_dead)
    columns[0] = spread_nibbles(mover) | spread_nibbles(other) << 4
    columns[1] = spread_nibbles(mover >> 32) | spread_nibbles(other >> 32) << 4
    h = sum_columns(COLUMN, content)
    if s.last < 0:
        add(&h, &FREE)
    if row >= 0:
        add(&h, &ROW_TO_MATCH[row])
    if column >= 0:
        add(&h, &COLUMN_TO_MATCH[content[column]])
        h.index -= COLUMN[content[column]].index
        h.check -= COLUMN[content[column]].check
    s.isolated = (mover_alone != 0) | (other_alone != 0) << 1
    s.key = h
    if not first:
        s.key1 = h
        aim(table, &s.key1)
        add_points(s, other if s.attacks else mover, other_alone if s.attacks else mover_alone, needed, content, column)
    aim(table, &s.key)


cdef inline void add_points(State* s, uint64_t defender, uint64_t alone, int needed, uint8_t* content,
                            int column) noexcept nogil:
    # What the defender's points add to the key: nothing when each of his cards would be enough by itself, since
    # then the question is the one of needed = 1.
    cdef uint64_t cheap = defender & BELOW[needed]
    cdef int alone_points = points_of(alone), rank
    cdef Hash* word
    if alone_points > needed:
        alone_points = needed
    if not cheap and (alone_points == 0 or alone_points == needed):
        return
    add(&s.key, &NEEDED[needed])
    add(&s.key, &ISOLATED_POINTS[alone_points])
    if s.attacks:
        add(&s.key, &ATTACKER)
    while cheap:
        rank = ctz(cheap) >> 2
        cheap &= ~(<uint64_t>15 << (4 * rank))
        word = &CHEAP_COLUMN[256 * rank + content[rank]]
        add(&s.key, word)
        if rank == column:                  # a column to match is another column
            add(&s.key, word)
            add(&s.key, word)


# --- the table ---------------------------------------------------------------------------------------------------

cdef extern from *:
    const uint64_t CHECK_BITS "0xffffffffffffff00ULL"


cdef inline void set_size(Table* table, int most_bits) noexcept nogil:
    # Begin with an empty table that may grow to 2**most_bits slots.
    table.most_bits = most_bits
    table.bits = max(most_bits - GROWTH, min(most_bits, 10))
    table.first_bits = table.bits
    table.stores = 0
    table.grow_at = <uint64_t>1 << (table.bits - 1)


cdef inline uint64_t slot_index(Table* table, const Hash* key) noexcept nogil:
    return key.index >> (64 - table.bits)


cdef inline void aim(Table* table, Hash* key) noexcept nogil:
    # Of the index sum only the bits of the first size are used; below them come the bits of the check, from the top.
    key.index = (key.index & ~(<uint64_t>0xFFFFFFFFFFFFFFFF >> table.first_bits)) | key.check >> table.first_bits


cdef inline uint64_t* slot_of(Table* table, const Hash* key) noexcept nogil:
    return &table.slots[slot_index(table, key)]


cdef inline int lookup(Table* table, const Hash* key, State* s, int needed) noexcept nogil:
    # What is known of the mover's test: UNKNOWN, LOSES or WINS.
    cdef uint64_t slot = slot_of(table, key)[0]
    if (slot ^ key.check) & CHECK_BITS:
        return UNKNOWN
    if FULL_KEYS and slot and not same_canonical(table, key, s, needed):
        return UNKNOWN
    return slot >> (2 * s.isolated) & 3


cdef inline void store(Table* table, State* s, int needed, int result) noexcept nogil:
    cdef uint64_t* slot = slot_of(table, &s.key)
    if (slot[0] ^ s.key.check) & CHECK_BITS:
        slot[0] = s.key.check & CHECK_BITS
        table.stores += 1
        if FULL_KEYS:
            write_canonical(&table.canonical[CANONICAL * slot_index(table, &s.key)], s, needed)
    elif FULL_KEYS and not same_canonical(table, &s.key, s, needed):
        return
    slot[0] |= IMPLIED[result][s.isolated]
    if table.stores >= table.grow_at:
        grow(table)


cdef void grow(Table* table) noexcept nogil:
    # Quadruple the slots in use, in place.  A small table stays in the processor's caches, which is worth more than the
    # few entries it loses, so tables start small.  Slot i goes to 4 * i + the next two bits of its check: from the top
    # down, nothing is overwritten before it has moved.  (The pages above were reserved zeroed and never touched.)
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


# --- debug builds: whole states beside the hashes ------------------------------------------------------------------

cdef void write_canonical(uint16_t* items, State* s, int needed) noexcept nogil:
    # The state as the numbered list at the top describes it, written independently of the hash and unhashed: a
    # sorted list of 16-bit items, then what belongs to no column.
    cdef int mover_suits = suits_of(s.mover), other_suits = suits_of(s.other)
    cdef uint64_t mover_alone = s.mover & ~fits(s.other), other_alone = s.other & ~fits(s.mover)
    cdef uint64_t mover = s.mover ^ mover_alone, other = s.other ^ other_alone
    cdef uint64_t defender = other if s.attacks else mover
    cdef int row = -1, matched = -1, rank, mine, theirs, i, j, count = 0, paid = 0, cheap, bits
    cdef int alone_points = points_of(other_alone if s.attacks else mover_alone)
    cdef uint16_t item
    if alone_points > needed:
        alone_points = needed
    if needed > 1 and (defender & BELOW[needed] or 0 < alone_points < needed):
        paid = 1 + needed
    if s.last >= 0 and mover >> (s.last & 3) & ROW:
        row = s.last & 3
    if s.last >= 0 and mover >> (s.last & ~3) & 15:
        matched = s.last >> 2
    mover = push_down(mover, mover_suits & ~other_suits & (15 if row < 0 else ~(1 << row)))
    other = push_down(other, other_suits & ~mover_suits)
    for rank in range(13):
        mine = mover >> (4 * rank) & 15
        theirs = other >> (4 * rank) & 15
        cheap = rank + 1 if paid and rank + 1 < needed and (theirs if s.attacks else mine) else 0
        if (mine and theirs) or cheap or rank == matched:
            items[count] = mine | theirs << 4 | cheap << 8 | (rank == matched) << 12
            count += 1
        else:
            bits = mine | theirs << 4
            for i in range(8):
                if bits >> i & 1:
                    items[count] = 1 << i | 1 << 13
                    count += 1
    for i in range(1, count):
        item = items[i]
        j = i
        while j > 0 and items[j - 1] > item:
            items[j] = items[j - 1]
            j -= 1
        items[j] = item
    for i in range(count, CANONICAL):
        items[i] = 0
    items[CANONICAL - 1] = row + 2 if s.last >= 0 else 1
    items[CANONICAL - 2] = paid
    if paid:
        items[CANONICAL - 3] = alone_points
        items[CANONICAL - 4] = s.attacks


cdef bint same_canonical(Table* table, const Hash* key, State* s, int needed) noexcept nogil:
    cdef uint16_t items[CANONICAL]
    cdef uint16_t* kept = &table.canonical[CANONICAL * slot_index(table, key)]
    cdef int i
    # The key of needed = 1 stands for a state in which no points matter.
    write_canonical(items, s, 1 if key == &s.key1 else needed)
    for i in range(CANONICAL):
        if items[i] != kept[i]:
            table.collisions += 1
            return False
    return True
