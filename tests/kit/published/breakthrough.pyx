# Breakthrough on C columns and R rows. The board is turned after each move: the side to move goes up.
cdef enum:
    R = 5
    C = 5
    MOST_MOVES = 3 * R * C

cdef struct State:                 # bit C * row + column, row 0 at the bottom
    uint32_t mine, theirs

cdef uint32_t ROW = (1 << C) - 1
cdef uint32_t LEFT = ((1 << R * C) - 1) // ((1 << C) - 1)

cdef inline uint32_t ahead(uint32_t men, int step) noexcept nogil:       # 0: to the left, 1: straight, 2: to the right
    return (men & ~LEFT) << C - 1 if step == 0 else men << C if step == 1 else (men & ~(LEFT << C - 1)) << C + 1

cdef inline void start(State* s) noexcept nogil:
    s.mine = (1 << 2 * C) - 1
    s.theirs = s.mine << (R - 2) * C

cdef inline int moves(const State* s, Move* out) noexcept nogil:
    cdef int square, step, count = 0
    cdef uint32_t to
    for step in range(3):
        to = ahead(s.mine, step) & ~(s.mine | s.theirs if step == 1 else s.mine)
        for square in range(C, R * C):
            if to >> square & 1:
                out[count] = 3 * square + step
                count += 1
    return count

cdef inline uint32_t turned(uint32_t men) noexcept nogil:
    cdef uint32_t found = 0
    cdef int square
    for square in range(R * C):
        found = found << 1 | men >> square & 1
    return found

cdef inline void play(State* s, Move move) noexcept nogil:
    cdef int to = move // 3, square = to - C + 1 - move % 3
    cdef uint32_t mine = s.mine ^ <uint32_t>1 << square | <uint32_t>1 << to
    s.mine, s.theirs = turned(s.theirs & ~(<uint32_t>1 << to)), turned(mine)

cdef inline int result(const State* s) noexcept nogil:
    return LOSS if s.theirs & ROW or not s.mine else ONGOING

cdef inline void bounds(const State* s, int* low, int* high) noexcept nogil:
    cdef uint32_t near = s.theirs & ROW << C, reached = ahead(s.mine, 0) | ahead(s.mine, 2)
    if s.mine >> (R - 2) * C:
        low[0] = high[0] = WIN - 1
    elif near & ~reached or popcount(near) > 1:   # one that cannot be taken goes on
        high[0] = LOSS + 2
    else:
        high[0] = WIN - 3

cdef inline int order(const State* s, Move move) noexcept nogil:
    return 4 * (s.theirs >> move // 3 & 1) + move // 3 // C

cdef inline uint64_t key(const State* s) noexcept nogil:
    cdef uint32_t a = 0, b = 0
    cdef int row, k
    cdef uint64_t own = <uint64_t>s.mine << 32 | s.theirs
    for k in range(C):
        a |= (s.mine >> k & LEFT) << C - 1 - k
        b |= (s.theirs >> k & LEFT) << C - 1 - k
    return min(own, <uint64_t>a << 32 | b)
