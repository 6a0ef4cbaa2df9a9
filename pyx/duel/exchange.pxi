# Export and import of table entries, and results that are known without search.
#
# Names from elsewhere: Search, follow_forced_first, lookup_child (search.pxi); make_key (key.pxi); store (duel.table);
# State, UNKNOWN, LOSES, WINS, opposite (duel.state); exports_add (common.exports); bit operations (duel.rules,
# common.bits).
#
# The table holds only hashes, so that an exported entry is the whole state, which the importer hashes again:
#
#      word 0   the mover's hand (52 bits) | the last card (6), 63: none
#      word 1   the other hand (52 bits)
#      word 2   nodes (32) | result (2) | 1 where the mover is the attacker (1) | needed (9), from bit 0

cdef enum:
    ANY_CARD = 63                  # last card of a free mover


cdef void export_state(Search* search, const State* s, int result, uint64_t nodes) noexcept nogil:
    cdef uint64_t last = <uint64_t>(s.last if s.last >= 0 else ANY_CARD)
    cdef uint64_t low = <uint64_t>(search.needed | s.attacks << 9 | result << 10)
    exports_add(&search.exports, s.mover | last << 52, s.other, low, nodes)


cdef bint import_state(Search* search, uint64_t first, uint64_t second, uint64_t low) noexcept nogil:
    # Store an entry of another search; False if it is invalid or contradicts what is known.
    cdef uint64_t hand_bits = (<uint64_t>1 << 52) - 1, last = first >> 52
    cdef int result = low >> 10 & 3, known
    cdef State s, before
    s.mover, s.other, s.attacks = first & hand_bits, second, low >> 9 & 1
    s.last = -1 if last == ANY_CARD else <int>last
    search.needed = low & 511
    if second & ~hand_bits or s.mover & s.other or s.mover == 0 or s.other == 0 or search.needed == 0:
        return False
    if (last > 51 and last != ANY_CARD) or (s.last >= 0 and (s.mover | s.other) >> s.last & 1):
        return False
    if result not in (LOSES, WINS) or low >> 12 & 0xfffff:
        return False
    s.points = points_of(s.other if s.attacks else s.mover)
    before = s
    if follow_forced_first(&s, search.needed) != UNKNOWN:
        return False
    if s.mover != before.mover or s.other != before.other or s.last != before.last or s.attacks != before.attacks:
        return False
    search.cheap_cards = cards_below(search.needed)
    make_key(&search.table, &s, search.needed, search.cheap_cards, search.needed == 1)
    known = lookup_child(search, &s, &s, search.needed == 1)
    if known != UNKNOWN and known != result:
        return False
    return store(&search.table, &s, search.needed, result)


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
