# The search: fail-soft alpha-beta over scores, driven by null windows.
#
# Contract of `search`: the result r is a proven bound of the true score s of the position.
#     r >= beta          s >= r
#     r <= alpha         s <= r
#     else               s == r
# If the watch has stopped, r is meaningless and must not be used; nothing unproven is stored.
from libc.stdint cimport int8_t, int16_t, uint8_t, uint16_t, uint64_t

from common.bits cimport ctz, popcount, prefetch
from common.watch cimport RESOLVED, RUNNING, Watch, stop_for, tick
from common.words cimport load_word, store_word
from hexapawn.board cimport (
    WIDE, CAPTURE_LEFT, CAPTURE_RIGHT, Geometry, attacks_down, make_canonical, pushes_up, stride_of, targets_of,
    turned, wins_at_once_down
)
from hexapawn.bounds cimport (
    MATE, beside, not_passed_down, not_passed_up, plies_to_lose, plies_to_win, race, row_of_highest, row_of_lowest,
    towards_child, towards_parent
)
from hexapawn.estimate cimport Columns, Estimates, estimate_child, read_columns, teach, weigh_columns
from hexapawn.entry cimport worth_of
from hexapawn.key cimport key_of
from hexapawn.order cimport History, Node, bring_best, find_history, learn, order_of, reward
from hexapawn.table cimport Table, bucket_of, table_probe, table_store

cdef enum:
    BUSY_BITS = 16                 # log2 of the entries of Engine.busy
    LOOK_UP_EVERY = 1024           # nodes between two checks of the path for resolved nodes
    SHARED_PLIES = 20              # threads coordinate within this distance of the root

cdef struct OnPath:
    # A node on the current path, and its window.
    const Node* node
    int alpha
    int beta

cdef struct Engine:
    Geometry g
    Table table
    Watch watch
    History history
    Estimates estimates
    uint8_t square[64]             # square numbers without gaps
    uint64_t* busy                 # marks of nodes that threads are searching, by hash; NULL with one thread
    Node* arena                    # stack of the children of all nodes on the current path
    OnPath[SHARED_PLIES + 1] path  # with several threads: the current path near the root
    uint64_t look_up_at            # node count of the next check of the path for resolved nodes
    uint64_t restart_at            # node count of the next restart (see value.pxd)


cdef struct Window:
    # The window of a node, and facts about the parent that save work for each child.
    int alpha
    int beta
    uint64_t not_passed            # squares where an own pawn would not be passed
    bint opp_passed                # the other side has a passed pawn
    bint opp_close                 # the other side has a pawn one step from its far row
    bint near                      # bounds of the distance can exceed this window


cdef inline void window_init(const Geometry* g, Window* w, uint64_t own, uint64_t opp, int alpha,
                             int beta) noexcept nogil:
    w.alpha = alpha
    w.beta = beta
    w.not_passed = not_passed_up(g, opp)
    w.opp_passed = (opp & ~not_passed_down(g, own)) != 0
    w.opp_close = (opp & g.before_home) != 0
    w.near = MATE - 1 - max(alpha, -beta) <= 2 * g.rows


cdef inline void make_key(const Engine* e, Node* node) noexcept nogil:
    cdef uint64_t own = node.own, opp = node.opp
    make_canonical(&e.g, &own, &opp)
    node.key = key_of(&e.table.packing, &e.g, own, opp)


cdef inline int add_child(Engine* e, const Window* w, Node* child, uint64_t own, uint64_t opp, uint64_t source,
                          uint64_t to, int* best) noexcept nogil:
    # 1 if the move must be searched; 0 if its static bounds decide against the window, then *best is raised to the
    # proven bound.
    cdef const Geometry* g = &e.g
    cdef int mate = MATE
    cdef int low = 2 - mate, high = mate - 1
    cdef int moves
    cdef bint capture = (opp & to) != 0
    cdef uint64_t own_up = (own ^ source) | to
    cdef uint64_t opp_up = opp & ~to
    cdef uint64_t free_down = (opp_up >> stride_of(g)) & ~(own_up | opp_up)
    if w.opp_close and wins_at_once_down(g, own_up, opp_up):
        best[0] = max(best[0], 2 - mate)
        return 0
    if free_down == 0 and (attacks_down(g, opp_up) & own_up) == 0:
        best[0] = mate - 1
        return 0
    child.own = turned(g, opp_up)
    child.opp = turned(g, own_up)
    if w.near:
        high = mate - plies_to_win(g, row_of_lowest(g, opp_up), popcount(pushes_up(g, own_up, opp_up)))
        low = plies_to_lose(g, g.rows - 1 - row_of_highest(g, own_up), popcount(free_down)) - mate
    # After a push, only opposing pawns beside the pawn can become passed.
    moves = 0
    if capture or w.opp_passed or opp_up & beside(g, to):
        moves = race(g, child.own, child.opp, child.own & ~not_passed_up(g, child.opp), True)
    if moves:
        low = mate - (2 * moves - 1)
    else:
        moves = race(g, own_up, opp_up, own_up & ~(not_passed_up(g, opp_up) if capture else w.not_passed), False)
        if moves:
            high = min(high, 2 * moves - mate)
    if towards_parent(high) >= w.beta:
        best[0] = max(best[0], towards_parent(high))
        return 0
    if towards_parent(low) <= w.alpha:
        best[0] = max(best[0], towards_parent(low))
        return 0
    child.low = <int16_t>low
    child.high = <int16_t>high
    make_key(e, child)
    prefetch(bucket_of(&e.table, &child.key))
    return 1


cdef inline int expand(Engine* e, const Node* node, Node* children, int alpha, int beta, int* best) noexcept nogil:
    # Generate the children that must be searched; stop as soon as *best reaches beta.
    cdef const Geometry* g = &e.g
    cdef Window window
    cdef uint64_t own = node.own, opp = node.opp
    cdef uint64_t targets, to
    cdef int16_t ply = node.ply + 1
    cdef int kind, step, n = 0
    window_init(g, &window, own, opp, alpha, beta)
    for kind in range(3):
        targets = targets_of(g, own, opp, kind, &step)
        while targets:
            to = targets & (0 - targets)
            targets ^= to
            if add_child(e, &window, children + n, own, opp, to >> step, to, best):
                children[n].to = <int8_t>ctz(to)
                children[n].kind = <int8_t>kind
                children[n].ply = ply
                children[n].deferred = False
                children[n].code = <int16_t>(1 + 3 * e.square[ctz(to)] + kind)
                n += 1
            elif best[0] >= beta:
                return 0
    return n


cdef inline int probe_children(Engine* e, Node* children, int n, int alpha, int beta, int* best) noexcept nogil:
    # Probe the table for all children before any is searched; return how many remain.  A child that reaches beta ends
    # the node, a child that cannot raise alpha is removed.
    cdef int i, low, high, kept = 0
    for i in range(n):
        low = children[i].low
        high = children[i].high
        if table_probe(&e.table, &children[i].key, &low, &high):
            if towards_parent(high) >= beta:
                best[0] = max(best[0], towards_parent(high))
                reward(&e.history, children + i)
                return 0
            if towards_parent(low) <= alpha:
                best[0] = max(best[0], towards_parent(low))
                continue
            children[i].low = <int16_t>low
            children[i].high = <int16_t>high
        if children[i].high < 0:
            children[i].order += 500
        if kept < i:
            children[kept] = children[i]
        kept += 1
    return kept


cdef inline void order_children(Engine* e, const Node* node, Node* children, int n) noexcept nogil:
    cdef const Geometry* g = &e.g
    cdef bint estimating = e.estimates.weights != NULL and n > 1
    cdef Columns before
    cdef int i, source, target
    if estimating:  # the parent in the children's view
        read_columns(g, &before, turned(g, node.opp), turned(g, node.own))
        weigh_columns(&e.estimates, g, &before)
    for i in range(n):
        find_history(&e.history, g, children + i, node)
        children[i].order = order_of(&e.history, g, node.own, node.opp, children + i)
        if estimating:
            target = children[i].to & 7 if not WIDE else children[i].to % g.stride
            source = target + (children[i].kind == CAPTURE_LEFT) - (children[i].kind == CAPTURE_RIGHT)
            children[i].order -= (5 * estimate_child(&e.estimates, g, &before, children[i].own, children[i].opp,
                                                     source, target)) >> 3


# All threads share the table and run the whole search.  Near the root a thread defers moves that another thread is
# searching (ABDADA, Weill 1996, simplified).  Marks are hints: a lost or false mark only costs time.

cdef inline uint64_t mark_of(const Node* node) noexcept nogil:
    # The upper bits come from `left`; `right` has few bits on small boards.
    return node.key.left << 17 ^ node.key.right


cdef inline bint mark_or_defer(Engine* e, Node* child, bint may_defer) noexcept nogil:
    # Defer the child, at most once, if another thread is searching it (True); mark it otherwise.
    cdef uint64_t* mark = e.busy + (mark_of(child) >> (64 - BUSY_BITS))
    if child.ply > SHARED_PLIES:
        return False
    if load_word(mark) == mark_of(child) and may_defer and not child.deferred:
        child.deferred = True
        child.order -= 1 << 20
        return True
    store_word(mark, mark_of(child))
    return False


cdef inline void unmark(Engine* e, const Node* child) noexcept nogil:
    cdef uint64_t* mark = e.busy + (mark_of(child) >> (64 - BUSY_BITS))
    if child.ply <= SHARED_PLIES and load_word(mark) == mark_of(child):
        store_word(mark, 0)


cdef inline bint is_redundant(Engine* e, const Node* node, int alpha, int beta) noexcept nogil:
    # True if another thread has resolved an ancestor, so that this subtree is redundant.  The search stops and restarts
    # (search_with_restarts in value.pxd), which costs little.
    cdef int ply, low, high
    cdef OnPath* above
    e.path[node.ply] = OnPath(node, alpha, beta)
    if e.watch.nodes < e.look_up_at:
        return False
    e.look_up_at = e.watch.nodes + LOOK_UP_EVERY
    for ply in range(node.ply):
        above = e.path + ply
        low, high = above.node.low, above.node.high
        if table_probe(&e.table, &above.node.key, &low, &high):
            if low >= above.beta or high <= above.alpha or low >= high:
                return stop_for(&e.watch, RESOLVED)
    return False


cdef inline int search(Engine* e, const Node* node, Node* children, int alpha, int beta) noexcept nogil:
    # The mover must have a move and must not reach the far row at once; `children` is the free part of the arena.
    #
    # Boards are never mirrored during the search: with one order of equal moves in the whole tree more transpositions
    # occur, which saves a third of the nodes.
    cdef int low = node.low, high = node.high
    cdef int best, score, i, n
    cdef uint64_t begun = e.watch.nodes
    if tick(&e.watch):
        return 0
    if table_probe(&e.table, &node.key, &low, &high):
        if low >= beta or low >= high:
            return low
        if high <= alpha:
            return high
    if e.busy != NULL and node.ply <= SHARED_PLIES and is_redundant(e, node, alpha, beta):
        return 0
    alpha = max(alpha, low)
    beta = min(beta, high)
    best = -MATE
    n = expand(e, node, children, alpha, beta, &best)
    if best >= beta:
        return best
    if n:
        order_children(e, node, children, n)  # before probing, while the prefetched buckets arrive
        n = probe_children(e, children, n, alpha, beta, &best)
    i = 0
    while i < n and best < beta:
        bring_best(children, i, n)
        if e.busy != NULL and mark_or_defer(e, children + i, i > 0 and i + 1 < n):
            continue
        score = towards_parent(search(e, children + i, children + n, towards_child(beta),
                                      towards_child(max(alpha, best))))
        if e.busy != NULL:
            unmark(e, children + i)
        if e.watch.stop != RUNNING:
            return 0
        best = max(best, score)
        i += 1
    if n:
        learn(&e.history, children, n, i, best >= beta)
        if e.estimates.weights != NULL:
            teach(&e.estimates, &e.g, node.own, node.opp, best >= beta)
    if best >= beta:
        low = max(low, best)
    else:                                       # best <= alpha: no score lies within a window
        high = min(high, best)
    table_store(&e.table, &node.key, low, high, worth_of(e.watch.nodes - begun))
    return min(max(best, low), high)
