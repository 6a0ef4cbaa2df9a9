# Othello on N x N: the value is the difference of discs at the end.
KIND = "score"

cdef enum:
    N = 4
    PASS = N * N
    MOST_MOVES = N * N

cdef struct State:                 # bit N * row + column
    uint64_t mine, theirs

cdef inline void start(State* s) noexcept nogil:
    cdef int middle = (N // 2 - 1) * (N + 1)
    s.mine = <uint64_t>1 << middle + 1 | <uint64_t>1 << middle + N
    s.theirs = <uint64_t>1 << middle | <uint64_t>1 << middle + N + 1

cdef inline uint64_t flipped(const State* s, int square) noexcept nogil:
    cdef int down, right, row, column
    cdef uint64_t found = 0, line
    for down in range(-1, 2):
        for right in range(-1, 2):
            line, row, column = 0, square // N + down, square % N + right
            while 0 <= row < N and 0 <= column < N and s.theirs >> N * row + column & 1:
                line |= <uint64_t>1 << N * row + column
                row, column = row + down, column + right
            if 0 <= row < N and 0 <= column < N and s.mine >> N * row + column & 1:
                found |= line
    return found

cdef inline int flips(const State* s, Move* out) noexcept nogil:
    cdef int square, count = 0
    for square in range(N * N):
        if not (s.mine | s.theirs) >> square & 1 and flipped(s, square):
            out[count] = square
            count += 1
    return count

cdef inline int moves(const State* s, Move* out) noexcept nogil:
    cdef int count = flips(s, out)
    if count == 0:
        out[0] = PASS
    return max(count, 1)

cdef inline int play(State* s, Move move) noexcept nogil:
    cdef uint64_t turned = 0 if move == PASS else flipped(s, move)
    cdef uint64_t mine = s.mine | turned | (0 if move == PASS else <uint64_t>1 << move)
    s.mine, s.theirs = s.theirs ^ turned, mine
    return 0  # points count at the end

cdef inline int result(const State* s) noexcept nogil:
    cdef Move some[MOST_MOVES]
    cdef State other
    other.mine, other.theirs = s.theirs, s.mine
    if flips(s, some) or flips(&other, some):
        return ONGOING
    return popcount(s.mine) - popcount(s.theirs)
