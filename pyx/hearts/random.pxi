# Rounds among four random players, four rounds interleaved.
#
# It draws exactly as rounds on a Table do: the deal, the passes, then one word a trick, whose low half serves the first
# two seats of the trick and whose high half the last two.  simd/hearts_avx512.h draws the same in eight lanes; the
# tests hold all three to the same points, round by round.
#
# A Table would be five times slower here: choices are conditional moves (a branch on who wins a trick would be
# mispredicted two times in three), a trick is counted when it is whole, and one round computes while another waits.

cdef enum:
    TOGETHER = 4                   # rounds interleaved; measured

cdef struct RandomRound:
    uint64_t hand[4]
    uint64_t taken[4]              # the cards that each seat has won
    uint64_t played
    uint32_t leader, first_leader
    Stream g
    uint64_t order[52]             # the cards in the order of play, if they are logged


cdef inline void log_plays(Played* row, const uint64_t* order, uint32_t leader) noexcept nogil:
    # Log the cards of a round, by the numbers of their bits, and who played them.
    cdef int trick, i
    for trick in range(0, 52, 4):
        for i in range(4):
            row.cards[trick + i] = <uint8_t>ctz(order[trick + i])
            row.seats[trick + i] = <uint8_t>((leader + <uint32_t>i) & 3)
        leader += winning_place(order + trick, suit_of(order[trick]))


cdef inline void random_start(
    RandomRound* r, uint64_t key, uint64_t index, const unsigned char* cycle, uint64_t period, Played* row
) noexcept nogil:
    # Deal, pass at random, and give the lead to the holder of the two of clubs; row: NULL, or where to log that.
    cdef uint64_t passed[4]
    cdef int direction = cycle[index % period], i
    stream_start(&r.g, key, index)
    deal(&r.g, r.hand)
    if row != NULL:
        row.dealt = r.hand
        memset(row.passed, 0, sizeof(row.passed))
    if direction:
        for i in range(4):
            passed[i] = repair(&r.g, 0, r.hand[i], 3)
        if row != NULL:
            row.passed = passed
        pass_cards(r.hand, passed, direction)
    r.leader = r.first_leader = <uint32_t>holder(r.hand)
    r.taken[0] = r.taken[1] = r.taken[2] = r.taken[3] = 0
    r.played = 0


cdef inline uint32_t winning_place(const uint64_t* card, uint64_t suit) noexcept nogil:
    # Which of the four cards of a trick wins it.
    cdef uint64_t a = card[1] & suit, b = card[2] & suit, c = card[3] & suit, best
    best = max(max(a, b), max(c, card[0]))
    return <uint32_t>((a == best) + 2 * (b == best) + 3 * (c == best))


cdef inline void random_trick(RandomRound* r, const Rules* rules, int trick, bint log) noexcept nogil:
    # One trick of one round; whether it is the first, and `log`, are constants where this is inlined.
    cdef uint64_t word = stream_next(&r.g), h = r.hand[r.leader], m, suit, all_cards
    cdef uint64_t card[4]
    cdef uint32_t half[2]
    cdef uint32_t seat
    cdef int i
    cdef bint first = trick == 0
    half[0] = <uint32_t>word
    half[1] = <uint32_t>(word >> 32)
    if first:
        m = h & rules.first_lead
    else:
        m = h & ~HEARTS
        m = either(m ^ rules.lone_queen, m, 0)
        m = either((r.played | rules.preset) & rules.breakers, h, either(m, m, h))
    card[0] = all_cards = pick(m, &half[0])
    r.hand[r.leader] = h ^ card[0]
    suit = suit_of(card[0])
    for i in range(1, 4):
        seat = (r.leader + <uint32_t>i) & 3
        h = r.hand[seat]
        m = either(h & ~rules.first_ban, h & ~rules.first_ban, h) if first else h
        m = either(h & suit, h & suit, m)
        card[i] = pick(m, &half[i >> 1])
        r.hand[seat] = h ^ card[i]
        all_cards |= card[i]
    if log:
        memcpy(&r.order[4 * trick], card, sizeof(card))
    r.leader = (r.leader + winning_place(card, suit)) & 3
    r.taken[r.leader] |= all_cards
    r.played |= all_cards


cdef inline void last_trick(RandomRound* r, bint log) noexcept nogil:
    # The last trick plays itself.
    cdef uint64_t card[4]
    cdef int i
    for i in range(4):
        card[i] = r.hand[(r.leader + <uint32_t>i) & 3]
    if log:
        memcpy(&r.order[48], card, sizeof(card))
    r.taken[(r.leader + winning_place(card, suit_of(card[0]))) & 3] |= card[0] | card[1] | card[2] | card[3]


cdef inline uint64_t tally_of(const RandomRound* r) noexcept nogil:
    # All that `score` looks at: it does not matter how many tricks of its own a seat took.
    cdef uint64_t tally = 0
    cdef int seat
    for seat in range(4):
        tally |= (worth(r.taken[seat]) ^ (0 if r.taken[seat] else <uint64_t>1 << 32)) << (8 * seat)
    return tally


cdef inline void random_together(RandomRound* r, const Rules* rules, int count, bint log) noexcept nogil:
    cdef int i, trick
    for i in range(count):
        random_trick(&r[i], rules, 0, log)
    for trick in range(1, 12):
        for i in range(count):
            random_trick(&r[i], rules, trick, log)
    for i in range(count):
        last_trick(&r[i], log)


cdef void random_rounds(
    int8_t* points, int64_t rounds, uint64_t first, const Rules* rules, uint64_t key, const unsigned char* cycle,
    uint64_t period, Played* log
) noexcept nogil:
    # Rounds first, first + 1, ... into rows of four points; log: NULL, or rows to record them in.
    cdef RandomRound r[TOGETHER]
    cdef int64_t at = 0
    cdef int i, count
    while at < rounds:
        count = TOGETHER if rounds - at >= TOGETHER else 1
        for i in range(count):
            random_start(&r[i], key, first + <uint64_t>(at + i), cycle, period,
                         log + at + i if log != NULL else NULL)
        if log != NULL:
            random_together(r, rules, count, True)
        elif count == TOGETHER:
            random_together(r, rules, TOGETHER, False)
        else:
            random_together(r, rules, 1, False)
        for i in range(count):
            score(tally_of(&r[i]), rules.flags, points + 4 * (at + i))
            if log != NULL:
                log_plays(log + at + i, r[i].order, r[i].first_leader)
        at += count
