/* The whole n x n table, LANES rows of it at a time; included by rows_element.h for the types that have tables.

   Lane r works on row i - r and is r columns behind lane 0: at step t it fills cell (i-r, t-r).  The cell below,
   (i-r+1, t-r), is what lane r-1 made one step before, and the cell to the left what lane r itself made: so one
   step is one diagonal of the strip, all lanes start on the main diagonal at t = i, and LANES steps transposed are
   stretches of rows.  In a cell:
       OPTIMAL      what the side to move takes in the end: S - min(below, left), S the sum of the interval
       COOPERATIVE  the same with max in place of min where the second player of the whole row is to move
       GREEDY       what I take in the end when I am to move; a second set of cells, O, holds the same for when
                    the opponent is to move: V = max(x[i] + O below, x[j] + O left), O = x[i] > x[j] ? V below : V left
 */

/* The state of a strip: the cells V (and O) that its lanes made last, and S. */
typedef struct {
    VEC V, O, S;
} F(strip_state);

/* One step of all lanes: xi the row's values, xj the columns'; under and under_o are the cells of the row under the
   strip in lane 0's column; odd: whether the second player is to move there. */
ROWS_INLINE void F(strip_step)(const int mode, const int odd, F(strip_state) * at, VEC xi, VEC xj, T under, T under_o)
{
    VEC below = F(move_up)(at->V, F(all)(under));
    ROWS_ARMS(3);
    if (mode == ROWS_GREEDY) {
        VEC left = F(add)(xi, F(move_up)(at->O, F(all)(under_o)));
        VEC best = F(max)(left, F(add)(xj, at->O));
        at->O = F(if_greater)(xi, xj, below, at->V);
        at->V = best;
    } else {
        at->S = F(add)(at->S, xj);
        at->V = F(sub)(at->S, mode == ROWS_OPTIMAL || odd ? F(min)(below, at->V) : F(max)(below, at->V));
    }
}

/* The top lane's O, which the next strip finds under it. */
ROWS_INLINE T F(top_lane)(VEC v)
{
    T lanes[LANES];
    F(store)(lanes, v);
    return lanes[LANES - 1];
}

/* LANES steps, transposed, as stretches of the rows i, i-1, ... that begin at the columns t, t-1, ... */
ROWS_INLINE void F(write_stretches)(VEC *steps, int64_t n, int64_t i, int64_t t, T *table)
{
    int l;
    F(transpose)(steps);
    for (l = 0; l < LANES && i - l >= 0; l++) {
        int64_t from = t - l, count = n - from;
        T *to = table + (i - l) * n + from;
        if (count >= LANES) {
            __builtin_prefetch(to + 512 / sizeof(T), 1);
            F(store)(to, steps[l]);
        } else if (count > 0)
            memcpy(to, &steps[l], (size_t)count * sizeof(T));
    }
}

/* The rows i, i-1, ..., i-LANES+1.  x: LANES zeros, the row, LANES zeros; rev: the same backwards; below: O of the row
   under the strip (GREEDY), then of its top row.  odd_row: whether n is odd, in the cooperative game. */
ROWS_INLINE void F(strip_mode)(const int mode, const int odd_row, const T *x, const T *rev, int64_t n, int64_t i,
                               T *table, T *below)
{
    const T *under = table + (i + 1) * n;
    T ends[LANES];
    VEC xi, steps[LANES];
    F(strip_state) at;
    int64_t t, k;
    int l;
    for (l = 0; l < LANES; l++)
        ends[l] = i - l >= 0 ? x[LANES + i - l] : 0;
    xi = at.V = at.S = F(load)(ends);
    at.O = F(all)(0);
    for (t = i; t - (LANES - 1) < n; t += LANES) {
        /* t - i is a multiple of LANES, which is even, so that the parity of a cell's length is that of k */
        const T *xj = rev + LANES + n - 1 - t;
        if (t > i && t + LANES <= n) { /* all columns of all lanes are within the table */
            ROWS_UNROLL
            for (k = 0; k < LANES; k++) {
                T o = mode == ROWS_GREEDY ? below[t + k] : 0;
                F(strip_step)(mode, (k ^ odd_row) & 1, &at, xi, F(load)(xj - k), under[t + k], o);
                steps[k] = at.V;
                if (mode == ROWS_GREEDY)
                    below[t + k - (LANES - 1)] = F(top_lane)(at.O);
            }
        } else
            for (k = 0; k < LANES; k++) {
                int64_t c = t + k, top = c - (LANES - 1);
                T v = c > i && c < n ? under[c] : 0, o = c < n ? below[c] : 0;
                if (c > i)
                    F(strip_step)(mode, (k ^ odd_row) & 1, &at, xi, F(load)(xj - k), v, o);
                steps[k] = at.V;
                if (top >= 0 && top < n)
                    below[top] = F(top_lane)(at.O);
            }
        F(write_stretches)(steps, n, i, t, table);
    }
}

ROWS_STATIC void F(strip)(int mode, const void *x, const void *rev, int64_t n, int64_t i, void *table, void *below)
{
    if (mode == ROWS_COOPERATIVE && n & 1)
        F(strip_mode)(ROWS_COOPERATIVE, 1, x, rev, n, i, table, below);
    else
        ROWS_BY_MODE(F(strip_mode), 0, x, rev, n, i, table, below);
}
