/* The vector code of rows: what the templates share, then the templates for each element type, and a table of their
   functions.  rows/cells.pxi, rows/fold.pxi and rows.pyx call them; modes, moves and cells are as there. */
#ifndef GAMECORE_ROWS_H
#define GAMECORE_ROWS_H

#include <stdint.h>
#include <string.h>
#include "bits.h"
#include "rows_vec.h"

enum { ROWS_OPTIMAL = 0, ROWS_COOPERATIVE = 1, ROWS_GREEDY = 2, ROWS_MODES };

/* Stands beside arms of which the last has no condition: a new mode does not compile before it has an arm there. */
#define ROWS_ARMS(modes) ((void)sizeof(struct { int a_mode_has_no_arm_here : (modes) == ROWS_MODES ? 1 : -1; }))

#define ROWS_K 4 /* double steps in registers; measured: 6 and more spill */
#if ROWS_K < 4
#error "rows_batch.h makes four double steps at once"
#endif
#define ROWS_PAD 48                                   /* elements past the end that vector code may touch */
#define ROWS_STAGE_LANES (ROWS_BYTES == 64 ? 64 : 16) /* vectors of cells from which a stage pays; measured */

/* A call of a function whose first argument is a constant mode. */
#define ROWS_BY_MODE(function, ...)                                                                                    \
    (ROWS_ARMS(3), mode == ROWS_OPTIMAL       ? function(ROWS_OPTIMAL, __VA_ARGS__)                                    \
                   : mode == ROWS_COOPERATIVE ? function(ROWS_COOPERATIVE, __VA_ARGS__)                                \
                                              : function(ROWS_GREEDY, __VA_ARGS__))

/* Elements of scratch memory for a batch of rows of n values: two arrays. */
static inline size_t rows_batch_room(int lanes, int64_t n)
{
    return (size_t)(2 * (n + 2 * ROWS_K + 2 + lanes) * lanes);
}

#define T int16_t
#define SUFFIX i16
#define LANES ROWS_LANES_16
#define WIDE 0
#include "rows_element.h"

#define T int32_t
#define SUFFIX i32
#define LANES ROWS_LANES_32
#define WIDE 1
#include "rows_element.h"

#define T int64_t
#define SUFFIX i64
#define LANES ROWS_LANES_64
#define WIDE 1
#include "rows_element.h"

/* The functions for one element type.  Pointers are to its elements; NULL: there is no such function. */
typedef struct {
    int lanes;
    void (*stripe)(const void *source, int64_t S, int64_t count, int64_t valid, void *to);
    void (*unstripe)(const void *source, int64_t S, int64_t count, void *to);
    void (*part)(int mode, void *D, const void *X, const void *J, int64_t top, int64_t bottom, void *above);
    void (*shift)(int mode, const void *x, void *d, int64_t n, int64_t L);
    void (*side_by_side)(int mode, const void *rows, int64_t n, int64_t lanes, int opponent_first, void *mine,
                         void *total, void *room);
    void (*strip)(int mode, const void *x, const void *rev, int64_t n, int64_t i, void *table, void *below);
    int64_t (*round)(const void *source, int64_t n, void *to);
} rows_vectors;

static const rows_vectors rows_vectors_of[3] = {
    {ROWS_LANES_16, stripe_i16, unstripe_i16, part_i16, shift_i16, side_by_side_i16, NULL, NULL},
    {ROWS_LANES_32, stripe_i32, unstripe_i32, part_i32, shift_i32, side_by_side_i32, strip_i32, ROWS_ROUND(i32)},
    {ROWS_LANES_64, stripe_i64, unstripe_i64, part_i64, shift_i64, side_by_side_i64, strip_i64, ROWS_ROUND(i64)},
};

#endif
