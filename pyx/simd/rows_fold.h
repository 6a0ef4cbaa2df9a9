/* Folding: the game in which both maximise, in linear time; included by rows_element.h for each element type.

   While three neighbours a <= b >= c stand in the row, they can be replaced by the one value a - b + c: whoever takes
   one end of the three takes the peak next to it as the answer, and so on to its far end.  A stack does it in
   one pass.  What is left is a valley (falling, then rising), whose larger end is always best to take.

   The stack is of STACK: int64_t for all integers.  Differences wrap: the caller proves the range. */

/* Push n values on a stack of k folded ones; the new height.  The top two are kept in registers while nothing folds. */
ROWS_STATIC int64_t F(push)(STACK *stack, int64_t k, const T *x, int64_t n)
{
    int64_t t = 0;
    STACK a, b, c;
    for (; t < n && k < 2; t++)
        stack[k++] = x[t];
    if (t == n)
        return k;
    a = stack[k - 2];
    b = stack[k - 1];
    for (; t < n; t++) {
        c = x[t];
        while (b >= c && a <= b) {
            c = (STACK)((STACK_SUM)a - (STACK_SUM)b + (STACK_SUM)c);
            k -= 2;
            if (k < 2) { /* folded down to the bottom: take new values until there are two below the next one */
                stack[k++] = c;
                for (t++; t < n && k < 2; t++)
                    stack[k++] = x[t];
                if (t == n)
                    return k;
                c = x[t];
            }
            a = stack[k - 2];
            b = stack[k - 1];
        }
        stack[k++] = c;
        a = b;
        b = c;
    }
    return k;
}

/* The difference for the side to move on a valley: the larger end each time. */
ROWS_STATIC STACK F(valley)(const STACK *s, int64_t k)
{
    int64_t i = 0, j = k - 1;
    STACK taken[2] = {0, 0};
    int turn = 0;
    for (; i <= j; turn ^= 1)
        taken[turn] = (STACK)((STACK_SUM)taken[turn] + (STACK_SUM)(s[i] >= s[j] ? s[i++] : s[j--]));
    return (STACK)((STACK_SUM)taken[0] - (STACK_SUM)taken[1]);
}

/* The line of play: every folded value is a run taken whole from the end it is reached from.  start[k]: the place in
   the row where the run of stack[k] begins. */
ROWS_STATIC void F(fold_line)(const T *x, int64_t n, STACK *stack, int64_t *start, uint8_t *moves)
{
    int64_t t, k = 0, i, j, from;
    for (t = 0; t < n; t++) {
        STACK c = x[t];
        from = t;
        while (k >= 2 && stack[k - 1] >= c && stack[k - 2] <= stack[k - 1]) {
            c = (STACK)((STACK_SUM)stack[k - 2] - (STACK_SUM)stack[k - 1] + (STACK_SUM)c);
            from = start[k - 2];
            k -= 2;
        }
        stack[k] = c;
        start[k++] = from;
    }
    start[k] = n;
    for (i = 0, j = k - 1; i <= j;) {
        int right = !(stack[i] >= stack[j]);
        int64_t which = right ? j-- : i++, length = start[which + 1] - start[which];
        memset(moves, right, (size_t)length);
        moves += length;
    }
}

#if IS_WHOLE
/* A power of two that no |x| exceeds. */
ROWS_INLINE uint64_t F(spread)(const T *x, int64_t n)
{
    int64_t t;
    T bits = 0;
    for (t = 0; t < n; t++)
        bits |= x[t] ^ (x[t] >> (8 * sizeof(T) - 1));
    return (uint64_t)2 << gc_msb64((uint64_t)bits | 1);
}

#if ROWS_ROUNDS_I32
/* Try to fold a chunk by rounds, in int32 where its totals fit that; 0 where rounds are not worth while. */
ROWS_STATIC int F(fold_by_rounds)(const T *x, int64_t n, uint64_t spread, int64_t *stack, int64_t *k,
                                  rows_fold_state *state)
{
    int64_t room[2 * (ROWS_CHUNK + 256)] __attribute__((aligned(64))), t;
    if (spread <= ROWS_NARROW) {
        int32_t *a = (int32_t *)room + 64;
        for (t = 0; t < n; t++)
            a[t] = (int32_t)x[t];
        return fold_chunk_i32(a, n, stack, k, state);
    }
#if ROWS_ROUNDS_I64
    int64_t *a = room + 64;
    for (t = 0; t < n; t++)
        a[t] = x[t];
    return fold_chunk_i64(a, n, stack, k, state);
#else
    return 0;
#endif
}
#endif

/* Fold n values onto a stack of k (with room for n more); return the height, or -1 if the watch stops. Rounds are for
   rows with many peaks. Unless the chunk before had many, the first values of a chunk are a probe. After a failed probe
   the next chunks use the stack without a probe, four times as many each time, so that falling, rising or constant rows
   cost little more than with the stack alone. */
ROWS_STATIC int64_t F(fold)(const T *x, int64_t n, int64_t *stack, int64_t k, rows_fold_state *state, gc_watch *watch)
{
    int64_t at, m;
    for (at = 0; at < n; at += m) {
        uint64_t spread;
        /* small steps for chunks without a probe: the row streams from memory */
        m = state->skip > 0 ? ROWS_PROBE : ROWS_CHUNK;
        m = n - at < m ? n - at : m;
        if (gc_watch_spend(watch, (uint64_t)m))
            return -1;
        spread = F(spread)(x + at, m);
        state->bound += (double)spread * (double)m;
        if (state->skip > 0)
            state->skip--;
#if ROWS_ROUNDS_I32
        else if (m >= ROWS_PROBE && F(fold_by_rounds)(x + at, m, spread, stack, &k, state))
            continue;
#endif
        k = F(push)(stack, k, x + at, m);
    }
    return k;
}
#endif
