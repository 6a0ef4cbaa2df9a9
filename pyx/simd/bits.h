/* One-instruction bit operations with portable twins.  All take and give 64-bit words.
   gc_ctz64 and gc_msb64 are undefined for 0. */
#ifndef GAMECORE_BITS_H
#define GAMECORE_BITS_H

#include <stdint.h>
#ifdef __BMI2__
#include <immintrin.h>
#endif

#if defined(__GNUC__) || defined(__clang__)
#define GC_LIKELY(x) __builtin_expect(!!(x), 1)
#define GC_UNLIKELY(x) __builtin_expect(!!(x), 0)
#define gc_prefetch(p) __builtin_prefetch(p)
static inline int gc_popcount64(uint64_t x) { return __builtin_popcountll(x); }
static inline int gc_ctz64(uint64_t x) { return __builtin_ctzll(x); }
static inline int gc_msb64(uint64_t x) { return 63 - __builtin_clzll(x); }
static inline uint64_t gc_bswap64(uint64_t x) { return __builtin_bswap64(x); }
#else
#define GC_LIKELY(x) (x)
#define GC_UNLIKELY(x) (x)
#define gc_prefetch(p) ((void)(p))
static inline int gc_popcount64(uint64_t x)
{
    x -= (x >> 1) & 0x5555555555555555ULL;
    x = (x & 0x3333333333333333ULL) + ((x >> 2) & 0x3333333333333333ULL);
    x = (x + (x >> 4)) & 0x0f0f0f0f0f0f0f0fULL;
    return (int)((x * 0x0101010101010101ULL) >> 56);
}
static inline int gc_ctz64(uint64_t x) { return gc_popcount64((x & (0 - x)) - 1); }
static inline int gc_msb64(uint64_t x)
{
    x |= x >> 1;
    x |= x >> 2;
    x |= x >> 4;
    x |= x >> 8;
    x |= x >> 16;
    x |= x >> 32;
    return gc_popcount64(x) - 1;
}
static inline uint64_t gc_bswap64(uint64_t x)
{
    x = ((x >> 8) & 0x00ff00ff00ff00ffULL) | ((x & 0x00ff00ff00ff00ffULL) << 8);
    x = ((x >> 16) & 0x0000ffff0000ffffULL) | ((x & 0x0000ffff0000ffffULL) << 16);
    return (x >> 32) | (x << 32);
}
#endif

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
