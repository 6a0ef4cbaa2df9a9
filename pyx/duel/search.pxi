# The search of one test: `follow_forced` plays forced moves, `search_state` tries the others.
#
# This is a .pxi because it and together.pxi call each other.

cdef enum:
    # The most children of all states on a path: each level has one card less, and each card of the mover at most one
    # child: 51 + 50 + ... + 1.
    MOST_CHILDREN = 51 * 52 // 2

cdef struct Search:
    Watch watch
    TranspositionTable table
    State* children                # room for MOST_CHILDREN, on the heap: threads may have small stacks
    int needed                     # points needed in the current test
    uint64_t cheap_cards           # cards worth less than `needed` points
    Shared* shared                 # shared by the threads of a search; NULL with one thread
    # With several threads:
    int test                       # number of the current test
    State* path[52]                # the current path, from the test's first state
    int depth                      # index of the path's last state
    int resolved                   # index of the state on the path that another thread has resolved, or -1
    int found                      # result of that state
    uint64_t next_look             # node count of the next check of the path for resolved states


cdef enum:
    NO_LAST = -1                   # no card to match: any card may be played


cdef inline int follow_forced(State* s, int needed, bint win_test) noexcept nogil:
    # Play forced moves.  UNKNOWN if there is a choice (then s is that state), otherwise the result for the *attacker*:
    # LOSES or WINS.  The caller has set mover_suits and mover_reach.  One long function:
    # split, its state would go through memory.
    cdef uint64_t mover = s.mover, other = s.other      # in registers: this loop takes a third of the time
    cdef uint64_t mover_reach = s.mover_reach, other_reach, legal = mover, alone, rest
    cdef int mover_suits = s.mover_suits, other_suits
    cdef int last = s.last, attacks = s.attacks, points = s.points
    while True:
        if not win_test and points < needed:
            return LOSES                    # too little is left to pay
        other_suits = suits_of(other)
        other_reach = SUITS_FILLED[other_suits] | fill_columns(other)
        if last != NO_LAST:
            legal = mover & NEIGHBOURS[last]
            if not legal:                   # a pass: the other side may play any card
                mover, other = other, mover
                mover_suits, other_suits = other_suits, mover_suits
                mover_reach, other_reach = other_reach, mover_reach
                attacks ^= 1
                last = NO_LAST
            elif at_most_one(mover):
                return WINS if attacks else LOSES
            elif legal & ~other_reach:      # a legal isolated card: the other must pass, the mover is free
                last = NO_LAST
        if last == NO_LAST:
            alone = mover & ~other_reach
            if alone:
                mover ^= alone
                mover_suits = suits_of(mover)
                mover_reach = SUITS_FILLED[mover_suits] | fill_columns(mover)
                if not win_test and not attacks:
                    points -= points_of(alone)
            if at_most_one(mover):
                return WINS if attacks else LOSES
            if not win_test and points < needed:
                return LOSES
            legal = mover
        if at_most_one(other):
            # Every legal card fits the other's last one, and the mover holds two or more: the other wins.
            if attacks:
                return LOSES
            return WINS if win_test or points - card_points(msb(legal)) >= needed else LOSES
        if last == NO_LAST or not at_most_one(legal):
            s.mover = mover
            s.other = other
            s.last = last
            s.attacks = attacks
            s.points = points
            s.mover_suits = mover_suits
            s.other_suits = other_suits
            s.mover_reach = mover_reach
            s.other_reach = other_reach
            return UNKNOWN
        last = ctz(legal)                   # the only legal card
        if not win_test and not attacks:
            points -= card_points(last)
        rest = mover ^ legal
        mover = other
        mover_suits = other_suits
        mover_reach = other_reach
        other = rest
        attacks ^= 1


cdef inline int follow_forced_first(State* s, int needed) noexcept nogil:
    # follow_forced for a state without a parent.
    s.mover_suits = suits_of(s.mover)
    s.mover_reach = neighbours_of(s.mover)
    return follow_forced(s, needed, needed == 1)


cdef inline int score_of(const State* s, int card) noexcept nogil:
    # Move ordering: fewest replies first.  Ties prefer a card that shares suit, and even more number, with few of the
    # mover's own cards, which keeps answers to later cards; then the card of most points.
    cdef int replies = popcount(s.other & NEIGHBOURS[card]), own = popcount(s.mover & NEIGHBOURS[card])
    cdef int of_rank = popcount(s.mover >> (card & ~3) & 15)
    return 2 * (card >> 2) - 32 * replies - 3 * own - 2 * of_rank


cdef inline int make_children(Search* search, State* s, State* children, int16_t* scores, bint win_test) noexcept nogil:
    # Write the children without a forced result and prefetch their slots of the table; return their number, or -1 if a
    # child already wins for the mover.
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
        child.mover_suits = s.other_suits
        child.mover_reach = s.other_reach
        child.last = card
        child.attacks = s.attacks ^ 1
        child.points = s.points
        if not win_test and not s.attacks:
            child.points -= card_points(card)
        scores[count] = <int16_t>score_of(s, card)
        result = follow_forced(child, search.needed, win_test)
        if result != UNKNOWN:
            if (result == WINS) == s.attacks:
                return -1
            continue
        make_key(&search.table, child, search.needed, search.cheap_cards, win_test)
        prefetch(pair_of(&search.table, &child.key))
        if not win_test:
            prefetch(pair_of(&search.table, &child.win_key))
        count += 1
    return count


cdef inline int lookup_child(Search* search, State* child, State* s, bint win_test) noexcept nogil:
    # The table's result of a child, for the mover of s.
    cdef int result
    if not win_test and child.win_key.index != child.key.index:
        # An attacker that cannot win cannot win `needed` points either.
        result = lookup(&search.table, &child.win_key, child, 1)
        if result != UNKNOWN and (result == WINS) != child.attacks:
            return LOSES if s.attacks else WINS
    result = lookup(&search.table, &child.key, child, search.needed)
    if result == UNKNOWN or child.attacks == s.attacks:
        return result
    return opposite(result)


cdef inline int open_children(Search* search, State* s, State* children, int* count, uint8_t* order,
                              bint win_test) noexcept nogil:
    # Write the children (`count`), look them up, and order those that the table does not know: by score, after children
    # in which the same side moves again.  Return the number of ordered children, or -1 if a child wins for the mover.
    cdef int16_t scores[52]
    cdef int left = 0, i, j, score
    cdef State* child
    count[0] = make_children(search, s, children, scores, win_test)
    if count[0] < 0:
        return -1
    for i in range(count[0]):
        child = &children[i]
        j = lookup_child(search, child, s, win_test)
        if j == WINS:
            return -1
        if j == LOSES:
            continue
        score = scores[i] + (1000 if child.attacks == s.attacks else 0)
        j = left
        left += 1
        while j > 0 and scores[order[j - 1]] < score:
            order[j] = order[j - 1]
            j -= 1
        order[j] = i
        scores[i] = score
    return left


cdef inline int search_state(Search* search, State* s, State* children, bint win_test) noexcept nogil:
    # Search s for its mover: LOSES, WINS, or UNKNOWN if the watch stopped.  s has a choice and is not in the table.
    # `children`: free room for children.
    cdef uint8_t order[52]
    cdef int count, left, i, j, result = LOSES
    cdef State* child
    if tick(&search.watch):
        return UNKNOWN
    left = open_children(search, s, children, &count, order, win_test)
    if left < 0:
        result = WINS
    for i in range(left):
        child = &children[order[i]]
        j = lookup_child(search, child, s, win_test) if i else UNKNOWN
        if j == UNKNOWN:
            if win_test:
                j = search_win_test(search, child, children + count)
            else:
                j = search_points_test(search, child, children + count)
            if j == UNKNOWN:
                return UNKNOWN
            if child.attacks != s.attacks:
                j = opposite(j)
        if j == WINS:
            result = WINS
            break
    store(&search.table, s, search.needed, result)
    return result


# One instance of search_state for each kind of test.

cdef int search_win_test(Search* search, State* s, State* children) noexcept nogil:
    return search_state(search, s, children, True)


cdef int search_points_test(Search* search, State* s, State* children) noexcept nogil:
    return search_state(search, s, children, False)


cdef int attacker_wins(Search* search, uint64_t mover, uint64_t other, int last, int attacks,
                       int needed) noexcept nogil:
    # Run a test of any position with two non-empty hands; the result for the attacker: WINS, LOSES, or UNKNOWN if the
    # watch stopped.
    cdef State s
    cdef int result
    search.test += 1
    search.needed = needed
    search.cheap_cards = cards_below(needed)
    s.mover = mover
    s.other = other
    s.last = last
    s.attacks = attacks
    s.points = points_of(other if attacks else mover)
    result = follow_forced_first(&s, needed)
    if result != UNKNOWN:
        return result
    make_key(&search.table, &s, needed, search.cheap_cards, needed == 1)
    result = lookup(&search.table, &s.key, &s, needed)
    if result == UNKNOWN:
        if search.shared != NULL:
            result = search_test_together(search, &s)
        elif needed == 1:
            result = search_win_test(search, &s, search.children)
        else:
            result = search_points_test(search, &s, search.children)
    if result == UNKNOWN or s.attacks:
        return result
    return opposite(result)
