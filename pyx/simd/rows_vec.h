/* Vectors for the kernels of rows: the four element types at the widest width this level has.

   Per type SUF in i16, i32, i64, f64:  vec_SUF, LANES_SUF, and  ld st add max min selgt lo hi  with that suffix.
     selgt(x, y, a, b)   lane by lane  x > y ? a : b
     lo(a, b), hi(a, b)  the two halves of a0 b0 a1 b1 ..., the perfect shuffle (log2(LANES) of them transpose)
   Widths: 64 bytes (AVX-512), 32 (AVX2), 16 (GCC and clang elsewhere), one element (other compilers).
   Integer additions wrap: lanes beyond the row's end hold numbers that mean nothing and may overflow. */
#ifndef GAMECORE_ROWS_VEC_H
#define GAMECORE_ROWS_VEC_H

#include <stdint.h>
#include <string.h>

#if defined(__GNUC__) || defined(__clang__)
#define ROWS_INLINE static inline __attribute__((always_inline, unused))
#define ROWS_STATIC static __attribute__((unused))
#define gc_prefetch_write(p) __builtin_prefetch(p, 1)
#if defined(__AVX512BW__) && defined(__AVX512DQ__)
#define ROWS_BYTES 64
#elif defined(__AVX2__)
#define ROWS_BYTES 32
#else
#define ROWS_BYTES 16
#endif
#if ROWS_BYTES > 16
#include <immintrin.h>
#endif
#else
#define ROWS_INLINE static __inline
#define ROWS_STATIC static
#define gc_prefetch_write(p) ((void)(p))
#define ROWS_BYTES 0 /* no vectors: one lane */
#endif

#if ROWS_BYTES
#if defined(__clang__)
#define ROWS_UNROLL _Pragma("clang loop unroll(full)")
#else
#define ROWS_UNROLL _Pragma("GCC unroll 32")
#endif

/* The two perfect shuffles by the number of lanes, as lists for __builtin_shufflevector. */
#define LO_2 0, 2
#define HI_2 1, 3
#define LO_4 0, 4, 1, 5
#define HI_4 2, 6, 3, 7
#define LO_8 0, 8, 1, 9, 2, 10, 3, 11
#define HI_8 4, 12, 5, 13, 6, 14, 7, 15
#define LO_16 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23
#define HI_16 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31
#define LO_32 0, 32, 1, 33, 2, 34, 3, 35, 4, 36, 5, 37, 6, 38, 7, 39, 8, 40, 9, 41, 10, 42, 11, 43, 12, 44, 13, 45, 14, 46, 15, 47
#define HI_32 16, 48, 17, 49, 18, 50, 19, 51, 20, 52, 21, 53, 22, 54, 23, 55, 24, 56, 25, 57, 26, 58, 27, 59, 28, 60, 29, 61, 30, 62, 31, 63

/* b_last a0 a1 ... : a moved up one lane, the last lane of b entering below */
#define UP_2 3, 0
#define UP_4 7, 0, 1, 2
#define UP_8 15, 0, 1, 2, 3, 4, 5, 6
#define UP_16 31, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14
#define UP_32 63, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30

/* a1 a2 ... b0: a moved down one lane, the first lane of b entering above */
#define DOWN_2 1, 2
#define DOWN_4 1, 2, 3, 4
#define DOWN_8 1, 2, 3, 4, 5, 6, 7, 8
#define DOWN_16 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16
#define DOWN_32 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32

#if defined(__clang__)
#define ROWS_SHUFFLE(IV, a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)
#else
#define ROWS_SHUFFLE(IV, a, b, ...) __builtin_shuffle(a, b, (IV){__VA_ARGS__})
#endif
#define ROWS_CAT2(a, b) a##b
#define ROWS_CAT(a, b) ROWS_CAT2(a, b)

/* ELEM: element; IELEM, UELEM: signed and unsigned integers of its width; AELEM: what additions are made in */
#define ROWS_TYPE(SUF, ELEM, IELEM, AELEM, LANES)                                                                 \
    typedef ELEM vec_##SUF __attribute__((vector_size(ROWS_BYTES)));                                               \
    typedef IELEM ivec_##SUF __attribute__((vector_size(ROWS_BYTES)));                                             \
    typedef AELEM avec_##SUF __attribute__((vector_size(ROWS_BYTES)));                                             \
    enum { LANES_##SUF = LANES };                                                                                  \
    ROWS_INLINE vec_##SUF ld_##SUF(const ELEM *p) { vec_##SUF v; memcpy(&v, p, ROWS_BYTES); return v; }            \
    ROWS_INLINE void st_##SUF(ELEM *p, vec_##SUF v) { memcpy(p, &v, ROWS_BYTES); }                                 \
    ROWS_INLINE vec_##SUF all_##SUF(ELEM x) { vec_##SUF v = {0}; return (vec_##SUF)((avec_##SUF)v + (AELEM)x); }   \
    ROWS_INLINE vec_##SUF add_##SUF(vec_##SUF a, vec_##SUF b) { return (vec_##SUF)((avec_##SUF)a + (avec_##SUF)b); } \
    ROWS_INLINE vec_##SUF sub_##SUF(vec_##SUF a, vec_##SUF b) { return (vec_##SUF)((avec_##SUF)a - (avec_##SUF)b); } \
    ROWS_INLINE vec_##SUF lo_##SUF(vec_##SUF a, vec_##SUF b) { return ROWS_SHUFFLE(ivec_##SUF, a, b, ROWS_CAT(LO_, LANES)); } \
    ROWS_INLINE vec_##SUF hi_##SUF(vec_##SUF a, vec_##SUF b) { return ROWS_SHUFFLE(ivec_##SUF, a, b, ROWS_CAT(HI_, LANES)); } \
    ROWS_INLINE vec_##SUF down_##SUF(vec_##SUF a, vec_##SUF b) { return ROWS_SHUFFLE(ivec_##SUF, a, b, ROWS_CAT(DOWN_, LANES)); } \
    ROWS_INLINE vec_##SUF up_##SUF(vec_##SUF a, vec_##SUF b) { return ROWS_SHUFFLE(ivec_##SUF, a, b, ROWS_CAT(UP_, LANES)); } \
    ROWS_INLINE vec_##SUF pick_##SUF(ivec_##SUF m, vec_##SUF a, vec_##SUF b)                                       \
    { return (vec_##SUF)((m & (ivec_##SUF)a) | (~m & (ivec_##SUF)b)); }

#if ROWS_BYTES == 64
ROWS_TYPE(i16, int16_t, int16_t, uint16_t, 32)
ROWS_TYPE(i32, int32_t, int32_t, uint32_t, 16)
ROWS_TYPE(i64, int64_t, int64_t, uint64_t, 8)
ROWS_TYPE(f64, double, int64_t, double, 8)
#elif ROWS_BYTES == 32
ROWS_TYPE(i16, int16_t, int16_t, uint16_t, 16)
ROWS_TYPE(i32, int32_t, int32_t, uint32_t, 8)
ROWS_TYPE(i64, int64_t, int64_t, uint64_t, 4)
ROWS_TYPE(f64, double, int64_t, double, 4)
#else
ROWS_TYPE(i16, int16_t, int16_t, uint16_t, 8)
ROWS_TYPE(i32, int32_t, int32_t, uint32_t, 4)
ROWS_TYPE(i64, int64_t, int64_t, uint64_t, 2)
ROWS_TYPE(f64, double, int64_t, double, 2)
#endif

#define ROWS_OP2(NAME, SUF, EXPR) ROWS_INLINE vec_##SUF NAME##_##SUF(vec_##SUF a, vec_##SUF b) { return (vec_##SUF)(EXPR); }
#define ROWS_SEL(SUF, EXPR) \
    ROWS_INLINE vec_##SUF selgt_##SUF(vec_##SUF x, vec_##SUF y, vec_##SUF a, vec_##SUF b) { return (vec_##SUF)(EXPR); }
#define ROWS_PLAIN(SUF)                      \
    ROWS_OP2(max, SUF, pick_##SUF(a > b, a, b)) \
    ROWS_OP2(min, SUF, pick_##SUF(a > b, b, a)) \
    ROWS_SEL(SUF, pick_##SUF(x > y, a, b))

#if ROWS_BYTES == 64
#define Z(v) ((__m512i)(v))
#define ROWS_WIDE(SUF, E)                                \
    ROWS_OP2(max, SUF, _mm512_max_##E(Z(a), Z(b)))       \
    ROWS_OP2(min, SUF, _mm512_min_##E(Z(a), Z(b)))       \
    ROWS_SEL(SUF, _mm512_mask_mov_##E(Z(b), _mm512_cmpgt_##E##_mask(Z(x), Z(y)), Z(a)))
ROWS_WIDE(i16, epi16)
ROWS_WIDE(i32, epi32)
ROWS_WIDE(i64, epi64)
ROWS_OP2(max, f64, _mm512_max_pd((__m512d)a, (__m512d)b))
ROWS_OP2(min, f64, _mm512_min_pd((__m512d)a, (__m512d)b))
ROWS_SEL(f64, _mm512_mask_mov_pd((__m512d)b, _mm512_cmp_pd_mask((__m512d)x, (__m512d)y, _CMP_GT_OQ), (__m512d)a))
#undef Z
#elif ROWS_BYTES == 32
#define Z(v) ((__m256i)(v))
#define ROWS_BLEND(m, a, b) _mm256_blendv_epi8(Z(b), Z(a), m)
ROWS_OP2(max, i16, _mm256_max_epi16(Z(a), Z(b)))
ROWS_OP2(min, i16, _mm256_min_epi16(Z(a), Z(b)))
ROWS_SEL(i16, ROWS_BLEND(_mm256_cmpgt_epi16(Z(x), Z(y)), a, b))
ROWS_OP2(max, i32, _mm256_max_epi32(Z(a), Z(b)))
ROWS_OP2(min, i32, _mm256_min_epi32(Z(a), Z(b)))
ROWS_SEL(i32, ROWS_BLEND(_mm256_cmpgt_epi32(Z(x), Z(y)), a, b))
ROWS_OP2(max, i64, ROWS_BLEND(_mm256_cmpgt_epi64(Z(a), Z(b)), a, b))
ROWS_OP2(min, i64, ROWS_BLEND(_mm256_cmpgt_epi64(Z(a), Z(b)), b, a))
ROWS_SEL(i64, ROWS_BLEND(_mm256_cmpgt_epi64(Z(x), Z(y)), a, b))
ROWS_OP2(max, f64, _mm256_max_pd((__m256d)a, (__m256d)b))
ROWS_OP2(min, f64, _mm256_min_pd((__m256d)a, (__m256d)b))
ROWS_SEL(f64, _mm256_blendv_pd((__m256d)b, (__m256d)a, _mm256_cmp_pd((__m256d)x, (__m256d)y, _CMP_GT_OQ)))
#undef Z
#else
ROWS_PLAIN(i16)
ROWS_PLAIN(i32)
ROWS_PLAIN(i64)
ROWS_PLAIN(f64)
#endif

#else /* one lane */
#define ROWS_UNROLL
#define ROWS_CAT2(a, b) a##b
#define ROWS_CAT(a, b) ROWS_CAT2(a, b)
#define ROWS_SCALAR(SUF, ELEM, AELEM)                                                                      \
    typedef ELEM vec_##SUF;                                                                                \
    enum { LANES_##SUF = 1 };                                                                              \
    ROWS_INLINE ELEM ld_##SUF(const ELEM *p) { return *p; }                                                \
    ROWS_INLINE void st_##SUF(ELEM *p, ELEM v) { *p = v; }                                                 \
    ROWS_INLINE ELEM all_##SUF(ELEM x) { return x; }                                                       \
    ROWS_INLINE ELEM add_##SUF(ELEM a, ELEM b) { return (ELEM)((AELEM)a + (AELEM)b); }                     \
    ROWS_INLINE ELEM sub_##SUF(ELEM a, ELEM b) { return (ELEM)((AELEM)a - (AELEM)b); }                     \
    ROWS_INLINE ELEM lo_##SUF(ELEM a, ELEM b) { (void)b; return a; }                                       \
    ROWS_INLINE ELEM hi_##SUF(ELEM a, ELEM b) { (void)a; return b; }                                       \
    ROWS_INLINE ELEM down_##SUF(ELEM a, ELEM b) { (void)a; return b; }                                     \
    ROWS_INLINE ELEM up_##SUF(ELEM a, ELEM b) { (void)a; return b; }                                       \
    ROWS_INLINE ELEM max_##SUF(ELEM a, ELEM b) { return a > b ? a : b; }                                   \
    ROWS_INLINE ELEM min_##SUF(ELEM a, ELEM b) { return a > b ? b : a; }                                   \
    ROWS_INLINE ELEM selgt_##SUF(ELEM x, ELEM y, ELEM a, ELEM b) { return x > y ? a : b; }
ROWS_SCALAR(i16, int16_t, uint16_t)
ROWS_SCALAR(i32, int32_t, uint32_t)
ROWS_SCALAR(i64, int64_t, uint64_t)
ROWS_SCALAR(f64, double, double)
#endif

#endif
