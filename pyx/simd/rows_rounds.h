/* Folding by vector rounds, for rows with many peaks (random ones): one round replaces a third of all values at once;
   included by rows_element.h for the types in which rounds are made.

   A peak is a value b with a <= b > c between its neighbours a and c (strict on one side, so that no two peaks are
   neighbours).  Two peaks two places apart share a neighbour: of every such chain each second one is taken.  A round
   writes a - b + c in the peak's place and closes up the rest:

       peaks(a, b, c)                       a bit for each lane in which b is a peak between a and c
       squeeze(to, b, folded, peak, keep)   write the lanes of b that are kept one after another, those of peaks folded
 */
#ifndef ROWS_ALTERNATE
#define ROWS_ALTERNATE
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

/* The peaks that a round takes among the 64 values from `base` on; before: those of the 64 values before. */
ROWS_INLINE uint64_t F(chosen)(const T *src, int64_t n, int64_t base, uint64_t before)
{
    uint64_t m = 0;
    int q;
    ROWS_UNROLL
    for (q = 0; q < 64; q += LANES) {
        const T *p = src + base + q;
        m |= F(peaks)(F(load)(p - 1), F(load)(p), F(load)(p + 1)) << q;
    }
    if (base == 0)
        m &= ~(uint64_t)1;
    if (n - 1 - base < 64) /* the last value is no peak */
        m &= n - 1 - base > 0 ? ((uint64_t)1 << (n - 1 - base)) - 1 : 0;
    return rows_alternate(m & ~(before >> 62));
}

/* One round over n values, the scalar twin of which is `push` (rows/fold.pxi); how many are left.  The value before
   them and 64 past the end may be read, a vector past the result's end written. */
ROWS_STATIC int64_t F(round)(const void *source, int64_t n, void *result)
{
    const T *src = source;
    const uint32_t all = ((uint64_t)1 << LANES) - 1;
    uint64_t here = F(chosen)(src, n, 0, 0), next, before = 0, keep;
    int64_t base;
    T *dst = result, *to = dst;
    int q;
    for (base = 0; base < n; base += 64) {
        next = base + 64 < n ? F(chosen)(src, n, base + 64, here) : 0;
        keep = ~(here << 1 | here >> 1 | before >> 63 | next << 63);
        if (n - base < 64)
            keep &= ((uint64_t)1 << (n - base)) - 1;
        ROWS_UNROLL
        for (q = 0; q < 64; q += LANES) {
            const T *p = src + base + q;
            VEC b = F(load)(p), folded = F(add)(F(sub)(F(load)(p - 1), b), F(load)(p + 1));
            F(squeeze)(to, b, folded, (uint32_t)(here >> q) & all, (uint32_t)(keep >> q) & all);
            to += gc_popcount64((keep >> q) & all);
        }
        before = here;
        here = next;
    }
    return to - dst;
}
