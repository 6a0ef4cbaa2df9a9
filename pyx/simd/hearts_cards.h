/* Cards of hearts in a 64-bit word: a lane of 16 bits a suit, rank 2 at bit 0 of its lane, the ace at bit 12.

       bit  63........48 47........32 31........16 15.........0
            ...A...5432  ...A...5432  ...A...5432  ...A...5432
            hearts       spades       diamonds     clubs

   In one suit a higher card is a larger number, and "follow suit" is one AND with a lane. */
#ifndef GAMECORE_HEARTS_CARDS_H
#define GAMECORE_HEARTS_CARDS_H

#include "bits.h"
#include <string.h>

#define GCH_LANE 0x1FFFULL
#define GCH_CLUBS GCH_LANE
#define GCH_DIAMONDS (GCH_LANE << 16)
#define GCH_SPADES (GCH_LANE << 32)
#define GCH_HEARTS (GCH_LANE << 48)
#define GCH_ALL (GCH_CLUBS | GCH_DIAMONDS | GCH_SPADES | GCH_HEARTS)
#define GCH_C2 1ULL
#define GCH_DJ (1ULL << (16 + 9))
#define GCH_SQ (1ULL << (32 + 10))
#define GCH_POINTS (GCH_HEARTS | GCH_SQ)

/* The rules of play as bits (gamecore.hearts._rules has the same numbers). */
enum {
    GCH_NO_POINTS_FIRST = 1,   /* no_pts_on_first_trick */
    GCH_ANY_CLUB = 2,          /* can_lead_any_club */
    GCH_MUST_BREAK = 4,        /* must_break_hearts */
    GCH_QUEEN_BREAKS = 8,      /* qs_breaks_hearts */
    GCH_HEARTS_FOR_QUEEN = 16, /* can_lead_hearts_instead_of_qs */
    GCH_JACK_BONUS = 32,       /* jd_bonus: -10 */
    GCH_AVOID_BONUS = 64,      /* avoid_all_tricks_bonus: -5 */
    GCH_MOON_SHOOTER = 128,    /* shooting the moon: shooter -26 instead of others +26 */
    GCH_NO_MOON = 256          /* all 26 points are 26 points */
};

/* A round's rules, made ready for play by rules_from (hearts/rules.pxd). */
typedef struct {
    int flags;
    uint64_t first_ban;  /* cards forbidden on the first trick, unless nothing else is held */
    uint64_t breakers;   /* cards that break hearts */
    uint64_t preset;     /* hearts if they need no breaking: or-ed to the played cards */
    uint64_t first_lead; /* legal first leads */
    uint64_t lone_queen; /* the queen of spades if hearts may be led instead of her, else 0 */
} gch_rules;

/* A round in the making of a record. */
typedef struct {
    uint64_t dealt[4];  /* hands before the pass */
    uint64_t passed[4]; /* by each seat */
    uint8_t cards[52];  /* in the order of play, as numbers of their bits */
    uint8_t seats[52];  /* who played them */
} gch_played;

/* A record: rows of 4 or 52, in Python's numbers: hands of 52 bits, cards 4 * rank + suit in C D H S. */
typedef struct {
    uint64_t *deals, *passes;
    uint8_t *cards, *seats;
} gch_record;

/* Exchange two digits in the number of every bit of x: bits move `far`, those of the mask up and others down. */
static inline uint64_t gch_exchange(uint64_t x, int far, uint64_t mask)
{
    const uint64_t moved = ((x >> far) ^ x) & mask;
    return x ^ moved ^ (moved << far);
}

/* Cards from lanes to Python's order: spades and hearts change places, then the two digits of the suit in a bit's
   number and the four of the rank. */
static inline uint64_t gch_interleave(uint64_t x)
{
    x = (x & 0xFFFFFFFFU) | (x >> 48 << 32) | (x >> 32 << 48);
    x = gch_exchange(gch_exchange(x, 24, 0xFF00FF00U), 12, 0x0000F0F00000F0F0ULL);
    return gch_exchange(gch_exchange(x, 6, 0x00CC00CC00CC00CCULL), 3, 0x0A0A0A0A0A0A0A0AULL);
}

/* Append rounds to a record. */
static inline void gch_append(gch_record *record, const gch_played *rows, int64_t count)
{
    int64_t row;
    int i;
    for (row = 0; row < count; row++) {
        for (i = 0; i < 4; i++) {
            *record->deals++ = gch_interleave(rows[row].dealt[i]);
            *record->passes++ = gch_interleave(rows[row].passed[i]);
        }
        for (i = 0; i < 52; i++) {
            const uint8_t place = rows[row].cards[i];
            record->cards[i] = (uint8_t)((place & 15) << 2 | ((place >> 4) ^ (place >> 5)));
        }
        memcpy(record->seats, rows[row].seats, 52);
        record->cards += 52;
        record->seats += 52;
    }
}

#if defined(__clang__)
#define GCH_EVEN_ODDS(x) __builtin_unpredictable(x)
#elif defined(__GNUC__) && __GNUC__ >= 9
#define GCH_EVEN_ODDS(x) __builtin_expect_with_probability(x, 1, 0.5)
#else
#define GCH_EVEN_ODDS(x) (x)
#endif

/* test ? yes : no, as a conditional move: the data are random, and a branch would be mispredicted. */
static inline uint64_t gch_if(uint64_t test, uint64_t yes, uint64_t no) { return GCH_EVEN_ODDS(test != 0) ? yes : no; }

/* The set bit of m that has k set bits below it. */
static inline uint64_t gch_nth(uint64_t m, uint32_t k)
{
#ifdef __BMI2__
    return _pdep_u64(1ULL << k, m);
#else
    for (; k; k--)
        m &= m - 1;
    return m & (0 - m);
#endif
}

/* The four seats' takings of a round in one word ("tally"): byte s, the points of seat s (hearts and queen); byte
   4 + s, the tricks it took, plus 128 when the jack of diamonds is among them.  This is what a trick adds: */
static inline uint64_t gch_worth(uint64_t cards)
{
    return (uint64_t)gc_popcount64(cards & GCH_HEARTS) + 13 * ((cards >> 42) & 1) + (1ULL << 32) +
           (((cards >> 25) & 1) << 39);
}

/* Points of the four seats from the tally of a finished round. */
static inline void gch_score(uint64_t tally, int flags, int8_t *out)
{
    const uint32_t points = (uint32_t)tally, not26 = points ^ 0x1A1A1A1AU;
    int seat, shooter = -1;
    for (seat = 0; seat < 4; seat++)
        out[seat] = (int8_t)(points >> (8 * seat));
    /* the usual case at once: no byte is 26 (a byte below 128 less one turns its top bit on only if it was 0) */
    if (GC_LIKELY(!((not26 - 0x01010101U) & 0x80808080U) && !(flags & (GCH_AVOID_BONUS | GCH_JACK_BONUS))))
        return;
    for (seat = 0; seat < 4; seat++)
        if (out[seat] == 26 && !(flags & GCH_NO_MOON))
            shooter = seat;
    if (shooter >= 0) {
        if (flags & GCH_MOON_SHOOTER)
            out[shooter] = -26;
        else
            for (seat = 0; seat < 4; seat++)
                out[seat] = seat == shooter ? 0 : 26;
    } else if (flags & GCH_AVOID_BONUS) {
        for (seat = 0; seat < 4; seat++)
            if (!((tally >> (32 + 8 * seat)) & 255))
                out[seat] -= 5;
    }
    if (flags & GCH_JACK_BONUS)
        for (seat = 0; seat < 4; seat++)
            if ((tally >> (32 + 8 * seat)) & 128)
                out[seat] -= 10;
}

#endif
