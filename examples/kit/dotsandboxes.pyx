# Dots and boxes on 2x2 boxes. A game of points: who closes a box gets a point and moves again (the other passes).
NAME = "Dots and boxes"
RULES = """Players take turns and draw a line between two neighbouring dots.
Who closes a box gets a point and draws again: the other side passes.
The value is what the side to move gets more than the other."""
KIND = "score"

cdef enum:
    R = 2
    C = 2
    ACROSS = (R + 1) * C             # lines across come first, then lines down
    LINES = ACROSS + R * (C + 1)
    MOST_MOVES = LINES
    PASS = 255

cdef struct State:
    uint64_t drawn, must_pass

cdef inline void start(State* s) noexcept nogil:
    s.drawn = s.must_pass = 0

cdef inline int moves(const State* s, Move* out) noexcept nogil:
    cdef int line, count = 0
    if s.must_pass:
        out[0] = PASS
        return 1
    for line in range(LINES):
        if not s.drawn >> line & 1:
            out[count] = line
            count += 1
    return count

cdef inline int boxes(uint64_t drawn) noexcept nogil:
    cdef int r, c, count = 0
    cdef uint64_t box
    for r in range(R):
        for c in range(C):
            box = <uint64_t>1 << (r * C + c) | <uint64_t>1 << ((r + 1) * C + c)
            box |= <uint64_t>3 << (ACROSS + r * (C + 1) + c)
            count += drawn & box == box
    return count

cdef inline int play(State* s, Move line) noexcept nogil:
    cdef int before = boxes(s.drawn), closed
    if line != PASS:
        s.drawn |= <uint64_t>1 << line
    closed = boxes(s.drawn) - before
    s.must_pass = closed > 0 and s.drawn != (<uint64_t>1 << LINES) - 1
    return closed

cdef inline int result(const State* s) noexcept nogil:
    return 0 if s.drawn == (<uint64_t>1 << LINES) - 1 else ONGOING

cdef inline bint valid(const State* s) noexcept nogil:
    return s.drawn >> LINES == 0 and s.must_pass < 2

def write(state, move):
    return "pass" if move == PASS else str(move + 1)
