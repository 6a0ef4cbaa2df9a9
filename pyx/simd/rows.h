/* The C part of rows: what the templates share, then the templates for each element type.

   Modes, moves and cells are as in rows.pyx.  Functions that can take long get a gc_watch, on which they count the
   cells that they compute, and return ROWS_DONE, ROWS_STOPPED (the watch says why) or ROWS_NO_MEMORY. */
#ifndef GAMECORE_ROWS_H
#define GAMECORE_ROWS_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "bits.h"
#include "watch.h"
#include "rows_vec.h"

enum { ROWS_OPTIMAL = 0, ROWS_COOPERATIVE = 1, ROWS_GREEDY = 2 };
enum { ROWS_DONE = 0, ROWS_STOPPED = 1, ROWS_NO_MEMORY = 2 };

#define ROWS_K 4         /* double steps in registers; measured: 6 and more spill */
#define ROWS_PAD 48      /* elements past the end that vector code may touch */
#define ROWS_TRIANGLE 32 /* double steps whose every choice is kept at once in a line of play */

/* Cache-line aligned scratch memory. */
static void *rows_alloc(size_t bytes)
{
    char *raw = (char *)malloc(bytes + 128), *p;
    if (!raw)
        return NULL;
    p = (char *)(((uintptr_t)raw + 127) & ~(uintptr_t)63);
    ((void **)p)[-1] = raw;
    return p;
}

static void rows_free(void *p)
{
    if (p)
        free(((void **)p)[-1]);
}

/* Checkpoints: copies of the array of cells at some lengths, shortest first. */
typedef struct {
    char *data;
    int64_t *length, *offset;
    int64_t count, room, used, size;
} rows_marks;

/* Allocate room for the checkpoints of a row of n values: about 12n cells. */
static int rows_marks_start(rows_marks *m, size_t bytes)
{
    memset(m, 0, sizeof *m);
    m->data = (char *)malloc(bytes);
    m->size = m->data ? (int64_t)bytes : 0;
    return m->data ? ROWS_DONE : ROWS_NO_MEMORY;
}

static void rows_marks_free(rows_marks *m)
{
    free(m->data);
    free(m->length);
    free(m->offset);
}

static int rows_marks_grow(rows_marks *m)
{
    int64_t room = m->room ? 2 * m->room : 64;
    void *a = realloc(m->length, (size_t)room * sizeof(int64_t));
    void *b;
    if (a)
        m->length = (int64_t *)a;
    b = realloc(m->offset, (size_t)room * sizeof(int64_t));
    if (b)
        m->offset = (int64_t *)b;
    if (!a || !b)
        return ROWS_NO_MEMORY;
    m->room = room;
    return ROWS_DONE;
}

static int rows_mark(rows_marks *m, int64_t length, const void *cells, size_t bytes)
{
    if (m->count == m->room && rows_marks_grow(m))
        return ROWS_NO_MEMORY;
    if (m->used + (int64_t)bytes + ROWS_PAD * 8 > m->size) {
        int64_t size = m->size + m->size / 2 + (int64_t)bytes + ROWS_PAD * 8;
        void *a = realloc(m->data, (size_t)size);
        if (!a)
            return ROWS_NO_MEMORY;
        m->data = (char *)a;
        m->size = size;
    }
    memcpy(m->data + m->used, cells, bytes);
    m->length[m->count] = length;
    m->offset[m->count++] = m->used;
    m->used += (int64_t)bytes;
    return ROWS_DONE;
}

/* The state of folding a row, from chunk to chunk; see rows_fold.h and rows_rounds.h. */
#define ROWS_CHUNK 2048       /* two buffers of it stay in the first-level cache */
#define ROWS_PROBE 256        /* values by which a chunk is tried */
#define ROWS_NARROW (1 << 19) /* |x| up to this: a chunk's totals fit int32 */

typedef struct {
    double bound;     /* at least the sum of |x| so far */
    int64_t skip;     /* probes to go through the stack without trying rounds */
    int64_t patience; /* how many chunks of them next time */
    int64_t peaks;    /* whether the last chunk folded well */
} rows_fold_state;

#if ROWS_ROUNDS_I32
static int fold_chunk_i32(int32_t *a, int64_t n, int64_t *stack, int64_t *k, rows_fold_state *state);
#endif
#if ROWS_ROUNDS_I64
static int fold_chunk_i64(int64_t *a, int64_t n, int64_t *stack, int64_t *k, rows_fold_state *state);
#endif

#define T int16_t
#define SUFFIX i16
#define IS_WHOLE 1
#define STACK int64_t
#define STACK_SUM uint64_t
#define SUM uint16_t
#define MASK vec_i16
#if ROWS_BYTES == 64
#define LANES 32
#elif ROWS_BYTES == 32
#define LANES 16
#else
#define LANES 8
#endif
#define HAS_TABLE 0
#define HAS_ROUNDS 0
#include "rows_element.h"

#define T int32_t
#define SUFFIX i32
#define IS_WHOLE 1
#define STACK int64_t
#define STACK_SUM uint64_t
#define SUM uint32_t
#define MASK vec_i32
#if ROWS_BYTES == 64
#define LANES 16
#elif ROWS_BYTES == 32
#define LANES 8
#else
#define LANES 4
#endif
#define HAS_TABLE 1
#define HAS_ROUNDS ROWS_ROUNDS_I32
#include "rows_element.h"

#define T int64_t
#define SUFFIX i64
#define IS_WHOLE 1
#define STACK int64_t
#define STACK_SUM uint64_t
#define SUM uint64_t
#define MASK vec_i64
#if ROWS_BYTES == 64
#define LANES 8
#elif ROWS_BYTES == 32
#define LANES 4
#else
#define LANES 2
#endif
#define HAS_TABLE 1
#define HAS_ROUNDS ROWS_ROUNDS_I64
#include "rows_element.h"

#define T double
#define SUFFIX f64
#define IS_WHOLE 0
#define STACK double
#define STACK_SUM double
#define SUM double
#define MASK vec_i64
#if ROWS_BYTES == 64
#define LANES 8
#elif ROWS_BYTES == 32
#define LANES 4
#else
#define LANES 2
#endif
#define HAS_TABLE 1
#define HAS_ROUNDS 0
#include "rows_element.h"

#endif
