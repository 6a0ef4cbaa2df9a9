/* Folding a row chunk by chunk: by rounds of vectors (rows_rounds.h) where it has many peaks, else by the stack alone
   (rows_stack.h). */
#ifndef GAMECORE_ROWS_FOLD_H
#define GAMECORE_ROWS_FOLD_H

#include "rows_templates.h"

#define ROWS_CHUNK 2048       /* two buffers of it stay in the first-level cache */
#define ROWS_PROBE 256        /* values by which a chunk is tried */
#define ROWS_LEFT 64          /* rounds on fewer values than this do not pay */
#define ROWS_NARROW (1 << 19) /* |x| up to this: a chunk's totals fit int32 */

/* What folding a row remembers from chunk to chunk. */
typedef struct {
    double bound;     /* at least the sum of |x| so far; of integers alone */
    int64_t skip;     /* probes to go through the stack without trying rounds */
    int64_t patience; /* how many chunks of them next time */
    int64_t peaks;    /* whether the last chunk folded well */
} rows_fold_state;

/* Fold a chunk of n values in a, which are overwritten, onto a stack of *k; 0 where rounds are not worth while, and
   nothing is done.  There is room for as much again behind a, and for a vector before it. */
static int rows_fold_chunk(const rows_folding *type, char *a, int64_t n, int64_t *stack, int64_t *k,
                           rows_fold_state *state)
{
    char *b = a + (ROWS_CHUNK + 192) * type->size, *swap;
    int64_t left = n, before;
    if (!state->peaks && type->round(a, ROWS_PROBE, b) >= ROWS_PROBE - ROWS_PROBE / 4) {
        state->skip = state->patience * (ROWS_CHUNK / ROWS_PROBE);
        state->patience = state->patience < 64 ? 4 * state->patience : 64;
        return 0;
    }
    do { /* rounds while they pay */
        before = left;
        if (before <= ROWS_LEFT)
            break;
        left = type->round(a, before, b);
        swap = a, a = b, b = swap;
    } while (left <= before - before / 16);
    *k = type->push(stack, *k, a, left);
    state->peaks = left < n / 2;
    state->patience = 1;
    return 1;
}

/* The same for a chunk of a row, which is copied: to int32 where its totals fit that. */
static int rows_fold_by_rounds(const rows_folding *type, const char *x, int64_t n, uint64_t spread, int64_t *stack,
                               int64_t *k, rows_fold_state *state)
{
    int64_t room[2 * (ROWS_CHUNK + 256)] __attribute__((aligned(64)));
    int32_t *narrow = (int32_t *)room + 64;
    int64_t *wide = room + 64;
    if (rows_folding_i32.round && spread <= ROWS_NARROW) {
        type->to_i32(x, n, narrow);
        return rows_fold_chunk(&rows_folding_i32, (char *)narrow, n, stack, k, state);
    }
    if (rows_folding_i64.round) {
        type->to_i64(x, n, wide);
        return rows_fold_chunk(&rows_folding_i64, (char *)wide, n, stack, k, state);
    }
    return 0;
}

/* Fold n values onto a stack of k (with room for n more): the height, or -1 when the watch stops.  Rounds are for rows
   with many peaks: unless the chunk before had them, the first values of a chunk are put to the test, and where that
   fails the next chunks go through the stack untried, four times as many each time, so that falling, rising or constant
   rows cost little more than by the stack alone. */
static int64_t rows_fold(const rows_folding *type, const void *row, int64_t n, void *stack, int64_t k,
                         rows_fold_state *state, gc_watch *watch)
{
    const char *x = row;
    int64_t at, m;
    uint64_t spread;
    int folded;
    for (at = 0; at < n; at += m, x += m * type->size) {
        folded = 0;
        /* in small steps where chunks go through the stack untried: the row streams from memory */
        m = state->skip > 0 ? ROWS_PROBE : ROWS_CHUNK;
        m = n - at < m ? n - at : m;
        if (gc_watch_spend(watch, (uint64_t)m))
            return -1;
        if (type->spread) {
            spread = type->spread(x, m);
            state->bound += (double)spread * (double)m;
            if (state->skip > 0)
                state->skip--;
            else if (m >= ROWS_PROBE)
                folded = rows_fold_by_rounds(type, x, m, spread, stack, &k, state);
        }
        if (!folded)
            k = type->push(stack, k, x, m);
    }
    return k;
}

#endif
