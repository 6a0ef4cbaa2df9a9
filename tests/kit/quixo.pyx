# Quixo on N x N: take an own or a blank cube from the edge, push it in at another end of its row or column. The key is the
# smallest of the eight turned and mirrored boards.
CYCLES = True

cdef enum:
    N = 4
    EDGE = 4 * (N - 1)
    MOST_MOVES = 3 * EDGE

cdef struct State:                 # bit N * row + column; the side to move, and the other
    uint32_t mine, theirs

cdef uint32_t ROW = (1 << N) - 1
cdef uint32_t COLUMN = ((1 << N * N) - 1) // ((1 << N) - 1)

cdef inline bint has(uint32_t cubes) noexcept nogil:        # a line of N
    cdef int k
    cdef uint32_t falling = 0, rising = 0
    for k in range(N):
        if cubes >> N * k & ROW == ROW or cubes >> k & COLUMN == COLUMN:
            return True
        falling |= <uint32_t>1 << (N + 1) * k
        rising |= <uint32_t>1 << (N - 1) * (k + 1)
    return cubes & falling == falling or cubes & rising == rising

cdef inline void start(State* s) noexcept nogil:
    s.mine = s.theirs = 0

cdef inline int moves(const State* s, Move* out) noexcept nogil:
    # The square, and where to push from: 0 left end, 1 right end, 2 bottom, 3 top.
    cdef int square, row, column, count = 0
    for square in range(N * N):
        row, column = square // N, square % N
        if (row in (0, N - 1) or column in (0, N - 1)) and not s.theirs >> square & 1:
            if column > 0:
                out[count] = 4 * square
                count += 1
            if column < N - 1:
                out[count] = 4 * square + 1
                count += 1
            if row > 0:
                out[count] = 4 * square + 2
                count += 1
            if row < N - 1:
                out[count] = 4 * square + 3
                count += 1
    return count

cdef inline uint32_t pushed(uint32_t cubes, int square, int end, uint32_t cube) noexcept nogil:
    # Shift the cubes between the square and the end by one, and put the cube there.
    cdef int step = 1 if end < 2 else N, at = square
    cdef int last = square // N * N if end == 0 else square // N * N + N - 1 if end == 1 else square % N if end == 2 else N * N - N + square % N
    while at != last:
        cubes &= ~(<uint32_t>1 << at)
        if end & 1:
            cubes |= (cubes >> at + step & 1) << at
            at += step
        else:
            cubes |= (cubes >> at - step & 1) << at
            at -= step
    return cubes & ~(<uint32_t>1 << at) | cube << at

cdef inline void play(State* s, Move move) noexcept nogil:
    cdef uint32_t mine = pushed(s.mine, move // 4, move % 4, 1)
    s.mine, s.theirs = pushed(s.theirs, move // 4, move % 4, 0), mine

cdef inline int result(const State* s) noexcept nogil:
    # A line of the side that did not move last counts first.
    return WIN if has(s.mine) else LOSS if has(s.theirs) else ONGOING

cdef inline uint32_t flipped(uint32_t b) noexcept nogil:
    cdef uint32_t found = 0
    cdef int row
    for row in range(N):
        found = found << N | b >> N * row & ROW
    return found

cdef inline uint32_t transposed(uint32_t b) noexcept nogil:
    cdef uint32_t t
    if N == 4:
        t = (b ^ b >> 3) & 0x0A0A
        b ^= t ^ t << 3
        t = (b ^ b >> 6) & 0x00CC
        return b ^ t ^ t << 6
    t = 0
    cdef int square
    for square in range(N * N):
        t |= (b >> square & 1) << square % N * N + square // N
    return t

cdef inline uint64_t key(const State* s) noexcept nogil:
    cdef uint32_t a = s.mine, b = s.theirs, c
    cdef uint64_t best = <uint64_t>a << 32 | b, other
    cdef int k
    for k in range(7):
        if k % 2:
            a, b = transposed(a), transposed(b)
        else:
            a, b = flipped(a), flipped(b)
        other = <uint64_t>a << 32 | b
        best = min(best, other)
    return best
