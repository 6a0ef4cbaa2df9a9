/* The O(n^2) games on one row, two turns (two diagonals of the table) at a time, many cells in registers.

   V(i, L) is what I still get when I am to move on the interval of L values that starts at i.  With j = i + L + 1
       V(i, L+2) = max(x[i] + m(i+1, L), x[j] + m(i, L))
   where m(i, L) is V after the opponent has moved on the interval i .. i+L:
       OPTIMAL      min(V(i+1, L), V(i, L))
       COOPERATIVE  max(V(i+1, L), V(i, L))
       GREEDY       x[i] > x[i+L] ? V(i+1, L) : V(i, L)         the larger end, the right one on a tie
   The cells of one length are an array d[0 .. n-L]; a double step turns it into the cells of length L+2.

   Striping (after Farrar's alignment kernels): lane l of vector s holds cell l*S + s, so that the neighbour i+1
   of a whole vector is the next vector and no lane ever moves.  A pass walks s downwards and takes every
   vector through K double steps, keeping V and m of the vector before it in registers, one pair per double step.
   Lanes read past their stripe into a halo of 2K vectors, which is copied afresh from the next lane before each pass.
   A stage is a number of passes with one S; between stages the array stands in plain order, which is where the
   line of play takes its checkpoints.

   Included once per element type, with ROWS_T and ROWS_SUF defined.  Kernels trust their caller: sums of
   |x| fit ROWS_T (what lanes past the end hold may wrap and is never read). */

#define T ROWS_T
#define F(name) ROWS_CAT(ROWS_CAT(name, _), ROWS_SUF)
#define VEC F(vec)
#define VL F(LANES)

ROWS_INLINE T F(opp)(int mode, T v0, T v1, T left, T right)
{
    if (mode == ROWS_OPTIMAL)
        return v0 < v1 ? v0 : v1;
    if (mode == ROWS_COOPERATIVE)
        return v0 > v1 ? v0 : v1;
    return left > right ? v1 : v0;
}

/* One double step in plain order: the scalar twin, and what short rows and the tip of the triangle use. */
ROWS_INLINE void F(double_step)(const int mode, const T *x, T *d, int64_t n, int64_t L)
{
    const T *xj = x + L + 1;
    int64_t i, count = n - L - 1;
    T m0 = F(opp)(mode, d[0], d[1], x[0], x[L]);
    for (i = 0; i < count; i++) {
        T m1 = F(opp)(mode, d[i + 1], d[i + 2], x[i + 1], xj[i]);
        T a = (T)(x[i] + m1), b = (T)(xj[i] + m0);
        d[i] = a > b ? a : b;
        m0 = m1;
    }
}

/* dst[u*VL + l] = src[l*S + u] for u in [0, count), zero from src[valid] on.  Writes up to VL - 1 vectors more. */
ROWS_STATIC void F(stripe)(const T *src, int64_t S, int64_t count, int64_t valid, T *dst)
{
    int64_t u, first;
    int l, k, half;
    for (u = 0; u < count; u += VL) {
        VEC r[VL], t[VL];
        for (l = 0; l < VL; l++) {
            first = l * S + u;
            if (first + VL <= valid)
                r[l] = F(ld)(src + first);
            else {
                T part[VL];
                for (k = 0; k < VL; k++)
                    part[k] = first + k < valid ? src[first + k] : 0;
                r[l] = F(ld)(part);
            }
        }
        for (half = 1; half < VL; half *= 2) {
            for (l = 0; l < VL / 2; l++) {
                t[2 * l] = F(lo)(r[l], r[l + VL / 2]);
                t[2 * l + 1] = F(hi)(r[l], r[l + VL / 2]);
            }
            memcpy(r, t, sizeof r);
        }
        for (l = 0; l < VL; l++)
            F(st)(dst + (u + l) * VL, r[l]);
    }
}

/* dst[l*S + s] = src[s*VL + l] for s in [0, S) and l*S + s < count */
ROWS_STATIC void F(unstripe)(const T *src, int64_t S, int64_t count, T *dst)
{
    int64_t s = 0, to;
    int l, half;
    for (; s + VL <= S; s += VL) {
        VEC r[VL], t[VL];
        for (l = 0; l < VL; l++)
            r[l] = F(ld)(src + (s + l) * VL);
        for (half = 1; half < VL; half *= 2) {
            for (l = 0; l < VL / 2; l++) {
                t[2 * l] = F(lo)(r[l], r[l + VL / 2]);
                t[2 * l + 1] = F(hi)(r[l], r[l + VL / 2]);
            }
            memcpy(r, t, sizeof r);
        }
        for (l = 0; l < VL; l++) {
            to = l * S + s;
            if (to + VL <= count)
                F(st)(dst + to, r[l]);
            else if (to < count)
                memcpy(dst + to, &r[l], (size_t)(count - to) * sizeof(T));
        }
    }
    for (; s < S; s++)
        for (l = 0; l < VL; l++)
            if (l * S + s < count)
                dst[l * S + s] = src[s * VL + l];
}

/* K double steps on the vectors top-1 .. 0 of D; X the left values, J the values one right of the interval. */
#define ROWS_PASS(K)                                                                                               \
    ROWS_INLINE void F(pass##K)(const int mode, T *restrict D, const T *restrict X, const T *restrict J, int64_t top) \
    {                                                                                                              \
        VEC pv[K], pm[K], pr[K];                                                                                   \
        int64_t s;                                                                                                 \
        int p;                                                                                                     \
        for (p = 0; p < K; p++) {                                                                                  \
            pv[p] = pm[p] = F(ld)(D + (top - 1) * VL);                                                             \
            pr[p] = F(ld)(J + (top + 2 * p) * VL);                                                                 \
        }                                                                                                          \
        for (s = top - 1; s >= 0; s--) {                                                                           \
            VEC cur = F(ld)(D + s * VL), xi = F(ld)(X + s * VL);                                                   \
            ROWS_UNROLL for (p = 0; p < K; p++)                                                                    \
            {                                                                                                      \
                VEC xj = mode == ROWS_GREEDY ? pr[p] : F(ld)(J + (s + 1 + 2 * p) * VL), m, a, b;                                                                      \
                if (mode == ROWS_OPTIMAL)                                                                          \
                    m = F(min)(cur, pv[p]);                                                                        \
                else if (mode == ROWS_COOPERATIVE)                                                                 \
                    m = F(max)(cur, pv[p]);                                                                        \
                else {                                                                                             \
                    VEC xr = F(ld)(J + (s + 2 * p) * VL);                                                          \
                    m = F(selgt)(xi, xr, pv[p], cur);                                                              \
                    pr[p] = xr; /* the right value of the vector below is the left neighbour's here */             \
                }                                                                                                  \
                a = F(add)(xi, pm[p]);                                                                             \
                b = F(add)(xj, m);                                                                                 \
                pv[p] = cur;                                                                                       \
                pm[p] = m;                                                                                         \
                cur = F(max)(a, b);                                                                                \
            }                                                                                                      \
            F(st)(D + s * VL, cur);                                                                                \
        }                                                                                                          \
    }
ROWS_PASS(1)
ROWS_PASS(2)
ROWS_PASS(4)

/* Two double steps in plain order, for rows too short to be worth striping: neighbours by moving lanes.  From the last
   block of cells down; x and d are readable, d writable, for VL elements and 8 more past the cells. */
ROWS_INLINE void F(shift_pass)(const int mode, const T *x, T *d, int64_t n, int64_t L)
{
    VEC pv[2], pm[2];
    int64_t i = (n - L) / VL * VL;
    int p;
    pv[0] = pv[1] = pm[0] = pm[1] = F(all)(0);
    for (; i >= 0; i -= VL) {
        VEC cur = F(ld)(d + i), xi = F(ld)(x + i);
        ROWS_UNROLL for (p = 0; p < 2; p++)
        {
            const T *right = x + i + L + 2 * p;
            VEC v1 = F(down)(cur, pv[p]), m, m1;
            if (mode == ROWS_OPTIMAL)
                m = F(min)(cur, v1);
            else if (mode == ROWS_COOPERATIVE)
                m = F(max)(cur, v1);
            else
                m = F(selgt)(xi, F(ld)(right), v1, cur);
            m1 = F(down)(m, pm[p]);
            pv[p] = cur;
            pm[p] = m;
            cur = F(max)(F(add)(xi, m1), F(add)(F(ld)(right + 1), m));
        }
        F(st)(d + i, cur);
    }
}

/* The shortest of the cells of one length for which a stage pays; below it plain double steps are faster. */
#ifndef STAGE_LANES
#define STAGE_LANES (ROWS_BYTES == 64 ? 64 : 16)
#endif
#define STAGE_CELLS (VL * STAGE_LANES)
#define STAGE_PARTS 24 /* a stage lasts 1/24 of its cells in double steps: what lanes past the end waste against restriping */

ROWS_STATIC int F(stage)(const int mode, const T *x, T *d, int64_t n, int64_t L, int64_t steps, T *room, rows_poll *poll)
{
    int64_t S = (n - L + 1 - 2 * ROWS_K + VL - 1) / VL, width = S + 2 * ROWS_K, q, e;
    T *D = room, *X = D + (width + VL) * VL, *J = X + (width + VL) * VL;
    F(stripe)(d, S, width, n - L + 1, D);
    F(stripe)(x, S, width, n, X);
    F(stripe)(x + L, S, width + 2 * steps + 1, n - L, J);
    for (q = 0; q < steps; q += ROWS_K) {
        if (q) /* the halo: the next lane's first vectors, one lane down */
            for (e = 0; e < 2 * ROWS_K; e++)
                F(st)(D + (S + e) * VL, F(ld)(D + e * VL + 1));
        F(pass4)(mode, D, X, J + 2 * q * VL, width);
        if (rows_poll_work(poll, width * VL * 2 * ROWS_K))
            return -1;
    }
    F(unstripe)(D, S, n - L - 2 * steps + 1, d);
    return 0;
}

/* From the cells d of length L to those of length target (same parity), leaving marks if asked to.
   x and d have ROWS_PAD elements more, which mean nothing.  0; -1 when a signal handler raised; -2 without memory. */
ROWS_INLINE int F(advance_mode)(const int mode, const T *x, T *d, int64_t n, int64_t L, int64_t target, rows_marks *marks,
                                rows_poll *poll)
{
    int64_t cells, since = ROWS_TRIANGLE, steps;
    T *room = NULL;
    while (L < target) {
        cells = n - L + 1;
        steps = cells / STAGE_PARTS / ROWS_K * ROWS_K;
        if (steps < ROWS_K || cells < STAGE_CELLS || (target - L) / 2 < steps)
            break;
        if (!room) { /* the first stage needs most */
            int64_t width = cells / VL + 2 * ROWS_K + 2 + VL;
            room = (T *)rows_alloc((size_t)(3 * width + 2 * steps + 2) * VL * sizeof(T));
            if (!room)
                return -2;
        }
        if (marks && rows_mark(marks, L, d, (size_t)cells * sizeof(T))) {
            rows_free(room);
            return -2;
        }
        if (F(stage)(mode, x, d, n, L, steps, room, poll)) {
            rows_free(room);
            return -1;
        }
        L += 2 * steps;
    }
    rows_free(room);
    while (L < target) {
        int pair = VL > 1 && n - L >= VL && target - L >= 4;
        if (marks && since >= ROWS_TRIANGLE - 1) {
            if (rows_mark(marks, L, d, (size_t)(n - L + 1) * sizeof(T)))
                break;
            since = 0;
        }
        if (pair)
            F(shift_pass)(mode, x, d, n, L);
        else
            F(double_step)(mode, x, d, n, L);
        L += pair ? 4 : 2;
        since += pair ? 2 : 1;
        if (rows_poll_work(poll, 8 * (n - L)))
            return -1;
    }
    return L < target ? -2 : 0;
}

ROWS_STATIC int F(advance)(int mode, const T *x, T *d, int64_t n, int64_t L, int64_t target, rows_marks *marks, rows_poll *poll)
{
    if (mode == ROWS_OPTIMAL)
        return F(advance_mode)(ROWS_OPTIMAL, x, d, n, L, target, marks, poll);
    if (mode == ROWS_COOPERATIVE)
        return F(advance_mode)(ROWS_COOPERATIVE, x, d, n, L, target, marks, poll);
    return F(advance_mode)(ROWS_GREEDY, x, d, n, L, target, marks, poll);
}

/* Without vectors and stages: what the tests hold the rest against. */
ROWS_STATIC void F(advance_plain)(int mode, const T *x, T *d, int64_t n, int64_t L, int64_t target)
{
    for (; L < target; L += 2)
        F(double_step)(mode, x, d, n, L);
}

/* The cells of the shortest length of the parity of `length`: V of one value, or of two (the larger). */
ROWS_STATIC int64_t F(begin)(const T *x, T *d, int64_t n, int64_t length)
{
    int64_t i;
    if (length & 1) {
        memcpy(d, x, (size_t)n * sizeof(T));
        return 1;
    }
    for (i = 0; i + 1 < n; i++)
        d[i] = x[i] > x[i + 1] ? x[i] : x[i + 1];
    return 2;
}

/* The line of play from the whole row down to length L, given the cells d of that length: at most ROWS_TRIANGLE
   double steps, every choice kept.  Returns how many values were taken from the left. */
ROWS_INLINE int64_t F(triangle_mode)(const int mode, const int late, const T *x, T *d, int64_t n, int64_t L,
                                     uint8_t *moves, uint8_t *choices)
{
    int64_t levels = (n - L) / 2, width = n - L + 1, q, a, i = 0, w = 0;
    for (q = 0; q < levels; q++) {
        int64_t l = L + 2 * q, count = n - l - 1;
        const T *xl = x + l, *xj = x + l + 1;
        uint8_t *mine = choices + 2 * q * width, *theirs = mine + width;
        for (a = 0; a <= count; a++)
            theirs[a] = mode == ROWS_GREEDY ? !(x[a] > xl[a])
                : mode == ROWS_COOPERATIVE  ? (late ? d[a] >= d[a + 1] : d[a] > d[a + 1])
                                            : (late ? d[a] <= d[a + 1] : d[a] < d[a + 1]);
        for (a = 0; a < count; a++) {
            T m1 = F(opp)(mode, d[a + 1], d[a + 2], x[a + 1], xj[a]), m0 = F(opp)(mode, d[a], d[a + 1], x[a], xl[a]);
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

ROWS_STATIC int64_t F(triangle)(int mode, int late, const T *x, T *d, int64_t n, int64_t L, uint8_t *moves, uint8_t *choices)
{
    if (mode == ROWS_GREEDY)
        return late ? F(triangle_mode)(ROWS_GREEDY, 1, x, d, n, L, moves, choices)
                    : F(triangle_mode)(ROWS_GREEDY, 0, x, d, n, L, moves, choices);
    if (mode == ROWS_COOPERATIVE)
        return F(triangle_mode)(ROWS_COOPERATIVE, 0, x, d, n, L, moves, choices);
    return F(triangle_mode)(ROWS_OPTIMAL, 0, x, d, n, L, moves, choices);
}

/* The same for any length: replay from the marks, each stretch of the line by itself; `late`: right on ties
   (of the greedy game alone: its row may have been turned round). */
ROWS_STATIC int F(line)(int mode, int late, const T *x, T *d, int64_t n, int64_t L, uint8_t *moves, uint8_t *choices,
                        int64_t *from_left, rows_marks *have, rows_poll *poll)
{
    rows_marks own = {0}, *marks = have ? have : &own;
    int64_t c, i = 0, length = n, shift, at;
    int status = 0;
    if (!have && (n - L) / 2 <= ROWS_TRIANGLE) {
        *from_left = F(triangle)(mode, late, x, d, n, L, moves, choices);
        return 0;
    }
    if (!have)
        status = F(advance)(mode, x, d, n, L, n, marks, poll);
    for (c = marks->count - 1; c >= 0 && !status; c--) {
        at = marks->length[c];
        if (at >= length)
            continue;
        status = F(line)(mode, late, x + i, (T *)(marks->data + marks->offset[c]) + i, length, at, moves, choices, &shift, NULL,
                         poll);
        moves += length - at;
        i += shift;
        length = at;
    }
    *from_left = i;
    rows_marks_free(&own);
    return status;
}

/* Rows side by side, one a lane: `lanes` rows of n values from src; mine and total per row.
   room: 2 * (n + 2 * ROWS_K + 2 + VL) vectors, zeroed once by the caller. */
ROWS_INLINE void F(batch_mode)(const int mode, const T *src, int64_t n, int64_t lanes, int opponent_first, T *mine, T *total,
                               T *room)
{
    int64_t pad = n + 2 * ROWS_K + 2 + VL, u, L, left, length = n;
    T *X = room, *D = room + pad * VL, out[VL];
    VEC sum = F(all)(0), best;
    F(stripe)(src, n, n, lanes * n, X);
    for (u = n; u < n + VL; u++) /* what stripe wrote past the end */
        F(st)(X + u * VL, F(all)(0));
    for (u = 0; u < n; u++)
        sum = F(add)(sum, F(ld)(X + u * VL));
    if (opponent_first) {
        length = n - 1;
        if (mode == ROWS_GREEDY) { /* her first move is forced: shift the row where she takes the left end */
            VEC a = F(ld)(X), b = F(ld)(X + (n - 1) * VL);
            for (u = 0; u < n - 1; u++)
                F(st)(X + u * VL, F(selgt)(a, b, F(ld)(X + (u + 1) * VL), F(ld)(X + u * VL)));
            n = length;
        }
    }
    best = F(all)(0);
    if (length) {
        L = length & 1 ? 1 : 2;
        for (u = 0; u < n - L + 1; u++)
            F(st)(D + u * VL, L == 1 ? F(ld)(X + u * VL) : F(max)(F(ld)(X + u * VL), F(ld)(X + (u + 1) * VL)));
        for (left = (length - L) / 2; left >= 4; left -= 4, L += 8)
            F(pass4)(mode, D, X, X + L * VL, n - L + 1);
        if (left & 2) {
            F(pass2)(mode, D, X, X + L * VL, n - L + 1);
            L += 4;
        }
        if (left & 1)
            F(pass1)(mode, D, X, X + L * VL, n - L + 1);
        best = F(ld)(D);
        if (length < n) { /* the other side has taken one end, its choice */
            if (mode == ROWS_OPTIMAL)
                best = F(min)(best, F(ld)(D + VL));
            else
                best = F(max)(best, F(ld)(D + VL));
        }
    }
    F(st)(out, best);
    memcpy(mine, out, (size_t)lanes * sizeof(T));
    F(st)(out, sum);
    memcpy(total, out, (size_t)lanes * sizeof(T));
}

ROWS_STATIC int F(batch)(int mode, const T *src, int64_t rows, int64_t n, int opponent_first, T *mine, T *total, rows_poll *poll)
{
    int64_t r, lanes;
    T *room = (T *)rows_alloc((size_t)(2 * (n + 2 * ROWS_K + 2 + VL)) * VL * sizeof(T));
    if (!room)
        return -2;
    memset(room, 0, (size_t)(2 * (n + 2 * ROWS_K + 2 + VL)) * VL * sizeof(T));
    for (r = 0; r < rows; r += VL) {
        lanes = rows - r < VL ? rows - r : VL;
        if (mode == ROWS_OPTIMAL)
            F(batch_mode)(ROWS_OPTIMAL, src + r * n, n, lanes, opponent_first, mine + r, total + r, room);
        else if (mode == ROWS_COOPERATIVE)
            F(batch_mode)(ROWS_COOPERATIVE, src + r * n, n, lanes, opponent_first, mine + r, total + r, room);
        else
            F(batch_mode)(ROWS_GREEDY, src + r * n, n, lanes, opponent_first, mine + r, total + r, room);
        if (rows_poll_work(poll, n * n * VL)) {
            rows_free(room);
            return -1;
        }
    }
    rows_free(room);
    return 0;
}

#undef T
#undef F
#undef VEC
#undef VL
#undef ROWS_PASS
#undef STAGE_CELLS
#undef STAGE_PARTS
#undef ROWS_T
#undef ROWS_SUF
