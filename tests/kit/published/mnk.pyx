# Put stones in turn on M columns and N rows; who first has K in a row, across, down or diagonally, wins.
cdef enum:
    M = 4
    N = 3
    K = 3
    MOST_MOVES = M * N

cdef struct State:                 # bit (M + 1) * row + column
    uint64_t mine, theirs

cdef int STEPS[4]
STEPS = [1, M, M + 1, M + 2]
cdef uint64_t BOARD = sum([((1 << M) - 1) << (M + 1) * row for row in range(N)])

cdef inline void start(State* s) noexcept nogil:
    s.mine = s.theirs = 0

cdef inline int moves(const State* s, Move* out) noexcept nogil:
    cdef int square, count = 0
    for square in range((M + 1) * N):
        if BOARD & ~(s.mine | s.theirs) & <uint64_t>1 << square:
            out[count] = square
            count += 1
    return count

cdef inline void play(State* s, Move move) noexcept nogil:
    s.mine, s.theirs = s.theirs, s.mine | <uint64_t>1 << move

cdef inline uint64_t open_ends(uint64_t stones, uint64_t free) noexcept nogil:     # free squares that complete a row
    cdef int step, k, gap
    cdef uint64_t found = 0, line
    for step in STEPS:
        for gap in range(K):
            line = free
            for k in range(K):
                if k != gap:
                    line &= stones << (gap - k) * step if gap > k else stones >> (k - gap) * step
            found |= line
    return found

cdef inline bint has(uint64_t stones) noexcept nogil:
    cdef int step, k
    cdef uint64_t line
    for step in STEPS:
        line = stones
        for k in range(1, K):
            line &= stones >> k * step
        if line:
            return True
    return False

cdef inline int result(const State* s) noexcept nogil:
    return LOSS if has(s.theirs) else DRAW if s.mine | s.theirs == BOARD else ONGOING

cdef inline void bounds(const State* s, int* low, int* high) noexcept nogil:
    cdef uint64_t free = BOARD & ~(s.mine | s.theirs)
    if open_ends(s.mine, free):
        low[0] = high[0] = WIN - 1
    elif popcount(open_ends(s.theirs, free)) > 1:
        low[0] = high[0] = LOSS + 2

cdef inline uint64_t key(const State* s) noexcept nogil:
    return s.mine << 32 | s.theirs
