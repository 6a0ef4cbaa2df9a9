/* NEON: operations that aarch64 has as one instruction and the compilers' own vectors lack.  Each has
   its portable twin in rows_lanes.h.

   max, min            lane by lane; of doubles by a comparison, since NEON's own maximum of 0.0 and -0.0 is another one
   if_greater          lane by lane  x > y ? a : b
   peaks, squeeze      for the rounds of rows_rounds.h: see there */
#ifndef GAMECORE_ROWS_NEON_H
#define GAMECORE_ROWS_NEON_H

#include <arm_neon.h>

ROWS_INLINE vec_i16 max_i16(vec_i16 a, vec_i16 b) { return (vec_i16)vmaxq_s16((int16x8_t)a, (int16x8_t)b); }
ROWS_INLINE vec_i16 min_i16(vec_i16 a, vec_i16 b) { return (vec_i16)vminq_s16((int16x8_t)a, (int16x8_t)b); }
ROWS_INLINE vec_i16 if_greater_i16(vec_i16 x, vec_i16 y, vec_i16 a, vec_i16 b)
{
    return (vec_i16)vbslq_s16(vcgtq_s16((int16x8_t)x, (int16x8_t)y), (int16x8_t)a, (int16x8_t)b);
}

ROWS_INLINE vec_i32 max_i32(vec_i32 a, vec_i32 b) { return (vec_i32)vmaxq_s32((int32x4_t)a, (int32x4_t)b); }
ROWS_INLINE vec_i32 min_i32(vec_i32 a, vec_i32 b) { return (vec_i32)vminq_s32((int32x4_t)a, (int32x4_t)b); }
ROWS_INLINE vec_i32 if_greater_i32(vec_i32 x, vec_i32 y, vec_i32 a, vec_i32 b)
{
    return (vec_i32)vbslq_s32(vcgtq_s32((int32x4_t)x, (int32x4_t)y), (int32x4_t)a, (int32x4_t)b);
}

ROWS_INLINE vec_i64 if_greater_i64(vec_i64 x, vec_i64 y, vec_i64 a, vec_i64 b)
{
    return (vec_i64)vbslq_s64(vcgtq_s64((int64x2_t)x, (int64x2_t)y), (int64x2_t)a, (int64x2_t)b);
}
ROWS_INLINE vec_i64 max_i64(vec_i64 a, vec_i64 b) { return if_greater_i64(a, b, a, b); }
ROWS_INLINE vec_i64 min_i64(vec_i64 a, vec_i64 b) { return if_greater_i64(a, b, b, a); }

ROWS_INLINE vec_f64 if_greater_f64(vec_f64 x, vec_f64 y, vec_f64 a, vec_f64 b)
{
    return (vec_f64)vbslq_f64(vcgtq_f64((float64x2_t)x, (float64x2_t)y), (float64x2_t)a, (float64x2_t)b);
}
ROWS_INLINE vec_f64 max_f64(vec_f64 a, vec_f64 b) { return if_greater_f64(a, b, a, b); }
ROWS_INLINE vec_f64 min_f64(vec_f64 a, vec_f64 b) { return if_greater_f64(a, b, b, a); }

static const uint32_t rows_bit_of_lane[4] = {1, 2, 4, 8};

/* The bytes of the lanes that stay, one lane after another, by which lanes
 * these are; 255 is no byte. */
#define ROWS_LANE(l) 4 * l, 4 * l + 1, 4 * l + 2, 4 * l + 3
#define ROWS_NO_LANE 255, 255, 255, 255
static const uint8_t rows_order_of_lanes[16][16] = {
    {ROWS_NO_LANE, ROWS_NO_LANE, ROWS_NO_LANE, ROWS_NO_LANE}, {ROWS_LANE(0), ROWS_NO_LANE, ROWS_NO_LANE, ROWS_NO_LANE},
    {ROWS_LANE(1), ROWS_NO_LANE, ROWS_NO_LANE, ROWS_NO_LANE}, {ROWS_LANE(0), ROWS_LANE(1), ROWS_NO_LANE, ROWS_NO_LANE},
    {ROWS_LANE(2), ROWS_NO_LANE, ROWS_NO_LANE, ROWS_NO_LANE}, {ROWS_LANE(0), ROWS_LANE(2), ROWS_NO_LANE, ROWS_NO_LANE},
    {ROWS_LANE(1), ROWS_LANE(2), ROWS_NO_LANE, ROWS_NO_LANE}, {ROWS_LANE(0), ROWS_LANE(1), ROWS_LANE(2), ROWS_NO_LANE},
    {ROWS_LANE(3), ROWS_NO_LANE, ROWS_NO_LANE, ROWS_NO_LANE}, {ROWS_LANE(0), ROWS_LANE(3), ROWS_NO_LANE, ROWS_NO_LANE},
    {ROWS_LANE(1), ROWS_LANE(3), ROWS_NO_LANE, ROWS_NO_LANE}, {ROWS_LANE(0), ROWS_LANE(1), ROWS_LANE(3), ROWS_NO_LANE},
    {ROWS_LANE(2), ROWS_LANE(3), ROWS_NO_LANE, ROWS_NO_LANE}, {ROWS_LANE(0), ROWS_LANE(2), ROWS_LANE(3), ROWS_NO_LANE},
    {ROWS_LANE(1), ROWS_LANE(2), ROWS_LANE(3), ROWS_NO_LANE}, {ROWS_LANE(0), ROWS_LANE(1), ROWS_LANE(2), ROWS_LANE(3)},
};

ROWS_INLINE uint64_t peaks_i32(vec_i32 a, vec_i32 b, vec_i32 c)
{
    uint32x4_t rise = vcleq_s32((int32x4_t)a, (int32x4_t)b), fall = vcgtq_s32((int32x4_t)b, (int32x4_t)c);
    return vaddvq_u32(vandq_u32(vandq_u32(rise, fall), vld1q_u32(rows_bit_of_lane)));
}
ROWS_INLINE void squeeze_i32(int32_t *to, vec_i32 b, vec_i32 folded, uint32_t peak, uint32_t keep)
{
    uint32x4_t chosen = vtstq_u32(vdupq_n_u32(peak), vld1q_u32(rows_bit_of_lane));
    int32x4_t v = vbslq_s32(chosen, (int32x4_t)folded, (int32x4_t)b);
    vst1q_u8((uint8_t *)to, vqtbl1q_u8(vreinterpretq_u8_s32(v), vld1q_u8(rows_order_of_lanes[keep])));
}

#endif
