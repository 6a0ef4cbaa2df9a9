# Take objects from a heap, by rules that the state itself has: one compiled file serves many tests.
import os
KIND = os.environ.get("KIND", "outcome")

cdef extern from "unistd.h":
    int usleep(unsigned int) noexcept nogil

cdef enum:
    MOST_MOVES = 10000

cdef struct State:
    uint32_t left
    uint32_t choices     # most moves
    uint32_t power       # move k takes k objects to this power; 0: none; 3: moves are no numbers of 16 bits
    uint32_t sleep       # microseconds for the list of moves
    int32_t end          # the result
    int32_t even, odd    # points for each number of a move, while the heap is even or odd
    int32_t low, high    # bounds; 0 and 0: none
    uint32_t slow        # microseconds for a move
    uint32_t cells[100]  # they make the state large

cdef inline void start(State* s) noexcept nogil:
    s.left, s.choices, s.power, s.end = 900, 2, 1, LOSS

cdef inline uint32_t taken(const State* s, uint32_t move) noexcept nogil:
    return move * move if s.power == 2 else move if s.power else 0

cdef inline int moves(const State* s, Move* out) noexcept nogil:
    cdef uint32_t count = 0
    if s.sleep:
        usleep(s.sleep)
    while count < s.choices and taken(s, count + 1) <= s.left:
        out[count] = count + (65536 if s.power == 3 else 1)
        count += 1
    return count

cdef inline int play(State* s, Move move) noexcept nogil:
    cdef int gain = move * (s.odd if s.left & 1 else s.even)
    if s.slow:
        usleep(s.slow)
    s.left -= taken(s, move)
    return gain

cdef inline int result(const State* s) noexcept nogil:
    return ONGOING if s.left else s.end

cdef inline void bounds(const State* s, int* low, int* high) noexcept nogil:
    if s.low or s.high:
        low[0], high[0] = s.low, s.high

cdef inline Key key(const State* s) noexcept nogil:
    cdef Key k
    k.a, k.b = s.left, 0
    return k

def draw(state, mover):
    cdef int odd = state["odd"]
    return str(100 // odd)
