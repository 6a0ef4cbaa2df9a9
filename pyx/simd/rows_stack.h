/* Folding by a stack: the game in which both maximise, in linear time; included by rows_template.h.

   While three neighbours a <= b >= c stand in the row, they can be replaced by the one value a - b + c: whoever takes
   one end of the three takes the peak next to it as the answer, and so on to its far end.  A stack does it in
   one pass.  What is left is a valley (falling, then rising), whose larger end is always best to take.

   The stack is of int64_t for all integers.  Differences wrap: the caller proves the range. */
#if IS_WHOLE
#define STACK int64_t
#define WRAP uint64_t
#else
#define STACK double
#define WRAP double
#endif

/* Push n values on a stack of k folded ones; the new height.  The top two are kept in registers while nothing folds. */
ROWS_STATIC int64_t rows_push(void *folded, int64_t k, const void *row, int64_t n)
{
    STACK *stack = folded;
    const T *x = row;
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
            c = (STACK)((WRAP)a - (WRAP)b + (WRAP)c);
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

/* The difference for the side to move on a valley, the larger end each time: a number of the stack's type. */
ROWS_STATIC void rows_valley(const void *folded, int64_t k, void *difference)
{
    const STACK *s = folded;
    int64_t i = 0, j = k - 1;
    WRAP taken[2] = {0, 0};
    int turn = 0;
    for (; i <= j; turn ^= 1)
        taken[turn] += (WRAP)(s[i] >= s[j] ? s[i++] : s[j--]);
    *(STACK *)difference = (STACK)(taken[0] - taken[1]);
}

/* The line of play: every folded value is a run taken whole from the end it is reached from.  The stack has room
   for n; start[k], of n + 1: the place in the row where the run of stack[k] begins. */
ROWS_STATIC void rows_fold_line(const void *row, int64_t n, void *folded, int64_t *start, uint8_t *moves)
{
    const T *x = row;
    STACK *stack = folded;
    int64_t t, k = 0, i, j, from;
    for (t = 0; t < n; t++) {
        STACK c = x[t];
        from = t;
        while (k >= 2 && stack[k - 1] >= c && stack[k - 2] <= stack[k - 1]) {
            c = (STACK)((WRAP)stack[k - 2] - (WRAP)stack[k - 1] + (WRAP)c);
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
ROWS_STATIC uint64_t rows_spread(const void *row, int64_t n)
{
    const T *x = row;
    int64_t t;
    T bits = 0;
    for (t = 0; t < n; t++)
        bits |= x[t] ^ (x[t] >> (8 * sizeof(T) - 1));
    return (uint64_t)2 << gc_msb64((uint64_t)bits | 1);
}

/* Copies for the rounds of rows_rounds.h. */
ROWS_STATIC void rows_to_i32(const void *row, int64_t n, int32_t *out)
{
    const T *x = row;
    int64_t t;
    for (t = 0; t < n; t++)
        out[t] = (int32_t)x[t];
}

ROWS_STATIC void rows_to_i64(const void *row, int64_t n, int64_t *out)
{
    const T *x = row;
    int64_t t;
    for (t = 0; t < n; t++)
        out[t] = x[t];
}
#endif

#undef STACK
#undef WRAP
