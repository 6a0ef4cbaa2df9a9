# A round with its random stream, and conversion of cards from and to Python.
#
# Every round has its own stream, started from (seed, index).  In order: the deal; three words for each seat that passes
# at random; one word per trick, whose low half serves the first two seats and whose high half the last two.
from libc.stdint cimport uint32_t, uint64_t
from libc.string cimport memset

from common.bits cimport ctz, mix64
from common.rng cimport Stream, stream_next, stream_start
from hearts.rules cimport ALL, C2, Rules, Seen, deal, pick, subset
from hearts.table cimport Table, holder, observe, play, start

cdef enum:
    PASS_WORDS = 3                 # words of the stream that a random pass takes

cdef struct Round:
    Rules rules
    Table t
    Seen seen
    uint64_t passed[4]             # by each seat, to seat + direction
    int direction
    int first_leader
    Stream g
    uint32_t half[2]               # random halves of this trick: first two seats, last two seats
    uint64_t key                   # of the stream and of the streams of searches
    uint64_t index
    uint64_t order[52]             # the cards in the order of play


cdef inline int lane_index(uint64_t card) noexcept nogil:
    # Python's index of a card: 4 * rank + suit in C D H S.
    cdef int place = ctz(card)
    cdef int suit = place >> 4
    return 4 * (place & 15) + (suit ^ (suit >> 1))


cdef inline uint64_t lane_card(int index) noexcept nogil:
    cdef int suit = index & 3
    return <uint64_t>1 << (16 * (suit ^ (suit >> 1)) + (index >> 2))


cdef inline uint64_t from_lanes(uint64_t cards) noexcept nogil:
    cdef uint64_t out = 0
    while cards:
        out |= <uint64_t>1 << lane_index(cards & (0 - cards))
        cards &= cards - 1
    return out


cdef inline uint64_t to_lanes(uint64_t cards) noexcept nogil:
    cdef uint64_t out = 0
    while cards:
        out |= lane_card(ctz(cards))
        cards &= cards - 1
    return out


cdef inline void next_trick(Round* round) noexcept nogil:
    # One word per trick for any players: a round's random numbers do not depend on the seating.
    cdef uint64_t word = stream_next(&round.g)
    round.half[0] = <uint32_t>word
    round.half[1] = <uint32_t>(word >> 32)


cdef inline void round_deal(Round* round, uint64_t key, uint64_t index) noexcept nogil:
    round.key = key
    round.index = index
    stream_start(&round.g, key, index)
    deal(&round.g, round.t.hand)
    round.direction = 0
    memset(round.passed, 0, sizeof(round.passed))
    memset(&round.seen, 0, sizeof(Seen))
    start(&round.t, 0)


cdef inline void deal_others(Stream* g, int seat, uint64_t* hand) noexcept nogil:
    # Deal 39 cards to the seats that follow `seat`, whose hand is given.
    cdef uint64_t rest = ALL & ~hand[seat]
    cdef int i
    for i in range(1, 3):
        hand[(seat + i) & 3] = subset(g, rest, 13)
        rest &= ~hand[(seat + i) & 3]
    hand[(seat + 3) & 3] = rest


cdef inline void pass_cards(uint64_t* hand, const uint64_t* passed, int direction) noexcept nogil:
    # Move the cards that each seat passes.
    cdef int i
    for i in range(4):
        hand[i] &= ~passed[i]
    for i in range(4):
        hand[(i + direction) & 3] |= passed[i]


cdef inline void exchange(Round* round, int direction) noexcept nogil:
    # Move the cards in round.passed.
    round.direction = direction
    pass_cards(round.t.hand, round.passed, direction)


cdef inline void round_start(Round* round) noexcept nogil:
    round.first_leader = holder(round.t.hand)
    start(&round.t, round.first_leader)
    next_trick(round)


cdef inline void round_play(Round* round, uint64_t card) noexcept nogil:
    round.order[round.t.count] = card
    observe(&round.seen, &round.rules, &round.t, card)
    play(&round.t, card)
    if round.t.n == 0:
        next_trick(round)


cdef inline uint64_t random_card(Round* round, uint64_t m) noexcept nogil:
    return pick(m, &round.half[round.t.n >> 1])


cdef inline void decision_stream(const Round* round, Stream* g, int moment) noexcept nogil:
    # Each decision has its own stream: the amount that a search draws does not affect other players.
    stream_start(g, mix64(round.key + <uint64_t>(1 + moment)), round.index)


cdef inline void known_to(const Round* round, int me, uint64_t* known) noexcept nogil:
    # Cards whose holder the seat knows: the cards it passed; the two of clubs while its holder has led another club.
    cdef int i
    for i in range(4):
        known[i] = 0
    if round.direction:
        known[(me + round.direction) & 3] = round.passed[me] & ~round.t.played
    if round.t.count and not round.t.played & C2 and round.first_leader != me:
        known[round.first_leader] |= C2


cdef inline void view_of(const Round* round, int me, Table* view) noexcept nogil:
    # The table without the other hands.
    cdef int i
    view[0] = round.t
    for i in range(4):
        if i != me:
            view.hand[i] = 0
