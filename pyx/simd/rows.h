/* The C part of rows: what rows/element.pxd declares for Cython.

   Modes, moves and cells are as in rows.pyx.  Functions that can take long get a gc_watch, on which they count the
   cells that they compute, and return ROWS_DONE, ROWS_STOPPED (the watch says why) or ROWS_NO_MEMORY. */
#include "rows_fold.h"
#include "rows_line.h"
