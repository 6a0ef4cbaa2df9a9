/* Vectors for the kernels of rows: the three element types at the widest width of this CPU level.

   Widths: 64 bytes (AVX-512), 32 (AVX2), 16 (NEON, or GCC's and clang's own vectors on any processor).  This file has
   the types and the operations of single widths; rows_lanes.h has those of all types and widths. */
#ifndef GAMECORE_ROWS_VEC_H
#define GAMECORE_ROWS_VEC_H

#include <stdint.h>
#include <string.h>

#if !defined(__GNUC__) && !defined(__clang__)
#error "the kernels of rows need GCC or clang: they are written in their vector types"
#endif

#if defined(__AVX512BW__) && defined(__AVX512DQ__)
#define ROWS_BYTES 64
#define ROWS_LANES_16 32 /* of elements of 16 bits */
#define ROWS_LANES_32 16
#define ROWS_LANES_64 8
#elif defined(__AVX2__)
#define ROWS_BYTES 32
#define ROWS_LANES_16 16
#define ROWS_LANES_32 8
#define ROWS_LANES_64 4
#else
#define ROWS_BYTES 16
#define ROWS_LANES_16 8
#define ROWS_LANES_32 4
#define ROWS_LANES_64 2
#endif
#if defined(__aarch64__) && defined(__ARM_NEON)
#define ROWS_NEON 1
#else
#define ROWS_NEON 0
#endif

/* rows_rounds.h needs an instruction that packs the kept lanes. */
#if ROWS_BYTES > 16
#define ROWS_ROUND(SUFFIX) round_##SUFFIX
#else
#define ROWS_ROUND(SUFFIX) NULL
#endif

#define ROWS_INLINE static inline __attribute__((always_inline, unused))
#define ROWS_STATIC static __attribute__((unused))
#if defined(__clang__)
#define ROWS_UNROLL _Pragma("clang loop unroll(full)")
#define ROWS_SHUFFLE(a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)
#else
#define ROWS_UNROLL _Pragma("GCC unroll 32")
#define ROWS_SHUFFLE(a, b, ...) __builtin_shuffle(a, b, (VEC){__VA_ARGS__})
#endif

typedef int16_t vec_i16 __attribute__((vector_size(ROWS_BYTES)));
typedef int32_t vec_i32 __attribute__((vector_size(ROWS_BYTES)));
typedef int64_t vec_i64 __attribute__((vector_size(ROWS_BYTES)));
typedef uint16_t sum_i16 __attribute__((vector_size(ROWS_BYTES)));
typedef uint32_t sum_i32 __attribute__((vector_size(ROWS_BYTES)));
typedef uint64_t sum_i64 __attribute__((vector_size(ROWS_BYTES)));

/* Lanes of two vectors a (0, 1, ...) and b (LANES, LANES + 1, ...), by the number of lanes.
   ZIP_LOW and ZIP_HIGH: the two halves of a0 b0 a1 b1 ...
   UP: the last lane of b, then a without its last.  DOWN: a without its first lane, then the first of b. */
#define ROWS_ZIP_LOW_2 0, 2
#define ROWS_ZIP_LOW_4 0, 4, 1, 5
#define ROWS_ZIP_LOW_8 0, 8, 1, 9, 2, 10, 3, 11
#define ROWS_ZIP_LOW_16 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23
#define ROWS_ZIP_LOW_32 ROWS_ZIP_LOW_32_FIRST, 8, 40, 9, 41, 10, 42, 11, 43, 12, 44, 13, 45, 14, 46, 15, 47
#define ROWS_ZIP_LOW_32_FIRST 0, 32, 1, 33, 2, 34, 3, 35, 4, 36, 5, 37, 6, 38, 7, 39
#define ROWS_ZIP_HIGH_2 1, 3
#define ROWS_ZIP_HIGH_4 2, 6, 3, 7
#define ROWS_ZIP_HIGH_8 4, 12, 5, 13, 6, 14, 7, 15
#define ROWS_ZIP_HIGH_16 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31
#define ROWS_ZIP_HIGH_32 ROWS_ZIP_HIGH_32_FIRST, 24, 56, 25, 57, 26, 58, 27, 59, 28, 60, 29, 61, 30, 62, 31, 63
#define ROWS_ZIP_HIGH_32_FIRST 16, 48, 17, 49, 18, 50, 19, 51, 20, 52, 21, 53, 22, 54, 23, 55
#define ROWS_UP_2 3, 0
#define ROWS_UP_4 7, 0, 1, 2
#define ROWS_UP_8 15, 0, 1, 2, 3, 4, 5, 6
#define ROWS_UP_16 31, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14
#define ROWS_UP_32 63, ROWS_1_TO_14_AFTER_0, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30
#define ROWS_1_TO_14_AFTER_0 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14
#define ROWS_DOWN_2 1, 2
#define ROWS_DOWN_4 1, 2, 3, 4
#define ROWS_DOWN_8 1, 2, 3, 4, 5, 6, 7, 8
#define ROWS_DOWN_16 ROWS_DOWN_8, 9, 10, 11, 12, 13, 14, 15, 16
#define ROWS_DOWN_32 ROWS_DOWN_16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32

#if ROWS_BYTES == 64
#include "rows_avx512.h"
#elif ROWS_BYTES == 32
#include "rows_avx2.h"
#elif ROWS_NEON
#include "rows_neon.h"
#endif

#endif
