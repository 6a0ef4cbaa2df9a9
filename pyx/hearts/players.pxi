# The built-in players.  A search sees the `view` (its own hand alone), what everybody has seen, and known cards.

cdef double SLIPS = 0.05           # inference: how often a seat is taken not to play its policy's card

cdef enum:
    BURN_IN = 200                  # steps of a chain before its first world
    TABLE_ENTRIES = 1 << 16        # of the solver player's table: 1.5 MB


cdef void play_out(const Rules* r, State* s, int policy, uint32_t epsilon, Stream* g) noexcept nogil:
    # To the end of the round, every seat by the policy; with chance epsilon a legal card at random instead.
    cdef uint64_t m, word, card
    cdef uint64_t stakes = ALL if r.flags & AVOID_BONUS else POINTS | DJ if r.flags & JACK_BONUS else POINTS
    cdef uint32_t half[2]
    if policy == RANDOM:
        word = stream_next(g)
        while s.count < 52:
            half[0] = <uint32_t>word
            half[1] = <uint32_t>(word >> 32)
            if not stakes & ~s.played:
                return             # nothing left to win or lose
            while True:
                m = legal(r, s, s.hand[seat_to_move(s)])
                play(s, pick(m, &half[s.n >> 1]))
                if s.n == 0:
                    break
            word = stream_next(g)
        return
    while s.count < 52:
        if s.n == 0 and not stakes & ~s.played:
            return
        m = legal(r, s, s.hand[seat_to_move(s)])
        card = m
        if m & (m - 1):
            word = stream_next(g)
            if <uint32_t>word < epsilon:
                half[1] = <uint32_t>(word >> 32)
                card = pick(m, &half[1])
            else:
                card = policy_card(policy, s, m)
        play(s, card)


cdef inline bint asked_to_stop(const Game* game, Watch* watch) noexcept nogil:
    if game.stop != NULL and load_flag(game.stop):
        watch.stop = INTERRUPTED
        return True
    return False


cdef struct Estimate:
    int cards
    uint64_t card[13]
    double total[13]
    double square[13]
    int playouts


cdef struct Chain:
    # Worlds in proportion to how well they explain the play: a Metropolis chain over consistent hands, whose steps
    # swap a card between two seats or, now and then, deal anew (so that no hand is out of reach).  Every other seat
    # is taken to play by `policy`, but for a share of slips.
    int me
    int policy
    uint64_t begun[4]              # cards that each seat has played
    double hit[14]                 # log of the chance of the policy's card among n legal ones
    double miss[14]                # ... of any one other card
    double now                     # log likelihood of the current world


cdef void chain_start(
    Chain* chain, const Game* game, int me, int policy, const Unseen* unseen, Stream* g, State* world
) noexcept nogil:
    cdef int i, n
    chain.me = me
    chain.policy = policy
    for i in range(4):
        chain.begun[i] = 0
    for i in range(game.s.count):
        chain.begun[(game.leaders[i >> 2] + (i & 3)) & 3] |= game.order[i]
    for n in range(1, 14):
        chain.hit[n] = log(1.0 - SLIPS + SLIPS / n)
        chain.miss[n] = log(SLIPS / n)
    unseen_deal(unseen, g, world)
    chain.now = explains(chain, game, world)
    for n in range(BURN_IN):
        chain_step(chain, game, unseen, g, world)


cdef double explains(const Chain* chain, const Game* game, const State* world) noexcept nogil:
    # Log of the chance that the others would have played as they did, holding these hands.
    cdef State s
    cdef double total = 0.0
    cdef uint64_t m
    cdef int i, who
    for i in range(4):
        s.hand[i] = world.hand[i] | chain.begun[i]
    s.played = s.tally = 0
    s.n = s.count = 0
    s.leader = game.first_leader
    for i in range(game.s.count):
        who = seat_to_move(&s)
        if who != chain.me:
            m = legal(&game.rules, &s, s.hand[who])
            if m & (m - 1):
                if chain.policy == RANDOM:
                    total -= log(<double>popcount(m))
                elif policy_card(chain.policy, &s, m) == game.order[i]:
                    total += chain.hit[popcount(m)]
                else:
                    total += chain.miss[popcount(m)]
        play(&s, game.order[i])
    return total


cdef void chain_step(Chain* chain, const Game* game, const Unseen* unseen, Stream* g, State* world) noexcept nogil:
    cdef uint64_t word = stream_next(g), x, y, swapped
    cdef uint32_t half[2]
    cdef State other = world[0]
    cdef double likely
    cdef int i, j
    if not word >> 60:
        unseen_deal(unseen, g, &other)
    else:
        half[0] = <uint32_t>word
        half[1] = <uint32_t>(word >> 28)
        i = <int>bounded(&half[0], 3)
        j = unseen.seat[(i + 1) % 3]
        i = unseen.seat[i]
        x = world.hand[i] & unseen.pool
        y = world.hand[j] & unseen.pool
        if not x or not y:
            return
        x = pick(x, &half[0])
        y = pick(y, &half[1])
        if game.seen.cannot[i] & y or game.seen.cannot[j] & x:
            return
        swapped = x | y
        other.hand[i] ^= swapped
        other.hand[j] ^= swapped
    likely = explains(chain, game, &other)
    if likely < chain.now:
        word = stream_next(g)
        if <double>(word >> 11) * (1.0 / 9007199254740992.0) >= exp(likely - chain.now):
            return
    chain.now = likely
    world[0] = other


cdef void estimate(
    const Game* game, const State* view, const Unseen* unseen, int me, uint64_t m, const Spec* spec, Stream* g,
    Estimate* out, Solver* z, Watch* watch
) noexcept nogil:
    # Points of `me` at the end of the round after each legal card, over the same worlds for every card.  Of the game,
    # only the rules and what everybody has seen are read.
    cdef const Rules* r = &game.rules
    cdef State world, s
    cdef Chain chain
    cdef int i, j
    cdef int8_t points[4]
    cdef bint solves = spec.kind == SOLVER and 52 - view.count <= spec.solve_at
    cdef bint infers = spec.infer != 0 and view.count != 0
    out.cards = 0
    while m:
        i = out.cards
        out.card[i] = m & (0 - m)
        out.total[i] = out.square[i] = 0.0
        out.cards += 1
        m &= m - 1
    out.playouts = 0
    world = view[0]
    if infers:
        chain_start(&chain, game, me, spec.policy, unseen, g, &world)
    for j in range(spec.playouts):
        if infers:
            for i in range(spec.infer):
                chain_step(&chain, game, unseen, g, &world)
        else:
            unseen_deal(unseen, g, &world)
        for i in range(out.cards):
            if tick(watch) or asked_to_stop(game, watch):
                return
            s = world
            play(&s, out.card[i])
            if solves:
                max_n(z, &s, points)
                if watch.stop != RUNNING:
                    return
            else:
                play_out(r, &s, spec.policy, spec.epsilon, g)
                score(s.tally, r.flags, points)
            out.total[i] += points[me]
            out.square[i] += <double>points[me] * points[me]
        out.playouts += 1


cdef uint64_t best_estimate(const Estimate* e) noexcept nogil:
    cdef int i, best = 0
    for i in range(1, e.cards):
        if e.total[i] < e.total[best]:
            best = i
    return e.card[best]


cdef uint64_t intelligent_card(const Game* game, const State* view, int me, uint64_t m, Stream* g) noexcept nogil:
    # The source's player: one playout per legal card, in which the others play any unseen card; fewest points.
    cdef State s
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
            if seat_to_move(&s) == me:
                card = left & (0 - left) if first else pick(legal(&game.rules, &s, s.hand[me]), &half)
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


cdef uint64_t choose(Game* game, const Spec* spec, uint64_t m, Solver* z, Watch* watch) noexcept nogil:
    # The card that the player in the seat to move plays; m: its legal cards.  Any of them when the watch says stop.
    cdef int me = seat_to_move(&game.s)
    cdef State view
    cdef Stream g
    cdef uint64_t known[4]
    cdef Unseen unseen
    cdef Estimate e
    if spec.kind == RANDOM:
        return random_card(game, m)
    if not m & (m - 1) or spec.kind == LITERAL:
        return m & (0 - m)
    if spec.kind == GREEDY or spec.kind == DUCK:
        return policy_card(spec.kind, &game.s, m)
    view_of(game, me, &view)
    decision_stream(game, &g, game.s.count)
    if spec.kind == INTELLIGENT:
        return intelligent_card(game, &view, me, m, &g)
    known_to(game, me, known)
    unseen_start(&unseen, &view, me, &game.seen, known)
    estimate(game, &view, &unseen, me, m, spec, &g, &e, z, watch)
    return best_estimate(&e)


cdef uint64_t choose_pass(Game* game, const Spec* spec, int seat, int direction, Watch* watch) noexcept nogil:
    # The three cards that the player in a seat passes on.
    cdef uint64_t hand = game.s.hand[seat]
    if spec.kind == RANDOM or spec.kind == INTELLIGENT:
        return repair(&game.g, 0, hand, 3)
    if spec.kind == LITERAL:
        return nth(hand, 0) | nth(hand, 1) | nth(hand, 2)
    if spec.kind == PLAYOUTS or spec.kind == SOLVER:
        return search_pass(game, spec, seat, direction, watch)
    return danger_pass(hand, 3)


cdef uint64_t search_pass(Game* game, const Spec* spec, int seat, int direction, Watch* watch) noexcept nogil:
    # Of the six most dangerous cards, the three with which playouts go best; the others pass their three worst.
    cdef uint64_t hand = game.s.hand[seat]
    cdef uint64_t worst = danger_pass(hand, 6)
    cdef uint64_t choice[20]
    cdef uint64_t passed[4]
    cdef double total[20]
    cdef State world, s
    cdef Stream g
    cdef int8_t points[4]
    cdef int a, b, c, i, j, n = 0
    for a in range(4):
        for b in range(a + 1, 5):
            for c in range(b + 1, 6):
                choice[n] = nth(worst, a) | nth(worst, b) | nth(worst, c)
                total[n] = 0.0
                n += 1
    decision_stream(game, &g, 100 + seat)
    for j in range(spec.playouts):
        world.hand[seat] = hand
        i = (seat + 1) & 3
        a = (seat + 2) & 3
        b = (seat + 3) & 3
        world.hand[i] = subset(&g, ALL & ~hand, 13)
        world.hand[a] = subset(&g, ALL & ~hand & ~world.hand[i], 13)
        world.hand[b] = ALL & ~hand & ~world.hand[i] & ~world.hand[a]
        for i in range(4):
            passed[i] = danger_pass(world.hand[i], 3)
        for c in range(n):
            if tick(watch) or asked_to_stop(game, watch):
                return choice[0]
            passed[seat] = choice[c]
            for i in range(4):
                s.hand[(i + direction) & 3] = world.hand[(i + direction) & 3] & ~passed[(i + direction) & 3] | passed[i]
            start(&s)
            play_out(&game.rules, &s, spec.policy, spec.epsilon, &g)
            score(s.tally, game.rules.flags, points)
            total[c] += points[seat]
    c = 0
    for i in range(1, n):
        if total[i] < total[c]:
            c = i
    return choice[c]
