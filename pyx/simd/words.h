/* Words of a table, and weights, that threads share: relaxed atomics, which are ordinary loads and stores. */
#ifndef GAMECORE_WORDS_H
#define GAMECORE_WORDS_H

#include <stdint.h>

static inline uint64_t gc_load_word(const uint64_t *p) { return __atomic_load_n(p, __ATOMIC_RELAXED); }
static inline void gc_store_word(uint64_t *p, uint64_t word) { __atomic_store_n(p, word, __ATOMIC_RELAXED); }
static inline int gc_load_weight(const int16_t *p) { return __atomic_load_n(p, __ATOMIC_RELAXED); }
static inline void gc_store_weight(int16_t *p, int weight) { __atomic_store_n(p, (int16_t)weight, __ATOMIC_RELAXED); }

#endif
