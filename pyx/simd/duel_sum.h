/* The sum of the hash words of 13 columns: two 64-bit sums side by side, which compilers vectorise only sometimes. */
#ifndef GAMECORE_DUEL_SUM_H
#define GAMECORE_DUEL_SUM_H

#include <stdint.h>

typedef struct {
    uint64_t index, check;
} gc_duel_hash;

typedef uint64_t gc_duel_pair __attribute__((vector_size(16), may_alias, aligned(8)));

static inline gc_duel_hash gc_duel_sum(const gc_duel_hash *words, const uint8_t *columns, const gc_duel_hash *first,
                                       const gc_duel_hash *second)
{
    const gc_duel_pair *w = (const gc_duel_pair *)words;
    gc_duel_pair a = w[columns[0]] + w[columns[1]], b = w[columns[2]] + w[columns[3]];
    gc_duel_hash h;
    a += *(const gc_duel_pair *)first;
    b += *(const gc_duel_pair *)second;
    a += w[columns[4]] + w[columns[5]];
    b += w[columns[6]] + w[columns[7]];
    a += w[columns[8]] + w[columns[9]];
    b += w[columns[10]] + w[columns[11]];
    a += b + w[columns[12]];
    h.index = a[0];
    h.check = a[1];
    return h;
}

static inline void gc_duel_add(gc_duel_hash *sum, const gc_duel_hash *word)
{
    *(gc_duel_pair *)sum += *(const gc_duel_pair *)word;
}

#endif
