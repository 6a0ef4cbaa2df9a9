# Quixo on N x N, 3 or 4: take an own or a blank cube from the edge, push it in at another end of its row or column. The key
# is the smallest of the eight turned and mirrored boards.
CYCLES = True

cdef enum:
    N = 4
    EDGE = 4 * (N - 1)
    MOST_MOVES = 3 * EDGE

cdef struct State:                 # bit 4 * row + column; the side to move, and the other
    uint32_t mine, theirs

cdef struct Push:
    uint32_t cube, line, to        # the cube that is taken, those from there to the end, and that end
    int step                       # by which the others move towards the cube; negative: down

cdef uint32_t ROW = (1 << N) - 1, COLUMN = sum([1 << 4 * k for k in range(N)])
cdef uint32_t RISING = sum([1 << 5 * k for k in range(N)]), FALLING = sum([1 << 4 * k + N - 1 - k for k in range(N)])
cdef Push PUSHES[MOST_MOVES]       # from a square of the edge to the left, right, lower and upper end
cdef int pushes = 0
for row in range(N):
    for column in range(N):
        for end, step in ((4 * row, 1), (4 * row + N - 1, -1), (column, 4), (4 * N - 4 + column, -4)):
            cube = 4 * row + column
            if end != cube and (row in (0, N - 1) or column in (0, N - 1)):
                line = sum([1 << square for square in range(end, cube + step, step)])
                PUSHES[pushes] = Push(1 << cube, line, 1 << end, step)
                pushes += 1

cdef inline bint has(uint32_t cubes) noexcept nogil:        # a line of N
    cdef uint32_t rows = cubes & cubes >> 1 & cubes >> 2, columns = cubes & cubes >> 4 & cubes >> 8
    if N == 4:
        rows, columns = rows & cubes >> 3, columns & cubes >> 12
    return rows & COLUMN or columns & ROW or cubes & RISING == RISING or cubes & FALLING == FALLING

cdef inline void start(State* s) noexcept nogil:
    s.mine = s.theirs = 0

cdef inline int moves(const State* s, Move* out) noexcept nogil:
    cdef int k, count = 0
    for k in range(pushes):
        if not s.theirs & PUSHES[k].cube:
            out[count] = k
            count += 1
    return count

cdef inline uint32_t pushed(uint32_t cubes, const Push* p) noexcept nogil:
    # Shift the cubes between the end and the one that is taken.
    cdef uint32_t others = cubes & p.line & ~p.cube
    return cubes & ~p.line | (others << p.step if p.step > 0 else others >> -p.step)

cdef inline void play(State* s, Move move) noexcept nogil:
    cdef const Push* p = &PUSHES[move]
    s.mine, s.theirs = pushed(s.theirs, p), pushed(s.mine, p) | p.to

cdef inline int result(const State* s) noexcept nogil:
    # A line of the side that did not move last counts first.
    return WIN if has(s.mine) else LOSS if has(s.theirs) else ONGOING

cdef uint64_t FOUR = 0x0001000100010001   # boards at once: both, and both turned over

cdef inline uint64_t flipped(uint64_t b) noexcept nogil:    # rows in the other order
    b = b >> 8 & 0x00FF * FOUR | (b & 0x00FF * FOUR) << 8
    b = b >> 4 & 0x0F0F * FOUR | (b & 0x0F0F * FOUR) << 4
    return b >> 4 * (4 - N)

cdef inline uint64_t transposed(uint64_t b) noexcept nogil:
    cdef uint64_t t = (b ^ b >> 3) & 0x0A0A * FOUR
    b ^= t ^ t << 3
    t = (b ^ b >> 6) & 0x00CC * FOUR
    return b ^ t ^ t << 6

cdef inline uint32_t smaller(uint64_t images) noexcept nogil:
    return min(<uint32_t>(images >> 32), <uint32_t>images)

cdef inline uint64_t key(const State* s) noexcept nogil:
    cdef uint64_t images = s.mine << 16 | s.theirs, others
    images |= flipped(images) << 32
    others = transposed(images)
    images = <uint64_t>smaller(images) << 32 | smaller(others)
    others = flipped(others)
    return min(smaller(images), min(smaller(others), smaller(transposed(others))))
