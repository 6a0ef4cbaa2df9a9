/* What the parts of rows share: modes, statuses, and what the templates make for each element type. */
#ifndef GAMECORE_ROWS_ELEMENT_H
#define GAMECORE_ROWS_ELEMENT_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "watch.h"

/* The opponent's way to move; cooperative and greedy games take O(n^2) cells. */
enum { ROWS_OPTIMAL = 0, ROWS_COOPERATIVE = 1, ROWS_GREEDY = 2 };
/* How a function ended; ROWS_STOPPED: the watch says why. */
enum { ROWS_DONE = 0, ROWS_STOPPED = 1, ROWS_NO_MEMORY = 2 };

#define ROWS_K 4         /* double steps in registers; measured: 6 and more spill */
#define ROWS_PAD 48      /* elements past the end that vector code may touch */
#define ROWS_TRIANGLE 32 /* double steps whose every choice is kept at once in a line of play */

/* The functions of one element type for cells; the template that defines a function says what it does. */
typedef struct {
    int64_t size; /* bytes of an element */
    int64_t lanes;
    /* rows_steps.h */
    int64_t (*begin)(const void *x, void *d, int64_t n, int64_t length);
    void (*double_step)(int mode, const void *x, void *d, int64_t n, int64_t L);
    void (*shift_pass)(int mode, const void *x, void *d, int64_t n, int64_t L);
    void (*stripe)(const void *src, int64_t S, int64_t count, int64_t valid, void *dst);
    void (*unstripe)(const void *src, int64_t S, int64_t count, void *dst);
    void (*pass)(int mode, int steps, void *D, const void *X, const void *J, int64_t top);
    int64_t (*triangle)(int mode, int late, const void *x, void *d, int64_t n, int64_t L, uint8_t *moves,
                        uint8_t *choices);
    /* rows_batch.h */
    int (*batch)(int mode, const void *src, int64_t rows, int64_t n, int opponent_first, void *mine, void *total,
                 gc_watch *watch);
    /* rows_table.h: of types that have tables */
    int (*table)(int mode, const void *row, int64_t n, void *out, gc_watch *watch);
} rows_element;

/* The functions by which rows of one type are folded, apart so that rows_oracle.pyx compiles these alone. */
typedef struct {
    int64_t size;
    /* rows_stack.h; the last three of integers alone */
    int64_t (*push)(void *stack, int64_t k, const void *x, int64_t n);
    void (*valley)(const void *stack, int64_t k, void *difference);
    void (*line)(const void *x, int64_t n, void *stack, int64_t *start, uint8_t *moves);
    uint64_t (*spread)(const void *x, int64_t n);
    void (*to_i32)(const void *x, int64_t n, int32_t *out);
    void (*to_i64)(const void *x, int64_t n, int64_t *out);
    /* rows_rounds.h: of types whose vectors can be closed up */
    int64_t (*round)(const void *x, int64_t n, void *out);
} rows_folding;

/* A row of an O(n^2) game, or what is left of it. */
typedef struct {
    const rows_element *element;
    int mode;
    const char *x; /* n elements, and ROWS_PAD more that mean nothing */
    int64_t n;
} rows_row;

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

#endif
