/* Checkpoints: copies of the array of cells at some lengths, taken shortest first and given back longest first.

   Records stand one after another in one piece of memory: the cells, in whole words, then their length. */
#ifndef GAMECORE_ROWS_MARKS_H
#define GAMECORE_ROWS_MARKS_H

#include "rows_element.h"

typedef struct {
    char *data;
    int64_t used, room; /* bytes */
} rows_marks;

static int64_t rows_mark_words(const rows_row *row, int64_t length)
{
    return ((row->n - length + 1) * row->element->size + 7) / 8 * 8;
}

/* Keep the cells of a length. The first call takes room for all checkpoints of a row: about 12 times its cells. */
static int rows_mark(rows_marks *m, const rows_row *row, int64_t length, const void *cells)
{
    int64_t bytes = rows_mark_words(row, length), need = m->used + bytes + 8 + ROWS_PAD * 8;
    if (need > m->room) {
        int64_t room = m->room + m->room / 2 + 13 * (bytes + ROWS_PAD * 8);
        void *data = realloc(m->data, (size_t)room);
        if (!data)
            return ROWS_NO_MEMORY;
        m->data = data;
        m->room = room;
    }
    memcpy(m->data + m->used, cells, (size_t)((row->n - length + 1) * row->element->size));
    memcpy(m->data + m->used + bytes, &length, sizeof length);
    m->used += bytes + 8;
    return ROWS_DONE;
}

/* Give back the longest length and its cells, with ROWS_PAD elements more that may be overwritten; NULL: none left. */
static char *rows_marks_pop(rows_marks *m, const rows_row *row, int64_t *length)
{
    if (!m->used)
        return NULL;
    memcpy(length, m->data + m->used - 8, sizeof *length);
    m->used -= 8 + rows_mark_words(row, *length);
    return m->data + m->used;
}

#endif
