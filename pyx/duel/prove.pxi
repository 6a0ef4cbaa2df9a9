# From tests to values and lines of play.
#
# Names from elsewhere: Search, attacker_wins (search.pxi); UNKNOWN, LOSES, WINS, opposite (duel.state); bit operations
# (duel.rules, common.bits).  This is a .pxi because its functions are too large to be inline.

cdef enum:
    PASS = -1                      # in place of a card
    STOPPED = -2                   # in place of a card or a length: the watch said stop
    MAX_AMOUNTS = 365
    MAX_PLIES = 104                # every card once, and never two passes in a row


cdef int amounts_of(uint64_t hand, int16_t* amounts) noexcept nogil:
    # The amounts that a player holding these cards can be left with, ascending, from 1 card up; how many.  Bit k of
    # `sums`, a number of six words, says that some of the cards seen so far have k points together.
    cdef uint64_t sums[6]          # 364 points at most
    cdef uint64_t word
    cdef int i, points, count = 0
    for i in range(6):
        sums[i] = 0
    sums[0] = 1
    while hand:
        points = card_points(ctz(hand))
        hand &= hand - 1
        for i in range(5, 0, -1):
            sums[i] |= sums[i] << points | sums[i - 1] >> (64 - points)
        sums[0] |= sums[0] << points
    sums[0] ^= 1
    for i in range(6):
        word = sums[i]
        while word:
            amounts[count] = <int16_t>(64 * i + ctz(word))
            word &= word - 1
            count += 1
    return count


cdef void prove_bounds(Search* search, uint64_t mover, uint64_t other, int last, int* lower,
                       int* upper) noexcept nogil:
    # Bounds of the value for the mover: lower <= value <= upper whatever happens, and both are equal unless the watch
    # said stop.  Both hands are non-empty.
    #
    # Who wins is one test.  How much is then found among the amounts that the loser can be left with, ascending: the
    # winner gets amounts[low], and not amounts[high + 1].  Most deals are close: at first it goes up by single steps.
    cdef int16_t amounts[MAX_AMOUNTS]
    cdef int result = attacker_wins(search, mover, other, last, True, 1)
    cdef int low, high, middle, step = 1, tests = 0
    cdef bint wins
    if result == UNKNOWN:
        lower[0] = -points_of(mover)
        upper[0] = points_of(other)
        return
    wins = result == WINS
    low = 0
    high = amounts_of(other if wins else mover, amounts) - 1
    while low < high:
        middle = min(high, low + step)
        result = attacker_wins(search, mover, other, last, wins, amounts[middle])
        if result == UNKNOWN:
            break
        tests += 1
        if result == WINS:
            low = middle
            step = 1 if tests < 8 else 2 * step
        else:
            high = middle - 1
            step = max(1, (high - low + 1) // 2)
    lower[0] = amounts[low] if wins else -amounts[high]
    upper[0] = amounts[high] if wins else -amounts[low]


cdef int keeps_value(Search* search, uint64_t rest, uint64_t other, int card, int value) noexcept nogil:
    # Does the mover still have `value`, the position's exact value, after this card?  `rest`: what is left in hand.
    # One test says so, since no move is better than the value.
    cdef int result
    if rest == 0:
        return WINS
    if value > 0:
        return attacker_wins(search, other, rest, card, False, value)
    result = attacker_wins(search, other, rest, card, True, 1 - value)
    return result if result == UNKNOWN else opposite(result)


cdef int lowest_best_card(Search* search, uint64_t mover, uint64_t other, int last, int value) noexcept nogil:
    # The lowest card that keeps the value; PASS when none is legal; STOPPED.
    cdef uint64_t legal = mover if last < 0 else mover & NEIGHBOURS[last]
    cdef int card, result
    while legal:
        card = ctz(legal)
        legal &= legal - 1
        result = keeps_value(search, mover ^ (<uint64_t>1 << card), other, card, value)
        if result == UNKNOWN:
            return STOPPED
        if result == WINS:
            return card
    return PASS


cdef int principal_variation(Search* search, uint64_t mover, uint64_t other, int last, int value,
                             int8_t* moves) noexcept nogil:
    # Best play of both sides from a position of this exact value to the end, each with the lowest card that keeps the
    # value; how many moves, at most MAX_PLIES, or STOPPED.
    cdef uint64_t hand
    cdef int plies = 0
    while mover and other:
        last = lowest_best_card(search, mover, other, last, value)
        if last == STOPPED:
            return STOPPED
        moves[plies] = <int8_t>last
        plies += 1
        if last >= 0:
            mover ^= <uint64_t>1 << last
        hand = mover
        mover = other
        other = hand
        value = -value
    return plies
