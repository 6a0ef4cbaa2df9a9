/* Parts of Hexapawn that Cython cannot express: a board's mirror image, its squares as numbers, and the lock of a
   bucket of a table that threads share. */
#ifndef GAMECORE_HEXAPAWN_H
#define GAMECORE_HEXAPAWN_H

#include <stdint.h>

#ifndef GC_WIDE
#define GC_WIDE 0 /* 1 in the module hexapawn_wide: see hexapawn/board.pxd */
#endif
#define GC_MATE (GC_WIDE ? 8191 : 125) /* see hexapawn/bounds.pxd */

/* Left and right exchanged on two boards of 8-bit rows at once: the bits of every byte reversed, then moved down by
   8 - columns.  Two nibble look-ups for both boards where the processor has them. */
#if defined(__SSSE3__)
#include <immintrin.h>

static inline void gc_mirror_rows(uint64_t a, uint64_t b, int shift, uint64_t *a_out, uint64_t *b_out)
{
    const __m128i low = _mm_set1_epi8(15);
    const __m128i up = _mm_setr_epi8(0, -128, 64, -64, 32, -96, 96, -32, 16, -112, 80, -48, 48, -80, 112, -16);
    const __m128i down = _mm_setr_epi8(0, 8, 4, 12, 2, 10, 6, 14, 1, 9, 5, 13, 3, 11, 7, 15);
    __m128i x = _mm_set_epi64x((long long)b, (long long)a);
    x = _mm_or_si128(_mm_shuffle_epi8(up, _mm_and_si128(x, low)),
                     _mm_shuffle_epi8(down, _mm_and_si128(_mm_srli_epi16(x, 4), low)));
    x = _mm_srl_epi64(x, _mm_cvtsi32_si128(shift));
    *a_out = (uint64_t)_mm_cvtsi128_si64(x);
    *b_out = (uint64_t)_mm_cvtsi128_si64(_mm_unpackhi_epi64(x, x));
}
#else
static inline uint64_t gc_mirror_row_bits(uint64_t x)
{
    x = ((x >> 1) & 0x5555555555555555ULL) | ((x & 0x5555555555555555ULL) << 1);
    x = ((x >> 2) & 0x3333333333333333ULL) | ((x & 0x3333333333333333ULL) << 2);
    return ((x >> 4) & 0x0f0f0f0f0f0f0f0fULL) | ((x & 0x0f0f0f0f0f0f0f0fULL) << 4);
}

static inline void gc_mirror_rows(uint64_t a, uint64_t b, int shift, uint64_t *a_out, uint64_t *b_out)
{
    *a_out = gc_mirror_row_bits(a) >> shift;
    *b_out = gc_mirror_row_bits(b) >> shift;
}
#endif

/* The squares of two boards of 8-bit rows as numbers in base 3: a square is worth 1 where it is in a, 2 where it is in
   b. Two rows make a number of at most 32 bits, row + base * the next row: those of rows 0 to 3 are the halves of *low,
   those of rows 4 to 7 the halves of *high.  a and b have no square in common; base is at most 6561. */
#if defined(__SSSE3__)
static inline void gc_ternary_rows(uint64_t a, uint64_t b, int base, uint64_t *low, uint64_t *high)
{
    const __m128i four = _mm_set1_epi8(15);
    const __m128i worth = _mm_setr_epi8(0, 1, 3, 4, 9, 10, 12, 13, 27, 28, 30, 31, 36, 37, 39, 40);
    const __m128i by_half = _mm_set1_epi16(1 + (81 << 8));
    __m128i x = _mm_set_epi64x((long long)b, (long long)a);
    __m128i right = _mm_shuffle_epi8(worth, _mm_and_si128(x, four));
    __m128i left = _mm_shuffle_epi8(worth, _mm_and_si128(_mm_srli_epi16(x, 4), four));
    __m128i of_a = _mm_maddubs_epi16(_mm_unpacklo_epi8(right, left), by_half);
    __m128i of_b = _mm_maddubs_epi16(_mm_unpackhi_epi8(right, left), by_half);
    x = _mm_add_epi16(of_a, _mm_add_epi16(of_b, of_b));
    x = _mm_madd_epi16(x, _mm_set1_epi32(1 + (base << 16)));
    *low = (uint64_t)_mm_cvtsi128_si64(x);
    *high = (uint64_t)_mm_cvtsi128_si64(_mm_unpackhi_epi64(x, x));
}
#else
static inline uint64_t gc_ternary_pairs(uint64_t x) { return x + ((x >> 1) & 0x1111111111111111ULL); }

static inline void gc_ternary_rows(uint64_t a, uint64_t b, int base, uint64_t *low, uint64_t *high)
{
    const uint64_t two = 0x3333333333333333ULL, four = 0x0f0f0f0f0f0f0f0fULL;
    const uint64_t row = 0x00ff00ff00ff00ffULL, rows = 0x0000ffff0000ffffULL;
    uint64_t u = gc_ternary_pairs(a & two) + 2 * gc_ternary_pairs(b & two); /* two squares in four bits */
    uint64_t v = gc_ternary_pairs((a >> 2) & two) + 2 * gc_ternary_pairs((b >> 2) & two);
    uint64_t right = (u & four) + 9 * (v & four); /* four squares in a byte */
    uint64_t left = ((u >> 4) & four) + 9 * ((v >> 4) & four);
    uint64_t even = (right & row) + 81 * (left & row); /* a row in 16 bits */
    uint64_t odd = ((right >> 8) & row) + 81 * ((left >> 8) & row);
    u = (even & rows) + (uint64_t)base * (odd & rows); /* two rows in 32 bits */
    v = ((even >> 16) & rows) + (uint64_t)base * ((odd >> 16) & rows);
    *low = (u & 0xffffffffULL) | v << 32;
    *high = u >> 32 | (v & ~0xffffffffULL);
}
#endif

/* The lock of threads that share a table: the head of a bucket (see hexapawn/table.pxd).  "First" loads come
   before all that follows them, "last" stores come after all that precedes them. */
static inline uint32_t gc_load_half(const uint32_t *p) { return __atomic_load_n(p, __ATOMIC_RELAXED); }
static inline void gc_store_half(uint32_t *p, uint32_t half) { __atomic_store_n(p, half, __ATOMIC_RELAXED); }
static inline uint64_t gc_load_word_first(const uint64_t *p) { return __atomic_load_n(p, __ATOMIC_ACQUIRE); }
static inline uint32_t gc_load_half_first(const uint32_t *p) { return __atomic_load_n(p, __ATOMIC_ACQUIRE); }
static inline void gc_store_word_last(uint64_t *p, uint64_t word) { __atomic_store_n(p, word, __ATOMIC_RELEASE); }
static inline void gc_store_half_last(uint32_t *p, uint32_t half) { __atomic_store_n(p, half, __ATOMIC_RELEASE); }
static inline int gc_exchange_half(uint32_t *p, uint32_t from, uint32_t to)
{
    return __atomic_compare_exchange_n(p, &from, to, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
}

#endif
