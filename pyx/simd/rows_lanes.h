/* The operations on vectors of one element type that no width has instructions of its own for; included by
   rows_template.h, which says what the names in capitals are.

   Shuffles of two vectors a (lanes 0, 1, ...) and b (lanes LANES, LANES + 1, ...):
       ZIP_LOW, ZIP_HIGH   the two halves of a0 b0 a1 b1 ...
       UP                  the last lane of b, then a without its last
       DOWN                a without its first lane, then the first of b */
#if LANES == 2
#define ZIP_LOW 0, 2
#define ZIP_HIGH 1, 3
#define UP 3, 0
#define DOWN 1, 2
#elif LANES == 4
#define ZIP_LOW 0, 4, 1, 5
#define ZIP_HIGH 2, 6, 3, 7
#define UP 7, 0, 1, 2
#define DOWN 1, 2, 3, 4
#elif LANES == 8
#define ZIP_LOW 0, 8, 1, 9, 2, 10, 3, 11
#define ZIP_HIGH 4, 12, 5, 13, 6, 14, 7, 15
#define UP 15, 0, 1, 2, 3, 4, 5, 6
#define DOWN 1, 2, 3, 4, 5, 6, 7, 8
#elif LANES == 16
#define ZIP_LOW 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23
#define ZIP_HIGH 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31
#define UP 31, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14
#define DOWN 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16
#else
#define ZIP_LOW                                                                                                        \
    0, 32, 1, 33, 2, 34, 3, 35, 4, 36, 5, 37, 6, 38, 7, 39, 8, 40, 9, 41, 10, 42, 11, 43, 12, 44, 13, 45, 14, 46, 15, 47
#define ZIP_HIGH                                                                                                       \
    16, 48, 17, 49, 18, 50, 19, 51, 20, 52, 21, 53, 22, 54, 23, 55, 24, 56, 25, 57, 26, 58, 27, 59, 28, 60, 29, 61,    \
        30, 62, 31, 63
#define UP                                                                                                             \
    63, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30
#define DOWN                                                                                                           \
    1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, \
        32
#endif

#if defined(__clang__)
ROWS_INLINE VEC vec_zip_low(VEC a, VEC b) { return __builtin_shufflevector(a, b, ZIP_LOW); }
ROWS_INLINE VEC vec_zip_high(VEC a, VEC b) { return __builtin_shufflevector(a, b, ZIP_HIGH); }
ROWS_INLINE VEC vec_up(VEC a, VEC b) { return __builtin_shufflevector(a, b, UP); }
ROWS_INLINE VEC vec_down(VEC a, VEC b) { return __builtin_shufflevector(a, b, DOWN); }
#else
ROWS_INLINE VEC vec_zip_low(VEC a, VEC b) { return __builtin_shuffle(a, b, (PLACES){ZIP_LOW}); }
ROWS_INLINE VEC vec_zip_high(VEC a, VEC b) { return __builtin_shuffle(a, b, (PLACES){ZIP_HIGH}); }
ROWS_INLINE VEC vec_up(VEC a, VEC b) { return __builtin_shuffle(a, b, (PLACES){UP}); }
ROWS_INLINE VEC vec_down(VEC a, VEC b) { return __builtin_shuffle(a, b, (PLACES){DOWN}); }
#endif

#undef ZIP_LOW
#undef ZIP_HIGH
#undef UP
#undef DOWN

#if !ROWS_NEON
/* x > y ? a : b. A comparison gives lanes of all ones or zeros; compilers make a blend of this. */
ROWS_INLINE VEC vec_if_greater(VEC x, VEC y, VEC a, VEC b)
{
    PLACES greater = (PLACES)((SIGNED)x > (SIGNED)y);
    return (VEC)((greater & (PLACES)a) | (~greater & (PLACES)b));
}
#endif

#if ROWS_BYTES == 16 && !ROWS_NEON
ROWS_INLINE VEC vec_max(VEC a, VEC b) { return vec_if_greater(a, b, a, b); }
ROWS_INLINE VEC vec_min(VEC a, VEC b) { return vec_if_greater(a, b, b, a); }
#endif

ROWS_INLINE VEC vec_at(const T *p) { return *(const VEC *)p; }
ROWS_INLINE VEC vec_all(T x) { return (VEC)(x - (SIGNED){0}); }

/* Transpose LANES vectors: lane k of vector l becomes lane l of vector k, by log2(LANES) rounds of zips. */
ROWS_INLINE void vec_transpose(VEC *r)
{
    VEC t[LANES];
    int half, l;
    ROWS_UNROLL
    for (half = 1; half < LANES; half *= 2) {
        ROWS_UNROLL
        for (l = 0; l < LANES / 2; l++) {
            t[2 * l] = vec_zip_low(r[l], r[l + LANES / 2]);
            t[2 * l + 1] = vec_zip_high(r[l], r[l + LANES / 2]);
        }
        ROWS_UNROLL
        for (l = 0; l < LANES; l++)
            r[l] = t[l];
    }
}
