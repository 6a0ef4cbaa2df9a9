# Fox and hounds on the dark squares of a chessboard. The fox moves first and wants to reach the hounds' row, row 7; the
# hounds only go down, and want to shut it in. Hounds that cannot move have lost.
cdef enum:
    MOST_MOVES = 8

cdef struct State:                 # bit 8 * row + column
    uint64_t hounds
    uint32_t fox, hunted           # hunted: it is the hounds' turn

cdef inline void start(State* s) noexcept nogil:
    s.hounds, s.fox, s.hunted = <uint64_t>0xAA << 56, 2, 0

cdef inline int moves(const State* s, Move* out) noexcept nogil:
    # 64 times the direction, and the square: down and left, down and right, up and left, up and right.
    cdef int square, step, row, column, count = 0
    cdef uint64_t movers = s.hounds if s.hunted else <uint64_t>1 << s.fox
    for square in range(64):
        if movers >> square & 1:
            for step in range(2 if s.hunted else 4):
                row, column = square // 8 + (1 if step > 1 else -1), square % 8 + (1 if step & 1 else -1)
                if 0 <= row < 8 and 0 <= column < 8:
                    if not (s.hounds | <uint64_t>1 << s.fox) >> 8 * row + column & 1:
                        out[count] = 64 * step + square
                        count += 1
    return count

cdef inline void play(State* s, Move move) noexcept nogil:
    cdef int square = move % 64, step = move // 64
    cdef int to = square + (8 if step > 1 else -8) + (1 if step & 1 else -1)
    if s.hunted:
        s.hounds ^= <uint64_t>1 << square | <uint64_t>1 << to
    else:
        s.fox = to
    s.hunted ^= 1

cdef inline int result(const State* s) noexcept nogil:
    cdef Move some[MOST_MOVES]
    return LOSS if s.fox >= 56 or moves(s, some) == 0 else ONGOING
