/* Words of a table that threads share: relaxed atomics, which are ordinary loads and stores of whole words. */
#ifndef GAMECORE_WORDS_H
#define GAMECORE_WORDS_H

#include <stdint.h>

#if defined(__GNUC__) || defined(__clang__)
static inline uint64_t gc_load_word(const uint64_t *p) { return __atomic_load_n(p, __ATOMIC_RELAXED); }
static inline void gc_store_word(uint64_t *p, uint64_t word) { __atomic_store_n(p, word, __ATOMIC_RELAXED); }
#else
static inline uint64_t gc_load_word(const uint64_t *p) { return *(const volatile uint64_t *)p; }
static inline void gc_store_word(uint64_t *p, uint64_t word) { *(volatile uint64_t *)p = word; }
#endif

#endif
