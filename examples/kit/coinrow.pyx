# The coin row: take the leftmost or the rightmost coin. A game of points.
NAME = "Coin row"
RULES = """Players take turns and take the leftmost or the rightmost coin of a row.
The value is what the side to move takes more than the other."""
KIND = "score"

cdef enum:
    N = 12
    MOST_MOVES = 2

cdef int[12] COINS = [5, 7, 9, 1, 4, 2, 8, 3, 6, 10, 12, 11]

cdef struct State:
    uint64_t first, end            # the coins that are left: first <= k < end

cdef inline void start(State* s) noexcept nogil:
    s.first, s.end = 0, N

cdef inline int moves(const State* s, Move* out) noexcept nogil:
    out[0], out[1] = 0, 1
    return 2 if s.end - s.first > 1 else 1

cdef inline int play(State* s, Move move) noexcept nogil:
    if move:
        s.end -= 1
        return COINS[s.end]
    s.first += 1
    return COINS[s.first - 1]

cdef inline int result(const State* s) noexcept nogil:
    return ONGOING if s.first < s.end else 0

cdef inline bint valid(const State* s) noexcept nogil:
    return s.first <= s.end <= N

def write(state, move):
    return "LR"[move]

def draw(state, mover):
    return " ".join(str(COINS[k]) for k in range(state["first"], state["end"])) or "-"
