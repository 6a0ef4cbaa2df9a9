/* A line of play of an O(n^2) game in O(n) memory: from the checkpoints of the pass over the triangle, each stretch of
   the line by itself.

   A line that is cut at a checkpoint of length L goes on from one interval of that length, so that what lies between is
   the triangle of intervals between the whole row and it.  A triangle of at most ROWS_TRIANGLE double steps is
   computed with every choice kept; a larger one leaves checkpoints of its own. */
#ifndef GAMECORE_ROWS_LINE_H
#define GAMECORE_ROWS_LINE_H

#include "rows_stages.h"

#define ROWS_CHOICES (2 * ROWS_TRIANGLE * (2 * ROWS_TRIANGLE + 1)) /* bytes: all choices of a triangle */

static int rows_stretch(const rows_row *row, int late, char *d, int64_t L, uint8_t *moves, uint8_t *choices,
                        int64_t *from_left, gc_watch *watch);

/* The moves from the whole row down to the shortest checkpoint; how many of them are to the left.  The checkpoints are
   used up.  late: ties of my choices go right. */
static int rows_trace(const rows_row *row, int late, rows_marks *marks, uint8_t *moves, uint8_t *choices,
                      int64_t *from_left, gc_watch *watch)
{
    rows_row rest = *row; /* what is left of the row where the line has come to */
    int64_t length, lefts;
    int status = ROWS_DONE;
    char *d;
    *from_left = 0;
    while (!status && (d = rows_marks_pop(marks, row, &length))) {
        d += *from_left * row->element->size;
        status = rows_stretch(&rest, late, d, length, moves, choices, &lefts, watch);
        moves += rest.n - length;
        rest.n = length;
        rest.x += lefts * row->element->size;
        *from_left += lefts;
    }
    return status;
}

/* The same from the whole row down to length L, given the cells d of that length, which are overwritten. */
static int rows_stretch(const rows_row *row, int late, char *d, int64_t L, uint8_t *moves, uint8_t *choices,
                        int64_t *from_left, gc_watch *watch)
{
    rows_marks marks = {0};
    int status;
    *from_left = 0;
    if ((row->n - L) / 2 <= ROWS_TRIANGLE) {
        *from_left = row->element->triangle(row->mode, late, row->x, d, row->n, L, moves, choices);
        return ROWS_DONE;
    }
    status = rows_advance(row, d, L, row->n, &marks, watch, NULL);
    if (!status)
        status = rows_trace(row, late, &marks, moves, choices, from_left, watch);
    free(marks.data);
    return status;
}

#endif
