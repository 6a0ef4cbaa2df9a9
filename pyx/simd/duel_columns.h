/* The columns of two hands: a byte for each rank, and suits renamed in them.  Sixteen bytes hold a nibble each, the
   suits that a hand has of a rank, so that one byte shuffle renames them all. */
#ifndef GAMECORE_DUEL_COLUMNS_H
#define GAMECORE_DUEL_COLUMNS_H

#include <stdint.h>

#if defined(__SSSE3__) && defined(__x86_64__)
#include <tmmintrin.h>
typedef __m128i gc_duel_nibbles;
#else
typedef struct {
    uint8_t of[16];
} gc_duel_nibbles;
#endif

typedef uint8_t gc_duel_columns[16];

/* The new set of suits for each old one when suits are renamed; 16 is no set and stays. */
typedef struct {
    uint8_t to[32];
} gc_duel_renaming;

/* The nibbles of a hand of 52 bits, one a byte; bytes 13 to 15 are 0. */
static inline gc_duel_nibbles gc_duel_spread(uint64_t hand)
{
#if defined(__SSSE3__) && defined(__x86_64__)
    const __m128i low = _mm_set1_epi8(15);
    __m128i h = _mm_cvtsi64_si128((int64_t)hand);
    return _mm_unpacklo_epi8(_mm_and_si128(h, low), _mm_and_si128(_mm_srli_epi64(h, 4), low));
#else
    gc_duel_nibbles n;
    int i;
    for (i = 0; i < 16; i++)
        n.of[i] = hand >> (4 * i) & 15;
    return n;
#endif
}

static inline gc_duel_nibbles gc_duel_rename(gc_duel_nibbles n, const gc_duel_renaming *renaming)
{
#if defined(__SSSE3__) && defined(__x86_64__)
    return _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)renaming->to), n);
#else
    int i;
    for (i = 0; i < 13; i++)
        n.of[i] = renaming->to[n.of[i]];
    return n;
#endif
}

/* The bytes of 13 columns, mover's suits in the low nibble, the other's in the high one; `columns` has room for 16. */
static inline void gc_duel_join(gc_duel_nibbles mover, gc_duel_nibbles other, uint8_t *columns)
{
#if defined(__SSSE3__) && defined(__x86_64__)
    _mm_storeu_si128((__m128i *)columns, _mm_or_si128(mover, _mm_slli_epi64(other, 4)));
    /* Force reads from memory: one operation a byte instead of two for extraction from a register. */
    __asm__("" : "+m"(*(gc_duel_columns *)columns));
#else
    int i;
    for (i = 0; i < 16; i++)
        columns[i] = (uint8_t)(mover.of[i] | other.of[i] << 4);
#endif
}

/* The sum over 13 columns of four numbers of 16 bits, one a suit. */
static inline uint64_t gc_duel_signatures(const uint64_t *words, const uint8_t *columns)
{
    uint64_t a = words[columns[0]] + words[columns[1]], b = words[columns[2]] + words[columns[3]];
    a += words[columns[4]] + words[columns[5]];
    b += words[columns[6]] + words[columns[7]];
    a += words[columns[8]] + words[columns[9]];
    b += words[columns[10]] + words[columns[11]];
    return a + b + words[columns[12]];
}

/* Six comparisons of four signed numbers of 16 bits, as bits: is the later one larger?  (0 1)(0 2)(0 3)(1 2)(1 3)(2 3)
 */
static inline unsigned gc_duel_comparisons(uint64_t lanes)
{
#if defined(__SSSE3__) && defined(__x86_64__)
    __m128i s = _mm_cvtsi64_si128((int64_t)lanes);
    __m128i a = _mm_shuffle_epi8(s, _mm_setr_epi8(0, 1, 0, 1, 0, 1, 2, 3, 2, 3, 4, 5, -1, -1, -1, -1));
    __m128i b = _mm_shuffle_epi8(s, _mm_setr_epi8(2, 3, 4, 5, 6, 7, 4, 5, 6, 7, 6, 7, -1, -1, -1, -1));
    return (unsigned)_mm_movemask_epi8(_mm_packs_epi16(_mm_cmpgt_epi16(b, a), _mm_setzero_si128()));
#else
    int16_t a = (int16_t)lanes, b = (int16_t)(lanes >> 16), c = (int16_t)(lanes >> 32), d = (int16_t)(lanes >> 48);
    return (unsigned)((b > a) | (c > a) << 1 | (d > a) << 2 | (c > b) << 3 | (d > b) << 4 | (d > c) << 5);
#endif
}

#endif
