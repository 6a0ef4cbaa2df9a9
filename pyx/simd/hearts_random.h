/* Rounds among four random players: the scalar form, four rounds interleaved.

   It draws exactly as the general engine (hearts/rules.pxd, hearts/round.pxd) does: the deal, the passes, then one word
   a trick, whose low half serves the first two seats of the trick and whose high half the last two.  hearts_avx512.h
   draws the same in eight lanes; the tests hold all three to the same points, round by round.

   Choices are conditional moves: a branch on who wins a trick would be mispredicted two times in three. */
#ifndef GAMECORE_HEARTS_RANDOM_H
#define GAMECORE_HEARTS_RANDOM_H

#include <string.h>
#include "hearts_cards.h"

/* Constants of a series of rounds. */
typedef struct {
    int flags;
    uint64_t first_ban, breakers, preset, first_lead;
    uint64_t lone_queen; /* the queen of spades where GCH_HEARTS_FOR_QUEEN is on, else 0 */
    uint64_t key;
    const unsigned char *cycle; /* passing directions of the rounds in turn */
    uint64_t period;
} gch_series;

#if defined(__GNUC__) || defined(__clang__)
#define GCH_INLINE static inline __attribute__((always_inline))
#else
#define GCH_INLINE static inline
#endif

/* test ? yes : no, as a conditional move: the data are random, and compilers like branches here. */
GCH_INLINE uint64_t gch_if(uint64_t test, uint64_t yes, uint64_t no)
{
#if defined(__x86_64__) && (defined(__GNUC__) || defined(__clang__))
    __asm__("test %1, %1\n\tcmovnz %2, %0" : "+r"(no) : "r"(test), "r"(yes) : "cc");
    return no;
#else
    return test ? yes : no;
#endif
}

typedef struct {
    uint64_t s1, s0;
} gch_stream;

GCH_INLINE uint64_t gch_mix(uint64_t x)
{
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ULL;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBULL;
    return x ^ (x >> 31);
}

/* common/rng.pxd, word for word */
GCH_INLINE void gch_stream_start(gch_stream *g, uint64_t key, uint64_t index)
{
    const uint64_t k = key + index * 0x9E3779B97F4A7C15ULL;
    g->s1 = gch_mix(k);
    g->s0 = gch_mix(k ^ 0xD1B54A32D192ED03ULL);
}

GCH_INLINE uint64_t gch_stream_next(gch_stream *g)
{
    uint64_t s1 = g->s1;
    const uint64_t s0 = g->s0, word = s0 + s1;
    g->s1 = s0;
    s1 ^= s1 << 23;
    g->s0 = s1 ^ s0 ^ (s1 >> 18) ^ (s0 >> 5);
    return word;
}

GCH_INLINE uint64_t gch_pick(uint64_t m, uint32_t *half)
{
    const uint64_t t = (uint64_t)*half * (uint32_t)gc_popcount64(m);
    *half = (uint32_t)t;
    return gch_nth(m, (uint32_t)(t >> 32));
}

static inline uint64_t gch_repair(gch_stream *g, uint64_t s, uint64_t m, int size)
{
    int held = gc_popcount64(s);
    uint32_t half;
    for (; held > size; held--) {
        half = (uint32_t)gch_stream_next(g);
        s ^= gch_pick(s, &half);
    }
    for (; held < size; held++) {
        half = (uint32_t)gch_stream_next(g);
        s ^= gch_pick(m & ~s, &half);
    }
    return s;
}

/* if (value > *best) *best = value, *place = here; without a branch */
GCH_INLINE void gch_raise(uint64_t value, uint64_t *best, uint32_t here, uint32_t *place)
{
#if defined(__x86_64__) && (defined(__GNUC__) || defined(__clang__))
    uint64_t b = *best;
    uint32_t p = *place;
    __asm__("cmp %2, %0\n\tcmovb %2, %0\n\tcmovb %3, %1" : "+r"(b), "+r"(p) : "r"(value), "r"(here) : "cc");
    *best = b;
    *place = p;
#else
    *place = value > *best ? here : *place;
    *best = value > *best ? value : *best;
#endif
}

typedef struct {
    uint64_t hand[4], taken[4];
    uint64_t played;
    uint32_t leader;
    gch_stream g;
} gch_round;

/* Deal, pass at random, and give the lead to the holder of the two of clubs. */
static inline void gch_round_start(gch_round *r, const gch_series *t, uint64_t index)
{
    uint64_t *hand = r->hand, passed[4], mask;
    const int direction = t->cycle[index % t->period];
    int i;
    gch_stream_start(&r->g, t->key, index);
    mask = gch_repair(&r->g, gch_stream_next(&r->g) & GCH_ALL, GCH_ALL, 26);
    hand[1] = mask;
    hand[3] = GCH_ALL & ~mask;
    mask = gch_stream_next(&r->g);
    hand[0] = gch_repair(&r->g, mask & hand[1], hand[1], 13);
    hand[1] ^= hand[0];
    hand[2] = gch_repair(&r->g, mask & hand[3], hand[3], 13);
    hand[3] ^= hand[2];
    if (direction) {
        for (i = 0; i < 4; i++)
            passed[i] = gch_repair(&r->g, 0, hand[i], 3);
        for (i = 0; i < 4; i++)
            hand[i] ^= passed[i];
        for (i = 0; i < 4; i++)
            hand[(i + direction) & 3] |= passed[i];
    }
    r->leader = (uint32_t)((hand[1] & 1) + 2 * (hand[2] & 1) + 3 * (hand[3] & 1));
    r->taken[0] = r->taken[1] = r->taken[2] = r->taken[3] = 0;
    r->played = 0;
}

/* One trick of one round; `first` is a constant where this is inlined. */
GCH_INLINE void gch_trick(gch_round *r, const gch_series *t, int first)
{
    const uint64_t word = gch_stream_next(&r->g);
    uint32_t half[2];
    const uint32_t leader = r->leader;
    uint32_t place = 0, i;
    uint64_t *hand = &r->hand[leader], h = *hand, m, suit, card, all, best;
    half[0] = (uint32_t)word;
    half[1] = (uint32_t)(word >> 32);
    if (first) {
        m = h & t->first_lead;
    } else {
        m = h & ~GCH_HEARTS;
        m = gch_if(m ^ t->lone_queen, m, 0);
        m = gch_if((r->played | t->preset) & t->breakers, h, gch_if(m, m, h));
    }
    card = gch_pick(m, &half[0]);
    *hand = h ^ card;
    suit = GCH_LANE << (gc_ctz64(card) & 48);
    all = best = card;
    for (i = 1; i < 4; i++) {
        hand = &r->hand[(leader + i) & 3];
        h = *hand;
        m = first ? gch_if(h & ~t->first_ban, h & ~t->first_ban, h) : h;
        m = gch_if(h & suit, h & suit, m);
        card = gch_pick(m, &half[i >> 1]);
        *hand = h ^ card;
        all |= card;
        gch_raise(card & suit, &best, i, &place);
    }
    r->leader = (leader + place) & 3;
    r->taken[r->leader] |= all;
    r->played |= all;
}

/* The last trick plays itself. */
GCH_INLINE void gch_last_trick(gch_round *r)
{
    const uint64_t first = r->hand[r->leader], suit = GCH_LANE << (gc_ctz64(first) & 48);
    uint64_t best = first;
    uint32_t place = 0, i;
    for (i = 1; i < 4; i++)
        gch_raise(r->hand[(r->leader + i) & 3] & suit, &best, i, &place);
    r->taken[(r->leader + place) & 3] |= r->hand[0] | r->hand[1] | r->hand[2] | r->hand[3];
}

/* All that gch_score looks at: it does not matter how many tricks of its own a seat took. */
GCH_INLINE uint64_t gch_tally(const gch_round *r)
{
    uint64_t tally = 0;
    int seat;
    for (seat = 0; seat < 4; seat++)
        tally |= (gch_worth(r->taken[seat]) ^ (r->taken[seat] ? 0 : 1ULL << 32)) << (8 * seat);
    return tally;
}

#define GCH_WIDE 4

/* GCH_WIDE rounds interleaved, so that one computes while another waits. */
GCH_INLINE void gch_play_rounds(gch_round *r, const gch_series *t, int count)
{
    int i, trick;
    for (i = 0; i < count; i++)
        gch_trick(&r[i], t, 1);
    for (trick = 1; trick < 12; trick++)
        for (i = 0; i < count; i++)
            gch_trick(&r[i], t, 0);
    for (i = 0; i < count; i++)
        gch_last_trick(&r[i]);
}

/* Rounds first, first + 1, ... into rows of four points. */
static void gch_random_rounds(int8_t *points, int64_t rounds, uint64_t first, const gch_series *t)
{
    gch_round r[GCH_WIDE];
    int64_t at = 0;
    int i;
    for (; at + GCH_WIDE <= rounds; at += GCH_WIDE) {
        for (i = 0; i < GCH_WIDE; i++)
            gch_round_start(&r[i], t, first + (uint64_t)(at + i));
        gch_play_rounds(r, t, GCH_WIDE);
        for (i = 0; i < GCH_WIDE; i++)
            gch_score(gch_tally(&r[i]), t->flags, points + 4 * (at + i));
    }
    for (; at < rounds; at++) {
        gch_round_start(r, t, first + (uint64_t)at);
        gch_play_rounds(r, t, 1);
        gch_score(gch_tally(r), t->flags, points + 4 * at);
    }
}

#endif
