# The learned players: whole rounds of `linear`, playouts by its weights, and `search`.
#
# It uses beliefs.pxi, and Search, distinct and max_n of search.pxi.

cdef enum:
    BLOCK = 16                     # worlds between two checks for inferior cards
    MOST_WORLDS = 1 << 20          # of a search by time
    PRIOR_WORLDS = 50              # weight of the policy's prior, in worlds
    TRIPLES = 286                  # sets of three of thirteen cards
    BEST = -1                      # no policy: the best card by the weights, in playouts

cdef double BEHIND = 2.5           # standard errors at which a card is dropped
cdef double PRIOR_POINTS = 0.15    # points per unit of score


cdef inline uint64_t stakes_of(const Rules* r) noexcept nogil:
    # Cards that can still change the score.
    return ALL if r.flags & AVOID_BONUS else POINTS | DJ if r.flags & JACK_BONUS else POINTS


cdef void linear_rest(const Rules* r, const int8_t* w, Table* t, int64_t* decisions) noexcept nogil:
    # Play to the last card, every seat by its best card.
    cdef int who
    cdef uint64_t m
    while t.count < 48:
        who = mover(t)
        m = legal(r, t, t.hand[who])
        if m & (m - 1):
            decisions[who] += 1
            m = linear_card(w, t, who, t.hand[who], m, silence)
        play(t, m)
    while t.count < 52:
        play(t, t.hand[mover(t)])


cdef void linear_playout(
    const Rules* r, const int8_t* w, Table* t, const int* policies, uint64_t stakes, Stream* g
) noexcept nogil:
    # Play until the score is decided, every seat by its policy.
    cdef int who
    cdef uint64_t m
    cdef uint32_t half
    while t.count < 52:
        if t.n == 0 and not stakes & ~t.played:
            return
        who = mover(t)
        m = legal(r, t, t.hand[who])
        if m & (m - 1):
            if policies[who] == LINEAR:
                m = linear_card(w, t, who, t.hand[who], m, next_noise(g))
            elif policies[who] == BEST:
                m = linear_card(w, t, who, t.hand[who], m, silence)
            elif policies[who] == RANDOM:
                half = <uint32_t>stream_next(g)
                m = pick(m, &half)
            else:
                m = policy_card(policies[who], t, m)
        play(t, m)


cdef struct Race:
    # Differences of points between all pairs of cards, over the worlds in which both were played out.
    int64_t sum[13][13]
    int64_t square[13][13]


cdef void race_note(Race* race, const Estimate* e, const int* points) noexcept nogil:
    cdef int i, j, d
    for i in range(e.cards):
        if not e.dropped[i]:
            for j in range(i):
                if not e.dropped[j]:
                    d = points[i] - points[j]
                    race.sum[i][j] += d
                    race.square[i][j] += d * d


cdef int race_drop(const Race* race, Estimate* e, int worlds) noexcept nogil:
    # Drop clearly inferior cards; return the number of cards left.
    cdef int i, a, b, best = -1, left = 0
    cdef double mean, variance
    for i in range(e.cards):
        if not e.dropped[i] and (best < 0 or e.total[i] < e.total[best]):
            best = i
    for i in range(e.cards):
        if e.dropped[i]:
            continue
        left += 1
        if i != best:
            a = i if i > best else best
            b = best if i > best else i
            mean = race.sum[a][b] / <double>worlds
            variance = race.square[a][b] / <double>worlds - mean * mean + 0.05
            if mean * mean * worlds > BEHIND * BEHIND * variance:
                e.dropped[i] = True
                left -= 1
    return left


cdef void estimate_open(Estimate* e, uint64_t m) noexcept nogil:
    cdef int i = 0
    while m:
        e.card[i] = m & (0 - m)
        e.total[i] = e.square[i] = e.prior[i] = 0.0
        e.count[i] = 0
        e.dropped[i] = False
        m &= m - 1
        i += 1
    e.cards = i


cdef void set_priors(Estimate* e, const int8_t* w, const Table* t, int me, uint64_t m) noexcept nogil:
    cdef Context c
    cdef int16_t scores[64]
    cdef double mean = 0.0
    cdef int i
    context_of(t, me, t.hand[me], m, &c)
    scores_of(w, &c, m, scores)
    for i in range(e.cards):
        e.prior[i] = -PRIOR_POINTS * scores[ctz(e.card[i])] / SCALE
        mean += e.prior[i] / e.cards
    for i in range(e.cards):
        e.prior[i] -= mean


cdef void learned_estimate(
    const Round* round, const Table* view, const Unseen* unseen, int me, uint64_t m, const Spec* spec, bint races,
    Stream* g, Estimate* out, Search* z, Watch* watch
) noexcept nogil:
    # Final points of `me` after each of its cards m, over inferred worlds.
    # races: drop clearly inferior cards.
    cdef const Rules* r = &round.rules
    cdef Table world = view[0], t
    cdef Beliefs beliefs
    cdef Race race
    cdef int8_t points[4]
    cdef int got[13]
    cdef int policies[4]
    cdef int i, j = 0
    cdef int64_t budget, deadline = now_ns() + spec.nanoseconds if spec.nanoseconds else 0
    cdef uint64_t stakes = stakes_of(r)
    cdef int steps = spec.infer if view.count else 0
    cdef bint solves = 52 - view.count <= spec.solve_at
    estimate_open(out, m)
    if races and out.cards == 1:
        return
    for i in range(4):
        policies[i] = LINEAR
    set_priors(out, spec.weights, view, me, m)
    memset(&race, 0, sizeof(Race))
    if steps:
        beliefs_start(&beliefs, round, me, spec.behaviour, unseen, g, &world)
    budget = <int64_t>(MOST_WORLDS if deadline else spec.playouts) * out.cards
    while budget > 0 and (not deadline or now_ns() < deadline or not j):
        draw_world(&beliefs, round, unseen, steps, g, &world)
        if steps:
            draw_policies(&beliefs, policies, g)
        for i in range(out.cards):
            if out.dropped[i]:
                continue
            if tick(watch):
                return
            t = world
            play(&t, out.card[i])
            if solves:
                max_n(z, &t, points)
                if watch.stop != RUNNING:
                    return
            else:
                linear_playout(r, spec.weights, &t, policies, stakes, g)
                score(t.tally, r.flags, points)
            got[i] = points[me]
        for i in range(out.cards):
            if not out.dropped[i]:
                out.total[i] += got[i]
                out.square[i] += <double>got[i] * got[i]
                out.count[i] += 1
                budget -= 1
        j += 1
        if races:
            race_note(&race, out, got)
            if not j % BLOCK and race_drop(&race, out, j) == 1:
                return


cdef uint64_t best_of_race(const Estimate* e) noexcept nogil:
    # The card of the fewest points, by playouts and the policy's prior.
    cdef double mean = 0.0, value, least = 1e9
    cdef int i, best = 0
    for i in range(e.cards):
        if e.count[i]:
            mean += e.total[i] / e.count[i] / e.cards
    for i in range(e.cards):
        if not e.dropped[i]:
            value = (e.total[i] - e.count[i] * mean + PRIOR_WORLDS * e.prior[i]) / (e.count[i] + PRIOR_WORLDS)
            if value < least:
                least = value
                best = i
    return e.card[best]


# --- passing ----------------------------------------------------------------------------------------------------------


cdef struct Triple:
    uint64_t cards
    int64_t total


cdef void sort_triples(Triple* found, int count) noexcept nogil:
    # Stable, fewest points first.
    cdef int i, j
    cdef Triple one
    for i in range(1, count):
        one = found[i]
        j = i
        while j and found[j - 1].total > one.total:
            found[j] = found[j - 1]
            j -= 1
        found[j] = one


cdef void pass_worlds(
    const Round* round, const Spec* spec, int seat, int direction, Triple* found, int count, int worlds,
    int64_t deadline, Stream* g, Watch* watch
) noexcept nogil:
    # Play out each set of three cards in the same worlds.  The others pass their most dangerous cards and have one
    # common type, drawn uniformly.
    cdef uint64_t hand[4]
    cdef uint64_t passed[4]
    cdef uint64_t stakes = stakes_of(&round.rules)
    cdef int policies[4]
    cdef int8_t points[4]
    cdef Table t
    cdef int i, j, k, strangers
    cdef uint32_t half
    for j in range(worlds):
        if deadline and j and now_ns() > deadline:
            return
        hand[seat] = round.t.hand[seat]
        deal_others(g, seat, hand)
        half = <uint32_t>stream_next(g)
        strangers = policy_of(<int>bounded(&half, TYPES))
        for i in range(4):
            passed[i] = danger_pass(hand[i], 3)
            policies[i] = BEST if i == seat else strangers
        for k in range(count):
            if tick(watch):
                return
            passed[seat] = found[k].cards
            t.hand = hand
            pass_cards(t.hand, passed, direction)
            start(&t, holder(t.hand))
            linear_playout(&round.rules, spec.weights, &t, policies, stakes, g)
            score(t.tally, round.rules.flags, points)
            found[k].total += points[seat]


cdef uint64_t learned_pass(Round* round, const Spec* spec, int seat, int direction, Watch* watch) noexcept nogil:
    # The best three cards by playouts: all 286 sets at first; each stage keeps the better half and doubles the worlds.
    # With a time per decision, a stage takes at most a tenth of it.
    cdef Triple found[TRIPLES]
    cdef Stream g
    cdef uint64_t hand = round.t.hand[seat]
    cdef int a, b, c, count = 0
    cdef int worlds = 8 if spec.nanoseconds or spec.playouts > 160 else 4 + spec.playouts // 40
    cdef int64_t deadline = 0
    for a in range(11):
        for b in range(a + 1, 12):
            for c in range(b + 1, 13):
                found[count].cards = nth(hand, a) | nth(hand, b) | nth(hand, c)
                found[count].total = 0
                count += 1
    decision_stream(round, &g, 100 + seat)
    while count > 1:
        if spec.nanoseconds:
            deadline = now_ns() + spec.nanoseconds // 10
        pass_worlds(round, spec, seat, direction, found, count, worlds, deadline, &g, watch)
        if watch.stop != RUNNING:
            return danger_pass(hand, 3)
        sort_triples(found, count)
        count = (count + 1) // 2
        if worlds < 128:
            worlds *= 2
    return found[0].cards
