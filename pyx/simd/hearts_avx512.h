/* Rounds among four random players, eight to a vector and two vectors in flight: hearts/random.pxi in lanes of 64 bits.

   Needs the population counts of AVX-512 (VPOPCNTDQ, BITALG), which are not in x86-64-v4: compiled into the v4 level
   with a target attribute and used only where gch_vectors() says so.  Lanes that draw no number do not advance their
   streams, so that each lane sees the words that the scalar form would. */
#ifndef GAMECORE_HEARTS_AVX512_H
#define GAMECORE_HEARTS_AVX512_H

#include "hearts_cards.h"

#if defined(__AVX512F__) && defined(__AVX512BW__) && defined(__AVX512DQ__) && defined(__AVX512CD__) &&                 \
    defined(__x86_64__) && (defined(__GNUC__) || defined(__clang__))
#include <immintrin.h>

#define GCH_TARGET __attribute__((target("avx512vpopcntdq,avx512bitalg")))
#define GCH_VECTOR static inline __attribute__((always_inline, target("avx512vpopcntdq,avx512bitalg")))

typedef __m512i gch_v;

static int gch_vectors(void)
{
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx512vpopcntdq") && __builtin_cpu_supports("avx512bitalg");
}

#define GCH_SET(x) _mm512_set1_epi64((long long)(x))

typedef struct {
    gch_v s1, s0;
} gch_streams;

GCH_VECTOR gch_v gch_mixv(gch_v z)
{
    z = _mm512_mullo_epi64(_mm512_xor_si512(z, _mm512_srli_epi64(z, 30)), GCH_SET(0xBF58476D1CE4E5B9ULL));
    z = _mm512_mullo_epi64(_mm512_xor_si512(z, _mm512_srli_epi64(z, 27)), GCH_SET(0x94D049BB133111EBULL));
    return _mm512_xor_si512(z, _mm512_srli_epi64(z, 31));
}

GCH_VECTOR void gch_streams_start(gch_streams *g, uint64_t key, uint64_t index)
{
    const gch_v i = _mm512_add_epi64(GCH_SET(index), _mm512_set_epi64(7, 6, 5, 4, 3, 2, 1, 0));
    const gch_v k = _mm512_add_epi64(GCH_SET(key), _mm512_mullo_epi64(i, GCH_SET(0x9E3779B97F4A7C15ULL)));
    g->s1 = gch_mixv(k);
    g->s0 = gch_mixv(_mm512_xor_si512(k, GCH_SET(0xD1B54A32D192ED03ULL)));
}

GCH_VECTOR gch_v gch_nextv(gch_streams *g)
{
    gch_v s1 = g->s1;
    const gch_v s0 = g->s0, word = _mm512_add_epi64(s0, s1);
    g->s1 = s0;
    s1 = _mm512_xor_si512(s1, _mm512_slli_epi64(s1, 23));
    s1 = _mm512_ternarylogic_epi64(s1, s0, _mm512_srli_epi64(s1, 18), 0x96);
    g->s0 = _mm512_xor_si512(s1, _mm512_srli_epi64(s0, 5));
    return word;
}

GCH_VECTOR gch_v gch_next_in(gch_streams *g, __mmask8 lanes)
{
    gch_streams after = *g;
    const gch_v word = gch_nextv(&after);
    g->s1 = _mm512_mask_mov_epi64(g->s1, lanes, after.s1);
    g->s0 = _mm512_mask_mov_epi64(g->s0, lanes, after.s0);
    return word;
}

/* pick: a set bit of m by the low half of x, which keeps the fraction.  There is no pdep for vectors: find the byte
   in which the k-th bit stands by running sums of byte counts, then the bit in it by running sums of bits. */
GCH_VECTOR gch_v gch_pickv(gch_v m, gch_v *x)
{
    const gch_v ones = GCH_SET(0x0101010101010101ULL), diagonal = GCH_SET(0x8040201008040201ULL);
    const gch_v low_byte = _mm512_set4_epi32(0x08080808, 0x08080808, 0, 0);
    gch_v k, counts, before, shift, rest, byte, bit;
    __mmask64 below, bits, found;
    *x = _mm512_mul_epu32(*x, _mm512_popcnt_epi64(m));
    k = _mm512_srli_epi64(*x, 32); /* which one, from 0 */
    counts = _mm512_popcnt_epi8(m);
    below = _mm512_cmple_epu8_mask(_mm512_mullo_epi64(counts, ones), _mm512_shuffle_epi8(k, low_byte));
    shift = _mm512_sad_epu8(_mm512_maskz_mov_epi8(below, _mm512_set1_epi8(8)), _mm512_setzero_si512());
    before = _mm512_sad_epu8(_mm512_maskz_mov_epi8(below, counts), _mm512_setzero_si512());
    rest = _mm512_sub_epi64(k, before);
    byte = _mm512_shuffle_epi8(_mm512_srlv_epi64(m, shift), low_byte);
    bits = _mm512_test_epi8_mask(byte, diagonal);
    before =
        _mm512_mullo_epi64(_mm512_maskz_mov_epi8(bits, ones), GCH_SET(0x0101010101010100ULL)); /* set bits below each */
    found = _mm512_mask_cmpeq_epi8_mask(bits, before, _mm512_shuffle_epi8(rest, low_byte));
    bit = _mm512_sad_epu8(_mm512_maskz_mov_epi8(found, diagonal), _mm512_setzero_si512());
    return _mm512_sllv_epi64(bit, shift);
}

GCH_VECTOR gch_v gch_repairv(gch_streams *g, gch_v s, gch_v m, int size, __mmask8 lanes)
{
    for (;;) {
        const gch_v held = _mm512_popcnt_epi64(s);
        const __mmask8 few = _mm512_mask_cmplt_epi64_mask(lanes, held, GCH_SET(size));
        const __mmask8 wrong = _mm512_mask_cmpneq_epi64_mask(lanes, held, GCH_SET(size));
        gch_v word;
        if (!wrong)
            return s;
        word = gch_next_in(g, wrong);
        s = _mm512_mask_xor_epi64(s, wrong, s, gch_pickv(_mm512_mask_andnot_epi64(s, few, s, m), &word));
    }
}

typedef struct {
    gch_v a, b, c, d, played, tally, leader8; /* leader8: 8 times the leader's seat */
    gch_streams g;
} gch_rounds;

/* The hands as seen from `one` and `two`: lanes whose new leader is an odd number, and two or three, seats on. */
GCH_VECTOR void gch_rotate(gch_rounds *r, __mmask8 one, __mmask8 two)
{
    const gch_v A = _mm512_mask_mov_epi64(r->a, one, r->b), B = _mm512_mask_mov_epi64(r->b, one, r->c);
    const gch_v C = _mm512_mask_mov_epi64(r->c, one, r->d), D = _mm512_mask_mov_epi64(r->d, one, r->a);
    gch_v l;
    r->a = _mm512_mask_mov_epi64(A, two, C);
    r->b = _mm512_mask_mov_epi64(B, two, D);
    r->c = _mm512_mask_mov_epi64(C, two, A);
    r->d = _mm512_mask_mov_epi64(D, two, B);
    l = _mm512_mask_add_epi64(r->leader8, one, r->leader8, GCH_SET(8));
    l = _mm512_mask_add_epi64(l, two, l, GCH_SET(16));
    r->leader8 = _mm512_and_si512(l, GCH_SET(24));
}

/* From one of eight rows to each of them, in bytes: where to scatter the lanes of a vector. */
#define GCH_ROWS _mm512_mullo_epi64(_mm512_set_epi64(7, 6, 5, 4, 3, 2, 1, 0), GCH_SET(sizeof(gch_played)))

/* Log a trick: the numbers of its cards' bits, and the seats from the leader on. */
GCH_VECTOR void gch_log_trick(gch_played *rows, int trick, gch_v leader8, const gch_v *card)
{
    gch_v seats = _mm512_srli_epi64(leader8, 3), cards = _mm512_setzero_si512();
    int i;
    for (i = 3; i >= 0; i--) /* the bits below a card's are as many as its number */
        cards =
            _mm512_or_si512(_mm512_slli_epi64(cards, 8), _mm512_popcnt_epi64(_mm512_sub_epi64(card[i], GCH_SET(1))));
    seats = _mm512_or_si512(seats, _mm512_slli_epi64(seats, 8));
    seats = _mm512_or_si512(seats, _mm512_slli_epi64(seats, 16));
    seats = _mm512_and_si512(_mm512_add_epi64(seats, GCH_SET(0x03020100)), GCH_SET(0x03030303));
    _mm512_i64scatter_epi32(rows->cards + 4 * trick, GCH_ROWS, _mm512_cvtepi64_epi32(cards), 1);
    _mm512_i64scatter_epi32(rows->seats + 4 * trick, GCH_ROWS, _mm512_cvtepi64_epi32(seats), 1);
}

/* In lanes with a direction other than 0, each hand passes three random cards; directions: of the eight lanes. */
GCH_VECTOR void gch_pass(gch_streams *g, gch_v *hand, const unsigned char *directions, gch_played *rows)
{
    gch_v passed[4];
    __mmask8 by[4] = {0, 0, 0, 0}, lanes;
    int i, direction;
    for (i = 0; i < 8; i++)
        by[directions[i] & 3] |= (__mmask8)(1 << i);
    lanes = (__mmask8)~by[0];
    if (!lanes && !rows)
        return;
    for (i = 0; i < 4; i++) {
        passed[i] = gch_repairv(g, _mm512_setzero_si512(), hand[i], 3, lanes);
        if (rows) {
            _mm512_i64scatter_epi64(&rows->dealt[i], GCH_ROWS, hand[i], 1);
            _mm512_i64scatter_epi64(&rows->passed[i], GCH_ROWS, passed[i], 1);
        }
    }
    for (i = 0; i < 4; i++)
        hand[i] = _mm512_xor_si512(hand[i], passed[i]);
    for (i = 0; i < 4; i++)
        for (direction = 1; direction < 4; direction++) {
            const int to = (i + direction) & 3;
            hand[to] = _mm512_mask_or_epi64(hand[to], by[direction], hand[to], passed[i]);
        }
}

GCH_VECTOR void gch_rounds_start(gch_rounds *r, uint64_t key, uint64_t index, const unsigned char *directions,
                                 gch_played *rows)
{
    const gch_v all = GCH_SET(GCH_ALL);
    gch_v hand[4], half, other, mask;
    gch_streams_start(&r->g, key, index);
    half = gch_repairv(&r->g, _mm512_and_si512(gch_nextv(&r->g), all), all, 26, 255);
    other = _mm512_andnot_si512(half, all);
    mask = gch_nextv(&r->g);
    hand[0] = gch_repairv(&r->g, _mm512_and_si512(mask, half), half, 13, 255);
    hand[1] = _mm512_xor_si512(half, hand[0]);
    hand[2] = gch_repairv(&r->g, _mm512_and_si512(mask, other), other, 13, 255);
    hand[3] = _mm512_xor_si512(other, hand[2]);
    gch_pass(&r->g, hand, directions, rows);
    r->a = hand[0];
    r->b = hand[1];
    r->c = hand[2];
    r->d = hand[3];
    r->played = r->tally = r->leader8 = _mm512_setzero_si512();
    gch_rotate(r, _mm512_test_epi64_mask(_mm512_or_si512(r->b, r->d), GCH_SET(GCH_C2)),
               _mm512_test_epi64_mask(_mm512_or_si512(r->c, r->d), GCH_SET(GCH_C2)));
}

/* The trick of these four cards: who wins, what it is worth, whose hands are next. */
GCH_VECTOR void gch_take(gch_rounds *r, gch_v ca, gch_v cb, gch_v cc, gch_v cd, gch_v suit, int plain, int trick,
                         gch_played *rows)
{
    const gch_v card[4] = {ca, cb, cc, cd};
    const gch_v all = _mm512_or_si512(_mm512_or_si512(ca, cb), _mm512_or_si512(cc, cd));
    const gch_v top = _mm512_srlv_epi64(GCH_SET(1ULL << 63), _mm512_lzcnt_epi64(_mm512_and_si512(all, suit)));
    gch_v worth;
    if (rows)
        gch_log_trick(rows, trick, r->leader8, card);
    r->a = _mm512_xor_si512(r->a, ca);
    r->b = _mm512_xor_si512(r->b, cb);
    r->c = _mm512_xor_si512(r->c, cc);
    r->d = _mm512_xor_si512(r->d, cd);
    gch_rotate(r, _mm512_test_epi64_mask(_mm512_or_si512(cb, cd), top),
               _mm512_test_epi64_mask(_mm512_or_si512(cc, cd), top));
    worth = _mm512_add_epi64(_mm512_popcnt_epi64(_mm512_and_si512(all, GCH_SET(GCH_HEARTS))), GCH_SET(1ULL << 32));
    worth = _mm512_mask_add_epi64(worth, _mm512_test_epi64_mask(all, GCH_SET(GCH_SQ)), worth, GCH_SET(13));
    if (!plain)
        worth =
            _mm512_mask_add_epi64(worth, _mm512_test_epi64_mask(all, GCH_SET(GCH_DJ)), worth, GCH_SET(128ULL << 32));
    r->tally = _mm512_add_epi64(r->tally, _mm512_sllv_epi64(worth, r->leader8));
    r->played = _mm512_or_si512(r->played, all);
}

GCH_VECTOR gch_v gch_suitv(gch_v card)
{
    return _mm512_maskz_set1_epi16(_mm512_test_epi16_mask(card, card), (short)GCH_LANE);
}

GCH_VECTOR gch_v gch_followv(gch_v hand, gch_v suit, const gch_rules *t, int first)
{
    const __mmask8 can = _mm512_test_epi64_mask(hand, suit);
    gch_v rest = hand;
    if (first) {
        const gch_v allowed = GCH_SET(~t->first_ban);
        rest = _mm512_mask_and_epi64(hand, _mm512_test_epi64_mask(hand, allowed), hand, allowed);
    }
    return _mm512_mask_and_epi64(rest, can, hand, suit);
}

GCH_VECTOR void gch_trickv(gch_rounds *r, const gch_rules *t, int first, int plain, int trick, gch_played *rows)
{
    gch_v low = gch_nextv(&r->g), high = _mm512_srli_epi64(low, 32), m, suit, ca, cb, cc, cd;
    if (first) {
        m = _mm512_and_si512(r->a, GCH_SET(t->first_lead));
    } else {
        const gch_v out = plain ? r->played : _mm512_or_si512(r->played, GCH_SET(t->preset));
        const __mmask8 whole = _mm512_test_epi64_mask(out, GCH_SET(t->breakers));
        m = _mm512_andnot_si512(GCH_SET(GCH_HEARTS), r->a);
        if (!plain)
            m = _mm512_maskz_mov_epi64(_mm512_cmpneq_epi64_mask(m, GCH_SET(t->lone_queen)), m);
        m = _mm512_mask_mov_epi64(m, whole | _mm512_testn_epi64_mask(m, m), r->a);
    }
    ca = gch_pickv(m, &low);
    suit = gch_suitv(ca);
    cb = gch_pickv(gch_followv(r->b, suit, t, first), &low);
    cc = gch_pickv(gch_followv(r->c, suit, t, first), &high);
    cd = gch_pickv(gch_followv(r->d, suit, t, first), &high);
    gch_take(r, ca, cb, cc, cd, suit, plain, trick, rows);
}

#define GCH_FLIGHT 2

GCH_VECTOR void gch_play_these(gch_rounds *r, const gch_rules *t, int plain, gch_played *rows)
{
    int i, trick;
    for (i = 0; i < GCH_FLIGHT; i++)
        gch_trickv(&r[i], t, 1, plain, 0, rows ? rows + 8 * i : rows);
    for (trick = 1; trick < 12; trick++)
        for (i = 0; i < GCH_FLIGHT; i++)
            gch_trickv(&r[i], t, 0, plain, trick, rows ? rows + 8 * i : rows);
    for (i = 0; i < GCH_FLIGHT; i++)
        gch_take(&r[i], r[i].a, r[i].b, r[i].c, r[i].d, gch_suitv(r[i].a), plain, 12, rows ? rows + 8 * i : rows);
}

GCH_TARGET static void gch_play_roundsv(gch_rounds *r, const gch_rules *t, gch_played *rows)
{
    /* plain: none of the rarer rules holds */
    if (rows)
        gch_play_these(r, t, 0, rows);
    else if (!(t->flags & GCH_JACK_BONUS) && !t->preset && !t->lone_queen)
        gch_play_these(r, t, 1, NULL);
    else
        gch_play_these(r, t, 0, NULL);
}

/* Rounds first, first + 1, ... into rows of four points, as many whole vectors as there are; returns their number.
   log: NULL, or rows to record them in. */
GCH_TARGET static int64_t gch_random_rounds(int8_t *points, int64_t rounds, uint64_t first, const gch_rules *t,
                                            uint64_t key, const unsigned char *cycle, uint64_t period, gch_played *log)
{
    gch_rounds r[GCH_FLIGHT];
    uint64_t tally[8];
    unsigned char directions[8];
    int64_t at = 0;
    int i, lane;
    for (; at + 8 * GCH_FLIGHT <= rounds; at += 8 * GCH_FLIGHT) {
        for (i = 0; i < GCH_FLIGHT; i++) {
            for (lane = 0; lane < 8; lane++)
                directions[lane] = cycle[(first + (uint64_t)(at + 8 * i + lane)) % period];
            gch_rounds_start(&r[i], key, first + (uint64_t)(at + 8 * i), directions, log ? log + at + 8 * i : NULL);
        }
        gch_play_roundsv(r, t, log ? log + at : NULL);
        for (i = 0; i < GCH_FLIGHT; i++) {
            int8_t *rows = points + 4 * (at + 8 * i);
            const __mmask64 moons = _mm512_cmpeq_epi8_mask(r[i].tally, _mm512_set1_epi8(26));
            /* the low halves of the tallies are the eight rows, unless there are moons or bonuses */
            _mm256_storeu_si256((__m256i *)rows, _mm512_cvtepi64_epi32(r[i].tally));
            if (moons || (t->flags & (GCH_AVOID_BONUS | GCH_JACK_BONUS))) {
                _mm512_storeu_si512(tally, r[i].tally);
                for (lane = 0; lane < 8; lane++)
                    gch_score(tally[lane], t->flags, rows + 4 * lane);
            }
        }
    }
    return at;
}
#else
static int gch_vectors(void) { return 0; }
static int64_t gch_random_rounds(int8_t *points, int64_t rounds, uint64_t first, const gch_rules *t, uint64_t key,
                                 const unsigned char *cycle, uint64_t period, gch_played *log)
{
    (void)points, (void)rounds, (void)first, (void)t, (void)key, (void)cycle, (void)period, (void)log;
    return 0;
}
#endif

#endif
