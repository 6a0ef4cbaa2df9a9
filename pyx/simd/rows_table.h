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

/* x: VL zeros, the row, VL zeros; rev: the same backwards; below: O of the row under the strip (GREEDY), then of its top row */
ROWS_INLINE void F(strip)(const int mode, const T *x, const T *rev, int64_t n, int64_t i, T *table, T *below)
{
    T ends[VL], seen[VL];
    VEC xi, xj, V, O = F(all)(0), S, r[VL], t2[VL], under, under_o;
    int64_t t, k, from, count;
    const T *under_row = table + (i + 1) * n;
    int l, half;
    for (l = 0; l < VL; l++)
        ends[l] = i - l >= 0 ? x[VL + i - l] : 0;
    xi = V = S = F(ld)(ends);
    for (t = i; t - (VL - 1) < n; t += VL) {
        for (k = 0; k < VL; k++) {
            int64_t c = t + k;
            if (c > i) {
                int inside = c < n;
                xj = F(ld)(rev + VL + n - 1 - c);
                under = F(up)(V, F(all)(inside ? under_row[c] : 0));
                if (mode == ROWS_GREEDY) {
                    VEC o2, v2;
                    under_o = F(up)(O, F(all)(inside ? below[c] : 0));
                    v2 = F(max)(F(add)(xi, under_o), F(add)(xj, O));
                    o2 = F(selgt)(xi, xj, under, V);
                    V = v2;
                    O = o2;
                } else {
                    S = F(add)(S, xj);
                    if (mode == ROWS_OPTIMAL || ((c - i + n) & 1))
                        V = F(sub)(S, F(min)(under, V));
                    else
                        V = F(sub)(S, F(max)(under, V));
                }
            }
            r[k] = V;
            if (mode == ROWS_GREEDY && c - (VL - 1) >= 0 && c - (VL - 1) < n) {
                F(st)(seen, O);
                below[c - (VL - 1)] = seen[VL - 1];
            }
        }
        for (half = 1; half < VL; half *= 2) {
            for (l = 0; l < VL / 2; l++) {
                t2[2 * l] = F(lo)(r[l], r[l + VL / 2]);
                t2[2 * l + 1] = F(hi)(r[l], r[l + VL / 2]);
            }
            memcpy(r, t2, sizeof r);
        }
        for (l = 0; l < VL && i - l >= 0; l++) {
            from = t - l;
            count = n - from;
            if (count >= VL)
                F(st)(table + (i - l) * n + from, r[l]);
            else if (count > 0)
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
            F(strip)(ROWS_OPTIMAL, x, rev, n, i, table, below);
        else if (mode == ROWS_COOPERATIVE)
            F(strip)(ROWS_COOPERATIVE, x, rev, n, i, table, below);
        else
            F(strip)(ROWS_GREEDY, x, rev, n, i, table, below);
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
