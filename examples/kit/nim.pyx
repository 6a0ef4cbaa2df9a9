# Nim with three piles.
NAME = "Nim"
RULES = """Players take turns and take one or more objects from one of three piles.
Whoever takes the last object wins."""

cdef enum:
    MOST = 7                        # objects in a pile
    MOST_MOVES = 3 * MOST

cdef struct State:
    uint32_t piles[3]

cdef inline void start(State* s) noexcept nogil:
    s.piles[0], s.piles[1], s.piles[2] = 3, 5, 7

cdef inline int moves(const State* s, Move* out) noexcept nogil:
    cdef int pile, count = 0
    cdef uint32_t number
    for pile in range(3):
        for number in range(1, s.piles[pile] + 1):
            out[count] = 16 * pile + number
            count += 1
    return count

cdef inline void play(State* s, Move move) noexcept nogil:
    s.piles[move // 16] -= move % 16

cdef inline int result(const State* s) noexcept nogil:
    return ONGOING if s.piles[0] + s.piles[1] + s.piles[2] else LOSS

cdef inline bint valid(const State* s) noexcept nogil:
    return s.piles[0] <= MOST and s.piles[1] <= MOST and s.piles[2] <= MOST

cdef inline Key key(const State* s) noexcept nogil:   # the order of the piles does not matter
    cdef uint64_t a = s.piles[0], b = s.piles[1], c = s.piles[2]
    cdef Key k
    k.a = min(a, b, c) << 32 | max(a, b, c)
    k.b = a + b + c
    return k

def write(state, move):
    return f"{move // 16 + 1}x{move % 16}"

def draw(state, mover):
    return "\n".join(f"{number}: {'|' * pile}" for number, pile in enumerate(state["piles"], 1))
