# Debug builds keep whole states beside the hashes, to detect collisions.  Release builds omit this code.
from libc.stdint cimport uint16_t, uint64_t
from libc.string cimport memcpy

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
    # Write the reduced state (see the numbered list in key.pxi) without hashing, by independent code.  The suits are
    # renamed so that the list of items is least.
    cdef uint16_t named[CANONICAL]
    cdef int names[4]
    cdef int code, i, j
    cdef bint distinct
    items[0] = 0xFFFF                  # above every list
    for code in range(256):
        distinct = True
        for i in range(4):
            names[i] = code >> (2 * i) & 3
            for j in range(i):
                distinct = distinct and names[i] != names[j]
        if not distinct:
            continue
        write_items(named, s, needed, names)
        i = 0
        while i < CANONICAL - 1 and named[i] == items[i]:
            i += 1
        if named[i] < items[i]:
            memcpy(items, named, CANONICAL * sizeof(uint16_t))


cdef inline uint64_t renamed(uint64_t hand, const int* names) noexcept nogil:
    cdef uint64_t result = 0
    cdef int suit
    for suit in range(4):
        result |= (hand >> suit & ROW) << names[suit]
    return result


cdef inline void write_items(uint16_t* items, State* s, int needed, const int* names) noexcept nogil:
    # Write a sorted list of 16-bit items, one a column or card; the last items hold the rest of the state.
    cdef uint64_t whole = renamed(s.mover, names), other_whole = renamed(s.other, names)
    cdef int mover_suits = suits_of(whole), other_suits = suits_of(other_whole)
    cdef uint64_t mover_alone = whole & ~neighbours_of(other_whole), other_alone = other_whole & ~neighbours_of(whole)
    cdef uint64_t mover = whole ^ mover_alone, other = other_whole ^ other_alone
    cdef uint64_t defender = other if s.attacks else mover
    cdef int row = -1, matched = -1, rank, mine, theirs, i, j, count = 0, paid = 0, cheap, bits
    cdef int alone_points = points_of(other_alone if s.attacks else mover_alone)
    cdef int worth[14]
    cdef uint16_t item
    if alone_points > needed:
        alone_points = needed
    if needed > 1 and (defender & cards_below(needed) or 0 < alone_points < needed):
        paid = needed
        for rank in range(13):
            worth[rank + 1] = rank + 1
        if not 0 < alone_points < needed and needed <= 4:
            paid = reduce_worths(defender, needed, worth)
            alone_points = paid if alone_points else 0
    if s.last >= 0 and mover >> names[s.last & 3] & ROW:
        row = names[s.last & 3]
    if s.last >= 0 and mover >> (s.last & ~3) & 15:
        matched = s.last >> 2
    mover = push_down(mover, mover_suits & ~other_suits & (15 if row < 0 else ~(1 << row)))
    other = push_down(other, other_suits & ~mover_suits)
    for rank in range(13):
        mine = mover >> (4 * rank) & 15
        theirs = other >> (4 * rank) & 15
        cheap = worth[rank + 1] if paid and rank + 1 < needed and (theirs if s.attacks else mine) else 0
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


cdef inline int reduce_worths(uint64_t defender, int needed, int* worth) noexcept nogil:
    # Reduce the points as points.pxi does, card by card: change the worths below `needed` and return the new `needed`.
    cdef bint sums[8]                  # True if some set of cheap cards has this sum
    cdef int amounts[16]
    cdef int count = 0, card, i, total, enough = 1, least
    cdef bint any_two = True
    for total in range(8):
        sums[total] = total == 0
    for card in range(4 * (needed - 1)):
        if defender >> card & 1:
            amounts[count] = card // 4 + 1
            for total in range(7, amounts[count] - 1, -1):
                sums[total] = sums[total] or sums[total - amounts[count]]
            count += 1
    for total in range(needed):
        if sums[total]:
            enough = total + 1
    for card in range(count):
        least = 99
        for i in range(count):
            if i != card and amounts[i] < least:
                least = amounts[i]
        if amounts[card] + least >= enough:
            worth[amounts[card]] = enough - 1
        else:
            any_two = False
    if not any_two:
        return enough
    for i in range(needed):
        worth[i] = 1
    return 2


cdef inline bint same_canonical(const uint16_t* stored, State* s, int needed) noexcept nogil:
    cdef uint16_t items[CANONICAL]
    cdef int i
    write_canonical(items, s, needed)
    for i in range(CANONICAL):
        if items[i] != stored[i]:
            return False
    return True
