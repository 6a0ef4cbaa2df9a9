# The rules as bit operations.  A hand is a 52-bit word, one nibble (column) a rank, one bit of it a suit:
#
#        rank   K    Q         2    A
#        bits  51-48 47-44 ... 7-4  3-0        within a nibble: S H D C from high to low
#
# so a suit is every fourth bit (a row), and sharing suit or number with a card is one AND.

cdef extern from *:
    """
    #define DUEL_ROW 0x1111111111111ULL     /* the clubs; a suit s is DUEL_ROW << s */
    """
    const uint64_t ROW "DUEL_ROW"

cdef uint64_t NEIGHBOURS[52]        # the cards that share suit or number with a card (itself too)
cdef uint64_t SUITS_FILLED[16]      # all cards of a set of suits
cdef uint64_t POINT_BITS[4]         # the cards whose points have bit 0, 1, 2, 3 set
cdef uint64_t BELOW[512]            # the cards of fewer points than the index


cdef inline uint64_t fill_columns(uint64_t hand) noexcept nogil:
    # Every card whose rank is in the hand.
    hand |= hand >> 1
    hand |= hand >> 2
    return (hand & ROW) * 15


cdef inline int suits_of(uint64_t hand) noexcept nogil:
    # The set of suits in the hand, as a nibble.
    hand |= hand >> 32
    hand |= hand >> 16
    hand |= hand >> 8
    return (hand | hand >> 4) & 15


cdef inline uint64_t fits(uint64_t hand) noexcept nogil:
    # Every card that shares suit or number with some card of the hand.
    return SUITS_FILLED[suits_of(hand)] | fill_columns(hand)


cdef inline int points_of(uint64_t hand) noexcept nogil:
    return (popcount(hand & POINT_BITS[0]) + 2 * popcount(hand & POINT_BITS[1])
            + 4 * popcount(hand & POINT_BITS[2]) + 8 * popcount(hand & POINT_BITS[3]))


cdef inline int card_points(int card) noexcept nogil:
    return (card >> 2) + 1


cdef inline bint at_most_one(uint64_t hand) noexcept nogil:
    return (hand & (hand - 1)) == 0


cdef inline uint64_t without_twins(uint64_t legal, uint64_t other) noexcept nogil:
    # Drop moves that another legal move does at least as well.  Two cards of one suit whose numbers the other
    # hand lacks are answered by the same cards: keep the dearest (it matters only to a loser, who sheds
    # points).  Likewise two cards of one number whose suits the other hand lacks; these cost the same.
    cdef uint64_t lonely = legal & ~fill_columns(other), same, column
    cdef int suit
    for suit in range(4):
        same = lonely & (ROW << suit)
        if not at_most_one(same):
            legal &= ~(same ^ (<uint64_t>1 << msb(same)))
    lonely = legal & ~SUITS_FILLED[suits_of(other)]
    while lonely:
        column = <uint64_t>15 << (ctz(lonely) & ~3)
        same = lonely & column
        lonely &= ~column
        legal &= ~(same & (same - 1))
    return legal


cdef void fill_rule_tables() noexcept:
    cdef int card, bit, suits, limit
    for suits in range(16):
        SUITS_FILLED[suits] = ROW * <uint64_t>suits
    for bit in range(4):
        POINT_BITS[bit] = 0
    for card in range(52):
        NEIGHBOURS[card] = (ROW << (card & 3)) | (<uint64_t>15 << (card & ~3))
        for bit in range(4):
            if card_points(card) >> bit & 1:
                POINT_BITS[bit] |= <uint64_t>1 << card
    for limit in range(512):
        BELOW[limit] = 0
        for card in range(52):
            if card_points(card) < limit:
                BELOW[limit] |= <uint64_t>1 << card
