/* Slots of a table that threads share: relaxed atomics, which are ordinary loads and stores of whole words. */
#ifndef GAMECORE_DUEL_SLOTS_H
#define GAMECORE_DUEL_SLOTS_H

#include <stdint.h>

#if defined(__GNUC__) || defined(__clang__)
static inline uint64_t gc_load_slot(const uint64_t *slot) { return __atomic_load_n(slot, __ATOMIC_RELAXED); }
static inline void gc_store_slot(uint64_t *slot, uint64_t word) { __atomic_store_n(slot, word, __ATOMIC_RELAXED); }
#else
static inline uint64_t gc_load_slot(const uint64_t *slot) { return *(const volatile uint64_t *)slot; }
static inline void gc_store_slot(uint64_t *slot, uint64_t word) { *(volatile uint64_t *)slot = word; }
#endif

#endif
