/* The O(n^2) games on one row, two turns (two diagonals of the table) at a time, many cells in registers.

   The recurrence and its names are in rows/cells.pxi, whose double_step is the scalar twin of all that is here.

   Striping (after Farrar's alignment kernels): lane l of vector s holds cell l*S + s, so that the neighbour i+1
   of a whole vector is the next vector and no lane ever moves.  A pass walks s downwards and takes every
   vector through K double steps, keeping V and m of the vector before it in registers, one pair per double step.
   Lanes read past their stripe into a halo of 2K vectors, which is copied afresh from the next lane before each pass.
   A stage is a number of passes with one S; between stages the array is in plain order, and can be a checkpoint.

   Included by rows_element.h for each element type.  Kernels trust their caller: sums of |x| fit T (what lanes past the
   end hold may wrap and is never read).  `mode` is a constant wherever it is a parameter of a ROWS_INLINE function. */

/* m for a vector of cells; left and right are the end values of their intervals. */
ROWS_INLINE VEC F(replies)(const int mode, VEC v0, VEC v1, VEC left, VEC right)
{
    ROWS_ARMS(3);
    if (mode == ROWS_OPTIMAL)
        return F(min)(v0, v1);
    if (mode == ROWS_COOPERATIVE)
        return F(max)(v0, v1);
    return F(if_greater)(left, right, v1, v0);
}

/* dst[u*LANES + l] = src[l*S + u] for u in [0, count), zero from src[valid] on.  Writes up to LANES - 1 vectors more.
 */
ROWS_STATIC void F(stripe)(const void *source, int64_t S, int64_t count, int64_t valid, void *to)
{
    const T *src = source;
    T *dst = to;
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
ROWS_STATIC void F(unstripe)(const void *source, int64_t S, int64_t count, void *result)
{
    const T *src = source;
    T *dst = result;
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

/* K double steps on the vectors top-1 .. bottom of D; X the left values, J the values one right of the interval.
   above: NULL for a whole pass, or what a part of it knows of the vector above (K vectors each of V, m and right ends,
   before each double step); the next part finds there what this one leaves. */
ROWS_INLINE void F(part_of_pass)(const int mode, const int K, T *restrict D, const T *restrict X, const T *restrict J,
                                 int64_t top, int64_t bottom, T *above)
{
    VEC v1[ROWS_K], m1[ROWS_K], right[ROWS_K];
    T *const first = D + bottom * LANES;
    int p;
    for (p = 0; p < K; p++) {
        v1[p] = F(load)(above ? above + p * LANES : D + (top - 1) * LANES);
        m1[p] = F(load)(above ? above + (K + p) * LANES : D + (top - 1) * LANES);
        right[p] = F(load)(above ? above + (2 * K + p) * LANES : J + (top + 2 * p) * LANES);
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
        F(store)(above + p * LANES, v1[p]);
        F(store)(above + (K + p) * LANES, m1[p]);
        F(store)(above + (2 * K + p) * LANES, right[p]);
    }
}

/* A whole pass. */
ROWS_INLINE void F(pass)(const int mode, const int K, T *D, const T *X, const T *J, int64_t top)
{
    F(part_of_pass)(mode, K, D, X, J, top, 0, NULL);
}

ROWS_STATIC void F(part)(int mode, void *D, const void *X, const void *J, int64_t top, int64_t bottom, void *above)
{
    ROWS_BY_MODE(F(part_of_pass), ROWS_K, D, X, J, top, bottom, above);
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

ROWS_STATIC void F(shift)(int mode, const void *x, void *d, int64_t n, int64_t L)
{
    ROWS_BY_MODE(F(shift_pass), x, d, n, L);
}
