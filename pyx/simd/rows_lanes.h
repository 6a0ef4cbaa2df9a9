/* The operations on vectors of one element type; included by rows_element.h, which defines T, F, VEC and LANES. */

ROWS_INLINE VEC F(load)(const T *p)
{
    VEC v;
    memcpy(&v, p, sizeof v);
    return v;
}

ROWS_INLINE void F(store)(T *p, VEC v) { memcpy(p, &v, sizeof v); }
ROWS_INLINE VEC F(all)(T x) { return (VEC){0} + x; }

/* Sums wrap: lanes past the end of a row hold arbitrary numbers. */
ROWS_INLINE VEC F(add)(VEC a, VEC b) { return (VEC)((F(sum))a + (F(sum))b); }
ROWS_INLINE VEC F(sub)(VEC a, VEC b) { return (VEC)((F(sum))a - (F(sum))b); }

/* The two halves of a0 b0 a1 b1 ...; the last lane of b, then a without its last; a without its first lane, then the
   first of b. */
ROWS_INLINE VEC F(zip_low)(VEC a, VEC b) { return ROWS_SHUFFLE(a, b, LIST(ROWS_ZIP)(0, LANES)); }
ROWS_INLINE VEC F(zip_high)(VEC a, VEC b) { return ROWS_SHUFFLE(a, b, LIST(ROWS_ZIP)(LANES / 2, LANES)); }
ROWS_INLINE VEC F(move_up)(VEC a, VEC b) { return ROWS_SHUFFLE(b, a, LIST(ROWS_RUN)(LANES - 1)); }
ROWS_INLINE VEC F(move_down)(VEC a, VEC b) { return ROWS_SHUFFLE(a, b, LIST(ROWS_RUN)(1)); }

#if ROWS_BYTES == 16
/* Portable: a comparison of vectors gives lanes of all ones or zeros. */
ROWS_INLINE VEC F(if_greater)(VEC x, VEC y, VEC a, VEC b)
{
    VEC greater = (VEC)(x > y);
    return (greater & a) | (~greater & b);
}
#if !ROWS_NEON || LANES < 4
ROWS_INLINE VEC F(max)(VEC a, VEC b) { return F(if_greater)(a, b, a, b); }
ROWS_INLINE VEC F(min)(VEC a, VEC b) { return F(if_greater)(a, b, b, a); }
#endif
#endif

/* Transpose LANES vectors: lane k of vector l becomes lane l of vector k, by log2(LANES) rounds of zips. */
ROWS_INLINE void F(transpose)(VEC *r)
{
    VEC t[LANES];
    int half, l;
    ROWS_UNROLL
    for (half = 1; half < LANES; half *= 2) {
        ROWS_UNROLL
        for (l = 0; l < LANES / 2; l++) {
            t[2 * l] = F(zip_low)(r[l], r[l + LANES / 2]);
            t[2 * l + 1] = F(zip_high)(r[l], r[l + LANES / 2]);
        }
        ROWS_UNROLL
        for (l = 0; l < LANES; l++)
            r[l] = t[l];
    }
}
