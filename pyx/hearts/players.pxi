# The built-in players.  A search gets only its `view` (its own hand), the public Seen, and known cards.
#
# It uses search.pxi, beliefs.pxi, learned.pxi and ismcts.pxi.

cdef enum:
    TABLE_ENTRIES = 1 << 16        # of the solver player's table: 2.6 MB


cdef bint players_open(Search* z, const Rules* rules, const Spec* specs, int count, Watch* watch) noexcept nogil:
    # search_open with the memory that these players need.
    cdef uint64_t entries = 1
    cdef int64_t nodes = 0
    cdef int i
    for i in range(count):
        if specs[i].solve_at:
            entries = TABLE_ENTRIES
        if specs[i].kind == ISMCTS:
            nodes = max(nodes, MOST_NODES if specs[i].nanoseconds else min(MOST_NODES, specs[i].playouts + 1))
    return search_open(z, rules, entries, nodes, watch)


cdef void playout(const Rules* r, Table* s, int policy, uint32_t epsilon, Stream* g) noexcept nogil:
    # Play to the end of the round, all seats by the policy; with chance epsilon a random legal card instead.
    cdef uint64_t m, word, card
    cdef uint64_t stakes = stakes_of(r)
    cdef uint32_t half[2]
    if policy == RANDOM:
        word = stream_next(g)
        while s.count < 52:
            half[0] = <uint32_t>word
            half[1] = <uint32_t>(word >> 32)
            if s.n == 0 and not stakes & ~s.played:
                return             # the score is decided
            while True:
                m = legal(r, s, s.hand[mover(s)])
                play(s, pick(m, &half[s.n >> 1]))
                if s.n == 0:
                    break
            word = stream_next(g)
        return
    while s.count < 52:
        if s.n == 0 and not stakes & ~s.played:
            return
        m = legal(r, s, s.hand[mover(s)])
        card = m
        if m & (m - 1):
            word = stream_next(g)
            if <uint32_t>word < epsilon:
                half[1] = <uint32_t>(word >> 32)
                card = pick(m, &half[1])
            else:
                card = policy_card(policy, s, m)
        play(s, card)


cdef void estimate(
    const Round* round, const Table* view, const Unseen* unseen, int me, uint64_t m, const Spec* spec, Stream* g,
    Estimate* out, Search* z, Watch* watch
) noexcept nogil:
    # Final points of `me` after each legal card, over the same worlds for every card.  Of the round, only the rules and
    # public facts are read.
    cdef const Rules* r = &round.rules
    cdef Table world, s
    cdef Beliefs beliefs
    cdef int i, j
    cdef int8_t points[4]
    cdef int got[13]
    cdef bint solves = spec.kind == SOLVER and 52 - view.count <= spec.solve_at
    cdef int steps = spec.infer if view.count else 0
    estimate_open(out, m)
    world = view[0]
    if steps:
        beliefs_start(&beliefs, round, me, spec.behaviour, unseen, g, &world)
    for j in range(spec.playouts):
        draw_world(&beliefs, round, unseen, steps, g, &world)
        for i in range(out.cards):
            if tick(watch):
                return
            s = world
            play(&s, out.card[i])
            if solves:
                max_n(z, &s, points)
                if watch.stop != RUNNING:
                    return
            else:
                playout(r, &s, spec.policy, spec.epsilon, g)
                score(s.tally, r.flags, points)
            got[i] = points[me]
        for i in range(out.cards):  # after all cards: an interrupted world counts for none
            out.total[i] += got[i]
            out.square[i] += <double>got[i] * got[i]
            out.count[i] += 1


cdef uint64_t best_estimate(const Estimate* e) noexcept nogil:
    cdef int i, best = 0
    for i in range(1, e.cards):
        if e.total[i] < e.total[best]:
            best = i
    return e.card[best]


cdef uint64_t intelligent_card(const Round* round, const Table* view, int me, uint64_t m, Stream* g) noexcept nogil:
    # The source's player: one playout per legal card, in which the others play any unseen card.
    cdef Table s
    cdef uint64_t pool, card, left = m, best_card = 0
    cdef uint32_t half
    cdef int points, best = 1000
    cdef bint first
    while left:
        s = view[0]
        pool = ALL & ~s.played & ~s.hand[me]
        first = True
        while s.count < 52:
            half = <uint32_t>stream_next(g)
            if mover(&s) == me:
                card = left & (0 - left) if first else pick(legal(&round.rules, &s, s.hand[me]), &half)
                first = False
            else:
                card = pick(pool, &half)
                pool ^= card
            play(&s, card)
        points = <int>(s.tally >> (8 * me)) & 255
        if points < best:
            best = points
            best_card = left & (0 - left)
        left &= left - 1
    return best_card


cdef void judge(
    const Round* round, const Table* view, const Unseen* unseen, int me, uint64_t m, const Spec* spec, Stream* g,
    Estimate* out, Search* z, Watch* watch
) noexcept nogil:
    # Estimates of the cards by a player with playouts.
    if spec.kind == SEARCH:
        learned_estimate(round, view, unseen, me, distinct(z, view, m), spec, True, g, out, z, watch)
    elif spec.kind == ISMCTS:
        tree_estimate(round, view, unseen, me, distinct(z, view, m), spec, g, out, z, watch)
    elif spec.policy == LINEAR:
        learned_estimate(round, view, unseen, me, m, spec, False, g, out, z, watch)
    else:
        estimate(round, view, unseen, me, m, spec, g, out, z, watch)


cdef uint64_t choose(Round* round, const Spec* spec, uint64_t m, Search* z, Watch* watch) noexcept nogil:
    # The card of the player to move; m: its legal cards.  An arbitrary one if the watch stops.
    if spec.kind == RANDOM:
        return random_card(round, m)
    if not m & (m - 1) or spec.kind == LITERAL:
        return m & (0 - m)
    if spec.by_policy:
        return policy_card(spec.kind, &round.t, m)
    return choose_by_thought(round, spec, m, z, watch)


cdef uint64_t choose_by_thought(
    Round* round, const Spec* spec, uint64_t m, Search* z, Watch* watch
) noexcept nogil:
    # choose for linear and for players with playouts.
    cdef int me = mover(&round.t)
    cdef Table view
    cdef Stream g
    cdef uint64_t known[4]
    cdef Unseen unseen
    cdef Estimate e
    if spec.kind == LINEAR:
        return linear_card(spec.weights, &round.t, me, round.t.hand[me], m, silence)
    view_of(round, me, &view)
    decision_stream(round, &g, round.t.count)
    if spec.kind == INTELLIGENT:
        return intelligent_card(round, &view, me, m, &g)
    known_to(round, me, known)
    unseen_start(&unseen, &view, me, &round.seen, known)
    judge(round, &view, &unseen, me, m, spec, &g, &e, z, watch)
    if spec.kind == SEARCH:
        return best_of_race(&e)
    return most_visited(&e) if spec.kind == ISMCTS else best_estimate(&e)


cdef uint64_t choose_pass(Round* round, const Spec* spec, int seat, int direction, Watch* watch) noexcept nogil:
    # The three cards that the player in a seat passes.
    cdef uint64_t hand = round.t.hand[seat]
    if spec.passing == BY_CHANCE:
        return repair(&round.g, 0, hand, 3)
    if spec.passing == BY_ORDER:
        return nth(hand, 0) | nth(hand, 1) | nth(hand, 2)
    if spec.passing == BY_STAGES:
        return learned_pass(round, spec, seat, direction, watch)
    if spec.passing == BY_PLAYOUTS:
        return search_pass(round, spec, seat, direction, watch)
    return danger_pass(hand, 3)


cdef uint64_t search_pass(Round* round, const Spec* spec, int seat, int direction, Watch* watch) noexcept nogil:
    # The best three of the six most dangerous cards by playouts; the others pass their three most dangerous.
    cdef uint64_t hand = round.t.hand[seat]
    cdef uint64_t worst = danger_pass(hand, 6)
    cdef uint64_t choice[20]
    cdef uint64_t passed[4]
    cdef double total[20]
    cdef Table world, s
    cdef Stream g
    cdef int8_t points[4]
    cdef int a, b, c, i, j, n = 0
    for a in range(4):
        for b in range(a + 1, 5):
            for c in range(b + 1, 6):
                choice[n] = nth(worst, a) | nth(worst, b) | nth(worst, c)
                total[n] = 0.0
                n += 1
    decision_stream(round, &g, 100 + seat)
    for j in range(spec.playouts):
        world.hand[seat] = hand
        deal_others(&g, seat, world.hand)
        for i in range(4):
            passed[i] = danger_pass(world.hand[i], 3)
        for c in range(n):
            if tick(watch):
                return choice[0]
            passed[seat] = choice[c]
            s.hand = world.hand
            pass_cards(s.hand, passed, direction)
            start(&s, holder(s.hand))
            playout(&round.rules, &s, spec.policy, spec.epsilon, &g)
            score(s.tally, round.rules.flags, points)
            total[c] += points[seat]
    c = 0
    for i in range(1, n):
        if total[i] < total[c]:
            c = i
    return choice[c]
