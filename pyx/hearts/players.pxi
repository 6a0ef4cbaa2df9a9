# The built-in players.  A search sees the `view` (its own hand alone), what everybody has seen, and known cards.
#
# Included after search.pxi, of which it uses Search and max_n: its functions are too large to be inline.

from libc.math cimport exp, log
from libc.stdint cimport int8_t, uint32_t, uint64_t

from common.bits cimport popcount
from common.rng cimport Stream, bounded, stream_next
from common.watch cimport RUNNING, Watch, tick
from hearts.determinize cimport Unseen, unseen_deal, unseen_start
from hearts.policy cimport DUCK, GREEDY, RANDOM, danger_pass, policy_card
from hearts.round cimport Round, decision_stream, known_to, random_card, view_of
from hearts.rules cimport (
    ALL, AVOID_BONUS, DJ, JACK_BONUS, POINTS, Rules, State, legal, nth, pick, play, repair, score, seat_to_move, start,
    subset
)

cdef enum:
    # Kinds of players, by the numbers of gamecore.hearts._players; the policies come first.
    INTELLIGENT = 3
    LITERAL = 4
    PLAYOUTS = 5                   # mc and pimc
    SOLVER = 6

cdef enum:
    SLIPS_PERCENT = 5              # inference: how often a seat is taken not to play its policy's card
    BURN_IN = 200                  # steps of a chain before its first world
    TABLE_ENTRIES = 1 << 16        # of the solver player's table: 2.6 MB

cdef struct Spec:
    int kind
    int playouts
    int policy
    uint32_t epsilon               # chance of a random card in a playout, of 2**32
    int infer                      # worlds weighed by how well they explain the play: candidates per world kept
    int solve_at                   # solver: cards left from which worlds are solved instead of played out


cdef void playout(const Rules* r, State* s, int policy, uint32_t epsilon, Stream* g) noexcept nogil:
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
    Chain* chain, const Round* round, int me, int policy, const Unseen* unseen, Stream* g, State* world
) noexcept nogil:
    cdef int i, n
    cdef double slips = SLIPS_PERCENT / 100.0
    chain.me = me
    chain.policy = policy
    for i in range(4):
        chain.begun[i] = 0
    for i in range(round.s.count):
        chain.begun[(round.leaders[i >> 2] + (i & 3)) & 3] |= round.order[i]
    for n in range(1, 14):
        chain.hit[n] = log(1.0 - slips + slips / n)
        chain.miss[n] = log(slips / n)
    unseen_deal(unseen, g, world)
    chain.now = explains(chain, round, world)
    for n in range(BURN_IN):
        chain_step(chain, round, unseen, g, world)


cdef double explains(const Chain* chain, const Round* round, const State* world) noexcept nogil:
    # Log of the chance that the others would have played as they did, holding these hands.
    cdef State s
    cdef double total = 0.0
    cdef uint64_t m
    cdef int i, who
    for i in range(4):
        s.hand[i] = world.hand[i] | chain.begun[i]
    s.played = s.tally = 0
    s.n = s.count = 0
    s.leader = round.first_leader
    for i in range(round.s.count):
        who = seat_to_move(&s)
        if who != chain.me:
            m = legal(&round.rules, &s, s.hand[who])
            if m & (m - 1):
                if chain.policy == RANDOM:
                    total -= log(<double>popcount(m))
                elif policy_card(chain.policy, &s, m) == round.order[i]:
                    total += chain.hit[popcount(m)]
                else:
                    total += chain.miss[popcount(m)]
        play(&s, round.order[i])
    return total


cdef void chain_step(Chain* chain, const Round* round, const Unseen* unseen, Stream* g, State* world) noexcept nogil:
    cdef uint64_t word = stream_next(g), x, y, swapped
    cdef uint32_t half[2]
    cdef State other = world[0]
    cdef double then
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
        if round.seen.cannot[i] & y or round.seen.cannot[j] & x:
            return
        swapped = x | y
        other.hand[i] ^= swapped
        other.hand[j] ^= swapped
    then = explains(chain, round, &other)
    if then < chain.now:
        word = stream_next(g)
        if <double>(word >> 11) * (1.0 / 9007199254740992.0) >= exp(then - chain.now):
            return
    chain.now = then
    world[0] = other


cdef void estimate(
    const Round* round, const State* view, const Unseen* unseen, int me, uint64_t m, const Spec* spec, Stream* g,
    Estimate* out, Search* z, Watch* watch
) noexcept nogil:
    # Points of `me` at the end of the round after each legal card, over the same worlds for every card.  Of the round,
    # only the rules and what everybody has seen are read.
    cdef const Rules* r = &round.rules
    cdef State world, s
    cdef Chain chain
    cdef int i, j
    cdef int8_t points[4]
    cdef int got[13]
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
        chain_start(&chain, round, me, spec.policy, unseen, g, &world)
    for j in range(spec.playouts):
        if infers:
            for i in range(spec.infer):
                chain_step(&chain, round, unseen, g, &world)
        else:
            unseen_deal(unseen, g, &world)
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
        for i in range(out.cards):  # only now: a world that was given up half-way counts for no card
            out.total[i] += got[i]
            out.square[i] += <double>got[i] * got[i]
        out.playouts += 1


cdef uint64_t best_estimate(const Estimate* e) noexcept nogil:
    cdef int i, best = 0
    for i in range(1, e.cards):
        if e.total[i] < e.total[best]:
            best = i
    return e.card[best]


cdef uint64_t intelligent_card(const Round* round, const State* view, int me, uint64_t m, Stream* g) noexcept nogil:
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


cdef uint64_t choose(Round* round, const Spec* spec, uint64_t m, Search* z, Watch* watch) noexcept nogil:
    # The card that the player in the seat to move plays; m: its legal cards.  Any of them when the watch says stop.
    cdef int me = seat_to_move(&round.s)
    cdef State view
    cdef Stream g
    cdef uint64_t known[4]
    cdef Unseen unseen
    cdef Estimate e
    if spec.kind == RANDOM:
        return random_card(round, m)
    if not m & (m - 1) or spec.kind == LITERAL:
        return m & (0 - m)
    if spec.kind == GREEDY or spec.kind == DUCK:
        return policy_card(spec.kind, &round.s, m)
    view_of(round, me, &view)
    decision_stream(round, &g, round.s.count)
    if spec.kind == INTELLIGENT:
        return intelligent_card(round, &view, me, m, &g)
    known_to(round, me, known)
    unseen_start(&unseen, &view, me, &round.seen, known)
    estimate(round, &view, &unseen, me, m, spec, &g, &e, z, watch)
    return best_estimate(&e)


cdef uint64_t choose_pass(Round* round, const Spec* spec, int seat, int direction, Watch* watch) noexcept nogil:
    # The three cards that the player in a seat passes on.
    cdef uint64_t hand = round.s.hand[seat]
    if spec.kind == RANDOM or spec.kind == INTELLIGENT:
        return repair(&round.g, 0, hand, 3)
    if spec.kind == LITERAL:
        return nth(hand, 0) | nth(hand, 1) | nth(hand, 2)
    if spec.kind == PLAYOUTS or spec.kind == SOLVER:
        return search_pass(round, spec, seat, direction, watch)
    return danger_pass(hand, 3)


cdef uint64_t search_pass(Round* round, const Spec* spec, int seat, int direction, Watch* watch) noexcept nogil:
    # Of the six most dangerous cards, the three with which playouts go best; the others pass their three worst.
    cdef uint64_t hand = round.s.hand[seat]
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
    decision_stream(round, &g, 100 + seat)
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
            if tick(watch):
                return choice[0]
            passed[seat] = choice[c]
            for i in range(4):
                s.hand[(i + direction) & 3] = world.hand[(i + direction) & 3] & ~passed[(i + direction) & 3] | passed[i]
            start(&s)
            playout(&round.rules, &s, spec.policy, spec.epsilon, &g)
            score(s.tally, round.rules.flags, points)
            total[c] += points[seat]
    c = 0
    for i in range(1, n):
        if total[i] < total[c]:
            c = i
    return choice[c]
