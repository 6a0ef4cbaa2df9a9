/* Vectors for the kernels of rows: the four element types at the widest width of this CPU level.

   Widths: 64 bytes (AVX-512), 32 (AVX2), 16 (NEON, or GCC's and clang's own vectors on any processor, which
   GAMECORE_PORTABLE chooses everywhere).  Here are the types and what one width alone can say; rows_lanes.h has the
   operations of all types and widths. */
#ifndef GAMECORE_ROWS_VEC_H
#define GAMECORE_ROWS_VEC_H

#include <stdint.h>
#include <string.h>

#if !defined(__GNUC__) && !defined(__clang__)
#error "the kernels of rows need GCC or clang: they are written in their vector types"
#endif

#if defined(__AVX512BW__) && defined(__AVX512DQ__) && !defined(GAMECORE_PORTABLE)
#define ROWS_BYTES 64
#elif defined(__AVX2__) && !defined(GAMECORE_PORTABLE)
#define ROWS_BYTES 32
#else
#define ROWS_BYTES 16
#endif
#if defined(__aarch64__) && defined(__ARM_NEON) && !defined(GAMECORE_PORTABLE)
#define ROWS_NEON 1
#else
#define ROWS_NEON 0
#endif

#define ROWS_INLINE static inline __attribute__((always_inline, unused))
#define ROWS_STATIC static __attribute__((unused))
#if defined(__clang__)
#define ROWS_UNROLL _Pragma("clang loop unroll(full)")
#else
#define ROWS_UNROLL _Pragma("GCC unroll 32")
#endif

/* Lanes of integers are unsigned, so that sums wrap: lanes past the end of a row hold numbers that mean nothing. A
   vector may stand wherever an element may. */
typedef uint16_t vec_i16 __attribute__((vector_size(ROWS_BYTES), aligned(2), may_alias));
typedef uint32_t vec_i32 __attribute__((vector_size(ROWS_BYTES), aligned(4), may_alias));
typedef uint64_t vec_i64 __attribute__((vector_size(ROWS_BYTES), aligned(8), may_alias));
typedef double vec_f64 __attribute__((vector_size(ROWS_BYTES), aligned(8), may_alias));

/* What lanes are compared as. */
typedef int16_t signed_i16 __attribute__((vector_size(ROWS_BYTES)));
typedef int32_t signed_i32 __attribute__((vector_size(ROWS_BYTES)));
typedef int64_t signed_i64 __attribute__((vector_size(ROWS_BYTES)));
typedef vec_f64 signed_f64;

/* What comparisons give, and the numbers of lanes in a shuffle. */
typedef signed_i16 places_i16;
typedef signed_i32 places_i32;
typedef signed_i64 places_i64;
typedef signed_i64 places_f64;

#if ROWS_BYTES == 64
#include "rows_avx512.h"
#elif ROWS_BYTES == 32
#include "rows_avx2.h"
#elif ROWS_NEON
#include "rows_neon.h"
#endif

#endif
