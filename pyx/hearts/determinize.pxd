# Determinization: deal the unseen cards uniformly over all hands consistent with a seat's knowledge.
#
# The seat knows its hand, the number of cards of each other seat, its passed cards until they are played, and classes
# of cards that a seat has shown not to hold (Seen).  The number of deals is counted exactly, class by class (clubs,
# diamonds, spades without the queen, the queen, hearts), and classes are split in proportion to these counts.
from libc.stdint cimport uint64_t
from libc.string cimport memset

from common.bits cimport popcount
from hearts.rules cimport ALL, CLUBS, DIAMONDS, HEARTS, SPADES, SQ, Seen, subset
from common.rng cimport Stream, stream_next
from hearts.table cimport Table

cdef enum:
    CLASSES = 5

cdef struct Unseen:
    int seat[3]                    # the other seats
    int need[3]                    # cards to deal to each
    uint64_t known[3]              # cards known to be held by each
    uint64_t group[CLASSES]        # unseen cards by class
    int size[CLASSES]
    bint barred[3][CLASSES]
    bint constrained               # if not, two random subsets suffice
    uint64_t pool
    int left[CLASSES + 1]          # cards in this and later classes
    double ways[CLASSES + 1][14][14]   # deals of this and later classes if seats 0 and 1 need (a, b) cards
    double factorial[14]


cdef inline int cards_left(const Table* t, int seat) noexcept nogil:
    return 13 - (t.count >> 2) - (1 if ((seat - t.leader) & 3) < t.n else 0)


cdef inline void unseen_start(
    Unseen* u, const Table* t, int me, const Seen* seen, const uint64_t* known
) noexcept nogil:
    # Only t.hand[me] is read; known[i]: cards known to be held by seat i.
    cdef int i, k
    cdef uint64_t m
    u.pool = ALL & ~t.played & ~t.hand[me]
    for i in range(3):
        u.seat[i] = (me + 1 + i) & 3
        u.known[i] = known[u.seat[i]] & ~t.played
        u.need[i] = cards_left(t, u.seat[i]) - popcount(u.known[i])
    u.pool &= ~(u.known[0] | u.known[1] | u.known[2])
    u.group[0] = u.pool & CLUBS
    u.group[1] = u.pool & DIAMONDS
    u.group[2] = u.pool & SPADES & ~SQ
    u.group[3] = u.pool & SQ
    u.group[4] = u.pool & HEARTS
    u.constrained = False
    for k in range(CLASSES):
        m = u.group[k]
        u.size[k] = popcount(m)
        for i in range(3):
            u.barred[i][k] = (m & seen.cannot[u.seat[i]]) != 0
            if u.barred[i][k]:
                u.constrained = True
    if u.constrained:
        count_ways(u)


cdef inline double splits(const Unseen* u, int k, int x, int y, int a, int b) noexcept nogil:
    # Deals in which seats 0 and 1 get x and y cards of class k (the third seat the rest), if they need a and b.
    cdef int z = u.size[k] - x - y
    if z > u.left[k] - a - b or (z and u.barred[2][k]):
        return 0.0
    return u.ways[k + 1][a - x][b - y] * u.factorial[u.size[k]] / (u.factorial[x] * u.factorial[y] * u.factorial[z])


cdef inline int most(bint barred, int need, int size) noexcept nogil:
    return 0 if barred else need if need < size else size


cdef inline void count_ways(Unseen* u) noexcept nogil:
    cdef int k, a, b, x, y, c
    cdef double total
    u.factorial[0] = 1.0
    for k in range(1, 14):
        u.factorial[k] = u.factorial[k - 1] * k
    u.left[CLASSES] = 0
    for k in range(CLASSES - 1, -1, -1):
        u.left[k] = u.left[k + 1] + u.size[k]
    memset(u.ways, 0, sizeof(u.ways))
    u.ways[CLASSES][0][0] = 1.0
    for k in range(CLASSES - 1, -1, -1):
        for a in range(u.need[0] + 1):
            for b in range(u.need[1] + 1):
                c = u.left[k] - a - b
                if c < 0 or c > u.need[2]:
                    continue
                total = 0.0
                for x in range(most(u.barred[0][k], a, u.size[k]) + 1):
                    for y in range(most(u.barred[1][k], b, u.size[k] - x) + 1):
                        total += splits(u, k, x, y, a, b)
                u.ways[k][a][b] = total


cdef inline void unseen_deal(const Unseen* u, Stream* g, Table* t) noexcept nogil:
    cdef uint64_t hands[3]
    cdef uint64_t m, part
    cdef int a = u.need[0], b = u.need[1], k, x, y, fx, fy
    cdef double r, w
    cdef bint found
    if not u.constrained:
        hands[0] = subset(g, u.pool, a)
        m = u.pool & ~hands[0]
        hands[1] = subset(g, m, b)
        hands[2] = m & ~hands[1]
    else:
        hands[0] = hands[1] = hands[2] = 0
        for k in range(CLASSES):
            m = u.group[k]
            if not m:
                continue
            r = <double>(stream_next(g) >> 11) * (1.0 / 9007199254740992.0) * u.ways[k][a][b]
            fx = fy = 0
            found = False
            for x in range(most(u.barred[0][k], a, u.size[k]) + 1):
                for y in range(most(u.barred[1][k], b, u.size[k] - x) + 1):
                    w = splits(u, k, x, y, a, b)
                    if w > 0.0:
                        fx = x
                        fy = y
                        r -= w
                        if r < 0.0:
                            found = True
                            break
                if found:
                    break
            part = subset(g, m, fx) if fx else 0
            hands[0] |= part
            m &= ~part
            part = subset(g, m, fy) if fy else 0
            hands[1] |= part
            hands[2] |= m & ~part
            a -= fx
            b -= fy
    for k in range(3):
        t.hand[u.seat[k]] = hands[k] | u.known[k]
