/* All templates of rows for one element type.  rows.h includes this once for each, and defines before:

   T       the element: int16_t, int32_t or int64_t
   SUFFIX  of the names made here: i16, i32 or i64
   LANES   elements in a vector
   WIDE    whether it is for tables and for folding, too

   F(name) is the name with the suffix, VEC the vector type, LIST(name) the list of lanes of that name. */
#define F(name) ROWS_JOIN_(name, SUFFIX)
#define LIST(name) ROWS_JOIN_(name, LANES)
#define VEC F(vec)

#include "rows_lanes.h"
#include "rows_dp.h"
#include "rows_batch.h"
#if WIDE
#include "rows_table.h"
#endif
#if WIDE && ROWS_BYTES > 16
#include "rows_rounds.h"
#endif

#undef F
#undef LIST
#undef VEC
#undef T
#undef SUFFIX
#undef LANES
#undef WIDE
