# Debug builds: whole states beside the hashes, so that a collision is seen.  Release builds compile nothing of it.
from libc.stdint cimport uint16_t, uint64_t

from duel.rules cimport ROW, cards_below, neighbours_of, points_of, push_down, suits_of
from duel.state cimport State

cdef extern from *:
    """
    #ifdef GAMECORE_DEBUG
    #define DUEL_FULL_KEYS 1
    #else
    #define DUEL_FULL_KEYS 0
    #endif
    """
    const bint FULL_KEYS "DUEL_FULL_KEYS"

cdef enum:
    CANONICAL = 64                 # 16-bit items of a canonical state


cdef inline void write_canonical(uint16_t* items, State* s, int needed) noexcept nogil:
    # The state as the numbered list of key.pxi describes it, written independently of the hash and unhashed: a
    # sorted list of 16-bit items, then what belongs to no column.
    cdef int mover_suits = suits_of(s.mover), other_suits = suits_of(s.other)
    cdef uint64_t mover_alone = s.mover & ~neighbours_of(s.other), other_alone = s.other & ~neighbours_of(s.mover)
    cdef uint64_t mover = s.mover ^ mover_alone, other = s.other ^ other_alone
    cdef uint64_t defender = other if s.attacks else mover
    cdef int row = -1, matched = -1, rank, mine, theirs, i, j, count = 0, paid = 0, cheap, bits
    cdef int alone_points = points_of(other_alone if s.attacks else mover_alone)
    cdef uint16_t item
    if alone_points > needed:
        alone_points = needed
    if needed > 1 and (defender & cards_below(needed) or 0 < alone_points < needed):
        paid = 1 + needed
    if s.last >= 0 and mover >> (s.last & 3) & ROW:
        row = s.last & 3
    if s.last >= 0 and mover >> (s.last & ~3) & 15:
        matched = s.last >> 2
    mover = push_down(mover, mover_suits & ~other_suits & (15 if row < 0 else ~(1 << row)))
    other = push_down(other, other_suits & ~mover_suits)
    for rank in range(13):
        mine = mover >> (4 * rank) & 15
        theirs = other >> (4 * rank) & 15
        cheap = rank + 1 if paid and rank + 1 < needed and (theirs if s.attacks else mine) else 0
        if (mine and theirs) or cheap or rank == matched:
            items[count] = mine | theirs << 4 | cheap << 8 | (rank == matched) << 12
            count += 1
        else:
            bits = mine | theirs << 4
            for i in range(8):
                if bits >> i & 1:
                    items[count] = 1 << i | 1 << 13
                    count += 1
    for i in range(1, count):
        item = items[i]
        j = i
        while j > 0 and items[j - 1] > item:
            items[j] = items[j - 1]
            j -= 1
        items[j] = item
    for i in range(count, CANONICAL):
        items[i] = 0
    items[CANONICAL - 1] = row + 2 if s.last >= 0 else 1
    items[CANONICAL - 2] = paid
    if paid:
        items[CANONICAL - 3] = alone_points
        items[CANONICAL - 4] = s.attacks


cdef inline bint same_canonical(const uint16_t* stored, State* s, int needed) noexcept nogil:
    cdef uint16_t items[CANONICAL]
    cdef int i
    write_canonical(items, s, needed)
    for i in range(CANONICAL):
        if items[i] != stored[i]:
            return False
    return True
