/* An oracle of rows: solve every interval of the row, shortest first, with sums of 128 bits.

   Written from the rules, independently of the solver, without folding, vectors or narrow types, one diagonal at a
   step. */
#include <stdint.h>
#include <stdlib.h>

typedef __int128 wide;

enum { OPTIMAL = 0, COOPERATIVE = 1, GREEDY = 2 };

static wide smaller(wide a, wide b) { return a < b ? a : b; }
static wide larger(wide a, wide b) { return a > b ? a : b; }

/* out: my total after my first move left and right, then after the opponent's first move left and right. */
void rows_totals(const int64_t *row, int64_t n, int opponent, int ties_left, int64_t out[4])
{
    /* My totals of all intervals of one length, with me and with the opponent to move. */
    wide *me = calloc((size_t)n + 1, sizeof(wide)), *other = calloc((size_t)n + 1, sizeof(wide));
    if (!me || !other)
        abort();
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
}
