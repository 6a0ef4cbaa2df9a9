# Scores, and bounds of a position's score without search.
#
# A score is MATE - plies for a win of the side to move and plies - MATE for a loss: larger is better, 0 never occurs.
# MATE is odd, so that scores of wins are even and those of losses odd (a win takes an odd number of plies): bounds are
# rounded by that (span_of). It exceeds the longest game by 4 at least: a null window around 0 has no score in it.
from libc.stdint cimport uint64_t

from common.bits cimport ctz, msb, popcount
from hexapawn.board cimport (
    WIDE, Geometry, attacks_down, has_move, pushes_up, stride_of, turned, wins_at_once
)

cdef extern from *:
    """
    #define GC_MATE (GC_WIDE ? 4095 : 125)
    """
    enum:
        MATE "GC_MATE"             # more than the plies of any game: at most 2977 on 64 squares

cdef enum:
    LONGEST_8 = 121                # longer games need hexapawn_wide, whose MATE is larger


cdef inline int towards_parent(int score) noexcept nogil:
    # Convert a child's score to the parent's: change sides and add one ply.
    return -score - 1 if score < 0 else 1 - score


cdef inline int towards_child(int score) noexcept nogil:
    # The inverse of towards_parent, for window bounds; 0 stays 0.
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


# ---- passed pawns: pawns with no opposing pawn ahead of them in their own or a neighbouring column

cdef inline uint64_t beside(const Geometry* g, uint64_t x) noexcept nogil:
    # The left and right neighbours of x.
    return ((x & g.not_left) >> 1) | ((x & g.not_right) << 1)


cdef inline uint64_t not_passed_up(const Geometry* g, uint64_t opp) noexcept nogil:
    # The squares where a pawn that moves up is not passed.
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
    # The pawns of `passed` (passed pawns of `own`) that stay passed for `replies` moves of `opp` while `own` moves no
    # other pawn; 0 if `opp` could reach its far row.  The estimate favours `opp`: all its pawns move at once, through
    # each other, and capture any number of times.
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
    # The number of moves in which `own` wins by an unstoppable passed pawn, or 0 if none is found.  It wins sooner if
    # `opp` runs out of moves.
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
    # The foremost passed pawn could be stopped; try the next one, which leaves `opp` more replies.
    top = row_of_highest(g, good)
    moves = g.rows - 1 - top
    good = unstoppable(g, own, opp, good, moves - own_moves_first)
    if good != 0 and row_of_highest(g, good) == top:
        return moves
    return 0


# ---- the length of the game

cdef inline int longest_game(const Geometry* g, uint64_t own, uint64_t opp) noexcept nogil:
    # An upper bound of the plies left: each ply moves a pawn one row, and only the last may reach a far row.
    cdef int row, plies = 1
    cdef uint64_t line
    for row in range(g.rows):
        line = g.home << (row * stride_of(g))
        plies += popcount(own & line) * max(g.rows - 2 - row, 0) + popcount(opp & line) * max(row - 1, 0)
    return plies


cdef inline int plies_to_win(const Geometry* g, int rows_to_walk, int free_pawns) noexcept nogil:
    # A lower bound of the plies of a win, for a mover that cannot reach the far row at once: its foremost pawn walks,
    # or the other side runs out of moves.  `free_pawns` of the other side's pawns can be pushed.  A ply ends at most
    # two such pushes: a capture takes one pawn and may block another; a move may be blocked itself and block the pawn
    # behind its new square.
    return min(max(2 * rows_to_walk - 1, 3), 2 * ((free_pawns + 5) >> 2) - 1)


cdef inline int plies_to_lose(const Geometry* g, int rows_to_walk, int free_pawns) noexcept nogil:
    # A lower bound of the plies of a loss, for a mover that has a move: rows_to_walk of the other side, own free_pawns.
    return max(2, min(2 * rows_to_walk, 2 * ((free_pawns + 3) >> 2)))


# ---- bounds of the score

cdef inline void static_bounds(const Geometry* g, uint64_t own, uint64_t opp, int* low, int* high) noexcept nogil:
    # Proven bounds of the score if the mover has a move but cannot reach the far row at once.
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
