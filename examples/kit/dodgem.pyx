# Dodgem on 3x3 (Colin Vout; "Winning Ways"): a game with cycles. The board is turned after each move, so that the side
# to move always moves up, leaves by the upper edge, and sees the other side leave to the right or to the left.
NAME = "Dodgem"
RULES = """Each side has cars on one edge of the board, and moves one of them one square forward or sideways, onto an
empty square; only forward does a car leave the board. Whoever has no car left wins. Who cannot move wins, too:
the other side must not block the way."""
CYCLES = True                      # a car may step back sideways: games without end are draws

cdef enum:
    N = 3
    MOST_MOVES = 3 * (N - 1)

cdef struct State:                 # bit N * row + column, row 0 at the bottom
    uint32_t mine, theirs, right   # theirs leave to the right (1) or to the left (0)

cdef inline void start(State* s) noexcept nogil:
    # The side to move goes up from the bottom row; the other one goes right from the left column.
    cdef int k
    s.mine = s.theirs = 0
    s.right = 1
    for k in range(1, N):
        s.mine |= 1 << k
        s.theirs |= 1 << N * k

cdef inline int moves(const State* s, Move* out) noexcept nogil:
    cdef int square, column, step, count = 0
    cdef uint32_t taken = s.mine | s.theirs
    for square in range(N * N):
        if s.mine >> square & 1:
            for step in range(3):            # left, forward, right
                column = square % N + step - 1
                if step == 1 and (square >= N * N - N or not taken >> square + N & 1):
                    out[count] = 4 * square + step
                    count += 1
                elif step != 1 and 0 <= column < N and not taken >> square + step - 1 & 1:
                    out[count] = 4 * square + step
                    count += 1
    return count

cdef inline uint32_t turned(uint32_t cars, bint right) noexcept nogil:
    # Turn the board so that what went right, or left, goes up.
    cdef uint32_t found = 0
    cdef int square
    for square in range(N * N):
        if cars >> square & 1:
            found |= 1 << ((square % N * N + N - 1 - square // N) if right else ((N - 1 - square % N) * N + square // N))
    return found

cdef inline void play(State* s, Move move) noexcept nogil:
    cdef int square = move // 4, step = move % 4
    cdef uint32_t mine = s.mine ^ <uint32_t>1 << square
    if step != 1:
        mine |= <uint32_t>1 << square + step - 1
    elif square < N * N - N:
        mine |= <uint32_t>1 << square + N
    s.mine, s.theirs = turned(s.theirs, s.right), turned(mine, s.right)
    s.right = not s.right

cdef inline int result(const State* s) noexcept nogil:
    cdef Move some[MOST_MOVES]
    return LOSS if not s.theirs else WIN if moves(s, some) == 0 else ONGOING

cdef inline bint valid(const State* s) noexcept nogil:
    return (s.mine | s.theirs) >> N * N == 0 and not s.mine & s.theirs and s.right < 2 and popcount(s.mine) < N
