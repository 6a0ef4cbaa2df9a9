/* The C part of rows: what the templates share, then the templates for each element type. */
#ifndef GAMECORE_ROWS_H
#define GAMECORE_ROWS_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "watch.h"
#include "rows_vec.h"

enum { ROWS_OPTIMAL = 0, ROWS_COOPERATIVE = 1, ROWS_GREEDY = 2 };

#define ROWS_K 4           /* double steps in registers; measured: 6 and more spill */
#define ROWS_PAD 48        /* elements past the end that vector code may touch */
#define ROWS_TRIANGLE 32  /* double steps whose every choice is kept at once in a line of play */

/* Signals are looked for about every 2e8 cells (some 5 to 50 ms of work). */
typedef struct {
    int64_t work;
} rows_poll;

static int rows_poll_work(rows_poll *poll, int64_t cells)
{
    poll->work += cells;
    if (poll->work < 200000000)
        return 0;
    poll->work = 0;
    return gc_signals();
}

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

/* Copies of the array of cells at some lengths, shortest first. */
typedef struct {
    char *data;
    int64_t *length, *offset;
    int64_t count, room, used, size;
} rows_marks;

static void rows_marks_start(rows_marks *m) { memset(m, 0, sizeof *m); }

/* 0, or -2 without memory */
static int rows_mark(rows_marks *m, int64_t length, const void *cells, size_t bytes)
{
    if (m->count == m->room) {
        int64_t room = m->room ? 2 * m->room : 64;
        void *a = realloc(m->length, (size_t)room * sizeof(int64_t));
        void *b;
        if (a)
            m->length = (int64_t *)a;
        b = realloc(m->offset, (size_t)room * sizeof(int64_t));
        if (b)
            m->offset = (int64_t *)b;
        if (!a || !b)
            return -2;
        m->room = room;
    }
    if (m->used + (int64_t)bytes + ROWS_PAD * 8 > m->size) {
        int64_t size = m->size + m->size / 2 + (int64_t)bytes + ROWS_PAD * 8;
        void *a = realloc(m->data, (size_t)size);
        if (!a)
            return -2;
        m->data = (char *)a;
        m->size = size;
    }
    memcpy(m->data + m->used, cells, bytes);
    m->length[m->count] = length;
    m->offset[m->count++] = m->used;
    m->used += (int64_t)bytes;
    return 0;
}

/* Room at once for what the marks of a row of n values take: about 12n cells. */
static int rows_marks_reserve(rows_marks *m, size_t bytes)
{
    m->data = (char *)malloc(bytes);
    m->size = m->data ? (int64_t)bytes : 0;
    return m->data ? 0 : -2;
}

static void rows_marks_free(rows_marks *m)
{
    free(m->data);
    free(m->length);
    free(m->offset);
}

#define ROWS_T int16_t
#define ROWS_SUF i16
#include "rows_dp.h"
#define ROWS_T int32_t
#define ROWS_SUF i32
#include "rows_dp.h"
#define ROWS_T int64_t
#define ROWS_SUF i64
#include "rows_dp.h"
#define ROWS_T double
#define ROWS_SUF f64
#include "rows_dp.h"

#define ROWS_T int32_t
#define ROWS_SUF i32
#include "rows_table.h"
#define ROWS_T int64_t
#define ROWS_SUF i64
#include "rows_table.h"
#define ROWS_T double
#define ROWS_SUF f64
#include "rows_table.h"

#include "rows_fold.h"

#endif
