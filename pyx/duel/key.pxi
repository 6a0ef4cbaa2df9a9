# The key of a state: what a test may forget, and the hash of the rest.
#
# Names from elsewhere: State, Hash, WINS ... (duel.state); bit operations (duel.rules, common.bits); spread_index
# (duel.table).  This is a .pxi because the random words are tables of the module.
#
# A test asks: does the attacker win with at least `needed` points left in the defender's hand?  For it many positions
# are one:
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
# equal columns repeat).  The content of a column is a byte:
#
#      7  6  5  4     3  2  1  0
#     | S  H  D  C  | S  H  D  C |
#     |  the other  |   mover    |
#
# Two sums are kept: one gives the slot of the table, the other the check (see table.pxd, which also says why
# 56 - GROWTH = 50 bits check).  Two different states differ in their check sum by sum(c_i * W_i)  with random words W_i
# and |c_i| <= 39, not all zero; as c_i may be divisible by 32, a random pair agrees with probability at most
# 2**-(50 - 5) = 2**-45, and nearly always 2**-50.  A lookup meets one stranger at most: a search of 10**6 lookups
# (n=17) is wrong somewhere with probability below 1e-9, one of 10**9 (a hard n=20) below 1e-6.  Debug builds keep the
# whole canonical state beside every entry and count disagreements (`collisions`); the tests see none over 1,000 deals.

cdef extern from "simd/duel_sum.h" nogil:
    Hash sum_columns "gc_duel_sum"(const Hash* words, const uint8_t* columns) noexcept     # of 13 columns

cdef Hash COLUMN[256]              # by content
cdef Hash COLUMN_TO_MATCH[256]     # the same where the last card has this rank
cdef Hash ROW_TO_MATCH[4]          # the suit of the last card
cdef Hash CHEAP_COLUMN[13 * 256]   # by rank and content, when the defender's cards are worth less than `needed`
cdef Hash NEEDED[512]
cdef Hash ISOLATED_POINTS[512]
cdef Hash FREE                     # the mover may play any card
cdef Hash ATTACKER                 # the mover is the attacker


cdef inline void add(Hash* h, const Hash* word) noexcept nogil:
    h.index += word.index
    h.check += word.check


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
    FREE.index, FREE.check = splitmix64(&state), splitmix64(&state)
    ATTACKER.index, ATTACKER.check = splitmix64(&state), splitmix64(&state)


cdef inline void make_key(TranspositionTable* table, State* s, int needed, uint64_t cheap_cards,
                          bint win_test) noexcept nogil:
    # Write the state's keys and `isolated`.  `cheap_cards`: those worth less than `needed`.  `win_test` is needed == 1,
    # given as a constant so that the compiler writes that simpler case out.
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
    if not win_test:
        s.win_key = h
        spread_index(table, &s.win_key)
        add_points(s, (other if s.attacks else mover) & cheap_cards, other_alone if s.attacks else mover_alone,
                   needed, content, column)
    spread_index(table, &s.key)


cdef inline void add_points(State* s, uint64_t cheap, uint64_t alone, int needed, uint8_t* content,
                            int column) noexcept nogil:
    # What the defender's points add to the key: nothing when each of its cards would be enough by itself, since
    # then the question is that of the win test.  `cheap`: its cards that are not enough; `alone`: its isolated cards;
    # `content` of the columns; `column`: the rank to match, or -1.
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
