# A round in play for policies: the winning card and similar facts are kept up to date, not recomputed per decision.
#
# The rules are those of State (hearts/rules.pxd).  Learned players use it for playouts and whole rounds.
from libc.stdint cimport uint64_t

from common.bits cimport ctz
from hearts.round cimport Round
from hearts.rules cimport POINTS, Rules, may_follow, may_lead, suit_of, worth

cdef enum:
    NOBODY = -1                    # owner: no points taken yet
    SEVERAL = 4                    # owner: several seats have points

cdef struct Table:
    uint64_t hand[4]
    uint64_t first                 # of the current trick: the card led,
    uint64_t best                  # ... the card that wins it so far,
    uint64_t cards                 # ... and all its cards
    uint64_t played                # every card played, including the current trick
    uint64_t tally                 # see gch_worth
    int voids                      # bit 4 * suit + seat: the seat has not followed that suit
    int leader                     # of the current trick
    int winner                     # the seat of the best card
    int n                          # cards in the current trick
    int count                      # cards played
    int owner                      # the only seat with points, NOBODY or SEVERAL
    int owned                      # its points: 0: below 5, 1: below 13, 2: more


cdef inline int mover(const Table* t) noexcept nogil:
    return (t.leader + t.n) & 3


cdef inline void table_start(Table* t, int leader) noexcept nogil:
    # The hands are dealt.
    t.first = t.best = t.cards = t.played = t.tally = 0
    t.voids = t.n = t.count = t.owned = 0
    t.leader = t.winner = leader
    t.owner = NOBODY


cdef inline uint64_t table_legal(const Rules* r, const Table* t, uint64_t hand) noexcept nogil:
    # The legal cards of the seat to move, given its hand.
    return may_follow(r, hand, t.first, t.count) if t.n else may_lead(r, hand, t.count, t.played)


cdef inline void note_points(Table* t) noexcept nogil:
    # Update owner and owned after t.leader has taken points.
    cdef int points = <int>(t.tally >> (8 * t.leader)) & 255
    t.owner = t.leader if t.owner == NOBODY or t.owner == t.leader else SEVERAL
    t.owned = (points > 4) + (points > 12)


cdef inline void table_play(Table* t, uint64_t card) noexcept nogil:
    cdef int who = mover(t)
    t.hand[who] &= ~card
    t.played |= card
    t.count += 1
    if t.n == 0:
        t.first = t.best = t.cards = card
        t.winner = who
        t.n = 1
        return
    t.cards |= card
    if card & suit_of(t.first):
        if card > t.best:
            t.best = card
            t.winner = who
    else:
        t.voids |= 1 << (4 * (ctz(t.first) >> 4) + who)
    t.n += 1
    if t.n == 4:
        t.leader = t.winner
        t.n = 0
        t.tally += worth(t.cards) << (8 * t.leader)
        if t.cards & POINTS:
            note_points(t)


cdef inline void table_of(const Round* round, Table* t) noexcept nogil:
    # Replay the round; the hands are the current ones.
    cdef int i
    for i in range(4):
        t.hand[i] = 0
    table_start(t, round.first_leader)
    for i in range(round.s.count):
        table_play(t, round.order[i])
    for i in range(4):
        t.hand[i] = round.s.hand[i]
