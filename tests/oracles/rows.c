/* Rows from their rules in words, for tests: every interval of the row, shortest first, in sums of 128 bits.

   Written independently of the solver, and slow on purpose: no folding, no vectors, no narrow types, no second turn at
   once. */
#include <stdint.h>
#include <stdlib.h>

typedef __int128 wide;

enum { OPTIMAL = 0, COOPERATIVE = 1, GREEDY = 2 };

static wide smaller(wide a, wide b) { return a < b ? a : b; }
static wide larger(wide a, wide b) { return a > b ? a : b; }

/* out: my total when I take first, the left value or the right one; when the opponent does. 0, or 1 without memory. */
int rows_totals(const int64_t *row, int64_t n, int opponent, int ties_left, int64_t out[4])
{
    /* Of the intervals of one length: my total of them when I am to move, and when the opponent is. */
    wide *me = calloc((size_t)n + 1, sizeof(wide)), *other = calloc((size_t)n + 1, sizeof(wide));
    if (!me || !other) {
        free(me);
        free(other);
        return 1;
    }
    for (int64_t length = 1; length <= n; length++)
        for (int64_t i = 0; i + length <= n; i++) {
            wide left = row[i], right = row[i + length - 1];
            wide i_take_left = left + other[i + 1], i_take_right = right + other[i];
            wide it_takes_left = me[i + 1], it_takes_right = me[i];
            if (length == n) {
                out[0] = (int64_t)i_take_left;
                out[1] = (int64_t)i_take_right;
                out[2] = (int64_t)it_takes_left;
                out[3] = (int64_t)it_takes_right;
            }
            me[i] = larger(i_take_left, i_take_right);
            if (opponent == OPTIMAL)
                other[i] = smaller(it_takes_left, it_takes_right);
            else if (opponent == COOPERATIVE)
                other[i] = larger(it_takes_left, it_takes_right);
            else
                other[i] = left > right || (left == right && ties_left) ? it_takes_left : it_takes_right;
        }
    free(me);
    free(other);
    return 0;
}
