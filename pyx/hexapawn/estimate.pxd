# A learnt evaluation for move ordering.
#
# An estimate is a sum of weights: one for each column and its neighbours, by their pawns, and one for the numbers of
# pawns and the parity of the steps left, which decides who runs out of moves first.  After a node's search its weights
# move towards the outcome, as in logistic regression (Samuel 1959; Buro 1998).  Weights are integers, so that the
# search is the same on every machine.
from libc.stdint cimport int16_t, uint32_t, uint64_t

from common.bits cimport popcount
from common.words cimport load_weight, store_weight
from hexapawn.board cimport MAX_COLUMNS, Geometry, stride_of

cdef enum:
    ESTIMATED_SQUARES = 35         # smaller boards are solved before estimates pay
    ESTIMATED_ROWS = 4             # games on fewer rows are too short to learn from
    ESTIMATED_COLUMNS = 6          # on fewer columns the histories, of three columns, know as much
    ONE = 2048                     # fixed-point 1.0 of a weight (in log odds)
    MOST = 30000                   # weights stay between -MOST and MOST
    LARGE = 1 << 19                # sums are clamped to this: ONE * LARGE fits an int
    LEFT_EDGE = 0x5851             # code of the missing column beyond an edge
    RIGHT_EDGE = 0x2F2B

cdef struct Estimates:
    int16_t* weights               # NULL on boards without estimates
    int shift                      # 64 - log2(entries of weights)
    int rate                       # learning rate in 128ths of the error
    bint is_trained                # False while all weights are 0
    uint64_t odd_up                # squares from which a pawn that moves up has an odd number of steps left
    uint64_t odd_down

cdef struct Columns:
    # Codes and weights of a position's columns; [0] and [columns + 1] are the edges.
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
    # Index of the weight of a column and its neighbours.
    cdef uint64_t x = (middle + ((left << 21) | (left >> 43))) ^ ((right << 42) | (right >> 22))
    x ^= x >> 31
    return <uint32_t>((x * <uint64_t>0xBF58476D1CE4E5B9) >> s.shift)


cdef inline uint32_t balance_place(const Estimates* s, uint64_t own, uint64_t opp) noexcept nogil:
    # Index of the weight of the numbers of pawns.
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
    # The estimate for the mover of a child, after a move from column `source` to column `target`, minus the column
    # weights of the parent (`before`, in the child's view), which are the same for all moves.
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
    # Train on a searched position; `good`: the search failed high.
    cdef Columns c
    cdef uint32_t place[MAX_COLUMNS + 1]
    cdef int i, error, weight, sum = 0
    s.is_trained = True
    read_columns(g, &c, own, opp)
    for i in range(g.columns):
        place[i] = place_of(s, c.code[i], c.code[i + 1], c.code[i + 2])
    place[g.columns] = balance_place(s, own, opp)
    for i in range(g.columns + 1):
        sum += load_weight(s.weights + place[i])
    # The error is the outcome, 0 or 1, minus the prediction 1/2 + x / (4 + 2 |x|), an approximate logistic function.
    error = ONE // 2 if good else -(ONE // 2)
    sum = max(-LARGE, min(LARGE, sum))
    error -= ONE * sum // (4 * ONE + 2 * (sum if sum > 0 else -sum))
    error = (s.rate * error + 64) >> 7
    for i in range(g.columns + 1):
        weight = load_weight(s.weights + place[i]) + error
        store_weight(s.weights + place[i], max(-MOST, min(MOST, weight)))
