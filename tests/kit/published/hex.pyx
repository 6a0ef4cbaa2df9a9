# Hex on N x N. The board is transposed after each move: the side to move joins the lower and the upper edge.
cdef enum:
    N = 4
    MOST_MOVES = N * N

cdef struct State:                 # bit N * row + column
    uint32_t mine, theirs

cdef uint32_t LEFT = ((1 << N * N) - 1) // ((1 << N) - 1)
cdef uint32_t RIGHT = LEFT << N - 1

cdef inline void start(State* s) noexcept nogil:
    s.mine = s.theirs = 0

cdef inline int moves(const State* s, Move* out) noexcept nogil:
    cdef int square, count = 0
    for square in range(N * N):
        if not (s.mine | s.theirs) >> square & 1:
            out[count] = square
            count += 1
    return count

cdef inline uint32_t transposed(uint32_t men) noexcept nogil:
    cdef uint32_t found = 0
    cdef int square
    for square in range(N * N):
        found |= (men >> square & 1) << square % N * N + square // N
    return found

cdef inline void play(State* s, Move move) noexcept nogil:
    cdef uint32_t mine = transposed(s.mine | <uint32_t>1 << move)
    s.mine, s.theirs = transposed(s.theirs), mine

cdef inline int result(const State* s) noexcept nogil:
    cdef uint32_t joined = 0, more = s.theirs & LEFT, right, left
    while more != joined:
        joined = more
        right, left = joined & ~RIGHT, joined & ~LEFT
        more |= s.theirs & (joined << N | joined >> N | right << 1 | left >> 1 | left << N - 1 | right >> N - 1)
    return LOSS if joined & RIGHT else ONGOING

cdef inline uint64_t key(const State* s) noexcept nogil:
    return <uint64_t>s.mine << 32 | s.theirs
