/* The functions of rows for one element type.  rows_templates.h includes this once for each, and
   defines before:

   T          the element: int16_t, int32_t, int64_t or double
   ELEMENT    how names of its functions end: i16, i32, i64 or f64
   LANES      elements in a vector
   IS_WHOLE, HAS_TABLE, HAS_ROUNDS   whether it is an integer; whether rows_table.h and rows_rounds.h are for it

   In the templates every name below has that ending: while ELEMENT is i32, rows_push is rows_push_i32, and VEC, the
   vector, is vec_i32. */
#define ROWS_JOIN(name, element) name##_##element
#define ROWS_NAME(name, element) ROWS_JOIN(name, element)

#define VEC ROWS_NAME(vec, ELEMENT)
#define SIGNED ROWS_NAME(signed, ELEMENT)
#define PLACES ROWS_NAME(places, ELEMENT)
#define vec_all ROWS_NAME(vec_all, ELEMENT)
#define vec_at ROWS_NAME(vec_at, ELEMENT)
#define vec_down ROWS_NAME(vec_down, ELEMENT)
#define vec_if_greater ROWS_NAME(vec_if_greater, ELEMENT)
#define vec_max ROWS_NAME(vec_max, ELEMENT)
#define vec_min ROWS_NAME(vec_min, ELEMENT)
#define vec_peaks ROWS_NAME(vec_peaks, ELEMENT)
#define vec_squeeze ROWS_NAME(vec_squeeze, ELEMENT)
#define vec_transpose ROWS_NAME(vec_transpose, ELEMENT)
#define vec_up ROWS_NAME(vec_up, ELEMENT)
#define vec_zip_high ROWS_NAME(vec_zip_high, ELEMENT)
#define vec_zip_low ROWS_NAME(vec_zip_low, ELEMENT)
#define rows_batch ROWS_NAME(rows_batch, ELEMENT)
#define rows_batch_cells ROWS_NAME(rows_batch_cells, ELEMENT)
#define rows_batch_lanes ROWS_NAME(rows_batch_lanes, ELEMENT)
#define rows_begin ROWS_NAME(rows_begin, ELEMENT)
#define rows_chosen ROWS_NAME(rows_chosen, ELEMENT)
#define rows_double_step ROWS_NAME(rows_double_step, ELEMENT)
#define rows_double_step_of ROWS_NAME(rows_double_step_of, ELEMENT)
#define rows_fold_line ROWS_NAME(rows_fold_line, ELEMENT)
#define rows_pass ROWS_NAME(rows_pass, ELEMENT)
#define rows_pass_of ROWS_NAME(rows_pass_of, ELEMENT)
#define rows_pass_steps ROWS_NAME(rows_pass_steps, ELEMENT)
#define rows_push ROWS_NAME(rows_push, ELEMENT)
#define rows_replies ROWS_NAME(rows_replies, ELEMENT)
#define rows_reply ROWS_NAME(rows_reply, ELEMENT)
#define rows_round ROWS_NAME(rows_round, ELEMENT)
#define rows_shift_pass ROWS_NAME(rows_shift_pass, ELEMENT)
#define rows_shift_pass_of ROWS_NAME(rows_shift_pass_of, ELEMENT)
#define rows_spread ROWS_NAME(rows_spread, ELEMENT)
#define rows_stripe ROWS_NAME(rows_stripe, ELEMENT)
#define rows_strip ROWS_NAME(rows_strip, ELEMENT)
#define rows_strip_state ROWS_NAME(rows_strip_state, ELEMENT)
#define rows_strip_step ROWS_NAME(rows_strip_step, ELEMENT)
#define rows_table ROWS_NAME(rows_table, ELEMENT)
#define rows_to_i32 ROWS_NAME(rows_to_i32, ELEMENT)
#define rows_to_i64 ROWS_NAME(rows_to_i64, ELEMENT)
#define rows_triangle ROWS_NAME(rows_triangle, ELEMENT)
#define rows_triangle_of ROWS_NAME(rows_triangle_of, ELEMENT)
#define rows_unstripe ROWS_NAME(rows_unstripe, ELEMENT)
#define rows_valley ROWS_NAME(rows_valley, ELEMENT)
#define rows_write_stretches ROWS_NAME(rows_write_stretches, ELEMENT)

#include "rows_lanes.h"
#include "rows_steps.h"
#include "rows_batch.h"
#include "rows_stack.h"
#if HAS_TABLE
#include "rows_table.h"
#endif
#if HAS_ROUNDS
#include "rows_rounds.h"
#endif

static const rows_element ROWS_NAME(rows, ELEMENT) = {
    .size = sizeof(T),
    .lanes = LANES,
    .begin = rows_begin,
    .double_step = rows_double_step,
    .shift_pass = rows_shift_pass,
    .stripe = rows_stripe,
    .unstripe = rows_unstripe,
    .pass = rows_pass,
    .triangle = rows_triangle,
    .batch = rows_batch,
#if HAS_TABLE
    .table = rows_table,
#endif
};

static const rows_folding ROWS_NAME(rows_folding, ELEMENT) = {
    .size = sizeof(T),
    .push = rows_push,
    .valley = rows_valley,
    .line = rows_fold_line,
#if IS_WHOLE
    .spread = rows_spread,
    .to_i32 = rows_to_i32,
    .to_i64 = rows_to_i64,
#endif
#if HAS_ROUNDS
    .round = rows_round,
#endif
};

#undef T
#undef ELEMENT
#undef LANES
#undef IS_WHOLE
#undef HAS_TABLE
#undef HAS_ROUNDS
