/* What Cython cannot say for Hexapawn: a board's mirror image, and pairs of words of a table that threads share.

   GAMECORE_PORTABLE chooses the portable twin of everything, as other processors have it. */
#ifndef GAMECORE_HEXAPAWN_H
#define GAMECORE_HEXAPAWN_H

#include <stdint.h>

/* Left and right exchanged on two boards of 8-bit rows at once: the bits of every byte reversed, then moved down by
   8 - columns.  Two nibble look-ups for both boards where the processor has them. */
#if defined(__SSSE3__) && !defined(GAMECORE_PORTABLE)
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

/* Two words that other threads see both old or both new.  On x86-64 an aligned 16-byte move is one access on processors
   with AVX (Intel and AMD say so); elsewhere searches do not share a table.  C has no such access that is inlined, and
   the compiler may split an intrinsic: so it is written out (but where AddressSanitizer wants to see it). */
#if defined(__x86_64__) && !defined(GAMECORE_PORTABLE)
#include <emmintrin.h>
#ifdef __AVX__
#define GC_MOVE_PAIR "vmovdqa"
#else
#define GC_MOVE_PAIR "movdqa"
#endif
static inline int gc_pairs_are_whole(void) { return __builtin_cpu_supports("avx") != 0; }
static inline void gc_load_pair(const uint64_t *p, uint64_t *a, uint64_t *b)
{
    __m128i x;
#ifdef __SANITIZE_ADDRESS__
    x = _mm_load_si128((const __m128i *)p);
#else
    __asm__(GC_MOVE_PAIR " %1, %0" : "=x"(x) : "m"(*(const __m128i *)p));
#endif
    *a = (uint64_t)_mm_cvtsi128_si64(x);
    *b = (uint64_t)_mm_cvtsi128_si64(_mm_unpackhi_epi64(x, x));
}
static inline void gc_store_pair(uint64_t *p, uint64_t a, uint64_t b)
{
    const __m128i x = _mm_set_epi64x((long long)b, (long long)a);
#ifdef __SANITIZE_ADDRESS__
    _mm_store_si128((__m128i *)p, x);
#else
    __asm__(GC_MOVE_PAIR " %1, %0" : "=m"(*(__m128i *)p) : "x"(x));
#endif
}
#else
static inline int gc_pairs_are_whole(void) { return 0; }
static inline void gc_load_pair(const uint64_t *p, uint64_t *a, uint64_t *b)
{
    *a = p[0];
    *b = p[1];
}
static inline void gc_store_pair(uint64_t *p, uint64_t a, uint64_t b)
{
    p[0] = a;
    p[1] = b;
}
#endif

#endif
