# Boards as two 64-bit words, rules, and what can be said of a position without searching it.
#
# The side to move always moves up (towards higher bits): `own` is its pawns, `opp` the other side's.  After a move
# the board is turned upside down and the words change places.  Two layouts, chosen by the fused type `Layout`,
# whose only value is a tag that costs nothing:
#
#   int8_t   rows of 8 bits, whatever the number of columns: up to 8 rows and 8 columns.  Turning is a byte swap.
#
#               56 57 58 59 60 61 62 63      row 8   (a 5x3 board uses the lower left corner)
#                ...
#                8  9 10 11 12 13 14 15      row 2
#                0  1  2  3  4  5  6  7      row 1
#
#   int16_t  rows of `cols` bits, one after another: every other board (3x20, 20x3, 64x1), and games that may
#            last longer than a score of 8 bits can say.
#
# The tag's type is also the type of a score.  A score is MATE - plies for a win of the side to move and
# plies - MATE for a loss: larger is better, 0 never occurs.

cdef extern from "simd/hexapawn.h" nogil:
    void mirror_rows "gc_mirror_rows"(uint64_t a, uint64_t b, int shift, uint64_t* a_out, uint64_t* b_out) noexcept
    void load_pair "gc_load_pair"(const uint64_t* p, uint64_t* a, uint64_t* b) noexcept
    void store_pair "gc_store_pair"(uint64_t* p, uint64_t a, uint64_t b) noexcept
    uint64_t load_word "gc_load_word"(const uint64_t* p) noexcept
    void store_word "gc_store_word"(uint64_t* p, uint64_t a) noexcept
    bint pairs_are_whole "gc_pairs_are_whole"() noexcept

ctypedef fused Layout:
    int8_t
    int16_t

cdef enum:
    MAX_ROWS = 64
    MAX_COLS = 32
    MAX_MOVES = 96                 # at most three for each pawn and two for each square that is not its own: 76
    MATE_8 = 125
    MATE_16 = 8191
    LONGEST_8 = MATE_8 - 4         # games that may last longer need the other layout

cdef struct Geometry:
    int rows
    int cols
    int stride
    int turn_shift                 # int8_t: what a byte swap leaves below the board
    uint64_t board
    uint64_t goal                  # the far row of the side that moves up
    uint64_t before_goal
    uint64_t home                  # the far row of the other side
    uint64_t before_home
    uint64_t not_left              # all but the first column
    uint64_t not_right
    uint64_t column[MAX_COLS]
    uint64_t near[MAX_COLS]        # a column and its neighbours


cdef inline int stride_of(const Geometry* g, Layout tag) noexcept nogil:
    if Layout is int8_t:
        return 8
    else:
        return g.stride


cdef inline int mate_of(Layout tag) noexcept nogil:
    if Layout is int8_t:
        return MATE_8
    else:
        return MATE_16


cdef void geometry_init(Geometry* g, int rows, int cols, Layout tag) noexcept nogil:
    cdef int row, col, stride
    cdef uint64_t line
    g.rows = rows
    g.cols = cols
    g.stride = 8 if Layout is int8_t else cols
    g.turn_shift = 64 - 8 * rows
    stride = g.stride
    line = (<uint64_t>1 << cols) - 1
    g.home = line
    g.goal = line << (stride * (rows - 1))
    g.before_goal = line << (stride * (rows - 2))
    g.before_home = line << stride
    g.board = 0
    for col in range(cols):
        g.column[col] = 0
    for row in range(rows):
        g.board |= line << (stride * row)
        for col in range(cols):
            g.column[col] |= <uint64_t>1 << (stride * row + col)
    for col in range(cols):
        g.near[col] = g.column[col]
        if col > 0:
            g.near[col] |= g.column[col - 1]
        if col + 1 < cols:
            g.near[col] |= g.column[col + 1]
    g.not_left = ~g.column[0]
    g.not_right = ~g.column[cols - 1]


# ---- symmetries

cdef inline uint64_t turned(const Geometry* g, uint64_t x, Layout tag) noexcept nogil:
    # The board upside down: what is up for one side is down for the other.
    cdef uint64_t out
    cdef int row
    if Layout is int8_t:
        return bswap(x) >> g.turn_shift
    else:
        out = 0
        for row in range(g.rows):
            out = (out << (g.stride & 63)) | (x & g.home)
            x >>= g.stride & 63
        return out


cdef inline uint64_t mirrored(const Geometry* g, uint64_t x) noexcept nogil:
    # Left and right exchanged, in rows of any length.
    cdef int left = 0
    cdef int right = g.cols - 1
    cdef uint64_t out = x & g.column[right >> 1] if g.cols & 1 else 0
    while left < right:
        out |= ((x & g.column[left]) << (right - left)) | ((x & g.column[right]) >> (right - left))
        left += 1
        right -= 1
    return out


cdef inline void make_canonical(const Geometry* g, uint64_t* own, uint64_t* opp, Layout tag) noexcept nogil:
    # A position and its mirror image are one: keep the smaller.
    cdef uint64_t own_image, opp_image
    if Layout is int8_t:
        mirror_rows(own[0], opp[0], 8 - g.cols, &own_image, &opp_image)
    else:
        own_image = mirrored(g, own[0])
        opp_image = mirrored(g, opp[0])
    if own_image < own[0] or (own_image == own[0] and opp_image < opp[0]):
        own[0] = own_image
        opp[0] = opp_image


# ---- moves.  `up` is for the side that moves up, `down` for the other; left and right as on the board.

cdef inline uint64_t pushes_up(const Geometry* g, uint64_t own, uint64_t opp, Layout tag) noexcept nogil:
    return (own << stride_of(g, tag)) & ~(own | opp) & g.board


cdef inline uint64_t takes_left(const Geometry* g, uint64_t own, uint64_t opp, Layout tag) noexcept nogil:
    return ((own & g.not_left) << (stride_of(g, tag) - 1)) & opp


cdef inline uint64_t takes_right(const Geometry* g, uint64_t own, uint64_t opp, Layout tag) noexcept nogil:
    return ((own & g.not_right) << (stride_of(g, tag) + 1)) & opp


cdef inline uint64_t steps_down(const Geometry* g, uint64_t x, Layout tag) noexcept nogil:
    # Where captures downward from x may land.
    return ((x & g.not_right) >> (stride_of(g, tag) - 1)) | ((x & g.not_left) >> (stride_of(g, tag) + 1))


cdef inline bint wins_at_once(const Geometry* g, uint64_t own, uint64_t opp, Layout tag) noexcept nogil:
    cdef uint64_t last = own & g.before_goal
    if last == 0:
        return False
    return (pushes_up(g, last, own | opp, tag) | takes_left(g, last, opp, tag) | takes_right(g, last, opp, tag)) != 0


cdef inline bint wins_at_once_down(const Geometry* g, uint64_t own, uint64_t opp, Layout tag) noexcept nogil:
    # The same for `opp`, which moves down.
    cdef uint64_t last = opp & g.before_home
    if last == 0:
        return False
    return (((last >> stride_of(g, tag)) & ~(own | opp)) | (steps_down(g, last, tag) & own)) != 0


cdef inline bint has_move(const Geometry* g, uint64_t own, uint64_t opp, Layout tag) noexcept nogil:
    return (pushes_up(g, own, opp, tag) | takes_left(g, own, opp, tag) | takes_right(g, own, opp, tag)) != 0


cdef inline bint has_move_down(const Geometry* g, uint64_t own, uint64_t opp, Layout tag) noexcept nogil:
    return (((opp >> stride_of(g, tag)) & ~(own | opp)) | (steps_down(g, opp, tag) & own)) != 0


# ---- bounds without search

cdef inline int row_of_highest(const Geometry* g, uint64_t x, Layout tag) noexcept nogil:
    if Layout is int8_t:
        return msb(x) >> 3
    else:
        return msb(x) // g.stride


cdef inline int row_of_lowest(const Geometry* g, uint64_t x, Layout tag) noexcept nogil:
    if Layout is int8_t:
        return ctz(x) >> 3
    else:
        return ctz(x) // g.stride


cdef inline uint64_t beside(const Geometry* g, uint64_t x) noexcept nogil:
    # The neighbours of x in its own row.
    return ((x & g.not_left) >> 1) | ((x & g.not_right) << 1)


cdef inline uint64_t shadow(const Geometry* g, uint64_t opp, Layout tag) noexcept nogil:
    # Squares from which a pawn that moves up has an opposing pawn ahead in its own or a neighbouring column.
    cdef uint64_t x = opp >> stride_of(g, tag)
    cdef int shift
    if Layout is int8_t:
        x |= x >> 8
        x |= x >> 16
        x |= x >> 32
    else:
        shift = g.stride
        while shift < 64:
            x |= x >> shift
            shift += shift
    return x | beside(g, x)


cdef inline uint64_t shadow_above(const Geometry* g, uint64_t own, Layout tag) noexcept nogil:
    # The same for pawns that move down.
    cdef uint64_t x = own << stride_of(g, tag)
    cdef int shift
    if Layout is int8_t:
        x |= x << 8
        x |= x << 16
        x |= x << 32
    else:
        shift = g.stride
        while shift < 64:
            x |= x << shift
            shift += shift
    return x | beside(g, x)


cdef inline uint64_t unstoppable(const Geometry* g, uint64_t own, uint64_t opp, uint64_t runners, int replies,
                                 Layout tag) noexcept nogil:
    # Which of `runners` (pawns of `own` with nothing ahead now) still have nothing ahead, and no race to lose, when
    # `own` moves nothing else and `opp` gets `replies` moves: 0 if `opp` could reach its far row in that time.
    # `opp` is given more than it has: all its pawns move at once, through each other, and take any number of times.
    cdef uint64_t wall = own & ~runners
    cdef uint64_t front = opp, reached = opp
    cdef int i
    for i in range(replies):
        front = ((front >> stride_of(g, tag)) & ~wall) | (steps_down(g, front, tag) & own)
        if front & g.home:
            return 0
        if front == 0:
            break
        reached |= front
    return runners & ~shadow(g, reached, tag)


cdef inline int race(const Geometry* g, uint64_t own, uint64_t opp, uint64_t runners, bint own_moves_first,
                     Layout tag) noexcept nogil:
    # The number of moves in which `own` wins by walking one pawn that nothing can stop, or 0 when none is seen.
    # `opp` running out of moves on the way only makes the win come sooner.  runners: own & ~shadow(opp).
    cdef uint64_t good
    cdef int top, moves
    if runners == 0:
        return 0
    top = row_of_highest(g, runners, tag)
    moves = g.rows - 1 - top
    good = unstoppable(g, own, opp, runners, moves - own_moves_first, tag)
    if good == 0:
        return 0
    if row_of_highest(g, good, tag) == top:
        return moves
    # The foremost runner could be met; the next is slower, so give the replies their time again.
    top = row_of_highest(g, good, tag)
    moves = g.rows - 1 - top
    good = unstoppable(g, own, opp, good, moves - own_moves_first, tag)
    if good != 0 and row_of_highest(g, good, tag) == top:
        return moves
    return 0


cdef inline int longest_game(const Geometry* g, uint64_t own, uint64_t opp, Layout tag) noexcept nogil:
    # No game from here lasts longer, in plies: every ply moves a pawn one row, and the last one may reach a far row.
    cdef int row, plies = 1
    cdef uint64_t line
    for row in range(g.rows):
        line = g.home << (row * stride_of(g, tag))
        plies += popcount(own & line) * max(g.rows - 2 - row, 0) + popcount(opp & line) * max(row - 1, 0)
    return plies


cdef inline int plies_to_win(const Geometry* g, int rows_to_walk, int free_pawns) noexcept nogil:
    # A win of the side to move takes at least so many plies, for one that cannot reach the far row at once: until its
    # foremost pawn has walked, or until the other side, of whose pawns `free_pawns` can be pushed, is out of moves.
    # A ply takes at most two pawns' free squares ahead away (a capture takes one pawn and may stop another; a move
    # may leave the mover stopped and stop the pawn behind its new square).
    return min(max(2 * rows_to_walk - 1, 3), 2 * ((free_pawns + 5) >> 2) - 1)


cdef inline int plies_to_lose(const Geometry* g, int rows_to_walk, int free_pawns) noexcept nogil:
    # The same for a loss of a side to move that has a move; rows_to_walk is of the other side, free_pawns its own.
    return max(2, min(2 * rows_to_walk, 2 * ((free_pawns + 3) >> 2)))


cdef inline void static_bounds(const Geometry* g, uint64_t own, uint64_t opp, int* low, int* high,
                               Layout tag) noexcept nogil:
    # Proven bounds of the score of a position whose mover has a move but cannot reach the far row at once.
    cdef int mate = mate_of(tag)
    cdef int stride = stride_of(g, tag)
    cdef uint64_t empty = ~(own | opp)
    cdef uint64_t own_up, opp_up
    cdef int walk, moves
    walk = g.rows - 1 - row_of_highest(g, own, tag)
    high[0] = mate - plies_to_win(g, walk, popcount((opp >> stride) & empty))
    walk = row_of_lowest(g, opp, tag) if opp else g.rows
    low[0] = plies_to_lose(g, walk, popcount(pushes_up(g, own, opp, tag))) - mate
    moves = race(g, own, opp, own & ~shadow(g, opp, tag), True, tag)
    if moves:
        low[0] = mate - (2 * moves - 1)
        return
    own_up = turned(g, opp, tag)
    opp_up = turned(g, own, tag)
    moves = race(g, own_up, opp_up, own_up & ~shadow(g, opp_up, tag), False, tag)
    if moves:
        high[0] = min(high[0], 2 * moves - mate)
