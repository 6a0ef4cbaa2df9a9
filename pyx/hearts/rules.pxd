# The rules: the state of a round, legal cards, play, public knowledge, and the deal.
#
# A card is one bit of a 64-bit word, a hand a set of bits (simd/hearts_cards.h has the diagram and the rule bits).
from libc.stdint cimport int8_t, uint32_t, uint64_t

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
    uint64_t nth "gch_nth"(uint64_t m, uint32_t k) noexcept
    uint64_t worth "gch_worth"(uint64_t cards) noexcept
    void score "gch_score"(uint64_t tally, int flags, int8_t* points) noexcept

cdef struct Rules:
    int flags
    uint64_t first_ban             # cards forbidden on the first trick, unless nothing else is held
    uint64_t breakers              # cards that break hearts
    uint64_t preset                # hearts if they need no breaking: or-ed to the played cards
    uint64_t first_lead            # legal first leads

cdef struct State:
    uint64_t hand[4]
    uint64_t trick[4]              # the cards of the current trick, in order of play
    uint64_t played                # every card played, including the current trick
    uint64_t tally                 # see gch_worth
    int leader                     # of the current trick
    int n                          # cards in the current trick
    int count                      # cards played

cdef struct Seen:
    # Public: cards that a seat cannot hold, by its plays.
    uint64_t cannot[4]


cdef inline void rules_from(Rules* r, int flags) noexcept nogil:
    r.flags = flags
    r.first_ban = POINTS if flags & NO_POINTS_FIRST else 0
    r.breakers = HEARTS | SQ if flags & QUEEN_BREAKS else HEARTS
    r.preset = 0 if flags & MUST_BREAK else HEARTS
    r.first_lead = CLUBS if flags & ANY_CLUB else C2


cdef inline uint64_t suit_of(uint64_t card) noexcept nogil:
    return LANE << (ctz(card) & 48)


cdef inline int seat_to_move(const State* s) noexcept nogil:
    return (s.leader + s.n) & 3


cdef inline bint breaks_hearts(const Rules* r, uint64_t played) noexcept nogil:
    return ((played | r.preset) & r.breakers) != 0


cdef inline bint hearts_broken(const Rules* r, const State* s) noexcept nogil:
    return breaks_hearts(r, s.played)


cdef inline void start(State* s) noexcept nogil:
    # After the pass: the holder of the two of clubs leads.
    s.played = s.tally = 0
    s.n = s.count = 0
    s.leader = 0 if s.hand[0] & C2 else 1 if s.hand[1] & C2 else 2 if s.hand[2] & C2 else 3


cdef inline uint64_t may_follow(const Rules* r, uint64_t hand, uint64_t first, int count) noexcept nogil:
    # The legal cards of a hand that follows `first`; count: cards played in the round.
    cdef uint64_t m = hand & suit_of(first)
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
    if m == SQ and r.flags & HEARTS_FOR_QUEEN:
        return hand
    return m if m else hand


cdef inline uint64_t legal(const Rules* r, const State* s, uint64_t hand) noexcept nogil:
    # The legal cards of the seat to move, given its hand.
    return may_follow(r, hand, s.trick[0], s.count) if s.n else may_lead(r, hand, s.count, s.played)


cdef inline void play(State* s, uint64_t card) noexcept nogil:
    cdef uint64_t suit, best, cards
    cdef int i, winner
    s.hand[seat_to_move(s)] &= ~card
    s.trick[s.n] = card
    s.n += 1
    s.count += 1
    s.played |= card
    if s.n == 4:
        suit = suit_of(s.trick[0])
        cards = best = s.trick[0]
        winner = 0
        for i in range(1, 4):
            cards |= s.trick[i]
            if s.trick[i] & suit and s.trick[i] > best:
                best = s.trick[i]
                winner = i
        s.leader = (s.leader + winner) & 3
        s.n = 0
        s.tally += worth(cards) << (8 * s.leader)


cdef inline void observe(Seen* seen, const Rules* r, const State* s, uint64_t card) noexcept nogil:
    # Record what the next card shows about the rest of its hand.
    cdef int who = seat_to_move(s)
    cdef uint64_t suit
    if s.n:
        suit = suit_of(s.trick[0])
        if not card & suit:
            seen.cannot[who] |= suit
            if s.count < 4 and card & r.first_ban:
                seen.cannot[who] |= ALL & ~r.first_ban
    elif card & HEARTS and s.count and not hearts_broken(r, s):
        # Unbroken hearts were led: nothing else was held but, with that rule, the queen of spades.
        seen.cannot[who] |= ALL & ~(HEARTS | SQ) if r.flags & HEARTS_FOR_QUEEN else ALL & ~HEARTS


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
