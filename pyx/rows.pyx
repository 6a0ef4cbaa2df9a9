"""Kernels of rows. They trust their caller: rows are not empty, sums of |x| fit the element type, no NaN.

Modes are 0 optimal, 1 cooperative, 2 greedy (the right end on a tie: for ties to the left the caller turns the row
round).  Moves are bytes, 0 for left and 1 for right.
"""
from cpython.long cimport PyLong_AsLongLongAndOverflow
from cpython.list cimport PyList_GET_ITEM, PyList_GET_SIZE
from libc.stdint cimport int16_t, int32_t, int64_t, uint8_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcpy

from common.watch cimport raise_pending, signals

cdef extern from "simd/rows.h" nogil:
    ctypedef struct rows_poll:
        int64_t work
    ctypedef struct rows_marks:
        int64_t count
        int64_t used
    void rows_marks_free(rows_marks* marks) noexcept
    int rows_marks_reserve(rows_marks* marks, size_t size) noexcept
    enum: ROWS_OPTIMAL
    enum: ROWS_COOPERATIVE
    enum: ROWS_GREEDY
    enum: ROWS_TRIANGLE
    enum: ROWS_PAD

include "rows/types.pxi"

cdef enum:
    QUICK = 128                    # lists up to this length take the fast path
    SLICE = 1 << 22                # values folded between looks at the signals


cdef int check(int status) except -1:
    # What the C functions return: 0, -1 for an exception that waits, -2 for no memory.
    if status == -2:
        raise MemoryError
    if status:
        raise_pending()
    return 0


# --- sums --------------------------------------------------------------------------------------------------------

def magnitude(const number[::1] x) -> object:
    """Sum of the absolute values: an exact int, or a float for float64."""
    cdef int64_t i, n = x.shape[0]
    cdef uint64_t low = 0, high = 0, a
    cdef double total = 0.0
    if number is double:
        with nogil:
            for i in range(n):
                total += x[i] if x[i] >= 0 else -x[i]
        return total
    else:
        with nogil:
            for i in range(n):
                a = <uint64_t>(<int64_t>x[i])
                a = (a ^ (0 - (a >> 63))) + (a >> 63)
                low += a & <uint64_t>0xFFFFFFFF
                high += a >> 32
        return (int(high) << 32) + int(low)


# --- the O(n^2) games on one row ---------------------------------------------------------------------------------

cdef number* scratch(const number[::1] x) except NULL:
    # Two arrays of n + ROWS_PAD elements, to be freed: the cells, then a copy of the row; vector code reads past both.
    cdef int64_t n = x.shape[0]
    cdef number* d = <number*>calloc(2 * (n + ROWS_PAD), sizeof(number))
    if d == NULL:
        raise MemoryError
    memcpy(d + n + ROWS_PAD, &x[0], n * sizeof(number))
    return d


def cells(int mode, const number[::1] x, int64_t length, bint plain=False) -> list:
    """V, my total with me to move, of the intervals of ``length`` values, from the leftmost on: at most three of them.

    ``plain``: by the scalar twin of the vector kernel.
    """
    cdef int64_t n = x.shape[0], L, i
    cdef number* d
    cdef number* row
    cdef rows_poll poll
    cdef int status = 0
    poll.work = 0
    if length <= 0:
        return [0] * min(3, n + 1)
    d = scratch(x)
    row = d + n + ROWS_PAD
    try:
        with nogil:
            L = begin(row, d, n, length)
            if plain:
                advance_plain(mode, row, d, n, L, length)
            else:
                status = advance(mode, row, d, n, L, length, NULL, &poll)
        check(status)
        return [d[i] for i in range(min(3, n - length + 1))]
    finally:
        free(d)


def line(int mode, bint late, const number[::1] x, uint8_t[::1] moves) -> list:
    """Fill ``moves`` with best play, me to move; give V of the intervals of n-2 values, as ``cells`` does.

    Ties of free choices go to the left end, with ``late`` to the right one. O(n) memory.
    """
    cdef int64_t n = x.shape[0], L, target, i, from_left = 0
    cdef number* d = scratch(x)
    cdef number* row = d + n + ROWS_PAD
    cdef uint8_t* choices = <uint8_t*>malloc(2 * ROWS_TRIANGLE * (2 * ROWS_TRIANGLE + 1))
    cdef rows_marks marks
    cdef rows_poll poll
    cdef int status
    cdef list top
    poll.work = 0
    rows_marks_start(&marks)
    try:
        if choices == NULL:
            raise MemoryError
        with nogil:
            L = begin(row, d, n, n)
            target = n - 2 if n - 2 > L else L
            status = rows_marks_reserve(&marks, 13 * (n + 256) * sizeof(number))
            if status == 0:
                status = rows_mark(&marks, L, d, (n - L + 1) * sizeof(number))
            if status == 0:
                status = advance(mode, row, d, n, L, target, &marks, &poll)
        check(status)
        top = [d[i] for i in range(min(3, n - target + 1))] if n > 2 else [0] * (n + 1)
        with nogil:
            if target > L:
                status = rows_mark(&marks, target, d, (n - target + 1) * sizeof(number))
            if status == 0:
                status = trace(mode, late, row, d, n, L, &moves[0], choices, &from_left, &marks, &poll)
        check(status)
        # What is left has one value or two, and its owner is me.
        if L == 2:
            moves[n - 2] = (row[from_left + 1] >= row[from_left]) if late else (row[from_left + 1] > row[from_left])
        moves[n - 1] = late
        return top
    finally:
        rows_marks_free(&marks)
        free(choices)
        free(d)


def table(int mode, const wide[::1] x, wide[:, ::1] out) -> None:
    """Fill the n x n table of the game; zeros below the main diagonal."""
    cdef rows_poll poll
    cdef int status
    poll.work = 0
    with nogil:
        status = fill_table(mode, &x[0], x.shape[0], &out[0, 0], &poll)
    check(status)


def batch(int mode, const number[:, ::1] rows, bint opponent_first, number[::1] mine, number[::1] total) -> None:
    """My total and the sum of every row, many rows at a time, one a lane."""
    cdef rows_poll poll
    cdef int status
    poll.work = 0
    with nogil:
        status = fill_batch(mode, &rows[0, 0], rows.shape[0], rows.shape[1], opponent_first, &mine[0], &total[0], &poll)
    check(status)


# --- the optimal game by folding ---------------------------------------------------------------------------------

def fold(const number[::1] x) -> tuple:
    """The difference for the side to move when both maximise, and a bound of the sum of |x| (infinite: not looked at).

    By vector rounds where the row has many peaks, by the stack alone elsewhere. Integers whose sum of |x| does not
    fit int64 give a number that means nothing, with a bound of 2**63 or more.
    """
    cdef int64_t n = x.shape[0], k, at, some
    cdef rows_fold_state state
    cdef int64_t* stack
    cdef int status = 0
    state.bound = 0.0
    state.skip = state.peaks = 0
    state.patience = 1
    if n == 0:
        return 0, 0.0
    stack = <int64_t*>malloc(n * sizeof(int64_t))
    if stack == NULL:
        raise MemoryError
    try:
        with nogil:
            k = at = 0
            while at < n:
                some = n - at if n - at < SLICE else SLICE
                if number is double:
                    k = push(<double*>stack, k, &x[at], some)
                elif number is int16_t:
                    k = rows_fold_i16(&x[at], some, stack, k, &state)
                elif number is int32_t:
                    k = rows_fold_i32(&x[at], some, stack, k, &state)
                else:
                    k = rows_fold_i64(&x[at], some, stack, k, &state)
                at += some
                if at < n and signals() != 0:
                    status = -1
                    break
        check(status)
        if number is double:
            return valley(<double*>stack, k), float("inf")
        else:
            return valley(stack, k), state.bound
    finally:
        free(stack)


def fold_plain(const exact[::1] x) -> object:
    """The difference by the stack alone: the scalar twin of ``fold``."""
    cdef int64_t n = x.shape[0], k
    cdef exact* stack
    cdef exact value
    if n == 0:
        return 0
    stack = <exact*>malloc(n * sizeof(exact))
    if stack == NULL:
        raise MemoryError
    with nogil:
        k = push(stack, 0, &x[0], n)
        value = valley(stack, k)
        free(stack)
    return value


def folded(const exact[::1] x, exact[::1] out) -> int:
    """The folded row in ``out``; how many values it has."""
    cdef int64_t k
    with nogil:
        k = push(&out[0], 0, &x[0], x.shape[0])
    return k


def fold_line(const exact[::1] x, uint8_t[::1] moves) -> None:
    """Fill ``moves`` with best play of both, ties to the left."""
    cdef int64_t n = x.shape[0]
    cdef exact* stack = <exact*>malloc(n * sizeof(exact))
    cdef int64_t* start = <int64_t*>malloc((n + 1) * sizeof(int64_t))
    try:
        if stack == NULL or start == NULL:
            raise MemoryError
        with nogil:
            line_of_fold(&x[0], n, stack, start, &moves[0])
    finally:
        free(stack)
        free(start)


# --- plays ---------------------------------------------------------------------------------------------------------

def greedy_line(const exact[::1] x, bint first_left, bint second_left, uint8_t[::1] moves) -> None:
    """Fill ``moves`` with both sides taking the larger end; on a tie the left one for a side whose flag is set."""
    cdef int64_t i = 0, j = x.shape[0] - 1, t
    cdef bint left
    with nogil:
        for t in range(j + 1):
            left = x[i] >= x[j] if (second_left if t & 1 else first_left) else x[i] > x[j]
            moves[t] = not left
            if left:
                i += 1
            else:
                j -= 1


def replay(const exact[::1] x, const uint8_t[::1] moves) -> tuple:
    """What the first and the second player take in a line of play."""
    cdef int64_t i = 0, j = x.shape[0] - 1, t
    cdef exact taken[2]
    taken[0] = taken[1] = 0
    with nogil:
        for t in range(j + 1):
            if moves[t]:
                taken[t & 1] += x[j]
                j -= 1
            else:
                taken[t & 1] += x[i]
                i += 1
    return taken[0], taken[1]


cdef exact explore(int mode, const exact* x, int64_t i, int64_t j, bint mine) noexcept nogil:
    # My total from here on, by trying every play (the source's full exploration); mode as everywhere.
    cdef exact a, b
    if i > j:
        return 0
    if mine:
        a = x[i] + explore(mode, x, i + 1, j, False)
        b = x[j] + explore(mode, x, i, j - 1, False)
        return a if a > b else b
    if mode == ROWS_GREEDY:
        if x[i] > x[j]:
            return explore(mode, x, i + 1, j, True)
        return explore(mode, x, i, j - 1, True)
    a = explore(mode, x, i + 1, j, True)
    b = explore(mode, x, i, j - 1, True)
    if mode == ROWS_OPTIMAL:
        return a if a < b else b
    return a if a > b else b


def full(int mode, const exact[::1] x, bint mine) -> object:
    """My total by full exploration: up to 2**n plays (2**(n/2) against a greedy opponent)."""
    cdef exact value
    with nogil:
        value = explore(mode, &x[0], 0, x.shape[0] - 1, mine)
    return value


# --- short lists, straight from Python -----------------------------------------------------------------------------

def quick(list values, int mode, bint opponent_first, bint ties_left) -> object:
    """``(mine, theirs)`` of a short list of Python ints; None when the list is anything else.

    The fast path: no array is made. The range is checked here: totals of at most 2**62.
    """
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
    if mode == ROWS_OPTIMAL:
        mine = valley(d, push(d, 0, x, n))
        mine = (total - mine) // 2 if opponent_first else (total + mine) // 2
        return mine, total - mine
    length = n
    if opponent_first:
        length = n - 1
        if mode == ROWS_GREEDY:
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
