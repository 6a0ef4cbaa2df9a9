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

/* Lanes of two vectors of n lanes, a (0, 1, ...) and b (n, n + 1, ...): ROWS_RUN_n(k) is k, k + 1, ..., and
   ROWS_ZIP_n(k, n) is a[k] b[k] a[k+1] b[k+1] ... */
#define ROWS_RUN_2(k) k, k + 1
#define ROWS_RUN_4(k) ROWS_RUN_2(k), ROWS_RUN_2(k + 2)
#define ROWS_RUN_8(k) ROWS_RUN_4(k), ROWS_RUN_4(k + 4)
#define ROWS_RUN_16(k) ROWS_RUN_8(k), ROWS_RUN_8(k + 8)
#define ROWS_RUN_32(k) ROWS_RUN_16(k), ROWS_RUN_16(k + 16)
#define ROWS_ZIP_2(k, n) k, k + n
#define ROWS_ZIP_4(k, n) ROWS_ZIP_2(k, n), ROWS_ZIP_2(k + 1, n)
#define ROWS_ZIP_8(k, n) ROWS_ZIP_4(k, n), ROWS_ZIP_4(k + 2, n)
#define ROWS_ZIP_16(k, n) ROWS_ZIP_8(k, n), ROWS_ZIP_8(k + 4, n)
#define ROWS_ZIP_32(k, n) ROWS_ZIP_16(k, n), ROWS_ZIP_16(k + 8, n)

#define ROWS_JOIN(a, b) a##_##b
#define ROWS_JOIN_(a, b) ROWS_JOIN(a, b)

#if ROWS_BYTES == 64
#include "rows_avx512.h"
#elif ROWS_BYTES == 32
#include "rows_avx2.h"
#elif ROWS_NEON
#include <arm_neon.h>
/* What aarch64 has as one instruction and the compilers' own vectors lack; rows_lanes.h has the portable twins. */
ROWS_INLINE vec_i16 max_i16(vec_i16 a, vec_i16 b) { return (vec_i16)vmaxq_s16((int16x8_t)a, (int16x8_t)b); }
ROWS_INLINE vec_i16 min_i16(vec_i16 a, vec_i16 b) { return (vec_i16)vminq_s16((int16x8_t)a, (int16x8_t)b); }
ROWS_INLINE vec_i32 max_i32(vec_i32 a, vec_i32 b) { return (vec_i32)vmaxq_s32((int32x4_t)a, (int32x4_t)b); }
ROWS_INLINE vec_i32 min_i32(vec_i32 a, vec_i32 b) { return (vec_i32)vminq_s32((int32x4_t)a, (int32x4_t)b); }
#endif

#endif
