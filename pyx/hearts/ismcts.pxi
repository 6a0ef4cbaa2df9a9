# Information-set Monte Carlo tree search with a single observer (Cowling, Powley and Whitehouse, IEEE TCIAIG 2012).
#
# One tree for all worlds: a node is the history of cards since the decision.  Each iteration draws a world, descends by
# UCB1 among the children that are legal in it, adds one node, and plays the rest out.  A child's exploration term
# counts the iterations in which it was legal (its availability), not the visits of its parent.  Each seat minimises its
# own points.
#
# It uses beliefs.pxi and learned.pxi.

cdef double EXPLORE = 0.4          # weight of the exploration term; points count as 1 / 26

cdef struct Tree:
    Node* nodes                    # 0 is the root
    int64_t used
    int64_t most
    int64_t path[52]               # nodes of this iteration, and the seats that played their cards
    int seat[52]
    int depth


cdef int64_t select(Tree* tree, int64_t at, uint64_t m, uint64_t* untried) noexcept nogil:
    # The best child whose card is in m, 0 if there is none; all of these become more available.
    cdef Node* child
    cdef int64_t i = tree.nodes[at].child, best = 0
    cdef double value, least = 1e9
    untried[0] = m
    while i:
        child = &tree.nodes[i]
        if child.card & m:
            untried[0] ^= child.card
            child.available += 1
            value = child.total / (26.0 * child.visits) - EXPLORE * sqrt(log(<double>child.available) / child.visits)
            if value < least:
                least = value
                best = i
        i = child.sibling
    return best


cdef int64_t add_child(Tree* tree, int64_t parent, uint64_t card) noexcept nogil:
    # The new node, 0 if the tree is full.
    cdef int64_t at = tree.used
    cdef Node* node
    if at == tree.most:
        return 0
    tree.used += 1
    node = &tree.nodes[at]
    node.card = card
    node.total = 0.0
    node.visits = 0
    node.available = 1
    node.child = 0
    node.sibling = tree.nodes[parent].child
    tree.nodes[parent].child = <uint32_t>at
    return at


cdef uint64_t descend(Tree* tree, const Rules* r, Table* t, uint64_t first, uint64_t stakes, Stream* g) noexcept nogil:
    # Play from the root to a new node, or to the end.  first: the cards to choose from at the root; returns the one
    # that was chosen.
    cdef int64_t at = 0, next
    cdef uint64_t m = first, untried, chosen = 0
    cdef uint32_t half
    tree.depth = 0
    while True:
        next = select(tree, at, m, &untried)
        if untried:
            half = <uint32_t>stream_next(g)
            m = nth(untried, bounded(&half, <uint32_t>popcount(untried)))
            next = add_child(tree, at, m)
        else:
            m = tree.nodes[next].card
        if not chosen:
            chosen = m
        if next:
            tree.path[tree.depth] = next
            tree.seat[tree.depth] = mover(t)
            tree.depth += 1
        play(t, m)
        if untried or t.count == 52 or (t.n == 0 and not stakes & ~t.played):
            return chosen
        at = next
        m = legal(r, t, t.hand[mover(t)])


cdef void tree_estimate(
    const Round* round, const Table* view, const Unseen* unseen, int me, uint64_t m, const Spec* spec, Stream* g,
    Estimate* out, Search* z, Watch* watch
) noexcept nogil:
    # Visits and points of each of the cards m.
    cdef const Rules* r = &round.rules
    cdef Table world = view[0], t
    cdef Beliefs beliefs
    cdef Tree tree
    cdef int8_t points[4]
    cdef int policies[4]
    cdef int i, k
    cdef int64_t j = 0, deadline = now_ns() + spec.nanoseconds if spec.nanoseconds else 0
    cdef uint64_t stakes = stakes_of(r), chosen
    cdef int steps = spec.infer if view.count else 0
    estimate_open(out, m)
    if out.cards == 1:
        return
    for i in range(4):
        policies[i] = spec.policy
    tree.nodes = z.nodes
    tree.used = 1
    tree.most = z.most_nodes
    tree.nodes[0].child = 0
    if steps:
        beliefs_start(&beliefs, round, me, spec.behaviour, unseen, g, &world)
    while (now_ns() < deadline or not j) if deadline else j < spec.playouts:
        if tick(watch):
            return
        draw_world(&beliefs, round, unseen, steps, g, &world)
        if steps and spec.policy == LINEAR:
            draw_policies(&beliefs, policies, g)
        t = world
        chosen = descend(&tree, r, &t, m, stakes, g)
        linear_playout(r, spec.weights, &t, policies, stakes, g)
        score(t.tally, r.flags, points)
        for k in range(tree.depth):
            tree.nodes[tree.path[k]].visits += 1
            tree.nodes[tree.path[k]].total += points[tree.seat[k]]
        for i in range(out.cards):
            if out.card[i] == chosen:
                out.total[i] += points[me]
                out.square[i] += <double>points[me] * points[me]
                out.count[i] += 1
        j += 1


cdef uint64_t most_visited(const Estimate* e) noexcept nogil:
    # Among equals the card of the fewest points.
    cdef int i, best = 0
    for i in range(1, e.cards):
        if e.count[i] > e.count[best] or (e.count[i] == e.count[best] and e.total[i] < e.total[best]):
            best = i
    return e.card[best]
