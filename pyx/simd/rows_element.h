/* All templates of rows for one element type.  rows.h includes this once for each, and defines before:

   T       the element: int16_t, int32_t, int64_t or double
   SUFFIX  of the names made here: i16, i32, i64 or f64
   SUM     the type of additions: unsigned for integers, which wrap
   MASK    vectors of signed integers of T's width
   LANES   elements in a vector
   HAS_TABLE, HAS_ROUNDS   whether rows_table.h and rows_rounds.h are for it

   F(name) is the name with the suffix, VEC the vector type, LIST(name) the list of lanes of that name. */
#define ROWS_JOIN(a, b) a##_##b
#define ROWS_JOIN_(a, b) ROWS_JOIN(a, b)
#define F(name) ROWS_JOIN_(name, SUFFIX)
#define LIST(name) ROWS_JOIN_(name, LANES)
#define VEC F(vec)

#include "rows_lanes.h"
#include "rows_dp.h"
#include "rows_batch.h"
#if HAS_TABLE
#include "rows_table.h"
#endif
#if HAS_ROUNDS
#include "rows_rounds.h"
#endif

#undef ROWS_JOIN
#undef ROWS_JOIN_
#undef F
#undef LIST
#undef VEC
#undef T
#undef SUFFIX
#undef SUM
#undef MASK
#undef LANES
#undef HAS_TABLE
#undef HAS_ROUNDS
