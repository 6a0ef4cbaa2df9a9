# The search behind one test: `settle` follows what is forced, `search` tries the rest.

cdef struct Search:
    Watch watch
    Table table

cdef struct Query:
    Search* search
    int needed


cdef inline int settle(State* s, int needed, bint first) noexcept nogil:
    # Follow forced play.  UNKNOWN when there is a choice left (s is then the state of that choice), otherwise the
    # outcome for the *attacker*: LOSES or WINS.
    cdef uint64_t mover = s.mover, other = s.other      # in registers: this loop is a third of the time
    cdef uint64_t legal, alone
    cdef int last = s.last, attacks = s.attacks, points = s.points
    while True:
        if not first and points < needed:
            return LOSES                    # too little is left to pay
        if last >= 0:
            legal = mover & NEIGHBOURS[last]
            if not legal:                   # a pass: the other side is free
                mover, other = other, mover
                attacks ^= 1
                last = -1
            elif at_most_one(mover):
                return WINS if attacks else LOSES
            elif legal & ~fits(other):      # a legal isolated card: the other must pass, the mover is free
                last = -1
        if last < 0:
            alone = mover & ~fits(other)
            mover ^= alone
            if not first and not attacks and alone:
                points -= points_of(alone)
            if at_most_one(mover):
                return WINS if attacks else LOSES
            if not first and points < needed:
                return LOSES
            legal = mover
        if at_most_one(other):
            # Every legal card fits the other's last one, and the mover holds two or more: the other wins.
            if attacks:
                return LOSES
            return WINS if first or points - card_points(msb(legal)) >= needed else LOSES
        if last < 0 or not at_most_one(legal):
            s.mover = mover
            s.other = other
            s.last = last
            s.attacks = attacks
            s.points = points
            return UNKNOWN
        last = ctz(legal)                   # the only legal card
        if not first and not attacks:
            points -= card_points(last)
        legal ^= mover
        mover = other
        other = legal
        attacks ^= 1


cdef inline int expand(Query* q, State* s, State* children, int* scores, bint first) noexcept nogil:
    # Write the children that are not settled and start fetching their table slots; returns their number, or -1
    # when some child already wins for the mover.
    cdef uint64_t legal = s.mover if s.last < 0 else s.mover & NEIGHBOURS[s.last], bit
    cdef int count = 0, card, result
    cdef State* child
    legal = without_twins(legal, s.other)
    while legal:
        card = msb(legal)
        bit = <uint64_t>1 << card
        legal ^= bit
        child = &children[count]
        child.mover = s.other
        child.other = s.mover ^ bit
        child.last = card
        child.attacks = s.attacks ^ 1
        child.points = s.points
        if not first and not s.attacks:
            child.points -= card_points(card)
        scores[count] = (card >> 2) - 16 * popcount(s.other & NEIGHBOURS[card])
        result = settle(child, q.needed, first)
        if result != UNKNOWN:
            if (result == WINS) == s.attacks:
                return -1
            continue
        make_key(&q.search.table, child, q.needed, first)
        prefetch(slot_of(&q.search.table, &child.key))
        if not first:
            prefetch(slot_of(&q.search.table, &child.key1))
        count += 1
    return count


cdef inline int known(Query* q, State* child, State* s, bint first) noexcept nogil:
    # What the table says of a child, for the mover of s.
    cdef int result
    if not first and child.key1.index != child.key.index:
        # Who cannot win at all does not win by `needed`.
        result = lookup(&q.search.table, &child.key1, child, 1)
        if result != UNKNOWN and (result == WINS) != child.attacks:
            return LOSES if s.attacks else WINS
    result = lookup(&q.search.table, &child.key, child, q.needed)
    if result == UNKNOWN or child.attacks == s.attacks:
        return result
    return WINS + LOSES - result


cdef inline int search_body(Query* q, State* s, bint first) noexcept nogil:
    # Does the mover of s get his way?  LOSES, WINS, or UNKNOWN when the watch said stop.  s is not settled, and
    # the table does not know it.
    cdef State children[52]
    cdef int scores[52]
    cdef int order[52]
    cdef int count, left = 0, i, j, score, result = LOSES
    cdef State* child
    if tick(&q.search.watch):
        return UNKNOWN
    count = expand(q, s, children, scores, first)
    if FULL_KEYS:
        for i in range(debug_slow):
            count = expand(q, s, children, scores, first)
    if count < 0:
        result = WINS
    # All children are looked up before any is searched; then the fewest replies first, and before all a
    # child in which it is the same side's turn again.
    for i in range(count):
        child = &children[i]
        j = known(q, child, s, first)
        if j == WINS:
            result = WINS
            break
        if j == LOSES:
            continue
        score = scores[i] + (1000 if child.attacks == s.attacks else 0)
        if FULL_KEYS and debug_order:
            score = -score
        j = left
        left += 1
        while j > 0 and scores[order[j - 1]] < score:
            order[j] = order[j - 1]
            j -= 1
        order[j] = i
        scores[i] = score
    if result != WINS:
        for i in range(left):
            child = &children[order[i]]
            j = known(q, child, s, first) if i else UNKNOWN
            if j == UNKNOWN:
                j = search_first(q, child) if first else search_points(q, child)
                if j == UNKNOWN:
                    return UNKNOWN
                if child.attacks != s.attacks:
                    j = WINS + LOSES - j
            if j == WINS:
                result = WINS
                break
    store(&q.search.table, s, q.needed, result)
    return result


cdef int search_first(Query* q, State* s) noexcept nogil:
    return search_body(q, s, True)


cdef int search_points(Query* q, State* s) noexcept nogil:
    return search_body(q, s, False)


cdef int attacker_wins(Search* search, uint64_t mover, uint64_t other, int last, int attacks,
                       int needed) noexcept nogil:
    # The test itself, from any position with two non-empty hands: WINS, LOSES, or UNKNOWN when stopped.
    cdef State s
    cdef Query q
    cdef int result
    q.search = search
    q.needed = needed
    s.mover = mover
    s.other = other
    s.last = last
    s.attacks = attacks
    s.points = points_of(other if attacks else mover)
    result = settle(&s, needed, needed == 1)
    if result != UNKNOWN:
        return result
    make_key(&search.table, &s, needed, needed == 1)
    result = lookup(&search.table, &s.key, &s, needed)
    if result == UNKNOWN:
        result = search_first(&q, &s) if needed == 1 else search_points(&q, &s)
    if result == UNKNOWN or s.attacks:
        return result
    return WINS + LOSES - result
