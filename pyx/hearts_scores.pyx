"""The chance to win a match of Hearts from every score, if all rounds come from one sample.

Trusts its caller: gamecore.hearts._match_values says what the table holds.
"""
from libc.stdint cimport int16_t, int64_t

cdef enum:
    MOST_NODES = 64
    MOST_SPAN = 128                # different points of a seat in a round

cdef struct Move:
    # Where a seat's score lies after a round: between nodes at and at + 1.
    int at
    int score
    float share                    # of the upper node


cdef void moves_from(Move* out, int64_t score, int least, int most_points, const int64_t* nodes, int k) noexcept nogil:
    cdef int p, at
    cdef int64_t x, y
    for p in range(least, most_points + 1):
        x = score + p
        y = nodes[0] if x < nodes[0] else nodes[k - 1] if x > nodes[k - 1] else x
        at = 0
        while at < k - 2 and nodes[at + 1] <= y:
            at += 1
        out[p - least].at = at
        out[p - least].score = <int>x
        out[p - least].share = <float>(y - nodes[at]) / <float>(nodes[at + 1] - nodes[at])


cdef inline float between(float low, float high, float share) noexcept nogil:
    return low + share * (high - low)


cdef inline float looked_up(const float* table, int k, const Move* a, const Move* b, const Move* c,
                            const Move* d) noexcept nogil:
    # Linear in each of the four scores.
    cdef const float* cell
    cdef float found[8]
    cdef int i
    for i in range(8):
        cell = table + (((a.at + (i >> 2)) * k + b.at + (i >> 1 & 1)) * k + c.at + (i & 1)) * k + d.at
        found[i] = between(cell[0], cell[1], d.share)
    for i in range(4):
        found[i] = between(found[2 * i], found[2 * i + 1], c.share)
    return between(between(found[0], found[1], b.share), between(found[2], found[3], b.share), a.share)


cdef inline float share_of_win(int a, int b, int c, int d) noexcept nogil:
    cdef int level = 1 + (a == b) + (a == c) + (a == d)
    return <float>1.0 / level if a <= b and a <= c and a <= d else <float>0.0


def improve(const int16_t[:, ::1] states, const int64_t[::1] nodes, const int16_t[:, ::1] points,
            const float[::1] weights, int least, int most_points, int match_points, float[:, :, :, ::1] table) -> float:
    """Set the chance of each state to the mean of those after a round, state after state; the largest change.

    states: (n, 4), nodes of the scores, the last three rising; all orders of these are set.
    points: (rounds, 4) from least to most_points, weights: (rounds,), which add up to 1.
    """
    cdef Move moves[4][MOST_SPAN]
    cdef const Move* after[4]
    cdef int64_t row, r, rows = states.shape[0], rounds = points.shape[0]
    cdef int k = <int>nodes.shape[0], j, a, b, c, d
    cdef double total
    cdef float value, change = 0.0
    cdef bint over
    if k > MOST_NODES or most_points - least >= MOST_SPAN or not rounds:
        raise ValueError("too many nodes or points, or no rounds")
    with nogil:
        for row in range(rows):
            for j in range(4):
                moves_from(moves[j], nodes[states[row, j]], least, most_points, &nodes[0], k)
            total = 0.0
            for r in range(rounds):
                over = False
                for j in range(4):
                    after[j] = &moves[j][points[r, j] - least]
                    over = over or after[j].score >= match_points
                if over:
                    value = share_of_win(after[0].score, after[1].score, after[2].score, after[3].score)
                else:
                    value = looked_up(&table[0, 0, 0, 0], k, after[0], after[1], after[2], after[3])
                total += weights[r] * value
            a, b, c, d = states[row, 0], states[row, 1], states[row, 2], states[row, 3]
            value = <float>total
            if value - table[a, b, c, d] > change:
                change = value - table[a, b, c, d]
            elif table[a, b, c, d] - value > change:
                change = table[a, b, c, d] - value
            table[a, b, c, d] = table[a, b, d, c] = table[a, c, b, d] = value
            table[a, c, d, b] = table[a, d, b, c] = table[a, d, c, b] = value
    return change
