# The key of a state: reductions that keep the test's answer, then a hash.
#
# This is a .pxi because its tables are filled at import.
#
# A test asks: does the attacker win with at least `needed` points left in the defender's hand?  Many positions have the
# same answer:
#
#  1. The attacker's points do not matter, the defender's only as min(points, needed).  So ranks of equal capped points
#     are interchangeable, and a state is a multiset of columns (who holds which suits of a rank).
#  2. The last card matters only by the cards that may follow it: a row and a column of the mover's hand.
#  3. Isolated cards share no suit or number with the other hand.  A free owner plays them at no cost, since the other
#     side must pass.  A free mover's are dropped at once.  Otherwise only their existence on each side matters, and for
#     the defender their capped points.
#  4. In a rank that only one side holds, each card counts by its suit alone.
#  5. Suits that the other hand lacks are interchangeable within a rank: such cards are moved to the lowest of them.
#  6. At needed = 1 no points matter, so that the test is the same for attacker and defender: does the mover win?
#  7. The names of the suits do not matter (see suits.pxi).  Above ORDER_CARDS cards suits are not renamed: such states
#     are few and rarely occur again with other names.
#  8. Points below `needed` matter only by the sums that reach it (see points.pxi).
#
# The hash is a sum of random words, one for each column by its content (Zobrist hashing with + instead of xor, since
# equal columns may occur several times).  The content of a column is a byte:
#
#      7  6  5  4     3  2  1  0
#     | S  H  D  C  | S  H  D  C |
#     |  the other  |   mover    |
#
# There are two sums, the index in the table and the check, of which 56 - GROWTH = 50 bits count (see table.pxd), from
# bit 8 on.  Check sums of two different states differ by sum(c_i * W_i) with random words W_i and |c_i| <= 39, not all
# zero.  Factors divisible by 32 leave the lowest five bits of the difference zero, but these do not count: the others
# are random.  So a random pair agrees with probability 2**-50.  A lookup compares at most two other states: a search of
# 10**6 lookups (n=17) has an error with probability below 2e-9, a search of 10**9 (a hard n=20) below 2e-6.  Debug
# builds keep the whole canonical state beside every entry and count `collisions`; the tests find none in 1,000 deals.

cdef extern from "simd/duel_sum.h" nogil:
    # The sum of the words of 13 columns and two more words.
    Hash sum_columns "gc_duel_sum"(const Hash* words, const uint8_t* columns, const Hash*, const Hash*) noexcept

cdef enum:
    ORDER_CARDS = 26                   # most cards of a state whose suits are renamed
    NO_COLUMN = 13                     # no rank to match

cdef Hash COLUMN[256]                  # by content
cdef Hash COLUMN_MATCHED[256]          # added if the last card has this rank; 0 for an empty column
cdef Hash ROW_MATCHED[32]              # by the last card's suit as a bit, 0 for none, or FREE
cdef enum:
    FREE = 16                          # the mover may play any card


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
    for content in range(1, 256):
        COLUMN_MATCHED[content] = random_hash(&state)
        if content & 15 and content >> 4:
            COLUMN[content] = random_hash(&state)
        else:                                           # held by one side: card by card
            for i in range(8):
                if content >> i & 1:
                    add(&COLUMN[content], &one_card[i])
    for i in range(4):
        ROW_MATCHED[1 << i] = random_hash(&state)
    ROW_MATCHED[FREE] = random_hash(&state)
    fill_points_tables(&state)
    fill_signatures(&state)
    fill_renamings()


cdef inline void make_key(TranspositionTable* table, State* s, int needed, uint64_t cheap_cards,
                          bint win_test) noexcept nogil:
    # Set the state's keys and `isolated`.  `cheap_cards`: the cards worth less than `needed`.  `win_test`: needed == 1,
    # as a constant, so that the compiler specialises that case.
    cdef int mover_suits = s.mover_suits, other_suits = s.other_suits
    cdef uint64_t mover = s.mover & s.other_reach, other = s.other & s.mover_reach
    cdef uint64_t mover_alone = s.mover ^ mover, other_alone = s.other ^ other
    # The suit to match as a bit, and the rank.  No isolated card fits the last one (see follow_forced).
    cdef int row = mover_suits & 1 << (s.last & 3) if s.last >= 0 else FREE
    cdef int column = s.last >> 2 & 15
    cdef uint64_t signatures
    cdef uint8_t content[16]
    cdef Nibbles mover_nibbles, other_nibbles
    cdef Renaming* order
    if not s.mover >> (4 * column) & 15:
        column = NO_COLUMN
    mover_nibbles = rename(spread(mover), &PUSHED_DOWN[mover_suits & ~(other_suits | row)])
    other_nibbles = rename(spread(other), &PUSHED_DOWN[other_suits & ~mover_suits])
    join(mover_nibbles, other_nibbles, content)
    if popcount(s.mover | s.other) <= ORDER_CARDS:
        signatures = sum_signatures(SIGNATURE, content) + SIGNATURE_ROW[row] + SIGNATURE_MATCHED[content[column]]
        order = &IN_ORDER[comparisons(signatures)]
        join(rename(mover_nibbles, order), rename(other_nibbles, order), content)
        row = order.to[row]
    s.isolated = (mover_alone != 0) | (other_alone != 0) << 1
    s.key = sum_columns(COLUMN, content, &ROW_MATCHED[row], &COLUMN_MATCHED[content[column]])
    if not win_test:
        s.win_key = s.key
        spread_index(table, &s.win_key)
        add_points(s, (other if s.attacks else mover) & cheap_cards, other_alone if s.attacks else mover_alone,
                   needed, content, column)
    spread_index(table, &s.key)
