/* The linear policy of hearts in vectors: a card's score is a sum of int8 weights, one from each row that the situation
   chooses; here they are added up, and the best legal card is found, in AVX2 and in AVX-512.

   hearts/linear.pxd says which rows those are, and has the scalar twin. Sums are of 16 bits and cannot overflow (at
   most 19 terms of 8 bits), so that all forms agree bit by bit. Rows of a seat that follows suit have 16 entries, one a
   rank of the suit led; the others have 64, one a card, as cards lie in a word (hearts_cards.h). Two more rows are
   looked up for each card by how many unseen cards of its suit are below and above it. */
#ifndef GAMECORE_HEARTS_LINEAR_H
#define GAMECORE_HEARTS_LINEAR_H

#include "hearts_cards.h"

#define GCH_MOST_ROWS 16

/* The rows to be added up, as offsets into the weights. */
typedef struct {
    uint64_t unseen;
    int32_t led; /* the suit to follow; -1: any card, rows of 64 */
    int32_t rows;
    int32_t row[GCH_MOST_ROWS];
    int32_t below, above; /* of the rows by unseen cards: 16 entries, or 16 for each suit */
} gch_context;

/* Set bits of 13.  The baseline has no instruction for it. */
#ifdef __POPCNT__
static void gch_counts_start(void) {}
static inline int gch_count(uint64_t lane) { return gc_popcount64(lane); }
#else
static uint8_t gch_counts[1 << 13];

static void gch_counts_start(void)
{
    int m;
    for (m = 1; m < 1 << 13; m++)
        gch_counts[m] = (uint8_t)(gch_counts[m >> 1] + (m & 1));
}

static inline int gch_count(uint64_t lane) { return gch_counts[lane]; }
#endif

#if defined(__AVX2__) && defined(__BMI2__) && (defined(__GNUC__) || defined(__clang__))
#define GCH_LINEAR_VECTORS 1
#include <immintrin.h>

/* How many of the low r bits are set, for r = 0 ... 15: of seven bits and of the six above them. */
static uint8_t gch_low_counts[128][16], gch_high_counts[64][16];

static void gch_linear_start(void)
{
    int m, r;
    gch_counts_start();
    for (m = 0; m < 128; m++)
        for (r = 0; r < 16; r++) {
            gch_low_counts[m][r] = (uint8_t)gc_popcount64((uint64_t)m & ((1ULL << (r < 7 ? r : 7)) - 1));
            if (m < 64)
                gch_high_counts[m][r] = (uint8_t)(r < 7 ? 0 : gc_popcount64((uint64_t)m & ((1ULL << (r - 7)) - 1)));
        }
}

static inline __m128i gch_belows(uint32_t lane)
{
    return _mm_add_epi8(_mm_loadu_si128((const __m128i *)gch_low_counts[lane & 127]),
                        _mm_loadu_si128((const __m128i *)gch_high_counts[lane >> 7]));
}

#define GCH_WORDS(p) _mm256_cvtepi8_epi16(_mm_loadu_si128((const __m128i *)(p)))

/* Sixteen sums: the cards of one suit.  at: of the suit in each row. */
static inline __m256i gch_lane_scores(const int8_t *w, const gch_context *c, int suit, int at)
{
    const uint32_t lane = (uint32_t)(c->unseen >> (16 * suit)) & GCH_LANE;
    const __m128i below = gch_belows(lane);
    const __m128i above = _mm_sub_epi8(_mm_set1_epi8((char)gc_popcount64(lane)), below);
    __m256i a = _mm256_cvtepi8_epi16(_mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)(w + c->below + at)), below));
    __m256i b = _mm256_cvtepi8_epi16(_mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)(w + c->above + at)), above));
    int i;
    if (c->led >= 0) { /* seven rows, always */
        a = _mm256_add_epi16(a, GCH_WORDS(w + c->row[0]));
        b = _mm256_add_epi16(b, GCH_WORDS(w + c->row[1]));
        a = _mm256_add_epi16(a, GCH_WORDS(w + c->row[2]));
        b = _mm256_add_epi16(b, GCH_WORDS(w + c->row[3]));
        a = _mm256_add_epi16(a, GCH_WORDS(w + c->row[4]));
        b = _mm256_add_epi16(b, GCH_WORDS(w + c->row[5]));
        a = _mm256_add_epi16(a, GCH_WORDS(w + c->row[6]));
    } else {
        for (i = 0; i < c->rows; i++)
            a = _mm256_add_epi16(a, GCH_WORDS(w + c->row[i] + at));
    }
    return _mm256_add_epi16(a, b);
}

/* The place of the largest of sixteen sums among the legal ones, the first of equals, and 0x7FFF less that sum. */
static inline uint32_t gch_lane_best(__m256i sums, uint32_t legal, uint32_t *short_of)
{
    const __m256i bits =
        _mm256_setr_epi16(1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, -32768);
    const __m256i in = _mm256_cmpeq_epi16(_mm256_and_si256(_mm256_set1_epi16((short)legal), bits), bits);
    /* the instruction exists for unsigned minima only */
    const __m256i x =
        _mm256_or_si256(_mm256_sub_epi16(_mm256_set1_epi16(0x7FFF), sums), _mm256_xor_si256(in, _mm256_set1_epi16(-1)));
    const uint32_t low = (uint32_t)_mm_cvtsi128_si32(_mm_minpos_epu16(_mm256_castsi256_si128(x)));
    const uint32_t high = (uint32_t)_mm_cvtsi128_si32(_mm_minpos_epu16(_mm256_extracti128_si256(x, 1)));
    const int second = (high & 0xFFFF) < (low & 0xFFFF);
    *short_of = second ? high & 0xFFFF : low & 0xFFFF;
    return second ? 8 + (high >> 16) : low >> 16;
}

static inline uint64_t gch_best_following(const int8_t *w, const gch_context *c, uint64_t legal, const int8_t *noise)
{
    const __m256i sums = _mm256_add_epi16(gch_lane_scores(w, c, c->led, 0), GCH_WORDS(noise));
    uint32_t value;
    return 1ULL << (16 * c->led + gch_lane_best(sums, (uint32_t)(legal >> (16 * c->led)) & GCH_LANE, &value));
}

static inline void gch_scores_avx2(const int8_t *w, const gch_context *c, uint64_t legal, int16_t *out)
{
    int suit;
    if (c->led >= 0)
        _mm256_storeu_si256((__m256i *)(out + 16 * c->led), gch_lane_scores(w, c, c->led, 0));
    else
        for (suit = 0; suit < 4; suit++)
            if (legal & (GCH_LANE << (16 * suit)))
                _mm256_storeu_si256((__m256i *)(out + 16 * suit), gch_lane_scores(w, c, suit, 16 * suit));
}

static inline uint64_t gch_best_avx2(const int8_t *w, const gch_context *c, uint64_t legal, const int8_t *noise)
{
    uint64_t best = 0;
    uint32_t least = 0x10000, value, place;
    int suit;
    if (c->led >= 0)
        return gch_best_following(w, c, legal, noise);
    for (suit = 0; suit < 4; suit++) {
        const uint32_t lane = (uint32_t)(legal >> (16 * suit)) & GCH_LANE;
        __m256i sums;
        if (!lane)
            continue;
        sums = _mm256_add_epi16(gch_lane_scores(w, c, suit, 16 * suit), GCH_WORDS(noise + 16 * suit));
        place = gch_lane_best(sums, lane, &value);
        if (value < least) {
            least = value;
            best = 1ULL << (16 * suit + place);
        }
    }
    return best;
}
#if defined(__AVX512BW__) && defined(__AVX512VL__)

/* All 64 sums: hearts and spades in high, the others in low. */
static inline void gch_wide_scores(const int8_t *w, const gch_context *c, __m512i *low, __m512i *high)
{
    const uint64_t u = c->unseen;
    const __m256i below0 = _mm256_set_m128i(gch_belows((uint32_t)(u >> 16) & GCH_LANE), gch_belows(u & GCH_LANE));
    const __m256i below1 =
        _mm256_set_m128i(gch_belows((uint32_t)(u >> 48)), gch_belows((uint32_t)(u >> 32) & GCH_LANE));
    /* bit 13 is above all cards of a suit: its entry is the suit's count */
    const __m256i top = _mm256_set1_epi8(13);
    const __m256i above0 = _mm256_sub_epi8(_mm256_shuffle_epi8(below0, top), below0);
    const __m256i above1 = _mm256_sub_epi8(_mm256_shuffle_epi8(below1, top), below1);
#define GCH_HALF(p) _mm256_loadu_si256((const __m256i *)(w + (p)))
    __m512i a = _mm512_add_epi16(_mm512_cvtepi8_epi16(_mm256_shuffle_epi8(GCH_HALF(c->below), below0)),
                                 _mm512_cvtepi8_epi16(_mm256_shuffle_epi8(GCH_HALF(c->above), above0)));
    __m512i b = _mm512_add_epi16(_mm512_cvtepi8_epi16(_mm256_shuffle_epi8(GCH_HALF(c->below + 32), below1)),
                                 _mm512_cvtepi8_epi16(_mm256_shuffle_epi8(GCH_HALF(c->above + 32), above1)));
    int i;
    for (i = 0; i < c->rows; i++) {
        a = _mm512_add_epi16(a, _mm512_cvtepi8_epi16(GCH_HALF(c->row[i])));
        b = _mm512_add_epi16(b, _mm512_cvtepi8_epi16(GCH_HALF(c->row[i] + 32)));
    }
#undef GCH_HALF
    *low = a;
    *high = b;
}

static inline void gch_scores(const int8_t *w, const gch_context *c, uint64_t legal, int16_t *out)
{
    __m512i low, high;
    if (c->led >= 0) {
        gch_scores_avx2(w, c, legal, out);
        return;
    }
    gch_wide_scores(w, c, &low, &high);
    _mm512_storeu_si512(out, low);
    _mm512_storeu_si512(out + 32, high);
}

static inline uint64_t gch_best(const int8_t *w, const gch_context *c, uint64_t legal, const int8_t *noise)
{
    const __m512i out = _mm512_set1_epi16(-32768);
    __m512i low, high, most;
    __m256i half;
    __m128i quarter;
    uint64_t found;
    if (c->led >= 0)
        return gch_best_following(w, c, legal, noise);
    gch_wide_scores(w, c, &low, &high);
    low = _mm512_add_epi16(low, _mm512_cvtepi8_epi16(_mm256_loadu_si256((const __m256i *)noise)));
    high = _mm512_add_epi16(high, _mm512_cvtepi8_epi16(_mm256_loadu_si256((const __m256i *)(noise + 32))));
    low = _mm512_mask_mov_epi16(out, (__mmask32)legal, low);
    high = _mm512_mask_mov_epi16(out, (__mmask32)(legal >> 32), high);
    most = _mm512_max_epi16(low, high);
    half = _mm256_max_epi16(_mm512_castsi512_si256(most), _mm512_extracti64x4_epi64(most, 1));
    quarter = _mm_max_epi16(_mm256_castsi256_si128(half), _mm256_extracti128_si256(half, 1));
    quarter = _mm_minpos_epu16(_mm_sub_epi16(_mm_set1_epi16(0x7FFF), quarter));
    most = _mm512_broadcastw_epi16(_mm_sub_epi16(_mm_set1_epi16(0x7FFF), quarter));
    found = (uint64_t)_mm512_cmpeq_epi16_mask(low, most) | (uint64_t)_mm512_cmpeq_epi16_mask(high, most) << 32;
    found &= legal;
    return found & (0 - found);
}
#else
#define gch_scores gch_scores_avx2
#define gch_best gch_best_avx2
#endif

#else
#define GCH_LINEAR_VECTORS 0
static void gch_linear_start(void) { gch_counts_start(); }
#define gch_scores(weights, context, legal, out) ((void)0)
#define gch_best(weights, context, legal, noise) ((uint64_t)0)
#endif

#endif
