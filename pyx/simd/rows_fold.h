/* Folding: the game in which both maximise, in linear time.

   While three neighbours a <= b >= c stand in the row, they can be replaced by the one value a - b + c: whoever takes
   one end of the three takes the peak next to it as the answer, and so on to its far end.  A stack does it in
   one pass.  What is left is a valley (falling, then rising), whose larger end is always best to take. */
#ifndef GAMECORE_ROWS_FOLD_H
#define GAMECORE_ROWS_FOLD_H

/* Push m values of type S on a stack of k folded ones; the new height.  Differences wrap: the caller proves the range.
   The top two are kept in registers while nothing folds. */
#define ROWS_PUSH(NAME, S, T, U)                                                                                \
    ROWS_STATIC int64_t NAME(T *stack, int64_t k, const S *x, int64_t m)                                        \
    {                                                                                                           \
        int64_t t = 0;                                                                                          \
        T a, b, c;                                                                                              \
        for (; t < m && k < 2; t++)                                                                             \
            stack[k++] = x[t];                                                                                  \
        if (t == m)                                                                                             \
            return k;                                                                                           \
        a = stack[k - 2];                                                                                       \
        b = stack[k - 1];                                                                                       \
        for (; t < m; t++) {                                                                                    \
            c = x[t];                                                                                           \
            while (b >= c && a <= b) {                                                                          \
                c = (T)((U)a - (U)b + (U)c);                                                                    \
                k -= 2;                                                                                         \
                if (k < 2) {                                                                                    \
                    stack[k++] = c;                                                                             \
                    for (t++; t < m && k < 2; t++)                                                              \
                        stack[k++] = x[t];                                                                      \
                    if (t == m)                                                                                 \
                        return k;                                                                               \
                    a = stack[k - 2];                                                                           \
                    b = stack[k - 1];                                                                           \
                    c = x[t];                                                                                   \
                    continue;                                                                                   \
                }                                                                                               \
                b = stack[k - 1];                                                                               \
                a = stack[k - 2];                                                                               \
            }                                                                                                   \
            stack[k++] = c;                                                                                     \
            a = b;                                                                                              \
            b = c;                                                                                              \
        }                                                                                                       \
        return k;                                                                                               \
    }
ROWS_PUSH(rows_push_i64, int64_t, int64_t, uint64_t)
ROWS_PUSH(rows_push_i64_i32, int32_t, int64_t, uint64_t)
ROWS_PUSH(rows_push_i64_i16, int16_t, int64_t, uint64_t)
ROWS_PUSH(rows_push_f64, double, double, double)
#define rows_push_i64_i64 rows_push_i64

#define ROWS_FOLD(SUF, T, U)                                                                                    \
    /* The difference for the side to move on a valley: the larger end each time. */                            \
    ROWS_STATIC T rows_valley_##SUF(const T *s, int64_t k)                                                      \
    {                                                                                                           \
        int64_t i = 0, j = k - 1;                                                                               \
        T taken[2] = {0, 0};                                                                                    \
        int turn = 0;                                                                                           \
        for (; i <= j; turn ^= 1)                                                                               \
            taken[turn] = (T)((U)taken[turn] + (U)(s[i] >= s[j] ? s[i++] : s[j--]));                            \
        return (T)((U)taken[0] - (U)taken[1]);                                                                  \
    }                                                                                                           \
    /* The line of play: every folded value is a run taken whole from the end it is reached from. */            \
    ROWS_STATIC void rows_fold_line_##SUF(const T *x, int64_t n, T *stack, int64_t *start, uint8_t *moves)      \
    {                                                                                                           \
        int64_t t, k = 0, i, j, from;                                                                           \
        for (t = 0; t < n; t++) {                                                                               \
            T c = x[t];                                                                                         \
            from = t;                                                                                           \
            while (k >= 2 && stack[k - 1] >= c && stack[k - 2] <= stack[k - 1]) {                               \
                c = (T)((U)stack[k - 2] - (U)stack[k - 1] + (U)c);                                              \
                from = start[k - 2];                                                                            \
                k -= 2;                                                                                         \
            }                                                                                                   \
            stack[k] = c;                                                                                       \
            start[k++] = from;                                                                                  \
        }                                                                                                       \
        start[k] = n;                                                                                           \
        for (i = 0, j = k - 1; i <= j;) {                                                                       \
            int right = !(stack[i] >= stack[j]);                                                                \
            int64_t which = right ? j-- : i++, length = start[which + 1] - start[which];                        \
            memset(moves, right, (size_t)length);                                                               \
            moves += length;                                                                                    \
        }                                                                                                       \
    }

ROWS_FOLD(i64, int64_t, uint64_t)
ROWS_FOLD(f64, double, double)

#include "rows_rounds.h"

#endif
