#ifndef GAMECORE_ROWS_ALTERNATE_H
#define GAMECORE_ROWS_ALTERNATE_H

#include "rows_vec.h"

/* Of chains of set bits two apart, starting at the lowest, each second bit. */
ROWS_INLINE uint64_t rows_alternate(uint64_t m)
{
    const uint64_t E = 0x5555555555555555ULL, FIRST = 0x1111111111111111ULL;
    uint64_t even = m & E, odd = (m >> 1) & E, runs;
    /* a carry from a chain's first bit clears all of it; the odd places are filled to let it through */
    runs = even & ~((even | ~E) + (even & ~(even << 2) & FIRST));
    even = (runs & FIRST) | ((even & ~runs) & (FIRST << 2));
    runs = odd & ~((odd | ~E) + (odd & ~(odd << 2) & FIRST));
    odd = (runs & FIRST) | ((odd & ~runs) & (FIRST << 2));
    return even | odd << 1;
}

#endif
