# Sim: colour the fifteen lines between six points in turn; who completes a triangle of his own colour loses.
cdef enum:
    MOST_MOVES = 15

cdef struct State:
    uint32_t mine, theirs

cdef uint32_t TRIANGLES[20]
pairs = [(a, b) for b in range(6) for a in range(b)]
corners = [(a, b, c) for c in range(6) for b in range(c) for a in range(b)]
for k, (a, b, c) in enumerate(corners):
    TRIANGLES[k] = sum([1 << pairs.index(pair) for pair in ((a, b), (a, c), (b, c))])

cdef inline void start(State* s) noexcept nogil:
    s.mine = s.theirs = 0

cdef inline int moves(const State* s, Move* out) noexcept nogil:
    cdef int line, count = 0
    for line in range(15):
        if not (s.mine | s.theirs) >> line & 1:
            out[count] = line
            count += 1
    return count

cdef inline void play(State* s, Move line) noexcept nogil:
    s.mine, s.theirs = s.theirs, s.mine | <uint32_t>1 << line

cdef inline int result(const State* s) noexcept nogil:
    cdef int k
    for k in range(20):
        if s.theirs & TRIANGLES[k] == TRIANGLES[k]:
            return WIN
    return ONGOING
