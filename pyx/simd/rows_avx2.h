/* AVX2: operations on vectors of 32 bytes.  Each has its portable twin in rows_lanes.h, at the baseline level.

   max, min            lane by lane
   if_greater          lane by lane  x > y ? a : b
   peaks, squeeze      for the rounds of rows_rounds.h: see there */
#ifndef GAMECORE_ROWS_AVX2_H
#define GAMECORE_ROWS_AVX2_H

#include <immintrin.h>

#define ROWS_INTEGERS(VEC, SUFFIX, BITS)                                                                               \
    ROWS_INLINE VEC max_##SUFFIX(VEC a, VEC b) { return (VEC)_mm256_max_epi##BITS((__m256i)a, (__m256i)b); }           \
    ROWS_INLINE VEC min_##SUFFIX(VEC a, VEC b) { return (VEC)_mm256_min_epi##BITS((__m256i)a, (__m256i)b); }           \
    ROWS_IF_GREATER(VEC, SUFFIX, BITS)
#define ROWS_IF_GREATER(VEC, SUFFIX, BITS)                                                                             \
    ROWS_INLINE VEC if_greater_##SUFFIX(VEC x, VEC y, VEC a, VEC b)                                                    \
    {                                                                                                                  \
        return (VEC)_mm256_blendv_epi8((__m256i)b, (__m256i)a, _mm256_cmpgt_epi##BITS((__m256i)x, (__m256i)y));        \
    }

ROWS_INTEGERS(vec_i16, i16, 16)
ROWS_INTEGERS(vec_i32, i32, 32)
ROWS_IF_GREATER(vec_i64, i64, 64)
ROWS_INLINE vec_i64 max_i64(vec_i64 a, vec_i64 b) { return if_greater_i64(a, b, a, b); }
ROWS_INLINE vec_i64 min_i64(vec_i64 a, vec_i64 b) { return if_greater_i64(a, b, b, a); }

ROWS_INLINE vec_f64 max_f64(vec_f64 a, vec_f64 b) { return (vec_f64)_mm256_max_pd((__m256d)a, (__m256d)b); }
ROWS_INLINE vec_f64 min_f64(vec_f64 a, vec_f64 b) { return (vec_f64)_mm256_min_pd((__m256d)a, (__m256d)b); }
ROWS_INLINE vec_f64 if_greater_f64(vec_f64 x, vec_f64 y, vec_f64 a, vec_f64 b)
{
    return (vec_f64)_mm256_blendv_pd((__m256d)b, (__m256d)a, _mm256_cmp_pd((__m256d)x, (__m256d)y, _CMP_GT_OQ));
}

ROWS_INLINE uint64_t peaks_i32(vec_i32 a, vec_i32 b, vec_i32 c)
{
    __m256i fall = _mm256_cmpgt_epi32((__m256i)b, (__m256i)c);
    __m256i peak = _mm256_andnot_si256(_mm256_cmpgt_epi32((__m256i)a, (__m256i)b), fall);
    return (uint64_t)(uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(peak));
}
ROWS_INLINE void squeeze_i32(int32_t *to, vec_i32 b, vec_i32 folded, uint32_t peak, uint32_t keep)
{
    const __m256i bit = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
    __m256i chosen = _mm256_cmpeq_epi32(_mm256_and_si256(_mm256_set1_epi32((int)peak), bit), bit);
    __m256i v = _mm256_blendv_epi8((__m256i)b, (__m256i)folded, chosen);
    /* The numbers of the lanes that stay, one after another, as bytes. */
    uint64_t bytes = _pdep_u64(keep, 0x0101010101010101ULL) * 0xff;
    __m256i order = _mm256_cvtepu8_epi32(_mm_cvtsi64_si128((long long)_pext_u64(0x0706050403020100ULL, bytes)));
    _mm256_storeu_si256((__m256i *)to, _mm256_permutevar8x32_epi32(v, order));
}

#endif
