# Beliefs: draw worlds in proportion to the likelihood of the other seats' plays.
#
# A Metropolis chain over the hands consistent with the view.  A step swaps two cards between two seats or, once in 16,
# deals all cards again, so that every hand can be reached.  Each seat has one of three types: learned behaviour of good
# players, duck, or greedy; each with a share of slips.  A world's likelihood is a product over seats, each a mixture of
# its types.  The pass received by the observer has a likelihood, too.  Only products, sums and quotients are used,
# without contraction, so that results are equal at every CPU level.

cdef enum:
    BY_WEIGHTS = 0
    BY_DUCK = 1
    BY_GREEDY = 2
    TYPES = 3
    SLIPS_PERCENT = 5              # chance of a random card instead of the type's
    OTHERS_PERCENT = 10            # prior of duck, and of greedy
    BURN_IN = 60                   # steps before the first world
    FARTHEST = 20 * SCALE          # limit of score differences

cdef uint64_t EXPS[2 * FARTHEST + 1]   # exp of a difference of scores, in 1 / 2**24

cdef struct Past:
    # A move of another seat and the table before it.
    Table t
    uint64_t card
    uint64_t later                 # this card and all that its seat has played since

cdef struct Beliefs:
    int me
    const Rules* rules
    const int8_t* behaviour
    double prior[TYPES]
    double slip[14]                # chance of each of n legal cards as a slip
    double hit[14]                 # chance of the card that duck or greedy would play
    int moves[4]
    Past past[4][13]
    int giver                      # the seat that passed to me; -1: none
    uint64_t worse                 # cards that the danger rule passes before the mildest of those three
    uint64_t given                 # ... that the giver is known to have received
    double chance[4][TYPES]        # likelihood of each seat's plays by type in the current world
    double now[4]                  # their sums


cdef void exps_start() noexcept nogil:
    cdef int i
    for i in range(2 * FARTHEST + 1):
        EXPS[i] = <uint64_t>(exp((i - FARTHEST) / <double>SCALE) * (1 << 24) + 0.5)


cdef double softmax(
    const int8_t* weights, const Table* t, int seat, uint64_t hand, uint64_t m, uint64_t card
) noexcept nogil:
    # The probability of a card by the weights.
    cdef Context c
    cdef int16_t scores[64]
    cdef uint64_t sum = 0
    cdef int own, d
    context_of(t, seat, hand, m, &c)
    scores_of(weights, &c, m, scores)
    own = scores[ctz(card)]
    while m:
        d = scores[ctz(m)] - own
        sum += EXPS[FARTHEST + (FARTHEST if d > FARTHEST else -FARTHEST if d < -FARTHEST else d)]
        m &= m - 1
    return <double>(1 << 24) / <double>sum


cdef double explain(const Beliefs* b, int seat, uint64_t hand, double* chance) noexcept nogil:
    # Likelihood of the seat's plays if it holds this hand now: by type; returns the sum.
    cdef const Past* past
    cdef uint64_t then, m
    cdef int i, n
    for i in range(TYPES):
        chance[i] = b.prior[i]
    if seat == b.giver:
        explain_pass(b, hand, chance)
    for i in range(b.moves[seat]):
        past = &b.past[seat][i]
        then = hand | past.later
        m = legal(b.rules, &past.t, then)
        if not m & (m - 1):
            continue
        n = popcount(m)
        chance[BY_WEIGHTS] *= b.slip[n] + softmax(b.behaviour, &past.t, seat, then, m, past.card) * (
            1.0 - SLIPS_PERCENT / 100.0)
        chance[BY_DUCK] *= b.hit[n] if policy_card(DUCK, &past.t, m) == past.card else b.slip[n]
        chance[BY_GREEDY] *= b.hit[n] if policy_card(GREEDY, &past.t, m) == past.card else b.slip[n]
    return chance[BY_WEIGHTS] + chance[BY_DUCK] + chance[BY_GREEDY]


cdef void explain_pass(const Beliefs* b, uint64_t hand, double* chance) noexcept nogil:
    # A card that the danger rule would have passed instead of those three must have arrived with the giver's own pass,
    # three unknown cards.  Good players follow the rule half the time.
    cdef uint64_t all_cards = hand
    cdef double by_rule
    cdef int n
    if b.moves[b.giver]:
        all_cards |= b.past[b.giver][0].later
    n = popcount(all_cards & b.worse & ~b.given)
    by_rule = 1.0 if n == 0 else 0.0 if b.given or n > 3 else 0.4 if n == 1 else 0.12 if n == 2 else 0.03
    by_rule = 0.05 + 0.95 * by_rule
    chance[BY_WEIGHTS] *= 0.5 + 0.5 * by_rule
    chance[BY_DUCK] *= by_rule
    chance[BY_GREEDY] *= by_rule


cdef void note_pass(Beliefs* b, const Round* round, int me) noexcept nogil:
    # Prepare explain_pass: the cards that I received.
    cdef uint64_t got, deck = ALL, card
    b.giver = -1
    b.worse = b.given = 0
    if not round.direction:
        return
    b.giver = (me - round.direction) & 3
    got = round.passed[b.giver]
    if round.direction == 2:
        b.given = round.passed[me]
    while deck & got:
        card = danger_pass(deck, 1)
        deck ^= card
        b.worse |= card
    b.worse &= ~got


cdef void beliefs_start(
    Beliefs* b, const Round* round, int me, const int8_t* behaviour, const Unseen* unseen, Stream* g, Table* world
) noexcept nogil:
    # Draw the first world, after BURN_IN steps.
    cdef Table t
    cdef Past* past
    cdef int i, n, who
    cdef double slips = SLIPS_PERCENT / 100.0
    b.me = me
    b.rules = &round.rules
    b.behaviour = behaviour
    b.prior[BY_WEIGHTS] = 1.0 - 2 * OTHERS_PERCENT / 100.0
    b.prior[BY_DUCK] = OTHERS_PERCENT / 100.0
    b.prior[BY_GREEDY] = 1.0 - b.prior[BY_WEIGHTS] - b.prior[BY_DUCK]
    for n in range(1, 14):
        b.slip[n] = slips / n
        b.hit[n] = 1.0 - slips + slips / n
    for i in range(4):
        b.moves[i] = 0
        t.hand[i] = 0
    start(&t, round.first_leader)
    for i in range(round.t.count):
        who = mover(&t)
        past = &b.past[who][b.moves[who]]
        past.t = t
        past.card = past.later = round.order[i]
        for n in range(b.moves[who]):
            b.past[who][n].later |= round.order[i]
        b.moves[who] += 1
        play(&t, round.order[i])
    b.moves[me] = 0
    note_pass(b, round, me)
    unseen_deal(unseen, g, world)
    for i in range(4):
        b.now[i] = explain(b, i, world.hand[i], b.chance[i])
    for n in range(BURN_IN):
        beliefs_step(b, round, unseen, g, world)


cdef inline bint taken(Stream* g, double then, double now) noexcept nogil:
    # Metropolis acceptance.
    return then >= now or <double>(stream_next(g) >> 11) * (1.0 / 9007199254740992.0) * now < then


cdef void deal_anew(Beliefs* b, const Unseen* unseen, Stream* g, Table* world) noexcept nogil:
    cdef Table other = world[0]
    cdef double chance[4][TYPES]
    cdef double now[4]
    cdef double then = 1.0, before = 1.0
    cdef int i, k
    unseen_deal(unseen, g, &other)
    for i in range(4):
        now[i] = explain(b, i, other.hand[i], chance[i])
        then *= now[i]
        before *= b.now[i]
    if taken(g, then, before):
        world[0] = other
        for i in range(4):
            b.now[i] = now[i]
            for k in range(TYPES):
                b.chance[i][k] = chance[i][k]


cdef void beliefs_step(Beliefs* b, const Round* round, const Unseen* unseen, Stream* g, Table* world) noexcept nogil:
    cdef uint64_t word = stream_next(g), x, y, hand_i, hand_j
    cdef uint32_t half[2]
    cdef double chance_i[TYPES]
    cdef double chance_j[TYPES]
    cdef double now_i, now_j
    cdef int i, j, k
    if not word >> 60:
        deal_anew(b, unseen, g, world)
        return
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
    hand_i = world.hand[i] ^ x ^ y
    hand_j = world.hand[j] ^ x ^ y
    now_i = explain(b, i, hand_i, chance_i)
    now_j = explain(b, j, hand_j, chance_j)
    if taken(g, now_i * now_j, b.now[i] * b.now[j]):
        world.hand[i] = hand_i
        world.hand[j] = hand_j
        b.now[i] = now_i
        b.now[j] = now_j
        for k in range(TYPES):
            b.chance[i][k] = chance_i[k]
            b.chance[j][k] = chance_j[k]


cdef inline int policy_of(int one) noexcept nogil:
    # The policy of a type.
    return LINEAR if one == BY_WEIGHTS else DUCK if one == BY_DUCK else GREEDY


cdef int draw_policy(const Beliefs* b, int seat, Stream* g) noexcept nogil:
    # Draw a seat's policy from its posterior in the current world.
    cdef double r = <double>(stream_next(g) >> 11) * (1.0 / 9007199254740992.0) * b.now[seat]
    if r < b.chance[seat][BY_DUCK]:
        return DUCK
    return GREEDY if r < b.chance[seat][BY_DUCK] + b.chance[seat][BY_GREEDY] else LINEAR


cdef void draw_policies(const Beliefs* b, int* policies, Stream* g) noexcept nogil:
    # Draw the policies of the other seats; I play by the weights.
    cdef int i
    for i in range(4):
        policies[i] = LINEAR if i == b.me else draw_policy(b, i, g)


cdef void draw_world(
    Beliefs* b, const Round* round, const Unseen* unseen, int steps, Stream* g, Table* world
) noexcept nogil:
    # The next world: this many steps of the chain on; 0: a uniform one.
    cdef int _i
    if not steps:
        unseen_deal(unseen, g, world)
    for _i in range(steps):
        beliefs_step(b, round, unseen, g, world)
