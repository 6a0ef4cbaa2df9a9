# Tic-tac-toe: three in a row.
NAME = "Tic-tac-toe"
RULES = """Players take turns and mark an empty square of a 3x3 board.
The first player with three in a row wins; a full board without is a draw."""

cdef enum:
    MOST_MOVES = 9

cdef struct State:
    uint64_t mine, theirs          # squares of the side to move, and of the other; bit 0 is a1

cdef inline void start(State* s) noexcept nogil:
    s.mine = s.theirs = 0

cdef inline int moves(const State* s, Move* out) noexcept nogil:
    cdef int square, count = 0
    for square in range(9):
        if not (s.mine | s.theirs) >> square & 1:
            out[count] = square
            count += 1
    return count

cdef inline void play(State* s, Move square) noexcept nogil:
    cdef uint64_t mine = s.mine | <uint64_t>1 << square
    s.mine, s.theirs = s.theirs, mine

cdef inline bint has(uint64_t squares, uint64_t line) noexcept nogil:
    return squares & line == line

cdef inline int result(const State* s) noexcept nogil:
    cdef int k
    for k in range(3):
        if has(s.theirs, <uint64_t>7 << 3 * k) or has(s.theirs, <uint64_t>0o111 << k):
            return LOSS
    if has(s.theirs, 0o421) or has(s.theirs, 0o124):
        return LOSS
    return DRAW if s.mine | s.theirs == 0o777 else ONGOING

cdef inline bint valid(const State* s) noexcept nogil:      # the text of a position may say anything
    return s.mine | s.theirs <= 0o777 and s.mine & s.theirs == 0

def write(state, move):
    return "abc"[move % 3] + "123"[move // 3]

def draw(state, mover):
    marks = ["XO"[mover] if state["mine"] >> k & 1 else "OX"[mover] if state["theirs"] >> k & 1 else "." for k in range(9)]
    return "\n".join(f"{r + 1} {' '.join(marks[3 * r : 3 * r + 3])}" for r in (2, 1, 0)) + "\n  a b c"
