/* Folding by vector rounds, for rows with many peaks (random ones): one round replaces a third of all values at once;
   included by rows_template.h for the types in which rounds are made.

   A peak is a value b with a <= b > c between its neighbours a and c (strict on one side, so that no two peaks are
   neighbours).  Two peaks two places apart share a neighbour: of every such chain each second one is taken.  A round
   writes a - b + c in the peak's place and closes up the rest:

       vec_peaks(a, b, c)                       a bit for each lane in which b is a peak between a and c
       vec_squeeze(to, b, folded, peak, keep)   write the lanes of b that are kept one after another, those of peaks
   folded */
#include "rows_alternate.h"

/* The peaks that a round takes among the 64 values from `base` on; before: those of the 64 values before. */
ROWS_INLINE uint64_t rows_chosen(const T *src, int64_t n, int64_t base, uint64_t before)
{
    uint64_t m = 0;
    int q;
    ROWS_UNROLL
    for (q = 0; q < 64; q += LANES) {
        const T *p = src + base + q;
        m |= vec_peaks(vec_at(p - 1), vec_at(p), vec_at(p + 1)) << q;
    }
    if (base == 0)
        m &= ~(uint64_t)1;
    if (n - 1 - base < 64) /* the last value is no peak */
        m &= n - 1 - base > 0 ? ((uint64_t)1 << (n - 1 - base)) - 1 : 0;
    return rows_alternate(m & ~(before >> 62));
}

/* One round over source[0 .. n); source[-1] and 64 values past the end may be read, a vector past
   target's end written. */
ROWS_STATIC int64_t rows_round(const void *source, int64_t n, void *target)
{
    const T *src = source;
    const uint32_t all = ((uint64_t)1 << LANES) - 1;
    uint64_t here = rows_chosen(src, n, 0, 0), next, before = 0, keep;
    int64_t base;
    T *to = target;
    int q;
    for (base = 0; base < n; base += 64) {
        next = base + 64 < n ? rows_chosen(src, n, base + 64, here) : 0;
        keep = ~(here << 1 | here >> 1 | before >> 63 | next << 63);
        if (n - base < 64)
            keep &= ((uint64_t)1 << (n - base)) - 1;
        ROWS_UNROLL
        for (q = 0; q < 64; q += LANES) {
            const T *p = src + base + q;
            VEC b = vec_at(p), folded = vec_at(p - 1) - b + vec_at(p + 1);
            vec_squeeze(to, b, folded, (uint32_t)(here >> q) & all, (uint32_t)(keep >> q) & all);
            to += gc_popcount64((keep >> q) & all);
        }
        before = here;
        here = next;
    }
    return to - (T *)target;
}
