# Domineering on N x N. The board is transposed after each move: the side to move puts dominoes upright. Who cannot loses.
cdef enum:
    N = 5
    MOST_MOVES = N * N

cdef struct State:                 # bit N * row + column
    uint64_t free

cdef inline void start(State* s) noexcept nogil:
    s.free = (<uint64_t>1 << N * N) - 1

cdef inline int moves(const State* s, Move* out) noexcept nogil:
    cdef int square, count = 0
    for square in range(N * N - N):
        if s.free >> square & s.free >> square + N & 1:
            out[count] = square
            count += 1
    return count

cdef inline void play(State* s, Move move) noexcept nogil:
    cdef uint64_t left = s.free & ~((<uint64_t>1 << N | 1) << move), found = 0
    cdef int square
    for square in range(N * N):
        found |= (left >> square & 1) << square % N * N + square // N
    s.free = found

cdef inline int result(const State* s) noexcept nogil:
    return ONGOING if s.free & s.free >> N else LOSS

cdef inline uint64_t key(const State* s) noexcept nogil:
    return s.free
