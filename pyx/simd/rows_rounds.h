/* Folding by vector rounds, for rows with many peaks (random ones): one round replaces a third of all values at once.

   A peak is a value b with a <= b > c between its neighbours a and c (strict on one side, so that no two peaks are
   neighbours).  Two peaks two places apart share a neighbour: of every such chain each second one is taken.  A round
   writes a - b + c in the peak's place and closes up the rest with compress.  What rounds leave of a chunk goes through
   the stack one by one, so that the result is the same as without them.

   Chunks whose values are small enough are folded in int32, whatever the input's type. */
#ifndef GAMECORE_ROWS_ROUNDS_H
#define GAMECORE_ROWS_ROUNDS_H

#include "bits.h"

#define ROWS_CHUNK 2048        /* two buffers of it stay in the first-level cache */
#define ROWS_NARROW (1 << 19)  /* |x| below this: a chunk's totals fit int32 */
#define ROWS_LEFT 64           /* rounds on fewer values than this do not pay */

#if ROWS_BYTES == 64
#define ROWS_ROUNDS 1
ROWS_INLINE uint64_t peaks_i32(vec_i32 a, vec_i32 b, vec_i32 c)
{
    return _mm512_cmple_epi32_mask((__m512i)a, (__m512i)b) & _mm512_cmpgt_epi32_mask((__m512i)b, (__m512i)c);
}
ROWS_INLINE void squeeze_i32(int32_t *to, vec_i32 b, vec_i32 f, uint32_t peak, uint32_t keep)
{
    __m512i v = _mm512_mask_mov_epi32((__m512i)b, (__mmask16)peak, (__m512i)f);
    _mm512_storeu_si512(to, _mm512_maskz_compress_epi32((__mmask16)keep, v));
}
ROWS_INLINE uint64_t peaks_i64(vec_i64 a, vec_i64 b, vec_i64 c)
{
    return _mm512_cmple_epi64_mask((__m512i)a, (__m512i)b) & _mm512_cmpgt_epi64_mask((__m512i)b, (__m512i)c);
}
ROWS_INLINE void squeeze_i64(int64_t *to, vec_i64 b, vec_i64 f, uint32_t peak, uint32_t keep)
{
    __m512i v = _mm512_mask_mov_epi64((__m512i)b, (__mmask8)peak, (__m512i)f);
    _mm512_storeu_si512(to, _mm512_maskz_compress_epi64((__mmask8)keep, v));
}
#elif ROWS_BYTES == 32
#define ROWS_ROUNDS 1
ROWS_INLINE uint64_t peaks_i32(vec_i32 a, vec_i32 b, vec_i32 c)
{
    __m256i peak = _mm256_andnot_si256(_mm256_cmpgt_epi32((__m256i)a, (__m256i)b), _mm256_cmpgt_epi32((__m256i)b, (__m256i)c));
    return (uint64_t)(uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(peak));
}
ROWS_INLINE void squeeze_i32(int32_t *to, vec_i32 b, vec_i32 f, uint32_t peak, uint32_t keep)
{
    const __m256i bit = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
    __m256i chosen = _mm256_cmpeq_epi32(_mm256_and_si256(_mm256_set1_epi32((int)peak), bit), bit);
    __m256i v = _mm256_blendv_epi8((__m256i)b, (__m256i)f, chosen);
    uint64_t bytes = _pdep_u64(keep, 0x0101010101010101ULL) * 0xff;
    __m256i order = _mm256_cvtepu8_epi32(_mm_cvtsi64_si128((long long)_pext_u64(0x0706050403020100ULL, bytes)));
    _mm256_storeu_si256((__m256i *)to, _mm256_permutevar8x32_epi32(v, order));
}
#else
#define ROWS_ROUNDS 0
#endif

#if ROWS_ROUNDS
/* Of chains of set bits two apart, starting at the lowest, each second bit. */
ROWS_INLINE uint64_t alternate(uint64_t m)
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

/* One round over src[0 .. n); src[-1] and 64 values past the end may be read, a vector past dst's end written. */
#define ROWS_ROUND(SUF, T)                                                                                      \
    ROWS_INLINE uint64_t chosen_##SUF(const T *src, int64_t n, int64_t base, uint64_t before)                    \
    {                                                                                                           \
        uint64_t m = 0;                                                                                         \
        int q;                                                                                                  \
        ROWS_UNROLL for (q = 0; q < 64; q += LANES_##SUF)                                                       \
        {                                                                                                       \
            const T *p = src + base + q;                                                                        \
            m |= peaks_##SUF(ld_##SUF(p - 1), ld_##SUF(p), ld_##SUF(p + 1)) << q;                               \
        }                                                                                                       \
        if (base == 0)                                                                                          \
            m &= ~(uint64_t)1;                                                                                  \
        if (n - 1 - base < 64) /* the last value is no peak */                                                  \
            m &= n - 1 - base > 0 ? ((uint64_t)1 << (n - 1 - base)) - 1 : 0;                                    \
        return alternate(m & ~(before >> 62));                                                                  \
    }                                                                                                           \
    ROWS_STATIC int64_t round_##SUF(const T *src, int64_t n, T *dst)                                            \
    {                                                                                                           \
        uint64_t here = chosen_##SUF(src, n, 0, 0), next, before = 0, keep;                                     \
        int64_t base;                                                                                           \
        T *to = dst;                                                                                            \
        int q;                                                                                                  \
        for (base = 0; base < n; base += 64) {                                                                  \
            next = base + 64 < n ? chosen_##SUF(src, n, base + 64, here) : 0;                                   \
            keep = ~(here << 1 | here >> 1 | before >> 63 | next << 63);                                        \
            if (n - base < 64)                                                                                  \
                keep &= ((uint64_t)1 << (n - base)) - 1;                                                        \
            ROWS_UNROLL for (q = 0; q < 64; q += LANES_##SUF)                                                   \
            {                                                                                                   \
                const T *p = src + base + q;                                                                    \
                const uint32_t low = ((uint64_t)1 << LANES_##SUF) - 1;                                          \
                vec_##SUF b = ld_##SUF(p), f = add_##SUF(sub_##SUF(ld_##SUF(p - 1), b), ld_##SUF(p + 1));       \
                squeeze_##SUF(to, b, f, (uint32_t)(here >> q) & low, (uint32_t)(keep >> q) & low);              \
                to += gc_popcount64((keep >> q) & low);                                                         \
            }                                                                                                   \
            before = here;                                                                                      \
            here = next;                                                                                        \
        }                                                                                                       \
        return to - dst;                                                                                        \
    }                                                                                                           \
    /* Rounds while they pay.  a holds m values and is overwritten, so is b; the result is in *result. */        \
    ROWS_STATIC int64_t rounds_##SUF(T *a, T *b, int64_t m, T **result)                                         \
    {                                                                                                           \
        T *t;                                                                                                   \
        int64_t left;                                                                                           \
        while (m > ROWS_LEFT) {                                                                                 \
            left = round_##SUF(a, m, b);                                                                        \
            t = a, a = b, b = t;                                                                                \
            if (left > m - m / 16) {                                                                            \
                m = left;                                                                                       \
                break;                                                                                          \
            }                                                                                                   \
            m = left;                                                                                           \
        }                                                                                                       \
        *result = a;                                                                                            \
        return m;                                                                                               \
    }
ROWS_ROUND(i32, int32_t)
#if ROWS_BYTES == 64
#define ROWS_WIDE_ROUNDS 1
ROWS_ROUND(i64, int64_t)
#else
#define ROWS_WIDE_ROUNDS 0
#endif
#endif

/* A power of two that no |x| of a chunk exceeds. */
#define ROWS_SPREAD(SUF, T)                                                                                     \
    ROWS_INLINE uint64_t spread_##SUF(const T *x, int64_t m)                                                    \
    {                                                                                                           \
        int64_t t;                                                                                              \
        T bits = 0;                                                                                             \
        for (t = 0; t < m; t++)                                                                                 \
            bits |= x[t] ^ (x[t] >> (8 * sizeof(T) - 1));                                                       \
        return (uint64_t)2 << gc_msb64((uint64_t)bits | 1);                                                     \
    }

typedef struct {
    double bound;     /* at least the sum of |x| so far */
    int64_t skip;     /* chunks to go through the stack without trying rounds */
    int64_t patience; /* how many next time */
    int64_t peaks;    /* whether the last chunk folded well */
} rows_fold_state;

/* Fold n values onto a stack of int64 (room for n); the height.  Rounds are for rows with many peaks: unless the chunk
   before had them, the first values of a chunk are put to the test, and where that fails the next chunks go through
   the stack untried, four times as many each time, so that falling, rising or constant rows cost little more than
   by the stack alone. */
#define ROWS_PROBE 256
#if ROWS_ROUNDS
#define ROWS_TRY_TYPE(SUF, T)                                                                                   \
    {                                                                                                           \
        T *a = (T *)room + 64, *b = a + ROWS_CHUNK + 192, *result;                                              \
        int64_t t = 0, left;                                                                                    \
        if (!state->peaks) {                                                                                    \
            for (; t < ROWS_PROBE; t++)                                                                         \
                a[t] = (T)p[t];                                                                                 \
            state->peaks = round_##SUF(a, ROWS_PROBE, b) < ROWS_PROBE - ROWS_PROBE / 4;                         \
        }                                                                                                       \
        if (state->peaks) {                                                                                     \
            for (; t < m; t++)                                                                                  \
                a[t] = (T)p[t];                                                                                 \
            left = rounds_##SUF(a, b, m, &result);                                                              \
            k = rows_push_i64_##SUF(stack, k, result, left);                                                    \
            state->peaks = left < m / 2;                                                                        \
            state->patience = 1;                                                                                \
            continue;                                                                                           \
        }                                                                                                       \
        state->skip = state->patience;                                                                          \
        state->patience = state->patience < 64 ? 4 * state->patience : 64;                                      \
    }
#if ROWS_WIDE_ROUNDS
#define ROWS_TRY_WIDE ROWS_TRY_TYPE(i64, int64_t)
#else
#define ROWS_TRY_WIDE ;
#endif
#define ROWS_TRY                                                                                                \
    if (m >= ROWS_PROBE) {                                                                                  \
        if (spread <= ROWS_NARROW)                                                                              \
            ROWS_TRY_TYPE(i32, int32_t)                                                                         \
        else                                                                                                    \
            ROWS_TRY_WIDE                                                                                       \
    }
#else
#define ROWS_TRY
#endif

#if ROWS_ROUNDS
#define ROWS_ROOM int64_t room[2 * (ROWS_CHUNK + 256)] __attribute__((aligned(64)));
#else
#define ROWS_ROOM
#endif
#define ROWS_FOLD_ROW(SUF, T)                                                                                   \
    ROWS_SPREAD(SUF, T)                                                                                         \
    ROWS_STATIC int64_t rows_fold_##SUF(const T *x, int64_t n, int64_t *stack, int64_t k, rows_fold_state *state) \
    {                                                                                                           \
        ROWS_ROOM int64_t at;                                  \
        for (at = 0; at < n; at += ROWS_CHUNK) {                                                                \
            int64_t m = n - at < ROWS_CHUNK ? n - at : ROWS_CHUNK;                                              \
            const T *p = x + at;                                                                                \
            uint64_t spread;                                                                                    \
            if (state->skip > 0) { /* in small steps: the row streams from memory */                            \
                state->skip--;                                                                                  \
                for (; m > 0; p += ROWS_PROBE, m -= ROWS_PROBE) {                                               \
                    int64_t some = m < ROWS_PROBE ? m : ROWS_PROBE;                                             \
                    state->bound += (double)spread_##SUF(p, some) * (double)some;                               \
                    k = rows_push_i64_##SUF(stack, k, p, some);                                                 \
                }                                                                                               \
                continue;                                                                                       \
            }                                                                                                   \
            spread = spread_##SUF(p, m);                                                                        \
            state->bound += (double)spread * (double)m;                                                         \
            ROWS_TRY                                                                                            \
            k = rows_push_i64_##SUF(stack, k, p, m);                                                            \
        }                                                                                                       \
        return k;                                                                                               \
    }
ROWS_FOLD_ROW(i16, int16_t)
ROWS_FOLD_ROW(i32, int32_t)
ROWS_FOLD_ROW(i64, int64_t)

#endif
