# A line of play of an O(n^2) game in O(n) memory: from the checkpoints of the pass over the triangle, each stretch of
# the line by itself.  It uses cells.pxi.
#
# A line that is cut at a checkpoint of length L goes on from one interval of that length, so that what lies between is
# the triangle of intervals between the whole row and it.  A triangle of at most TRIANGLE double steps is computed with
# every choice kept; a larger one leaves checkpoints of its own.

cdef inline int64_t triangle_of(
    int mode, bint late, const number* x, number* d, int64_t n, int64_t L, uint8_t* moves, uint8_t* choices
) noexcept nogil:
    # The line of play from the whole row down to length L, given the cells d of that length, which are overwritten: at
    # most TRIANGLE double steps.  Returns how many values were taken from the left.  late: on ties my choices go right.
    cdef int64_t levels = (n - L) // 2, width = n - L + 1, q, a, length, count, i = 0
    cdef const number* xl
    cdef const number* xj
    cdef uint8_t* mine
    cdef uint8_t* theirs
    cdef number m0, m1, left, right
    ARMS(3)
    for q in range(levels):
        length = L + 2 * q
        count = n - length - 1
        xl = x + length
        xj = xl + 1
        mine = choices + 2 * q * width
        theirs = mine + width
        for a in range(count + 1):
            if mode == GREEDY:
                theirs[a] = not x[a] > xl[a]
            elif mode == COOPERATIVE:
                theirs[a] = d[a] > d[a + 1]
            else:
                theirs[a] = d[a] < d[a + 1]
        for a in range(count):
            m1 = reply(mode, d[a + 1], d[a + 2], x[a + 1], xj[a])
            m0 = reply(mode, d[a], d[a + 1], x[a], xl[a])
            left = x[a] + m1
            right = xj[a] + m0
            mine[a] = right >= left if late else right > left
            d[a] = left if left > right else right
    for q in range(levels - 1, -1, -1):
        moves[0] = choices[2 * q * width + i]
        i += not moves[0]
        moves[1] = choices[(2 * q + 1) * width + i]
        i += not moves[1]
        moves += 2
    return i


cdef int64_t triangle(
    int mode, bint late, const number* x, number* d, int64_t n, int64_t L, uint8_t* moves, uint8_t* choices
) noexcept nogil:
    # triangle_of for each game.  late: in the greedy game alone (whose row may have been turned round).
    ARMS(3)
    if mode == OPTIMAL:
        return triangle_of(OPTIMAL, False, x, d, n, L, moves, choices)
    if mode == COOPERATIVE:
        return triangle_of(COOPERATIVE, False, x, d, n, L, moves, choices)
    if late:
        return triangle_of(GREEDY, True, x, d, n, L, moves, choices)
    return triangle_of(GREEDY, False, x, d, n, L, moves, choices)


cdef int trace(
    int mode, bint late, const number* x, number* d, int64_t n, int64_t L, uint8_t* moves, uint8_t* choices,
    int64_t* from_left, Marks* have, Watch* watch
) noexcept nogil:
    # The line of play from the whole row down to length L, for any length.  have: the checkpoints of this row from L
    # on, NULL if there are none yet.
    cdef Marks own
    cdef Marks* marks = have
    cdef int64_t c, i = 0, length = n, shift, at
    cdef int status = DONE
    if have == NULL:
        if (n - L) // 2 <= TRIANGLE:
            from_left[0] = triangle(mode, late, x, d, n, L, moves, choices)
            return DONE
        memset(&own, 0, sizeof(Marks))
        marks = &own
        status = advance(mode, x, d, n, L, n, marks, watch)
    for c in range(marks.count - 1, -1, -1):
        at = marks.length[c]
        if status != DONE or at >= length:
            continue
        status = trace(mode, late, x + i, <number*>(marks.data + marks.offset[c]) + i, length, at, moves, choices,
                       &shift, NULL, watch)
        moves += length - at
        i += shift
        length = at
    from_left[0] = i
    if have == NULL:
        marks_free(&own)
    return status
