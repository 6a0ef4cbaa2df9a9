# The learned policy: the rows of weights for a situation, and their sums (by simd/hearts_linear.h in vectors).
#
# A card's score is the sum of one weight from each of 9 to 17 rows; the card with the highest score is played.  In
# playouts Gumbel noise is added: cards are drawn by the softmax of their scores.  Rows depend only on the seat's view:
# its hand, the trick, shown voids, and who has points.
from libc.math cimport log
from libc.stdint cimport int8_t, int16_t, int32_t, uint32_t, uint64_t

from common.bits cimport ctz
from common.rng cimport Stream, bounded, stream_key, stream_next, stream_start
from hearts.rules cimport ALL, LANE, POINTS, SQ
from hearts.table cimport Table

cdef extern from "simd/hearts_linear.h" nogil:
    ctypedef struct Context "gch_context":
        uint64_t unseen
        int32_t led
        int32_t rows
        int32_t row[16]
        int32_t below
        int32_t above
    void linear_start "gch_linear_start"() noexcept
    int count_of "gch_count"(uint64_t lane) noexcept
    const int LINEAR_VECTORS "GCH_LINEAR_VECTORS"
    void scores_by_vectors "gch_scores"(const int8_t* w, const Context* c, uint64_t legal, int16_t* out) noexcept
    uint64_t best_by_vectors "gch_best"(const int8_t* w, const Context* c, uint64_t legal, const int8_t* noise) noexcept

cdef enum:
    # Offsets of the rows.  Following suit: rows of 16, one weight per rank of the suit led; `n`: cards in the trick.
    FOLLOW = 0
    F_WINNING = FOLLOW             # suit led, n, winning rank, points in the trick (4 classes)
    F_QUEEN = F_WINNING + 16 * 624           # suit led, n, place and guards of the queen (27 classes)
    F_MOON = F_QUEEN + 16 * 324              # suit led, n, who can shoot the moon (12 classes)
    F_LENGTH = F_MOON + 16 * 144             # suit led, own cards of it, n
    F_TRICK = F_LENGTH + 16 * 168            # suit led, number of the trick
    F_VOIDS = F_TRICK + 16 * 52              # suit led, n, later seats that lack it
    F_UNSEEN = F_VOIDS + 16 * 36             # suit led, unseen cards of it
    F_BELOW = F_UNSEEN + 16 * 56             # suit led, n, points or none: by unseen cards below
    F_ABOVE = F_BELOW + 16 * 24              # ... and later seats that lack it: by unseen cards above
    # Leading and discarding: rows of 64, one weight per card; "each suit": one row for every suit.
    LEAD = F_ABOVE + 16 * 72
    L_QUEEN = LEAD                           # 27 classes
    L_TRICK = L_QUEEN + 64 * 27
    L_MOON = L_TRICK + 64 * 13               # 12 classes
    L_LENGTH = L_MOON + 64 * 12              # each suit: own cards
    L_UNSEEN = L_LENGTH + 64 * 56            # each suit: unseen cards
    L_VOIDS = L_UNSEEN + 64 * 56             # each suit: other seats that lack it
    L_BELOW = L_VOIDS + 64 * 16              # queen (3), stage of the round (3): by unseen cards below
    L_ABOVE = L_BELOW + 64 * 9
    DISCARD = L_ABOVE + 64 * 9
    D_QUEEN = DISCARD                        # 27 classes
    D_MOON = D_QUEEN + 64 * 27               # 12 classes, n
    D_TRICK = D_MOON + 64 * 36
    D_POINTS = D_TRICK + 64 * 13             # suit led, points in the trick
    D_LENGTH = D_POINTS + 64 * 16            # each suit but the one led
    D_UNSEEN = D_LENGTH + 64 * 56
    D_VOIDS = D_UNSEEN + 64 * 56
    D_BELOW = D_VOIDS + 64 * 16
    D_ABOVE = D_BELOW + 64 * 9
    WEIGHTS = D_ABOVE + 64 * 9               # of one model: 51,904
    SCALE = 16                               # a weight of 1 is stored as 16
    NOISES = 8192

cdef extern from *:
    """
    static int8_t gch_noise[8192 + 64], gch_silence[64];
    """
    int8_t* noises "gch_noise"               # Gumbel noise in 1/SCALE: any 64 neighbours are noise for a deck
    int8_t* silence "gch_silence"


cdef inline void noise_start() noexcept nogil:
    # The quantiles of the Gumbel distribution in random order; the first ones are repeated at the end.
    cdef Stream g
    cdef uint32_t half
    cdef int i, j
    cdef double x
    cdef int8_t kept
    stream_start(&g, stream_key(99), 0)
    for i in range(NOISES):
        x = -log(-log((i + 0.5) / NOISES)) * SCALE
        noises[i] = <int8_t>(127 if x > 127 else <int>(x + 128.5) - 128)
    for i in range(NOISES - 1, 0, -1):
        half = <uint32_t>stream_next(&g)
        j = <int>bounded(&half, <uint32_t>(i + 1))
        kept = noises[i]
        noises[i] = noises[j]
        noises[j] = kept
    for i in range(64):
        noises[NOISES + i] = noises[i]
        silence[i] = 0


cdef inline const int8_t* next_noise(Stream* g) noexcept nogil:
    return noises + (stream_next(g) & (NOISES - 1))


cdef inline int others_void(const Table* t, int me, int suit) noexcept nogil:
    return count_of(t.voids >> (16 * suit) & 15 & ~(<uint64_t>1 << me))


cdef inline int moon_class(const Table* t, int me) noexcept nogil:
    # 0: nobody has points; 1 to 3: I alone, below 5, below 13, more; 4 to 6: one other; 8 to 10: one other who is
    # winning this trick; 7: several.  Without branches, which would be mispredicted.
    cdef uint64_t points = t.tally & <uint64_t>0xFFFFFFFF
    cdef int shift = ctz(points | <uint64_t>1 << 31) & 24          # of the first seat with points
    cdef int owned = <int>(points >> shift) & 255, owner = shift >> 3
    cdef int several = points >> shift > 255
    cdef int one = (points != 0) & (several ^ 1)
    cdef int other = one & (owner != me)
    cdef int wins = other & (t.n != 0) & (t.winner == owner)
    return 7 * several + one * (1 + (owned > 4) + (owned > 12)) + 3 * other + 4 * wins


cdef inline int points_class(const Table* t) noexcept nogil:
    # Points in the current trick: none, a heart, hearts, the queen.
    cdef uint64_t points = t.cards & POINTS
    cdef int found = (points != 0) + (points & (points - 1) != 0)
    return found | 3 * (points & SQ != 0)


cdef inline void context_of(const Table* t, int me, uint64_t hand, uint64_t m, Context* c) noexcept nogil:
    # The rows for the seat `me` with this hand and these legal cards.
    cdef uint64_t unseen = ALL & ~t.played & ~hand
    cdef int queen = 2 - 2 * (t.played & SQ != 0) - (hand & SQ != 0)   # 1: mine, 0: out, 2: unseen
    cdef int spades = count_of(hand >> 32 & LANE)
    cdef int guarded = (queen * 3 + count_of(hand >> 43 & 3)) * 3 + (spades > 2) + (spades > 4)
    cdef int moon = moon_class(t, me)
    cdef int led, n, points, voids, at
    c.unseen = unseen
    if t.n and m & t.suit:
        led = ctz(t.first) >> 4
        n = t.n - 1
        at = led * 3 + n
        points = points_class(t)
        voids = others_void_after(t, me, led)
        c.led = led
        c.rows = 7
        c.row[0] = F_WINNING + 16 * ((at * 13 + (ctz(t.best) & 15)) * 4 + points)
        c.row[1] = F_QUEEN + 16 * (at * 27 + guarded)
        c.row[2] = F_MOON + 16 * (at * 12 + moon)
        c.row[3] = F_LENGTH + 16 * ((led * 14 + count_of(m >> (16 * led) & LANE)) * 3 + n)
        c.row[4] = F_TRICK + 16 * (led * 13 + (t.count >> 2))
        c.row[5] = F_VOIDS + 16 * (at * 3 + voids)
        c.row[6] = F_UNSEEN + 16 * (led * 14 + count_of(unseen >> (16 * led) & LANE))
        at = at * 2 + (points != 0)
        c.below = F_BELOW + 16 * at
        c.above = F_ABOVE + 16 * (at * 3 + voids)
    else:
        free_context(t, me, hand, c, guarded, moon)


cdef inline int others_void_after(const Table* t, int me, int suit) noexcept nogil:
    # Seats that play after me in this trick and lack the suit.
    cdef int seats = <int>(t.voids >> (16 * suit)) & 15
    return count_of(<uint64_t>((seats | seats << 4) >> (me + 1) & ((1 << (3 - t.n)) - 1)))


cdef inline void free_context(const Table* t, int me, uint64_t hand, Context* c, int guarded, int moon) noexcept nogil:
    # The rows of a seat that leads or cannot follow suit.
    cdef uint64_t unseen = c.unseen
    cdef int suit, led = -1, k, trick = t.count >> 2
    cdef int stage = (trick > 3) + (trick > 7)
    cdef int length = L_LENGTH, unseens = L_UNSEEN, voids = L_VOIDS
    stage += 3 * (guarded // 9)
    c.led = -1
    if t.n:
        led = ctz(t.first) >> 4
        c.row[0] = D_QUEEN + 64 * guarded
        c.row[1] = D_MOON + 64 * (moon * 3 + t.n - 1)
        c.row[2] = D_TRICK + 64 * trick
        c.row[3] = D_POINTS + 64 * (led * 4 + points_class(t))
        c.below = D_BELOW + 64 * stage
        c.above = D_ABOVE + 64 * stage
        length, unseens, voids, k = D_LENGTH, D_UNSEEN, D_VOIDS, 4
    else:
        c.row[0] = L_QUEEN + 64 * guarded
        c.row[1] = L_TRICK + 64 * trick
        c.row[2] = L_MOON + 64 * moon
        c.below = L_BELOW + 64 * stage
        c.above = L_ABOVE + 64 * stage
        k = 3
    for suit in range(4):
        if suit != led:
            c.row[k] = length + 64 * (14 * suit + count_of(hand >> (16 * suit) & LANE))
            c.row[k + 1] = unseens + 64 * (14 * suit + count_of(unseen >> (16 * suit) & LANE))
            c.row[k + 2] = voids + 64 * (4 * suit + others_void(t, me, suit))
            k += 3
    c.rows = k


cdef inline int score_of(const int8_t* w, const Context* c, uint64_t card) noexcept nogil:
    cdef int place = ctz(card), suit = place & 48, rank = place & 15
    cdef uint64_t unseen = c.unseen >> suit & LANE
    cdef int below = count_of(unseen & ((<uint64_t>1 << rank) - 1)), above = count_of(unseen) - below
    cdef const int8_t* v = w + rank
    cdef int i, sum
    if c.led >= 0:  # seven rows, always
        return (w[c.below + below] + w[c.above + above] + v[c.row[0]] + v[c.row[1]] + v[c.row[2]] + v[c.row[3]]
                + v[c.row[4]] + v[c.row[5]] + v[c.row[6]])
    sum = w[c.below + suit + below] + w[c.above + suit + above]
    for i in range(c.rows):
        sum += w[c.row[i] + place]
    return sum


cdef inline void scores_of(const int8_t* w, const Context* c, uint64_t m, int16_t* out) noexcept nogil:
    # The scores of the legal cards m at their places; the other places may be written too.
    if LINEAR_VECTORS:
        scores_by_vectors(w, c, m, out)
        return
    while m:
        out[ctz(m)] = <int16_t>score_of(w, c, m & (0 - m))
        m &= m - 1


cdef inline uint64_t best_of(const int8_t* w, const Context* c, uint64_t m, const int8_t* noise) noexcept nogil:
    # The legal card of the highest score plus noise, the first of equals; noise: 64 numbers, by card or by rank.
    cdef uint64_t best = 0
    cdef int most = -100000, place, score
    if LINEAR_VECTORS:
        return best_by_vectors(w, c, m, noise)
    while m:
        place = ctz(m)
        score = score_of(w, c, m & (0 - m)) + noise[place if c.led < 0 else place & 15]
        if score > most:
            most = score
            best = m & (0 - m)
        m &= m - 1
    return best


cdef inline uint64_t linear_card(
    const int8_t* w, const Table* t, int me, uint64_t hand, uint64_t m, const int8_t* noise
) noexcept nogil:
    cdef Context c
    context_of(t, me, hand, m, &c)
    return best_of(w, &c, m, noise)
