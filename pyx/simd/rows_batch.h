/* Many rows of one length side by side, one a lane; included by rows_template.h. */

/* length - 1 turns from the cells of one value or two on: my totals on the first interval of that length, or on the
   better or worse of the first two for the other side, who has taken one end of the row before (length < n). */
ROWS_INLINE VEC rows_batch_cells(int mode, const VEC *X, VEC *D, int64_t n, int64_t length)
{
    int64_t u, L = length & 1 ? 1 : 2, left = (length - L) / 2;
    int steps;
    for (u = 0; u < n - L + 1; u++)
        D[u] = L == 1 ? X[u] : vec_max(X[u], X[u + 1]);
    for (; left > 0; left -= steps, L += 2 * steps) {
        steps = left >= 4 ? 4 : left >= 2 ? 2 : 1;
        rows_pass(mode, steps, D, X, X + L, n - L + 1);
    }
    if (length == n)
        return D[0];
    return mode == ROWS_OPTIMAL ? vec_min(D[0], D[1]) : vec_max(D[0], D[1]);
}

/* `lanes` rows of n values from src; mine and total per row.  X and D: an array each, zeroed once by the caller. */
ROWS_STATIC void rows_batch_lanes(int mode, const T *src, int64_t n, int64_t lanes, int opponent_first, T *mine,
                                  T *total, VEC *X, VEC *D)
{
    int64_t u, length = opponent_first ? n - 1 : n;
    VEC sum = {0}, best = {0};
    rows_stripe(src, n, n, lanes * n, X);
    for (u = n; u < n + LANES; u++) /* what stripe wrote past the end */
        X[u] = (VEC){0};
    for (u = 0; u < n; u++)
        sum += X[u];
    if (opponent_first && mode == ROWS_GREEDY) { /* a forced first move: shift the rows where it takes the left end */
        VEC a = X[0], b = X[n - 1];
        for (u = 0; u < n - 1; u++)
            X[u] = vec_if_greater(a, b, X[u + 1], X[u]);
        n = length;
    }
    if (length)
        best = rows_batch_cells(mode, X, D, n, length);
    memcpy(mine, &best, (size_t)lanes * sizeof(T));
    memcpy(total, &sum, (size_t)lanes * sizeof(T));
}

/* My totals and the sums of rows of n values. */
ROWS_STATIC int rows_batch(int mode, const void *source, int64_t rows, int64_t n, int opponent_first, void *my_totals,
                           void *sums, gc_watch *watch)
{
    const T *src = source;
    T *mine = my_totals, *total = sums;
    size_t vectors = (size_t)(n + 2 * ROWS_K + 2 + LANES);
    int64_t r, lanes, steps = (n - 1) / 2; /* which compute steps * steps cells of a row */
    int status = ROWS_DONE;
    VEC *room = rows_alloc(2 * vectors * sizeof(VEC));
    if (!room)
        return ROWS_NO_MEMORY;
    memset(room, 0, 2 * vectors * sizeof(VEC));
    for (r = 0; r < rows && !status; r += LANES) {
        lanes = rows - r < LANES ? rows - r : LANES;
        if (gc_watch_spend(watch, (uint64_t)(lanes * steps * steps)))
            status = ROWS_STOPPED;
        else
            rows_batch_lanes(mode, src + r * n, n, lanes, opponent_first, mine + r, total + r, room, room + vectors);
    }
    rows_free(room);
    return status;
}
