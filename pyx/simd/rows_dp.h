/* The O(n^2) games on one row, two turns (two diagonals of the table) at a time, many cells in registers.

   The recurrence and its names are in rows/cells.pxi, whose double_step is the scalar twin of all that is here.

   Striping (after Farrar's alignment kernels): lane l of vector s holds cell l*S + s, so that the neighbour i+1
   of a whole vector is the next vector and no lane ever moves.  A pass walks s downwards and takes every
   vector through K double steps, keeping V and m of the vector before it in registers, one pair per double step.
   Lanes read past their stripe into a halo of 2K vectors, which is copied afresh from the next lane before each pass.
   A stage is a number of passes with one S; between stages the array is in plain order, and can be a checkpoint.

   Included by rows_element.h for each element type.  Kernels trust their caller: sums of |x| fit T (what lanes past the
   end hold may wrap and is never read).  `mode` is a constant wherever it is a parameter of a ROWS_INLINE function. */

#ifndef ROWS_LOOK
#define ROWS_LOOK (1 << 16) /* vectors between looks at the watch on long rows; a multiple of LANES */
#endif

/* m for a vector of cells; left and right are the end values of their intervals. */
ROWS_INLINE VEC F(replies)(const int mode, VEC v0, VEC v1, VEC left, VEC right)
{
    if (mode == ROWS_OPTIMAL)
        return F(min)(v0, v1);
    if (mode == ROWS_COOPERATIVE)
        return F(max)(v0, v1);
    return F(if_greater)(left, right, v1, v0);
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
        if (u && gc_watch_look(watch))
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
        if (gc_watch_look(watch))
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

/* From the cells d of length L to those of length L + 2 * steps, by passes over stripes; 1: the watch stops. */
ROWS_INLINE int F(stage)(const int mode, const T *x, T *d, int64_t n, int64_t L, int64_t steps, T *room,
                         gc_watch *watch)
{
    int64_t S = (n - L + 1 - 2 * ROWS_K + LANES - 1) / LANES, width = S + 2 * ROWS_K, q, e;
    T *D = room, *X = D + (width + LANES) * LANES, *J = X + (width + LANES) * LANES;
    if (F(stripe_all)(d, S, width, n - L + 1, D, watch) || F(stripe_all)(x, S, width, n, X, watch) ||
        F(stripe_all)(x + L, S, width + 2 * steps + 1, n - L, J, watch))
        return 1;
    for (q = 0; q < steps; q += ROWS_K) {
        if (gc_watch_spend(watch, (uint64_t)(ROWS_K * (n - L - 2 * q - ROWS_K))))
            return 1;
        if (q) /* the halo: the next lane's first vectors, one lane down */
            for (e = 0; e < 2 * ROWS_K; e++)
                F(store)(D + (S + e) * LANES, F(load)(D + e * LANES + 1));
        if (width <= ROWS_LOOK)
            F(pass)(mode, ROWS_K, D, X, J + 2 * q * LANES, width);
        else if (F(long_pass)(mode, D, X, J + 2 * q * LANES, width, watch))
            return 1;
    }
    F(unstripe)(D, S, n - L - 2 * steps + 1, d);
    return 0;
}

/* The two entries of rows/cells.pxi: a stage; pairs of double steps from length L to at most target, as long as there
   are enough cells for vectors.  The second returns the length that it reached; the watch says whether it was stopped.
 */
ROWS_STATIC int F(stage_entry)(int mode, const void *x, void *d, int64_t n, int64_t L, int64_t steps, void *room,
                               gc_watch *watch)
{
    return ROWS_BY_MODE(F(stage), x, d, n, L, steps, room, watch);
}

ROWS_INLINE int64_t F(shift_mode)(const int mode, const T *x, T *d, int64_t n, int64_t L, int64_t target,
                                  gc_watch *watch)
{
    for (; n - L >= LANES && target - L >= 4; L += 4) {
        if (gc_watch_spend(watch, (uint64_t)(2 * (n - L - 2))))
            break;
        F(shift_pass)(mode, x, d, n, L);
    }
    return L;
}

ROWS_STATIC int64_t F(shift)(int mode, const void *x, void *d, int64_t n, int64_t L, int64_t target, gc_watch *watch)
{
    return ROWS_BY_MODE(F(shift_mode), x, d, n, L, target, watch);
}
