/* AVX-512: operations on vectors of 64 bytes.  Each has its portable twin in rows_lanes.h, at the baseline level.

   max, min            lane by lane
   if_greater          lane by lane  x > y ? a : b
   peaks, squeeze      for the rounds of rows_rounds.h: see there */
#ifndef GAMECORE_ROWS_AVX512_H
#define GAMECORE_ROWS_AVX512_H

#include <immintrin.h>

#define ROWS_INTEGERS(VEC, SUFFIX, BITS)                                                                               \
    ROWS_INLINE VEC max_##SUFFIX(VEC a, VEC b) { return (VEC)_mm512_max_epi##BITS((__m512i)a, (__m512i)b); }           \
    ROWS_INLINE VEC min_##SUFFIX(VEC a, VEC b) { return (VEC)_mm512_min_epi##BITS((__m512i)a, (__m512i)b); }           \
    ROWS_INLINE VEC if_greater_##SUFFIX(VEC x, VEC y, VEC a, VEC b)                                                    \
    {                                                                                                                  \
        return (VEC)_mm512_mask_mov_epi##BITS((__m512i)b, _mm512_cmpgt_epi##BITS##_mask((__m512i)x, (__m512i)y),       \
                                              (__m512i)a);                                                             \
    }

ROWS_INTEGERS(vec_i16, i16, 16)
ROWS_INTEGERS(vec_i32, i32, 32)
ROWS_INTEGERS(vec_i64, i64, 64)

#define ROWS_ROUNDS(VEC, T, SUFFIX, BITS, LANE_MASK)                                                                   \
    ROWS_INLINE uint64_t peaks_##SUFFIX(VEC a, VEC b, VEC c)                                                           \
    {                                                                                                                  \
        return _mm512_cmple_epi##BITS##_mask((__m512i)a, (__m512i)b) &                                                 \
               _mm512_cmpgt_epi##BITS##_mask((__m512i)b, (__m512i)c);                                                  \
    }                                                                                                                  \
    ROWS_INLINE void squeeze_##SUFFIX(T *to, VEC b, VEC folded, uint32_t peak, uint32_t keep)                          \
    {                                                                                                                  \
        __m512i v = _mm512_mask_mov_epi##BITS((__m512i)b, (LANE_MASK)peak, (__m512i)folded);                           \
        _mm512_storeu_si512(to, _mm512_maskz_compress_epi##BITS((LANE_MASK)keep, v));                                  \
    }

ROWS_ROUNDS(vec_i32, int32_t, i32, 32, __mmask16)
ROWS_ROUNDS(vec_i64, int64_t, i64, 64, __mmask8)

#endif
