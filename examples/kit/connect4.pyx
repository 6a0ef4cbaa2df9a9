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

cdef uint64_t BOTTOM = ((<uint64_t>1 << W * (H + 1)) - 1) // ((2 << H) - 1)
cdef uint64_t BOARD = BOTTOM * ((1 << H) - 1)

cdef inline uint64_t top(int column) noexcept nogil:
    return <uint64_t>1 << (column * (H + 1) + H - 1)

cdef inline bint along(uint64_t discs, int step) noexcept nogil:
    cdef uint64_t pairs = discs & discs >> step
    return pairs & pairs >> 2 * step != 0

cdef inline bint four(uint64_t discs) noexcept nogil:
    return along(discs, 1) or along(discs, H) or along(discs, H + 1) or along(discs, H + 2)

cdef inline uint64_t line(uint64_t d, int step) noexcept nogil:
    cdef uint64_t pairs = d << step & d << 2 * step, others = d >> step & d >> 2 * step
    return pairs & (d << 3 * step | d >> step) | others & (d << step | d >> 3 * step)

cdef inline uint64_t wins(uint64_t d, uint64_t all) noexcept nogil:    # empty squares that complete a line
    return (d << 1 & d << 2 & d << 3 | line(d, H) | line(d, H + 1) | line(d, H + 2)) & BOARD & ~all

cdef inline uint64_t playable(const State* s) noexcept nogil:
    return s.all + BOTTOM & BOARD

cdef inline uint64_t safe(const State* s) noexcept nogil:       # moves after which the other side does not win at once
    cdef uint64_t theirs = wins(s.mine ^ s.all, s.all), places = playable(s), forced = places & theirs
    if forced:
        places = 0 if forced & (forced - 1) else forced
    return places & ~(theirs >> 1)

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
    return DRAW if s.all == BOARD else ONGOING

cdef inline bint valid(const State* s) noexcept nogil:   # on the board, and no disc hangs in the air
    return s.mine & ~s.all == 0 and s.all & ~BOARD == 0 and s.all & (s.all + BOTTOM | BOTTOM << H) == 0

cdef inline void bounds(const State* s, int* low, int* high) noexcept nogil:
    cdef int left = W * H - popcount(s.all)
    if wins(s.mine, s.all) & playable(s):
        low[0] = high[0] = WIN - 1
    elif not safe(s):
        low[0] = high[0] = LOSS + 2
    else:
        high[0] = WIN - 3 if left > 2 else DRAW
        low[0] = LOSS + 4 if left > 3 else DRAW

cdef inline uint64_t key(const State* s) noexcept nogil:
    return s.mine + s.all + BOTTOM

cdef inline int order(const State* s, Move column) noexcept nogil:
    cdef uint64_t move = playable(s) & (<uint64_t>2 << H) - 1 << column * (H + 1)
    return 8 * popcount(wins(s.mine | move, s.all)) - abs(2 * column - W + 1)

def write(state, move):
    return "abcdefg"[move]

def draw(state, mover):                      # mover: 0 for who began, 1 for the other
    def disc(bit):
        return "XO"[mover ^ (not state["mine"] >> bit & 1)] if state["all"] >> bit & 1 else "."
    rows = [" ".join(disc(c * (H + 1) + r) for c in range(W)) for r in reversed(range(H))]
    return "\n".join([*rows, " ".join("abcdefg"[:W])])
