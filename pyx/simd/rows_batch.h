/* Many rows of one length side by side, one a lane; included by rows_element.h for each element type. */

/* `length` - 1 turns from the cells of one value or two on: my totals on the first interval of that length, or on the
   better or worse of the first two for the other side, who has taken one end of the row before (length < n). */
ROWS_INLINE VEC F(batch_cells)(const int mode, const T *X, T *D, int64_t n, int64_t length)
{
    int64_t u, L = length & 1 ? 1 : 2, left = (length - L) / 2;
    ROWS_ARMS(3);
    for (u = 0; u < n - L + 1; u++) {
        VEC x = F(load)(X + u * LANES);
        F(store)(D + u * LANES, L == 1 ? x : F(max)(x, F(load)(X + (u + 1) * LANES)));
    }
    for (; left >= 4; left -= 4, L += 8)
        F(pass)(mode, 4, D, X, X + L * LANES, n - L + 1);
    if (left & 2) {
        F(pass)(mode, 2, D, X, X + L * LANES, n - L + 1);
        L += 4;
    }
    if (left & 1)
        F(pass)(mode, 1, D, X, X + L * LANES, n - L + 1);
    if (length == n)
        return F(load)(D);
    if (mode == ROWS_OPTIMAL)
        return F(min)(F(load)(D), F(load)(D + LANES));
    return F(max)(F(load)(D), F(load)(D + LANES));
}

/* `lanes` rows of n values from src; mine and total per row.  room: two arrays, zeroed once by the caller. */
ROWS_INLINE void F(batch_mode)(const int mode, const T *src, int64_t n, int64_t lanes, int opponent_first, T *mine,
                               T *total, T *room)
{
    int64_t u, length = opponent_first ? n - 1 : n;
    T *X = room, *D = room + rows_batch_room(LANES, n) / 2, out[LANES];
    VEC sum = F(all)(0), best = sum;
    F(stripe)(src, n, n, lanes * n, X);
    for (u = n; u < n + LANES; u++) /* what stripe wrote past the end */
        F(store)(X + u * LANES, F(all)(0));
    for (u = 0; u < n; u++)
        sum = F(add)(sum, F(load)(X + u * LANES));
    if (opponent_first && mode == ROWS_GREEDY) { /* a forced first move: shift the rows where it takes the left end */
        VEC a = F(load)(X), b = F(load)(X + (n - 1) * LANES);
        for (u = 0; u < n - 1; u++)
            F(store)(X + u * LANES, F(if_greater)(a, b, F(load)(X + (u + 1) * LANES), F(load)(X + u * LANES)));
        n = length;
    }
    if (length)
        best = F(batch_cells)(mode, X, D, n, length);
    F(store)(out, best);
    memcpy(mine, out, (size_t)lanes * sizeof(T));
    F(store)(out, sum);
    memcpy(total, out, (size_t)lanes * sizeof(T));
}

ROWS_STATIC void F(side_by_side)(int mode, const void *rows, int64_t n, int64_t lanes, int opponent_first, void *mine,
                                 void *total, void *room)
{
    ROWS_BY_MODE(F(batch_mode), rows, n, lanes, opponent_first, mine, total, room);
}
