/* NEON: what aarch64 has as one instruction and the compilers' own vectors lack; rows_lanes.h has the portable twins.
 */
#ifndef GAMECORE_ROWS_NEON_H
#define GAMECORE_ROWS_NEON_H

#include <arm_neon.h>

ROWS_INLINE vec_i16 max_i16(vec_i16 a, vec_i16 b) { return (vec_i16)vmaxq_s16((int16x8_t)a, (int16x8_t)b); }
ROWS_INLINE vec_i16 min_i16(vec_i16 a, vec_i16 b) { return (vec_i16)vminq_s16((int16x8_t)a, (int16x8_t)b); }
ROWS_INLINE vec_i32 max_i32(vec_i32 a, vec_i32 b) { return (vec_i32)vmaxq_s32((int32x4_t)a, (int32x4_t)b); }
ROWS_INLINE vec_i32 min_i32(vec_i32 a, vec_i32 b) { return (vec_i32)vminq_s32((int32x4_t)a, (int32x4_t)b); }

#endif
