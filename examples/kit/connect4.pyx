# Connect four on 5 columns and 4 rows: change W and H for other boards.
NAME = "Connect four"
RULES = """Players take turns and drop a disc into a column.
The first player with four in a row, across, down or diagonally, wins.
A full board without four in a row is a draw."""

cdef enum:
    W = 5
    H = 4
    MOST_MOVES = W

cdef struct State:         # a column has H + 1 bits, lowest first
    uint64_t mine, all     # discs of the side to move, and of both

cdef inline uint64_t top(int column) noexcept nogil:
    return <uint64_t>1 << (column * (H + 1) + H - 1)

cdef inline bint along(uint64_t discs, int step) noexcept nogil:
    cdef uint64_t pairs = discs & discs >> step
    return pairs & pairs >> 2 * step != 0

cdef inline bint four(uint64_t discs) noexcept nogil:
    return along(discs, 1) or along(discs, H) or along(discs, H + 1) or along(discs, H + 2)

cdef inline void start(State* s) noexcept nogil:
    s.mine = s.all = 0

cdef inline int moves(const State* s, Move* out) noexcept nogil:
    cdef int column, count = 0
    for column in range(W):
        if not s.all & top(column):
            out[count] = column
            count += 1
    return count

cdef inline void play(State* s, Move column) noexcept nogil:
    s.mine ^= s.all
    s.all |= s.all + (<uint64_t>1 << column * (H + 1))

cdef inline int result(const State* s) noexcept nogil:
    if four(s.mine ^ s.all):
        return LOSS
    return DRAW if popcount(s.all) == W * H else ONGOING

cdef inline bint valid(const State* s) noexcept nogil:   # on the board, and no disc hangs in the air
    cdef uint64_t bottom = ((<uint64_t>1 << W * (H + 1)) - 1) // ((2 << H) - 1)
    return s.mine & ~s.all == 0 and s.all >> W * (H + 1) == 0 and s.all & (s.all + bottom | bottom << H) == 0

cdef inline int order(const State* s, Move column) noexcept nogil:
    return -abs(2 * column - W + 1)        # the middle first

def write(state, move):
    return "abcdefg"[move]

def draw(state, mover):                      # mover: 0 for who began, 1 for the other
    def disc(bit):
        return "XO"[mover ^ (not state["mine"] >> bit & 1)] if state["all"] >> bit & 1 else "."
    rows = [" ".join(disc(c * (H + 1) + r) for c in range(W)) for r in reversed(range(H))]
    return "\n".join([*rows, " ".join("abcdefg"[:W])])
