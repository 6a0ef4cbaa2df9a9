# Boards as two 64-bit words, and the rules of the game.
#
# The side to move always moves up (towards higher bits): `own` is its pawns, `opp` the other side's.  After a move
# the board is turned upside down and the words are exchanged.  There are two layouts, and two modules compiled from
# the same sources:
#
#   hexapawn        rows of 8 bits for any number of columns: up to 8 rows and 8 columns.  Turning is a byte swap.
#
#               56 57 58 59 60 61 62 63      row 8   (a 5x3 board uses the lower left corner)
#                ...
#                8  9 10 11 12 13 14 15      row 2
#                0  1  2  3  4  5  6  7      row 1
#
#   hexapawn_wide   rows of `columns` bits without gaps: all other boards (3x20, 20x3, 64x1), and games of
#                   more than 121 plies (see bounds.pxd).
from libc.stdint cimport uint64_t

from common.bits cimport bswap
from common.watch cimport Watch, tick

cdef extern from "simd/hexapawn.h" nogil:
    enum:
        WIDE "GC_WIDE"             # a constant: the compiler drops the other layout's code
    void mirror_rows "gc_mirror_rows"(uint64_t a, uint64_t b, int shift, uint64_t* a_out, uint64_t* b_out) noexcept

cdef enum:
    MAX_COLUMNS = 32
    MAX_MOVES = 96                 # more than the most moves of a position, 76

cdef enum:                         # kinds of a move
    CAPTURE_LEFT = 0
    CAPTURE_RIGHT = 1
    PUSH = 2

cdef struct Geometry:
    int rows
    int columns
    int stride                     # bits from a square to the one above it
    int turn_shift                 # hexapawn: the bits below the board after a byte swap
    uint64_t board
    uint64_t goal                  # the far row of the side that moves up
    uint64_t before_goal
    uint64_t home                  # the far row of the other side
    uint64_t before_home
    uint64_t not_left              # all columns except the first
    uint64_t not_right             # all columns except the last
    uint64_t column[MAX_COLUMNS]
    uint64_t near[MAX_COLUMNS]     # a column and its neighbours


cdef inline int stride_of(const Geometry* g) noexcept nogil:
    return g.stride if WIDE else 8


cdef inline void geometry_init(Geometry* g, int rows, int columns) noexcept nogil:
    cdef int row, col, stride
    cdef uint64_t line
    g.rows = rows
    g.columns = columns
    g.stride = columns if WIDE else 8
    g.turn_shift = 64 - 8 * rows
    stride = g.stride
    line = (<uint64_t>1 << columns) - 1
    g.home = line
    g.goal = line << (stride * (rows - 1))
    g.before_goal = line << (stride * (rows - 2))
    g.before_home = line << stride
    g.board = 0
    for col in range(columns):
        g.column[col] = 0
    for row in range(rows):
        g.board |= line << (stride * row)
        for col in range(columns):
            g.column[col] |= <uint64_t>1 << (stride * row + col)
    for col in range(columns):
        g.near[col] = g.column[col]
        if col > 0:
            g.near[col] |= g.column[col - 1]
        if col + 1 < columns:
            g.near[col] |= g.column[col + 1]
    g.not_left = ~g.column[0]
    g.not_right = ~g.column[columns - 1]


# ---- symmetries

cdef inline uint64_t turned(const Geometry* g, uint64_t x) noexcept nogil:
    # Turn the board upside down.
    cdef uint64_t out
    cdef int _
    if not WIDE:
        return bswap(x) >> g.turn_shift
    else:
        out = 0
        for _ in range(g.rows):
            out = (out << (g.stride & 63)) | (x & g.home)
            x >>= g.stride & 63
        return out


cdef inline uint64_t mirrored(const Geometry* g, uint64_t x) noexcept nogil:
    # Exchange left and right, in rows of any length.
    cdef int left = 0
    cdef int right = g.columns - 1
    cdef uint64_t out = x & g.column[right >> 1] if g.columns & 1 else 0
    while left < right:
        out |= ((x & g.column[left]) << (right - left)) | ((x & g.column[right]) >> (right - left))
        left += 1
        right -= 1
    return out


cdef inline void make_canonical(const Geometry* g, uint64_t* own, uint64_t* opp) noexcept nogil:
    # Replace a position by the smaller of itself and its mirror image.
    cdef uint64_t own_image, opp_image
    if not WIDE:
        mirror_rows(own[0], opp[0], 8 - g.columns, &own_image, &opp_image)
    else:
        own_image = mirrored(g, own[0])
        opp_image = mirrored(g, opp[0])
    if own_image < own[0] or (own_image == own[0] and opp_image < opp[0]):
        own[0] = own_image
        opp[0] = opp_image


# ---- moves.  `up`: of the side that moves up; `down`: of the other side; left and right are the board's.

cdef inline uint64_t pushes_up(const Geometry* g, uint64_t own, uint64_t opp) noexcept nogil:
    return (own << stride_of(g)) & ~(own | opp) & g.board


cdef inline uint64_t captures_left(const Geometry* g, uint64_t own, uint64_t opp) noexcept nogil:
    return ((own & g.not_left) << (stride_of(g) - 1)) & opp


cdef inline uint64_t captures_right(const Geometry* g, uint64_t own, uint64_t opp) noexcept nogil:
    return ((own & g.not_right) << (stride_of(g) + 1)) & opp


cdef inline uint64_t attacks_down(const Geometry* g, uint64_t x) noexcept nogil:
    # The squares diagonally below x, which x attacks.
    return ((x & g.not_right) >> (stride_of(g) - 1)) | ((x & g.not_left) >> (stride_of(g) + 1))


cdef inline uint64_t targets_of(const Geometry* g, uint64_t own, uint64_t opp, int kind, int* step) noexcept nogil:
    # The targets of moves of one kind; the source is `step` bits below the target.
    if kind == CAPTURE_LEFT:
        step[0] = stride_of(g) - 1
        return captures_left(g, own, opp)
    if kind == CAPTURE_RIGHT:
        step[0] = stride_of(g) + 1
        return captures_right(g, own, opp)
    step[0] = stride_of(g)
    return pushes_up(g, own, opp)


cdef inline bint has_move(const Geometry* g, uint64_t own, uint64_t opp) noexcept nogil:
    return (pushes_up(g, own, opp) | captures_left(g, own, opp) | captures_right(g, own, opp)) != 0


cdef inline bint wins_at_once(const Geometry* g, uint64_t own, uint64_t opp) noexcept nogil:
    # True if a pawn that moves up can reach the far row with its next move.
    cdef uint64_t last = own & g.before_goal
    if last == 0:
        return False
    return (pushes_up(g, last, own | opp) | captures_left(g, last, opp)
            | captures_right(g, last, opp)) != 0


cdef inline bint wins_at_once_down(const Geometry* g, uint64_t own, uint64_t opp) noexcept nogil:
    # The same for `opp`, which moves down.
    cdef uint64_t last = opp & g.before_home
    if last == 0:
        return False
    return (((last >> stride_of(g)) & ~(own | opp)) | (attacks_down(g, last) & own)) != 0


# ---- conversion from the caller's boards, where square (row, column) is bit row * columns + column

cdef inline uint64_t spread(const Geometry* g, uint64_t squares) noexcept nogil:
    # Convert the caller's squares to this layout.
    cdef uint64_t out = 0
    cdef uint64_t line = (<uint64_t>1 << g.columns) - 1
    cdef int row
    if not WIDE:
        for row in range(g.rows):
            out |= ((squares >> (row * g.columns)) & line) << (8 * row)
        return out
    else:
        return squares


cdef inline void orient(const Geometry* g, uint64_t white, uint64_t black, bint black_to_move, uint64_t* own,
                        uint64_t* opp) noexcept nogil:
    # Convert the caller's position to the mover's view.
    white = spread(g, white)
    black = spread(g, black)
    own[0] = turned(g, black) if black_to_move else white
    opp[0] = turned(g, white) if black_to_move else black


cdef inline int square_of(const Geometry* g, int square, bint black_moves) noexcept nogil:
    # Convert a square of the mover's view to the caller's number.
    cdef int row = square // stride_of(g)
    cdef int col = square - row * stride_of(g)
    return (g.rows - 1 - row if black_moves else row) * g.columns + col


cdef inline uint64_t count_sequences(const Geometry* g, Watch* watch, uint64_t own, uint64_t opp,
                                     int depth) noexcept nogil:
    # Count the sequences of `depth` moves (perft).
    cdef uint64_t targets, to, count = 0
    cdef int kind, step
    if depth == 0:
        return 1
    if opp & g.home or tick(watch):
        return 0
    for kind in range(3):
        targets = targets_of(g, own, opp, kind, &step)
        while targets:
            to = targets & (0 - targets)
            targets ^= to
            count += count_sequences(g, watch, turned(g, opp & ~to), turned(g, (own ^ (to >> step)) | to),
                                     depth - 1)
    return count
