# Scores, and what can be said of a position without searching it.
#
# A score is MATE - plies for a win of the side to move and plies - MATE for a loss: larger is better, 0 never occurs.
from libc.stdint cimport int8_t, uint64_t

from common.bits cimport ctz, msb, popcount
from hexapawn.board cimport (
    WIDE, Geometry, attacks_down, has_move, pushes_up, stride_of, turned, wins_at_once
)

cdef extern from "simd/hexapawn.h":
    enum:
        MATE "GC_MATE"

cdef enum:
    LONGEST_8 = 121                # games that may last longer need the module hexapawn_wide, whose MATE is larger


cdef inline int towards_parent(int score) noexcept nogil:
    # A child's score as the score of the move that leads to it: the other side's, one ply longer.
    return -score - 1 if score < 0 else 1 - score


cdef inline int towards_child(int score) noexcept nogil:
    # The inverse, for the bounds of a window; 0 stays 0.
    return -score - 1 if score > 0 else 1 - score if score < 0 else 0


cdef inline int row_of_highest(const Geometry* g, uint64_t x) noexcept nogil:
    if not WIDE:
        return msb(x) >> 3
    else:
        return msb(x) // g.stride


cdef inline int row_of_lowest(const Geometry* g, uint64_t x) noexcept nogil:
    if not WIDE:
        return ctz(x) >> 3
    else:
        return ctz(x) // g.stride


# ---- passed pawns: those with no opposing pawn ahead of them in their own column or a neighbouring one

cdef inline uint64_t beside(const Geometry* g, uint64_t x) noexcept nogil:
    # The neighbours of x in its own row.
    return ((x & g.not_left) >> 1) | ((x & g.not_right) << 1)


cdef inline uint64_t not_passed_up(const Geometry* g, uint64_t opp) noexcept nogil:
    # The squares on which a pawn that moves up is not passed.
    cdef uint64_t x = opp >> stride_of(g)
    cdef int shift
    if not WIDE:
        x |= x >> 8
        x |= x >> 16
        x |= x >> 32
    else:
        shift = g.stride
        while shift < 64:
            x |= x >> shift
            shift += shift
    return x | beside(g, x)


cdef inline uint64_t not_passed_down(const Geometry* g, uint64_t own) noexcept nogil:
    # The same for pawns that move down.
    cdef uint64_t x = own << stride_of(g)
    cdef int shift
    if not WIDE:
        x |= x << 8
        x |= x << 16
        x |= x << 32
    else:
        shift = g.stride
        while shift < 64:
            x |= x << shift
            shift += shift
    return x | beside(g, x)


cdef inline uint64_t unstoppable(const Geometry* g, uint64_t own, uint64_t opp, uint64_t passed,
                                 int replies) noexcept nogil:
    # Which of `passed` (passed pawns of `own`) are still passed, with no race to lose, when `own` moves nothing else
    # and `opp` gets `replies` moves: 0 if `opp` could reach its far row in that time.  `opp` is given more than it has:
    # all its pawns move at once, through each other, and capture any number of times.
    cdef uint64_t wall = own & ~passed
    cdef uint64_t front = opp, reached = opp
    cdef int _
    for _ in range(replies):
        front = ((front >> stride_of(g)) & ~wall) | (attacks_down(g, front) & own)
        if front & g.home:
            return 0
        if front == 0:
            break
        reached |= front
    return passed & ~not_passed_up(g, reached)


cdef inline int race(const Geometry* g, uint64_t own, uint64_t opp, uint64_t passed,
                     bint own_moves_first) noexcept nogil:
    # The number of moves in which `own` wins by walking one of its passed pawns that nothing can stop, or 0 when none
    # is seen.  If `opp` runs out of moves on the way, the win comes only sooner.
    cdef uint64_t good
    cdef int top, moves
    if passed == 0:
        return 0
    top = row_of_highest(g, passed)
    moves = g.rows - 1 - top
    good = unstoppable(g, own, opp, passed, moves - own_moves_first)
    if good == 0:
        return 0
    if row_of_highest(g, good) == top:
        return moves
    # The foremost passed pawn could be stopped; the next one is slower, so count the replies that it leaves.
    top = row_of_highest(g, good)
    moves = g.rows - 1 - top
    good = unstoppable(g, own, opp, good, moves - own_moves_first)
    if good != 0 and row_of_highest(g, good) == top:
        return moves
    return 0


# ---- the length of the game

cdef inline int longest_game(const Geometry* g, uint64_t own, uint64_t opp) noexcept nogil:
    # No game from here lasts longer, in plies: every ply moves a pawn one row, and the last one may reach a far row.
    cdef int row, plies = 1
    cdef uint64_t line
    for row in range(g.rows):
        line = g.home << (row * stride_of(g))
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


# ---- bounds of the score

cdef inline void static_bounds(const Geometry* g, uint64_t own, uint64_t opp, int* low, int* high) noexcept nogil:
    # Proven bounds of the score of a position whose mover has a move but cannot reach the far row at once.
    cdef int mate = MATE
    cdef int stride = stride_of(g)
    cdef uint64_t empty = ~(own | opp)
    cdef uint64_t own_up, opp_up
    cdef int walk, moves
    walk = g.rows - 1 - row_of_highest(g, own)
    high[0] = mate - plies_to_win(g, walk, popcount((opp >> stride) & empty))
    walk = row_of_lowest(g, opp) if opp else g.rows
    low[0] = plies_to_lose(g, walk, popcount(pushes_up(g, own, opp))) - mate
    moves = race(g, own, opp, own & ~not_passed_up(g, opp), True)
    if moves:
        low[0] = mate - (2 * moves - 1)
        return
    own_up = turned(g, opp)
    opp_up = turned(g, own)
    moves = race(g, own_up, opp_up, own_up & ~not_passed_up(g, opp_up), False)
    if moves:
        high[0] = min(high[0], 2 * moves - mate)


cdef inline void bounds_of(const Geometry* g, uint64_t own, uint64_t opp, int* low, int* high) noexcept nogil:
    # Proven bounds of the score of any position.
    if (opp & g.home) or not has_move(g, own, opp):
        low[0] = high[0] = -MATE
    elif wins_at_once(g, own, opp):
        low[0] = high[0] = MATE - 1
    else:
        static_bounds(g, own, opp, low, high)
