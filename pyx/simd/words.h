/* Words of a table, and weights, that threads share: relaxed atomics, which are ordinary loads and stores. */
#ifndef GAMECORE_WORDS_H
#define GAMECORE_WORDS_H

#include <stdint.h>
#include <string.h>

#if defined(__GNUC__) || defined(__clang__)
static inline uint64_t gc_load_word(const uint64_t *p) { return __atomic_load_n(p, __ATOMIC_RELAXED); }
static inline void gc_store_word(uint64_t *p, uint64_t word) { __atomic_store_n(p, word, __ATOMIC_RELAXED); }
static inline int gc_load_weight(const int16_t *p) { return __atomic_load_n(p, __ATOMIC_RELAXED); }
static inline void gc_store_weight(int16_t *p, int weight) { __atomic_store_n(p, (int16_t)weight, __ATOMIC_RELAXED); }
typedef uint64_t __attribute__((may_alias)) gc_four_weights;
static inline uint64_t gc_load_weights(const int16_t *p)
{
    return __atomic_load_n((const gc_four_weights *)p, __ATOMIC_RELAXED);
}
#else
static inline int gc_load_weight(const int16_t *p) { return *(const volatile int16_t *)p; }
static inline void gc_store_weight(int16_t *p, int weight) { *(volatile int16_t *)p = (int16_t)weight; }
static inline uint64_t gc_load_weights(const int16_t *p)
{
    const int16_t four[4] = {(int16_t)gc_load_weight(p), (int16_t)gc_load_weight(p + 1), (int16_t)gc_load_weight(p + 2),
                             (int16_t)gc_load_weight(p + 3)};
    uint64_t word;
    memcpy(&word, four, sizeof word);
    return word;
}
static inline uint64_t gc_load_word(const uint64_t *p) { return *(const volatile uint64_t *)p; }
static inline void gc_store_word(uint64_t *p, uint64_t word) { *(volatile uint64_t *)p = word; }
#endif

#endif
