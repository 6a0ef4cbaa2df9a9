/* The O(n^2) games on one row, two turns (two diagonals of the table) at a time; included by rows_template.h.

   V(i, L) is what I still get when I am to move on the interval of L values that starts at i.  With j = i + L + 1
       V(i, L+2) = max(x[i] + m(i+1, L), x[j] + m(i, L))
   where m(i, L) is V after the opponent has moved on the interval i .. i+L:
       OPTIMAL      min(V(i+1, L), V(i, L))
       COOPERATIVE  max(V(i+1, L), V(i, L))
       GREEDY       x[i] > x[i+L] ? V(i+1, L) : V(i, L)         the larger end, the right one on a tie
   The cells of one length are an array d[0 .. n-L]; a double step turns it into the cells of length L+2, n-L-1 of them.
   OPTIMAL is for batches alone: a single row is folded (rows_fold.h).

   Striping (after Farrar's alignment kernels): lane l of vector s holds cell l*S + s, so that the neighbour i+1
   of a whole vector is the next vector and no lane ever moves.  A pass walks s downwards and takes every
   vector through K double steps, keeping V and m of the vector before it in registers, one pair per double step.
   Lanes read past their stripe into a halo of 2K vectors, which is copied afresh from the next lane before each pass.

   Kernels trust their caller: sums of |x| fit T (what lanes past the end hold may wrap and is never read).  `mode` is a
   constant wherever it is a parameter of a ROWS_INLINE function. */

/* The cells of the shortest length of the parity of `length`, which is returned: V of one value, or of two. */
ROWS_STATIC int64_t rows_begin(const void *row, void *cells, int64_t n, int64_t length)
{
    const T *x = row;
    T *d = cells;
    int64_t i;
    if (length & 1) {
        memcpy(d, x, (size_t)n * sizeof(T));
        return 1;
    }
    for (i = 0; i + 1 < n; i++)
        d[i] = x[i] > x[i + 1] ? x[i] : x[i + 1];
    return 2;
}

/* m for one cell: V after the opponent's move on an interval with the end values left and right, where v1 is V without
   the left one and v0 without the right one. */
ROWS_INLINE T rows_reply(const int mode, T v0, T v1, T left, T right)
{
    if (mode == ROWS_COOPERATIVE)
        return v0 > v1 ? v0 : v1;
    return left > right ? v1 : v0;
}

/* The same for a vector of cells. */
ROWS_INLINE VEC rows_replies(const int mode, VEC v0, VEC v1, VEC left, VEC right)
{
    if (mode == ROWS_OPTIMAL)
        return vec_min(v0, v1);
    if (mode == ROWS_COOPERATIVE)
        return vec_max(v0, v1);
    return vec_if_greater(left, right, v1, v0);
}

ROWS_INLINE void rows_double_step_of(const int mode, const T *x, T *d, int64_t n, int64_t L)
{
    const T *xj = x + L + 1;
    int64_t i, count = n - L - 1;
    T m0 = rows_reply(mode, d[0], d[1], x[0], x[L]);
    for (i = 0; i < count; i++) {
        T m1 = rows_reply(mode, d[i + 1], d[i + 2], x[i + 1], xj[i]);
        T a = (T)(x[i] + m1), b = (T)(xj[i] + m0);
        d[i] = a > b ? a : b;
        m0 = m1;
    }
}

/* One double step in plain order, for short rows and the tip of the triangle. */
ROWS_STATIC void rows_double_step(int mode, const void *x, void *d, int64_t n, int64_t L)
{
    if (mode == ROWS_COOPERATIVE)
        rows_double_step_of(ROWS_COOPERATIVE, x, d, n, L);
    else
        rows_double_step_of(ROWS_GREEDY, x, d, n, L);
}

/* From the last block of cells down; x and d are readable, d writable, for LANES elements and 8 more past the cells. */
ROWS_INLINE void rows_shift_pass_of(const int mode, const T *x, T *d, int64_t n, int64_t L)
{
    VEC above_v[2] = {{0}}, above_m[2] = {{0}};
    int64_t i = (n - L) / LANES * LANES;
    int p;
    for (; i >= 0; i -= LANES) {
        VEC v = vec_at(d + i), xi = vec_at(x + i);
        ROWS_UNROLL
        for (p = 0; p < 2; p++) {
            const T *right = x + i + L + 2 * p;
            VEC v1 = vec_down(v, above_v[p]);
            VEC m = rows_replies(mode, v, v1, xi, vec_at(right));
            VEC m1 = vec_down(m, above_m[p]);
            above_v[p] = v;
            above_m[p] = m;
            v = vec_max(xi + m1, vec_at(right + 1) + m);
        }
        *(VEC *)(d + i) = v;
    }
}

/* Two double steps in plain order, for rows too short to be worth striping: neighbours by moving lanes. */
ROWS_STATIC void rows_shift_pass(int mode, const void *x, void *d, int64_t n, int64_t L)
{
    if (mode == ROWS_COOPERATIVE)
        rows_shift_pass_of(ROWS_COOPERATIVE, x, d, n, L);
    else
        rows_shift_pass_of(ROWS_GREEDY, x, d, n, L);
}

/* dst[u*LANES + l] = src[l*S + u] for u in [0, count), zero from src[valid] on.  Writes up to LANES - 1 vectors more.
 */
ROWS_STATIC void rows_stripe(const void *source, int64_t S, int64_t count, int64_t valid, void *striped)
{
    const T *src = source;
    VEC *dst = striped;
    int64_t u, first;
    int l;
    for (u = 0; u < count; u += LANES) {
        VEC r[LANES];
        for (l = 0; l < LANES; l++) {
            first = l * S + u;
            if (first + LANES <= valid)
                r[l] = vec_at(src + first);
            else {
                r[l] = (VEC){0};
                if (first < valid)
                    memcpy(&r[l], src + first, (size_t)(valid - first) * sizeof(T));
            }
        }
        vec_transpose(r);
        for (l = 0; l < LANES; l++)
            dst[u + l] = r[l];
    }
}

/* dst[l*S + s] = src[s*LANES + l] for s in [0, S) and l*S + s < count */
ROWS_STATIC void rows_unstripe(const void *striped, int64_t S, int64_t count, void *plain)
{
    const VEC *src = striped;
    T *dst = plain;
    int64_t s = 0, to;
    int l;
    for (; s + LANES <= S; s += LANES) {
        VEC r[LANES];
        for (l = 0; l < LANES; l++)
            r[l] = src[s + l];
        vec_transpose(r);
        for (l = 0; l < LANES; l++) {
            to = l * S + s;
            if (to + LANES <= count)
                *(VEC *)(dst + to) = r[l];
            else if (to < count)
                memcpy(dst + to, &r[l], (size_t)(count - to) * sizeof(T));
        }
    }
    for (; s < S; s++)
        for (l = 0; l < LANES; l++)
            if (l * S + s < count)
                dst[l * S + s] = ((const T *)striped)[s * LANES + l];
}

/* K double steps on the vectors top-1 .. 0 of D; X the left values, J the values one right of the interval. */
ROWS_INLINE void rows_pass_of(const int mode, const int K, VEC *restrict D, const VEC *restrict X,
                              const VEC *restrict J, int64_t top)
{
    VEC v1[ROWS_K], m1[ROWS_K], right[ROWS_K]; /* of the vector above, before and after each double step */
    int64_t s;
    int p;
    for (p = 0; p < K; p++) {
        v1[p] = m1[p] = D[top - 1];
        right[p] = J[top + 2 * p];
    }
    for (s = top - 1; s >= 0; s--) {
        VEC v = D[s], xi = X[s];
        ROWS_UNROLL
        for (p = 0; p < K; p++) {
            VEC xj = J[s + 1 + 2 * p], m, a, b;
            if (mode == ROWS_GREEDY) {
                /* the right ends of these intervals are one right of those of the vector below */
                xj = right[p];
                right[p] = J[s + 2 * p];
            }
            m = rows_replies(mode, v, v1[p], xi, right[p]);
            a = xi + m1[p];
            b = xj + m;
            v1[p] = v;
            m1[p] = m;
            v = vec_max(a, b);
        }
        D[s] = v;
    }
}

ROWS_INLINE void rows_pass_steps(const int mode, int steps, VEC *D, const VEC *X, const VEC *J, int64_t top)
{
    if (steps == 4)
        rows_pass_of(mode, 4, D, X, J, top);
    else if (steps == 2)
        rows_pass_of(mode, 2, D, X, J, top);
    else
        rows_pass_of(mode, 1, D, X, J, top);
}

/* The same, for 1, 2 or 4 double steps. */
ROWS_STATIC void rows_pass(int mode, int steps, void *D, const void *X, const void *J, int64_t top)
{
    if (mode == ROWS_OPTIMAL)
        rows_pass_steps(ROWS_OPTIMAL, steps, D, X, J, top);
    else if (mode == ROWS_COOPERATIVE)
        rows_pass_steps(ROWS_COOPERATIVE, steps, D, X, J, top);
    else
        rows_pass_steps(ROWS_GREEDY, steps, D, X, J, top);
}

ROWS_INLINE int64_t rows_triangle_of(const int mode, const int late, const T *x, T *d, int64_t n, int64_t L,
                                     uint8_t *moves, uint8_t *choices)
{
    int64_t levels = (n - L) / 2, width = n - L + 1, q, a, i = 0, w = 0;
    for (q = 0; q < levels; q++) {
        int64_t l = L + 2 * q, count = n - l - 1;
        const T *xl = x + l, *xj = x + l + 1;
        uint8_t *mine = choices + 2 * q * width, *theirs = mine + width;
        for (a = 0; a <= count; a++)
            if (mode == ROWS_GREEDY)
                theirs[a] = !(x[a] > xl[a]);
            else
                theirs[a] = d[a] > d[a + 1];
        for (a = 0; a < count; a++) {
            T m1 = rows_reply(mode, d[a + 1], d[a + 2], x[a + 1], xj[a]);
            T m0 = rows_reply(mode, d[a], d[a + 1], x[a], xl[a]);
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

/* The line of play from the whole row down to length L, given the cells d of that length, which are overwritten: at
   most ROWS_TRIANGLE double steps, whose every choice is kept.  Returns how many values were taken from the left.
   late: on ties my choices go right, in the greedy game alone (whose row may have been turned round). */
ROWS_STATIC int64_t rows_triangle(int mode, int late, const void *x, void *d, int64_t n, int64_t L, uint8_t *moves,
                                  uint8_t *choices)
{
    if (mode == ROWS_COOPERATIVE)
        return rows_triangle_of(ROWS_COOPERATIVE, 0, x, d, n, L, moves, choices);
    if (late)
        return rows_triangle_of(ROWS_GREEDY, 1, x, d, n, L, moves, choices);
    return rows_triangle_of(ROWS_GREEDY, 0, x, d, n, L, moves, choices);
}
