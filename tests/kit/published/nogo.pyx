# NoGo on N x N: Go without captures and suicide. Who cannot move loses.
cdef enum:
    N = 4
    MOST_MOVES = N * N

cdef struct State:                 # bit N * row + column
    uint32_t mine, theirs

cdef uint32_t ALL = (1 << N * N) - 1
cdef uint32_t LEFT = ALL // ((1 << N) - 1)

cdef inline void start(State* s) noexcept nogil:
    s.mine = s.theirs = 0

cdef inline uint32_t beside(uint32_t stones) noexcept nogil:
    return (stones << N | stones >> N | (stones & ~LEFT) >> 1 | (stones & ~(LEFT << N - 1)) << 1) & ALL

cdef inline bint breathe(uint32_t stones, uint32_t free) noexcept nogil:      # all groups
    cdef uint32_t found = 0, more = stones & beside(free)
    while more != found:
        found = more
        more |= stones & beside(found)
    return found == stones

cdef inline int moves(const State* s, Move* out) noexcept nogil:
    cdef int square, count = 0
    cdef uint32_t stone, free = ALL & ~(s.mine | s.theirs)
    for square in range(N * N):
        stone = <uint32_t>1 << square
        if free & stone and breathe(s.mine | stone, free ^ stone) and breathe(s.theirs, free ^ stone):
            out[count] = square
            count += 1
    return count

cdef inline void play(State* s, Move move) noexcept nogil:
    s.mine, s.theirs = s.theirs, s.mine | <uint32_t>1 << move

cdef inline int result(const State* s) noexcept nogil:
    cdef Move some[MOST_MOVES]
    return LOSS if moves(s, some) == 0 else ONGOING

cdef inline uint64_t key(const State* s) noexcept nogil:
    return <uint64_t>s.mine << 32 | s.theirs
