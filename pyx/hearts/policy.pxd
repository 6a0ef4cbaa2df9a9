# Policies: players without search, as functions of a seat's view.  Playouts use them, too.
from libc.stdint cimport uint64_t
from libc.string cimport memset

from common.bits cimport msb
from hearts.rules cimport HEARTS, LANE, POINTS, SPADES, SQ
from hearts.table cimport Table

cdef enum Policy:
    # Numbered as in gamecore.hearts._players.
    RANDOM = 0
    GREEDY = 1
    DUCK = 2
    LINEAR = 7                     # learned weights: hearts/linear.pxd


cdef inline uint64_t highest(uint64_t m) noexcept nogil:
    # The last card in lane order; within one suit, the highest.
    return <uint64_t>1 << msb(m)


cdef inline uint64_t every_suit(uint64_t m) noexcept nogil:
    # Ranks held in any suit, as one lane.
    m |= m >> 32
    return (m | m >> 16) & LANE


cdef inline uint64_t lowest_rank(uint64_t m) noexcept nogil:
    # The card of the lowest rank; among equals the first in the order of lanes, C D S H.
    cdef uint64_t ranks = every_suit(m)
    m &= (ranks & (0 - ranks)) * <uint64_t>0x0001000100010001
    return m & (0 - m)


cdef inline uint64_t highest_rank(uint64_t m) noexcept nogil:
    m &= highest(every_suit(m)) * <uint64_t>0x0001000100010001
    return m & (0 - m)


cdef inline uint64_t greedy_choice(int n, uint64_t first, uint64_t suit, uint64_t m) noexcept nogil:
    # The source's decision tree (docs/pictures/hearts-greedy.svg); n: cards in the trick.  "Below" compares with the
    # card led, not with the winning card.
    cdef uint64_t below
    if n == 0:
        return lowest_rank(m)
    if not m & suit:
        if m & SQ:
            return SQ
        return highest(m & HEARTS) if m & HEARTS else highest_rank(m)
    below = m & (first - 1)
    if below:
        return highest(below)
    return m & (0 - m) if n < 3 else highest(m)


cdef inline uint64_t duck_discard(uint64_t played, uint64_t m) noexcept nogil:
    cdef uint64_t rest
    if m & SQ:
        return SQ
    rest = m & SPADES & ~(SQ - 1)
    if rest and not played & SQ:
        return highest(rest)
    return highest(m & HEARTS) if m & HEARTS else highest_rank(m)


cdef inline uint64_t duck_follow(int n, uint64_t best, uint64_t cards, uint64_t m) noexcept nogil:
    # best: the card that is winning; cards: the trick's.
    cdef uint64_t below = m & (best - 1), rest
    if below & SQ:
        return SQ
    rest = m & ~SQ
    if n == 3 and not cards & POINTS:
        return highest(rest if rest else m)
    if below:
        return highest(below)
    if not rest:
        return m
    return highest(rest) if n == 3 else rest & (0 - rest)


cdef inline uint64_t duck_choice(const Table* t, uint64_t m) noexcept nogil:
    # Duck stays under the winning card, discards high spades while the queen is out, takes harmless tricks as the last
    # player with its highest card, and avoids winning with the queen.
    if t.n == 0:
        return lowest_rank(m)
    return duck_follow(t.n, t.best, t.cards, m) if m & t.suit else duck_discard(t.played, m)


cdef inline uint64_t policy_card(int policy, const Table* t, uint64_t m) noexcept nogil:
    # The card of a policy by rules.  Here alone each has its arm: whatever has none, spec_from refuses.
    if policy == GREEDY:
        return greedy_choice(t.n, t.first, t.suit, m)
    if policy == DUCK:
        return duck_choice(t, m)
    return 0


cdef inline bint has_arm(int policy) noexcept nogil:
    # Whether policy_card has an arm for this number.
    cdef Table t
    memset(&t, 0, sizeof(Table))
    return policy_card(policy, &t, 1) == 1


cdef inline uint64_t danger_pass(uint64_t hand, int count) noexcept nogil:
    # The most dangerous cards: the queen of spades, then the spades above her, then the highest ranks, hearts first.
    cdef uint64_t out = 0, m, card
    cdef int _i
    for _i in range(count):
        m = hand & ~out
        if m & SQ:
            card = SQ
        elif m & SPADES & ~(SQ - 1):
            card = highest(m & SPADES)
        else:
            m &= highest(every_suit(m)) * <uint64_t>0x0001000100010001
            card = highest(m)
        out |= card
    return out
