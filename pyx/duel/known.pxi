# Results that are known without search.

cdef int known_outcome(Search* search, uint64_t mover, uint64_t other, int last, int attacks,
                       int needed) noexcept nogil:
    # The result of attacker_wins if it is known without search, else UNKNOWN.
    cdef State s
    cdef int result
    cdef bint win_test = needed == 1
    if mover == 0 or other == 0:                # the game is over
        return WINS if (mover == 0) == attacks and points_of(mover | other) >= needed else LOSES
    search.needed = needed
    search.cheap_cards = cards_below(needed)
    s.mover, s.other, s.last, s.attacks = mover, other, last, attacks
    s.points = points_of(other if attacks else mover)
    result = follow_forced_first(&s, needed)
    if result != UNKNOWN:
        return result
    make_key(&search.table, &s, needed, search.cheap_cards, win_test)
    result = lookup_child(search, &s, &s, win_test)
    return result if result == UNKNOWN or s.attacks else opposite(result)
