# Values and lines of play by tests.

cdef enum:
    PASS = -1                      # instead of a card
    STOPPED = -2                   # instead of a card or a length: the watch stopped
    MAX_AMOUNTS = 365
    MAX_PLIES = 104                # every card once, never two passes in a row


cdef int amounts_of(uint64_t hand, int16_t* amounts) noexcept nogil:
    # Write the points that the holder of `hand` may still hold at the end, at least one card, ascending; return their
    # count.  Bit k of `sums` (six words) is set if some set of the cards so far has k points.
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
    # Bounds of the mover's value, equal unless the watch stopped.  Both hands are non-empty.
    #
    # One test finds the winner.  Further tests search the loser's possible amounts: the winner gets at least
    # amounts[low] and less than amounts[high + 1].  Most deals are won by few points: it goes up in single steps first.
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
    # Test whether a card is optimal: whether it keeps `value`, the position's exact value.  `rest`: the mover's hand
    # without the card.  One test is enough, since no move is better than the value.
    cdef int result
    if rest == 0:
        return WINS
    if value > 0:
        return attacker_wins(search, other, rest, card, False, value)
    result = attacker_wins(search, other, rest, card, True, 1 - value)
    return result if result == UNKNOWN else opposite(result)


cdef int lowest_best_card(Search* search, uint64_t mover, uint64_t other, int last, int value) noexcept nogil:
    # The lowest optimal card; PASS if no card is legal; STOPPED.
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
    # Write best play from a position of this exact value to the end, always the lowest optimal card; return the number
    # of moves, at most MAX_PLIES, or STOPPED.
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
