/* Constants of the duel: hands as 52-bit words, bit 4 * rank + suit (see duel/rules.pxd).  In C, because Cython has no
 * constant arrays and would fill them at import. */
#ifndef GAMECORE_DUEL_CARDS_H
#define GAMECORE_DUEL_CARDS_H

#include <stdint.h>

#define GC_DUEL_ROW 0x1111111111111ULL /* the clubs; the cards of a suit s are GC_DUEL_ROW << s */

/* The cards that share suit or number with a card, itself included. */
#define GC_DUEL_FITS(card) (GC_DUEL_ROW << ((card) % 4) | 0xFULL << ((card) / 4 * 4))
#define GC_DUEL_RANK(r) GC_DUEL_FITS(4 * r), GC_DUEL_FITS(4 * r + 1), GC_DUEL_FITS(4 * r + 2), GC_DUEL_FITS(4 * r + 3)
static const uint64_t gc_duel_neighbours[52] = {
    GC_DUEL_RANK(0),  GC_DUEL_RANK(1),  GC_DUEL_RANK(2),  GC_DUEL_RANK(3), GC_DUEL_RANK(4),
    GC_DUEL_RANK(5),  GC_DUEL_RANK(6),  GC_DUEL_RANK(7),  GC_DUEL_RANK(8), GC_DUEL_RANK(9),
    GC_DUEL_RANK(10), GC_DUEL_RANK(11), GC_DUEL_RANK(12),
};

/* All cards of a set of suits (bit s: suit s). */
#define GC_DUEL_SUITS(set) (GC_DUEL_ROW * (set))
static const uint64_t gc_duel_suits[16] = {
    GC_DUEL_SUITS(0),  GC_DUEL_SUITS(1),  GC_DUEL_SUITS(2),  GC_DUEL_SUITS(3),  GC_DUEL_SUITS(4),  GC_DUEL_SUITS(5),
    GC_DUEL_SUITS(6),  GC_DUEL_SUITS(7),  GC_DUEL_SUITS(8),  GC_DUEL_SUITS(9),  GC_DUEL_SUITS(10), GC_DUEL_SUITS(11),
    GC_DUEL_SUITS(12), GC_DUEL_SUITS(13), GC_DUEL_SUITS(14), GC_DUEL_SUITS(15),
};

/* The cards whose points (1 to 13, from the lowest nibble up) have bit 0, 1, 2, 3 set. */
static const uint64_t gc_duel_point_bits[4] = {
    0xF0F0F0F0F0F0FULL,
    0x00FF00FF00FF0ULL,
    0xFF0000FFFF000ULL,
    0xFFFFFF0000000ULL,
};

/* Results implied for states that differ only in isolated cards, by result and `isolated` (see duel/table.pxd). */
static const uint8_t gc_duel_implied[3][4] = {
    {0, 0, 0, 0},
    {0x05, 0x04, 0x55, 0x44}, /* the mover loses */
    {0x22, 0xAA, 0x20, 0xA0}, /* the mover wins */
};

#endif
