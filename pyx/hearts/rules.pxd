# The rules: legal cards, random choices, and the deal.
#
# A card is one bit of a 64-bit word, a hand a set of bits (simd/hearts_cards.h has the diagram and the rule bits).
from libc.stdint cimport int64_t, int8_t, uint32_t, uint64_t, uint8_t

from common.bits cimport ctz, popcount
from common.rng cimport Stream, bounded, stream_next

cdef extern from "simd/hearts_cards.h" nogil:
    const uint64_t LANE "GCH_LANE"
    const uint64_t CLUBS "GCH_CLUBS"
    const uint64_t DIAMONDS "GCH_DIAMONDS"
    const uint64_t SPADES "GCH_SPADES"
    const uint64_t HEARTS "GCH_HEARTS"
    const uint64_t ALL "GCH_ALL"
    const uint64_t C2 "GCH_C2"
    const uint64_t DJ "GCH_DJ"
    const uint64_t SQ "GCH_SQ"
    const uint64_t POINTS "GCH_POINTS"
    const int NO_POINTS_FIRST "GCH_NO_POINTS_FIRST"
    const int ANY_CLUB "GCH_ANY_CLUB"
    const int MUST_BREAK "GCH_MUST_BREAK"
    const int QUEEN_BREAKS "GCH_QUEEN_BREAKS"
    const int HEARTS_FOR_QUEEN "GCH_HEARTS_FOR_QUEEN"
    const int JACK_BONUS "GCH_JACK_BONUS"
    const int AVOID_BONUS "GCH_AVOID_BONUS"
    const int MOON_SHOOTER "GCH_MOON_SHOOTER"
    const int NO_MOON "GCH_NO_MOON"
    ctypedef struct Rules "gch_rules":
        int flags
        uint64_t first_ban
        uint64_t breakers
        uint64_t preset
        uint64_t first_lead
        uint64_t lone_queen
    ctypedef struct Played "gch_played":
        uint64_t dealt[4]
        uint64_t passed[4]
        uint8_t cards[52]
        uint8_t seats[52]
    ctypedef struct Record "gch_record":
        uint64_t* deals
        uint64_t* passes
        uint8_t* cards
        uint8_t* seats
    void append "gch_append"(Record* record, const Played* rows, int64_t count) noexcept
    uint64_t either "gch_if"(uint64_t test, uint64_t yes, uint64_t no) noexcept
    uint64_t nth "gch_nth"(uint64_t m, uint32_t k) noexcept
    uint64_t worth "gch_worth"(uint64_t cards) noexcept
    void score "gch_score"(uint64_t tally, int flags, int8_t* points) noexcept

cdef struct Seen:
    # Public: cards that a seat cannot hold, by its plays.
    uint64_t cannot[4]


cdef inline void rules_from(Rules* r, int flags) noexcept nogil:
    r.flags = flags
    r.first_ban = POINTS if flags & NO_POINTS_FIRST else 0
    r.breakers = HEARTS | SQ if flags & QUEEN_BREAKS else HEARTS
    r.preset = 0 if flags & MUST_BREAK else HEARTS
    r.first_lead = CLUBS if flags & ANY_CLUB else C2
    r.lone_queen = SQ if flags & HEARTS_FOR_QUEEN else 0


cdef inline uint64_t suit_of(uint64_t card) noexcept nogil:
    return LANE << (ctz(card) & 48)


cdef inline bint breaks_hearts(const Rules* r, uint64_t played) noexcept nogil:
    return ((played | r.preset) & r.breakers) != 0


cdef inline uint64_t may_follow(const Rules* r, uint64_t hand, uint64_t suit, int count) noexcept nogil:
    # The legal cards of a hand when a suit was led; count: cards played in the round.
    cdef uint64_t m = hand & suit
    if m:
        return m
    if count < 4:
        m = hand & ~r.first_ban
        if m:
            return m
    return hand


cdef inline uint64_t may_lead(const Rules* r, uint64_t hand, int count, uint64_t played) noexcept nogil:
    # The legal cards of a hand that leads.
    cdef uint64_t m
    if count == 0:
        return hand & r.first_lead
    if breaks_hearts(r, played):
        return hand
    m = hand & ~HEARTS
    return hand if m == r.lone_queen or not m else m


cdef inline uint64_t pick(uint64_t m, uint32_t* half) noexcept nogil:
    return nth(m, bounded(half, <uint32_t>popcount(m)))


cdef inline uint64_t subset(Stream* g, uint64_t m, int size) noexcept nogil:
    # A uniformly random subset of m with `size` cards: a random mask, then random cards in or out until the size fits.
    # Uniform by symmetry; three repairs on average, cheaper than a shuffle.
    cdef uint64_t s = stream_next(g) & m
    return repair(g, s, m, size)


cdef inline uint64_t repair(Stream* g, uint64_t s, uint64_t m, int size) noexcept nogil:
    cdef int held = popcount(s)
    cdef uint32_t half
    while held > size:
        half = <uint32_t>stream_next(g)
        s ^= pick(s, &half)
        held -= 1
    while held < size:
        half = <uint32_t>stream_next(g)
        s ^= pick(m & ~s, &half)
        held += 1
    return s


cdef inline void deal(Stream* g, uint64_t* hand) noexcept nogil:
    # Split 52 into 26 + 26, and each half into 13 + 13; both second splits use one random mask.
    cdef uint64_t a = subset(g, ALL, 26)
    cdef uint64_t b = ALL & ~a
    cdef uint64_t mask = stream_next(g)
    hand[0] = repair(g, mask & a, a, 13)
    hand[1] = a & ~hand[0]
    hand[2] = repair(g, mask & b, b, 13)
    hand[3] = b & ~hand[2]
