# The search: fail-soft alpha-beta over scores, driven by null windows.
#
# Contract of `search`: the result r is a proven bound of the true score s of the position.
#     r >= beta          s >= r
#     r <= alpha         s <= r
#     else               s == r
# When the watch has stopped, r means nothing and is not to be used; nothing unproven is stored.

cdef enum:
    TAKE_LEFT = 0
    TAKE_RIGHT = 1
    PUSH = 2
    HISTORY_FULL = 8192
    BUSY_BITS = 16                 # log2 of the entries of Engine.busy
    SHARED_PLIES = 20              # threads look out for each other so far from the root

cdef struct Child:
    uint64_t own                   # of the side that moves next
    uint64_t opp
    uint64_t key_own               # the same or its mirror image: the table's key
    uint64_t key_opp
    uint64_t hash
    int16_t low                    # proven bounds of its score, from its mover's side
    int16_t high
    int8_t to                      # the move that leads to it, on the parent's board
    int8_t kind
    int16_t ply                    # moves from the root
    bint deferred                  # another thread was searching it: it comes last
    int16_t code                   # the move as a number from 1; 0 before the first one
    int32_t order                  # higher is searched first
    uint32_t pattern               # where its success is remembered
    uint32_t reply

cdef struct Engine:
    Geometry g
    Table table
    Watch watch
    int16_t* patterns              # success of a move by the pattern around it, -HISTORY_FULL..HISTORY_FULL
    int16_t* replies               # and by the other side's move before it
    int pattern_shift              # 64 - log2(size)
    int codes                      # replies has codes * codes entries
    uint8_t square[64]             # squares of the board, numbered without gaps
    uint64_t* busy                 # what each thread is searching, by hash; NULL when there is one thread
    Child* arena                   # children of the nodes on the current path, one after another


cdef inline int towards_parent(int score) noexcept nogil:
    # A child's score as the score of the move that leads to it: the other side's, one ply longer.
    return -score - 1 if score < 0 else 1 - score


cdef inline int towards_child(int score) noexcept nogil:
    # The inverse, for the bounds of a window; 0 stays 0.
    return -score - 1 if score > 0 else 1 - score if score < 0 else 0


# ---- move ordering

cdef inline uint64_t rotated(uint64_t x, int n) noexcept nogil:
    return (x >> n) | (x << (-n & 63))


cdef inline uint32_t pattern_of(const Engine* e, uint64_t own, uint64_t opp, int to, int kind,
                                Layout tag) noexcept nogil:
    # A move is remembered by all that stands in its column and the neighbouring ones, wherever on the board these are.
    cdef const Geometry* g = &e.g
    cdef int row = to >> 3 if Layout is int8_t else to // g.stride
    cdef int col = to - row * stride_of(g, tag)
    cdef int edge = (col == 0) + 2 * (col == g.cols - 1)
    cdef uint64_t x = rotated(own & g.near[col], col) * <uint64_t>0x9E3779B97F4A7C15
    x ^= (rotated(opp & g.near[col], col) + 0x1234567) * <uint64_t>0xC2B2AE3D27D4EB4F
    x ^= <uint64_t>(4 * row + kind + 256 * edge) * <uint64_t>0xD6E8FEB86659FD93
    x ^= x >> 31
    return <uint32_t>((x * <uint64_t>0xBF58476D1CE4E5B9) >> e.pattern_shift)


cdef inline void remember(Engine* e, Child* child, const Child* node, Layout tag) noexcept nogil:
    # Where the success of this move, played in the position of node, is kept.
    child.pattern = pattern_of(e, node.own, node.opp, child.to, child.kind, tag)
    child.reply = <uint32_t>(node.code * e.codes + child.code)


cdef inline void praise(Engine* e, const Child* child) noexcept nogil:
    e.patterns[child.pattern] += (HISTORY_FULL - e.patterns[child.pattern]) >> 4
    e.replies[child.reply] += (HISTORY_FULL - e.replies[child.reply]) >> 4


cdef inline void blame(Engine* e, const Child* child, int rate) noexcept nogil:
    e.patterns[child.pattern] -= (e.patterns[child.pattern] + HISTORY_FULL) >> rate
    e.replies[child.reply] -= (e.replies[child.reply] + HISTORY_FULL) >> rate


cdef inline int order_of(const Engine* e, uint64_t own, uint64_t opp, const Child* child, Layout tag) noexcept nogil:
    # What has been good before; captures; moves that leave the other side few captures and few pushes that cannot
    # be taken.  Equally good moves go from right to left: any fixed direction will do.
    cdef const Geometry* g = &e.g
    cdef uint64_t to = <uint64_t>1 << child.to
    cdef int col = child.to & 7 if Layout is int8_t else child.to % g.stride
    cdef uint64_t safe = pushes_up(g, child.own, child.opp, tag) & ~steps_down(g, child.opp, tag)
    cdef int order = 10 * col + (((e.patterns[child.pattern] + e.replies[child.reply]) * 25) >> 6)
    order -= 150 * (popcount(safe) + popcount(takes_left(g, child.own, child.opp, tag))
                    + popcount(takes_right(g, child.own, child.opp, tag)))
    if child.kind != PUSH:
        order += 1000
    else:
        if (takes_left(g, to, opp, tag) | takes_right(g, to, opp, tag)) != 0:
            order += 10 if steps_down(g, to, tag) & own else -100
        if pushes_up(g, to, 0, tag) & opp:
            order += 20
    return order


# ---- one node

cdef inline uint64_t targets_of(const Geometry* g, uint64_t own, uint64_t opp, int kind, int* step,
                                Layout tag) noexcept nogil:
    if kind == TAKE_LEFT:
        step[0] = stride_of(g, tag) - 1
        return takes_left(g, own, opp, tag)
    if kind == TAKE_RIGHT:
        step[0] = stride_of(g, tag) + 1
        return takes_right(g, own, opp, tag)
    step[0] = stride_of(g, tag)
    return pushes_up(g, own, opp, tag)


cdef inline void make_key(const Engine* e, Child* child, Layout tag) noexcept nogil:
    child.key_own = child.own
    child.key_opp = child.opp
    make_canonical(&e.g, &child.key_own, &child.key_opp, tag)
    child.hash = position_hash(child.key_own, child.key_opp)


cdef struct Outlook:
    # What the children of a node have in common, so that most of them need not be looked at closely.
    int alpha
    int beta
    uint64_t shadow                # shadow of opp: no runner of ours stands there
    bint opp_runs                  # the other side has a runner
    bint opp_close                 # it has a pawn one step from the end
    bint near                      # distances to the end can decide against this window


cdef inline void look_out(const Geometry* g, Outlook* o, uint64_t own, uint64_t opp, int alpha, int beta,
                          Layout tag) noexcept nogil:
    o.alpha = alpha
    o.beta = beta
    o.shadow = shadow(g, opp, tag)
    o.opp_runs = (opp & ~shadow_above(g, own, tag)) != 0
    o.opp_close = (opp & g.before_home) != 0
    o.near = mate_of(tag) - 1 - max(alpha, -beta) <= 2 * g.rows


cdef inline int add_child(Engine* e, const Outlook* o, Child* child, uint64_t own, uint64_t opp, uint64_t source,
                          uint64_t to, int* best, Layout tag) noexcept nogil:
    # 1 when the move has to be searched, 0 when it is already known to be no better than alpha; in that case and
    # when it reaches beta, *best is raised to what is proven.
    cdef const Geometry* g = &e.g
    cdef int mate = mate_of(tag)
    cdef int low = 2 - mate, high = mate - 1
    cdef int moves
    cdef bint take = (opp & to) != 0
    cdef uint64_t own_up = (own ^ source) | to
    cdef uint64_t opp_up = opp & ~to
    cdef uint64_t free_down = (opp_up >> stride_of(g, tag)) & ~(own_up | opp_up)
    if o.opp_close and wins_at_once_down(g, own_up, opp_up, tag):
        best[0] = max(best[0], 2 - mate)
        return 0
    if free_down == 0 and (steps_down(g, opp_up, tag) & own_up) == 0:
        best[0] = mate - 1
        return 0
    child.own = turned(g, opp_up, tag)
    child.opp = turned(g, own_up, tag)
    if o.near:
        high = mate - plies_to_win(g, row_of_lowest(g, opp_up, tag), popcount(pushes_up(g, own_up, opp_up, tag)))
        low = plies_to_lose(g, g.rows - 1 - row_of_highest(g, own_up, tag), popcount(free_down)) - mate
    # A push uncovers no runner of the other side but one that it leaves beside the pawn.
    moves = 0
    if take or o.opp_runs or opp_up & beside(g, to):
        moves = race(g, child.own, child.opp, child.own & ~shadow(g, child.opp, tag), True, tag)
    if moves:
        low = mate - (2 * moves - 1)
    else:
        moves = race(g, own_up, opp_up, own_up & ~(shadow(g, opp_up, tag) if take else o.shadow), False, tag)
        if moves:
            high = min(high, 2 * moves - mate)
    if towards_parent(high) >= o.beta:
        best[0] = max(best[0], towards_parent(high))
        return 0
    if towards_parent(low) <= o.alpha:
        best[0] = max(best[0], towards_parent(low))
        return 0
    child.low = <int16_t>low
    child.high = <int16_t>high
    make_key(e, child, tag)
    prefetch(bucket_of(&e.table, child.hash))
    return 1


cdef inline int expand(Engine* e, const Child* node, Child* children, int alpha, int beta, int* best,
                       Layout tag) noexcept nogil:
    # The children that have to be searched; stops as soon as *best reaches beta.
    cdef const Geometry* g = &e.g
    cdef Outlook outlook
    cdef uint64_t own = node.own, opp = node.opp
    cdef uint64_t targets, to
    cdef int16_t ply = node.ply + 1
    cdef int kind, step, n = 0
    look_out(g, &outlook, own, opp, alpha, beta, tag)
    for kind in range(3):
        targets = targets_of(g, own, opp, kind, &step, tag)
        while targets:
            to = targets & (0 - targets)
            targets ^= to
            if add_child(e, &outlook, children + n, own, opp, to >> step, to, best, tag):
                children[n].to = <int8_t>ctz(to)
                children[n].kind = <int8_t>kind
                children[n].ply = ply
                children[n].deferred = False
                children[n].code = <int16_t>(1 + 3 * e.square[ctz(to)] + kind)
                n += 1
            elif best[0] >= beta:
                return 0
    return n


cdef inline int look_up(Engine* e, const Child* node, Child* children, int n, int alpha, int beta, int* best,
                        Layout tag) noexcept nogil:
    # Ask the table about every child before any is searched: one that is lost for its mover ends the node, one that
    # cannot raise alpha goes.
    cdef int i, low, high, kept = 0
    for i in range(n):
        low = children[i].low
        high = children[i].high
        if table_probe(&e.table, children[i].key_own, children[i].key_opp, children[i].hash, &low, &high, tag):
            if towards_parent(high) >= beta:
                best[0] = max(best[0], towards_parent(high))
                praise(e, children + i)
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


cdef inline void bring_best(Child* children, int i, int n) noexcept nogil:
    # The first of the best of children i to n - 1 changes places with child i.
    cdef int j, top = i
    cdef Child swap
    for j in range(i + 1, n):
        if children[j].order > children[top].order:
            top = j
    if top != i:
        swap = children[i]
        children[i] = children[top]
        children[top] = swap


# Threads share the table and each does the whole search; near the root they try not to do the same part of it at the
# same time (ABDADA, Weill 1996, simplified): a move that another thread is searching goes to the end of the list.
# The marks are hints: a lost or a false one costs time only.

cdef inline bint taken(Engine* e, Child* child, bint may_wait) noexcept nogil:
    cdef uint64_t* mark = e.busy + (child.hash >> (64 - BUSY_BITS))
    if child.ply > SHARED_PLIES:
        return False
    if load_word(mark) == child.hash and may_wait and not child.deferred:
        child.deferred = True
        child.order -= 1 << 20
        return True
    store_word(mark, child.hash)
    return False


cdef inline void release(Engine* e, const Child* child) noexcept nogil:
    cdef uint64_t* mark = e.busy + (child.hash >> (64 - BUSY_BITS))
    if child.ply <= SHARED_PLIES and load_word(mark) == child.hash:
        store_word(mark, 0)


cdef int search(Engine* e, const Child* node, Child* children, int alpha, int beta, Layout tag) noexcept nogil:
    # The mover has a move and cannot reach the far row at once.
    #
    # The board is never exchanged for its mirror image on the way: the same order of equally good moves in every
    # part of the tree makes more positions meet again, which is worth a third of the nodes.
    cdef uint64_t own = node.own, opp = node.opp
    cdef int low = node.low, high = node.high
    cdef int best, score, i, n
    if tick(&e.watch):
        return 0
    if table_probe(&e.table, node.key_own, node.key_opp, node.hash, &low, &high, tag):
        if low >= beta or low >= high:
            return low
        if high <= alpha:
            return high
    alpha = max(alpha, low)
    beta = min(beta, high)
    best = -mate_of(tag)
    n = expand(e, node, children, alpha, beta, &best, tag)
    if best >= beta:
        return best
    for i in range(n):  # before the look-ups: meanwhile the table's lines arrive
        remember(e, children + i, node, tag)
        children[i].order = order_of(e, own, opp, children + i, tag)
    if n:
        n = look_up(e, node, children, n, alpha, beta, &best, tag)
    i = 0
    while i < n and best < beta:
        bring_best(children, i, n)
        if e.busy != NULL and taken(e, children + i, i > 0 and i + 1 < n):
            continue
        score = towards_parent(search(e, children + i, children + n, towards_child(beta),
                                      towards_child(max(alpha, best)), tag))
        if e.busy != NULL:
            release(e, children + i)
        if e.watch.stop != RUNNING:
            return 0
        best = max(best, score)
        i += 1
    if n:
        learn(e, children, n, i, best >= beta)
    if best >= beta:
        low = max(low, best)
    elif best <= alpha:
        high = min(high, best)
    else:
        low = best
        high = best
    table_store(&e.table, &e.g, node.key_own, node.key_opp, node.hash, low, high, tag)
    return min(max(best, low), high)


cdef inline void learn(Engine* e, const Child* children, int n, int searched, bint cut) noexcept nogil:
    # The last move searched made the cut and those before it did not; without a cut nothing was good.
    cdef int i
    if not cut:
        for i in range(n):
            blame(e, children + i, 6)
        return
    praise(e, children + searched - 1)
    for i in range(searched - 1):
        blame(e, children + i, 4)
