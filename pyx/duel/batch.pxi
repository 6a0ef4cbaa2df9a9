# From tests to values and lines of play, in C throughout, so that many small positions cost one call.

cdef enum:
    STOPPED = -2                   # in place of a card: a limit was reached
    PASS = -1
    MAX_AMOUNTS = 365
    MAX_PLIES = 104                # every card once, and never two passes in a row

cdef struct Answers:
    # Where the answers of a batch go, one item a position.
    int16_t* lower                 # bounds of the mover's value
    int16_t* upper
    int64_t* nodes
    int64_t* nanoseconds
    int64_t* table_bytes
    int64_t* line_end              # in `line`
    int8_t* line                   # cards, PASS for a pass; grown as needed, the caller's to free
    int64_t line_room


cdef int amounts_of(uint64_t hand, int16_t* amounts) noexcept nogil:
    # The amounts that a player holding these cards can be left with, ascending, from 1 card up; how many.
    cdef uint64_t sums[6]          # bit k: k points can be left; 364 at most
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


cdef void prove(Search* search, uint64_t mover, uint64_t other, int last, int* lower, int* upper) noexcept nogil:
    # Proven bounds of the mover's value; equal unless the watch said stop.  Both hands are non-empty.
    cdef int16_t amounts[MAX_AMOUNTS]
    cdef int result = attacker_wins(search, mover, other, last, True, 1)
    cdef int low, high, middle, step = 1, tests = 0
    cdef bint wins
    if result == UNKNOWN:
        lower[0] = -points_of(mover)
        upper[0] = points_of(other)
        return
    wins = result == WINS
    low = 0                                 # the winner gets amounts[low]; not amounts[high + 1]
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


cdef int keeps(Search* search, uint64_t rest, uint64_t other, int card, int value) noexcept nogil:
    # Does the mover still have `value`, the position's exact value, after this card?  `rest`: what he keeps in hand.
    cdef int result
    if rest == 0:
        return WINS
    if value > 0:
        return attacker_wins(search, other, rest, card, False, value)
    result = attacker_wins(search, other, rest, card, True, 1 - value)
    return result if result == UNKNOWN else WINS + LOSES - result


cdef int lowest_best(Search* search, uint64_t mover, uint64_t other, int last, int value) noexcept nogil:
    # The lowest card that keeps the value; PASS when none is legal; STOPPED.
    cdef uint64_t legal = mover if last < 0 else mover & NEIGHBOURS[last]
    cdef int card, result
    while legal:
        card = ctz(legal)
        legal &= legal - 1
        result = keeps(search, mover ^ (<uint64_t>1 << card), other, card, value)
        if result == UNKNOWN:
            return STOPPED
        if result == WINS:
            return card
    return PASS


cdef int play_out(Search* search, uint64_t mover, uint64_t other, int last, int value, int8_t* moves) noexcept nogil:
    # The principal variation from a position of this exact value; its length, or STOPPED.
    cdef uint64_t hand
    cdef int plies = 0
    while mover and other:
        last = lowest_best(search, mover, other, last, value)
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


cdef bint answer(Search* search, uint64_t mover, uint64_t other, int last, bint want_line, Answers* out,
                 int64_t i) noexcept nogil:
    # Item i of a batch; the table is empty, the watch just started.  False when there is no memory for the line.
    cdef int lower, upper, plies
    cdef int64_t at = out.line_end[i - 1] if i else 0
    cdef int8_t* room
    out.line_end[i] = at
    out.nodes[i] = out.table_bytes[i] = 0
    if mover == 0 or other == 0:            # over: who has no cards is paid for the other's
        out.lower[i] = out.upper[i] = <int16_t>(points_of(other) if mover == 0 else -points_of(mover))
        return True
    prove(search, mover, other, last, &lower, &upper)
    out.lower[i] = <int16_t>lower
    out.upper[i] = <int16_t>upper
    if want_line and lower == upper:
        if at + MAX_PLIES > out.line_room:
            room = <int8_t*>realloc(out.line, 2 * out.line_room + 4096)
            if room == NULL:
                return False
            out.line = room
            out.line_room = 2 * out.line_room + 4096
        plies = play_out(search, mover, other, last, lower, out.line + at)
        if plies > 0:
            out.line_end[i] = at + plies
    out.nodes[i] = search.watch.nodes
    out.table_bytes[i] = <int64_t>sizeof(uint64_t) << search.table.bits
    return True
