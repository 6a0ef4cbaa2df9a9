/* One-instruction bit operations on 64-bit words.  gc_ctz64 and gc_msb64 are undefined for 0. */
#ifndef GAMECORE_BITS_H
#define GAMECORE_BITS_H

#include <stdint.h>
#ifdef __BMI2__
#include <immintrin.h>
#endif

#define GC_LIKELY(x) __builtin_expect(!!(x), 1)
#define gc_prefetch(p) __builtin_prefetch(p)
static inline int gc_popcount64(uint64_t x) { return __builtin_popcountll(x); }
static inline int gc_ctz64(uint64_t x) { return __builtin_ctzll(x); }
static inline int gc_msb64(uint64_t x) { return 63 - __builtin_clzll(x); }
static inline uint64_t gc_bswap64(uint64_t x) { return __builtin_bswap64(x); }

/* The low bits of x, laid one after another into the set places of mask. */
static inline uint64_t gc_deposit64(uint64_t x, uint64_t mask)
{
#ifdef __BMI2__
    return _pdep_u64(x, mask);
#else
    uint64_t out = 0;
    for (; mask; mask &= mask - 1, x >>= 1)
        out |= (mask & (0 - mask)) & (0 - (x & 1));
    return out;
#endif
}

/* The inverse: the bits of x under mask, gathered at the low end. */
static inline uint64_t gc_extract64(uint64_t x, uint64_t mask)
{
#ifdef __BMI2__
    return _pext_u64(x, mask);
#else
    uint64_t out = 0, bit = 1;
    for (; mask; mask &= mask - 1, bit <<= 1)
        if (x & mask & (0 - mask))
            out |= bit;
    return out;
#endif
}

#endif
