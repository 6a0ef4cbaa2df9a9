# A learnt estimate of who stands better, for the order of moves.
#
# An estimate is a sum of weights: one for every column with its neighbours, by all that stands there, and one for the
# numbers of pawns with the parity of the steps that are left (who will run out of moves first hangs on it).  After a
# node has been searched its weights are moved towards what came out, as in logistic regression (Samuel 1959; Buro
# 1998).  Weights are integers, so that every machine makes the same search.
from libc.stdint cimport int16_t, uint32_t, uint64_t

from common.bits cimport popcount
from common.words cimport load_weight, store_weight
from hexapawn.board cimport MAX_COLUMNS, Geometry, stride_of

cdef enum:
    ESTIMATED_SQUARES = 35         # smaller boards are solved before it pays
    ESTIMATED_ROWS = 4             # on lower ones games are too short to learn from
    ESTIMATED_COLUMNS = 6          # on narrower ones the histories, of three columns, see as much
    ONE = 2048                     # a weight of 1 in the exponent of the odds
    MOST = 30000                   # weights stay between -MOST and MOST
    LARGE = 1 << 19                # of a sum of weights: ONE times it fits an int
    LEFT_EDGE = 0x5851             # in place of the column beyond an edge
    RIGHT_EDGE = 0x2F2B

cdef struct Estimates:
    int16_t* weights               # NULL where nothing is estimated
    int shift                      # 64 - log2(entries of weights)
    int rate                       # 128ths of the error by which a weight moves
    bint taught                    # whether a weight may be other than 0
    uint64_t odd_up                # squares from which a pawn that moves up has an odd number of steps to walk
    uint64_t odd_down

cdef struct Columns:
    # A position column by column; [0] and [columns + 1] are the edges.
    uint64_t code[MAX_COLUMNS + 2]
    int weight[MAX_COLUMNS + 2]


cdef inline void estimates_init(Estimates* s, const Geometry* g) noexcept nogil:
    cdef int row
    s.odd_up = s.odd_down = 0
    for row in range(g.rows):
        if (g.rows - 1 - row) & 1:
            s.odd_up |= g.home << (row * stride_of(g))
        if row & 1:
            s.odd_down |= g.home << (row * stride_of(g))


cdef inline uint64_t column_code(const Geometry* g, uint64_t own, uint64_t opp, int col) noexcept nogil:
    return (((own >> col) & g.column[0]) * <uint64_t>0x9E3779B97F4A7C15
            + ((opp >> col) & g.column[0]) * <uint64_t>0xC2B2AE3D27D4EB4F)


cdef inline uint32_t place_of(const Estimates* s, uint64_t left, uint64_t middle, uint64_t right) noexcept nogil:
    # Where the weight of a column with its neighbours is.
    cdef uint64_t x = (middle + ((left << 21) | (left >> 43))) ^ ((right << 42) | (right >> 22))
    x ^= x >> 31
    return <uint32_t>((x * <uint64_t>0xBF58476D1CE4E5B9) >> s.shift)


cdef inline uint32_t balance_place(const Estimates* s, uint64_t own, uint64_t opp) noexcept nogil:
    # Where the weight of the numbers of pawns is.
    cdef uint64_t x = 128 * popcount(own) + 2 * popcount(opp)
    x += (popcount(own & s.odd_up) + popcount(opp & s.odd_down)) & 1
    return <uint32_t>(((x + 1) * <uint64_t>0xD6E8FEB86659FD93) >> s.shift)


cdef inline void read_columns(const Geometry* g, Columns* c, uint64_t own, uint64_t opp) noexcept nogil:
    cdef int col
    for col in range(g.columns):
        c.code[col + 1] = column_code(g, own, opp, col)
    c.code[0] = LEFT_EDGE
    c.code[g.columns + 1] = RIGHT_EDGE


cdef inline void weigh_columns(const Estimates* s, const Geometry* g, Columns* c) noexcept nogil:
    cdef int i
    for i in range(1, g.columns + 1):
        c.weight[i] = load_weight(s.weights + place_of(s, c.code[i - 1], c.code[i], c.code[i + 1]))


cdef inline int estimate_child(const Estimates* s, const Geometry* g, Columns* before, uint64_t own, uint64_t opp,
                               int source, int target) noexcept nogil:
    # How good a position is for its mover, after a move from column `source` to column `target`, against the position
    # before the move (`before`, seen from the same side) but for its numbers: that is the same for all moves.
    cdef int i, sum = load_weight(s.weights + balance_place(s, own, opp))
    cdef uint64_t source_code = before.code[source + 1], target_code = before.code[target + 1]
    before.code[target + 1] = column_code(g, own, opp, target)
    if source != target:
        before.code[source + 1] = column_code(g, own, opp, source)
    for i in range(max(min(source, target), 1), min(max(source, target) + 2, g.columns) + 1):
        sum += load_weight(s.weights + place_of(s, before.code[i - 1], before.code[i], before.code[i + 1]))
        sum -= before.weight[i]
    before.code[target + 1] = target_code
    before.code[source + 1] = source_code
    return sum


cdef inline void teach(Estimates* s, const Geometry* g, uint64_t own, uint64_t opp, bint good) noexcept nogil:
    # The search of this position has reached its beta, or has not.
    cdef Columns c
    cdef uint32_t place[MAX_COLUMNS + 1]
    cdef int i, error, weight, sum = 0
    s.taught = True
    read_columns(g, &c, own, opp)
    for i in range(g.columns):
        place[i] = place_of(s, c.code[i], c.code[i + 1], c.code[i + 2])
    place[g.columns] = balance_place(s, own, opp)
    for i in range(g.columns + 1):
        sum += load_weight(s.weights + place[i])
    # The difference between the outcome, 0 or 1, and what was expected; the logistic function is 1/2 + x / (4 + 2 |x|).
    error = ONE // 2 if good else -(ONE // 2)
    sum = max(-LARGE, min(LARGE, sum))
    error -= ONE * sum // (4 * ONE + 2 * (sum if sum > 0 else -sum))
    error = (s.rate * error + 64) >> 7
    for i in range(g.columns + 1):
        weight = load_weight(s.weights + place[i]) + error
        store_weight(s.weights + place[i], max(-MOST, min(MOST, weight)))
