# The table: a round in play.  The winning card and similar facts are kept up to date, not recomputed per decision.
#
# Everything plays on it: whole rounds, playouts, and the open-hand search.
from libc.stdint cimport uint64_t

from hearts.rules cimport ALL, C2, HEARTS, HEARTS_FOR_QUEEN, SQ, Rules, Seen, breaks_hearts, may_follow, may_lead
from hearts.rules cimport suit_of, worth

cdef struct Table:
    uint64_t first                 # of the current trick: the card led,
    uint64_t suit                  # ... all cards of its suit,
    uint64_t best                  # ... the card that wins it so far,
    uint64_t cards                 # ... and all its cards; none between tricks
    uint64_t played                # every card played, including the current trick
    uint64_t tally                 # see gch_worth
    uint64_t voids                 # bit `seat` of a suit's lane: the seat has not followed that suit
    int leader                     # of the current trick
    int winner                     # the seat of the best card
    int n                          # cards in the current trick
    int count                      # cards played
    uint64_t hand[4]


cdef inline int mover(const Table* t) noexcept nogil:
    # The seat to move; at the end, the winner of the last trick.
    return (t.leader + t.n) & 3


cdef inline int holder(const uint64_t* hand) noexcept nogil:
    # The seat with the two of clubs, which is bit 0.
    return <int>((hand[1] & C2) + 2 * (hand[2] & C2) + 3 * (hand[3] & C2))


cdef inline void start(Table* t, int leader) noexcept nogil:
    # The hands are dealt.
    t.first = t.best = t.cards = t.played = t.tally = 0
    t.suit = t.voids = 0
    t.n = t.count = 0
    t.leader = t.winner = leader


cdef inline uint64_t legal(const Rules* r, const Table* t, uint64_t hand) noexcept nogil:
    # The legal cards of the seat to move, given its hand.
    return may_follow(r, hand, t.suit, t.count) if t.n else may_lead(r, hand, t.count, t.played)


cdef inline void play(Table* t, uint64_t card) noexcept nogil:
    # Without branches on who wins or follows suit: in playouts they would be mispredicted.
    cdef int who = mover(t)
    cdef uint64_t follows, wins
    t.hand[who] &= ~card
    t.played |= card
    t.count += 1
    if t.n == 0:
        t.first = t.best = t.cards = card
        t.suit = suit_of(card)
        t.winner = who
        t.n = 1
        return
    t.cards |= card
    follows = card & t.suit
    wins = 0 - <uint64_t>(follows > t.best)
    t.best ^= (t.best ^ card) & wins
    t.winner ^= (t.winner ^ who) & <int>wins
    t.voids |= t.suit & (0 - <uint64_t>(follows == 0)) & (<uint64_t>0x0001000100010001 << who)
    t.n += 1
    if t.n == 4:
        t.leader = t.winner
        t.n = 0
        t.tally += worth(t.cards) << (8 * t.leader)
        t.cards = 0


cdef inline void observe(Seen* seen, const Rules* r, const Table* t, uint64_t card) noexcept nogil:
    # Record what the next card shows about the rest of its hand.
    cdef int who = mover(t)
    if t.n:
        if not card & t.suit:
            seen.cannot[who] |= t.suit
            if t.count < 4 and card & r.first_ban:
                seen.cannot[who] |= ALL & ~r.first_ban
    elif card & HEARTS and t.count and not breaks_hearts(r, t.played):
        # Unbroken hearts were led: nothing else was held but, with that rule, the queen of spades.
        seen.cannot[who] |= ALL & ~(HEARTS | SQ) if r.flags & HEARTS_FOR_QUEEN else ALL & ~HEARTS
