# The L game (Edward de Bono): move the own L on 4 x 4 to other squares, then a neutral stone, or none. Who cannot loses.
CYCLES = True

cdef enum:
    MOST_MOVES = 48 * 33

cdef struct State:                 # bit 4 * row + column
    uint32_t mine, theirs, neutral

cdef uint32_t PLACES[48]           # of an L
spots = [[(x + right, y + up) for x, y in ((0, 0), (0, 1), (0, 2), (1, 2))] for right in range(3) for up in range(2)]
turns = [[((x, y)[t], (y, x)[t]) for x, y in spot] for spot in spots for t in (0, 1)]
found = {sum([1 << 4 * (y ^ b) + (x ^ a) for x, y in turn]) for turn in turns for a in (0, 3) for b in (0, 3)}
for k, place in enumerate(sorted(found)):
    PLACES[k] = place

cdef inline void start(State* s) noexcept nogil:
    s.mine, s.theirs, s.neutral = 0x0226, 0x6440, 0x1008

cdef inline int moves(const State* s, Move* out) noexcept nogil:
    # 33 times the place, and 0 or one more than the square where the lower, or 16 more, the upper neutral stone goes.
    cdef int k, square, count = 0
    for k in range(48):
        if PLACES[k] != s.mine and PLACES[k] & (s.theirs | s.neutral) == 0:
            out[count] = 33 * k
            count += 1
            for square in range(16):
                if not (PLACES[k] | s.theirs | s.neutral) >> square & 1:
                    out[count], out[count + 1] = 33 * k + 1 + square, 33 * k + 17 + square
                    count += 2
    return count

cdef inline void play(State* s, Move move) noexcept nogil:
    cdef int which = move % 33
    cdef uint32_t lower = s.neutral & (0 - s.neutral)
    if which:
        s.neutral = (s.neutral ^ lower if which <= 16 else lower) | <uint32_t>1 << (which - 1) % 16
    s.mine, s.theirs = s.theirs, PLACES[move // 33]

cdef inline int result(const State* s) noexcept nogil:
    cdef int k
    for k in range(48):
        if PLACES[k] != s.mine and PLACES[k] & (s.theirs | s.neutral) == 0:
            return ONGOING
    return LOSS

cdef inline uint64_t key(const State* s) noexcept nogil:
    return <uint64_t>s.mine << 32 | s.theirs << 16 | s.neutral
