# The caller's interface to the search: values, principal variations, single tests.
from libc.stdint cimport int8_t, int16_t, int64_t, uint64_t
from libc.stdlib cimport free, malloc

from common.bits cimport ctz, popcount
from common.watch cimport NODE_LIMIT, RESOLVED, RUNNING, watch_start
from hexapawn.board cimport (
    MAX_MOVES, Geometry, has_move, make_canonical, orient, square_of, targets_of, turned
)
from hexapawn.bounds cimport MATE, bounds_of, longest_game, towards_child
from hexapawn.key cimport Key, key_of
from hexapawn.order cimport Node
from hexapawn.search cimport Engine, make_key, order_children, search
from hexapawn.table cimport table_probe

cdef enum:                         # what is wanted besides the score, if anything:
    WINNER = -1                    # only the sign of the score
    LINE = 1                       # best play: a move that the table proves without a search, else the first best one
    FIRST_LINE = 2                 # the first best move, independent of the table

cdef enum:
    RESTART_AT = 1000              # nodes before the first restart of a search

cdef struct Step:
    int source                     # squares by the caller's number
    int target

cdef struct Proof:
    int winner                     # 1: the side to move wins, -1: it loses, 0: unknown
    int least                      # proven bounds of the plies to the end
    int most
    int longest                    # plies of the longest possible game
    Step* line
    int plies                      # length of the line


cdef inline int score_of(Engine* e, uint64_t own, uint64_t opp, int alpha, int beta) noexcept nogil:
    # `search` for any position, with the same contract.
    cdef Node node
    cdef int low, high
    bounds_of(&e.g, own, opp, &low, &high)
    if low >= beta or low >= high:
        return low
    if high <= alpha:
        return high
    node.own = own
    node.opp = opp
    node.low = <int16_t>low
    node.high = <int16_t>high
    node.code = 0
    node.ply = 0
    node.deferred = False
    make_key(e, &node)
    return search_with_restarts(e, &node, alpha, beta)


cdef inline int search_with_restarts(Engine* e, const Node* node, int alpha, int beta) noexcept nogil:
    # `search`, restarted at growing intervals if estimates order the moves, since the moves near the root were ordered
    # by untrained estimates.  The table keeps the results, so that restarts cost few nodes; they save a tenth of all.
    # With several threads, the search also restarts when another thread has resolved a node on the current path.
    cdef uint64_t limit = e.watch.node_limit
    cdef int score
    if e.estimates.weights == NULL and e.busy == NULL:
        return search(e, node, e.arena, alpha, beta)
    while True:
        if e.estimates.weights != NULL:
            e.watch.node_limit = min(limit, e.restart_at)
        e.watch.next_look = min(e.watch.next_look, e.watch.node_limit)
        score = search(e, node, e.arena, alpha, beta)
        e.watch.node_limit = limit
        if e.watch.stop == NODE_LIMIT and e.watch.nodes < limit:
            e.restart_at += e.restart_at // 2
        elif e.watch.stop != RESOLVED:
            return score
        e.watch.stop = RUNNING                  # other reasons to stop are found again at the next look


cdef inline void prove(Engine* e, uint64_t own, uint64_t opp, bint winner_only, int* low, int* high) noexcept nogil:
    # Find the winner, then, unless `winner_only`, the exact score by MTD(f) (Plaat 1996): null windows from slow to
    # quick wins, or from quick to slow losses.  Low and high are proven bounds at any time.
    cdef int score
    bounds_of(&e.g, own, opp, low, high)
    if low[0] == high[0]:
        return
    score = score_of(e, own, opp, -1, 1)
    if e.watch.stop != RUNNING:
        return
    if score > 0:
        low[0] = max(score, low[0])
    else:
        high[0] = min(score, high[0])
    while low[0] < high[0] and not winner_only:
        if low[0] > 0:
            score = score_of(e, own, opp, low[0], low[0] + 1)
            if e.watch.stop != RUNNING:
                return
            if score <= low[0]:
                high[0] = low[0]
            else:
                low[0] = score
        else:
            score = score_of(e, own, opp, high[0] - 1, high[0])
            if e.watch.stop != RUNNING:
                return
            if score >= high[0]:
                low[0] = high[0]
            else:
                high[0] = score


cdef inline void known_bounds(Engine* e, uint64_t own, uint64_t opp, int* low, int* high) noexcept nogil:
    # Bounds of a position's score without search: static and from the table.
    cdef Key key
    bounds_of(&e.g, own, opp, low, high)
    if low[0] < high[0]:
        make_canonical(&e.g, &own, &opp)
        key = key_of(&e.table.packing, &e.g, own, opp)
        table_probe(&e.table, &key, low, high)


cdef inline int known_high(Engine* e, uint64_t own, uint64_t opp) noexcept nogil:
    # An upper bound of the score without search.
    cdef int low, high
    known_bounds(e, own, opp, &low, &high)
    return high


cdef inline int generate(const Engine* e, uint64_t own, uint64_t opp, Node* children) noexcept nogil:
    # Write every move (at most MAX_MOVES), even if the other side is on its far row.  `ply` holds the move's step.
    cdef const Geometry* g = &e.g
    cdef uint64_t targets, to
    cdef int kind, step, n = 0
    for kind in range(3):
        targets = targets_of(g, own, opp, kind, &step)
        while targets:
            to = targets & (0 - targets)
            targets ^= to
            children[n].own = turned(g, opp & ~to)
            children[n].opp = turned(g, (own ^ (to >> step)) | to)
            children[n].to = <int8_t>ctz(to)
            children[n].kind = <int8_t>kind
            children[n].ply = <int16_t>step
            children[n].code = <int16_t>(1 + 3 * e.square[ctz(to)] + kind)
            n += 1
    return n


cdef inline bint step_to(Engine* e, uint64_t* own, uint64_t* opp, int score, bint may_search, Step* step,
                         bint black_moves) noexcept nogil:
    # Find and make a best move: the score after it, for the other side, is at most `score`.
    cdef Node children[MAX_MOVES]
    cdef Node* child
    cdef int i
    for i in range(generate(e, own[0], opp[0], children)):
        child = children + i
        if may_search:
            if score_of(e, child.own, child.opp, score, score + 1) > score or e.watch.stop != RUNNING:
                continue
        elif known_high(e, child.own, child.opp) > score:
            continue
        step.source = square_of(&e.g, child.to - child.ply, black_moves)
        step.target = square_of(&e.g, child.to, black_moves)
        own[0], opp[0] = child.own, child.opp
        return True
    return False


cdef inline void find_line(Engine* e, uint64_t own, uint64_t opp, int score, bint black_moves, Proof* proof,
                           bint first_best) noexcept nogil:
    # Find best play from a position of known score to the end; the line is shorter only if the watch stops.
    while not (opp & e.g.home) and has_move(&e.g, own, opp):
        score = towards_child(score)
        if first_best or not step_to(e, &own, &opp, score, False, proof.line + proof.plies, black_moves):
            if not step_to(e, &own, &opp, score, True, proof.line + proof.plies, black_moves):
                return
        proof.plies += 1
        black_moves = not black_moves


cdef inline Node* new_arena(const Geometry* g, uint64_t own, uint64_t opp) noexcept nogil:
    # Allocate room for the children of all positions on a path; NULL if there is no memory.
    cdef int moves = min(MAX_MOVES, 3 * max(popcount(own), popcount(opp)))
    return <Node*>malloc((longest_game(g, own, opp) + 2) * moves * sizeof(Node))


cdef inline bint solve_position(Engine* e, uint64_t white, uint64_t black, bint black_to_move, double seconds,
                                uint64_t nodes, int want, Proof* proof) noexcept nogil:
    # False if there is no memory; otherwise the caller frees proof.line.
    cdef uint64_t own, opp
    cdef int low, high
    cdef int mate = MATE
    watch_start(&e.watch, seconds, nodes)
    e.restart_at = RESTART_AT
    e.look_up_at = 0
    orient(&e.g, white, black, black_to_move, &own, &opp)
    proof.longest = longest_game(&e.g, own, opp)
    proof.plies = 0
    e.arena = new_arena(&e.g, own, opp)
    proof.line = <Step*>malloc((proof.longest + 2) * sizeof(Step))
    if e.arena == NULL or proof.line == NULL:
        free(e.arena)
        free(proof.line)
        return False
    prove(e, own, opp, want == WINNER, &low, &high)
    if low > 0:
        proof.winner = 1
        proof.least = mate - high
        proof.most = min(mate - low, proof.longest)
    elif high < 0:
        proof.winner = -1
        proof.least = mate + low
        proof.most = min(mate + high, proof.longest)
    else:
        proof.winner = 0
        proof.least = min(mate - high, mate + low)
        proof.most = proof.longest
    if want == WINNER and proof.most:  # what the table holds must not show
        proof.least, proof.most = 1, proof.longest
    elif low == high and want > 0:
        find_line(e, own, opp, low, black_to_move, proof, want == FIRST_LINE)
    free(e.arena)
    return True


# ---- for `gamecore prove`: single tests

cdef struct Test:
    int low                        # proven bounds of the score
    int high
    bint done                      # True if the bounds answer the test


cdef inline bint run_test(Engine* e, uint64_t own, uint64_t opp, int least, double seconds, uint64_t nodes,
                          Test* test) noexcept nogil:
    # Test whether the score is at least `least`.  False if there is no memory.  No score is from -1 to 1, so that such
    # tests all ask who wins.
    cdef int score, beta = 1 if -1 <= least <= 1 else least
    watch_start(&e.watch, seconds, nodes)
    e.restart_at = RESTART_AT
    e.look_up_at = 0
    known_bounds(e, own, opp, &test.low, &test.high)
    test.done = test.low >= beta or test.high < beta
    if test.done:
        return True
    e.arena = new_arena(&e.g, own, opp)
    if e.arena == NULL:
        return False
    score = score_of(e, own, opp, -1 if beta == 1 else beta - 1, beta)
    free(e.arena)
    if e.watch.stop != RUNNING:
        return True
    test.done = True
    if score >= beta:
        test.low = max(test.low, score)
    else:
        test.high = min(test.high, score)
    return True


cdef inline int list_children(Engine* e, uint64_t own, uint64_t opp, Node* children) noexcept nogil:
    # List every legal move with bounds of the child's score without search, and the search's ordering weight.
    cdef int i, low, high, n
    cdef Node node
    if opp & e.g.home:
        return 0
    node.own, node.opp, node.code = own, opp, 0
    n = generate(e, own, opp, children)
    order_children(e, &node, children, n)
    for i in range(n):
        known_bounds(e, children[i].own, children[i].opp, &low, &high)
        children[i].low, children[i].high = <int16_t>low, <int16_t>high
    return n
