/* Hexapawn's operations on boards of 8-bit rows, with nibble look-ups where the processor has them.  gc_mirror_rows
   exchanges left and right: it reverses the bits of every byte, and moves them down by 8 - columns.  gc_ternary_rows
   makes numbers in base 3 of two rows each, row + base (at most 6561) * the next row: a square of a counts 1, one of b
   2, none is in both.  The halves of *low are rows 0 to 3, those of *high rows 4 to 7. */
#ifndef GAMECORE_HEXAPAWN_H
#define GAMECORE_HEXAPAWN_H

#include <stdint.h>
#ifndef GC_WIDE
#define GC_WIDE 0 /* 1 in the module hexapawn_wide: see hexapawn/board.pxd */
#endif

#if defined(__SSSE3__)
#include <immintrin.h>

static inline void gc_mirror_rows(uint64_t a, uint64_t b, int shift, uint64_t *a_out, uint64_t *b_out)
{
    const __m128i low = _mm_set1_epi8(15);
    const __m128i up = _mm_setr_epi8(0, -128, 64, -64, 32, -96, 96, -32, 16, -112, 80, -48, 48, -80, 112, -16);
    __m128i x = _mm_set_epi64x((long long)b, (long long)a), right = _mm_shuffle_epi8(up, _mm_and_si128(x, low));
    __m128i left = _mm_shuffle_epi8(up, _mm_and_si128(_mm_srli_epi16(x, 4), low));
    x = _mm_srl_epi64(_mm_or_si128(right, _mm_srli_epi64(left, 4)), _mm_cvtsi32_si128(shift));
    *a_out = (uint64_t)_mm_cvtsi128_si64(x);
    *b_out = (uint64_t)_mm_cvtsi128_si64(_mm_unpackhi_epi64(x, x));
}

static inline void gc_ternary_rows(uint64_t a, uint64_t b, int base, uint64_t *low, uint64_t *high)
{
    const __m128i four = _mm_set1_epi8(15), by_half = _mm_set1_epi16(1 + (81 << 8));
    const __m128i worth = _mm_setr_epi8(0, 1, 3, 4, 9, 10, 12, 13, 27, 28, 30, 31, 36, 37, 39, 40);
    __m128i x = _mm_set_epi64x((long long)b, (long long)a), right = _mm_shuffle_epi8(worth, _mm_and_si128(x, four));
    __m128i left = _mm_shuffle_epi8(worth, _mm_and_si128(_mm_srli_epi16(x, 4), four));
    __m128i of_a = _mm_maddubs_epi16(_mm_unpacklo_epi8(right, left), by_half);
    __m128i of_b = _mm_maddubs_epi16(_mm_unpackhi_epi8(right, left), by_half);
    x = _mm_madd_epi16(_mm_add_epi16(of_a, _mm_add_epi16(of_b, of_b)), _mm_set1_epi32(1 + (base << 16)));
    *low = (uint64_t)_mm_cvtsi128_si64(x);
    *high = (uint64_t)_mm_cvtsi128_si64(_mm_unpackhi_epi64(x, x));
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

static inline uint64_t gc_ternary_pairs(uint64_t x) { return x + ((x >> 1) & 0x1111111111111111ULL); }

static inline void gc_ternary_rows(uint64_t a, uint64_t b, int base, uint64_t *low, uint64_t *high)
{
    const uint64_t two = 0x3333333333333333ULL, four = 0x0f0f0f0f0f0f0f0fULL, row = 0x00ff00ff00ff00ffULL;
    uint64_t u = gc_ternary_pairs(a & two) + 2 * gc_ternary_pairs(b & two); /* two squares in four bits */
    uint64_t v = gc_ternary_pairs((a >> 2) & two) + 2 * gc_ternary_pairs((b >> 2) & two);
    uint64_t right = (u & four) + 9 * (v & four); /* four squares in a byte */
    uint64_t left = ((u >> 4) & four) + 9 * ((v >> 4) & four);
    uint64_t even = (right & row) + 81 * (left & row); /* a row in 16 bits */
    uint64_t odd = ((right >> 8) & row) + 81 * ((left >> 8) & row);
    u = (even & 0x0000ffff0000ffffULL) + base * (odd & 0x0000ffff0000ffffULL); /* two rows in 32 bits */
    v = ((even >> 16) & 0x0000ffff0000ffffULL) + base * ((odd >> 16) & 0x0000ffff0000ffffULL);
    *low = (u & 0xffffffffULL) | v << 32;
    *high = u >> 32 | (v & ~0xffffffffULL);
}
#endif
#endif
