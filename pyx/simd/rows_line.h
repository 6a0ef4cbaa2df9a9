/* A line of play of an O(n^2) game in O(n) memory: from the checkpoints of the pass over the triangle, each stretch of
   the line by itself; included by rows_element.h for each element type.

   A line that is cut at a checkpoint of length L goes on from one interval of that length, so that what lies between is
   the triangle of intervals between the whole row and it.  A triangle of at most ROWS_TRIANGLE double steps is
   computed with every choice kept; a larger one leaves checkpoints of its own. */

/* The line of play from the whole row down to length L, given the cells d of that length, which are overwritten: at
   most ROWS_TRIANGLE double steps.  Returns how many values were taken from the left.  late: on ties my choices go
   right. */
ROWS_INLINE int64_t F(triangle_mode)(const int mode, const int late, const T *x, T *d, int64_t n, int64_t L,
                                     uint8_t *moves, uint8_t *choices)
{
    int64_t levels = (n - L) / 2, width = n - L + 1, q, a, i = 0, w = 0;
    for (q = 0; q < levels; q++) {
        int64_t l = L + 2 * q, count = n - l - 1;
        const T *xl = x + l, *xj = x + l + 1;
        uint8_t *mine = choices + 2 * q * width, *theirs = mine + width;
        for (a = 0; a <= count; a++) {
            if (mode == ROWS_GREEDY)
                theirs[a] = !(x[a] > xl[a]);
            else if (mode == ROWS_COOPERATIVE)
                theirs[a] = d[a] > d[a + 1];
            else
                theirs[a] = d[a] < d[a + 1];
        }
        for (a = 0; a < count; a++) {
            T m1 = F(reply)(mode, d[a + 1], d[a + 2], x[a + 1], xj[a]);
            T m0 = F(reply)(mode, d[a], d[a + 1], x[a], xl[a]);
            T left = (T)(x[a] + m1), right = (T)(xj[a] + m0);
            mine[a] = late ? right >= left : right > left;
            d[a] = left > right ? left : right;
        }
    }
    for (q = levels - 1; q >= 0; q--) {
        moves[w] = choices[2 * q * width + i];
        i += !moves[w++];
        moves[w] = choices[(2 * q + 1) * width + i];
        i += !moves[w++];
    }
    return i;
}

ROWS_STATIC int64_t F(triangle)(int mode, int late, const T *x, T *d, int64_t n, int64_t L, uint8_t *moves,
                                uint8_t *choices)
{
    if (mode == ROWS_GREEDY)
        return late ? F(triangle_mode)(ROWS_GREEDY, 1, x, d, n, L, moves, choices)
                    : F(triangle_mode)(ROWS_GREEDY, 0, x, d, n, L, moves, choices);
    if (mode == ROWS_COOPERATIVE)
        return F(triangle_mode)(ROWS_COOPERATIVE, 0, x, d, n, L, moves, choices);
    return F(triangle_mode)(ROWS_OPTIMAL, 0, x, d, n, L, moves, choices);
}

/* The same for any length; `have`: the checkpoints of this row from L on, NULL if there are none yet.
   late: right on ties, in the greedy game alone (whose row may have been turned round). */
ROWS_STATIC int F(line)(int mode, int late, const T *x, T *d, int64_t n, int64_t L, uint8_t *moves, uint8_t *choices,
                        int64_t *from_left, rows_marks *have, gc_watch *watch)
{
    rows_marks own = {0}, *marks = have ? have : &own;
    int64_t c, i = 0, length = n, shift, at;
    int status = ROWS_DONE;
    if (!have && (n - L) / 2 <= ROWS_TRIANGLE) {
        *from_left = F(triangle)(mode, late, x, d, n, L, moves, choices);
        return ROWS_DONE;
    }
    if (!have)
        status = F(advance)(mode, x, d, n, L, n, marks, watch);
    for (c = marks->count - 1; c >= 0 && !status; c--) {
        at = marks->length[c];
        if (at >= length)
            continue;
        status = F(line)(mode, late, x + i, (T *)(marks->data + marks->offset[c]) + i, length, at, moves, choices,
                         &shift, NULL, watch);
        moves += length - at;
        i += shift;
        length = at;
    }
    *from_left = i;
    rows_marks_free(&own);
    return status;
}
