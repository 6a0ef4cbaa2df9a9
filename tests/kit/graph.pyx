# Walk through a random graph: one compiled file is many games with cycles.
CYCLES = True

cdef enum:
    MOST_MOVES = 4

cdef struct State:
    uint32_t graph, size, place

cdef inline uint32_t drawn(const State* s, uint32_t what) noexcept nogil:
    cdef uint64_t x = (<uint64_t>s.graph << 20 | s.place << 4 | what) * <uint64_t>0x9e3779b97f4a7c15
    x = (x ^ x >> 31) * <uint64_t>0xd6e8feb86659fd93
    return x >> 33

cdef inline void start(State* s) noexcept nogil:
    s.graph, s.size, s.place = 1, 30, 0

cdef inline int moves(const State* s, Move* out) noexcept nogil:
    cdef int i, count = 1 + drawn(s, 0) % 4
    for i in range(count):
        out[i] = 9000 * i + 1
    return count

cdef inline void play(State* s, Move move) noexcept nogil:
    s.place = drawn(s, 1 + move // 9000) % s.size

cdef inline int result(const State* s) noexcept nogil:
    cdef int end = drawn(s, 5) % 16 if s.place else 15
    return LOSS if end < 2 else WIN if end == 2 else DRAW if end == 3 else ONGOING

cdef inline uint64_t key(const State* s) noexcept nogil:
    return <uint64_t>s.graph << 32 | s.place

cdef inline bint valid(const State* s) noexcept nogil:
    return s.place < s.size
