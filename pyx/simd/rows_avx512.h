/* AVX-512: operations on vectors of 64 bytes.  Each has its portable twin in rows_lanes.h, at the baseline level.

   max, min            lane by lane
   if_greater          lane by lane  x > y ? a : b
   peaks, squeeze      for the rounds of rows_rounds.h: see there */
#ifndef GAMECORE_ROWS_AVX512_H
#define GAMECORE_ROWS_AVX512_H

#include <immintrin.h>

ROWS_INLINE vec_i16 max_i16(vec_i16 a, vec_i16 b) { return (vec_i16)_mm512_max_epi16((__m512i)a, (__m512i)b); }
ROWS_INLINE vec_i16 min_i16(vec_i16 a, vec_i16 b) { return (vec_i16)_mm512_min_epi16((__m512i)a, (__m512i)b); }
ROWS_INLINE vec_i16 if_greater_i16(vec_i16 x, vec_i16 y, vec_i16 a, vec_i16 b)
{
    return (vec_i16)_mm512_mask_mov_epi16((__m512i)b, _mm512_cmpgt_epi16_mask((__m512i)x, (__m512i)y), (__m512i)a);
}

ROWS_INLINE vec_i32 max_i32(vec_i32 a, vec_i32 b) { return (vec_i32)_mm512_max_epi32((__m512i)a, (__m512i)b); }
ROWS_INLINE vec_i32 min_i32(vec_i32 a, vec_i32 b) { return (vec_i32)_mm512_min_epi32((__m512i)a, (__m512i)b); }
ROWS_INLINE vec_i32 if_greater_i32(vec_i32 x, vec_i32 y, vec_i32 a, vec_i32 b)
{
    return (vec_i32)_mm512_mask_mov_epi32((__m512i)b, _mm512_cmpgt_epi32_mask((__m512i)x, (__m512i)y), (__m512i)a);
}

ROWS_INLINE vec_i64 max_i64(vec_i64 a, vec_i64 b) { return (vec_i64)_mm512_max_epi64((__m512i)a, (__m512i)b); }
ROWS_INLINE vec_i64 min_i64(vec_i64 a, vec_i64 b) { return (vec_i64)_mm512_min_epi64((__m512i)a, (__m512i)b); }
ROWS_INLINE vec_i64 if_greater_i64(vec_i64 x, vec_i64 y, vec_i64 a, vec_i64 b)
{
    return (vec_i64)_mm512_mask_mov_epi64((__m512i)b, _mm512_cmpgt_epi64_mask((__m512i)x, (__m512i)y), (__m512i)a);
}

ROWS_INLINE vec_f64 max_f64(vec_f64 a, vec_f64 b) { return (vec_f64)_mm512_max_pd((__m512d)a, (__m512d)b); }
ROWS_INLINE vec_f64 min_f64(vec_f64 a, vec_f64 b) { return (vec_f64)_mm512_min_pd((__m512d)a, (__m512d)b); }
ROWS_INLINE vec_f64 if_greater_f64(vec_f64 x, vec_f64 y, vec_f64 a, vec_f64 b)
{
    return (vec_f64)_mm512_mask_mov_pd((__m512d)b, _mm512_cmp_pd_mask((__m512d)x, (__m512d)y, _CMP_GT_OQ), (__m512d)a);
}

ROWS_INLINE uint64_t peaks_i32(vec_i32 a, vec_i32 b, vec_i32 c)
{
    return _mm512_cmple_epi32_mask((__m512i)a, (__m512i)b) & _mm512_cmpgt_epi32_mask((__m512i)b, (__m512i)c);
}
ROWS_INLINE void squeeze_i32(int32_t *to, vec_i32 b, vec_i32 folded, uint32_t peak, uint32_t keep)
{
    __m512i v = _mm512_mask_mov_epi32((__m512i)b, (__mmask16)peak, (__m512i)folded);
    _mm512_storeu_si512(to, _mm512_maskz_compress_epi32((__mmask16)keep, v));
}

ROWS_INLINE uint64_t peaks_i64(vec_i64 a, vec_i64 b, vec_i64 c)
{
    return _mm512_cmple_epi64_mask((__m512i)a, (__m512i)b) & _mm512_cmpgt_epi64_mask((__m512i)b, (__m512i)c);
}
ROWS_INLINE void squeeze_i64(int64_t *to, vec_i64 b, vec_i64 folded, uint32_t peak, uint32_t keep)
{
    __m512i v = _mm512_mask_mov_epi64((__m512i)b, (__mmask8)peak, (__m512i)folded);
    _mm512_storeu_si512(to, _mm512_maskz_compress_epi64((__mmask8)keep, v));
}

#endif
