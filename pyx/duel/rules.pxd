# The rules as bit operations.
#
# A hand is a word of 52 bits: a nibble (a column) for each rank, in it a bit for each suit.
#
#      bit    51        48    47        44         7          4     3          0
#           | SK HK DK CK | SQ HQ DQ CQ |   ...   | S2 H2 D2 C2 | SA HA DA CA |
#
# A suit is every fourth bit (a row), a rank's points are its number plus 1, and one AND finds the cards that share suit
# or number with a card.
from libc.stdint cimport uint64_t

from common.bits cimport ctz, msb, popcount

cdef extern from "simd/duel_cards.h" nogil:
    const uint64_t ROW "GC_DUEL_ROW"                       # the clubs; the cards of a suit s are ROW << s
    const uint64_t NEIGHBOURS "gc_duel_neighbours"[52]     # the cards that share suit or number with a card, itself too
    const uint64_t SUITS_FILLED "gc_duel_suits"[16]        # all cards of a set of suits
    const uint64_t POINT_BITS "gc_duel_point_bits"[4]      # the cards whose points have bit 0, 1, 2, 3 set


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


cdef inline uint64_t neighbours_of(uint64_t hand) noexcept nogil:
    # Every card that shares suit or number with some card of the hand.
    return SUITS_FILLED[suits_of(hand)] | fill_columns(hand)


cdef inline int card_points(int card) noexcept nogil:
    return (card >> 2) + 1


cdef inline int points_of(uint64_t hand) noexcept nogil:
    # The sum of the cards' points, one binary digit of the points at each popcount.
    return (popcount(hand & POINT_BITS[0]) + 2 * popcount(hand & POINT_BITS[1])
            + 4 * popcount(hand & POINT_BITS[2]) + 8 * popcount(hand & POINT_BITS[3]))


cdef inline uint64_t cards_below(int points) noexcept nogil:
    # The cards worth less than `points`, which is at least 1.
    return <uint64_t>0xFFFFFFFFFFFFF if points > 13 else (<uint64_t>1 << (4 * (points - 1))) - 1


cdef inline bint at_most_one(uint64_t hand) noexcept nogil:
    return (hand & (hand - 1)) == 0


# --- equivalent cards ----------------------------------------------------------------------------------------------

cdef inline uint64_t without_twins(uint64_t legal, uint64_t other) noexcept nogil:
    # Drop moves that are no better than another legal move.  Cards of one suit whose numbers the other hand lacks have
    # the same replies: keep the one of most points, which a loser prefers to shed.  Likewise cards of one number whose
    # suits the other hand lacks: keep any.
    cdef uint64_t single = legal & ~fill_columns(other), same, column
    cdef int suit
    for suit in range(4):
        same = single & (ROW << suit)
        if not at_most_one(same):
            legal &= ~(same ^ (<uint64_t>1 << msb(same)))
    single = legal & ~SUITS_FILLED[suits_of(other)]
    while single:
        column = <uint64_t>15 << (ctz(single) & ~3)
        same = single & column
        single &= ~column
        legal &= ~(same & (same - 1))
    return legal


cdef inline uint64_t push_down(uint64_t hand, int suits) noexcept nogil:
    # Within each rank, move the cards of `suits`, which are interchangeable, to the lowest of these suits, by a sorting
    # network over all 13 ranks.  With suits C and H:
    #
    #      S H D C          S H D C
    #      0 1 1 0    ->    0 0 1 1
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
