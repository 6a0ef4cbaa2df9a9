"""Kernels of rows. They do not check: rows must not be empty or have NaN, and sums of |x| must fit the element type.

Modes are 0 optimal, 1 cooperative, 2 greedy (takes the right end on a tie; for ties to the left the caller reverses
the row); entries from Python raise InternalError for another one. Moves are bytes, 0 for left and 1 for right.
Functions that can take long take a Control, whose nodes are the cells computed (by ``fold``: the values folded); if it
stops them, they return None.

Read first rows/cells.pxi, the recurrence of the O(n^2) games; then rows/line.pxi (a line of play in linear memory),
rows/fold.pxi (the optimal game in linear time) and this file, the entries from Python. rows/element.pxd names the
vector code: simd/rows_dp.h (one long row), rows_batch.h (many rows), rows_table.h (a whole table), rows_rounds.h
(folding); simd/rows.h makes them for three element types. Each has a scalar twin in Cython: ``double_step``, and
``push`` for folding. Tuned by measurement: ROWS_K and ROWS_STAGE_LANES in simd/rows.h, STAGE_PARTS and TRIANGLE in
rows/cells.pxi, CHUNK, PROBE, LEAST_ROUND and the patience in rows/fold.pxi.
"""
from cython cimport critical_section
from cpython.exc cimport PyErr_CheckSignals
from cpython.long cimport PyLong_AsLongLongAndOverflow
from cpython.list cimport PyList_GET_ITEM, PyList_GET_SIZE
from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t, INT32_MAX, UINT64_MAX
from libc.stdlib cimport calloc, free, malloc, realloc
from libc.string cimport memcpy, memset

from common.bits cimport msb
from common.watch cimport INTERRUPTED, RUNNING, Watch, look, raise_pending, spend, store_flag, watch_open, watch_start
from rows.element cimport (
    ARMS, COOPERATIVE, GREEDY, K, MODES, OPTIMAL, PAD, STAGE_LANES, VECTORS, Vectors, batch_room, number, vectors, wide,
)

from gamecore.errors import InternalError

include "common/control.pxi"
include "rows/cells.pxi"
include "rows/line.pxi"
include "rows/fold.pxi"

cdef enum:
    QUICK = 128                    # lists up to this length take the fast path


cdef int check_mode(int mode) except -1:
    # Raise InternalError for a game that the kernel does not have.
    if not 0 <= mode < MODES:
        raise InternalError(f"mode {mode}: the kernel has no such game")
    return 0


cdef int raise_errors(int status, Control control) except -1:
    # Raise the error of a status, or the exception of a signal handler.
    if status == NO_MEMORY:
        raise MemoryError
    return control.end()


# --- sums --------------------------------------------------------------------------------------------------------

def sums(const number[::1] x) -> tuple:
    """Return the sum of absolute values, which is exact, and the sum, which wraps beyond int64."""
    cdef int64_t i, n = x.shape[0], start = 0, end
    cdef uint64_t low = 0, high = 0, a, total = 0
    while start < n:
        if start:
            PyErr_CheckSignals()
        end = min(start + SLICE, n)
        with nogil:
            for i in range(start, end):
                a = <uint64_t>(<int64_t>x[i])
                total += a
                a = (a ^ (0 - (a >> 63))) + (a >> 63)
                low += a & <uint64_t>0xFFFFFFFF
                high += a >> 32
        start = end
    return (int(high) << 32) + int(low), <int64_t>total


# --- the O(n^2) games on one row ---------------------------------------------------------------------------------

cdef number* scratch(const number[::1] x) except NULL:
    # Allocate two arrays of n + PAD elements, which the caller frees: the cells, then a copy of the row. Vector code
    # reads past the end of both.
    cdef int64_t n = x.shape[0], start = 0
    cdef number* d = <number*>calloc(2 * (n + PAD), sizeof(number))
    if d == NULL:
        raise MemoryError
    try:
        while start < n:
            memcpy(d + n + PAD + start, &x[start], min(SLICE, n - start) * sizeof(number))
            start += SLICE
            if start < n:
                PyErr_CheckSignals()
    except BaseException:
        free(d)
        raise
    return d


def cells(int mode, const number[::1] x, int64_t length, bint plain=False, Control control=None) -> list | None:
    """Return V, my total with me to move, of the first intervals of ``length`` values: at most three of them.

    ``plain``: use the scalar twin of the vector kernel, which nothing stops.
    """
    cdef int64_t n = x.shape[0], L, i
    cdef number* d
    cdef number* row
    cdef Watch* watch
    cdef int status = DONE
    check_mode(mode)
    if length <= 0:
        return [0] * min(3, n + 1)
    control = Control() if control is None else control
    d = scratch(x)
    row = d + n + PAD
    try:
        watch = control.begin()
        with nogil:
            L = begin_in_slices(row, d, n, length, watch)
            if L == 0:
                status = STOPPED
            elif plain:
                advance_plain(mode, row, d, n, L, length)
            else:
                status = advance(mode, row, d, n, L, length, NULL, watch)
        raise_errors(status, control)
        return [d[i] for i in range(min(3, n - length + 1))] if status == DONE else None
    finally:
        free(d)


def line(int mode, bint late, const number[::1] x, uint8_t[::1] moves, Control control=None) -> list | None:
    """Fill ``moves`` with best play, me to move; return V of the intervals of n-2 values, as ``cells`` does.

    Ties of free choices go to the left end, with ``late`` to the right one. It uses O(n) memory. The nodes count the
    cells only, so they are the same at every CPU level. If ``stopped`` is set, the moves are incomplete.
    """
    check_mode(mode)
    cdef int64_t n = x.shape[0], L, target, i, from_left = 0
    cdef uint64_t nodes, limit
    cdef number* d = scratch(x)
    cdef number* row = d + n + PAD
    cdef uint8_t* choices = <uint8_t*>malloc(2 * TRIANGLE * (2 * TRIANGLE + 1))
    cdef Marks marks
    cdef Watch* watch
    cdef int status
    cdef list top
    control = Control() if control is None else control
    status = marks_start(&marks, 13 * (n + 256) * sizeof(number))
    try:
        if choices == NULL:
            raise MemoryError
        watch = control.begin()
        with nogil:
            L = begin_in_slices(row, d, n, n, watch)
            target = n - 2 if n - 2 > L else L
            if L == 0:
                status = STOPPED
            if status == DONE:
                status = mark(&marks, L, d, n - L + 1)
            if status == DONE:
                status = advance(mode, row, d, n, L, target, &marks, watch)
        raise_errors(status, control)
        if status == STOPPED:
            return None
        top = [d[i] for i in range(min(3, n - target + 1))] if n > 2 else [0] * (n + 1)
        with nogil:
            nodes, limit = watch.nodes, watch.node_limit
            watch.node_limit = UINT64_MAX  # the node limit is for the cells; the time limit still holds
            if target > L:
                status = mark(&marks, target, d, n - target + 1)
            if status == DONE:
                status = trace(mode, late, row, d, n, L, &moves[0], choices, &from_left, &marks, watch)
            watch.nodes, watch.node_limit = nodes, limit
        raise_errors(status, control)
        # One or two values are left, and I am to move.
        if L == 2:
            moves[n - 2] = (row[from_left + 1] >= row[from_left]) if late else (row[from_left + 1] > row[from_left])
        moves[n - 1] = late
        return top
    finally:
        marks_free(&marks)
        free(choices)
        free(d)


def table(int mode, const wide[::1] x, wide[:, ::1] out, Control control=None) -> None:
    """Fill the n x n table of the game; zeros below the main diagonal."""
    check_mode(mode)
    cdef int64_t n = x.shape[0], i, q
    cdef const Vectors* v = vectors(&x[0])
    cdef int lanes = v.lanes
    # What vectors read (simd/rows_table.h): the row and its reverse between zeros, and cells of the opponent's turn.
    cdef wide* row = <wide*>calloc(3 * n + 5 * lanes, sizeof(wide))
    cdef wide* backwards = row + n + 2 * lanes
    cdef Watch* watch
    if row == NULL:
        raise MemoryError
    control = Control() if control is None else control
    watch = control.begin()
    with nogil:
        for i in range(n):
            row[lanes + i] = x[i]
            backwards[lanes + i] = x[n - 1 - i]
        i = n - 1
        while i >= 0 and not spend(watch, lanes * (n - i)):
            v.strip(mode, row, backwards, n, i, &out[0, 0], backwards + n + 2 * lanes)
            for q in range(max(i - lanes + 1, 0), i + 1):
                memset(&out[q, 0], 0, q * sizeof(wide))
            i -= lanes
        free(row)
    control.end()


def batch(
    int mode, const number[:, ::1] rows, bint opponent_first, number[::1] mine, number[::1] total, Control control=None
) -> None:
    """Compute my total and the sum of every row; each vector lane solves one row."""
    check_mode(mode)
    cdef int64_t count = rows.shape[0], n = rows.shape[1], r = 0, lanes, steps = (n - 1) // 2
    cdef const Vectors* v = vectors(&rows[0, 0])
    cdef void* memory = calloc(batch_room(v.lanes, n) * sizeof(number) + 64, 1)
    cdef Watch* watch
    if memory == NULL:
        raise MemoryError
    control = Control() if control is None else control
    watch = control.begin()
    with nogil:
        while r < count:
            lanes = min(count - r, v.lanes)
            if spend(watch, lanes * steps * steps):  # the cells in which I move
                break
            v.side_by_side(mode, &rows[r, 0], n, lanes, opponent_first, &mine[r], &total[r], aligned(memory))
            r += lanes
        free(memory)
    control.end()


# --- the optimal game by folding ---------------------------------------------------------------------------------

def fold(const number[::1] x, Control control=None) -> tuple | None:
    """Return the difference for the side to move when both maximise, and a bound of the sum of |x|.

    Rows with many peaks are folded by vector rounds, others with a stack. If the sum of |x| does not fit int64, the
    difference is meaningless and the bound is 2**63 or more.
    """
    cdef int64_t n = x.shape[0], k
    cdef Folding state = Folding(bound=0.0, skip=0, patience=1, peaks=False)
    cdef int64_t* stack
    cdef Watch* watch
    control = Control() if control is None else control
    if n == 0:
        return 0, 0.0
    stack = <int64_t*>malloc(n * sizeof(int64_t))
    if stack == NULL:
        raise MemoryError
    try:
        watch = control.begin()
        with nogil:
            k = fold_row(&x[0], n, stack, &state, watch)
        control.end()
        return (valley(stack, k), state.bound) if k >= 0 else None
    finally:
        free(stack)


def fold_plain(const int64_t[::1] x) -> int:
    """The difference by the stack alone: the scalar twin of ``fold``."""
    cdef int64_t n = x.shape[0], value
    cdef int64_t* stack
    if n == 0:
        return 0
    stack = <int64_t*>malloc(n * sizeof(int64_t))
    if stack == NULL:
        raise MemoryError
    with nogil:
        value = valley(stack, push(stack, 0, &x[0], n))
        free(stack)
    return value


def fold_line(const int64_t[::1] x, uint8_t[::1] moves) -> None:
    """Fill ``moves`` with best play of both, ties to the left.

    Every folded value is a run taken whole from the end it is reached from.
    """
    cdef int64_t n = x.shape[0], t, k = 0, i = 0, j, run, length, c
    cdef int64_t* stack = <int64_t*>malloc(n * sizeof(int64_t))
    cdef int64_t* start = <int64_t*>malloc((n + 1) * sizeof(int64_t))  # where in the row the run of stack[k] begins
    cdef uint8_t* to = &moves[0]
    cdef bint right
    try:
        if stack == NULL or start == NULL:
            raise MemoryError
        with nogil:
            for t in range(n):
                c = x[t]
                start[k] = t
                while k >= 2 and stack[k - 1] >= c and stack[k - 2] <= stack[k - 1]:
                    c = folded(stack[k - 2], stack[k - 1], c)
                    k -= 2
                stack[k] = c
                k += 1
            start[k] = n
            j = k - 1
            while i <= j:
                right = not stack[i] >= stack[j]
                run = j if right else i
                i += not right
                j -= right
                length = start[run + 1] - start[run]
                memset(to, right, length)
                to += length
    finally:
        free(stack)
        free(start)


# --- short lists, straight from Python -----------------------------------------------------------------------------

@critical_section  # references to the items are borrowed: without a GIL, no other thread may change the list meanwhile
def quick(list values, int mode, bint opponent_first, bint ties_left) -> object:
    """``(mine, theirs)`` of a short list of Python ints; None when the list is anything else.

    The fast path: no array is made. The range is checked here: totals of at most 2**62.
    """
    check_mode(mode)
    ARMS(3)
    cdef int64_t x[128]
    cdef int64_t d[128]
    cdef int64_t n = PyList_GET_SIZE(values), i, total = 0, bound = 0, mine, L, length
    cdef int overflow = 0
    cdef object item
    cdef int64_t* row = x
    if n == 0 or n > QUICK:
        return None
    for i in range(n):
        item = <object>PyList_GET_ITEM(values, i)
        if type(item) is not int:
            return None
        x[n - 1 - i if ties_left else i] = mine = PyLong_AsLongLongAndOverflow(item, &overflow)
        if overflow or mine > <int64_t>1 << 55 or mine < -(<int64_t>1 << 55):
            return None
        total += mine
        bound += mine if mine >= 0 else -mine
    if mode == OPTIMAL:
        mine = valley(d, push(d, 0, x, n))
        mine = (total - mine) // 2 if opponent_first else (total + mine) // 2
        return mine, total - mine
    length = n
    if opponent_first:
        length = n - 1
        if mode == GREEDY:
            row = x + (1 if x[0] > x[n - 1] else 0)
            n = length
    if length == 0:
        mine = 0
    else:
        L = begin(row, d, n, length)
        advance_plain(mode, row, d, n, L, length)
        mine = d[0]
        if length < n and d[1] > mine:
            mine = d[1]
    return mine, total - mine
