# The contribution of the defender's points to the key of a points test.
#
# This is a .pxi because its tables are filled at import.
#
# The defender's *cheap* cards are worth less than `needed`; any other card is enough alone.  The test depends on points
# only by this function: does the sum of a set of cheap cards, left at the end, reach `needed`?  Different points may
# give the same function:
#
#  1. Let e be 1 more than the largest sum below `needed` of any set of cheap cards.  No set has a sum from e to
#     needed - 1, so that e can replace `needed`.
#  2. If a card and the cheapest other cheap card have at least e points together, the card is enough with any other
#     cheap card, but not alone (by 1, it is worth at most e - 1).  It may be given e - 1 points.
#
# Tests for more than 4 points are rare and are not reduced.  Nor are states in which the defender's isolated cards
# together are worth less than `needed`.

cdef enum:
    MOST_REDUCED = 4                   # the largest `needed` that is reduced; 2 never changes

cdef Hash CHEAP_COLUMN[13 * 256]       # by points - 1 of its cards and content
cdef Hash NEEDED[512]
cdef Hash ISOLATED_POINTS[512]
cdef Hash ATTACKER                     # the mover is the attacker
cdef uint16_t REDUCED[MOST_REDUCED - 2][4096]   # by needed - 3 and cheap cards: points - 1 of each rank, then e


cdef void fill_points_tables(uint64_t* state) noexcept:
    cdef int i, needed, cheap
    for i in range(13 * 256):
        CHEAP_COLUMN[i] = random_hash(state)
    for i in range(512):
        NEEDED[i] = random_hash(state)
        ISOLATED_POINTS[i] = random_hash(state)
    ATTACKER.index, ATTACKER.check = splitmix64(state), splitmix64(state)
    for needed in range(3, MOST_REDUCED + 1):
        for cheap in range(1 << (4 * (needed - 1))):
            REDUCED[needed - 3][cheap] = <uint16_t>reduced(needed, cheap)


cdef int reduced(int needed, int cheap) noexcept:
    # An item of REDUCED: a nibble for each rank below `needed`, and e in the fourth nibble.
    cdef int sums = 1, least = 99, second = 99, e, rank, card, points, word = 0
    cdef bint all_pairs = True
    for card in range(12):
        if cheap >> card & 1:
            points = card_points(card)
            sums |= sums << points
            if points < least:
                second = least
                least = points
            elif points < second:
                second = points
    e = msb(sums & ((1 << needed) - 1)) + 1
    for rank in range(3):
        points = rank + 1
        if cheap >> (4 * rank) & 15:
            if points + (second if points == least else least) >= e:
                points = e - 1
            else:
                all_pairs = False
        word |= (points - 1) << (4 * rank)
    return 2 << 12 if all_pairs else word | e << 12


cdef inline void add_points(State* s, uint64_t cheap, uint64_t alone, int needed, uint8_t* content,
                            int column) noexcept nogil:
    # Add the defender's points to the key; nothing if each of its cards is enough alone, as in the win test.  `cheap`:
    # its cheap cards; `alone`: its isolated cards; `content` of the columns; `column`: the rank to match or NO_COLUMN.
    cdef uint64_t points = 0xcba9876543210      # points - 1 of each rank, a nibble each
    cdef int alone_points = min(points_of(alone), needed) if alone else 0, rank
    cdef bint alone_cheap = 0 < alone_points < needed
    cdef Hash* word
    if not cheap and not alone_cheap:
        return
    if 3 <= needed <= MOST_REDUCED and not alone_cheap:
        points = REDUCED[needed - 3][cheap]
        needed = points >> 12
        if alone_points:
            alone_points = needed
    add(&s.key, &NEEDED[needed])
    add(&s.key, &ISOLATED_POINTS[alone_points])
    if s.attacks:
        add(&s.key, &ATTACKER)
    while cheap:
        rank = ctz(cheap) >> 2
        cheap &= ~(<uint64_t>15 << (4 * rank))
        word = &CHEAP_COLUMN[256 * (points >> (4 * rank) & 15) + content[rank]]
        add(&s.key, word)
        if rank == column:                      # distinguish the column to match
            add(&s.key, word)
            add(&s.key, word)
