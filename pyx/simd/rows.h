/* The vector code of rows: what the templates share, then the templates for each element type, and a table of their
   functions.  rows/cells.pxi, rows/fold.pxi and rows.pyx call them.

   Modes, moves and cells are as there.  A gc_watch counts the cells that a function computes, and can stop it. */
#ifndef GAMECORE_ROWS_H
#define GAMECORE_ROWS_H

#include <stdint.h>
#include <string.h>
#include "bits.h"
#include "watch.h"
#include "rows_vec.h"

enum { ROWS_OPTIMAL = 0, ROWS_COOPERATIVE = 1, ROWS_GREEDY = 2 };

#define ROWS_K 4                                      /* double steps in registers; measured: 6 and more spill */
#define ROWS_PAD 48                                   /* elements past the end that vector code may touch */
#define ROWS_STAGE_LANES (ROWS_BYTES == 64 ? 64 : 16) /* vectors of cells from which a stage pays; measured */

/* A call of a function whose first argument is a constant mode. */
#define ROWS_BY_MODE(function, ...)                                                                                    \
    (mode == ROWS_OPTIMAL       ? function(ROWS_OPTIMAL, __VA_ARGS__)                                                  \
     : mode == ROWS_COOPERATIVE ? function(ROWS_COOPERATIVE, __VA_ARGS__)                                              \
                                : function(ROWS_GREEDY, __VA_ARGS__))

/* Elements of scratch memory for stages of a row of n values from length L on: three arrays. */
static inline size_t rows_stage_room(int lanes, int64_t n, int64_t L, int64_t steps)
{
    return (size_t)((3 * ((n - L + 1) / lanes + 2 * ROWS_K + 2 + lanes) + 2 * steps + 2) * lanes);
}

/* ... for a batch of rows of n values: two arrays. */
static inline size_t rows_batch_room(int lanes, int64_t n)
{
    return (size_t)(2 * (n + 2 * ROWS_K + 2 + lanes) * lanes);
}

#define T int16_t
#define SUFFIX i16
#define SUM uint16_t
#define MASK vec_i16
#define LANES ROWS_LANES_16
#define HAS_TABLE 0
#define HAS_ROUNDS 0
#include "rows_element.h"

#define T int32_t
#define SUFFIX i32
#define SUM uint32_t
#define MASK vec_i32
#define LANES ROWS_LANES_32
#define HAS_TABLE 1
#define HAS_ROUNDS ROWS_ROUNDS_I32
#include "rows_element.h"

#define T int64_t
#define SUFFIX i64
#define SUM uint64_t
#define MASK vec_i64
#define LANES ROWS_LANES_64
#define HAS_TABLE 1
#define HAS_ROUNDS ROWS_ROUNDS_I64
#include "rows_element.h"

#define T double
#define SUFFIX f64
#define SUM double
#define MASK vec_i64
#define LANES ROWS_LANES_64
#define HAS_TABLE 1
#define HAS_ROUNDS 0
#include "rows_element.h"

/* The functions for one element type.  Pointers are to its elements; NULL: there is no such function. */
typedef struct {
    int lanes;
    int (*stage)(int mode, const void *x, void *d, int64_t n, int64_t L, int64_t steps, void *room, gc_watch *watch);
    int64_t (*shift)(int mode, const void *x, void *d, int64_t n, int64_t L, int64_t target, gc_watch *watch);
    void (*side_by_side)(int mode, const void *rows, int64_t n, int64_t lanes, int opponent_first, void *mine,
                         void *total, void *room);
    void (*strip)(int mode, const void *x, const void *rev, int64_t n, int64_t i, void *table, void *below);
    int64_t (*round)(const void *source, int64_t n, void *to);
} rows_vectors;

#if ROWS_ROUNDS_I32
#define ROWS_ROUND_I32 round_i32
#else
#define ROWS_ROUND_I32 NULL
#endif
#if ROWS_ROUNDS_I64
#define ROWS_ROUND_I64 round_i64
#else
#define ROWS_ROUND_I64 NULL
#endif

static const rows_vectors rows_vectors_of[4] = {
    {ROWS_LANES_16, stage_entry_i16, shift_i16, side_by_side_i16, NULL, NULL},
    {ROWS_LANES_32, stage_entry_i32, shift_i32, side_by_side_i32, strip_i32, ROWS_ROUND_I32},
    {ROWS_LANES_64, stage_entry_i64, shift_i64, side_by_side_i64, strip_i64, ROWS_ROUND_I64},
    {ROWS_LANES_64, stage_entry_f64, shift_f64, side_by_side_f64, strip_f64, NULL},
};

#endif
