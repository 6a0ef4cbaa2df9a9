/* The whole n x n table, LANES rows of it at a time (included once per element type).

   Lane r works on row i - r and is r columns behind lane 0: at step t it fills cell (i-r, t-r).  The cell below,
   (i-r+1, t-r), is what lane r-1 made one step before, and the cell to the left what lane r itself made: so one
   step is one diagonal of the strip, all lanes start on the main diagonal at t = i, and LANES steps transposed are
   stretches of rows.  In a cell:
       OPTIMAL      what the side to move takes in the end: S - min(below, left), S the sum of the interval
       COOPERATIVE  the same with max in place of min where the second player of the whole row is to move
       GREEDY       what I take in the end when I am to move; a second set of cells, O, holds the same for when
                    the opponent is to move: V = max(x[i] + O below, x[j] + O left), O = x[i] > x[j] ? V below : V left */

#define T ROWS_T
#define F(name) ROWS_CAT(ROWS_CAT(name, _), ROWS_SUF)
#define VEC F(vec)
#define VL F(LANES)

/* One step: column c of lane 0; under and under_o are the cells of the row under the strip in that column. */
ROWS_INLINE void F(step)(const int mode, const int odd, VEC xi, VEC xj, VEC *V, VEC *O, VEC *S, T under, T under_o)
{
    VEC below = F(up)(*V, F(all)(under));
    if (mode == ROWS_GREEDY) {
        VEC best = F(max)(F(add)(xi, F(up)(*O, F(all)(under_o))), F(add)(xj, *O));
        *O = F(selgt)(xi, xj, below, *V);
        *V = best;
    } else {
        *S = F(add)(*S, xj);
        *V = F(sub)(*S, mode == ROWS_OPTIMAL || odd ? F(min)(below, *V) : F(max)(below, *V));
    }
}

/* x: VL zeros, the row, VL zeros; rev: the same backwards; below: O of the row under the strip (GREEDY), then of its top row */
ROWS_INLINE void F(strip)(const int mode, const int odd_row, const T *x, const T *rev, int64_t n, int64_t i, T *table, T *below)
{
    T ends[VL], seen[VL];
    VEC xi, V, O = F(all)(0), S, r[VL], t2[VL];
    int64_t t, k, from, count;
    const T *under_row = table + (i + 1) * n;
    int l, half;
    for (l = 0; l < VL; l++)
        ends[l] = i - l >= 0 ? x[VL + i - l] : 0;
    xi = V = S = F(ld)(ends);
    for (t = i; t - (VL - 1) < n; t += VL) {
        /* t - i is a multiple of VL, so that the parity of a cell's length is that of k */
        const T *xr = rev + VL + n - 1 - t;
        if (t > i && t + VL <= n) {
            ROWS_UNROLL for (k = 0; k < VL; k++)
            {
                T o = mode == ROWS_GREEDY ? below[t + k] : 0;
                F(step)(mode, VL > 1 ? (k ^ odd_row) & 1 : (t - i + n) & 1, xi, F(ld)(xr - k), &V, &O, &S, under_row[t + k], o);
                r[k] = V;
                if (mode == ROWS_GREEDY) {
                    F(st)(seen, O);
                    below[t + k - (VL - 1)] = seen[VL - 1];
                }
            }
        } else
            for (k = 0; k < VL; k++) {
                int64_t c = t + k, top = c - (VL - 1);
                if (c > i)
                    F(step)(mode, VL > 1 ? (k ^ odd_row) & 1 : (t - i + n) & 1, xi, F(ld)(xr - k), &V, &O, &S, c < n ? under_row[c] : 0, c < n ? below[c] : 0);
                r[k] = V;
                if (top >= 0 && top < n) {
                    F(st)(seen, O);
                    below[top] = seen[VL - 1];
                }
            }
        ROWS_UNROLL for (half = 1; half < VL; half *= 2) {
            ROWS_UNROLL for (l = 0; l < VL / 2; l++) {
                t2[2 * l] = F(lo)(r[l], r[l + VL / 2]);
                t2[2 * l + 1] = F(hi)(r[l], r[l + VL / 2]);
            }
            ROWS_UNROLL for (l = 0; l < VL; l++)
                r[l] = t2[l];
        }
        for (l = 0; l < VL && i - l >= 0; l++) {
            from = t - l;
            count = n - from;
            if (count >= VL) {
                gc_prefetch_write(table + (i - l) * n + from + 512 / sizeof(T));
                F(st)(table + (i - l) * n + from, r[l]);
            } else if (count > 0)
                memcpy(table + (i - l) * n + from, &r[l], (size_t)count * sizeof(T));
        }
    }
}

ROWS_STATIC int F(table)(int mode, const T *row, int64_t n, T *table, rows_poll *poll)
{
    T *x = (T *)rows_alloc((size_t)(3 * n + 5 * VL) * sizeof(T)), *rev, *below;
    int64_t i, q;
    if (!x)
        return -2;
    memset(x, 0, (size_t)(3 * n + 5 * VL) * sizeof(T));
    rev = x + n + 2 * VL;
    below = rev + n + 2 * VL;
    memcpy(x + VL, row, (size_t)n * sizeof(T));
    for (i = 0; i < n; i++)
        rev[VL + i] = row[n - 1 - i];
    for (i = n - 1; i >= 0; i -= VL) {
        if (mode == ROWS_OPTIMAL)
            F(strip)(ROWS_OPTIMAL, 0, x, rev, n, i, table, below);
        else if (mode == ROWS_GREEDY)
            F(strip)(ROWS_GREEDY, 0, x, rev, n, i, table, below);
        else if (n & 1)
            F(strip)(ROWS_COOPERATIVE, 1, x, rev, n, i, table, below);
        else
            F(strip)(ROWS_COOPERATIVE, 0, x, rev, n, i, table, below);
        for (q = i; q > i - VL && q >= 0; q--)
            memset(table + q * n, 0, (size_t)q * sizeof(T));
        if (rows_poll_work(poll, 8 * VL * n)) {
            rows_free(x);
            return -1;
        }
    }
    rows_free(x);
    return 0;
}

#undef T
#undef F
#undef VEC
#undef VL
#undef ROWS_T
#undef ROWS_SUF
