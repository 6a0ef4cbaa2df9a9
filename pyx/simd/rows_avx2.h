/* AVX2: operations on vectors of 32 bytes.  Each has its portable twin in rows_lanes.h, at the baseline level.

   max, min            lane by lane
   if_greater          lane by lane  x > y ? a : b
   peaks, squeeze      for the rounds of rows_rounds.h: see there */
#ifndef GAMECORE_ROWS_AVX2_H
#define GAMECORE_ROWS_AVX2_H

#include <immintrin.h>

#define ROWS_IF_GREATER(VEC, SUFFIX, BITS)                                                                             \
    ROWS_INLINE VEC if_greater_##SUFFIX(VEC x, VEC y, VEC a, VEC b)                                                    \
    {                                                                                                                  \
        return (VEC)_mm256_blendv_epi8((__m256i)b, (__m256i)a, _mm256_cmpgt_epi##BITS((__m256i)x, (__m256i)y));        \
    }
#define ROWS_INTEGERS(VEC, SUFFIX, BITS)                                                                               \
    ROWS_INLINE VEC max_##SUFFIX(VEC a, VEC b) { return (VEC)_mm256_max_epi##BITS((__m256i)a, (__m256i)b); }           \
    ROWS_INLINE VEC min_##SUFFIX(VEC a, VEC b) { return (VEC)_mm256_min_epi##BITS((__m256i)a, (__m256i)b); }           \
    ROWS_IF_GREATER(VEC, SUFFIX, BITS)

ROWS_INTEGERS(vec_i16, i16, 16)
ROWS_INTEGERS(vec_i32, i32, 32)
ROWS_IF_GREATER(vec_i64, i64, 64)
ROWS_INLINE vec_i64 max_i64(vec_i64 a, vec_i64 b) { return if_greater_i64(a, b, a, b); }
ROWS_INLINE vec_i64 min_i64(vec_i64 a, vec_i64 b) { return if_greater_i64(a, b, b, a); }

/* The lanes that stay are packed by halves of 64 bits: LANE has a bit for each half of lane 0, and EACH one for the
   first half of every lane; the numbers of the halves that stay, one after another, are the bytes of `order`. */
#define ROWS_ROUNDS(VEC, T, SUFFIX, SIGNS, LANE, EACH, ...)                                                            \
    ROWS_INLINE uint64_t peaks_##SUFFIX(VEC a, VEC b, VEC c)                                                           \
    {                                                                                                                  \
        return (uint64_t)(uint32_t)SIGNS(_mm256_andnot_si256((__m256i)(a > b), (__m256i)(b > c)));                     \
    }                                                                                                                  \
    ROWS_INLINE void squeeze_##SUFFIX(T *to, VEC b, VEC folded, uint32_t peak, uint32_t keep)                          \
    {                                                                                                                  \
        const VEC bit = {__VA_ARGS__};                                                                                 \
        VEC chosen = (((VEC){0} + (T)peak) & bit) == bit;                                                              \
        __m256i v = _mm256_blendv_epi8((__m256i)b, (__m256i)folded, (__m256i)chosen);                                  \
        uint64_t order = _pext_u64(0x0706050403020100ULL, _pdep_u64(keep, EACH) * (LANE));                             \
        __m256i at = _mm256_cvtepu8_epi32(_mm_cvtsi64_si128((long long)order));                                        \
        _mm256_storeu_si256((__m256i *)to, _mm256_permutevar8x32_epi32(v, at));                                        \
    }
#define ROWS_SIGNS_32(v) _mm256_movemask_ps(_mm256_castsi256_ps((__m256i)(v)))
#define ROWS_SIGNS_64(v) _mm256_movemask_pd(_mm256_castsi256_pd((__m256i)(v)))

ROWS_ROUNDS(vec_i32, int32_t, i32, ROWS_SIGNS_32, 0xff, 0x0101010101010101ULL, 1, 2, 4, 8, 16, 32, 64, 128)
ROWS_ROUNDS(vec_i64, int64_t, i64, ROWS_SIGNS_64, 0xffff, 0x0001000100010001ULL, 1, 2, 4, 8)

#endif
