/* The O(n^2) games on one row, two turns (two diagonals of the table) at a time, many cells in registers.

   V(i, L) is what I still get when I am to move on the interval of L values that starts at i.  With j = i + L + 1
       V(i, L+2) = max(x[i] + m(i+1, L), x[j] + m(i, L))
   where m(i, L) is V after the opponent has moved on the interval i .. i+L:
       OPTIMAL      min(V(i+1, L), V(i, L))
       COOPERATIVE  max(V(i+1, L), V(i, L))
       GREEDY       x[i] > x[i+L] ? V(i+1, L) : V(i, L)         the larger end, the right one on a tie
   The cells of one length are an array d[0 .. n-L]; a double step turns it into the cells of length L+2, n-L-1 of them.

   Striping (after Farrar's alignment kernels): lane l of vector s holds cell l*S + s, so that the neighbour i+1
   of a whole vector is the next vector and no lane ever moves.  A pass walks s downwards and takes every
   vector through K double steps, keeping V and m of the vector before it in registers, one pair per double step.
   Lanes read past their stripe into a halo of 2K vectors, which is copied afresh from the next lane before each pass.
   A stage is a number of passes with one S; between stages the array stands in plain order, which is where the
   line of play takes its checkpoints.

   Included by rows_element.h for each element type.  Kernels trust their caller: sums of |x| fit T (what lanes past the
   end hold may wrap and is never read).  `mode` is a constant wherever it is a parameter of a ROWS_INLINE function. */

#ifndef ROWS_LOOK
#define ROWS_LOOK (1 << 16) /* vectors between looks at the watch on long rows; a multiple of LANES */
#endif
#ifndef ROWS_STAGE_LANES
#define ROWS_STAGE_LANES (ROWS_BYTES == 64 ? 64 : 16) /* vectors of cells from which a stage pays */
#define ROWS_STAGE_PARTS                                                                                               \
    24 /* a stage's double steps are 1/24 of its cells: more would waste cells past the end, fewer restripe too often  \
        */
#endif

/* m for one cell: V after the opponent's move on an interval with the end values left and right, where v1 is V without
   the left one and v0 without the right one. */
ROWS_INLINE T F(reply)(const int mode, T v0, T v1, T left, T right)
{
    if (mode == ROWS_OPTIMAL)
        return v0 < v1 ? v0 : v1;
    if (mode == ROWS_COOPERATIVE)
        return v0 > v1 ? v0 : v1;
    return left > right ? v1 : v0;
}

/* The same for a vector of cells. */
ROWS_INLINE VEC F(replies)(const int mode, VEC v0, VEC v1, VEC left, VEC right)
{
    if (mode == ROWS_OPTIMAL)
        return F(min)(v0, v1);
    if (mode == ROWS_COOPERATIVE)
        return F(max)(v0, v1);
    return F(if_greater)(left, right, v1, v0);
}

/* One double step in plain order: the scalar twin, and what short rows and the tip of the triangle use. */
ROWS_INLINE void F(double_step)(const int mode, const T *x, T *d, int64_t n, int64_t L)
{
    const T *xj = x + L + 1;
    int64_t i, count = n - L - 1;
    T m0 = F(reply)(mode, d[0], d[1], x[0], x[L]);
    for (i = 0; i < count; i++) {
        T m1 = F(reply)(mode, d[i + 1], d[i + 2], x[i + 1], xj[i]);
        T a = (T)(x[i] + m1), b = (T)(xj[i] + m0);
        d[i] = a > b ? a : b;
        m0 = m1;
    }
}

/* dst[u*LANES + l] = src[l*S + u] for u in [0, count), zero from src[valid] on.  Writes up to LANES - 1 vectors more.
 */
ROWS_STATIC void F(stripe)(const T *src, int64_t S, int64_t count, int64_t valid, T *dst)
{
    int64_t u, first;
    int l, k;
    for (u = 0; u < count; u += LANES) {
        VEC r[LANES];
        for (l = 0; l < LANES; l++) {
            first = l * S + u;
            if (first + LANES <= valid)
                r[l] = F(load)(src + first);
            else {
                T part[LANES];
                for (k = 0; k < LANES; k++)
                    part[k] = first + k < valid ? src[first + k] : 0;
                r[l] = F(load)(part);
            }
        }
        F(transpose)(r);
        for (l = 0; l < LANES; l++)
            F(store)(dst + (u + l) * LANES, r[l]);
    }
}

/* dst[l*S + s] = src[s*LANES + l] for s in [0, S) and l*S + s < count */
ROWS_STATIC void F(unstripe)(const T *src, int64_t S, int64_t count, T *dst)
{
    int64_t s = 0, to;
    int l;
    for (; s + LANES <= S; s += LANES) {
        VEC r[LANES];
        for (l = 0; l < LANES; l++)
            r[l] = F(load)(src + (s + l) * LANES);
        F(transpose)(r);
        for (l = 0; l < LANES; l++) {
            to = l * S + s;
            if (to + LANES <= count)
                F(store)(dst + to, r[l]);
            else if (to < count)
                memcpy(dst + to, &r[l], (size_t)(count - to) * sizeof(T));
        }
    }
    for (; s < S; s++)
        for (l = 0; l < LANES; l++)
            if (l * S + s < count)
                dst[l * S + s] = src[s * LANES + l];
}

/* F(stripe) for any count, with looks at the watch; 1: stop. */
ROWS_INLINE int F(stripe_all)(const T *src, int64_t S, int64_t count, int64_t valid, T *dst, gc_watch *watch)
{
    int64_t u, some;
    for (u = 0; u < count; u += ROWS_LOOK) {
        some = count - u < ROWS_LOOK ? count - u : ROWS_LOOK;
        if (u && watch && gc_watch_look(watch))
            return 1;
        F(stripe)(src + u, S, some, valid - u, dst + u * LANES);
    }
    return 0;
}

/* What a pass knows of the vector above: V, m and the right ends, before and after each double step. */
typedef struct {
    VEC v1[ROWS_K], m1[ROWS_K], right[ROWS_K];
} F(above);

/* K double steps on the vectors top-1 .. bottom of D; X the left values, J the values one right of the interval.
   above: NULL, or what the part of the pass above has left; the next part finds there what this one leaves. */
ROWS_INLINE void F(part_of_pass)(const int mode, const int K, T *restrict D, const T *restrict X, const T *restrict J,
                                 int64_t top, int64_t bottom, F(above) * above)
{
    VEC v1[ROWS_K], m1[ROWS_K], right[ROWS_K];
    T *const first = D + bottom * LANES;
    int p;
    for (p = 0; p < K; p++) {
        v1[p] = above ? above->v1[p] : F(load)(D + (top - 1) * LANES);
        m1[p] = above ? above->m1[p] : v1[p];
        right[p] = above ? above->right[p] : F(load)(J + (top + 2 * p) * LANES);
    }
    D += (top - 1) * LANES;
    X += (top - 1) * LANES;
    J += (top - 1) * LANES;
    for (; D >= first; D -= LANES, X -= LANES, J -= LANES) {
        VEC v = F(load)(D), xi = F(load)(X);
        ROWS_UNROLL
        for (p = 0; p < K; p++) {
            VEC xj = mode == ROWS_GREEDY ? right[p] : F(load)(J + (1 + 2 * p) * LANES), m, a, b;
            if (mode == ROWS_GREEDY) {
                /* the right ends of these intervals are one right of those of the vector below */
                right[p] = F(load)(J + 2 * p * LANES);
                m = F(if_greater)(xi, right[p], v1[p], v);
            } else
                m = F(replies)(mode, v, v1[p], xi, xi);
            a = F(add)(xi, m1[p]);
            b = F(add)(xj, m);
            v1[p] = v;
            m1[p] = m;
            v = F(max)(a, b);
        }
        F(store)(D, v);
    }
    for (p = 0; above && p < K; p++) {
        above->v1[p] = v1[p];
        above->m1[p] = m1[p];
        above->right[p] = right[p];
    }
}

/* A whole pass. */
ROWS_INLINE void F(pass)(const int mode, const int K, T *D, const T *X, const T *J, int64_t top)
{
    F(part_of_pass)(mode, K, D, X, J, top, 0, NULL);
}

/* A pass over many vectors, with looks at the watch; 1: stop. */
ROWS_INLINE int F(long_pass)(const int mode, T *D, const T *X, const T *J, int64_t top, gc_watch *watch)
{
    F(above) above;
    int64_t bottom;
    int p;
    for (p = 0; p < ROWS_K; p++) {
        above.v1[p] = above.m1[p] = F(load)(D + (top - 1) * LANES);
        above.right[p] = F(load)(J + (top + 2 * p) * LANES);
    }
    for (; top; top = bottom) {
        bottom = top > ROWS_LOOK ? top - ROWS_LOOK : 0;
        if (watch && gc_watch_look(watch))
            return 1;
        F(part_of_pass)(mode, ROWS_K, D, X, J, top, bottom, &above);
    }
    return 0;
}

/* Two double steps in plain order, for rows too short to be worth striping: neighbours by moving lanes.  From the last
   block of cells down; x and d are readable, d writable, for LANES elements and 8 more past the cells. */
ROWS_INLINE void F(shift_pass)(const int mode, const T *x, T *d, int64_t n, int64_t L)
{
    VEC above_v[2], above_m[2];
    int64_t i = (n - L) / LANES * LANES;
    int p;
    above_v[0] = above_v[1] = above_m[0] = above_m[1] = F(all)(0);
    for (; i >= 0; i -= LANES) {
        VEC v = F(load)(d + i), xi = F(load)(x + i);
        ROWS_UNROLL
        for (p = 0; p < 2; p++) {
            const T *right = x + i + L + 2 * p;
            VEC v1 = F(move_down)(v, above_v[p]);
            VEC m = F(replies)(mode, v, v1, xi, mode == ROWS_GREEDY ? F(load)(right) : xi);
            VEC m1 = F(move_down)(m, above_m[p]);
            above_v[p] = v;
            above_m[p] = m;
            v = F(max)(F(add)(xi, m1), F(add)(F(load)(right + 1), m));
        }
        F(store)(d + i, v);
    }
}

/* From the cells d of length L to those of length L + 2 * steps, by passes over stripes. */
ROWS_INLINE int F(stage)(const int mode, const T *x, T *d, int64_t n, int64_t L, int64_t steps, T *room,
                         gc_watch *watch)
{
    int64_t S = (n - L + 1 - 2 * ROWS_K + LANES - 1) / LANES, width = S + 2 * ROWS_K, q, e;
    T *D = room, *X = D + (width + LANES) * LANES, *J = X + (width + LANES) * LANES;
    if (F(stripe_all)(d, S, width, n - L + 1, D, watch) || F(stripe_all)(x, S, width, n, X, watch) ||
        F(stripe_all)(x + L, S, width + 2 * steps + 1, n - L, J, watch))
        return ROWS_STOPPED;
    for (q = 0; q < steps; q += ROWS_K) {
        if (gc_watch_spend(watch, (uint64_t)(ROWS_K * (n - L - 2 * q - ROWS_K))))
            return ROWS_STOPPED;
        if (q) /* the halo: the next lane's first vectors, one lane down */
            for (e = 0; e < 2 * ROWS_K; e++)
                F(store)(D + (S + e) * LANES, F(load)(D + e * LANES + 1));
        if (width <= ROWS_LOOK)
            F(pass)(mode, ROWS_K, D, X, J + 2 * q * LANES, width);
        else if (F(long_pass)(mode, D, X, J + 2 * q * LANES, width, watch))
            return ROWS_STOPPED;
    }
    F(unstripe)(D, S, n - L - 2 * steps + 1, d);
    return ROWS_DONE;
}

/* How many double steps the stage from length L makes; 0 where a stage does not pay. */
ROWS_INLINE int64_t F(stage_steps)(int64_t n, int64_t L, int64_t target)
{
    int64_t cells = n - L + 1, steps = cells / ROWS_STAGE_PARTS / ROWS_K * ROWS_K;
    return cells < LANES * ROWS_STAGE_LANES || (target - L) / 2 < steps ? 0 : steps;
}

/* Elements of scratch memory for stages of a row of n values from length L on. */
ROWS_INLINE size_t F(stage_room)(int64_t n, int64_t L, int64_t steps)
{
    return (size_t)(3 * ((n - L + 1) / LANES + 2 * ROWS_K + 2 + LANES) + 2 * steps + 2) * LANES;
}

/* Stages, as long as they pay, from length *L on; checkpoints before each if marks are wanted. */
ROWS_INLINE int F(stages)(const int mode, const T *x, T *d, int64_t n, int64_t *L, int64_t target, rows_marks *marks,
                          gc_watch *watch)
{
    int64_t steps = F(stage_steps)(n, *L, target); /* the first stage needs most room */
    int status = ROWS_DONE;
    T *room;
    if (!steps)
        return ROWS_DONE;
    room = (T *)rows_alloc(F(stage_room)(n, *L, steps) * sizeof(T));
    if (!room)
        return ROWS_NO_MEMORY;
    for (; steps && !status; steps = F(stage_steps)(n, *L, target)) {
        if (marks)
            status = rows_mark(marks, *L, d, (size_t)(n - *L + 1) * sizeof(T));
        if (!status)
            status = F(stage)(mode, x, d, n, *L, steps, room, watch);
        *L += 2 * steps;
    }
    rows_free(room);
    return status;
}

/* From the cells d of length L to those of length target (same parity), leaving checkpoints if marks are wanted.
   x and d have ROWS_PAD elements more, which mean nothing. */
ROWS_INLINE int F(advance_mode)(const int mode, const T *x, T *d, int64_t n, int64_t L, int64_t target,
                                rows_marks *marks, gc_watch *watch)
{
    int64_t since = ROWS_TRIANGLE; /* double steps since the last checkpoint */
    int status = F(stages)(mode, x, d, n, &L, target, marks, watch);
    while (L < target && !status) {
        int pair = n - L >= LANES && target - L >= 4;
        if (marks && since >= ROWS_TRIANGLE - 1) {
            status = rows_mark(marks, L, d, (size_t)(n - L + 1) * sizeof(T));
            since = 0;
        }
        if (gc_watch_spend(watch, (uint64_t)(pair ? 2 * (n - L - 2) : n - L - 1)))
            return ROWS_STOPPED;
        if (pair)
            F(shift_pass)(mode, x, d, n, L);
        else
            F(double_step)(mode, x, d, n, L);
        L += pair ? 4 : 2;
        since += pair ? 2 : 1;
    }
    return status;
}

ROWS_STATIC int F(advance)(int mode, const T *x, T *d, int64_t n, int64_t L, int64_t target, rows_marks *marks,
                           gc_watch *watch)
{
    if (mode == ROWS_OPTIMAL)
        return F(advance_mode)(ROWS_OPTIMAL, x, d, n, L, target, marks, watch);
    if (mode == ROWS_COOPERATIVE)
        return F(advance_mode)(ROWS_COOPERATIVE, x, d, n, L, target, marks, watch);
    return F(advance_mode)(ROWS_GREEDY, x, d, n, L, target, marks, watch);
}

/* Without vectors and stages: the twin for tests, and for rows of a few values. */
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
