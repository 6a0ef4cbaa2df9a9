# Move ordering by two history heuristics, learnt during the search.
#
# One history is indexed by the pattern of pawns in the move's column and its neighbours, the other by the pair of the
# other side's last move and this move.  Threads that share a table share both; a change lost in a race is harmless.
from libc.stdint cimport int8_t, int16_t, int32_t, uint32_t, uint64_t

from common.bits cimport popcount
from common.words cimport load_weight, store_weight
from hexapawn.board cimport (
    WIDE, PUSH, Geometry, attacks_down, captures_left, captures_right, pushes_up, stride_of
)
from hexapawn.key cimport Key

cdef enum:
    HISTORY_FULL = 8192

cdef struct Node:
    uint64_t own                   # the position in its mover's view
    uint64_t opp
    Key key                        # key of the canonical position
    int16_t low                    # proven bounds of the score
    int16_t high
    int8_t to                      # target of the move to this node, on the parent's board
    int8_t kind
    int16_t ply                    # moves from the root
    bint deferred                  # put last, since another thread was searching it
    int16_t code                   # the move as a number from 1; 0 at the root
    int32_t order                  # children with a higher order are searched first
    uint32_t pattern               # indices in the histories
    uint32_t reply

cdef struct History:
    int16_t* patterns              # weight of a move by the pattern around it, -HISTORY_FULL to HISTORY_FULL
    int16_t* replies               # weight of a move by the other side's move before it
    int pattern_shift              # 64 - log2(entries of patterns)
    int codes                      # replies has codes * codes entries


cdef inline uint64_t rotated(uint64_t x, int n) noexcept nogil:
    return (x >> n) | (x << (-n & 63))


cdef inline uint32_t pattern_of(const History* h, const Geometry* g, uint64_t own, uint64_t opp, int to,
                                int kind) noexcept nogil:
    # A hash of the pawns in the target's column and its neighbours.
    cdef int row = to >> 3 if not WIDE else to // g.stride
    cdef int col = to - row * stride_of(g)
    cdef int edge = (col == 0) + 2 * (col == g.columns - 1)
    cdef uint64_t x = rotated(own & g.near[col], col) * <uint64_t>0x9E3779B97F4A7C15
    x ^= (rotated(opp & g.near[col], col) + 0x1234567) * <uint64_t>0xC2B2AE3D27D4EB4F
    x ^= <uint64_t>(4 * row + kind + 256 * edge) * <uint64_t>0xD6E8FEB86659FD93
    x ^= x >> 31
    return <uint32_t>((x * <uint64_t>0xBF58476D1CE4E5B9) >> h.pattern_shift)


cdef inline void find_history(const History* h, const Geometry* g, Node* child, const Node* node) noexcept nogil:
    # Set the history indices of the move from node to child.
    child.pattern = pattern_of(h, g, node.own, node.opp, child.to, child.kind)
    child.reply = <uint32_t>(node.code * h.codes + child.code)


cdef inline void raise_weight(int16_t* at) noexcept nogil:
    cdef int weight = load_weight(at)
    store_weight(at, weight + ((HISTORY_FULL - weight) >> 4))


cdef inline void lower_weight(int16_t* at, int rate) noexcept nogil:
    cdef int weight = load_weight(at)
    store_weight(at, weight - ((weight + HISTORY_FULL) >> rate))


cdef inline void reward(History* h, const Node* child) noexcept nogil:
    # The move to child caused a cutoff.
    raise_weight(h.patterns + child.pattern)
    raise_weight(h.replies + child.reply)


cdef inline void penalise(History* h, const Node* child, int rate) noexcept nogil:
    # The move to child caused no cutoff; a higher rate changes the weights less.
    lower_weight(h.patterns + child.pattern, rate)
    lower_weight(h.replies + child.reply, rate)


cdef inline void learn(History* h, const Node* children, int n, int searched, bint cut) noexcept nogil:
    # Update the histories after `searched` of n children; with a cutoff, the last one searched caused it.
    cdef int i
    if not cut:
        for i in range(n):
            penalise(h, children + i, 6)
        return
    reward(h, children + searched - 1)
    for i in range(searched - 1):
        penalise(h, children + i, 4)


cdef inline int order_of(const History* h, const Geometry* g, uint64_t own, uint64_t opp,
                         const Node* child) noexcept nogil:
    # Prefer moves with good histories, captures, and moves that leave the other side few captures and few safe pushes.
    # Ties go from right to left; any fixed direction works.
    cdef uint64_t to = <uint64_t>1 << child.to
    cdef int col = child.to & 7 if not WIDE else child.to % g.stride
    cdef uint64_t safe = pushes_up(g, child.own, child.opp) & ~attacks_down(g, child.opp)
    cdef int order = load_weight(h.patterns + child.pattern) + load_weight(h.replies + child.reply)
    order = 10 * col + ((25 * order) >> 6)
    order -= 150 * (popcount(safe) + popcount(captures_left(g, child.own, child.opp))
                    + popcount(captures_right(g, child.own, child.opp)))
    if child.kind != PUSH:
        order += 1000
    else:
        if (captures_left(g, to, opp) | captures_right(g, to, opp)) != 0:
            order += 10 if attacks_down(g, to) & own else -100
        if pushes_up(g, to, 0) & opp:
            order += 20
    return order


cdef inline void bring_best(Node* children, int i, int n) noexcept nogil:
    # Swap the best of children i to n - 1 (the first on ties) with child i.
    cdef int j, top = i
    cdef Node swap
    for j in range(i + 1, n):
        if children[j].order > children[top].order:
            top = j
    if top != i:
        swap = children[i]
        children[i] = children[top]
        children[top] = swap
