# A round with its random stream: what the simulation and the Python-visible Core both drive.

cdef enum Kind:
    # Players, by the numbers of gamecore.hearts._players; the first three are also playout policies.
    INTELLIGENT = 3
    LITERAL = 4
    PLAYOUTS = 5                   # mc and pimc
    SOLVER = 6

cdef struct Spec:
    int kind
    int playouts
    int policy
    uint32_t epsilon               # chance of a random card in a playout, of 2**32
    int infer                      # worlds weighed by how well they explain the play: candidates per world kept
    int solve_at                   # solver: cards left from which worlds are solved instead of played out

cdef struct Game:
    Rules rules
    State s
    Seen seen
    uint64_t passed[4]             # what each seat passed on
    int direction                  # seat + direction received it
    int first_leader
    Stream g
    uint32_t half[2]               # random halves of this trick: first two seats, last two seats
    uint64_t key                   # of the decisions' own streams
    uint64_t index
    uint64_t order[52]             # the cards in the order of play
    int leaders[13]
    const int32_t* stop            # set by another thread that wants an end; NULL: nobody does


cdef inline int lane_index(uint64_t card) noexcept nogil:
    # A card's index as the project writes it: 4 * rank + suit in C D H S.
    cdef int place = ctz(card)
    cdef int suit = place >> 4
    return 4 * (place & 15) + (suit ^ (suit >> 1))


cdef inline uint64_t lane_card(int index) noexcept nogil:
    cdef int suit = index & 3
    return <uint64_t>1 << (16 * (suit ^ (suit >> 1)) + (index >> 2))


cdef uint64_t from_lanes(uint64_t cards) noexcept nogil:
    cdef uint64_t out = 0
    while cards:
        out |= <uint64_t>1 << lane_index(cards & (0 - cards))
        cards &= cards - 1
    return out


cdef uint64_t to_lanes(uint64_t cards) noexcept nogil:
    cdef uint64_t out = 0
    while cards:
        out |= lane_card(ctz(cards))
        cards &= cards - 1
    return out


cdef inline void next_trick(Game* game) noexcept nogil:
    # One word a trick, whoever plays: the deals and the luck of a round do not depend on who sits where.
    cdef uint64_t word = stream_next(&game.g)
    game.half[0] = <uint32_t>word
    game.half[1] = <uint32_t>(word >> 32)


cdef void game_deal(Game* game, uint64_t key, uint64_t index) noexcept nogil:
    game.key = key
    game.index = index
    stream_start(&game.g, key, index)
    deal(&game.g, game.s.hand)
    game.direction = 0
    memset(game.passed, 0, sizeof(game.passed))
    memset(&game.seen, 0, sizeof(Seen))
    game.s.count = game.s.n = 0
    game.s.played = game.s.tally = 0


cdef void game_pass(Game* game, int direction) noexcept nogil:
    # Hand on what game.passed says.
    cdef int i
    game.direction = direction
    for i in range(4):
        game.s.hand[i] &= ~game.passed[i]
    for i in range(4):
        game.s.hand[(i + direction) & 3] |= game.passed[i]


cdef void game_start(Game* game) noexcept nogil:
    start(&game.s)
    game.first_leader = game.s.leader
    next_trick(game)


cdef inline void game_play(Game* game, uint64_t card) noexcept nogil:
    if game.s.n == 0:
        game.leaders[game.s.count >> 2] = game.s.leader
    game.order[game.s.count] = card
    observe(&game.seen, &game.rules, &game.s, card)
    play(&game.s, card)
    if game.s.n == 0:
        next_trick(game)


cdef inline uint64_t random_card(Game* game, uint64_t m) noexcept nogil:
    return pick(m, &game.half[game.s.n >> 1])


cdef void decision_stream(const Game* game, Stream* g, int moment) noexcept nogil:
    # A search draws from a stream of its own: what it uses does not move the cards of anybody else.
    stream_start(g, mix64(game.key + <uint64_t>(1 + moment)), game.index)


cdef void known_to(const Game* game, int me, uint64_t* known) noexcept nogil:
    # Cards whose holder the seat knows: those it passed on; the two of clubs while its holder has led another club.
    cdef int i
    for i in range(4):
        known[i] = 0
    if game.direction:
        known[(me + game.direction) & 3] = game.passed[me] & ~game.s.played
    if game.s.count and not game.s.played & C2 and game.first_leader != me:
        known[game.first_leader] |= C2


cdef void view_of(const Game* game, int me, State* view) noexcept nogil:
    # The state as a seat may see it: no other hand is in it.
    cdef int i
    view[0] = game.s
    for i in range(4):
        if i != me:
            view.hand[i] = 0
