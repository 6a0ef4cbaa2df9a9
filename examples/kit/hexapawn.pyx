# Hexapawn on 4x4: change R and C. The board is turned after each move, so that the side to move always moves up.
NAME = "Hexapawn"
name = "pawns"  # the command's word: gamecore has a game of the file's name
RULES = """Pawns step forward onto an empty square, or capture one square diagonally forward.
A player who reaches the far row wins; a player without a move loses."""

cdef enum:
    R = 4
    C = 4
    MOST_MOVES = 3 * C * R

cdef struct State:
    uint64_t mine, theirs

cdef inline uint64_t turned(uint64_t pawns) noexcept nogil:
    cdef uint64_t found = 0
    cdef int row
    for row in range(R):
        found = found << C | pawns >> row * C & (1 << C) - 1
    return found

cdef inline void start(State* s) noexcept nogil:
    s.mine, s.theirs = (1 << C) - 1, <uint64_t>((1 << C) - 1) << (R - 1) * C

cdef inline int moves(const State* s, Move* out) noexcept nogil:
    cdef int square, column, step, count = 0
    cdef uint64_t target
    cdef bint legal
    for square in range(R * C - C):
        if s.mine >> square & 1:
            for step in range(-1, 2):
                column = square % C + step
                target = <uint64_t>1 << square + C + step
                legal = s.theirs & target != 0 if step else (s.mine | s.theirs) & target == 0
                if legal and column >= 0 and column < C:
                    out[count] = 4 * square + step + 1
                    count += 1
    return count

cdef inline void play(State* s, Move move) noexcept nogil:
    cdef uint64_t target = <uint64_t>1 << move // 4 + C + move % 4 - 1
    cdef uint64_t mine = s.mine ^ <uint64_t>1 << move // 4 ^ target
    s.mine, s.theirs = turned(s.theirs & ~target), turned(mine)

cdef inline int result(const State* s) noexcept nogil:
    cdef Move some[MOST_MOVES]
    return LOSS if s.theirs & (1 << C) - 1 or moves(s, some) == 0 else ONGOING

cdef inline int order(const State* s, Move move) noexcept nogil:
    return move // 4 // C + (0 if move % 4 == 1 else 2)

cdef inline bint valid(const State* s) noexcept nogil:
    return (s.mine | s.theirs) >> R * C == 0 and s.mine & s.theirs == 0
